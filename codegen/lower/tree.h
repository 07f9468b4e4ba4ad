/* Tree: the loops of a group that auto() scheduled, as code. isl orders and bounds them; the tree's
 * members say how they run. */
#ifndef SQ_LOWER_TREE_H
#define SQ_LOWER_TREE_H
#include "codegen/code/code.h"
#include "codegen/isa/target.h"

/* threads: parallel loops are shared by threads, as OpenMP says it. Those of a grid's target carry
 * their members and have no lanes. Appends to *to; -1 with an error added. */
int sq_lower_tree(const sq_kernel *k, const sq_group *g, const sq_target *t, bool threads,
                  sq_code_pool *code, sq_code **to, sq_diags *d);

/* vectorize.c: what a loop whose iterations may run side by side runs as: SQ_CODE_LANES, or with `sums`
 * SQ_CODE_SUMS, where its body is of one floating type and elements stay or lie side by side; else
 * SQ_CODE_SERIAL. */
sq_code_runs sq_lanes_of(const sq_code *loop, bool sums, const sq_target *t);
/* Marks the innermost loops of a list, in which a pass may find lanes (codegen/passes/widen.h): those
 * that run as the description has them. */
void sq_lanes_allow(sq_code *x);
#endif
