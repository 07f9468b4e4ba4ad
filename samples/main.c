/* Calls a generated gemm and compares it with three loops. Built by samples/make and samples/cmake,
 * which show how a project generates the kernel while it builds. */
#include "gemm.h"
#include <math.h>
#include <stdio.h>

enum { M = 37, N = 41, K = 43 };

static float A[M * K], B[K * N], C[M * N];

int main(void)
{
    for (int i = 0; i < M * K; i++)
        A[i] = (float)(i % 13 - 6);
    for (int i = 0; i < K * N; i++)
        B[i] = (float)(i % 7 - 3);
    gemm(M, N, K, 1, 0, A, B, C);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[i * K + k] * B[k * N + j];
            if (fabsf(sum - C[i * N + j]) > 0) { /* small whole numbers: exact in any order */
                printf("C[%d][%d] is %g, not %g\n", i, j, C[i * N + j], sum);
                return 1;
            }
        }
    puts("gemm is right");
    return 0;
}
