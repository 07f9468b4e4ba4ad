/* Evaluate: the values of operators (ir/kernel/ops.def), as the language defines them: what an interpreter
 * of anything made of them needs. Rounding is to nearest; nothing is contracted. */
#ifndef SQ_IR_KERNEL_EVALUATE_H
#define SQ_IR_KERNEL_EVALUATE_H
#include "ir/kernel/kernel.h"

/* The operator's value in *to, a value of `type`; arg[] are of type `from`: of a shift its first
 * one is, and the distance is any integer. For all operators that have arguments but SELECT; of AND
 * and OR both are given. Returns NULL, or a static sentence that says what C leaves undefined about
 * it: a division by zero, a distance that is no shift, a cast of what the type does not hold. */
const char *sq_op_evaluate(sq_op op, sq_type type, sq_type from, const sq_number *arg,
                           sq_number *to);
/* True if the value is not 0. */
static inline bool sq_number_is_true(sq_type type, sq_number a)
{
    return sq_type_real(type) ? a.real != 0 : a.integer != 0;
}
#endif
