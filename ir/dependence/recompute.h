/* Recompute: whether points of a group may be computed once more after they and others have been. */
#ifndef SQ_IR_DEPENDENCE_RECOMPUTE_H
#define SQ_IR_DEPENDENCE_RECOMPUTE_H
#include "ir/schedule/schedule.h"

/* True if points of the group's statements that have run may run again, in any order and any number of
 * times, and leave what was there: no element is written at two points, and none that is written is read
 * but behind its write at the same point. Exact, on elements; sums count by what their values read. */
bool sq_group_recomputes(const sq_kernel *k, const sq_group *g);
#endif
