/* Verify, inside: what the verifiers of statements (verify.c) and of expressions (verify_expr.c)
 * share. */
#ifndef SQ_CODE_VERIFY_INSIDE_H
#define SQ_CODE_VERIFY_INSIDE_H
#include "codegen/code/verify.h"

/* What is defined around a statement, innermost first: a variable or a buffer. */
typedef struct sq_defined_by {
    const sq_code *stmt; /* LOOP, LET, VARIABLE: its name; DECLARE, POINTER: its buffer */
    const struct sq_defined_by *before;
} sq_defined_by;

typedef struct sq_verifier {
    const sq_code_outer *outer;
    sq_arena *arena;
    const char *wrong; /* in the arena; NULL: nothing so far */
} sq_verifier;

/* Says what is wrong with something of that name; the first complaint stays. */
void sq_verify_complain(sq_verifier *v, const char *what, const char *name);
/* True if the kernel has an array of the name. */
bool sq_verify_is_array(const sq_verifier *v, const char *name);
/* Complains unless a declaration of the buffer is around; arrays of the kernel need none. */
void sq_verify_declared(sq_verifier *v, const sq_defined_by *d, const sq_code_buffer *b);
/* True if the name is a variable's or a size's that is defined there. */
bool sq_verify_is_defined(const sq_verifier *v, const sq_defined_by *d, const char *name);
/* Complains unless e is a sound expression; d: what is defined where it stands. */
void sq_verify_expr(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e);
/* Complains unless e is a sound index expression, not a condition. NULL is none and passes. */
void sq_verify_index(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e,
                     const char *what, const char *name);
/* The same of a condition, or an index expression that is one where it is not 0. */
void sq_verify_condition(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e,
                         const char *name);
/* Of a store of `value`: a condition of either kind, or a mask of the lanes that are stored. */
void sq_verify_mask(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *cond,
                    const sq_code_expr *value, const char *name);
/* Complains unless the subscripts are sound, and as many as the buffer has dimensions. */
void sq_verify_place(sq_verifier *v, const sq_defined_by *d, const sq_code_buffer *b,
                     const sq_code_expr *const *index);
#endif
