/* Compare: runs code in the interpreter and compares the results with known ones. */
#ifndef SQ_CODE_COMPARE_H
#define SQ_CODE_COMPARE_H
#include "codegen/code/interpret.h"

/* The inputs of the runs: memory images of a kernel, one for each vector of sizes. Runs do not
 * change them. */
typedef struct sq_code_inputs {
    int n;
    const sq_image *const *before;
    /* Per image, the differences allowed between results (sq_image_same), since passes may
     * reassociate sums; NULL: none. */
    const double *const *bound;
    bool *is_over; /* set to true where a run executed too many statements; or NULL */
} sq_code_inputs;

/* Returns NULL if the code leaves the expected values in the arrays that the caller gets back, for
 * all inputs and all orders of loops that may run in any order. `expected` has an image for each
 * input. Otherwise returns a sentence in the arena: the sizes, and the first element that differs
 * or the undefined operation. */
const char *sq_code_departs(const sq_code *x, const sq_code_inputs *in, sq_image *const *expected,
                            sq_arena *arena);
#endif
