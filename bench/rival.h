/* Rivals: the libraries we compare with. One row each; a library that is not there says so and
 * takes no part. BLAS libraries are opened with names of their own (RTLD_LOCAL, RTLD_DEEPBIND),
 * because several export the same symbols. */
#ifndef SQ_BENCH_RIVAL_H
#define SQ_BENCH_RIVAL_H
#include "bench/problem.h"
#include <stddef.h>

typedef struct bench_rival {
    const char *name;
    /* Makes it ready; NULL, or why it takes no part. *version: what it says of itself. */
    const char *(*open)(char *version, size_t n);
    /* C = A B, row major, transposed as the problem says; NULL if it has none. */
    void (*gemm)(void *problem);
    /* Makes a convolution ready; what it returns goes to conv. NULL if it cannot. */
    void *(*conv_open)(const bench_problem *p);
    void (*conv)(void *state);
    void (*conv_close)(void *state);
    void (*threads)(int n);
} bench_rival;

extern const bench_rival *const bench_rivals[]; /* ended by NULL */

extern const bench_rival bench_openblas, bench_blis, bench_dnnl, bench_dnnl_any;
#endif
