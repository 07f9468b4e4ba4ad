/* Tree nest: the loops that one statement of a tree has by itself, as a nest with a register tile: what tile, order,
 * micro, vectorize, unroll, split, hold and epilogue change of C loops, and of what auto() has found. */
#ifndef SQ_TRANSFORMS_TREE_NEST_H
#define SQ_TRANSFORMS_TREE_NEST_H
#include "ir/schedule/tree.h"
#include "transforms/transform.h"

/* Makes the nest of a statement, stmt of the group, in a tree of the group's own; returns a copy of its schedule, in
 * the tree, which a call may change. C loops that run as written become a tree. NULL with *why if the statement has no
 * loops by itself, or if the loops around do not fix its other dimensions. */
sq_schedule *sq_tree_nest_open(sq_schedule *s, sq_group *g, int stmt, const char **why);
/* Returns the statement with the dimensions of `own`, n of its free ones in that order, inside of loops over the
 * others, whose values are parameters of those names. */
sq_stmt *sq_stmt_inside(const sq_kernel *k, const sq_stmt *s, const int *own, int n, const char *const *outer);
/* Returns the same statement as a reduction, if it is an update of elements in dimensions that their subscripts lack,
 * whose order is free; else NULL. */
sq_stmt *sq_stmt_summed(const sq_kernel *k, const sq_stmt *s);
#endif
