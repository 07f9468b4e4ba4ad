/* Problem: the shapes (squares, and the products and convolutions of ResNet-50 at batch 1), memory,
 * and the check. */
#include "bench/problem.h"
#include "support/stats.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
#define GEMM(name, m, n, k, ta, tb)                                                                \
    {.id = name, .group = ta || tb ? "gemm transposed" : "gemm", .gemm = {m, n, k, ta, tb}}
#define CONV(name, c, f, hw, r, s, p, dw)                                                          \
    {.id = name, .group = dw ? "depthwise" : "conv", .is_conv = true,                              \
     .conv = {c, f, hw, hw, r, s, p, dw}}

const bench_problem bench_gemms[] = {
    GEMM("gemm-64", 64, 64, 64, 0, 0),
    GEMM("gemm-128", 128, 128, 128, 0, 0),
    GEMM("gemm-256", 256, 256, 256, 0, 0),
    GEMM("gemm-512", 512, 512, 512, 0, 0),
    GEMM("gemm-1024", 1024, 1024, 1024, 0, 0),
    GEMM("gemm-2048", 2048, 2048, 2048, 0, 0),
    GEMM("gemm-196x256x2304", 196, 256, 2304, 0, 0),
    GEMM("gemm-3136x64x576", 3136, 64, 576, 0, 0),
    GEMM("gemm-49x512x4608", 49, 512, 4608, 0, 0),
    GEMM("gemm-nt-512", 512, 512, 512, 0, 1),
    GEMM("gemm-tn-512", 512, 512, 512, 1, 0),
    GEMM("gemm-tt-512", 512, 512, 512, 1, 1),
    {.id = NULL}};

const bench_problem bench_threaded[] = {
    GEMM("gemm-1024", 1024, 1024, 1024, 0, 0),
    {.id = NULL}};

const bench_problem bench_convs[] = {
    CONV("conv-64-56-3x3", 64, 64, 56, 3, 1, 1, 0),
    CONV("conv-128-28-3x3", 128, 128, 28, 3, 1, 1, 0),
    CONV("conv-256-14-3x3", 256, 256, 14, 3, 1, 1, 0),
    CONV("conv-512-7-3x3", 512, 512, 7, 3, 1, 1, 0),
    CONV("conv-3-224-7x7-s2", 3, 64, 224, 7, 2, 3, 0),
    CONV("conv-64-256-56-1x1", 64, 256, 56, 1, 1, 0, 0),
    CONV("conv-256-512-56-1x1-s2", 256, 512, 56, 1, 2, 0, 0),
    CONV("dw-144-56-3x3", 144, 144, 56, 3, 1, 1, 1),
    {.id = NULL}};
/* clang-format on */

static int outputs(int in, const bench_conv *c)
{
    return (in + 2 * c->pad - c->R) / c->stride + 1;
}

int bench_conv_rows(const bench_conv *c)
{
    return outputs(c->H, c);
}

int bench_conv_columns(const bench_conv *c)
{
    return outputs(c->W, c);
}

static int filter_channels(const bench_conv *c)
{
    return c->depthwise ? 1 : c->C;
}

double bench_problem_flops(const bench_problem *p)
{
    const bench_gemm *g = &p->gemm;
    const bench_conv *c = &p->conv;
    if (!p->is_conv)
        return 2.0 * g->M * g->N * g->K;
    return 2.0 * c->F * filter_channels(c) * c->R * c->R * bench_conv_rows(c) *
           bench_conv_columns(c);
}

static void sizes(bench_problem *p)
{
    const bench_gemm *g = &p->gemm;
    const bench_conv *c = &p->conv;
    if (p->is_conv) {
        p->na = (size_t)c->C * (size_t)c->H * (size_t)c->W;
        p->nb = (size_t)c->F * (size_t)filter_channels(c) * (size_t)(c->R * c->R);
        p->nc = (size_t)c->F * (size_t)(bench_conv_rows(c) * bench_conv_columns(c));
    } else {
        p->na = (size_t)g->M * (size_t)g->K;
        p->nb = (size_t)g->K * (size_t)g->N;
        p->nc = (size_t)g->M * (size_t)g->N;
    }
}

/* A line of the cache more than a page apart, so that the arrays do not share cache sets. */
static float *array(size_t n)
{
    size_t bytes = (n * sizeof(float) + 4095) / 4096 * 4096;
    return aligned_alloc(4096, bytes);
}

static void fill(float *x, size_t n, sq_rng *r)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(sq_rng_unit(r) - 0.5);
}

int bench_problem_open(bench_problem *p)
{
    sq_rng r = {1};
    sizes(p);
    p->a = array(p->na);
    p->b = array(p->nb);
    p->c = array(p->nc);
    if (!p->a || !p->b || !p->c)
        return -1;
    fill(p->a, p->na, &r);
    fill(p->b, p->nb, &r);
    return 0;
}

void bench_problem_close(bench_problem *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
    p->a = p->b = p->c = NULL;
}

void bench_problem_spoil(bench_problem *p)
{
    for (size_t i = 0; i < p->nc; i++)
        p->c[i] = NAN;
}

/* One element, and the sum of the absolute values of its terms. */
static double element(const bench_problem *p, size_t at, double *size)
{
    const bench_gemm *g = &p->gemm;
    size_t i = at / (size_t)g->N, j = at % (size_t)g->N;
    size_t M = (size_t)g->M, N = (size_t)g->N, K = (size_t)g->K;
    double sum = 0;
    for (size_t k = 0; k < K; k++) {
        double term = (double)p->a[g->ta ? k * M + i : i * K + k] *
                      (double)p->b[g->tb ? j * K + k : k * N + j];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

static double tap(const bench_problem *p, int f, int y, int x, int c, int t)
{
    const bench_conv *v = &p->conv;
    int r = t / v->R, s = t % v->R, channels = filter_channels(v);
    int row = y * v->stride + r - v->pad, column = x * v->stride + s - v->pad;
    if (row < 0 || row >= v->H || column < 0 || column >= v->W)
        return 0;
    int image = v->depthwise ? f : c;
    return (double)
               p->a[((size_t)image * (size_t)v->H + (size_t)row) * (size_t)v->W + (size_t)column] *
           (double)
               p->b[((size_t)f * (size_t)channels + (size_t)c) * (size_t)(v->R * v->R) + (size_t)t];
}

static double pixel(const bench_problem *p, size_t at, double *size)
{
    const bench_conv *v = &p->conv;
    size_t columns = (size_t)bench_conv_columns(v), plane = columns * (size_t)bench_conv_rows(v);
    int f = (int)(at / plane), y = (int)(at % plane / columns), x = (int)(at % columns);
    double sum = 0;
    for (int c = 0; c < filter_channels(v); c++)
        for (int t = 0; t < v->R * v->R; t++) {
            double term = tap(p, f, y, x, c, t);
            sum += term;
            *size += fabs(term);
        }
    return sum;
}

double bench_problem_error(const bench_problem *p)
{
    enum { SAMPLES = 400 };
    sq_rng r = {7};
    double worst = 0;
    for (int n = 0; n < SAMPLES; n++) {
        /* The corners first: edges go wrong before anything else does. */
        size_t at = n == 0 ? 0 : n == 1 ? p->nc - 1 : sq_rng_below(&r, p->nc);
        double size = 1e-30;
        double want = p->is_conv ? pixel(p, at, &size) : element(p, at, &size);
        double error = fabs((double)p->c[at] - want) / size;
        if (!(error <= 1))
            error = 1;
        worst = error > worst ? error : worst;
    }
    return worst;
}

const char *bench_problem_function(const bench_problem *p)
{
    static const char *const gemms[] = {"gemm", "gemm_nt", "gemm_tn", "gemm_tt"};
    if (p->is_conv)
        return p->conv.depthwise ? "dwconv" : "conv2d";
    return gemms[2 * p->gemm.ta + p->gemm.tb];
}

void bench_problem_words(const bench_problem *p, char *to, size_t n)
{
    const bench_conv *c = &p->conv;
    const char *f = bench_problem_function(p);
    if (!p->is_conv)
        snprintf(to, n, "samples/%s.sq --fix=M=%d,N=%d,K=%d", f, p->gemm.M, p->gemm.N, p->gemm.K);
    else if (c->depthwise)
        snprintf(to, n, "samples/%s.sq --fix=N=1,C=%d,H=%d,W=%d -DR=%d -DST=%d -DP=%d", f, c->C,
                 c->H, c->W, c->R, c->stride, c->pad);
    else
        snprintf(to, n,
                 "samples/%s.sq --fix=N=1,C=%d,F=%d,H=%d,W=%d -DR=%d -DS=%d -DSH=%d -DSW=%d "
                 "-DPH=%d -DPW=%d",
                 f, c->C, c->F, c->H, c->W, c->R, c->R, c->stride, c->stride, c->pad, c->pad);
}
