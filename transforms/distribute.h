/* Distribute: C loops around several statements, as a loop nest for each of them. An update of one
 * element over and over becomes a reduction on the way, which is what register tiles are for. */
#ifndef SQ_TRANSFORMS_DISTRIBUTE_H
#define SQ_TRANSFORMS_DISTRIBUTE_H
#include "ir/schedule/schedule.h"

/* An update `X[i][j] = X[i][j] op term` in loops that X's subscripts lack. */
typedef struct sq_update {
    const sq_stmt *stmt;
    const sq_stmt *start; /* the statement that writes what it updates, so that the reduction can
                             go on from there; or NULL */
    const sq_stmt *end;   /* X is a scalar: the one statement that reads the sum, and writes what
                             the reduction does; or NULL */
    sq_op op;             /* SQ_OP_ADD, SUB, MUL, MAX, MIN */
    const sq_expr *old, *term;
    int nfree, dim[SQ_MAX_DIMS]; /* dimensions of stmt: those of the subscripts, then the others */
} sq_update;

/* True if statement `at` of a group is an update whose sum may be restarted; under strict only if 0
 * starts it. Fills *u. */
bool sq_update_find(const sq_kernel *k, const sq_group *g, int at, sq_update *u);
/* The same of an update of a local scalar, u->stmt, that is started and read in each iteration of
 * the loops around the sum: fills start, end and the dimensions. */
bool sq_update_in_scalar(const sq_kernel *k, const sq_group *g, sq_update *u);
/* True if it is a sum that begins with 0, as sum() does. */
bool sq_update_from_zero(const sq_update *u);
/* True if an update of the group uses its operands more than once, as a matrix product does: tiles
 * then gain more than statements that share one pass. Also true if the whole group is one sum. */
bool sq_distribute_pays(const sq_kernel *k, const sq_group *g);
#endif
