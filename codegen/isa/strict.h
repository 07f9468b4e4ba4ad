/* Strict: what emitted text tells compilers under `fp strict`, so that they neither contract nor
 * reorder floating-point operations. For text between the two calls, whatever the flags. Where a
 * language has no pragma for it, products and quotients are calls instead of operators. */
#ifndef SQ_CODEGEN_ISA_STRICT_H
#define SQ_CODEGEN_ISA_STRICT_H
#include "codegen/isa/target.h"

/* Both print nothing for other contracts. */
void sq_strict_begin(const sq_kernel *k, sq_text *to);
void sq_strict_end(const sq_kernel *k, sq_text *to);
/* What products of the kernel are printed with for a target (NULL: none); NULL: operators. */
const sq_rounded *sq_strict_rounded(const sq_kernel *k, const sq_target *t);
/* The function that stands for an operator on this type, or NULL. */
const char *sq_rounded_call(const sq_rounded *r, sq_type type, char infix);
#endif
