/* micro(dim:points, … | serial): the register tile. Listed free dimensions advance by their points,
 * listed reduction dimensions are unrolled completely and lose their loop, the serial dimension's
 * loop over points moves into the tile. The last listed free dimension becomes the vector, with the
 * most lanes that fit, unless vectorize says otherwise. An earlier micro, with the effects of
 * vectorize, unroll and split, is undone first. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <stdio.h>

enum { MOST_POINTS = 4096 }; /* limit for one dimension, as a tile is unrolled completely */

/* Restores the loop over points of every dimension, with step 1. */
static bool undo(sq_group *g)
{
    g->micro = (sq_micro){.vector = -1, .lanes = 1, .serial = -1, .unroll = 1, .split = 1};
    for (int d = 0; d < g->ndim; d++) {
        g->micro.points[d] = 1;
        int l = sq_loops_point(g, d);
        if (l >= 0) {
            g->loop[l].step = 1;
            continue;
        }
        sq_loop loop = {.name = g->dim[d], .dim = d, .step = 1};
        if (!sq_loops_insert(g, g->nloops, &loop))
            return false;
    }
    for (int d = g->ndim; d < SQ_MAX_DIMS; d++)
        g->micro.points[d] = 1;
    return true;
}

/* Removes a dimension's loop over points from the list. */
static int absorb(sq_schedule *s, sq_group *g, int dim, int arg, const char **why, sq_culprit *at)
{
    int l = sq_loops_point(g, dim);
    for (int p = 0; p < g->npacks; p++)
        if (g->pack[p].loop == l)
            return sq_edit_refuse(s, why, at, arg,
                                  "%s is packed at loop '%s', which the tile would hold",
                                  g->pack[p].array->name, g->dim[dim]);
    sq_loops_remove(g, l);
    return 0;
}

static int hold_free(sq_group *g, int dim, int64_t points)
{
    g->micro.points[dim] = points;
    g->loop[sq_loops_point(g, dim)].step = points;
    g->micro.lanes = sq_group_lanes(g, points);
    g->micro.vector = g->micro.lanes > 1 ? dim : -1;
    return 0;
}

static int unroll_whole(sq_schedule *s, sq_group *g, int dim, const sq_arg *a, int arg,
                        const char **why, sq_culprit *at)
{
    int64_t extent = sq_stmt_extent(g->stmt[0], dim);
    if (extent < 0)
        return sq_edit_refuse(s, why, at, arg,
                              "'%s' has no constant extent, so the tile cannot unroll "
                              "it; write it after the bar: | %s",
                              a->name, a->name);
    if (extent != a->value)
        return sq_edit_refuse(s, why, at, arg,
                              "a tile unrolls a reduction dimension whole: '%s' has "
                              "%lld points, not %lld",
                              a->name, (long long)extent, (long long)a->value);
    g->micro.points[dim] = a->value;
    if (absorb(s, g, dim, arg, why, at))
        return -1;
    if (sq_group_inner_loop(g, dim) >= 0)
        return sq_edit_refuse(s, why, at, arg, "'%s' is tiled, so the tile cannot hold it whole",
                              a->name);
    return 0;
}

static int take_serial(sq_schedule *s, sq_group *g, int dim, int arg, const char **why, sq_culprit *at)
{
    if (g->micro.serial >= 0)
        return sq_edit_refuse(s, why, at, arg, "only one loop runs inside the tile");
    if (dim < g->nfree)
        return sq_edit_refuse(s, why, at, arg,
                              "'%s' is no reduction dimension, and only such a loop "
                              "runs inside the tile",
                              g->dim[dim]);
    g->micro.serial = dim;
    return absorb(s, g, dim, arg, why, at);
}

static int take(sq_schedule *s, sq_group *g, const sq_call *call, int i, bool *listed,
                const char **why, sq_culprit *at)
{
    const sq_arg *a = &call->arg[i];
    at->arg = i;
    int dim = sq_arg_dim(s, g, a, why, at);
    if (dim < 0)
        return -1;
    if (listed[dim])
        return sq_edit_refuse(s, why, at, i, "'%s' is listed twice", a->name);
    listed[dim] = true;
    if (a->section == '|' && !a->has_value)
        return take_serial(s, g, dim, i, why, at);
    if (a->section)
        return sq_edit_refuse(s, why, at, i, "the serial loop '%s' takes no points", a->name);
    if (!a->has_value || a->value < 1 || a->value > MOST_POINTS)
        return sq_edit_refuse(s, why, at, i, "'%s' needs its points, 1 to %d, as in %s:4", a->name,
                              MOST_POINTS, a->name);
    if (dim < g->nfree)
        return hold_free(g, dim, a->value);
    return unroll_whole(s, g, dim, a, i, why, at);
}

int sq_apply_micro(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    bool listed[SQ_MAX_DIMS] = {false};
    if (!undo(g))
        return sq_edit_refuse(s, why, at, -1, "too many loops");
    for (int i = 0; i < call->nargs; i++)
        if (take(s, g, call, i, listed, why, at))
            return -1;
    return 0;
}
