/* Times: timings of a candidate's calls, interleaved with those of the incumbent, and when they
 * suffice. libc only. */
#ifndef SQ_RUNTIME_TIMES_H
#define SQ_RUNTIME_TIMES_H
#include <stdbool.h>

enum { SQ_MOST_TIMES = 64 };

typedef struct sq_times {
    int n;
    double of[SQ_MOST_TIMES]; /* seconds of one call each */
} sq_times;

/* Seconds per call from which on pairs are expensive and preemption matters little. */
static const double sq_slow_call = 0.02;

double sq_times_minimum(const sq_times *t);
/* Returns the minimum number of pairs of a comparison, for calls of this duration. */
int sq_times_least_pairs(double seconds);
/* True if more pairs would be wasted time. At first only if the candidate is much slower: the fewer
 * pairs, the larger the difference must be. From sq_times_least_pairs on, if it does not look
 * faster: how much slower it is does not matter. Minima are compared, because one preempted batch
 * in ten is no property of the code. */
bool sq_times_hopeless(const sq_times *a, const sq_times *b, bool is_wall);
#endif
