/* Paired: tests whether the challenger is faster. Timings on a shared machine have a hard floor and
 * a long tail, so the ratio of minima and the median of pair ratios are both computed, and both
 * must show the effect; Welch's test runs on what is left after the slowest quarter of each side is
 * dropped, since a preempted batch says nothing about the code. Where even so the incumbent's own
 * spread hides a large effect, ranks decide: all of the challenger's timings below all of the
 * other's are chance once in 70 times for four pairs, once in 252 for five. Long calls are timed
 * less often: in processor time they vary little. */
#include "support/stats.h"
#include "tuner/tune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As many as the harness times at least (min_pairs in runtime/harness.c). */
enum { LEAST_PAIRS = 5, LEAST_SLOW_PAIRS = 4 };
static const double slow_call = 0.02, very_slow_call = 1, alpha = 0.05;
static const double plain_effect = 0.05; /* what a single very slow call must show */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A sorted copy without the slowest quarter; returns its length. */
static size_t trim(const double *x, int n, double *to)
{
    memcpy(to, x, (size_t)n * sizeof *x);
    qsort(to, (size_t)n, sizeof *to, ascending);
    return (size_t)(n - n / 4);
}

/* No timing of the challenger is as long as any of the incumbent's. */
static bool is_apart(const sq_sample *s, int n)
{
    double longest = s->times[0];
    for (int i = 1; i < n; i++)
        longest = fmax(longest, s->times[i]);
    return longest < sq_minimum(s->base, (size_t)n);
}

static bool is_significant(const sq_sample *s, int n, double middle, double least)
{
    double a[SQ_MAX_TIMES], b[SQ_MAX_TIMES], worst = middle > least ? middle : least;
    double call = sq_minimum(s->base, (size_t)n);
    if (n < LEAST_SLOW_PAIRS)
        return call > very_slow_call && worst <= 1 - plain_effect;
    if (n < LEAST_PAIRS && call <= slow_call)
        return false;
    size_t na = trim(s->times, n, a), nb = trim(s->base, n, b);
    return is_apart(s, n) || sq_welch_less(a, na, b, nb) <= alpha;
}

sq_paired sq_paired_judge(const sq_sample *s, double min_effect)
{
    double pair[SQ_MAX_TIMES];
    int n = s->n < s->nbase ? s->n : s->nbase;
    if (n == 0)
        return (sq_paired){.ratio = 1};
    for (int i = 0; i < n; i++)
        pair[i] = s->times[i] / s->base[i];
    double middle = sq_median(pair, (size_t)n);
    double least = sq_minimum(s->times, (size_t)n) / sq_minimum(s->base, (size_t)n);
    bool agree = middle <= 1 - min_effect && least <= 1 - min_effect;
    return (sq_paired){.ratio = sqrt(middle * least),
                       .faster = agree && is_significant(s, n, middle, least)};
}

static const double confirm_effect = 0.003;

bool sq_paired_seems_faster(const sq_sample *s)
{
    return sq_paired_judge(s, sq_least_gain).faster;
}

bool sq_paired_is_confirmed(const sq_sample *s)
{
    return sq_paired_judge(s, 0).ratio < 1 - confirm_effect;
}

double sq_median_interval(const double *x, int n, double *low, double *high)
{
    double sorted[SQ_MAX_TIMES];
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    int by = (int)ceil(0.98 * sqrt(n)); /* 1.96 standard deviations of a binomial of 1/2 */
    int lo = (n - 1) / 2 - by + 1, hi = n / 2 + by - 1;
    *low = sorted[lo < 0 ? 0 : lo];
    *high = sorted[hi >= n ? n - 1 : hi];
    return sq_median(x, (size_t)n);
}
