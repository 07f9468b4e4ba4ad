/* What choosing a target costs a call: two functions of one kernel, `single_fill` of a file for one target and
 * `several_fill` of one for several, in turns. The array is empty, so that a call has nothing to hide the cost behind.
 * Prints the nanoseconds of a call of each, and what the second takes more: the median of pairs, whose members are
 * disturbed alike. */
#include "several.h"
#include "single.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 101, CALLS = 200000 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds of a call. */
static double time_of(void (*fill)(int, float *), float *x)
{
    double from = seconds();
    for (int i = 0; i < CALLS; i++)
        fill(0, x);
    return (seconds() - from) / CALLS * 1e9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *of)
{
    qsort(of, ROUNDS, sizeof *of, by_value);
    return of[ROUNDS / 2];
}

int main(void)
{
    static double single[ROUNDS], several[ROUNDS], more[ROUNDS];
    float x = 0;
    several_fill(0, &x); /* the first call chooses */
    for (int i = 0; i < ROUNDS; i++) {
        single[i] = time_of(single_fill, &x);
        several[i] = time_of(several_fill, &x);
        more[i] = several[i] - single[i];
    }
    printf("%-10s one target %.2f ns, several %.2f ns, %.2f ns more\n", several_fill_isa(), median(single),
           median(several), median(more));
    return 0;
}
