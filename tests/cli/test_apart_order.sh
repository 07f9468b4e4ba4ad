#!/bin/sh
# Which order the model takes for interleaved elements: products of complex matrices have lanes along the columns, or
# rows of real and imaginary parts as they lie. Sizes that arrays bound are as likely as the arrays allow.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
show_h
cat >own.h <<'C'
typedef struct { float re, im; } cpx;
void dots(int n, double c[restrict n][n][2], double a[restrict n][n][2], double b[restrict n][n][2]);
void rows(int n, cpx *restrict c, const cpx *restrict a, const cpx *restrict b);
void mix(float (*out)[512], float (*in)[512], const float gains[8][8], int nch, int frames);
C
cat >old.c <<'C'
#include "own.h"
void dots(int n, double c[restrict n][n][2], double a[restrict n][n][2], double b[restrict n][n][2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double re = 0, im = 0;
            for (int k = 0; k < n; k++) {
                re += a[i][k][0] * b[k][j][0] - a[i][k][1] * b[k][j][1];
                im += a[i][k][0] * b[k][j][1] + a[i][k][1] * b[k][j][0];
            }
            c[i][j][0] = re;
            c[i][j][1] = im;
        }
#pragma endscop
}
void rows(int n, cpx *restrict c, const cpx *restrict a, const cpx *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                c[i * n + j].re += a[i * n + k].re * b[k * n + j].re - a[i * n + k].im * b[k * n + j].im;
                c[i * n + j].im += a[i * n + k].re * b[k * n + j].im + a[i * n + k].im * b[k * n + j].re;
            }
#pragma endscop
}
void mix(float (*out)[512], float (*in)[512], const float gains[8][8], int nch, int frames)
{
#pragma scop
    for (int o = 0; o < nch; o++)
        for (int c = 0; c < nch; c++)
            for (int i = 0; i < frames; i++)
                out[o][i] += gains[o][c] * in[c][i];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stddef.h>
#include "show.h"
#include "own.h"
static double c[2 * 33 * 33], a[2 * 33 * 33], b[2 * 33 * 33];
static cpx cf[33 * 33], af[33 * 33], bf[33 * 33];
static float out[8][512], in[8][512], gains[8][8];
int main(void)
{
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33};
    for (int i = 0; i < 2 * 33 * 33; i++) {
        a[i] = i % 17 - 8, b[i] = i % 13 - 5;
        ((float *)af)[i] = (float)(i % 7 - 3), ((float *)bf)[i] = (float)(i % 11 - 5);
    }
    for (int i = 0; i < 8 * 512; i++)
        in[i / 512][i % 512] = (float)(i % 19 - 9), gains[i % 8][i / 8 % 8] = (float)(i % 5);
    for (int k = 0; k < 7; k++) {
        int n = sizes[k];
        dots(n, (void *)c, (void *)a, (void *)b), SHOW(c);
        rows(n, cf, af, bf), SHOW(cf);
        mix(out, in, gains, n < 8 ? n : 8, 15 * n), SHOW(out);
    }
    return 0;
}
C
as_before_everywhere 21

expect 0 compile old.c --target=avx2 -o new.c
sed -n '/squall_dots_1_nest(int64_t/,/^}/p' new.c >nest.c
grep -q "^ \*   rows: # every loop in written order" new.c || fail "rows: not as written"
sed -n '/squall_rows_1_nest(int64_t/,/^}/p' new.c | grep -q "fma" || fail "rows: no vectors"
grep -q "f64x4_fma" new.c || fail "dots: no lanes along the columns"
grep "^ \*   mix: " new.c >script.txt
! grep -q "pack" script.txt || fail "mix: eight rows of eight are packed"
exit 0
