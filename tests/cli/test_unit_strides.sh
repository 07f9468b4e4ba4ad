#!/bin/sh
# Elements a distance apart that is known when the loops run: a function for the distance 1, of vectors, beside the one
# for any other, in regions and in descriptions, and which of them a call takes is said. What a distance of 0 or below 0 asks for runs as written.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
void axpy(int n, float alpha, const float *x, int incx, float *y, int incy)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i * incy] += alpha * x[i * incx];
#pragma endscop
}
void channel(int n, int channels, const int16_t *in, float *out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = (float)in[i * channels] * (1.0f / 32768.0f);
#pragma endscop
}
int dot(int n, const int *x, int incx, const int *y)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += x[i * incx] * y[i];
#pragma endscop
    return sum;
}
/* As in the reference BLAS. */
void rot(int n, float *x, int incx, float *y, int incy, float c, float s)
{
    int ix, iy, i;
    float t;
#pragma scop
    ix = 0;
    iy = 0;
    for (i = 0; i < n; i++) {
        t = c * x[ix] + s * y[iy];
        y[iy] = c * y[iy] - s * x[ix];
        x[ix] = t;
        ix += incx;
        iy += incy;
    }
#pragma endscop
}
void spread(int rows, int cols, int step, const float *in, float *out)
{
    int at = 0;
#pragma scop
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            out[at] = 2 * in[r * cols + c];
            at += step;
        }
#pragma endscop
}
void scale(int rows, int cols, int pitch, const float *in, float *out)
{
#pragma scop
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            out[r * cols + c] = 2 * in[r * pitch + c];
#pragma endscop
}
C
cat >main.c <<'C'
#include "show.h"
#include <stdint.h>
void axpy(int n, float alpha, const float *x, int incx, float *y, int incy);
void channel(int n, int channels, const int16_t *in, float *out);
int dot(int n, const int *x, int incx, const int *y);
void rot(int n, float *x, int incx, float *y, int incy, float c, float s);
void spread(int rows, int cols, int step, const float *in, float *out);
void scale(int rows, int cols, int pitch, const float *in, float *out);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 8, 9, 13, 31, 33, 127, 129};
    static float a[400], b[400], c[400];
    static int p[400], q[400], sum[1];
    static int16_t h[400];
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int step = -1; step < 4; step++) {
            for (int i = 0; i < 400; i++) {
                a[i] = (float)(i * 37 % 101) / 8, b[i] = (float)(i * 41 % 67), c[i] = 0;
                p[i] = i * i % 99, q[i] = i - 50, h[i] = (int16_t)(i * 321);
            }
            int from = step < 0 ? 128 : 0;
            axpy(odd[k], 0.5f, a + from, step, b, 1), axpy(odd[k], 2, a, 1, b + from, step);
            channel(odd[k], step, h + from, c), sum[0] = dot(odd[k], p + from, step, q);
            if (step > 0)
                scale(odd[k], step, step + 1, a, c);
            rot(odd[k], a + from, step, b, 1, 0.75f, 0.5f), rot(odd[k], a, 1, b + from, step, 0.5f, 0.25f);
            spread(odd[k] / 4, 3, step, b, c + from);
            SHOW(a), SHOW(b), SHOW(c), SHOW(sum);
        }
    return 0;
}
C
show_h
as_before_everywhere 285

# Which there are, and which a call takes; a pitch whose rows are used whole is no such distance.
expect 0 compile old.c --target=avx2 -o new.c
grep -q 'squall_scale_1_way' new.c && fail "a function for a pitch of 1"
grep -qF 'if (incy == 1 && incx == 1) {' new.c || fail "the distances of axpy are not asked for"
grep -qF 'if (channels == 1) {' new.c || fail "the distance of channel is not asked for"
grep -qF 'if (incx == 1 && incy == 1) {' new.c || fail "the distances of rot are not asked for"
expect 0 explain old.c --target=avx2 --kernel=axpy
prints 'schedule at incy=1,incx=1: micro(i'
prints 'A call takes the one with its constants; where there is none, the one for other sizes.'
prints 'what is compiled for other sizes:'

# A schedule that is given is for one function, as is one that is made for a distance.
expect 0 compile old.c --target=avx2 --kernel=channel -e 'micro(i:8)' -o new.c
grep -q _way new.c && fail "two functions with one schedule"
expect 0 compile old.c --target=avx2 --kernel=channel --fix=channels=2 -o new.c
grep -q _way new.c && fail "two functions for one distance"
expect 0 check old.c --target=avx2 --kernel=axpy --quick
prints 'axpy at incy=1,incx=1: '
prints 'axpy at other sizes: '

# Where no function for neighbouring elements can be made, that is said, and why.
cat >apart.c <<'C'
#include <assert.h>
void scal(int n, int inc, float a, float *x)
{
#pragma scop
    assert(inc > 1);
    for (int i = 0; i < n; i++)
        x[i * inc] *= a;
#pragma endscop
}
C
for words in 'compile -o new.c' explain; do
    # shellcheck disable=SC2086 # a list of options
    expect 0 $words apart.c --target=avx2
    says "apart.c:4:1: note: there is no function for inc=1, whose loops would have vectors: the accesses of this region"
done
expect 0 compile apart.c --target=avx2 -e 'tile(i:8)' -o forced.c
silent

# Descriptions: increments of BLAS, for several targets and with arrays as views; the header has the shapes once.
cat >blas.sq <<'K'
#include "squall.h"
#pragma squall parameters M N alpha A lda x incx beta y incy
kernel my_gemv(int M, int N, int lda, int incx, int incy, f64 alpha, f64 beta, const f64 A[M][lda],
               const f64 x[N][incx], f64 y[M][incy])
{
    idx i, j;
    assume(lda >= N && incx >= 1 && incy >= 1);
    range(i, 0, M);
    range(j, 0, N);
    y[i][0] = beta * y[i][0] + alpha * sum(A[i][j] * x[j][0], j);
}
K
expect 0 compile blas.sq --targets=generic,avx2 --views -o blas.c --header=blas.h
grep -q 'my_gemv at incx=1,incy=1 for avx2: .*vectorize(j:4)' blas.h || fail "no vectors for neighbouring elements"
grep -q '^ \*   reads   A\[M\]\[lda\], x\[N\]\[incx\]$' blas.h || fail "the header does not say the shapes"
grep -q ' With ' blas.h && fail "the shapes of each function, and one is for all sizes"
cat >gemv.c <<'C'
#include "blas.h"
#include <math.h>
#include <stdio.h>
int main(void)
{
    static double A[40 * 40], x[200], y[200], z[200];
    for (int i = 0; i < 1600; i++)
        A[i] = i * 37 % 101 - 50;
    for (int n = 0; n < 4 * 5 * 3 * 3; n++) {
        int rows = n / 45 * 11, cols = n / 9 % 5 * 8, sx = 1 + n / 3 % 3, sy = 1 + n % 3;
        for (int i = 0; i < 200; i++)
            x[i] = i * 29 % 97 - 40, y[i] = z[i] = i;
        my_gemv(rows, cols, 0.5, A, 40, x, sx, 2, y, sy);
        int bad = my_gemv_views(-0.5, (squall_const_f64_2d){A, {rows, cols}, {40, 1}},
                                (squall_const_f64_2d){x, {cols, sx}, {sx, 1}}, 1,
                                (squall_f64_2d){y, {rows, sy}, {sy, 1}});
        for (int i = 0; i < rows; i++)
            z[i * sy] *= 2;
        for (int i = 0; i < 200; i++)
            bad |= fabs(y[i] - z[i]) > 1e-9;
        if (bad)
            return printf("%d x %d, %d, %d\n", rows, cols, sx, sy), 1;
    }
    return 0;
}
C
$CC -std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror -c blas.c -o blas.o || fail "blas.c"
$CC -O1 gemv.c blas.o -lm -o gemv
for isa in generic avx2; do
    SQUALL_ISA=$isa ./gemv >out 2>err || fail "$isa: $(cat out)"
done
expect 0 compile blas.sq --target=avx2 -e 'micro(i:8 | j)' -o blas.c
grep -q _way blas.c && fail "two functions with one schedule"
expect 0 compile blas.sq --target=avx2 --emit=src,sched -o blas.c
grep -q _way blas.c && fail "two functions, and a script is one schedule"
sed 's/const f64 A/prepacked const f64 A/' blas.sq >packed.sq
expect 0 compile packed.sq --target=avx2 -o packed.c
grep -q 'incx == 1' packed.c && fail "what is packed has a layout for each distance"

# What was tuned for any distances is not what calls with neighbouring elements take.
for fix in --at=M=16,N=16,lda=16,incx=1,incy=1 '--fix=incx=1,incy=1 --at=M=16,N=16,lda=16'; do
    # shellcheck disable=SC2086 # a list of options
    expect 0 tune blas.sq --target=avx2 $fix --trials=1 --store=none
    expect 0 compile blas.sq --target=avx2 -o tuned.c
    [ "$fix" = "${fix#--fix}" ] || break
    says "'my_gemv' was tuned for any distances; calls with incx=1,incy=1 do without it"
    says "tune it with --fix=incx=1,incy=1"
done
! grep -q warning err || fail "a warning, and both functions are tuned"
