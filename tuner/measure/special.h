/* Special: whether a kernel can be compared at inputs that are special in f16 or bf16: the smallest
 * normal number, subnormals, the largest, infinities and NaN, among ordinary ones. */
#ifndef SQ_TUNER_MEASURE_SPECIAL_H
#define SQ_TUNER_MEASURE_SPECIAL_H
#include "tuner/measure/reach.h"

typedef struct sq_special {
    bool is_worth;        /* it reads such a type, and differences have a bound */
    bool takes_no_number; /* infinities and NaN as well: they propagate in the same way in every order */
    int small, large;     /* exponents of two of inputs at both ends of the range */
    int wide;             /* and of some inputs of wider types: beyond the range of f16 */
} sq_special;

/* Only for kernels that multiply, add and take extrema of what they read, each array and scalar in
 * one place, and round to 16 bits at the end: then the sensitivity of results to their inputs gives
 * the magnitude of intermediate values, to which rounding is relative. `reach` is the kernel's. */
sq_special sq_special_of(const sq_kernel *k, const sq_reach *reach);
#endif
