/* Functions against a wider type of the C library: the errors that docs/CODEGEN.md states, special
 * values, and the same bits from vectors and from single values. f32 runs over all bit patterns,
 * `stride` apart (1: all of them); f64 over random ones, so many of them. */
#include "ulp.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4099 }; /* leaves a remainder with any vector */

#define DECLARE(name)                                                                              \
    void do_##name(int, const real *, real *), one_do_##name(int, const real *, real *)
DECLARE(exp);
DECLARE(exp2);
DECLARE(log);
DECLARE(log2);
DECLARE(tanh);
DECLARE(sigmoid);
DECLARE(erf);
DECLARE(floor);
DECLARE(ceil);
DECLARE(fabs);
DECLARE(sqrt);
DECLARE(rsqrt);

static const struct function {
    const char *name;
    void (*vectors)(int, const real *, real *), (*single)(int, const real *, real *);
    wide (*reference)(wide);
    double most;   /* error in units in the last place */
    double lo, hi; /* where random values lie */
} functions[] = {
    {"exp", do_exp, one_do_exp, W(exp), 0.9, -746, 710},
    {"exp2", do_exp2, one_do_exp2, W(exp2), 1.05, -1077, 1026},
    {"log", do_log, one_do_log, W(log), 0.9, 0, 4},
    {"log2", do_log2, one_do_log2, W(log2), 1.9, 0, 4},
    {"tanh", do_tanh, one_do_tanh, W(tanh), 1.35, -20, 20},
    {"sigmoid", do_sigmoid, one_do_sigmoid, wide_sigmoid, 2, -746, 40},
    {"erf", do_erf, one_do_erf, W(erf), 1.4, -6.2, 6.2},
    {"floor", do_floor, one_do_floor, W(floor), 0, -9, 9},
    {"ceil", do_ceil, one_do_ceil, W(ceil), 0, -9, 9},
    {"fabs", do_fabs, one_do_fabs, W(fabs), 0, -9, 9},
    {"sqrt", do_sqrt, one_do_sqrt, W(sqrt), 0.501, 0, 9},
    {"rsqrt", do_rsqrt, one_do_rsqrt, wide_rsqrt, 1.5, 0, 9},
};

static const real special[] = {0, 1, 2, 0.5, 0.55, 0.625, 1e-30f, 1e30f, 3, 88.7f, 89, 104, 128,
                               149, 150, 127, 126, 709.7f, 710, 745, 746, 1023, 1024, 1074, 4, 6,
                               /* beside the numbers without fractions */
                               0x1p22f + 0.5f, 0x1p23f - 0.5f, 0x1p23f - 1, 0x1p23f, 0x1p24f,
                               (real)(0x1p52 - 0.5), (real)(0x1p51 + 0.5), (real)0x1p52,
                               (real)0x1p53};

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Of four kinds: any bits, the interesting range, tiny ones, near 1. */
static real draw(const struct function *f, uint64_t *state)
{
    uint64_t kind = next(state), bits = next(state);
    double u = (double)(bits >> 11) * 0x1p-53;
    real x;
    switch (kind & 3) {
    case 0:
        memcpy(&x, &bits, sizeof x);
        return x;
    case 1:
        return (real)(f->lo + (f->hi - f->lo) * u);
    case 2:
        return (real)ldexp(kind & 4 ? u : -u, -(int)(kind >> 8 & 31));
    default:
        return (real)(1 + ldexp(u - 0.5, -(int)(kind >> 8 & 31)));
    }
}

/* Block number b of what a function is tried with; how many, 0 at the end. */
static int fill(const struct function *f, long b, unsigned long count, uint64_t *state, real *x)
{
    int n = 0, specials = (int)(sizeof special / sizeof special[0]);
    if (b == 0) {
        for (int i = 0; i < specials; i++) {
            x[n++] = special[i];
            x[n++] = -special[i];
        }
        x[n++] = INFINITY;
        x[n++] = -INFINITY;
        x[n++] = NAN;
        return n;
    }
#ifdef F64
    if ((unsigned long)(b - 1) * BLOCK >= count)
        return 0;
    for (; n < BLOCK; n++)
        x[n] = draw(f, state);
#else
    (void)state;
    (void)f;
    for (uint64_t at = (uint64_t)(b - 1) * BLOCK * count; n < BLOCK && at >> 32 == 0; at += count) {
        uint32_t bits = (uint32_t)at;
        memcpy(&x[n++], &bits, sizeof bits);
    }
#endif
    return n;
}

/* True for what `fp fast` promises not to occur, infinities and NaN, and for 0 in place of a result with few digits. */
static int is_excluded(real x, real y, wide result)
{
#ifdef FAST
    wide least = (wide)(sizeof(real) == 4 ? 0x1p-124 : 0x1p-1020);
    int is_small = result < least && result > -least;
    return !isfinite(x) || !isfinite((real)result) || (is_small && (y == 0 || distance(y, result) < 2));
#else
    (void)x, (void)y, (void)result;
    return 0;
#endif
}

static int try(const struct function *f, unsigned long count)
{
    static real x[BLOCK], y[BLOCK], single[BLOCK];
    uint64_t state = 88172645463325252u;
    double worst = 0;
    real at = 0;
    long apart = 0;
    for (long b = 0, n; (n = fill(f, b, count, &state, x)) > 0; b++) {
        f->vectors((int)n, x, y);
        f->single((int)n, x, single);
        for (int i = 0; i < n; i++) {
            if (is_excluded(x[i], y[i], f->reference(x[i])))
                continue;
            double d = distance(y[i], f->reference(x[i]));
            if (d > worst) {
                worst = d;
                at = x[i];
            }
            apart +=
                !(isnan(y[i]) && isnan(single[i])) && memcmp(&y[i], &single[i], sizeof *y) != 0;
        }
    }
    printf("%-8s %.3f ulp at %a; %ld single values differ\n", f->name, worst, (double)at, apart);
    return worst > f->most || apart > 0;
}

int main(int argc, char **argv)
{
    int bad = 0;
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    (void)draw;
    (void)next;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        bad += try(&functions[i], count);
    return bad > 0;
}
