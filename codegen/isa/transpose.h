/* Transpose: a square of registers, its rows made its columns. As often as its lanes can be halved, a vector
 * of the first half is interleaved with that of the second half that has its number; which is a transpose. */
#ifndef SQ_CODEGEN_ISA_TRANSPOSE_H
#define SQ_CODEGEN_ISA_TRANSPOSE_H
#include "codegen/isa/vector.h"

/* transpose(x): x[lanes]. */
void sq_transpose_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to);
/* turn(to, step, from, between, rows, n): from[r * between + i] goes to to[i * step + r]. */
void sq_turn_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to);
#endif
