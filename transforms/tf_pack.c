/* pack(Array at loop as dim16 dim6): copies the part of an array that the loops inside `loop` read
 * to a buffer at the head of that loop's body; `at top` copies once, before all loops. `as` blocks
 * dimensions: j16 makes panels of 16 adjacent elements along j. Without `as` the copy is dense in
 * the array's own order. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

static int take_loop(sq_schedule *s, sq_group *g, const sq_call *call, sq_pack *p, const char **why,
                     sq_culprit *at)
{
    at->arg = 1;
    p->loop = -1;
    if (strcmp(call->arg[1].name, "top") != 0)
        p->loop = sq_arg_loop(s, g, &call->arg[1], why, at);
    return p->loop < 0 && strcmp(call->arg[1].name, "top") != 0 ? -1 : 0;
}

static int take_panel(sq_schedule *s, sq_group *g, const sq_call *call, int i, sq_pack *p,
                      const char **why, sq_culprit *at)
{
    const sq_arg *a = &call->arg[i];
    int dim = -1;
    int64_t block = a->value;
    if (a->section != 's' || p->npanels == SQ_MAX_PANELS)
        return sq_edit_refuse(s, why, at, i, "at most %d blocked dimensions after `as`",
                              SQ_MAX_PANELS);
    if (a->has_value && (dim = sq_arg_dim(s, g, a, why, at)) < 0) {
        at->arg = i;
        return -1;
    }
    if (!a->has_value && !sq_group_panel(g, a->name, &dim, &block))
        return sq_edit_refuse(s, why, at, i, "'%s' is no dimension with a block, as in j16",
                              a->name);
    if (block < 1)
        return sq_edit_refuse(s, why, at, i, "a panel needs at least one point");
    for (int k = 0; k < p->npanels; k++)
        if (p->panel[k].dim == dim)
            return sq_edit_refuse(s, why, at, i, "'%s' is blocked twice", g->dim[dim]);
    p->panel[p->npanels].dim = dim;
    p->panel[p->npanels++].block = block;
    return 0;
}

int sq_apply_pack(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    sq_pack p = {0};
    if (call->nargs < 2 || call->arg[0].section || call->arg[1].section != 't')
        return sq_edit_refuse(s, why, at, call->nargs > 1 ? 1 : -1,
                              "write pack(Array at loop as j16), with `top` for before all loops");
    p.array = sq_edit_array(s, call, 0, why, at);
    if (!p.array || take_loop(s, g, call, &p, why, at))
        return -1;
    for (int i = 2; i < call->nargs; i++)
        if (take_panel(s, g, call, i, &p, why, at))
            return -1;
    if (g->npacks == SQ_MAX_PACKS)
        return sq_edit_refuse(s, why, at, 0, "more than %d copies", SQ_MAX_PACKS);
    g->pack[g->npacks++] = p;
    return 0;
}
