/* Group: lowers the groups of a schedule and runs the passes. The emitter, --dump=code, the counts
 * of `explain` and the interpreter all use it. */
#ifndef SQ_PASSES_GROUP_H
#define SQ_PASSES_GROUP_H
#include "codegen/lower/group.h"
#include "codegen/passes/passes.h"

typedef struct sq_group_options {
    sq_nest_options nest;
    int npasses;         /* number of passes that run, from the first: SQ_ALL_PASSES */
    sq_pass_time *times; /* see sq_passes_run */
} sq_group_options;

/* Writes the code of a group, and of the groups after it that share loops with it, to *to, which
 * may become NULL. Returns 0, or -1 after adding an error, as the next one does. */
int sq_group_code(const sq_schedule *s, int group, const sq_group_options *o,
                         sq_code_pool *pool, sq_code **to, sq_diags *d);
/* Does so for all groups in execution order, each in a block of its own, after the strides of the
 * arrays that they mention. */
int sq_schedule_code(const sq_schedule *s, const sq_group_options *o, sq_code_pool *pool,
                            sq_code **to, sq_diags *d);
/* Runs one more pass on that code: see sq_pass_step. */
void sq_schedule_step(const sq_schedule *s, const sq_group_options *o, const sq_pass *pass, int row,
                      sq_code_pool *pool, sq_code *code);
#endif
