/* A program that calls a gemm with OpenMP in memory of its own at sizes that fill no tile, with 1
 * to 4 threads and more: nothing is written beside the workspace, whatever is in it, and all results
 * are right. Then it counts how often gemm takes memory (linked with --wrap=calloc).
 *
 *     openmp     0: all is right; else says what is not
 */
#include "gemm.h"
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 1 << 20, TURNS = 8 };
static atomic_int taken;
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
    atomic_fetch_add(&taken, 1);
    return __real_calloc(n, size);
}

static void fail(const char *what, int threads)
{
    printf("FAILED %s with %d threads\n", what, threads);
    exit(1);
}

static void *need(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p)
        fail("malloc", 0);
    return p;
}

static float *filled(size_t n, unsigned seed)
{
    float *a = need(n * sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] = (float)((i * 31 + seed * 17) % 23) / 23 - 0.4f;
    return a;
}

static double *wanted(int m, int n, int k, const float *a, const float *b)
{
    double *c = need((size_t)m * n * sizeof *c);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int x = 0; x < k; x++)
                sum += (double)a[(size_t)i * k + x] * b[(size_t)x * n + j];
            c[(size_t)i * n + j] = sum;
        }
    return c;
}

static void compare(const float *c, const double *want, size_t n, const char *what, int threads)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(c[i] - want[i]) <= 1e-4 * (1 + fabs(want[i]))))
            fail(what, threads);
}

/* The matrices of one size. */
typedef struct product {
    int m, n, k;
    size_t nout;
    float *a, *b, *c;
    double *want;
} product;

/* In NaNs between two guards, from an odd address on. */
static void guarded(const product *x, unsigned char *all, size_t bytes, int threads)
{
    unsigned char *space = all + GUARD;
    omp_set_num_threads(threads);
    if (gemm_workspace(x->m, x->n, x->k) != bytes)
        fail("another number of bytes", threads);
    memset(space - GUARD, 0xA5, bytes + 2 * GUARD);
    memset(space, 0xFF, bytes);
    memset(x->c, 0, x->nout * sizeof *x->c);
    if (gemm_in(x->m, x->n, x->k, 1, 0, x->a, x->b, x->c, space) != 0)
        fail("gemm_in refuses", threads);
    compare(x->c, x->want, x->nout, "gemm_in", threads);
    for (size_t i = 0; i < GUARD; i++)
        if (all[i] != 0xA5 || space[bytes + i] != 0xA5)
            fail("gemm_in writes beside its workspace", threads);
}

static void kept(const product *x)
{
    omp_set_num_threads(4);
    gemm(x->m, x->n, x->k, 1, 0, x->a, x->b, x->c);
    int before = atomic_load(&taken);
    for (int i = 0; i < TURNS; i++)
        gemm(x->m, x->n, x->k, 1, 0, x->a, x->b, x->c);
    compare(x->c, x->want, x->nout, "gemm", 4);
    if (!before || atomic_load(&taken) != before)
        fail("gemm keeps no memory", 4);
}

static void check(int m, int n, int k, int most)
{
    product x = {m, n, k, (size_t)m * n, filled((size_t)m * k, 1), filled((size_t)k * n, 2),
                 filled((size_t)m * n, 0), NULL};
    x.want = wanted(m, n, k, x.a, x.b);
    size_t bytes = gemm_workspace(m, n, k);
    unsigned char *memory = need(bytes + 2 * GUARD + 1);
    for (int threads = 1; threads <= most; threads++)
        guarded(&x, memory + 1, bytes, threads);
    kept(&x);
    free(x.a), free(x.b), free(x.c), free(x.want), free(memory);
}

int main(void)
{
    /* The first call settles how many threads a workspace is for; later ones may ask for more. */
    int most = omp_get_max_threads() > omp_get_num_procs() ? omp_get_max_threads()
                                                           : omp_get_num_procs();
    most = most < 4 ? 4 : most + 1;
    check(1, 1, 1, most);
    check(67, 531, 131, most);
    check(37, 1061, 259, most);
    printf("openmp: right\n");
    return 0;
}
