/* Narrow: integer expressions in the narrowest types that give the same element. C computes on
 * bytes in int, of which a vector has a quarter of the lanes. The low bits of sums, products and
 * differences depend on low bits only, so these suffice for what is stored in a byte, and of what is
 * shifted to the right by a constant as many more; where all bits matter (a quotient, a comparison), an
 * operand may be narrow if its range is known to fit, by interval arithmetic from the elements' types. */
#ifndef SQ_IR_KERNEL_NARROW_H
#define SQ_IR_KERNEL_NARROW_H
#include "ir/kernel/kernel.h"

typedef struct sq_range {
    int64_t lo, hi; /* inclusive; for uint64_t always the full range of int64_t */
} sq_range;

/* Returns the numbers that an integer type holds. */
sq_range sq_type_range(sq_type t);
/* Returns the range of an integer expression. */
sq_range sq_expr_range(const sq_expr *e);
/* True if it is a constant integer expression; returns its value. */
bool sq_expr_is_constant(const sq_expr *e, int64_t *value);
/* Returns the same value, of the same type, computed in narrower integers; NULL if nothing is
 * gained. New nodes are in k's arena; accesses are those of `e`. */
sq_expr *sq_expr_narrowed(const sq_kernel *k, sq_expr *e);
/* Returns an expression of the integer type t with the same low bits, and so the same value if t holds it; NULL if a
 * wider integer is needed on the way. New nodes are in k's arena; accesses are those of `e`. */
sq_expr *sq_expr_low(const sq_kernel *k, sq_expr *e, sq_type t);
/* True if integers of `bytes` bytes, fewer than the expression's, hold all sums of up to `terms` of its values. Sets
 * their type, and the largest magnitude of such a sum. terms > 0. */
bool sq_sum_fits(const sq_expr *e, int64_t terms, int bytes, sq_type *type, int64_t *most);
/* Returns the expression of the value that vectors use. */
const sq_expr *sq_stmt_in_lanes(const sq_stmt *s);
/* Sets `narrow` of all statements. */
void sq_kernel_narrow(sq_kernel *k);
#endif
