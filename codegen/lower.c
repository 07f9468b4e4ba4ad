/* Lower: one group of a schedule -> its nest. isl computes bounds, one loop at a time from the
 * outside in; it never sees the points of a register tile and never builds the loops, so the nest
 * is always one chain of loops with the tile at its leaf:
 *
 *   Q[0] = the domain; Q[i+1] = Q[i] with loop i's variable as a parameter and its tile's bounds.
 *   Loop i runs over the range of its dimension in Q[i]; the leaf's counts are ranges in Q[last].
 *
 * A leaf is a register tile where its points form a box anchored at the origin (tested on sets, and
 * always so for rectangular domains) and what it reads, but for copies, is inside of the arrays;
 * elsewhere the points are scanned one by one, and so are all points where no tile would have more
 * than one point. */
#include "codegen/lower_inside.h"
#include "codegen/ast_loops.h"
#include "codegen/lower/scan.h"
#include "codegen/strict.h"
#include "codegen/code/from_isl.h"
#include "ir/quota.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

/* ---- sets ---- */

isl_pw_aff *sq_range_end(isl_set *s, int d, bool upper)
{
    isl_set *one = isl_set_copy(s);
    int n = (int)isl_set_dim(one, isl_dim_set);
    one = isl_set_project_out(one, isl_dim_set, (unsigned)d + 1, (unsigned)(n - d - 1));
    one = isl_set_project_out(one, isl_dim_set, 0, (unsigned)d);
    one = isl_set_coalesce(isl_set_make_disjoint(one));
    isl_pw_aff *pa = upper ? isl_set_dim_max(one, 0) : isl_set_dim_min(one, 0);
    return isl_pw_aff_coalesce(pa);
}

static isl_pw_aff *plus(isl_pw_aff *pa, int v)
{
    isl_ctx *ctx = pa ? isl_pw_aff_get_ctx(pa) : NULL;
    if (!ctx) /* given up */
        return pa;
    return isl_pw_aff_add_constant_val(pa, isl_val_int_from_si(ctx, v));
}

/* Smallest value of dimension d inside the first `loops` loops, or one past the largest. */
const sq_code_expr *sq_lowering_range(sq_lowering *w, int loops, int d, bool upper)
{
    if (w->box && upper && w->bounds.end[d] && loops >= sq_lowering_hangs_from(w, d))
        return sq_box_end(&w->bounds, loops, d);
    isl_set *points = sq_lowering_points(w, loops), *context = sq_lowering_context(w, loops);
    isl_pw_aff *pa = sq_range_end(points, d, upper);
    pa = isl_pw_aff_gist(upper ? plus(pa, 1) : pa, isl_set_copy(context));
    const sq_code_expr *range = sq_code_from_pw_aff(w->code, pa, context);
    isl_set_free(context);
    return range;
}

/* Where loop i's tiles start counting from. */
static const sq_code_expr *base_of(const sq_lowering *w, int i)
{
    int e = sq_loop_around(w->group, i);
    return e >= 0 ? sq_code_name(w->code, w->group->loop[e].name)
                  : w->nest->anchor[w->group->loop[i].dim];
}

/* ---- leaf ---- */

/* Integers that pa takes for any parameters. */
static isl_set *values_of(__isl_take isl_pw_aff *pa)
{
    isl_set *s = isl_set_from_pw_aff(pa);
    return isl_set_project_out(s, isl_dim_param, 0, (unsigned)isl_set_dim(s, isl_dim_param));
}

static bool only_two(isl_set *values, int64_t a, int64_t b)
{
    isl_set *two = isl_set_read_from_str(isl_set_get_ctx(values), "{ [0] : false }");
    for (int i = 0; i < 2; i++) {
        isl_set *one = isl_set_universe(isl_set_get_space(values));
        one = isl_set_fix_si(one, isl_dim_set, 0, (int)(i ? b : a));
        two = isl_set_union(two, one);
    }
    bool ok = isl_set_is_subset(values, two) == isl_bool_true;
    isl_set_free(two);
    return ok;
}

/* How many points of dimension d the tile has, over sizes and loop variables. */
static isl_pw_aff *number_of(sq_lowering *w, int d)
{
    int last = w->group->nloops, inner = sq_group_inner_loop(w->group, d);
    isl_pw_aff *n = plus(sq_range_end(sq_lowering_points(w, last), d, true), 1);
    isl_set *dom = isl_pw_aff_domain(isl_pw_aff_copy(n));
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(dom));
    isl_set_free(dom);
    int p = isl_local_space_find_dim_by_name(ls, isl_dim_param, w->group->loop[inner].name);
    isl_aff *v = isl_aff_var_on_domain(ls, isl_dim_param, (unsigned)p);
    return isl_pw_aff_sub(n, isl_pw_aff_from_aff(v));
}

/* The least of them; 1 where it is not known. */
static int64_t least_of(isl_set *values /* __isl_keep */)
{
    isl_val *lo = isl_set_dim_min_val(isl_set_copy(values), 0);
    int64_t least = isl_val_is_int(lo) == isl_bool_true ? isl_val_get_num_si(lo) : 1;
    isl_val_free(lo);
    return least;
}

static sq_count count_of(sq_lowering *w, int d)
{
    if (w->box)
        return sq_box_count(&w->bounds, d);
    int64_t points = w->group->micro.points[d];
    sq_count c = {SQ_COUNT_RUNTIME, 0, NULL};
    isl_pw_aff *n = number_of(w, d);
    isl_set *context = sq_lowering_context(w, w->group->nloops);
    n = isl_pw_aff_intersect_params(n, isl_set_copy(context));
    isl_set *values = values_of(isl_pw_aff_copy(n));
    c.rest = least_of(values);
    if (c.rest >= points)
        c.kind = SQ_COUNT_FULL;
    else if (isl_set_dim(w->kernel->context, isl_dim_param) == 0 &&
             only_two(values, points, c.rest))
        c.kind = SQ_COUNT_EXACT;
    c.number = sq_code_from_pw_aff(w->code, isl_pw_aff_gist(n, isl_set_copy(context)), context);
    isl_set_free(context);
    isl_set_free(values);
    return c;
}

/* Where the tile runs only at these sizes and loop variables it may always be whole: one that reads
 * past its points, too, stays away from the ends of the arrays. */
static void fill_counts(sq_lowering *w, isl_set *good /* __isl_keep */)
{
    const sq_group *g = w->group;
    for (int d = 0; d < g->nfree; d++) {
        sq_count *c = &w->nest->count[d];
        if (g->micro.points[d] <= 1 || c->kind != SQ_COUNT_RUNTIME ||
            sq_group_reach(g, d) != g->micro.points[d])
            continue;
        isl_set *values =
            values_of(isl_pw_aff_intersect_params(number_of(w, d), isl_set_copy(good)));
        if (least_of(values) >= g->micro.points[d])
            c->kind = SQ_COUNT_FULL;
        isl_set_free(values);
    }
}

/* True if no tile, where it runs, has more than one point in any direction. A tile then gains
 * nothing over single points: of rows that end at different places, or of every second point, only
 * a single point is a box. */
static bool is_one_point(sq_lowering *w, isl_set *good /* __isl_keep */)
{
    const sq_group *g = w->group;
    bool any = false, one = true;
    for (int d = 0; d < g->nfree && one; d++) {
        if (g->micro.points[d] <= 1)
            continue;
        isl_set *values =
            values_of(isl_pw_aff_intersect_params(number_of(w, d), isl_set_copy(good)));
        isl_val *most = isl_set_dim_max_val(values, 0);
        one = isl_val_is_one(most) == isl_bool_true;
        any = true;
        isl_val_free(most);
    }
    return any && one;
}

/* What is short stands for itself; anything else gets a variable. */
static const sq_code_expr *name_start(sq_lowering *w, const sq_code_expr *lo, const char *dim)
{
    return lo && !sq_code_is_short(lo)
               ? sq_code_name(w->code, sq_arena_printf(w->arena, "@%s_from", dim))
               : lo;
}

static void leaf_counts(sq_lowering *w)
{
    const sq_group *g = w->group;
    for (int d = 0; d < g->nfree; d++)
        if (g->micro.points[d] > 1)
            w->nest->count[d] = count_of(w, d);
    int s = g->micro.serial;
    if (s >= 0) {
        w->nest->serial_lo = sq_lowering_range(w, g->nloops, s, false);
        w->nest->serial_hi = sq_lowering_range(w, g->nloops, s, true);
        w->nest->serial_from = name_start(w, w->nest->serial_lo, g->dim[s]);
        if (w->box && !w->hangs[s])
            w->nest->steps = sq_box_steps(&w->bounds, s);
        if (!w->nest->steps.most && w->nest->serial_lo && w->nest->serial_hi)
            w->nest->steps.divisor =
                sq_code_divisor(sq_code_sub(w->code, w->nest->serial_hi, w->nest->serial_lo));
    }
}

/* The innermost of the loops over dimension d that run outside the tile, -1. Others over d may run
 * inside: hold(). */
static int outside_tile(const sq_group *g, int d)
{
    int l = sq_group_held(g) - 1;
    while (l >= 0 && g->loop[l].dim != d)
        l--;
    return l;
}

/* First and last partial sum: conditions on the innermost loop of each reduction dimension that
 * runs outside the tile. */
static void partial_conditions(sq_lowering *w)
{
    const sq_group *g = w->group;
    sq_nest *n = w->nest;
    for (int d = g->nfree; d < g->ndim; d++) {
        int l = outside_tile(g, d);
        if (l < 0)
            continue;
        const sq_code_expr *at = sq_code_name(w->code, g->loop[l].name),
                           *next = sq_code_plus(w->code, at, g->loop[l].step),
                           *start = w->bounds.start[d];
        n->first =
            sq_code_and(w->code, n->first,
                        start == n->anchor[d] ? sq_code_compare(w->code, SQ_CODE_EQ, at, start)
                                              : sq_code_compare(w->code, SQ_CODE_GT, next, start));
        n->last = sq_code_and(w->code, n->last,
                              sq_code_compare(w->code, SQ_CODE_GE, next, w->bounds.end[d]));
    }
}

/* Parameters for which the tile's points are no box anchored at the loops' values. */
static isl_set *ragged(sq_lowering *w)
{
    const sq_group *g = w->group;
    isl_set *tile = sq_lowering_points(w, g->nloops), *box = NULL, *bad;
    for (int d = 0; d < g->ndim; d++) {
        isl_set *one = isl_set_copy(tile);
        one = isl_set_project_out(one, isl_dim_set, (unsigned)d + 1, (unsigned)(g->ndim - d - 1));
        one = isl_set_project_out(one, isl_dim_set, 0, (unsigned)d);
        if (w->holes)
            one = sq_without_holes(one);
        one = isl_set_insert_dims(one, isl_dim_set, 0, (unsigned)d);
        one = isl_set_add_dims(one, isl_dim_set, (unsigned)(g->ndim - d - 1));
        box = box ? isl_set_intersect(box, one) : one;
    }
    isl_set *plain = isl_set_reset_tuple_id(isl_set_copy(tile));
    bad = isl_set_params(isl_set_subtract(isl_set_reset_tuple_id(box), isl_set_copy(plain)));
    for (int d = 0; d < g->ndim; d++) {
        int l = sq_group_inner_loop(g, d);
        if (l < 0 || g->loop[l].step == 1)
            continue;
        isl_set *at = isl_set_copy(plain);
        int p = isl_set_find_dim_by_name(at, isl_dim_param, g->loop[l].name);
        isl_set *here = isl_set_equate(at, isl_dim_set, d, isl_dim_param, p);
        isl_set *off = isl_set_subtract(isl_set_params(isl_set_copy(plain)), isl_set_params(here));
        bad = isl_set_union(bad, off);
    }
    isl_set_free(plain);
    return isl_set_coalesce(bad);
}

sq_node *sq_lowering_node(const sq_lowering *w, sq_node_kind kind)
{
    sq_node *n = SQ_NEW(w->arena, sq_node);
    n->kind = kind;
    return n;
}

static sq_node *scan_leaf(sq_lowering *w)
{
    sq_node *n = sq_lowering_node(w, SQ_NODE_SCAN);
    return sq_scan_points(w->nest, sq_lowering_points(w, w->group->nloops), &n->code) ? n : NULL;
}

static sq_node *fusion_leaf(sq_lowering *w)
{
    sq_node *n = sq_lowering_node(w, SQ_NODE_FUSION);
    n->fusion = w->fusion;
    return n;
}

static sq_node *tile_leaf(sq_lowering *w)
{
    w->nest->has_tiles = true;
    return sq_lowering_node(w, SQ_NODE_TILE);
}

/* A tile at some values of sizes and loop variables, points one by one at others of them. */
static sq_node *mixed_leaf(sq_lowering *w, isl_set *good, isl_set *context /* both __isl_keep */)
{
    if (sq_lowering_takes_points(w) != 0)
        return NULL;
    if (is_one_point(w, good))
        return scan_leaf(w);
    sq_node *leaf = sq_lowering_node(w, SQ_NODE_IF);
    isl_set *where = isl_set_gist(isl_set_copy(good), isl_set_copy(context));
    leaf->cond = sq_code_from_set(w->code, where, context);
    leaf->body = tile_leaf(w);
    fill_counts(w, good);
    leaf->other = scan_leaf(w);
    return leaf->other ? leaf : NULL;
}

static sq_node *lower_leaf(sq_lowering *w)
{
    if (w->fusion)
        return fusion_leaf(w);
    if (w->scan || !sq_tile_possible(w->nest))
        return scan_leaf(w);
    leaf_counts(w);
    isl_set *bad = sq_lowering_outside(w);
    if (w->box && !bad)
        return tile_leaf(w);
    if (!w->box)
        bad = bad ? isl_set_coalesce(isl_set_union(bad, ragged(w))) : ragged(w);
    isl_set *context = sq_lowering_context(w, w->group->nloops);
    isl_set *good = isl_set_subtract(isl_set_copy(context), bad);
    bool always = isl_set_is_subset(context, good) == isl_bool_true;
    sq_node *leaf = always ? tile_leaf(w) : mixed_leaf(w, good, context);
    isl_set_free(good);
    isl_set_free(context);
    return leaf;
}

/* ---- loops ---- */

/* The first value of loop i: the start of the tile that holds the smallest point. */
static const sq_code_expr *loop_start(sq_lowering *w, int i)
{
    const sq_loop *l = &w->group->loop[i];
    const sq_code_expr *base = base_of(w, i);
    if (w->box)
        return base;
    const sq_code_expr *lo = sq_lowering_range(w, i, l->dim, false);
    if (!lo || l->step == 1 || lo == base)
        return lo;
    const sq_code_expr *tiles = sq_code_divide(
        w->code, SQ_CODE_FLOORD, sq_code_sub(w->code, lo, base), sq_code_number(w->code, l->step));
    return sq_code_add_scaled(w->code, base, l->step, tiles);
}

static bool runs_once(const sq_lowering *w, int i)
{
    const sq_loop *l = &w->group->loop[i];
    int e = sq_loop_around(w->group, i);
    if (e >= 0)
        return w->group->loop[e].step <= l->step;
    int64_t n = sq_stmt_extent(w->group->stmt[0], l->dim);
    return n >= 0 && n <= l->step;
}

static sq_node *lower_loops(sq_lowering *w, int i);

/* From loop i on; what runs inside the tile comes under a node of its own. */
static sq_node *lower_from(sq_lowering *w, int i)
{
    sq_node *inside = i == w->group->nloops ? lower_leaf(w) : lower_loops(w, i);
    if (!inside || i == w->group->nloops || i != sq_group_held(w->group))
        return inside;
    sq_node *held = sq_lowering_node(w, SQ_NODE_HELD);
    held->body = inside;
    return held;
}

static sq_node *lower_loops(sq_lowering *w, int i)
{
    const sq_loop *l = &w->group->loop[i];
    sq_node *n = sq_lowering_node(w, SQ_NODE_LOOP);
    n->name = l->name;
    n->step = l->step;
    n->lo = loop_start(w, i);
    n->hi = sq_lowering_range(w, i, l->dim, true);
    n->runs = l->runs;
    n->threads = l->threads;
    n->once = w->box && runs_once(w, i);
    if (!n->hi || !n->lo)
        return NULL;
    const sq_code_expr *hole = w->holes ? sq_lowering_hole(w, i) : NULL;
    sq_node *body = lower_from(w, i + 1);
    n->body = body ? sq_lowering_copies(w, i, body) : NULL;
    if (body && hole) {
        sq_node *guarded = sq_lowering_node(w, SQ_NODE_IF);
        guarded->cond = hole;
        guarded->body = n->body;
        n->body = guarded;
    }
    return body ? n : NULL;
}

/* True if the group's domain, on the shared dimensions, is the frame's whole domain at all sizes at
 * which it is not empty. */
static bool fills_frame(sq_lowering *w, const int *dim, int n)
{
    isl_set *set = isl_set_copy(w->points[0]), *sizes = isl_set_params(isl_set_copy(set));
    isl_space *space = isl_space_params(isl_set_get_space(set));
    space = isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, (unsigned)n);
    isl_map *pick =
        isl_map_universe(isl_space_map_from_domain_and_range(isl_set_get_space(set), space));
    for (int i = 0; i < n; i++)
        pick = isl_map_equate(pick, isl_dim_in, dim[i], isl_dim_out, i);
    set = isl_set_apply(set, pick);
    isl_set *all = isl_set_intersect_params(isl_set_copy(w->frame->domain), sizes);
    bool fills = isl_set_is_equal(set, all) == isl_bool_true;
    isl_set_free(set);
    isl_set_free(all);
    return fills;
}

/* The shared loops count from where the frame's do, and run over its values: a group that has not
 * all of them needs its own bounds inside, and a condition. */
static void enter_frame(sq_lowering *w)
{
    const sq_group *f = w->frame->nest->group;
    int dim[SQ_MAX_DIMS], n = sq_group_shared_dims(w->group, f->nloops, dim);
    w->box = w->box && fills_frame(w, dim, n);
    for (int i = 0; i < n; i++)
        w->nest->anchor[dim[i]] = w->bounds.start[dim[i]] = w->frame->nest->anchor[i];
}

/* When the nest runs at all: where it has points, as far as what is around does not say so. */
static const sq_code_expr *condition(sq_lowering *w)
{
    int shared = w->frame ? w->frame->nest->group->nloops : 0;
    isl_set *context = isl_set_copy(w->frame ? w->frame->inside : w->kernel->context);
    isl_set *some =
        isl_set_params(isl_set_copy(w->box ? w->points[0] : sq_lowering_points(w, shared)));
    some = isl_set_gist(isl_set_coalesce(some), isl_set_copy(context));
    const sq_code_expr *when = sq_code_from_set(w->code, some, context);
    isl_set_free(context);
    return when && sq_code_is(when, 1) ? NULL : when;
}

/* What tiles of dimension d count from, as legality has it: where the least value is no single
 * affine expression that is another one. */
static const sq_code_expr *anchor(sq_lowering *w, int d)
{
    isl_pw_aff *from = isl_pw_aff_from_aff(sq_group_lower(w->schedule, w->group, d));
    isl_pw_aff *least = sq_range_end(w->points[0], d, false);
    isl_set *context = sq_lowering_context(w, 0);
    least = isl_pw_aff_intersect_params(least, isl_set_copy(context));
    isl_pw_aff *same = isl_pw_aff_intersect_params(isl_pw_aff_copy(from), isl_set_copy(context));
    bool single = isl_pw_aff_is_equal(least, same) == isl_bool_true;
    const sq_code_expr *at = w->bounds.start[d];
    if (!single) {
        w->box = false;
        at = sq_code_from_pw_aff(w->code, isl_pw_aff_copy(from), context);
    }
    isl_pw_aff_free(from);
    isl_pw_aff_free(least);
    isl_pw_aff_free(same);
    isl_set_free(context);
    return at;
}

static void prepare(sq_lowering *w)
{
    const sq_stmt *s = w->group->stmt[0];
    isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(s->updates ? s->updates : s->domain));
    domain = isl_set_intersect_params(domain, isl_set_copy(w->kernel->context));
    w->points[0] = isl_set_coalesce(isl_set_remove_redundancies(domain));
    w->box = w->group->ndim == 0 || sq_lowering_is_box(w);
    w->holes = !w->box && sq_has_holes(w->points[0]);
    w->bounds.group = w->group;
    w->bounds.code = w->code;
    for (int d = 0; d < w->group->ndim; d++) {
        w->bounds.start[d] = sq_lowering_range(w, 0, d, false);
        w->nest->anchor[d] = anchor(w, d);
        w->nest->end[d] = sq_lowering_range(w, 0, d, true);
        w->bounds.end[d] = w->hangs[d] ? sq_lowering_range(w, sq_lowering_hangs_from(w, d), d, true)
                                       : w->nest->end[d];
    }
    if (w->frame)
        enter_frame(w);
}

/* Within a limit: the ranges of conditions with many remainders can be more work than anyone waits
 * for, and what comes after takes less. */
static int prepare_bounded(sq_lowering *w)
{
    enum { MOST_OPERATIONS = 6000000 };
    const char *why = NULL;
    sq_quota q = sq_quota_begin(
        w->kernel->ctx, sq_quota_share(w->kernel, sq_quota_share(w->kernel, MOST_OPERATIONS)));
    prepare(w);
    return sq_quota_end(q, &why) ? sq_ast_loops_refused(w->group->stmt[0], w->diags) : 0;
}

static void release(sq_lowering *w)
{
    for (int i = 0; i <= w->group->nloops; i++)
        isl_set_free(w->points[i]);
}

/* A default schedule may hold partial sums that the output cannot keep (no script brings that
 * about): each element is then computed at once, in loops over the free dimensions alone. */
static const sq_group *without_partial_sums(sq_lowering *w, const sq_group *g)
{
    if (!sq_group_unstorable(g) && !sq_group_disordered(g))
        return g;
    sq_group *c = sq_group_copy(w->schedule, g, w->arena);
    c->nloops = c->npacks = 0;
    c->micro = (sq_micro){.vector = -1, .lanes = 1, .serial = -1, .unroll = 1, .split = 1};
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        c->micro.points[d] = 1;
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].dim < g->nfree && sq_group_inner_loop(g, g->loop[l].dim) == l)
            c->loop[c->nloops++] = g->loop[l];
    for (int l = 0; l < c->nloops; l++)
        c->loop[l].step = 1;
    w->scan = true;
    return c;
}

sq_nest *sq_lower(const sq_schedule *s, int group, const sq_frame *frame, const sq_target *t,
                  sq_code_pool *code, sq_diags *d)
{
    sq_lowering w = {.schedule = s,
                     .kernel = s->kernel,
                     .group = s->group[group],
                     .frame = frame,
                     .arena = code->arena,
                     .code = code,
                     .diags = d};
    int shared = frame ? frame->nest->group->nloops : 0;
    w.nest = SQ_NEW(w.arena, sq_nest);
    w.nest->code = code;
    w.group = without_partial_sums(&w, w.group);
    w.nest->group = w.group;
    w.nest->kernel = w.kernel;
    w.nest->index = group;
    w.nest->rounded = sq_strict_rounded(w.kernel, t);
    if (prepare_bounded(&w) != 0) {
        release(&w);
        return NULL;
    }
    w.nest->ref = sq_refs_new(w.group, code, &w.nest->nrefs);
    partial_conditions(&w);
    bool ok = sq_lowering_buffers(&w) == 0;
    w.nest->cond = ok ? condition(&w) : NULL;
    ok = ok && sq_lowering_grid_fits(&w) == 0;
    w.nest->box = w.box;
    for (int dim = 0; dim < w.group->ndim; dim++)
        w.nest->hangs |= w.hangs[dim];
    sq_node *root = ok ? lower_from(&w, shared) : NULL;
    w.nest->root = root ? sq_lowering_copies(&w, shared - 1, root) : NULL;
    release(&w);
    if (!root && !sq_diags_errors(d))
        sq_error(d, SQ_FAULT_BUG, w.group->stmt[0]->loc, "cannot lower '%s': %s",
                 w.group->stmt[0]->name, isl_ctx_last_error_msg(w.kernel->ctx));
    return root ? w.nest : NULL;
}

/* The shared loops as a group of their own: one statement without accesses, over their dimensions.
 */
static sq_group *frame_group(const sq_schedule *s, const sq_group *g, int shared, isl_set *domain,
                             sq_arena *arena)
{
    sq_group *f = sq_group_copy(s, g, arena);
    sq_stmt *stmt = SQ_NEW(arena, sq_stmt);
    int dim[SQ_MAX_DIMS], n = sq_group_shared_dims(g, shared, dim);
    *stmt = (sq_stmt){.name = g->stmt[0]->name,
                      .loc = g->stmt[0]->loc,
                      .ndim = n,
                      .nfree = n,
                      .reduce = SQ_OP_CONST,
                      .domain = domain};
    f->stmt[0] = stmt;
    f->ndim = f->nfree = n;
    f->nloops = shared;
    f->npacks = 0;
    f->micro = (sq_micro){.vector = -1, .lanes = 1, .serial = -1, .unroll = 1, .split = 1};
    for (int i = 0; i < n; i++) {
        f->dim[i] = g->dim[dim[i]];
        f->micro.points[i] = 1;
        for (int l = 0; l < shared; l++)
            if (g->loop[l].dim == dim[i])
                f->loop[l].dim = i;
    }
    return f;
}

int sq_lower_frame(const sq_schedule *s, int head, const sq_fusion *fusion, sq_frame *frame,
                   sq_code_pool *code, sq_diags *d)
{
    const sq_group *g = s->group[head];
    int shared = sq_fusion_shared(s, head);
    sq_lowering w = {.schedule = s,
                     .kernel = s->kernel,
                     .fusion = fusion,
                     .arena = code->arena,
                     .code = code,
                     .diags = d};
    w.group = frame_group(s, g, shared, frame->domain, w.arena);
    w.nest = SQ_NEW(w.arena, sq_nest);
    w.nest->code = code;
    w.nest->group = w.group;
    w.nest->kernel = w.kernel;
    w.nest->index = head;
    w.nest->has_fusion = true;
    prepare(&w);
    w.nest->cond = condition(&w);
    w.nest->box = w.box;
    w.nest->root = lower_from(&w, 0);
    frame->nest = w.nest;
    sq_lowering_points(&w, shared);
    frame->inside = sq_lowering_context(&w, shared);
    release(&w);
    if (w.nest->root)
        return 0;
    return sq_error(d, SQ_FAULT_BUG, g->stmt[0]->loc, "cannot lower the loops around '%s': %s",
                    g->stmt[0]->name, isl_ctx_last_error_msg(w.kernel->ctx));
}
