/* split(dim:ways): distributes the serial loop's steps over independent accumulators, which are
 * combined at the end: a small tile then waits less for its multiply-adds. The number of unrolled
 * steps becomes a multiple of the ways. */
#include "transforms/edit.h"
#include "transforms/rows.h"

enum { MOST_WAYS = 16 };

int sq_apply_split(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const sq_arg *a = &call->arg[0];
    if (call->nargs != 1 || !a->has_value || a->section)
        return sq_edit_refuse(s, why, at, call->nargs > 1 ? 1 : -1, "write split(dim:ways)");
    at->arg = 0;
    int dim = sq_arg_dim(s, g, a, why, at);
    if (dim < 0)
        return -1;
    if (dim != g->micro.serial)
        return sq_edit_refuse(s, why, at, 0,
                              "'%s' is not the serial loop of the tile; only its steps "
                              "can be dealt out: micro(… | %s)",
                              a->name, a->name);
    if (a->value < 1 || a->value > MOST_WAYS)
        return sq_edit_refuse(s, why, at, 0, "1 to %d accumulators are possible", MOST_WAYS);
    int ways = (int)a->value;
    g->micro.split = ways;
    g->micro.unroll = (g->micro.unroll + ways - 1) / ways * ways;
    return 0;
}
