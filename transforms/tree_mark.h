/* Tree marks: calls that change one loop of a tree, of what auto() has found or of C loops as written. */
#ifndef SQ_TRANSFORMS_TREE_MARK_H
#define SQ_TRANSFORMS_TREE_MARK_H
#include "ir/schedule/tree.h"
#include "transforms/transform.h"

/* Returns C loops as the tree that they were written as, in arena; NULL if a loop has no row. */
sq_tree *sq_tree_written(const sq_kernel *k, const sq_group *g, sq_arena *arena);
/* Returns a tree that a call may change, a copy of the group's or that of C loops as written, and fills *plan but for
 * the tree. NULL with *why. */
sq_tree *sq_tree_own(const sq_kernel *k, const sq_group *g, sq_tree_plan *plan, const char **why);
/* Returns the calls about single loops but for those about loops that are the nest's. */
const char *sq_tree_calls_without(const sq_kernel *k, const char *calls, const sq_stmt *s, const sq_schedule *nest);
/* Distributes the loop that an argument names over threads: `i` or `S1.i` is the loop that counts that
 * dimension, `i0` that over its tiles. C loops that run as written become a tree. 0; -1 with *why if there is
 * no such loop, or if it carries a dependence. */
int sq_tree_parallel(sq_schedule *s, sq_group *g, const sq_arg *a, const char **why, sq_culprit *at);
#endif
