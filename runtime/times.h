/* Times: of a candidate's calls and, interleaved with them, of the incumbent's; when they say enough. libc only. */
#ifndef SQ_RUNTIME_TIMES_H
#define SQ_RUNTIME_TIMES_H
#include <stdbool.h>

enum { SQ_MOST_TIMES = 64 };

typedef struct sq_times {
    int n;
    double of[SQ_MOST_TIMES]; /* seconds of one call each */
} sq_times;

/* Seconds of a call from which on pairs cost much and preemption weighs little. */
static const double sq_slow_call = 0.02;

double sq_times_minimum(const sq_times *t);
/* How many pairs a comparison takes at least, of calls that take so long. */
int sq_times_least_pairs(double seconds);
/* True if more pairs would be wasted time. At first only where the candidate is slower by far: the
 * fewer pairs, the larger the difference must be. From sq_times_least_pairs on, where it does not look faster:
 * a candidate that is not faster is of no use, and by how much it is slower does not matter. Minima
 * are compared, because one preempted batch in ten says nothing about the code. */
bool sq_times_hopeless(const sq_times *a, const sq_times *b, bool is_wall);
#endif
