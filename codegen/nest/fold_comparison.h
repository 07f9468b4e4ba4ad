/* Fold comparison: comparisons whose result follows from the types, such as `u >= 0` for an
 * unsigned u. Compilers warn of them, even in generated text. */
#ifndef SQ_CODEGEN_NEST_FOLD_COMPARISON_H
#define SQ_CODEGEN_NEST_FOLD_COMPARISON_H
#include "ir/kernel/kernel.h"

/* Returns the result of a comparison of integers, 0 or 1; -1 if it depends on more than their
 * types, constants and masks. */
int sq_expr_fold_comparison(const sq_expr *e);
#endif
