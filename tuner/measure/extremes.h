/* Extremes: arrays whose maximum or minimum a kernel takes in a way that allows all their elements
 * to be near an end of their type's range, or infinite. A maximum that starts from -1e30 is right
 * until all elements are below. */
#ifndef SQ_TUNER_MEASURE_EXTREMES_H
#define SQ_TUNER_MEASURE_EXTREMES_H
#include "ir/kernel/kernel.h"

typedef struct sq_extremes {
    bool is_worth;    /* the kernel has such arrays */
    bool is_moderate; /* sums read them: their elements are large, but not extreme */
    bool *is_extreme; /* per array of the kernel; allocated in its arena */
} sq_extremes;

/* If sums or products read such elements, the result is out of range in some orders of their terms
 * and not in others: then floating-point elements are of the order of 2^20, and integers ordinary.
 * Results of exp and of comparisons on them may be summed. Not under FP_FAST, whose caller promises
 * that no number is infinite. */
sq_extremes sq_extremes_of(const sq_kernel *k);
#endif
