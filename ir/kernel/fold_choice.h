/* Fold choice: conditional expressions whose condition is constant at some points. */
#ifndef SQ_IR_KERNEL_FOLD_CHOICE_H
#define SQ_IR_KERNEL_FOLD_CHOICE_H
#include "ir/kernel/kernel.h"

/* Returns the value at these points, which are instances in the space of its accesses. An arm that no point takes is
 * dropped, and an access that all points make loses its guard. Nodes that change are new, in k's arena; accesses are
 * those of `e`, or share their maps and sets. NULL stays NULL. */
sq_expr *sq_expr_folded(const sq_kernel *k, sq_expr *e, isl_set *points /* __isl_keep */);
#endif
