/* Math: which text a function of the math library gets in an emitted file. Where there is a
 * polynomial of ours (math_text.c) vectors and single values are computed by the same text, so that
 * a value does not depend on whether it fell into a remainder; where there is none, the C library
 * is called lane by lane. This is the one place that decides between the two. */
#ifndef SQ_CODEGEN_ISA_MATH_H
#define SQ_CODEGEN_ISA_MATH_H
#include "codegen/isa/vector.h"

/* True if op is a function: printed as a call, not as an operator. */
bool sq_math_is_function(sq_op op);
/* True if Squall has a text of its own for op on this type. */
bool sq_math_is_own(sq_op op, sq_type type);
/* "sq_f32x16_exp", marked as used; of one lane it is the function of a single value. */
const char *sq_math_name(sq_vector *v, sq_op op, sq_arena *arena);
/* Marks the functions of v's shape that a text calls. */
void sq_math_mark(sq_vector *v, const char *text);
/* Marks what the marked functions need. */
void sq_math_require(sq_vector *v);
/* Definitions of the marked functions; those of vector.c must stand before. */
void sq_math_define(const sq_vector *v, const sq_target *t, sq_text *to);
/* The functions of single values that a kernel under `fp strict` calls, called "<prefix>f32x1_exp".
 */
void sq_math_define_single(const sq_kernel *k, const char *prefix, sq_text *to);
/* The first function of the C library that a marked function calls; NULL: none. */
const char *sq_math_library_function(const sq_vector *v);

/* ---- math_text.c ---- */

/* How many ulp Squall's own text for op is off at most: "0.9"; NULL where there is none. */
const char *sq_math_error(sq_op op, sq_type type);
/* The marked functions of ours and all they are built from; `shape`: the vector's name. */
void sq_math_put_own(const sq_vector *v, const char *shape, sq_text *to);
#endif
