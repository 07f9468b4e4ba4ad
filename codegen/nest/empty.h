/* Empty: the points of a statement whose reduction runs over nothing. They become a nest of their
 * own with the reduction's identity in its place, so that the function is total over all sizes. */
#ifndef SQ_CODEGEN_NEST_EMPTY_H
#define SQ_CODEGEN_NEST_EMPTY_H
#include "ir/schedule/schedule.h"

/* Group g without its reduction, over those points: its first `shared` loops, then plain ones, no
 * tile. Takes points; the group's first statement owns them as its domain. */
sq_group *sq_empty_group(const sq_schedule *of, const sq_group *g, int shared,
                         __isl_take isl_set *points, sq_arena *arena);
#endif
