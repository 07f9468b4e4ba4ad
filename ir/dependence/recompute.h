/* Recompute: whether points of a group may be computed again later. */
#ifndef SQ_IR_DEPENDENCE_RECOMPUTE_H
#define SQ_IR_DEPENDENCE_RECOMPUTE_H
#include "ir/schedule/schedule.h"

/* True if points of the group's statements that have run may run again, in any order and any number
 * of times, without changing memory: no element is written at two points, and no written element is
 * read except after its write at the same point. The test is exact, on elements; for sums, on the
 * reads of their values. */
bool sq_group_recomputes(const sq_kernel *k, const sq_group *g);
#endif
