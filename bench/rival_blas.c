/* OpenBLAS and BLIS through CBLAS. Both choose kernels by the processor's name and know few new
 * ones, so they are told the best their instruction sets allow, and asked whether they obeyed. */
#include "bench/rival.h"
#include "ir/machine/machine.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of cblas.h, whose copies differ between the libraries only in spelling. */
enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };
typedef void sgemm_function(int order, int ta, int tb, int m, int n, int k, float alpha,
                            const float *a, int lda, const float *b, int ldb, float beta, float *c,
                            int ldc);
typedef void threads_function(int n);

static sgemm_function *openblas_sgemm, *blis_sgemm;
static threads_function *openblas_threads;
static void (*blis_threads)(long n);

static void call(sgemm_function *sgemm, const bench_problem *p)
{
    const bench_gemm *g = &p->gemm;
    sgemm(ROW_MAJOR, g->ta ? TRANSPOSED : PLAIN, g->tb ? TRANSPOSED : PLAIN, g->M, g->N, g->K, 1,
          p->a, g->ta ? g->M : g->K, p->b, g->tb ? g->K : g->N, 0, p->c, g->N);
}

static void *library(const char *path)
{
    return path && path[0] ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
}

#ifndef BENCH_OPENBLAS
#define BENCH_OPENBLAS ""
#endif
#ifndef BENCH_BLIS
#define BENCH_BLIS ""
#endif

/* What each calls the best kernels for an instruction set. */
static const struct names {
    const char *isa, *openblas, *blis;
} names[] = {
    {"avx512", "SkylakeX", "skx"},
    {"avx2", "Haswell", "haswell"},
    {NULL, NULL, NULL},
};

static const struct names *best(void)
{
    const struct names *n = names;
    while (n->isa && strcmp(n->isa, sq_machine_host_isa()) != 0)
        n++;
    return n;
}

static const char *openblas_open(char *version, size_t n)
{
    if (best()->openblas)
        setenv("OPENBLAS_CORETYPE", best()->openblas, 1);
    void *lib = library(BENCH_OPENBLAS);
    if (!lib)
        return "not found (libopenblas-dev)";
    openblas_sgemm = (sgemm_function *)dlsym(lib, "cblas_sgemm");
    openblas_threads = (threads_function *)dlsym(lib, "openblas_set_num_threads");
    char *(*core)(void) = (char *(*)(void))dlsym(lib, "openblas_get_corename");
    char *(*config)(void) = (char *(*)(void))dlsym(lib, "openblas_get_config");
    if (!openblas_sgemm || !core || !config)
        return "has no CBLAS";
    snprintf(version, n, "%.15s, kernels %s", config(), core());
    if (best()->openblas && strcasecmp(core(), best()->openblas) != 0)
        return "did not take the kernels it was told to";
    return NULL;
}

/* BLIS is told by number, and numbers differ between versions: found by name. */
static void choose_blis(void *lib, const char *name)
{
    char *(*text)(int id) = (char *(*)(int))dlsym(lib, "bli_arch_string");
    enum { IDS = 20 };
    for (int id = 0; text && name && id < IDS; id++) {
        const char *is = text(id);
        if (!is || strcmp(is, "generic") == 0)
            return;
        if (strcmp(is, name) == 0) {
            char number[8];
            snprintf(number, sizeof number, "%d", id);
            setenv("BLIS_ARCH_TYPE", number, 1);
            return;
        }
    }
}

static const char *blis_open(char *version, size_t n)
{
    void *lib = library(BENCH_BLIS);
    if (!lib)
        return "not found (libblis-dev)";
    choose_blis(lib, best()->blis);
    void (*init)(void) = (void (*)(void))dlsym(lib, "bli_init");
    if (init)
        init(); /* without it a given architecture counts as unknown, and that aborts */
    blis_sgemm = (sgemm_function *)dlsym(lib, "cblas_sgemm");
    blis_threads = (void (*)(long))dlsym(lib, "bli_thread_set_num_threads");
    char *(*about)(void) = (char *(*)(void))dlsym(lib, "bli_info_get_version_str");
    int (*id)(void) = (int (*)(void))dlsym(lib, "bli_arch_query_id");
    char *(*text)(int) = (char *(*)(int))dlsym(lib, "bli_arch_string");
    if (!blis_sgemm || !about || !id || !text)
        return "has no CBLAS";
    snprintf(version, n, "BLIS %s, kernels %s", about(), text(id()));
    if (best()->blis && strcmp(text(id()), best()->blis) != 0)
        return "did not take the kernels it was told to";
    return NULL;
}

static void openblas_call(void *p)
{
    call(openblas_sgemm, p);
}

static void blis_call(void *p)
{
    call(blis_sgemm, p);
}

static void set_openblas_threads(int n)
{
    openblas_threads(n);
}

static void set_blis_threads(int n)
{
    blis_threads(n);
}

const bench_rival bench_openblas = {"OpenBLAS", openblas_open, openblas_call,       NULL,
                                    NULL,       NULL,          set_openblas_threads};
const bench_rival bench_blis = {"BLIS", blis_open, blis_call, NULL, NULL, NULL, set_blis_threads};
