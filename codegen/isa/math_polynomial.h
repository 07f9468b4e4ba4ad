/* Math, polynomials: the coefficients of what vectors compute exp, log, tanh and erf by. */
#ifndef SQ_CODEGEN_ISA_MATH_POLYNOMIAL_H
#define SQ_CODEGEN_ISA_MATH_POLYNOMIAL_H
#include "ir/kernel/kernel.h"

/* Returns the terms of a polynomial for f32 or f64 as C text, the lowest first, and their number; NULL: none is
 * called that. */
const char *const *sq_math_polynomial(const char *name, sq_type type, int *n);
#endif
