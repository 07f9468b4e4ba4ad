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
images_main 0 windows values macros zeros triangle
as_before_on generic avx2 avx512
"$SQUALL" show schedule old.c --kernel=zeros --target=avx2 >said
grep -q 'micro(y:.* j:3, k:3, x:' said || fail "zeros: $(cat said)"
"$SQUALL" compile old.c --kernel=zeros --target=avx2 -o tile.c
sed -n '/^SQ_[A-Z]* .*_tile_/,/^}/p' tile.c >text
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
