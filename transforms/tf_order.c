/* order(loops…): sets the loops' order from outer to inner. Loops not listed keep their order
 * inside the listed ones. The caller checks legality (dependences, loops of one dimension nested by
 * size). */
#include "transforms/edit.h"
#include "transforms/rows.h"

int sq_apply_order(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    int from[SQ_MAX_LOOPS], n = 0;
    bool taken[SQ_MAX_LOOPS] = {false};
    if (call->nargs == 0)
        return sq_edit_refuse(s, why, at, -1, "no order given: list the loops from outer to inner");
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        at->arg = i;
        int l = sq_arg_loop(s, g, a, why, at);
        if (l < 0)
            return -1;
        if (taken[l] || a->has_value || a->section)
            return sq_edit_refuse(s, why, at, i, "'%s' %s", a->name,
                                  taken[l] ? "is listed twice"
                                           : "stands where a loop's name should");
        taken[l] = true;
        from[n++] = l;
    }
    for (int l = 0; l < g->nloops; l++)
        if (!taken[l])
            from[n++] = l;
    sq_loops_permute(g, from);
    return 0;
}
