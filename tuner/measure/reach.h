/* Reach: whether the inputs of a kernel may exceed the order of 1, so that functions are tested
 * where they saturate or switch formulas, values where they exceed the constants that they are
 * compared with or clamped to, and conversions where numbers are small. Only if differences still
 * have a bound. */
#ifndef SQ_TUNER_MEASURE_REACH_H
#define SQ_TUNER_MEASURE_REACH_H
#include "ir/kernel/kernel.h"

typedef struct sq_reach {
    /* differences have no bound, even near 1: divisors or arguments of roots may be near 0 */
    bool is_open;
    bool is_worth;   /* larger inputs test something: the kernel distinguishes magnitudes */
    bool has_bounds; /* computed values are compared with constants, or clamped to them */
    bool fits;       /* integers made of floating-point numbers can represent them for all inputs */
    bool is_positive; /* divisors, arguments of roots and the like are defined for positive inputs only */
    int degree;       /* results are at most of the order of the largest input to this power */
    /* largest absolute value of inputs: no value is infinite in one type and finite in a wider one,
     * except what is stored or a divisor */
    double largest;
} sq_reach;

/* Functions, extrema, and 16-bit elements make it useful. Not for recurrences, casts to integers,
 * products of unknown length, powers, and FP_FAST, whose caller promises that nothing overflows. */
sq_reach sq_reach_of(const sq_kernel *k);
#endif
