/* Case spec: writes the text that tells the harness the parameters of a kernel at given sizes
 * (runtime/case.h has the format). */
#ifndef SQ_TUNER_MEASURE_CASE_SPEC_H
#define SQ_TUNER_MEASURE_CASE_SPEC_H
#include "ir/kernel/kernel.h"
#include "support/text.h"
#include "tuner/measure/extremes.h"
#include "tuner/measure/nonfinite.h"
#include "tuner/measure/reach.h"
#include "tuner/measure/special.h"
#include "tuner/measure/thresholds.h"

/* Returns the value of an affine expression over the sizes; sizes in the order of size[]. */
int64_t sq_size_value(const sq_kernel *k, isl_aff *a /* __isl_keep */, const int64_t *sizes);
/* Returns the bytes of one array. */
double sq_array_bytes(const sq_kernel *k, const sq_array *a, const int64_t *sizes);
/* Returns the bytes of all array parameters. */
double sq_case_bytes(const sq_kernel *k, const int64_t *sizes);
void sq_case_spec(const sq_kernel *k, const int64_t *sizes, unsigned long long seed, sq_text *to);
/* Writes the same, with positive values only in arrays that need them (signs.h): terms may cancel,
 * so that the bound of each element grows by its sensitivity to the inputs. */
void sq_case_spec_signed(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                         sq_text *to);
/* Writes the same with inputs up to this magnitude; see reach.h. */
void sq_case_spec_far(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                      const sq_reach *reach, double largest, sq_text *to);
/* Writes the same with all values of the 8-bit and 16-bit integers that are read together with
 * floating-point numbers; only if the kernel has such integers, and results have a bound. */
bool sq_case_has_narrow(const sq_kernel *k, const sq_reach *reach);
void sq_case_spec_narrow(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                         const sq_reach *reach, sq_text *to);
/* Writes the same with inputs that are special in their type; see special.h. */
void sq_case_spec_special(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                          const sq_special *special, sq_text *to);
/* Writes the same with infinities, NaN and zeros among the inputs; see nonfinite.h. With
 * is_bounded, finite elements are compared as well. */
void sq_case_spec_nonfinite(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                            const sq_nonfinite *nonfinite, bool is_bounded, sq_text *to);
/* Writes the same with inputs that equal what they are compared with, or nearly; see
 * thresholds.h. */
void sq_case_spec_thresholds(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                             const sq_thresholds *thresholds, const sq_reach *reach, sq_text *to);
/* Writes the same with all elements of some arrays near one end of their type's range; see
 * extremes.h. */
void sq_case_spec_extreme(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                          const sq_extremes *extremes, sq_text *to);
#endif
