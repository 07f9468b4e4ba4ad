/* tile(dim:points, …): adds an outer loop per argument. The new loops form a band in the order
 * written, outside of all loops over points, but inside of those that distribute(S0 at t) has kept;
 * several of one dimension must come outer first. The outermost loop of dimension i is named i0,
 * the next i1, and so on; the loop over points keeps the dimension's name. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <stdio.h>

/* Returns the name with the lowest number that no loop and no dimension has. */
static const char *free_name(const sq_group *g, int dim, sq_arena *arena)
{
    const char *name;
    int n = 0;
    do
        name = sq_arena_printf(arena, "%s%d", g->dim[dim], n++);
    while (sq_group_loop(g, name) >= 0 || sq_group_dim(g, name) >= 0);
    return name;
}

/* Returns the position outside of all loops over points, but inside of the dimension's other tile
 * loops. */
static int place(const sq_group *g, int dim)
{
    int at = sq_loops_band(g, dim < g->kept ? 0 : g->kept), point = sq_loops_point(g, dim);
    for (int i = at; i < g->nloops; i++)
        if (g->loop[i].dim == dim && i != point)
            at = i + 1;
    return at;
}

int sq_apply_tile(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    if (call->nargs == 0)
        return sq_edit_refuse(s, why, at, -1, "nothing to tile: write tile(dim:points)");
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        at->arg = i;
        int dim = sq_arg_dim(s, g, a, why, at);
        if (dim < 0)
            return -1;
        if (!a->has_value || a->value < 1 || a->section)
            return sq_edit_refuse(s, why, at, i, "a tile of '%s' needs a number of points: %s:48",
                                  a->name, a->name);
        if (sq_loops_point(g, dim) < 0 && g->micro.serial != dim)
            return sq_edit_refuse(s, why, at, i, "the register tile already holds '%s' whole",
                                  a->name);
        sq_loop loop = {free_name(g, dim, s->kernel->arena), .dim = dim, .step = a->value};
        if (!sq_loops_insert(g, place(g, dim), &loop))
            return sq_edit_refuse(s, why, at, i, "too many loops");
    }
    return 0;
}
