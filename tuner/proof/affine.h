/* Affine: C expressions as formulas of isl over the names of a scope. Integers of C have an end and
 * those of isl have none: a formula comes with the condition under which no operation of the
 * expression overflows. */
#ifndef SQ_TUNER_PROOF_AFFINE_H
#define SQ_TUNER_PROOF_AFFINE_H
#include "support/text.h"
#include "tuner/proof/scope.h"

typedef struct sq_affine_use {
    int token, depth; /* of a name's declaration, in that frame */
} sq_affine_use;

/* Expressions that are read into one formula; zeroed but for the first three. */
typedef struct sq_affine {
    const sq_blocks *b;
    sq_arena *arena;
    const sq_scope *scope; /* where what is read next stands, and its depth on the way */
    int depth;
    int nuses, uses_room;
    sq_affine_use *use; /* names that occur */
    int nparts;         /* variables p0 and on, of quotients and choices */
    sq_text parts;      /* what they are: " and ..." */
    sq_text overflows;  /* " or ..." */
    bool fails;         /* something is not affine, or not known */
    int at, end;        /* tokens that are left */
    int nested;
} sq_affine;

/* What tokens [from, end) are worth, as text; NULL: not known. The type is *bits wide. */
const char *sq_affine_number(sq_affine *a, int from, int end, int *bits);
/* When they are not zero. */
const char *sq_affine_truth(sq_affine *a, int from, int end);
/* What the declared name is called. */
const char *sq_affine_name(sq_affine *a, const sq_name *name);
/* From now on what does not fit into a type of this number of bits overflows. */
void sq_affine_fits(sq_affine *a, const char *number, int bits);
void sq_affine_free(sq_affine *a);
#endif
