/* Grid plan: the units of a kernel, in order, each legal and emittable: the first choice for a
 * target whose kernels run as a grid, and the alternatives. */
#ifndef SQ_TUNER_SPACE_GRID_PLAN_H
#define SQ_TUNER_SPACE_GRID_PLAN_H
#include "codegen/emit.h"
#include "tuner/space/grid_unit.h"

typedef struct sq_grid_plan {
    int n;
    sq_grid_unit *unit;
} sq_grid_plan;

/* Chooses units for the groups of s, whose statements are fused already, and applies them: for each
 * group the first kind in grid_unit.h's list that is legal and can be emitted, with the parameters
 * that the model prefers for these sizes. A group that no kind fits is not changed. */
void sq_grid_plan_make(sq_schedule *s, const sq_device *d, const sq_target *t, const int64_t *sizes,
                       sq_arena *a, sq_grid_plan *plan);
/* Returns the device that schedules are chosen for: the machine's, else the first of the target's
 * architecture. */
const sq_device *sq_grid_device(const sq_machine *m, const sq_target *t);
/* Fuses, makes a plan and adds all calls to the script. */
void sq_draft_grid(sq_schedule *s, const sq_device *d, const sq_target *t, const int64_t *sizes,
                   sq_arena *a, sq_text *script);
/* Returns sizes for the first choice: symbolic ones are those that the kernel is tuned for, else
 * large. */
void sq_grid_sizes(const sq_kernel *k, int64_t *sizes);
#endif
