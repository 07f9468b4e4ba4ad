/* Distribute: splits C loops around several statements into a loop nest for each. Repeated updates
 * of one element become reductions, which register tiles need. */
#ifndef SQ_TRANSFORMS_DISTRIBUTE_H
#define SQ_TRANSFORMS_DISTRIBUTE_H
#include "ir/schedule/schedule.h"

/* An update `X[i][j] = X[i][j] op term` in loops that X's subscripts lack. */
typedef struct sq_update {
    const sq_stmt *stmt;
    /* the statement that initializes the updated element, so that the reduction can include it; or
     * NULL */
    const sq_stmt *start;
    /* if X is a scalar: the only statement that reads the sum, which writes the result of the
     * reduction; or NULL */
    const sq_stmt *end;
    sq_op op; /* SQ_OP_ADD, SUB, MUL, MAX, MIN */
    const sq_expr *old, *term;
    bool keeps_old; /* as in sq_stmt */
    int nfree, dim[SQ_MAX_DIMS]; /* dimensions of stmt: those of the subscripts, followed by the others */
} sq_update;

/* True if statement `at` of a group is an update whose sum may be reassociated; under strict only
 * if it starts with 0. Fills *u. */
bool sq_update_find(const sq_kernel *k, const sq_group *g, int at, sq_update *u);
/* Does the same for an update of a local scalar, u->stmt, that is initialized and read in each
 * iteration of the loops around the sum: fills start, end and the dimensions. */
bool sq_update_in_scalar(const sq_kernel *k, const sq_group *g, sq_update *u);
/* Matches the value `X op term`, or `term op X` if op is commutative: fills op, old and term. */
bool sq_update_split(const sq_stmt *s, sq_update *u);
/* True if it is a sum that starts with 0, as sum() does. */
bool sq_update_from_zero(const sq_update *u);
/* Returns the statement that the update becomes, over u->dim: the reduction, with the statements that it includes. */
sq_stmt *sq_update_reduction(const sq_kernel *k, const sq_update *u);
/* True if an update of the group uses its operands more than once, as a matrix product does: then
 * tiles gain more than fused statements. Also true if the whole group is one sum. */
bool sq_distribute_pays(const sq_kernel *k, const sq_group *g);
#endif
