/* Group: what a schedule's groups are as code, after lowering and the passes: the one place that the
 * emitter, --dump=code, the counts of `explain` and the interpreter ask. */
#ifndef SQ_PASSES_GROUP_H
#define SQ_PASSES_GROUP_H
#include "codegen/lower/group.h"
#include "codegen/passes/passes.h"

typedef struct sq_group_options {
    sq_nest_options nest;
    int npasses;         /* that run, of the first: SQ_ALL_PASSES */
    sq_pass_time *times; /* see sq_passes_run */
} sq_group_options;

/* The code of a group, and of those after it that share loops with it, to *to, which may be none. */
sq_lowered sq_group_code(const sq_schedule *s, int group, const sq_group_options *o,
                         sq_code_pool *pool, sq_code **to, sq_diags *d);
/* That of all groups in the order they run, each in a block of its own, behind the strides of arrays
 * that they mention. */
sq_lowered sq_schedule_code(const sq_schedule *s, const sq_group_options *o, sq_code_pool *pool,
                            sq_code **to, sq_diags *d);
/* The same code after one more pass: see sq_pass_step. */
void sq_schedule_step(const sq_schedule *s, const sq_group_options *o, const sq_pass *pass, int row,
                      sq_code_pool *pool, sq_code *code);
#endif
