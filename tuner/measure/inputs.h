/* Inputs: the kinds of inputs with which a text is compared with the naive nest, besides inputs of
 * the order of 1. The kernel determines which kinds are useful; each row of sizes takes some of
 * them in turn. */
#ifndef SQ_TUNER_MEASURE_INPUTS_H
#define SQ_TUNER_MEASURE_INPUTS_H
#include "support/diag.h"
#include "tuner/measure/case_spec.h"

/* Rows with a size above this are run at least twice. They exist so that the number of points of
 * some dimension exceeds 16 bits, where one dimension may be several merged ones of the kernel. */
enum { SQ_LONG_SIZE = 4096 };

typedef struct sq_inputs {
    const sq_kernel *k;
    sq_reach reach;
    sq_special special;
    sq_nonfinite nonfinite;
    sq_thresholds thresholds;
    sq_extremes extremes;
    bool is_loose; /* the compiler's flags permit wrong infinities, NaN and signs of 0 */
} sq_inputs;

/* Returns the kinds for k, which must outlive the result, and a text built by this command. */
sq_inputs sq_inputs_of(const sq_kernel *k, const char *const *compiler, int nwords);
/* Appends the cases of a row with these sizes, in the format of the harness (runtime/harness.c). */
void sq_inputs_put(const sq_inputs *in, const int64_t *size, int row, unsigned long long seed, sq_text *to);
#endif
