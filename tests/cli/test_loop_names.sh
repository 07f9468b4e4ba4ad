#!/bin/sh
# Loops have the names that the user gave them, tiles of them the same with a 0 behind; names that the text
# has for something else give way, and results are those of the loops as they were.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"

# holds TEXT / lacks TEXT: the emitted file does.
holds() { grep -qF -- "$1" t.c || fail "the text lacks $1"; }
lacks() { ! grep -qE -- "$1" t.c || fail "the text has $1"; }

expect 0 compile "$SQUALL_SOURCE/samples/cholesky.sq" --target=avx2 -e 'auto(tile:16)' -o t.c
holds 'for (int64_t r0 = 0; r0 < N; r0 += 16)'
holds 'for (int64_t r = r0; '
holds 'L[r * L_s0 + c]'
lacks '\bp[1-9] ='

# Skewed loops are over a dimension and the loop that was added to it, and have tiles as others have.
expect 0 compile "$SQUALL_SOURCE/samples/jacobi_2d.sq" --target=avx2 -e 'auto(tile:8)' -o t.c
holds 'for (int64_t t0 = 0; t0 < T; t0 += 8)'
holds 'for (int64_t i_t0 = '
lacks '\bp[1-9] ='
holds 'for (int64_t t = '
holds 'B[(i_t - 2 * t) * B_s0'
holds 'A[(i_t - 2 * t - 1) * A_s0'
# On a grid, too; words of C++ are none.
expect 0 compile "$SQUALL_SOURCE/samples/jacobi_2d.sq" --target=cuda,arch=sm_80 -e 'auto(fuse:min, grid:128)' -o t.c
holds 'for (int64_t t = 0; t < T; t++)'
holds 'B[(i_t - 2 * t) * B_s0'
cat >sums.sq <<'END'
#include "squall.h"
kernel sums(int N, f32 A[N][N])
{
    for (int new = 1; new < N; new++) {
        A[new][0] = 0.5f;
        for (int j = 1; j < N; j++)
            A[new][j] += A[new][j - 1];
    }
}
END
expect 0 compile sums.sq --target=cuda -o t.c
lacks '\bnew\b'

# A size named as tiles would be: its loop began at a variable of that name. An array named as a skewed loop would be.
cat >tiles.sq <<'END'
#include "squall.h"
kernel rows(int i0, int M, f32 A[i0][M], f32 B[i0])
{
    for (int i = 0; i < i0; i++) {
        B[i] = 0;
        for (int j = 0; j < M; j++)
            A[i][j] += B[i];
    }
}
END
expect 0 check tiles.sq --passes --target=avx2 -e 'auto(tile:8, tile:16)'
cat >taken.sq <<'END'
#include "squall.h"
kernel steps(int T, int N, f32 A[N][N], f32 i_t[N][N])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                i_t[i][j] = A[i][j] + A[i - 1][j] + A[i + 1][j];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = 0.25f * i_t[i][j];
    }
}
END
expect 0 check taken.sq --passes --target=avx2 -e 'auto(tile:8)'
expect 0 compile taken.sq --target=avx2 -e 'auto(tile:8)' -o t.c
lacks 'int64_t i_t ='

# Names that generated code likes, one that is a size, one that is an array; one name twice; a loop that counts down.
cat >old.c <<'C'
void end_of(int n, int last0, float end[restrict n][n], float *restrict acc0, float *restrict left)
{
#pragma scop
    for (int last = 0; last < n; last++) {
        for (int p = 0; p < last; p++)
            left[last] -= end[last][p] * left[p];
        for (int acc = 0; acc < last0; acc++)
            acc0[last] += left[last] * 0.25f + acc;
        left[last] /= end[last][last];
    }
#pragma endscop
}
void down(int n, double *restrict k, double *restrict v0, double m[restrict n][n])
{
#pragma scop
    for (int v = n - 1; v >= 0; v--) {
        for (int j = v + 1; j < n; j++)
            k[v] -= m[v][j] * k[j];
        k[v] /= m[v][v];
    }
    for (int v = 0; v < n; v++)
        for (int f = 0; f < n; f++)
            for (int r = 0; r <= f; r++)
                v0[v] += m[v][f] * k[r];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
void end_of(int n, int last0, float end[restrict n][n], float *restrict acc0, float *restrict left);
void down(int n, double *restrict k, double *restrict v0, double m[restrict n][n]);
static float e[45][45], a[45], l[45];
static double m[45][45], k[45], v[45];
int main(void)
{
    for (int n = 0; n < 46; n += n < 9 ? 1 : 9) {
        float *to = (float *)e;
        double *also = (double *)m;
        for (int i = 0; i < n * n; i++)
            to[i] = also[i] = i % (n + 1) == 0 ? 8 : (i % 7) * 0.125;
        for (int i = 0; i < n; i++)
            a[i] = i, l[i] = 3 - i % 5, k[i] = i % 4, v[i] = -i;
        end_of(n, n / 2, (float(*)[n])e, a, l);
        down(n, k, v, (double(*)[n])m);
        for (int i = 0; i < n; i++)
            printf("%.4g %.4g %.9g %.9g\n", a[i], l[i], k[i], v[i]);
    }
}
C
as_before_on generic avx2 avx512
