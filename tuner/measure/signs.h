/* Signs: which arrays have to be positive, so that what is computed of them is defined, and does not grow without
 * bound: those from which it follows what something is divided by, or what is rooted or the like. */
#ifndef SQ_TUNER_MEASURE_SIGNS_H
#define SQ_TUNER_MEASURE_SIGNS_H
#include "ir/kernel/kernel.h"

typedef struct sq_signs {
    bool *is_positive; /* each array of the kernel; of its arena */
    bool any;       /* array or scalar */
    bool subtracts; /* on the way from them to there, so that equal elements give 0 */
} sq_signs;

sq_signs sq_signs_of(const sq_kernel *k);
#endif
