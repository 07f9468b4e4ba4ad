/* Special: whether a kernel may be compared at inputs that are special in f16 or bf16: the smallest
 * normal number, those below it, the largest, infinities and NaN, beside ordinary ones. */
#ifndef SQ_TUNER_MEASURE_SPECIAL_H
#define SQ_TUNER_MEASURE_SPECIAL_H
#include "tuner/measure/reach.h"

typedef struct sq_special {
    bool is_worth;        /* it reads such a type, and a bound on differences can be given */
    bool takes_no_number; /* infinities and NaN, too: they reach what they reach in every order */
    int small, large;     /* exponents of two of inputs at either end of the range */
    int wide;             /* and of some inputs of wider types: beyond the range of f16 */
} sq_special;

/* Only of kernels that multiply, add and take the larger or smaller of what they read, each array
 * and scalar in one place, and round to 16 bits last: then how far results move with their inputs
 * says how large all was on the way, and rounding is relative to that. `reach` is the kernel's. */
sq_special sq_special_of(const sq_kernel *k, const sq_reach *reach);
#endif
