/* Paired: tests whether the challenger is faster. Timings on a shared machine have a hard floor and a long tail, so
 * what a process says is the mean of two ratios, that of the minima and the median of those of the pairs. Where a
 * process has its code and memory changes a ratio by more than its timings show, so that several are asked, one after
 * the other: Wald's sequential test of "equal" against "2 % faster" (Sequential Tests of Statistical Hypotheses, 1945).
 * What one of them says counts as if it were at most a deviation off, since a process that was disturbed says
 * anything. */
#include "support/stats.h"
#include "tuner/tune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROCESSES = 20 };
/* Logs of ratios: what a process is off by, and the middle of what the test distinguishes. A process adds at most 1 to
 * the evidence: four that agree suffice to believe that a candidate is faster, two that it is not. With these it judges
 * the recorded timings of tests/unit/pairs.txt as docs/TUNING.md aims at. */
static const double deviation = 0.01, middle = -0.0101, faster = 3.9, equal = -1.95;
static const double hopeless = 1.08; /* a first ratio that ends the test: most candidates are far slower */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sq_paired_ratio(const sq_sample *s)
{
    double pair[SQ_MAX_TIMES];
    int n = s->n < s->nbase ? s->n : s->nbase;
    if (n == 0)
        return 1;
    for (int i = 0; i < n; i++)
        pair[i] = s->times[i] / s->base[i];
    double least = sq_minimum(s->times, (size_t)n) / sq_minimum(s->base, (size_t)n);
    return sqrt(sq_median(pair, (size_t)n) * least);
}

sq_judgement sq_evidence_add(sq_evidence *e, double ratio)
{
    double off = log(ratio) - middle;
    bool same = e->n > 0 && fabs(ratio - e->last) < 1e-9; /* predicted, not timed */
    e->last = ratio;
    e->sum -= fmax(-1, fmin(1, off / deviation));
    e->n++;
    if (same)
        return ratio <= 1 - sq_least_gain ? SQ_FASTER : SQ_NO_FASTER;
    if (e->sum >= faster)
        return SQ_FASTER;
    bool ends = e->sum <= equal || e->n == MOST_PROCESSES || (e->n == 1 && ratio > hopeless);
    return ends ? SQ_NO_FASTER : SQ_UNCLEAR;
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
