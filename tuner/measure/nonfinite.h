/* Nonfinite: whether a kernel may be compared at inputs that are infinities, NaN and zeros of either
 * sign, beside ordinary ones. */
#ifndef SQ_TUNER_MEASURE_NONFINITE_H
#define SQ_TUNER_MEASURE_NONFINITE_H
#include "ir/kernel/kernel.h"

typedef struct sq_nonfinite {
    bool is_worth;  /* results are infinite or NaN where the naive nest's are */
    bool has_signs; /* and zeros have the sign of the naive nest's */
} sq_nonfinite;

/* Not under FP_FAST, whose caller promises that there are none, and not of casts to integers, which
 * would have to fit. Extrema, and updates in C loops, have an order that counts: FP_STRICT keeps it.
 * Elsewhere a sum is infinite or NaN in every order, but may have another sign where it is 0. */
sq_nonfinite sq_nonfinite_of(const sq_kernel *k);
#endif
