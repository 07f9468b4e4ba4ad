/* Reach: whether the inputs of a kernel may be larger than those of the order of 1 that it is
 * compared at, so that functions are tested where they saturate and where they change from one
 * formula to another, values where they exceed the constants they are compared with or bounded by, and conversions
 * where numbers are small. Only where a bound on differences
 * can still be given. */
#ifndef SQ_TUNER_MEASURE_REACH_H
#define SQ_TUNER_MEASURE_REACH_H
#include "ir/kernel/kernel.h"

typedef struct sq_reach {
    bool is_open;    /* no bound follows, even near 1: what is divided by or rooted may be near 0 */
    bool is_worth;   /* and it distinguishes numbers of different sizes */
    bool has_bounds; /* what is computed is compared with constants, or bounded by them */
    bool fits;       /* integers that are made of floating numbers hold them at any input */
    bool is_positive; /* only positive inputs keep what is divided by, rooted or the like defined */
    int degree;       /* results are at most of the order of the largest input to this power */
    double largest;   /* input that may be taken, in absolute value: nothing but what is stored, or
                         divided by, is infinite in one type and not in a wider one */
} sq_reach;

/* Functions, extrema, and elements of 16 bits make it worth. Not worth are recurrences, what is cast
 * to integers, products of unknown length, powers, and FP_FAST, whose caller promises that nothing
 * overflows. */
sq_reach sq_reach_of(const sq_kernel *k);
#endif
