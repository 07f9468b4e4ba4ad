/* Verify: checks the invariants of code after lowering and after each pass. */
#ifndef SQ_CODE_VERIFY_H
#define SQ_CODE_VERIFY_H
#include "codegen/code/code.h"

/* What code may use without defining it. */
typedef struct sq_code_outer {
    int n;
    /* sizes, parameters and variables of the code around it, which it does not change */
    const char *const *name;
    int nscalars;
    const char *const *scalar; /* parameters passed by value */
    int narrays;
    const char *const *array; /* names of the kernel's arrays */
    int nbuffers;
    const sq_code_buffer *const *buffer; /* pointers and registers */
} sq_code_outer;

/* Returns NULL if all of this holds, else a sentence in the arena about the first violation:
 *
 *     names       are defined before they are used, scalars of the kernel among them; what is changed
 *                 or hidden is a VARIABLE or pointer
 *     constants   are stored to once, right after their declaration
 *     buffers     are declared around their uses; pointers point into buffers of their type,
 *                 and do not store to read-only buffers
 *     types       of operands are those of their operations; masks are as wide as what they choose
 *                 between; subscripts, bounds, steps and numbers of lanes are index expressions
 *     shapes      a buffer has one subscript per dimension; the lanes of operands agree; a vector
 *                 has one argument per lane, and only lanes that exist are extracted */
const char *sq_code_verify(const sq_code *x, const sq_code_outer *outer, sq_arena *arena);
#endif
