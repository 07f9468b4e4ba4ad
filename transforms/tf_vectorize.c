/* vectorize(dim:lanes): which dimension of the register tile is vectorized, and with how many
 * lanes. One lane gives scalar code. It may be a reduction dimension, also the serial one: each
 * step then takes a vector of it, and lanes are added up at the end. */
#include "transforms/edit.h"
#include "transforms/rows.h"

int sq_apply_vectorize(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const sq_arg *a = &call->arg[0];
    sq_micro *m = &g->micro;
    if (call->nargs != 1 || !a->has_value || a->section)
        return sq_edit_refuse(s, why, at, call->nargs > 1 ? 1 : -1, "write vectorize(dim:lanes)");
    at->arg = 0;
    int dim = sq_arg_dim(s, g, a, why, at);
    if (dim < 0)
        return -1;
    int64_t most = 64 / sq_group_bytes(g);
    if (a->value < 1 || a->value > most || (a->value & (a->value - 1)))
        return sq_edit_refuse(s, why, at, 0, "a vector here has 1, 2, 4, … %lld lanes",
                              (long long)most);
    if (m->vector >= 0 && m->vector == m->serial)
        m->points[m->serial] = 1;
    m->vector = a->value > 1 ? dim : -1;
    m->lanes = (int)a->value;
    if (dim == m->serial)
        m->points[dim] = a->value;
    return 0;
}
