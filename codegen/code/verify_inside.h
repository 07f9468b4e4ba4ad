/* Verify, inside: what the verifiers of statements (verify.c) and of expressions (verify_expr.c)
 * share. */
#ifndef SQ_CODE_VERIFY_INSIDE_H
#define SQ_CODE_VERIFY_INSIDE_H
#include "codegen/code/verify.h"

/* The variables and buffers in scope at a statement, innermost first. */
typedef struct sq_defined_by {
    const sq_code *stmt; /* LOOP, LET, VARIABLE: its name; DECLARE, POINTER: its buffer */
    const struct sq_defined_by *before;
} sq_defined_by;

typedef struct sq_verifier {
    const sq_code_outer *outer;
    sq_arena *arena;
    const char *wrong; /* in the arena; NULL: no violation so far */
} sq_verifier;

/* Reports a violation that concerns the name; the first report is kept. */
void sq_verify_complain(sq_verifier *v, const char *what, const char *name);
/* True if the kernel has an array of this name. */
bool sq_verify_is_array(const sq_verifier *v, const char *name);
/* Complains unless a declaration of the buffer is in scope; arrays of the kernel need none. */
void sq_verify_declared(sq_verifier *v, const sq_defined_by *d, const sq_code_buffer *b);
/* True if the name is that of a variable in scope or of a size. */
bool sq_verify_is_defined(const sq_verifier *v, const sq_defined_by *d, const char *name);
/* Complains unless e is a valid expression; d: the definitions in scope. */
void sq_verify_expr(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e);
/* Complains unless e is a valid index expression that is not a condition. NULL passes. */
void sq_verify_index(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e,
                     const char *what, const char *name);
/* Complains unless e is a valid condition, or an index expression that stands for one (true if not
 * 0). */
void sq_verify_condition(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e,
                         const char *name);
/* Checks the condition of a store of `value`: a condition of either kind, or a mask of the lanes
 * that are stored. */
void sq_verify_mask(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *cond,
                    const sq_code_expr *value, const char *name);
/* Complains unless the subscripts are valid and as many as the buffer has dimensions. */
void sq_verify_place(sq_verifier *v, const sq_defined_by *d, const sq_code_buffer *b,
                     const sq_code_expr *const *index);
#endif
