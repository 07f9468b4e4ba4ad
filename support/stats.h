/* Statistics of a few measurements. */
#ifndef SQ_SUPPORT_STATS_H
#define SQ_SUPPORT_STATS_H
#include <stddef.h>

/* All take n values in any order and leave them alone; n >= 1. */
double sq_median(const double *x, size_t n);
/* Median absolute deviation from the median, unscaled. */
double sq_mad(const double *x, size_t n);
double sq_mean(const double *x, size_t n);
double sq_variance(const double *x, size_t n); /* of a sample: divided by n-1; 0 for n < 2 */
double sq_minimum(const double *x, size_t n);
double sq_geomean(const double *x, size_t n);
/* Spearman's rank correlation of n pairs: equal values share the mean of their places. 0 where a side does not vary. */
double sq_rank_correlation(const double *x, const double *y, size_t n);

/* A small repeatable generator (xoshiro-free: splitmix64), for seeds and tests. */
typedef struct sq_rng {
    unsigned long long state;
} sq_rng;
unsigned long long sq_rng_next(sq_rng *r);
/* Uniform in [0, n); n >= 1. */
size_t sq_rng_below(sq_rng *r, size_t n);
double sq_rng_unit(sq_rng *r); /* in [0, 1) */
#endif
