/* block(i0, j0): the iterations of loops are dealt to the blocks of a grid. thread(i:16, j:16):
 * those of inner loops to the threads of a block, so many a loop; without a number as many as fill
 * the tile around it. Whether a target has blocks and threads is asked when text is made. */
#include "transforms/edit.h"
#include "transforms/rows.h"

enum { MOST_THREADS = 1024 }; /* of one loop */

static int deal(sq_schedule *s, sq_group *g, const sq_call *call, sq_runs runs, const char **why,
                int *at)
{
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        *at = i;
        int l = sq_arg_loop(s, g, a, why);
        if (l < 0)
            return -1;
        if (g->loop[l].runs != SQ_RUNS_SERIAL)
            return sq_edit_refuse(s, why, at, i, "'%s' is shared already", g->loop[l].name);
        g->loop[l].runs = runs;
        g->loop[l].threads = a->has_value ? (int)a->value : 0;
    }
    return 0;
}

int sq_apply_block(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, int *at)
{
    for (int i = 0; i < call->nargs; i++)
        if (call->arg[i].has_value || call->arg[i].section)
            return sq_edit_refuse(s, why, at, i, "a loop's name is all that fits here");
    if (call->nargs == 0)
        return sq_edit_refuse(s, why, at, -1, "name the loops: block(i0, j0)");
    return deal(s, g, call, SQ_RUNS_BLOCKS, why, at);
}

int sq_apply_thread(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, int *at)
{
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        if (a->section || (a->has_value && (a->value < 1 || a->value > MOST_THREADS)))
            return sq_edit_refuse(s, why, at, i, "'%s' takes 1 to %d threads, as in %s:16", a->name,
                                  MOST_THREADS, a->name);
    }
    if (call->nargs == 0)
        return sq_edit_refuse(s, why, at, -1, "name the loops: thread(i:16, j:16)");
    return deal(s, g, call, SQ_RUNS_LANES, why, at);
}
