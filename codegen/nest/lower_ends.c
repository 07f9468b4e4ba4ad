/* Lower, ends: remainders of a vectorized loop, for targets whose masks are expensive. The last
 * vectors begin before the loop's variable, so that all of their lanes exist, and recompute what
 * they share with earlier ones. That requires as many points as a vector has in the same run of the
 * loop, and points that may be recomputed (ir/dependence/recompute.h). Otherwise all vectors except
 * the last one are full. */
#include "codegen/nest/lower_inside.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/vector.h"
#include "ir/dependence/recompute.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/val.h>

/* Returns the distance in elements of n consecutive points of d, if it is known; 0: it is not. */
static int64_t known_step(const sq_ref *r, int d, int64_t n)
{
    const int64_t origin[SQ_MAX_DIMS] = {0};
    sq_offset step;
    if (!sq_ref_step(r, origin, d, 1, n, &step))
        return 0;
    for (int s = 0; s < r->nsubs; s++)
        if (step.times[s])
            return 0;
    return step.known;
}

/* True if all that lies between two lanes of a store is in the tile, which then stores vectors of it in
 * turn (codegen/tile/tile_turn.c). */
static bool is_interleaved(const sq_nest *n, const sq_ref *r, int64_t step)
{
    const sq_group *g = n->group;
    bool is = false;
    for (int x = 0; x < g->nfree && step >= 2 && step <= SQ_STRIDE_MOST && g->nstmts == 1; x++)
        is |= x != g->micro.vector && g->micro.points[x] == step && n->count[x].kind == SQ_COUNT_FULL &&
              known_step(r, x, 0) == 1;
    return is;
}

/* True if all stores of the group are full vectors along d: for stores lane by lane nothing is
 * gained. */
static bool stores_vectors(const sq_nest *n, int d, int lanes)
{
    const sq_group *g = n->group;
    for (int i = 0; i < n->nrefs; i++) {
        bool writes = false;
        for (int s = 0; s < g->nstmts; s++)
            writes |= g->stmt[s]->write->array == n->ref[i]->array;
        int64_t step = writes ? known_step(n->ref[i], d, lanes) : 1;
        if (step != 1 && !is_interleaved(n, n->ref[i], step))
            return false;
    }
    return true;
}

/* True if a copy has different elements at different points of d: then the start of a tile in it is
 * fixed. */
static bool copies_move(const sq_nest *n, int d)
{
    for (int i = 0; i < n->nrefs; i++)
        if (n->ref[i]->buffer && sq_ref_depends(n->ref[i], d))
            return true;
    return false;
}

/* True if loop l and those inside of it run in one thread, and are the group's own. */
static bool runs_alone(const sq_lowering *w, int l)
{
    const sq_group *g = w->group;
    bool alone = !w->frame || l >= w->frame->nest->group->nloops;
    for (int i = l; i < g->nloops && alone; i++)
        alone = g->loop[i].runs == SQ_LOOP_SERIAL;
    return alone;
}

/* True if, for a domain that is no product, the points inside the loops around l are a range of d:
 * each other dimension has one value there, and no sum depends on d. */
static bool is_line(sq_lowering *w, int l)
{
    const sq_group *g = w->group;
    int d = g->loop[l].dim;
    if (g->ndim > g->nfree || w->holes)
        return false;
    for (int x = 0; x < g->nfree; x++) {
        int inner = sq_group_inner_loop(g, x);
        if (x != d && (inner > l || g->loop[inner].step != 1))
            return false;
    }
    return true;
}

/* Computes the minimum and maximum number of points of d in a run of its only loop, over all sizes;
 * -1: not known. */
static void lengths(sq_lowering *w, int l, int64_t *least, int64_t *most)
{
    int d = w->group->loop[l].dim;
    isl_set *points = sq_lowering_points(w, l);
    isl_pw_aff *n = isl_pw_aff_sub(sq_range_past(points, d), sq_range_end(points, d, false));
    isl_set *values = isl_set_from_pw_aff(n);
    values =
        isl_set_project_out(values, isl_dim_param, 0, (unsigned)isl_set_dim(values, isl_dim_param));
    isl_val *lo = isl_set_dim_min_val(isl_set_copy(values), 0),
            *hi = isl_set_dim_max_val(values, 0);
    *least = isl_val_is_int(lo) == isl_bool_true ? isl_val_get_num_si(lo) : -1;
    *most = isl_val_is_int(hi) == isl_bool_true ? isl_val_get_num_si(hi) : -1;
    isl_val_free(lo);
    isl_val_free(hi);
}

/* Returns the start of the range into which the last tile may overlap. */
static const sq_code_expr *begin_of_range(sq_lowering *w, int l)
{
    int around = sq_loop_around(w->group, l);
    if (!w->box)
        return sq_lowering_range(w, l, w->group->loop[l].dim, false);
    return around >= 0 ? sq_code_name(w->code, w->group->loop[around].name)
                       : w->nest->anchor[w->group->loop[l].dim];
}

/* True if there are masked loads for everything that tiles read: then sums compute the remainder in
 * one masked tile, whose vectors are independent. */
static bool reads_under_masks(const sq_lowering *w, int d)
{
    const sq_nest *n = w->nest;
    bool can = true;
    for (int i = 0; i < n->nrefs && can; i++)
        can = !sq_ref_depends(n->ref[i], d) ||
              (w->target->isa->masks & (unsigned)sq_type_bytes(n->ref[i]->array->type));
    return can;
}

/* True if tiles may be cut along d, and full vectors stored. */
static bool pays(const sq_lowering *w, int d, int lanes)
{
    const sq_target *t = w->target;
    return t && !t->grid && t->isa->slow_masks && d >= 0 && d < w->group->nfree && lanes > 1 &&
           sq_group_held(w->group) == w->group->nloops &&
           sq_group_spread(w->group) <= w->group->micro.lanes &&
           w->nest->count[d].kind != SQ_COUNT_FULL && stores_vectors(w->nest, d, lanes) &&
           !copies_move(w->nest, d);
}

/* Adds tiles with this number of points, if one may fit. */
static void add(sq_lowering *w, int64_t points)
{
    sq_ends *e = &w->nest->ends;
    int64_t least = -1, most = -1;
    if (sq_loop_around(w->group, e->loop) < 0)
        lengths(w, e->loop, &least, &most);
    if (most < 0 || most >= points)
        e->overlap[e->noverlaps++] = (sq_overlap){points, least >= points};
}

/* Adds vectors in sequence; for sums, whose steps depend on each other, all vectors of a full tile
 * if it fits. */
static void overlap(sq_lowering *w, int d, int lanes, bool in_vectors)
{
    const sq_group *g = w->group;
    int64_t points = g->micro.points[d], rest = w->nest->count[d].rest;
    if (sq_nest_counts_known(w->nest)) {
        add(w, (rest + lanes - 1) / lanes * lanes);
        return;
    }
    if (g->stmt[0]->updates && points > lanes)
        add(w, points);
    if (in_vectors || points == lanes)
        add(w, lanes);
}

void sq_lowering_ends(sq_lowering *w, bool may_overlap)
{
    const sq_group *g = w->group;
    int d = g->micro.vector, lanes = w->target ? sq_tile_lanes(w->nest, w->target) : 1;
    if (!pays(w, d, lanes))
        return;
    int l = sq_group_inner_loop(g, d);
    if (!w->box && !is_line(w, l))
        return;
    bool in_vectors = !g->stmt[0]->updates || !reads_under_masks(w, d);
    w->nest->ends = (sq_ends){.loop = l, .base = begin_of_range(w, l)};
    if (in_vectors && g->micro.points[d] > lanes)
        w->nest->ends.lanes = lanes;
    if (may_overlap && runs_alone(w, l) && !w->nest->first && sq_group_recomputes(w->kernel, g))
        overlap(w, d, lanes, in_vectors);
    w->nest->ends.is_run = sq_ends_any(w->nest) && l == g->nloops - 1 &&
                           g->loop[l].runs == SQ_LOOP_SERIAL && !sq_nest_counts_known(w->nest);
}
