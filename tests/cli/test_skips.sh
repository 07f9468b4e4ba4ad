#!/bin/sh
# if (c) continue; in bodies of loops of regions: windows of images that leave out what is beyond the edges, conditions
# on values, several in one body; the new file computes what the old one does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
void windows(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int n = 0, sum = 0;
            for (int j = -1; j <= 1; j++) {
                int yy = y + j;
                if (yy < 0 || yy >= h)
                    continue;
                for (int k = -1; k <= 1; k++) {
                    int xx = x + k;
                    if (xx < 0) continue;
                    if (xx >= w) { continue; }
                    sum += s[yy * w + xx];
                    n++;
                }
            }
            d[y * w + x] = sum / n;
        }
#pragma endscop
}
void values(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        if (y == 3) continue;
        for (int x = 0; x < w; x++) {
            if (s[y * w + x] > 100) continue;
            d[y * w + x] = s[y * w + x] * 2;
            if (x == 0) continue;
            int l = x - 1;
            if (l < 5) l = 5 > w - 1 ? w - 1 : 5;
            d[y * w + x] += s[y * w + l];
            if (x == 7) continue;
        }
    }
#pragma endscop
}
/* One sum under conditions: their few turns that fail add nothing, and tiles are for the others. */
void zeros(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = 0;
            for (int j = -1; j <= 1; j++)
                for (int k = -1; k <= 1; k++) {
                    int xx = x + k, yy = y + j;
                    if (xx < 0 || yy < 0 || xx >= w || yy >= h) continue;
                    sum += s[yy * w + xx] * (k + 2);
                }
            d[y * w + x] = sum / 18;
        }
#pragma endscop
}
void triangle(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        int sum = 0;
        for (int x = 0; x < w; x++)
            if (x <= y)
                sum += s[y * w + x];
        d[y] = sum;
    }
#pragma endscop
}
#define EACH(i, n) for (int i = 0; i < (n); i++)
void macros(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    EACH(y, h)
        EACH(x, w) {
            if (x == y) continue;
            d[y * w + x] = s[y * w + x] + 1;
        }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef void run(const uint8_t *, uint8_t *, int, int);
run windows, values, macros, zeros, triangle;
static uint8_t a[150 * 70], b[150 * 70];
int main(void)
{
    static run *const f[] = {windows, values, macros, zeros, triangle};
    static const int w[] = {1, 2, 3, 5, 17, 34, 131}, h[] = {1, 2, 3, 13, 67};
    unsigned hash = 1;
    for (unsigned i = 0; i < sizeof a; i++)
        a[i] = (uint8_t)(hash >> 16), hash = hash * 1103515245 + 12345;
    for (int n = 0; n < 5; n++)
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 5; j++) {
                memset(b, 7, sizeof b);
                f[n](a, b, w[i], h[j]);
                for (unsigned k = 0; k < sizeof b; k++)
                    hash = hash * 31 + b[k];
                printf("%d %d %d %u\n", n, w[i], h[j], hash);
            }
    return 0;
}
C
as_before_on generic avx2 avx512
"$SQUALL" show schedule old.c --kernel=zeros --target=avx2 >said
grep -q 'micro(y:.* j:3, k:3, x:' said || fail "zeros: $(cat said)"
"$SQUALL" compile old.c --kernel=zeros --target=avx2 -o tile.c
sed -n '/^SQ_INLINE.*_tile_/,/^}/p' tile.c >text
grep -q _store text && ! grep -q 'select\|if (0)' text || fail "tiles of zeros have conditions: $(cat text)"
# Where something else than its loop is around it, it stays what it is.
cat >bad.c <<'C'
void f(int n, const float *a, float *b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (n > 5) {
            if (i == 3)
                continue;
            b[i] = a[i];
        }
        b[i] += 1;
    }
#pragma endscop
}
C
expect 1 compile bad.c -o none.c
says "continue is no statement of a region"
