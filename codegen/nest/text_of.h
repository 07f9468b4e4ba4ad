/* Text of: small helpers that turn isl's affine expressions and sets into C text, with the names of
 * parameters as they are. All results live in the arena. */
#ifndef SQ_CODEGEN_NEST_TEXT_OF_H
#define SQ_CODEGEN_NEST_TEXT_OF_H
#include "ir/kernel/kernel.h"
#include <isl/ast_build.h>

/* A piecewise affine expression over parameters, simplified under `context` (a parameter set), as C
 * on 64-bit integers; helpers sq_min, sq_max, sq_floord are written with the prefix of the emitted
 * function. NULL on failure. */
const char *sq_pw_aff_text(__isl_take isl_pw_aff *pa, isl_set *context, sq_arena *arena);
/* The condition that parameters lie in `set`, simplified under `context`; "1" if always. */
const char *sq_set_text(__isl_take isl_set *set, isl_set *context, sq_arena *arena);
#endif
