/* Inputs: at which numbers a text is compared with the naive nest, beside those of the order of 1. What a kernel
 * computes says which kinds are worth their time; a row of sizes takes those that it has the turn for. */
#ifndef SQ_TUNER_MEASURE_INPUTS_H
#define SQ_TUNER_MEASURE_INPUTS_H
#include "support/diag.h"
#include "tuner/measure/case_spec.h"

/* Rows with a size above this are run twice at least. They are there so that more than 16 bits count the points of some
 * dimension, which may be several of the kernel's that are gone through as one. */
enum { SQ_LONG_SIZE = 4096 };

typedef struct sq_inputs {
    const sq_kernel *k;
    sq_reach reach;
    sq_special special;
    sq_nonfinite nonfinite;
    sq_thresholds thresholds;
    sq_extremes extremes;
    bool is_loose; /* infinities, NaN and the sign of 0 are what the compiler likes */
} sq_inputs;

/* Of k, which must outlive it, for a text built by these words. */
sq_inputs sq_inputs_of(const sq_kernel *k, const char *const *compiler, int nwords);
/* Appends the cases of a row with these sizes, as the harness reads rows (runtime/harness.c). */
void sq_inputs_put(const sq_inputs *in, const int64_t *size, int row, unsigned long long seed, sq_text *to);
#endif
