/* Narrow: integer expressions in the narrowest integers that give the same element. C computes on
 * bytes in int, of which a vector has a quarter of the lanes. What is stored in a byte depends on
 * the low bits of sums, products and differences alone; where all bits count (a shift right, a
 * quotient, a comparison), an operand may be narrow if its range is known to fit, by interval
 * arithmetic over what the elements' types can hold. */
#ifndef SQ_IR_KERNEL_NARROW_H
#define SQ_IR_KERNEL_NARROW_H
#include "ir/kernel/kernel.h"

typedef struct sq_range {
    int64_t lo, hi; /* both inclusive; of uint64_t, whatever the bits are, all of int64_t */
} sq_range;

/* What values an integer expression can have. */
sq_range sq_expr_range(const sq_expr *e);
/* The value of a constant integer expression. */
bool sq_expr_is_constant(const sq_expr *e, int64_t *value);
/* The same value, of the same type, computed in narrower integers; NULL where there is nothing to
 * gain. New nodes are in k's arena; accesses are those of `e`. */
sq_expr *sq_expr_narrowed(const sq_kernel *k, sq_expr *e);
/* What lanes compute of the value. */
const sq_expr *sq_stmt_in_lanes(const sq_stmt *s);
/* Sets `narrow` of every statement. */
void sq_kernel_narrow(sq_kernel *k);
#endif
