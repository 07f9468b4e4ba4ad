/* Statistics of a few measurements (tens of values): robust location and spread, and Welch's test
 * that the tuner's descent decides with. Own code because the usual library's licence would decide
 * ours. tests/unit/test_support_stats.c holds values computed another way. */
#include "support/stats.h"
#include "support/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts x in place; the middle value or the mean of the two. */
static double median_of(double *x, size_t n)
{
    qsort(x, n, sizeof *x, by_value);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Median of |x - from|; a copy of a few dozen values lives on the stack. */
static double median_distance(const double *x, size_t n, double from, int distance)
{
    double few[128];
    double *copy = n <= 128 ? few : malloc(n * sizeof *copy);
    if (!copy)
        return NAN;
    for (size_t i = 0; i < n; i++)
        copy[i] = distance ? fabs(x[i] - from) : x[i];
    double m = median_of(copy, n);
    if (copy != few)
        free(copy);
    return m;
}

double sq_median(const double *x, size_t n)
{
    return median_distance(x, n, 0, 0);
}

double sq_mad(const double *x, size_t n)
{
    return median_distance(x, n, sq_median(x, n), 1);
}

double sq_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

double sq_variance(const double *x, size_t n)
{
    if (n < 2)
        return 0;
    double mean = sq_mean(x, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)(n - 1);
}

double sq_minimum(const double *x, size_t n)
{
    double m = x[0];
    for (size_t i = 1; i < n; i++)
        m = x[i] < m ? x[i] : m;
    return m;
}

double sq_geomean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += log(x[i]);
    return exp(sum / (double)n);
}

unsigned long long sq_rng_next(sq_rng *r)
{
    unsigned long long z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

size_t sq_rng_below(sq_rng *r, size_t n)
{
    unsigned long long limit = -(unsigned long long)n % n; /* 2^64 mod n: would favour small ones */
    unsigned long long x;
    do
        x = sq_rng_next(r);
    while (x < limit);
    return (size_t)(x % n);
}

double sq_rng_unit(sq_rng *r)
{
    return (double)(sq_rng_next(r) >> 11) * 0x1p-53;
}

/* ---- ranks ---- */

typedef struct place {
    double value;
    size_t at;
} place;

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->at > y->at) - (x->at < y->at);
}

/* The place of each value, from 0; equal ones have the mean of theirs. */
static void put_ranks(const double *value, size_t n, place *order, double *to)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (place){value[i], i};
    qsort(order, n, sizeof *order, by_place);
    for (size_t from = 0, end; from < n; from = end) {
        for (end = from + 1; end < n && order[end].value == order[from].value;)
            end++;
        for (size_t i = from; i < end; i++)
            to[order[i].at] = (double)(from + end - 1) / 2;
    }
}

/* Pearson's. */
static double correlation(const double *x, const double *y, size_t n)
{
    double mx = sq_mean(x, n), my = sq_mean(y, n), xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

double sq_rank_correlation(const double *x, const double *y, size_t n)
{
    if (n < 2)
        return 0;
    place *order = sq_allocated(malloc(n * sizeof *order));
    double *rank = sq_allocated(malloc(2 * n * sizeof *rank));
    put_ranks(x, n, order, rank);
    put_ranks(y, n, order, rank + n);
    double r = correlation(rank, rank + n, n);
    free(order);
    free(rank);
    return r;
}
