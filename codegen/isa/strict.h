/* Strict: how emitted text keeps compilers from contracting or reordering floating-point operations
 * under `fp strict`, whatever the flags, between the two calls. Where a language has no pragma for
 * it, products and quotients are function calls instead of operators. */
#ifndef SQ_CODEGEN_ISA_STRICT_H
#define SQ_CODEGEN_ISA_STRICT_H
#include "codegen/isa/target.h"

/* Both print nothing for other floating-point contracts. */
void sq_strict_begin(const sq_kernel *k, sq_text *to);
void sq_strict_end(const sq_kernel *k, sq_text *to);
/* Returns the functions for products of the kernel on a target (NULL: none); NULL: operators. */
const sq_rounded *sq_strict_rounded(const sq_kernel *k, const sq_target *t);
/* Returns the function that replaces an operator on this type, or NULL. */
const char *sq_rounded_call(const sq_rounded *r, sq_type type, char infix);
#endif
