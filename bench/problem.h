/* Problem: one shape with its arrays; the lists of shapes that are compared. The arrays hold the
 * same numbers for every contestant, and some elements of what it computed are compared with
 * products summed in double. */
#ifndef SQ_BENCH_PROBLEM_H
#define SQ_BENCH_PROBLEM_H
#include <stdbool.h>
#include <stddef.h>

typedef struct bench_gemm {
    int M, N, K;
    bool ta, tb; /* A is stored K x M, B is stored N x K */
} bench_gemm;

typedef struct bench_conv {
    int C, F, H, W;
    int R; /* filter, square */
    int stride, pad;
    bool depthwise; /* F = C, a filter of its own for every channel */
} bench_conv;

typedef struct bench_problem {
    const char *id;
    const char *group; /* of the summary: "gemm", "gemm transposed", "conv", "depthwise" */
    bool is_conv;
    bench_gemm gemm;
    bench_conv conv;
    float *a, *b, *c;  /* factors and result; image, filters and result */
    size_t na, nb, nc; /* elements */
} bench_problem;

/* The lists, ended by a NULL id. */
extern const bench_problem bench_gemms[], bench_convs[], bench_threaded[];

double bench_problem_flops(const bench_problem *p);
/* Rows and columns of a convolution's result. */
int bench_conv_rows(const bench_conv *c);
int bench_conv_columns(const bench_conv *c);
/* Allocates and fills; -1 if there is no memory. */
int bench_problem_open(bench_problem *p);
void bench_problem_close(bench_problem *p);
/* Fills the result with NaNs, so that what a contestant leaves out is seen. */
void bench_problem_spoil(bench_problem *p);
/* Largest error of some hundred elements of the result, relative to the sum of the absolute values
 * of what was added up; NaN counts as 1. */
double bench_problem_error(const bench_problem *p);
/* How squall is called for it: `samples/gemm.sq --fix=M=512,N=512,K=512`, to `to`. */
void bench_problem_words(const bench_problem *p, char *to, size_t n);
/* Name of the emitted function. */
const char *bench_problem_function(const bench_problem *p);
#endif
