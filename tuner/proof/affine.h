/* Affine: C expressions as isl formulas over the names of a scope. C's integers are bounded and
 * isl's are not: a formula comes with the condition under which no operation of the expression
 * overflows. */
#ifndef SQ_TUNER_PROOF_AFFINE_H
#define SQ_TUNER_PROOF_AFFINE_H
#include "support/text.h"
#include "tuner/proof/scope.h"

typedef struct sq_affine_use {
    int token, depth; /* of a name's declaration, in that frame */
} sq_affine_use;

/* Expressions that are converted to one formula; zeroed except for the first three members. */
typedef struct sq_affine {
    const sq_blocks *b;
    sq_arena *arena;
    const sq_scope *scope; /* scope of the next expression, and its depth in the chain of calls */
    int depth;
    int nuses, uses_room;
    sq_affine_use *use; /* names that occur */
    int nparts;         /* number of variables p0 …, for quotients and conditionals */
    sq_text parts;      /* their definitions: " and ..." */
    sq_text overflows;  /* " or ..." */
    bool fails;         /* something is not affine, or not known */
    int at, end;        /* remaining tokens */
    int nested;
} sq_affine;

/* Returns the value of tokens [from, end) as text; NULL: not known. Its type has *bits bits. */
const char *sq_affine_number(sq_affine *a, int from, int end, int *bits);
/* Returns the condition that they are not zero. */
const char *sq_affine_truth(sq_affine *a, int from, int end);
/* Returns the formula's name for a declared name. */
const char *sq_affine_name(sq_affine *a, const sq_name *name);
/* Adds the overflow condition of a conversion to a type of this number of bits. */
void sq_affine_fits(sq_affine *a, const char *number, int bits);
void sq_affine_free(sq_affine *a);
#endif
