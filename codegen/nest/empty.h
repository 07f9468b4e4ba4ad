/* Empty: the points of a statement whose reduction has an empty range. They become a nest of their
 * own with the reduction's identity in its place, so that the function is defined for all sizes. */
#ifndef SQ_CODEGEN_NEST_EMPTY_H
#define SQ_CODEGEN_NEST_EMPTY_H
#include "ir/schedule/schedule.h"

/* Returns group g without its reduction, over those points: its first `shared` loops, then untiled
 * ones. Takes points, which become the domain of the group's first statement. */
sq_group *sq_empty_group(const sq_schedule *of, const sq_group *g, int shared,
                         __isl_take isl_set *points, sq_arena *arena);
#endif
