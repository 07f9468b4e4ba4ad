/* A product by the threads of a pool: the same bits as by one thread, and how long both take. */
#define _POSIX_C_SOURCE 200809L
#include "gemm.h"
#include "pool.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N = 768, REPEATS = 9 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The shortest of some runs; without a pool by one thread. */
static double shortest(const float *A, const float *B, float *C, void *space, int threads, pool *p)
{
    double best = 1e9;
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        if (gemm_on(N, N, N, 1, 0, A, B, C, space, threads, p ? pool_run : NULL, p))
            abort();
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

int main(void)
{
    size_t bytes = (size_t)N * N * sizeof(float);
    int threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    float *A = malloc(bytes), *B = malloc(bytes), *C = malloc(bytes), *D = malloc(bytes);
    void *space = malloc(gemm_on_workspace(N, N, N, threads) + 1);
    pool *p = pool_new(threads);
    if (!A || !B || !C || !D || !space || !p)
        return 1;
    for (int i = 0; i < N * N; i++) {
        A[i] = (float)(i % 17) - 8;
        B[i] = (float)(i % 13) / 13;
    }
    double one = shortest(A, B, C, space, threads, NULL), all = shortest(A, B, D, space, threads, p);
    int same = memcmp(C, D, bytes) == 0;
    printf("one thread %.2f ms, %d threads %.2f ms: %s\n", 1e3 * one, threads, 1e3 * all,
           same ? "the same bits" : "other bits");
    pool_free(p);
    free(A), free(B), free(C), free(D), free(space);
    return !same;
}
