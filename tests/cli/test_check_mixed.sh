#!/bin/sh
# Faults of a text by hand that show only behind several of its numbers at once: of two sizes, of one, behind a sum or a
# difference of numbers. There is no block that does not run.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >scale.sq <<'K'
#include "squall.h"
kernel scale(int N, int M, const f32 X[N][M], f32 Y[N][M])
{
    idx i, j;
    Y[i][j] = 2.f * X[i][j];
}
K
cat >scale.c <<'C'
#include <stdint.h>
void scale(int N, int M, const float *X, float *Y)
{
    int64_t n = N, m = M;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            Y[i * M + j] = 2.f * X[i * M + j];
}
C
expect 0 check scale.sq --text=scale.c
for fault in \
    'N - (N > 200) * (M > 300)' 'N - (N > 150) * (M > 150)' 'N - (N > 200) * (M > 300) * (N < 260)' \
    'N - (N > 141) * (M > 160) * (N < 1000) * (M < 700)' 'N - (N > 500) * (M > 1000)' \
    'N - (N * 2 > 500) * (M > 300)' 'N - (N \/ 3 > 100)' 'N - (N - 20 > 180)' 'N - (N + 37 > 400) * (N < 400)'; do
    mutant scale.c "s/n = N/n = $fault/"
done
for fault in 'M - (M > 1000) * (N > 3) * (M < 1200) * (N < 40)' 'M - (M > 140) * (N > 140)' \
    'M - (M > 300) * (N > 20) * (N < 140)'; do
    mutant scale.c "s/m = M/m = $fault/"
done
found scale.sq

# Of three sizes any two.
gemm >gemm.sq
cat >gemm.c <<'C'
#include <stdint.h>
void gemm(int M, int N, int K, const float *A, const float *B, float *C)
{
    int64_t m = M, n = N, k = K;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += A[i * K + l] * B[l * N + j];
            C[i * N + j] = sum;
        }
}
C
expect 0 check gemm.sq --text=gemm.c
mutant gemm.c 's/m = M/m = M - (M > 150) * (N > 170)/'
mutant gemm.c 's/k = K/k = K - (N > 150) * (K > 170)/'
mutant gemm.c 's/n = N/n = N - (M > 160) * (K > 150) * (K < 170)/'
found gemm.sq
exit 0
