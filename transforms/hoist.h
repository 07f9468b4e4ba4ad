/* Hoist: parts of a statement's expressions that move with some of its loops only are computed once for the others, by
 * a statement before it, into an array of their own:
 *
 *     S0:    C[i][j] = sum(alpha * A[i][k] * B[k][j], k)
 *
 *     S0_A:  A_hoisted[i][k] = alpha * A[i][k]
 *     S0:    C[i][j] = sum(A_hoisted[i][k] * B[k][j], k)
 *
 * This is loop-invariant code motion for loops in any order; a register tile cannot do it by itself, since it computes
 * the part again for each tile along j. Operations are rounded as before, so results are the same to the bit.
 *
 * A part is an operation on elements of arrays that the statement does not write, outside of conditions, and moves with
 * fewer dimensions than the statement. Each of them is by itself a subscript of one of these arrays, whose elements are
 * not smaller than the part: the new array is not larger than what is read of that one. */
#ifndef SQ_TRANSFORMS_HOIST_H
#define SQ_TRANSFORMS_HOIST_H
#include "transforms/project.h"

enum { SQ_MOST_HOISTED = 8 };

typedef struct sq_hoisted {
    const sq_expr *value; /* the first of the equal expressions */
    const sq_array *of;   /* the first array that it reads and that has all these dimensions */
    sq_projection moves;  /* the dimensions that it moves with, in the order of that array's subscripts */
    bool in_body;
} sq_hoisted;

typedef struct sq_hoist {
    const sq_kernel *k;
    const sq_stmt *of;
    int n;
    sq_hoisted part[SQ_MOST_HOISTED];
} sq_hoist;

/* Finds all parts of a statement, largest expressions first where one contains the other; x->n: their number. */
void sq_hoist_find(const sq_kernel *k, const sq_stmt *s, sq_hoist *x);
/* Returns the kernel with x's statements before x->of, which must share no C loops with others; not yet ended
 * (sq_rewritten_end). NULL with *why, a static sentence that continues the statement's name. */
sq_kernel *sq_hoist_make(const sq_hoist *x, const char **why);
#endif
