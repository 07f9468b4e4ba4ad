/* Signs: arrays that must be positive so that results are defined and do not grow without bound:
 * those that flow into divisors, roots and the like. */
#ifndef SQ_TUNER_MEASURE_SIGNS_H
#define SQ_TUNER_MEASURE_SIGNS_H
#include "ir/kernel/kernel.h"

typedef struct sq_signs {
    bool *is_positive; /* per array of the kernel; allocated in its arena */
    bool any;       /* some array or scalar is */
    bool subtracts; /* differences occur on the way from them, so that equal elements give 0 */
} sq_signs;

sq_signs sq_signs_of(const sq_kernel *k);
#endif
