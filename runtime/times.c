/* Times: see times.h. */
#include "runtime/times.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PAIRS = 5, LEAST_SLOW_PAIRS = 4 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *x, int n)
{
    double copy[SQ_MOST_TIMES];
    memcpy(copy, x, (size_t)n * sizeof *x);
    qsort(copy, (size_t)n, sizeof *copy, by_value);
    return n % 2 ? copy[n / 2] : (copy[n / 2 - 1] + copy[n / 2]) / 2;
}

double sq_times_minimum(const sq_times *t)
{
    double least = t->of[0];
    for (int i = 1; i < t->n; i++)
        least = fmin(least, t->of[i]);
    return least;
}

int sq_times_least_pairs(double seconds)
{
    return seconds > 1 ? 1 : seconds > sq_slow_call ? LEAST_SLOW_PAIRS : LEAST_PAIRS;
}

bool sq_times_hopeless(const sq_times *a, const sq_times *b, bool is_wall)
{
    static const double quick[] = {3, 1.4, 1.12, 1.06}, slow[] = {1.2, 0.998, 0.998};
    const double level = 0.997;
    double least = sq_times_minimum(b), best = sq_times_minimum(a) / least;
    double ratio[SQ_MOST_TIMES];
    if (a->n < sq_times_least_pairs(fmin(least, 1)))
        return best > (least > sq_slow_call && !is_wall ? slow : quick)[a->n - 1];
    for (int i = 0; i < a->n; i++)
        ratio[i] = a->of[i] / b->of[i];
    return median(ratio, a->n) > level && best > level;
}
