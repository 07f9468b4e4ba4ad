/* Calls a generated CUDA gemm and compares it with three loops: a program of pure C. Built by
 * samples/make and samples/cmake where there is nvcc. It prints what the device returned, or that there is none. */
#include "gemm.h"
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>

enum { M = 37, N = 41, K = 43 };

static float A[M * K], B[K * N], C[M * N];

static int said(const char *what, int error)
{
    if (error)
        printf("%s: error %d, %s\n", what, error, cudaGetErrorString((cudaError_t)error));
    return error;
}

/* Memory of the device with these values; NULL without a device. */
static float *on_device(const float *values, size_t bytes)
{
    void *p = NULL;
    if (said("cudaMalloc", cudaMalloc(&p, bytes)) ||
        said("cudaMemcpy", cudaMemcpy(p, values, bytes, cudaMemcpyHostToDevice)))
        return NULL;
    return p;
}

int main(void)
{
    for (int i = 0; i < M * K; i++)
        A[i] = (float)(i % 13 - 6);
    for (int i = 0; i < K * N; i++)
        B[i] = (float)(i % 7 - 3);
    float *a = on_device(A, sizeof A), *b = on_device(B, sizeof B), *c = on_device(C, sizeof C);
    if (!a || !b || !c)
        return 2;
    if (said("gemm", gemm(M, N, K, 1, 0, a, b, c, NULL)) || /* NULL: the default stream */
        said("result", cudaMemcpy(C, c, sizeof C, cudaMemcpyDeviceToHost)))
        return 2;
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
