/* Narrow sum: a sum of small integers in the narrowest integers that hold it, of which a vector has more:
 *
 *     S0:  Y[i] = (uint8_t)(sum((int32_t)X[i + r], r) / 9)        X of uint8_t, r from 0 to 8
 *     S0:  Y[i] = (uint8_t)((int32_t)sum((uint16_t)X[i + r], r) / 9)
 *
 * The number of terms has to be a constant. What is computed from the sum has its range, and may be narrower, too
 * (ir/kernel/narrow.h). No sum wraps around in either type, so the values are the same. */
#ifndef SQ_TRANSFORMS_NARROW_SUM_H
#define SQ_TRANSFORMS_NARROW_SUM_H
#include "ir/schedule/schedule.h"

typedef struct sq_narrow_sum {
    const sq_stmt *of;
    sq_type type; /* of its sum */
    int64_t most; /* its largest magnitude */
} sq_narrow_sum;

/* Returns a static sentence, continuing the statement's name, why its sum cannot be narrower; NULL, with *x filled, if
 * it can. */
const char *sq_narrow_sum_find(const sq_kernel *k, const sq_stmt *s, sq_narrow_sum *x);
/* Returns k with these sums in their types, not yet ended (sq_rewritten_end); NULL if the dependences are not known. */
sq_kernel *sq_narrow_sum_make(const sq_kernel *k, const sq_narrow_sum *x, int n);
#endif
