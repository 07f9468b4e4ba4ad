/* Fold comparison: comparisons whose outcome the types alone decide, as `u >= 0` of an unsigned u.
 * Compilers warn of them, even in generated text. */
#ifndef SQ_CODEGEN_NEST_FOLD_COMPARISON_H
#define SQ_CODEGEN_NEST_FOLD_COMPARISON_H
#include "ir/kernel/kernel.h"

/* The value of a comparison of integers, 0 or 1; -1 where it depends on more than their types,
 * constants and masks. */
int sq_expr_fold_comparison(const sq_expr *e);
#endif
