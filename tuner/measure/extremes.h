/* Extremes: which arrays a kernel takes the maximum or the minimum of in a way that lets all their elements be near an
 * end of their type's range, or infinite. A maximum that starts from -1e30 is right until all elements are below. */
#ifndef SQ_TUNER_MEASURE_EXTREMES_H
#define SQ_TUNER_MEASURE_EXTREMES_H
#include "ir/kernel/kernel.h"

typedef struct sq_extremes {
    bool is_worth;    /* there are such arrays */
    bool is_moderate; /* sums read them: their elements are large, and no more */
    bool *is_extreme; /* each array of the kernel; of its arena */
} sq_extremes;

/* Where sums or products read such elements, these are out of range in one order of their terms and not in another:
 * floating ones are of the order of 2^20 then, integers ordinary. What exp makes of them, and whether they are equal
 * or less, may be summed. Not under FP_FAST, whose caller promises
 * that no number is infinite. */
sq_extremes sq_extremes_of(const sq_kernel *k);
#endif
