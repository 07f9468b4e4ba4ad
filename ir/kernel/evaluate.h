/* Evaluate: the values of operators (ir/kernel/ops.def), as the language defines them, for
 * interpreters. Rounding is to nearest; nothing is contracted. */
#ifndef SQ_IR_KERNEL_EVALUATE_H
#define SQ_IR_KERNEL_EVALUATE_H
#include "ir/kernel/kernel.h"

/* Writes the operator's value to *to, a value of `type`; arg[] are of type `from`; for a shift only
 * the first one is, and the distance is any integer. Handles all operators with arguments except
 * SELECT; for AND and OR both arguments are given. Returns NULL, or a static sentence that says why
 * it is undefined in C: a division by zero, an invalid shift distance, a cast of a value out of
 * range. */
const char *sq_op_evaluate(sq_op op, sq_type type, sq_type from, const sq_number *arg,
                           sq_number *to);
/* True if the value is not 0. */
static inline bool sq_number_is_true(sq_type type, sq_number a)
{
    return sq_type_real(type) ? a.real != 0 : a.integer != 0;
}
/* Returns the initial value of a reduction, which leaves every value as it is. */
sq_number sq_op_identity(sq_op reduce, sq_type type);
#endif
