/* Border: the points of a group at which reads leave their arrays, by pad() or clampedge(). They become a nest of
 * their own, point by point, and the tiles of the group begin and end where all reads are inside: a window of 3 x 3
 * then costs two rows and two columns of single points, and not the tiles that these lie in. */
#ifndef SQ_CODEGEN_NEST_BORDER_H
#define SQ_CODEGEN_NEST_BORDER_H
#include "codegen/isa/target.h"
#include "ir/schedule/schedule.h"

typedef struct sq_border {
    sq_group *inside, *border;
} sq_border;

/* Splits group g, which shares no loops with others. False if it has no border that is split off
 * (ir/dependence/inside.h). The groups are in the arena. */
bool sq_border_split(const sq_schedule *s, const sq_group *g, const sq_target *t, sq_arena *arena, sq_border *b);
#endif
