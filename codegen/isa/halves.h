/* Halves: vectors of f16 and bf16. In registers they are the bits of their elements for as long as
 * it takes to make them f32. */
#ifndef SQ_CODEGEN_ISA_HALVES_H
#define SQ_CODEGEN_ISA_HALVES_H
#include "codegen/isa/vector.h"

/* Definitions of get, bits and round of this shape, called n, as far as they are used. The shape of
 * f32 with as many lanes must be declared. */
void sq_halves_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to);
#endif
