/* Math: which code a function of the math library gets in an emitted file. Where Squall has a
 * polynomial (math_text.c), vectors and single values are computed by the same text, so that a
 * value does not depend on whether it is in a remainder; otherwise the C library is called lane by
 * lane. Only this file chooses between the two. */
#ifndef SQ_CODEGEN_ISA_MATH_H
#define SQ_CODEGEN_ISA_MATH_H
#include "codegen/isa/vector.h"

/* True if op is a function: printed as a call, not as an operator. */
bool sq_math_is_function(sq_op op);
/* True if Squall has code of its own for op on this type. */
bool sq_math_is_own(sq_op op, sq_type type);
/* Returns "sq_f32x16_exp", marked as used; for one lane, the function of a single value. */
const char *sq_math_name(sq_vector *v, sq_op op, sq_arena *arena);
/* Marks the functions that the marked ones call. */
void sq_math_require(sq_vector *v);
/* Returns the operations that the marked functions' text calls besides those that require() marks. */
sq_vop_set sq_math_needs(const sq_vector *v, const sq_target *t);
/* True if an instruction chooses lanes by vectors of masks. */
bool sq_math_blends(const sq_vector *v, const sq_target *t);
/* True if vectors are multiplied by powers of two by an instruction. */
bool sq_math_scales(const sq_vector *v, const sq_target *t);
/* Prints definitions of the marked functions; those of vector.c must come before. */
void sq_math_define(const sq_vector *v, const sq_target *t, sq_text *to);
/* The functions of single values that a kernel under `fp strict` calls, called "<prefix>f32x1_exp".
 */
void sq_math_define_single(const sq_kernel *k, const char *prefix, sq_text *to);
/* Returns the first function of the C library that a marked function calls; NULL: none. */
const char *sq_math_library_function(const sq_vector *v);

/* ---- math_text.c ---- */

/* Returns the error bound of Squall's own code for op in ulp: "0.9"; NULL if it has none. */
const char *sq_math_error(sq_op op, sq_type type);
/* Prints the marked functions that are Squall's own and all that they call; `shape`: the vector's
 * name. */
void sq_math_put_own(const sq_vector *v, const char *shape, const sq_target *t, sq_text *to);
#endif
