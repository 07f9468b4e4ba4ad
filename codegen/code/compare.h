/* Compare: what code computes, run by the interpreter, with results that are known. */
#ifndef SQ_CODE_COMPARE_H
#define SQ_CODE_COMPARE_H
#include "codegen/code/interpret.h"

/* Where code runs: memory images of a kernel at one row of sizes each, which stay as they are. */
typedef struct sq_code_inputs {
    int n;
    const sq_image *const *before;
    /* Of each image, by how much results may differ (sq_image_same), since passes may regroup sums;
     * NULL: by nothing. */
    const double *const *bound;
    bool *is_over; /* becomes true where a run took too many statements; or NULL */
} sq_code_inputs;

/* NULL if the code leaves what is expected, an image for each input, in the arrays that a caller gets
 * back, on all inputs and in all orders of the loops that may run in any; else a sentence in the arena:
 * the sizes, and the first element that differs or what is undefined about a run. */
const char *sq_code_departs(const sq_code *x, const sq_code_inputs *in, sq_image *const *expected,
                            sq_arena *arena);
#endif
