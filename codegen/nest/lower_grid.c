/* Grid: what blocks and threads of a block require of a nest in addition to a CPU's. A tile needs a
 * product of ranges if its sums stay in registers across loops, if its vectors are interleaved with
 * those of other threads, or if its operands are copied cooperatively by the threads of a block,
 * because all of them must reach every barrier. */
#include "codegen/nest/lower_inside.h"

static int refuse(sq_lowering *w, const char *what)
{
    return sq_error(w->diags, SQ_FAULT_REFUSED, w->group->stmt[0]->loc, "%s: %s",
                    w->group->stmt[0]->name, what);
}

static bool any_shared(const sq_group *g)
{
    for (int i = 0; i < g->npacks; i++)
        if (g->pack[i].shared)
            return true;
    return false;
}

/* Computes the conditions that all threads of a block have full tiles, and that this one has
 * points. */
static void thread_conditions(sq_lowering *w)
{
    const sq_group *g = w->group;
    for (int l = 0; l < g->nloops; l++) {
        const sq_loop *x = &g->loop[l];
        int out = sq_loop_around(g, l);
        if (x->runs != SQ_LOOP_LANES || out < 0 || sq_box_whole(&w->bounds, out))
            continue;
        const sq_code_expr *at = sq_code_name(w->code, x->name),
                           *tile = sq_code_name(w->code, g->loop[out].name),
                           *next = sq_code_plus(w->code, tile, g->loop[out].step);
        w->nest->active = sq_code_and(
            w->code, w->nest->active,
            sq_code_compare(w->code, SQ_CODE_LT, at, sq_box_end(&w->bounds, l, x->dim)));
        w->nest->whole =
            sq_code_and(w->code, w->nest->whole,
                        sq_code_compare(w->code, SQ_CODE_LE, next, w->bounds.end[x->dim]));
    }
}

static const char held_needs[] =
    "hold needs a register tile of a domain that is a product of ranges, without reads beyond an "
    "array's edge that no copy serves";

static bool is_interleaved(const sq_group *g)
{
    return sq_group_spread(g) > g->micro.lanes;
}

/* Points that run one by one add to memory, without the sums that registers hold; and they are
 * contiguous, so that they would include other threads' points. */
int sq_lowering_takes_points(sq_lowering *w)
{
    if (sq_group_held(w->group) < w->group->nloops)
        return refuse(w, held_needs);
    if (is_interleaved(w->group))
        return refuse(w, "threads share the vector dimension of what is computed point by point, "
                         "where neighbours belong to one thread: give a thread one vector of it");
    return 0;
}

int sq_lowering_grid_fits(sq_lowering *w)
{
    const sq_group *g = w->group;
    bool held = sq_group_held(g) < g->nloops;
    if (held && (!w->box || !sq_tile_possible(w->nest) || w->scan))
        return refuse(w, held_needs);
    if (sq_group_team(g, NULL) > 1 && g->micro.vector >= 0)
        return refuse(w, "threads share the reduction, and put sums together one by one: none of "
                         "them lies in a vector");
    if (held && g->micro.vector >= g->nfree)
        return refuse(w, "hold keeps vectors of sums, so none lies along a reduction");
    if (is_interleaved(g) && (!w->box || !sq_tile_possible(w->nest) || w->scan))
        return sq_lowering_takes_points(w);
    if (any_shared(g) && !w->box)
        return refuse(w, "share needs a domain that is a product of ranges");
    if (any_shared(g) || sq_group_team_beside(g) > 1)
        thread_conditions(w);
    return 0;
}
