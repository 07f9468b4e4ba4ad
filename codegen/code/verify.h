/* Verify: what must be true of code, whatever made it. */
#ifndef SQ_CODE_VERIFY_H
#define SQ_CODE_VERIFY_H
#include "codegen/code/code.h"

/* Names that code may use without defining them: sizes, and what is around it. */
typedef struct sq_code_outer {
    int n;
    const char *const *name;
} sq_code_outer;

/* NULL if every name is defined before it is used, operands have the types of their operations,
 * subscripts are as many as their array has dimensions, and nothing is stored to what is read only;
 * else a sentence about the first place where that is not so, in the arena. */
const char *sq_code_verify(const sq_code *x, const sq_code_outer *outer, sq_arena *arena);
#endif
