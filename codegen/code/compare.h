/* Compare: two versions of the same code, before and after a pass, and which of many passes is the first
 * after which the result is another one. Results are those of the interpreter. */
#ifndef SQ_CODE_COMPARE_H
#define SQ_CODE_COMPARE_H
#include "codegen/code/interpret.h"

/* Where versions run: memory images of a kernel at one row of sizes each, which stay as they are. */
typedef struct sq_code_inputs {
    int n;
    const sq_image *const *before;
    /* Of each image, by how much results may differ (sq_image_same), since passes may regroup sums;
     * NULL: by nothing. */
    const double *const *bound;
} sq_code_inputs;

/* Code after a pass. */
typedef struct sq_code_version {
    const char *pass; /* its name; of the first version what made it: "lower" */
    const sq_code *code;
} sq_code_version;

/* NULL if both leave the same in the arrays that a caller gets back, on all inputs and in all orders
 * of the loops that may run in any; else a sentence in the arena: the sizes, and the first element
 * that differs or what is undefined about a run. */
const char *sq_code_differs(const sq_code *expected, const sq_code *actual,
                            const sq_code_inputs *in, sq_arena *arena);
/* The same against results that are known from elsewhere: an image for each input. */
const char *sq_code_departs(const sq_code *x, const sq_code_inputs *in, sq_image *const *expected,
                            sq_arena *arena);
/* The number of the first of n versions whose result is not that of the first one, with *why in the
 * arena; 0 where the first one itself is undefined on the inputs; -1 if all are the same. */
int sq_code_first_change(const sq_code_version *version, int n, const sq_code_inputs *in,
                         sq_arena *arena, const char **why);
/* The same against results that are known from elsewhere: an image for each input. */
int sq_code_first_departure(const sq_code_version *version, int n, const sq_code_inputs *in,
                            sq_image *const *expected, sq_arena *arena, const char **why);
#endif
