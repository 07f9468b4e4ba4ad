/* unroll(dim:steps): the unroll factor of the serial loop. */
#include "transforms/edit.h"
#include "transforms/rows.h"

enum { MOST_STEPS = 64 };

int sq_apply_unroll(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const sq_arg *a = &call->arg[0];
    if (call->nargs != 1 || !a->has_value || a->section)
        return sq_edit_refuse(s, why, at, call->nargs > 1 ? 1 : -1, "write unroll(dim:steps)");
    at->arg = 0;
    int dim = sq_arg_dim(s, g, a, why, at);
    if (dim < 0)
        return -1;
    if (dim != g->micro.serial)
        return sq_edit_refuse(s, why, at, 0,
                              "'%s' is not the serial loop of the tile; only that one is "
                              "unrolled: micro(… | %s)",
                              a->name, a->name);
    if (a->value < 1 || a->value > MOST_STEPS)
        return sq_edit_refuse(s, why, at, 0, "1 to %d steps can be written out", MOST_STEPS);
    g->micro.unroll = (int)a->value;
    return 0;
}
