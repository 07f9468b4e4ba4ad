/* Calls kernels of a file for several targets: as its arguments say, see test_targets.sh.
 *
 *   isa NAME         every kernel uses that target, and computes what the loops below do
 *   at-once NAME     the same, first called by 16 threads at the same time
 *   early NAME       the same, first called before main
 *   named            the functions of each target that the processor has, under their own names
 *   loads NAME LIB   LIB, which calls them from its own constructor, loaded and unloaded 200 times */
#define _GNU_SOURCE
#include "kernels.h"
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 37, N = 61, K = 29, THREADS = 16, LOADS = 200 };

typedef struct problem {
    float a[M * K], b[K * N], c[M * N], norm[M * N];
    double want[M * N], want_norm[M * N];
} problem;

static void fail(const char *what)
{
    fprintf(stderr, "wrong: %s\n", what);
    exit(1);
}

static problem *new_problem(unsigned seed)
{
    problem *p = calloc(1, sizeof *p);
    for (int i = 0; i < M * K; i++)
        p->a[i] = (float)((seed = seed * 1103515245u + 12345u) >> 16 & 255) / 64 - 2;
    for (int i = 0; i < K * N; i++)
        p->b[i] = (float)((seed = seed * 1103515245u + 12345u) >> 16 & 255) / 64 - 2;
    for (int i = 0; i < M; i++) {
        double square = 0;
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += (double)p->a[i * K + k] * p->b[k * N + j];
            p->want[i * N + j] = sum;
            square += sum * sum;
        }
        for (int j = 0; j < N; j++)
            p->want_norm[i * N + j] = p->want[i * N + j] / sqrt(square / N + 1e-5);
    }
    return p;
}

static void compare(const float *c, const double *want, const char *what)
{
    for (int i = 0; i < M * N; i++)
        if (!(fabs(c[i] - want[i]) <= 1e-4 * (1 + fabs(want[i]))))
            fail(what);
}

static void call(problem *p)
{
    mul(M, N, K, p->a, p->b, p->c);
    compare(p->c, p->want, "mul");
    norm(M, N, p->c, p->norm);
    compare(p->norm, p->want_norm, "norm");
}

/* A workspace of exactly the bytes that are asked for, with a word behind them. */
static void call_in(problem *p)
{
    memset(p->c, 0, sizeof p->c);
    size_t bytes = mul_workspace(M, N, K);
    char *workspace = malloc(bytes + 8);
    memcpy(workspace + bytes, "guarded", 8);
    if (mul_in(M, N, K, p->a, p->b, p->c, workspace) != 0)
        fail("mul_in");
    compare(p->c, p->want, "mul_in");
    if (memcmp(workspace + bytes, "guarded", 8) != 0)
        fail("mul_in writes behind its workspace");
    if (mul_in(-1, N, K, p->a, p->b, p->c, workspace) != 1)
        fail("mul_in with a negative size");
    if (norm_accepts(INT64_MAX, 1) || !norm_accepts(M, N))
        fail("norm_accepts");
    free(workspace);
}

static void check_names(const char *isa)
{
    if (strcmp(mul_isa(), isa) != 0 || strcmp(norm_isa(), isa) != 0) {
        fprintf(stderr, "mul is %s, norm is %s\n", mul_isa(), norm_isa());
        fail(isa);
    }
}

static void isa(const char *name)
{
    problem *p = new_problem(1);
    call(p);
    call_in(p);
    check_names(name);
    free(p);
}

/* ---- threads ---- */

static pthread_barrier_t start;

static void *one_thread(void *arg)
{
    problem *p = arg;
    pthread_barrier_wait(&start);
    call(p);
    return (void *)(size_t)mul_isa();
}

static void at_once(const char *name)
{
    pthread_t thread[THREADS];
    problem *p[THREADS];
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        p[i] = new_problem((unsigned)i);
        if (pthread_create(&thread[i], NULL, one_thread, p[i]) != 0)
            fail("no thread");
    }
    for (int i = 0; i < THREADS; i++) {
        void *used;
        pthread_join(thread[i], &used);
        if (strcmp(used, name) != 0)
            fail("a thread uses another target");
        free(p[i]);
    }
    pthread_barrier_destroy(&start);
}

/* ---- before main ---- */

static problem *early;

__attribute__((constructor(101))) static void begin(void)
{
    if (!getenv("EARLY"))
        return;
    early = new_problem(7);
    mul(M, N, K, early->a, early->b, early->c);
    norm(M, N, early->c, early->norm);
}

static void before_main(const char *name)
{
    if (!early)
        fail("EARLY is not set");
    compare(early->c, early->want, "mul before main");
    compare(early->norm, early->want_norm, "norm before main");
    check_names(name);
    free(early);
}

/* ---- each by its name ---- */

#ifdef NAMED
typedef void function(int, int, int, const float *, const float *, float *);
typedef int function_in(int, int, int, const float *, const float *, float *, void *);

static void try_named(function *k, function_in *in, size_t bytes, const char *name)
{
    problem *p = new_problem(3);
    k(M, N, K, p->a, p->b, p->c);
    compare(p->c, p->want, name);
    memset(p->c, 0, sizeof p->c);
    void *workspace = malloc(bytes + 1);
    in(M, N, K, p->a, p->b, p->c, workspace);
    compare(p->c, p->want, name);
    free(workspace);
    free(p);
    printf("%s ", name);
}

static void named(void)
{
    try_named(mul_generic, mul_generic_in, mul_generic_workspace(M, N, K), "generic");
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        try_named(mul_avx2, mul_avx2_in, mul_avx2_workspace(M, N, K), "avx2");
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        try_named(mul_avx512, mul_avx512_in, mul_avx512_workspace(M, N, K), "avx512");
#endif
}
#else
static void named(void)
{
    fail("compiled without -DNAMED");
}
#endif

/* ---- a library ---- */

static void loads(const char *name, const char *path)
{
    for (int i = 0; i < LOADS; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            fail("dlopen");
        }
        if (dlsym(library, "mul"))
            fail("mul is visible");
        const char *(*used)(void);
        *(void **)&used = dlsym(library, "library_uses");
        if (!used || strcmp(used(), name) != 0)
            fail("the library uses another target");
        dlclose(library);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *name = argc > 2 ? argv[2] : "";
    if (strcmp(what, "isa") == 0)
        isa(name);
    else if (strcmp(what, "at-once") == 0)
        at_once(name);
    else if (strcmp(what, "early") == 0)
        before_main(name);
    else if (strcmp(what, "named") == 0)
        named();
    else if (strcmp(what, "loads") == 0 && argc > 3)
        loads(name, argv[3]);
    else
        fail("no such scenario");
    printf("%s: right\n", what);
    return 0;
}
