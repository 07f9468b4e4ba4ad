/* Decided: choices of which some points take one side only. */
#ifndef SQ_IR_KERNEL_DECIDED_H
#define SQ_IR_KERNEL_DECIDED_H
#include "ir/kernel/kernel.h"

/* Returns the value at these points, instances of the space of its accesses: sides of its choices that none of them
 * takes are left out, and what all of them read is not guarded. Nodes that change are new, in k's arena; accesses are
 * those of `e`, or have their maps and sets. NULL stays NULL. */
sq_expr *sq_expr_decided(const sq_kernel *k, sq_expr *e, isl_set *points /* __isl_keep */);
#endif
