/* Case spec: the text that tells the harness what a kernel's parameters are at given sizes
 * (runtime/case.h has the form). */
#ifndef SQ_TUNER_MEASURE_CASE_SPEC_H
#define SQ_TUNER_MEASURE_CASE_SPEC_H
#include "ir/kernel/kernel.h"
#include "support/text.h"
#include "tuner/measure/extremes.h"
#include "tuner/measure/nonfinite.h"
#include "tuner/measure/reach.h"
#include "tuner/measure/special.h"
#include "tuner/measure/thresholds.h"

/* The value of an affine expression over the sizes; sizes in the order of size[]. */
int64_t sq_size_value(const sq_kernel *k, isl_aff *a /* __isl_keep */, const int64_t *sizes);
/* Bytes of one array. */
double sq_array_bytes(const sq_kernel *k, const sq_array *a, const int64_t *sizes);
/* Bytes of all array parameters. */
double sq_case_bytes(const sq_kernel *k, const int64_t *sizes);
void sq_case_spec(const sq_kernel *k, const int64_t *sizes, unsigned long long seed, sq_text *to);
/* The same where only arrays are positive that have to be (signs.h): terms may cancel, so each element may differ by
 * what it moves by, too. */
void sq_case_spec_signed(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                         sq_text *to);
/* The same with inputs up to that size; see reach.h. */
void sq_case_spec_far(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                      const sq_reach *reach, double largest, sq_text *to);
/* The same with all values of the integers of 8 and 16 bits that are read beside floating numbers; only if it has
 * them, and what is made of them is bounded. */
bool sq_case_has_narrow(const sq_kernel *k, const sq_reach *reach);
void sq_case_spec_narrow(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                         const sq_reach *reach, sq_text *to);
/* The same with inputs that are special in their type; see special.h. */
void sq_case_spec_special(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                          const sq_special *special, sq_text *to);
/* The same with infinities, NaN and zeros among the inputs; see nonfinite.h. With is_bounded, what is finite is
 * compared as well. */
void sq_case_spec_nonfinite(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                            const sq_nonfinite *nonfinite, bool is_bounded, sq_text *to);
/* The same with inputs that equal what they are compared with, or nearly; see thresholds.h. */
void sq_case_spec_thresholds(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                             const sq_thresholds *thresholds, const sq_reach *reach, sq_text *to);
/* The same with all elements of some arrays at one end of their type's range; see extremes.h. */
void sq_case_spec_extreme(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                          const sq_extremes *extremes, sq_text *to);
#endif
