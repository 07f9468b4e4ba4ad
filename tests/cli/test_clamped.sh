#!/bin/sh
# Subscripts that choose, A[x < 0 ? 0 : x] and A[max2(x, 0)], of regions and of kernels: borders of images as programs write them, with
# helpers, in rows and in flat memory; values to the bit.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >old.c <<'C'
#include <stddef.h>
typedef struct { int w, h; float *data; } image;
static int clamp(int v, int lo, int hi)
{
    if (v < lo) return lo;
    if (v > hi) return hi;
    return v;
}
static float at(image m, int x, int y)
{
    x = clamp(x, 0, m.w - 1);
    y = clamp(y, 0, m.h - 1);
    return m.data[y*m.w + x];
}
void blur(image in, image out)
{
#pragma scop
#pragma squall fp strict
    for (int y = 0; y < in.h; y++)
        for (int x = 0; x < in.w; x++)
            out.data[y*in.w + x] = (at(in, x - 1, y) + at(in, x, y - 1) + at(in, x, y) + at(in, x + 1, y) + at(in, x, y + 1)) / 5;
#pragma endscop
}
void rows(int w, int h, const float (*in)[w], float (*out)[w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y][x] = in[y][x > 0 ? x - 1 : w - 1] - in[y == h - 1 ? 0 : y + 1][x];
#pragma endscop
}
void ring(int n, const double *a, double *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i == 0 ? n - 1 : i - 1] + 2 * a[i == n - 1 ? 0 : i + 1];
#pragma endscop
}
/* Names for the places, whose rows end where the next ones begin. */
void named(int w, int h, const float *a, float *b)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int l = x > 0 ? x - 1 : 0, r = x < w - 1 ? x + 1 : w - 1, above = y == 0 ? 0 : y - 1;
            int below = (y == h - 1 ? y : y + 1) * w;
            b[y * w + x] = a[y * w + l] - 2 * a[y * w + r] + a[above * w + x] - a[below + l];
        }
#pragma endscop
}
/* Rings of cells, whose places are a rest by a size. */
void life(int w, int h, const float *a, float *b)
{
#pragma scop
#pragma squall fp strict
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float n = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    n += a[(y + j + h) % h * w + (x + i + w) % w];
            b[y * w + x] = n;
        }
#pragma endscop
}
/* A number outside. */
void padded(int w, int h, const float *a, float *b)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double n = 0; /* its sums are exact */
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    n += x + i >= 0 && x + i < w && y + j >= 0 && y + j < h ? a[(y + j) * w + x + i] * i : 0.5f;
            b[y * w + x] = (float)n;
        }
#pragma endscop
}
void turned(size_t n, const float *a, float *b)
{
#pragma scop
    for (size_t i = 0; i < n; i++) {
        size_t before = (i + n - 1) % n;
        b[i] = a[(i + 3) % n] - a[before];
    }
#pragma endscop
}
/* A table, whose subscripts choose by values, is none of these. */
void table(int n, const int *x, const float *t, int m, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = t[x[i] < 0 ? 0 : x[i] > m - 1 ? m - 1 : x[i]];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stddef.h>
#include <stdio.h>
typedef struct { int w, h; float *data; } image;
void blur(image, image), rows(int w, int, const float (*)[w], float (*)[w]), ring(int, const double *, double *);
void table(int, const int *, const float *, int, float *), named(int, int, const float *, float *);
void life(int, int, const float *, float *), padded(int, int, const float *, float *), turned(size_t, const float *, float *);
int main(void)
{
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 64, 129};
    static float a[17000], b[17000];
    static double c[200], d[200];
    static int x[200];
    for (int s = 0; s < 9; s++)
        for (int t = 0; t < 9; t += 2) {
            int w = sizes[s], h = sizes[t];
            for (int i = 0; i < w * h; i++)
                a[i] = (float)(i * 7 % 31) / 3, b[i] = -1;
            blur((image){w, h, a}, (image){w, h, b});
            for (int i = 0; i < w * h; i++)
                printf("%a ", b[i]);
            rows(w, h, (const float (*)[w])a, (float (*)[w])b);
            for (int i = 0; i < w * h; i++)
                printf("%a ", b[i]);
            life(w, h, a, b);
            for (int i = 0; i < w * h; i++)
                printf("%a ", b[i]);
            padded(w, h, a, b);
            for (int i = 0; i < w * h; i++)
                printf("%a ", b[i]);
            turned((size_t)w, a, b);
            for (int i = 0; i < w; i++)
                printf("%a ", b[i]);
            named(w, h, a, b);
            for (int i = 0; i < w * h; i++)
                printf("%a ", b[i]);
            for (int i = 0; i < w; i++)
                c[i] = i * i % 11, x[i] = i * 5 % 17 - 4;
            ring(w, c, d), table(w, x, a, h, b);
            for (int i = 0; i < w; i++)
                printf("%a %a\n", d[i], b[i]);
        }
    return 0;
}
C
for target in generic avx2 avx512; do
    expect 0 compile old.c -o new.c --target=$target
    $CC -O1 -ffp-contract=off old.c main.c -o old && $CC -O2 -Wall -Wextra -Wno-unknown-pragmas -ffp-contract=off new.c main.c -o new ||
        fail "$target does not compile"
    case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
    ./old >old.out && ./new >new.out || fail "$target: new dies"
    same old.out new.out
done
# Where no choice is at its ends, tiles have none of it: the rest is a nest of its own.
"$SQUALL" compile old.c --kernel=named --target=avx2 -o tile.c
[ "$(grep -c 'where reads leave their arrays' tile.c)" = 1 ] || fail "named has no nest for its border"
sed -n '/^SQ_INLINE.*_points_/,/^}/p' tile.c >text
grep -q _store text && ! grep -q 'select\|if (0)' text || fail "tiles choose: $(cat text)"
"$SQUALL" compile old.c --kernel=padded --target=avx2 -o tile.c
sed -n '/^SQ_[A-Z]* .*_tile_/,/^}/p' tile.c >text
grep -q _store text && ! grep -q 'select\|if (0)' text || fail "tiles of padded choose, or there are none: $(cat text)"
cat >mirror.c <<'C'
void mirror(int w, int h, const float *a, float *b, int from, int to)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = -2; k <= 2; k++)
                sum += a[y * w + (x + k < 0 ? -x - k : x + k >= w ? 2 * w - 2 - x - k : x + k)];
            b[y * w + x] = sum;
        }
#pragma endscop
}
C
"$SQUALL" compile mirror.c --target=avx2 -o tile.c
sed -n '/^SQ_[A-Z]* .*_tile_/,/^}/p' tile.c >text
grep -q _store text && ! grep -q select text || fail "tiles mirror: $(cat text)"
cat >wrap.sq <<'SQ'
#include "squall.h"
kernel wrap(int N, const f32 X[N], f32 Y[N]) { idx i; assume(N >= 1); Y[i] = X[i == 0 ? N - 1 : i - 1] - X[i]; }
kernel edge(int H, int W, const f32 X[H][W], f32 Y[H][W])
{
    idx y, x;
    assume(H >= 1 && W >= 1);
    Y[y][x] = X[y > 0 ? y - 1 : 0][x < W - 1 ? x + 1 : W - 1];
}
/* Rows are longer than the image: its edge is not the array's. */
kernel box(int w, int64_t h, int pitch, const uint8_t X[h][pitch], uint8_t Y[h][w])
{
    idx y, x, r, s;
    assume(pitch >= w);
    range(r, -1, 2);
    range(s, -1, 2);
    Y[y][x] = (uint8_t)((sum((int32_t)X[min2(max2(y + r, 0), h - 1)][max2(0, min2(w - 1, x + s))], r, s) + 4) / 9);
}
SQ
cat >box.c <<'C'
#include "wrap.h"
#include <stdio.h>
static int at(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }
int main(void)
{
    enum { PITCH = 80, MOST = 6 };
    static uint8_t x[MOST * PITCH], y[MOST * PITCH];
    for (int i = 0; i < MOST * PITCH; i++)
        x[i] = (uint8_t)(i * 37 % 251);
    for (int w = 0; w < 70; w += w < 4 ? 1 : 13)
        for (int h = 1; h < MOST; h++) {
            box(w, h, PITCH, x, y);
            for (int i = 0; i < w * h; i++) {
                int sum = 4;
                for (int r = -1; r < 2; r++)
                    for (int s = -1; s < 2; s++)
                        sum += x[at(i / w + r, h) * PITCH + at(i % w + s, w)];
                if (y[i] != sum / 9)
                    return printf("%d x %d: %d is %d, not %d\n", w, h, i, y[i], sum / 9), 1;
            }
        }
    return 0;
}
C
for target in generic avx2; do
    case $here in *" $target "*) ;; *) continue ;; esac
    expect 0 check wrap.sq --target=$target --quick --progress=never
    expect 0 compile wrap.sq --target=$target -o wrap.c --header=wrap.h
    $CC -O1 box.c wrap.c -o box && ./box >out || fail "$target: box: $(cat out)"
done
# C's rest of what is below 0 is below 0, and five turns are more than there are choices for.
for place in '(i - 1) % n' '(5 * i) % n'; do
    printf 'void bad(int n, int m, const float *a, float *b)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        b[i] = a[%s];\n#pragma endscop\n}\n' "$place" >bad.c
    expect 1 compile bad.c -o none.c
    says "from 0 to less than three times that"
done
printf '#include "squall.h"\nkernel bad(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = X[i == 0 ? N : i - 1]; }\n' >bad.sq
expect 1 compile bad.sq -o none.c
says "out of bounds"
printf '#include "squall.h"\nkernel bad(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i == 0 ? N - 1 : i - 1] = X[i]; }\n' >bad.sq
expect 1 compile bad.sq -o none.c
says "chooses between values"
# Choices that move a place to the nearest one in the array are what clampedge is, from both sides or one; others and
# the subscripts beside them stay in bounds.
edge() { # SUBSCRIPTS HOW
    printf '#include "squall.h"\nkernel k(int H, int W, const uint8_t X[H][W], uint8_t Y[H][W]) { idx y, x; assume(H > 1); Y[y][x] = X%s; }\n' "$1" >edge.sq
    expect 0 compile edge.sq --stop-after=parse --dump=parse -o -
    sed -n 's/^    read  *//p' out >read
    grep -q "^$2" read && [ "$(wc -l <read)" = "${3-1}" ] || fail "$1: $(cat read)"
}
edge '[min2(max2(y - 2, 0), H - 1)][x]' clamp
edge '[max2(0, min2(H - 1, y + 3))][x > 0 ? x - 1 : 0]' clamp
edge '[y][x + 2 < W ? x + 2 : W - 1]' clamp
edge '[y - 1 < 0 ? 0 : y - 1 > H - 1 ? H - 1 : y - 1][max2(x - 4, 0)]' clamp
edge '[min2(max2(y - 2, 1), H - 1)][x]' 'pad 0' 3
expect 0 check edge.sq --quick --target=generic --progress=never
for bad in '[max2(y - 1, 0)][x + 1]' '[max2(y + 1, 0)][x]' '[min2(y - 1, H - 1)][x]'; do
    printf '#include "squall.h"\nkernel k(int H, int W, const uint8_t X[H][W], uint8_t Y[H][W]) { idx y, x; Y[y][x] = X%s; }\n' "$bad" >bad.sq
    expect 1 compile bad.sq -o none.c
    says "'X' is read out of bounds"
done
