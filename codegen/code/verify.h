/* Verify: what must be true of code, whatever made it. */
#ifndef SQ_CODE_VERIFY_H
#define SQ_CODE_VERIFY_H
#include "codegen/code/code.h"

/* What code may use without defining it. */
typedef struct sq_code_outer {
    int n;
    const char *const *name; /* sizes, parameters, variables around it, which it does not change */
    int nscalars;
    const char *const *scalar; /* parameters passed by value */
    bool is_in_text;           /* text around it defines other scalars, too */
    int narrays;
    const char *const *array; /* names of the kernel's arrays */
    int nbuffers;
    const sq_code_buffer *const *buffer; /* pointers and registers */
} sq_code_outer;

/* NULL if all of this is so, else a sentence about the first place where it is not, in the arena:
 *
 *     names       are defined before they are used, scalars of the kernel among them; what is changed
 *                 or hidden is a VARIABLE or pointer
 *     constants   are stored to once, behind their declaration
 *     buffers     are declared around their uses; pointers point into one of their type, and do not
 *                 store to what is read only
 *     types       of operands are those of their operations; masks are as wide as what they choose
 *                 between; subscripts, bounds, steps and numbers of lanes are index expressions
 *     shapes      subscripts are as many as a buffer has dimensions; the lanes of operands agree; a
 *                 vector has as many parts as lanes, and no lane is taken that it has not */
const char *sq_code_verify(const sq_code *x, const sq_code_outer *outer, sq_arena *arena);
#endif
