/* hold(loop): runs a reduction loop, with only such loops inside, inside the register tile: the
 * sums stay in registers across it and do not pass through memory. */
#include "transforms/edit.h"
#include "transforms/rows.h"

int sq_apply_hold(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const sq_arg *a = &call->arg[0];
    if (call->nargs != 1 || a->has_value || a->section)
        return sq_edit_refuse(s, why, at, call->nargs > 1 ? 1 : -1, "write hold(loop)");
    at->arg = 0;
    int l = sq_arg_loop(s, g, a, why, at);
    if (l < 0)
        return -1;
    g->loop[l].held = true;
    return 0;
}
