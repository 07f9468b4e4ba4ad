/* Nonfinite: whether a kernel can be compared at inputs among which are infinities, NaN and zeros
 * of both signs. */
#ifndef SQ_TUNER_MEASURE_NONFINITE_H
#define SQ_TUNER_MEASURE_NONFINITE_H
#include "ir/kernel/kernel.h"

typedef struct sq_nonfinite {
    bool is_worth;  /* results must be infinite or NaN where the naive nest's are */
    bool has_signs; /* zeros must have the sign of the naive nest's */
} sq_nonfinite;

/* Not under FP_FAST, whose caller promises that there are none, and not with casts to integers,
 * whose operands would have to fit. Extrema, and updates in C loops, depend on the order of
 * evaluation, which FP_STRICT preserves. Otherwise a sum is infinite or NaN in every order, but a
 * zero may have either sign. */
sq_nonfinite sq_nonfinite_of(const sq_kernel *k);
#endif
