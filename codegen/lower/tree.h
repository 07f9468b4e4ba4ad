/* Tree: lowers the loops of a group that auto() scheduled. isl orders and bounds them; the tree's
 * members say how they run. */
#ifndef SQ_LOWER_TREE_H
#define SQ_LOWER_TREE_H
#include "codegen/code/code.h"
#include "codegen/lower/nest.h"

/* Loops for a grid target carry their members and have no lanes. Appends to *to; -1 with an error added. */
int sq_lower_tree(const sq_kernel *k, const sq_group *g, const sq_nest_options *o, sq_code_pool *code, sq_code **to,
                  sq_diags *d);

/* vectorize.c: returns how a loop runs whose iterations are independent: SQ_CODE_LANES, or with
 * `sums` SQ_CODE_SUMS, if its body has one floating type and accesses have stride 0 or 1; else
 * SQ_CODE_SERIAL. */
sq_code_runs sq_lanes_of(const sq_code *loop, bool sums, const sq_target *t);
/* Marks the innermost loops of a list that a pass may vectorize (codegen/passes/widen.h): those
 * that run as the description has them. */
void sq_lanes_allow(sq_code *x);
#endif
