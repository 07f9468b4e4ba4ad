/* Jam, inside: shared by the files of this pass.
 *
 *     jam.c        loops, rows
 *     jam_carry.c  what an iteration leaves to the next one of its row, in registers
 *     jam_own.c    scalars of which each row has one */
#ifndef SQ_PASSES_JAM_H
#define SQ_PASSES_JAM_H
#include "codegen/passes/passes.h"

enum { SQ_JAM_ROWS = 4, SQ_JAM_CARRIES = 4, SQ_JAM_OWN = 8 };

typedef struct sq_jam_loop {
    const sq_pass_context *c;
    sq_code_pool *pool;
    const sq_code *loop, *inner; /* inner: the one looked at */
    int delay; /* iterations that each row is behind the one before */
    int nown;
    const sq_code_buffer *own[SQ_JAM_OWN], *copy[SQ_JAM_OWN][SQ_JAM_ROWS];
} sq_jam_loop;

/* Elements that the inner loop stores and reads again in the next iteration. */
typedef struct sq_jam_carries {
    int n;
    const sq_code_expr *before[SQ_JAM_CARRIES]; /* as a load: what the iteration before stored */
    const sq_code *store[SQ_JAM_CARRIES];
    const sq_code_buffer *old[SQ_JAM_CARRIES][SQ_JAM_ROWS], *now[SQ_JAM_CARRIES][SQ_JAM_ROWS];
} sq_jam_carries;

/* Returns row number r of those side by side. */
const sq_code_expr *sq_jam_row(const sq_jam_loop *j, int r);
/* Returns the expression in another row; NULL stays NULL. */
const sq_code_expr *sq_jam_in_row(const sq_jam_loop *j, const sq_code_expr *e,
                                  const sq_code_expr *row);

sq_jam_carries sq_jam_carried(const sq_jam_loop *j);
/* Appends what stands before the loop, which has an iteration and begins at lo. */
void sq_jam_begin(const sq_jam_loop *j, sq_jam_carries *c, const sq_code_expr *lo,
                  sq_code_list *to);
/* Returns the stores of a row with registers in the place of such elements. */
sq_code *sq_jam_resolve(const sq_jam_loop *j, const sq_jam_carries *c, int row, sq_code *stores);
/* Appends what stands at the end of the body. */
void sq_jam_advance(const sq_jam_loop *j, const sq_jam_carries *c, sq_code_list *to);
/* Returns the expression with `by` for each load of a place. */
const sq_code_expr *sq_jam_replaced(const sq_jam_loop *j, const sq_code_expr *e, const sq_code_expr *place,
                                    const sq_code_expr *by);

/* True for the declaration of a scalar that each iteration has for itself. */
bool sq_jam_is_own(const sq_code *x);
/* Gives each row one of each. */
void sq_jam_find_own(sq_jam_loop *j);
/* Changes statements of a row to its own ones, and returns them. */
sq_code *sq_jam_with_own(const sq_jam_loop *j, int row, sq_code *stores);
#endif
