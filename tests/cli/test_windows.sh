#!/bin/sh
# Windows and blocks of bytes, as image and video code has them: sums are computed in 16 bits where these hold them, a
# step loads each element that rows slide over once, and the new file computes what the old one does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >windows.c <<'C'
#include <stdint.h>
#include <stdlib.h>
void box3(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            unsigned sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += s[(y + dy) * w + (x + dx)];
            d[y * w + x] = sum / 9;
        }
#pragma endscop
}
int sad16(const uint8_t *a, int as, const uint8_t *b, int bs)
{
    int s = 0;
#pragma scop
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            s += abs(a[y * as + x] - b[y * bs + x]);
#pragma endscop
    return s;
}
void edges(const int16_t *s, uint8_t *votes, int16_t level, int n)
{
#pragma scop
    for (int i = 3; i < n - 3; i++) {
        int above = 0;
        for (int k = -3; k <= 3; k++)
            above += s[i + k] > level ? 1 : 0;
        votes[i] = above;
    }
#pragma endscop
}
void pool11(const float *s, float *d, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int r = 0; r < 11; r++)
                for (int c = 0; c < 11; c++)
                    sum += s[(11 * y + r) * (11 * w) + 11 * x + c];
            d[y * w + x] = sum / 121;
        }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
void box3(const uint8_t *, uint8_t *, int, int), pool11(const float *, float *, int, int), edges(const int16_t *, uint8_t *, int16_t, int);
int sad16(const uint8_t *, int, const uint8_t *, int);
int main(void)
{
    static uint8_t a[131 * 67], b[131 * 67];
    static int16_t s[777];
    static const int w[] = {1, 3, 7, 33, 64, 131}, h[] = {2, 3, 13, 67};
    unsigned hash = 1;
    for (int i = 0; i < 131 * 67; i++)
        a[i] = (uint8_t)(i % 5 ? hash >> 16 : 255), hash = hash * 1103515245 + 12345;
    for (int i = 0; i < 777; i++)
        s[i] = (int16_t)(i % 7 ? hash >> 16 : i % 2 ? 32767 : -32768), hash = hash * 1103515245 + 12345;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 131 * 67; k++)
                b[k] = 7;
            box3(a, b, w[i], h[j]);
            for (int k = 0; k < 131 * 67; k++)
                hash = hash * 31 + b[k];
        }
    for (int n = 0; n < 777; n += 37) {
        edges(s, b, (int16_t)(n * 40), n);
        for (int k = 0; k < 777; k++)
            hash = hash * 31 + b[k];
        hash = hash * 31 + (unsigned)sad16(a + n, 131, a + 5 * n, 67);
    }
    static float p[11 * 5 * 11 * 7], q[5 * 7];
    for (int i = 0; i < 11 * 5 * 11 * 7; i++)
        p[i] = (float)(i % 17); /* whole numbers: sums are exact in any order */
    for (int w1 = 1; w1 <= 7; w1 += 3) {
        pool11(p, q, w1, 5);
        for (int k = 0; k < w1 * 5; k++)
            hash = hash * 31 + (unsigned)(q[k] * 121 + 0.5f);
    }
    printf("%u\n", hash);
    return 0;
}
C
$CC -O1 -o old main.c windows.c
./old >want
for t in $(targets 'arch != "" || runs' | grep -v cuda); do
    "$SQUALL" compile windows.c --target=$t -o new.c 2>log || fail "$t: $(cat log)"
    case $here in *" $t "*) ;; *) continue ;; esac
    $CC -O1 -o new main.c new.c
    ./new >got
    cmp -s want got || fail "$t: $(cat got), not $(cat want)"
done
for t in avx2 avx512; do
    "$SQUALL" show schedule windows.c --target=$t >said
    # 16 distances are half a vector of AVX2, which takes them as they are.
    [ "$(grep -c 'narrow(S' said)" = $([ $t = avx2 ] && echo 2 || echo 3) ] || fail "$t: $(cat said)"
    [ $t != avx2 ] || grep -q '^sad16: micro(y:16 | x) vectorize(x:4)' said || fail "$t: $(cat said)"
    # Lanes along a row of the window, whose lines are a step's terms: no element is loaded by itself.
    grep -q '^pool11: .*micro(r:11.* | c) vectorize(c:' said || fail "$t: $(cat said)"
done
# Rows of the tile slide over 12 rows of the image, at three columns: 36 loads for 90 terms.
"$SQUALL" compile windows.c --kernel=box3 --target=avx2 --fix=w=642,h=482 \
    -e 'distribute(S0) narrow(S1) micro(y:10, dy:3, dx:3, x:16)' -o tile.c
loads=$(sed -n '/^SQ_[A-Z]* void squall_box3_1_tile/,/^}/p' tile.c | grep -o 'squall_box3_1_u8x16_to_u16(' | wc -l)
[ "$loads" = 36 ] || fail "$loads loads in a tile of 10 rows under 3 x 3, not 36"
