/* Leaf: what runs inside all loops of a group. It is a register tile if its points form a box
 * anchored at the origin (tested on sets, and always so for rectangular domains) and its reads,
 * except those of copies, are inside of the arrays; otherwise the points are scanned one by one, as
 * are all points if no tile would have more than one point. */
#include "codegen/nest/lower_inside.h"
#include "codegen/lower/scan.h"
#include "codegen/code/from_isl.h"
#include "ir/kernel/kept.h"
#include "ir/kernel/quota.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

/* Returns the integers that pa takes over all parameters. */
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

/* Returns the number of points of dimension d in the tile, over sizes and loop variables. */
static isl_pw_aff *number_of(sq_lowering *w, int d)
{
    int last = w->group->nloops, inner = sq_group_inner_loop(w->group, d);
    isl_pw_aff *n = sq_range_past(sq_lowering_points(w, last), d);
    isl_set *dom = isl_pw_aff_domain(isl_pw_aff_copy(n));
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(dom));
    isl_set_free(dom);
    int p = isl_local_space_find_dim_by_name(ls, isl_dim_param, w->group->loop[inner].name);
    isl_aff *v = isl_aff_var_on_domain(ls, isl_dim_param, (unsigned)p);
    return isl_pw_aff_sub(n, isl_pw_aff_from_aff(v));
}

/* What follows from the instances of a tile at those sizes and loop variables, of its dimension d: the text under which
 * it is kept. */
static sq_text kept_under(const char *what, sq_lowering *w, int d, isl_set *where /* __isl_keep */)
{
    sq_text of = {0};
    int inner = sq_group_inner_loop(w->group, d);
    sq_text_printf(&of, "%s %d %s\n", what, d, inner < 0 ? "" : w->group->loop[inner].name);
    sq_kept_put_set(sq_lowering_points(w, w->group->nloops), &of);
    sq_kept_put_set(where, &of);
    return of;
}

/* Returns the numbers of points that a tile has there. */
static isl_set *numbers_of(sq_lowering *w, int d, isl_set *where /* __isl_keep */)
{
    sq_text of = kept_under("numbers", w, d, where);
    isl_set *values = sq_kept_set(w->kernel, &of);
    if (!values)
        values = sq_keep_set(
            w->kernel, &of,
            values_of(isl_pw_aff_intersect_params(number_of(w, d), isl_set_copy(where))));
    sq_text_free(&of);
    return values;
}

/* Returns the expression of that number. */
static const sq_code_expr *number_at(sq_lowering *w, int d, isl_set *context /* __isl_keep */)
{
    sq_text of = kept_under("number", w, d, context);
    isl_ast_expr *e = sq_kept_expr(w->kernel, &of);
    if (!e) {
        isl_pw_aff *n = isl_pw_aff_intersect_params(number_of(w, d), isl_set_copy(context));
        e = sq_keep_expr(w->kernel, &of,
                         sq_ast_from_pw_aff(isl_pw_aff_gist(n, isl_set_copy(context)), context));
    }
    sq_text_free(&of);
    return sq_code_take_ast(w->code, e);
}

/* Returns their minimum; 1 if it is not known. */
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
    sq_lowering_points(w, w->group->nloops); /* the context is theirs */
    isl_set *context = sq_lowering_context(w, w->group->nloops);
    isl_set *values = numbers_of(w, d, context);
    c.rest = least_of(values);
    if (c.rest >= points)
        c.kind = SQ_COUNT_FULL;
    else if (isl_set_dim(w->kernel->context, isl_dim_param) == 0 &&
             only_two(values, points, c.rest))
        c.kind = SQ_COUNT_EXACT;
    c.number = number_at(w, d, context);
    isl_set_free(context);
    isl_set_free(values);
    return c;
}

/* If the tile runs only at these sizes and loop variables, the full variant may be used always: one
 * that reads past its points, too, stays away from the ends of the arrays. */
static void fill_counts(sq_lowering *w, isl_set *good /* __isl_keep */)
{
    const sq_group *g = w->group;
    for (int d = 0; d < g->nfree; d++) {
        sq_count *c = &w->nest->count[d];
        if (g->micro.points[d] <= 1 || c->kind != SQ_COUNT_RUNTIME ||
            sq_group_reach(g, d) != g->micro.points[d])
            continue;
        isl_set *values = numbers_of(w, d, good);
        if (least_of(values) >= g->micro.points[d])
            c->kind = SQ_COUNT_FULL;
        isl_set_free(values);
    }
}

/* True if no tile, where it runs, has more than one point in any direction. Then a tile has no
 * advantage over single points: for rows that end at different places, or every second point, only
 * a single point is a box. */
static bool is_one_point(sq_lowering *w, isl_set *good /* __isl_keep */)
{
    const sq_group *g = w->group;
    bool any = false, one = true;
    for (int d = 0; d < g->nfree && one; d++) {
        if (g->micro.points[d] <= 1)
            continue;
        isl_set *values = numbers_of(w, d, good);
        isl_val *most = isl_set_dim_max_val(values, 0);
        one = isl_val_is_one(most) == isl_bool_true;
        any = true;
        isl_val_free(most);
    }
    return any && one;
}

/* Expressions that are not short get a variable. */
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
        if (w->box && !w->ragged[s])
            w->nest->steps = sq_box_steps(&w->bounds, s);
        if (!w->nest->steps.most)
            w->nest->steps.divisor = sq_box_divisor(&w->bounds, s);
        if (!w->nest->steps.most && w->nest->steps.divisor == 1 && w->nest->serial_lo &&
            w->nest->serial_hi)
            w->nest->steps.divisor =
                sq_code_divisor(sq_code_sub(w->code, w->nest->serial_hi, w->nest->serial_lo));
    }
}

/* Returns the parameters for which the tile's points are not a box anchored at the loops'
 * values. */
static isl_set *ragged_now(sq_lowering *w)
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
    isl_set *unnamed = isl_set_reset_tuple_id(isl_set_copy(tile));
    bad = isl_set_params(isl_set_subtract(isl_set_reset_tuple_id(box), isl_set_copy(unnamed)));
    for (int d = 0; d < g->ndim; d++) {
        int l = sq_group_inner_loop(g, d);
        if (l < 0 || g->loop[l].step == 1)
            continue;
        isl_set *at = isl_set_copy(unnamed);
        int p = isl_set_find_dim_by_name(at, isl_dim_param, g->loop[l].name);
        isl_set *here = isl_set_equate(at, isl_dim_set, d, isl_dim_param, p);
        isl_set *off =
            isl_set_subtract(isl_set_params(isl_set_copy(unnamed)), isl_set_params(here));
        bad = isl_set_union(bad, off);
    }
    isl_set_free(unnamed);
    return isl_set_coalesce(bad);
}

static isl_set *ragged(sq_lowering *w)
{
    const sq_group *g = w->group;
    sq_text of = {0};
    sq_text_printf(&of, "ragged%s", w->holes ? " with holes" : "");
    for (int d = 0; d < g->ndim; d++) {
        int l = sq_group_inner_loop(g, d);
        sq_text_printf(&of,
                       l < 0                  ? " -"
                       : g->loop[l].step == 1 ? " 1"
                                              : " %s",
                       l < 0 ? "" : g->loop[l].name);
    }
    sq_text_puts(&of, "\n");
    sq_kept_put_set(sq_lowering_points(w, g->nloops), &of);
    isl_set *bad = sq_kept_set(w->kernel, &of);
    bad = bad ? bad : sq_keep_set(w->kernel, &of, ragged_now(w));
    sq_text_free(&of);
    return bad;
}

/* Returns the condition that a tile runs. */
static const sq_code_expr *is_good(sq_lowering *w, isl_set *good,
                                   isl_set *context /* both __isl_keep */)
{
    sq_text of = {0};
    sq_text_puts(&of, "good\n");
    sq_kept_put_set(good, &of);
    sq_kept_put_set(context, &of);
    isl_ast_expr *e = sq_kept_expr(w->kernel, &of);
    if (!e) {
        isl_set *where = isl_set_gist(isl_set_copy(good), isl_set_copy(context));
        e = sq_keep_expr(w->kernel, &of, sq_ast_from_set(where, context));
    }
    sq_text_free(&of);
    return sq_code_take_ast(w->code, e);
}

/* The loops over points have a limit of their own. */
static sq_node *scan_leaf(sq_lowering *w)
{
    sq_node *n = sq_lowering_node(w, SQ_NODE_SCAN);
    isl_set *points = sq_lowering_points(w, w->group->nloops);
    if (isl_ctx_last_error(w->kernel->ctx) == isl_error_quota)
        return NULL;
    unsigned long around = sq_quota_lift(w->kernel->ctx);
    bool made = sq_scan_points(w->nest, points, &n->code);
    sq_quota_widen(w->kernel->ctx, around);
    return made ? n : NULL;
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

/* Makes a tile for some values of sizes and loop variables, and single points for others. */
static sq_node *mixed_leaf(sq_lowering *w, isl_set *good, isl_set *context /* both __isl_keep */)
{
    if (sq_lowering_takes_points(w) != 0)
        return NULL;
    if (is_one_point(w, good))
        return scan_leaf(w);
    sq_node *leaf = sq_lowering_node(w, SQ_NODE_IF);
    leaf->cond = is_good(w, good, context);
    leaf->body = tile_leaf(w);
    fill_counts(w, good);
    leaf->other = scan_leaf(w);
    return leaf->other ? leaf : NULL;
}

sq_node *sq_lowering_leaf(sq_lowering *w)
{
    if (w->fusion)
        return fusion_leaf(w);
    if (w->scan || !sq_tile_possible(w->nest))
        return scan_leaf(w);
    leaf_counts(w);
    isl_set *bad = sq_lowering_outside(w);
    bool outside = bad != NULL;
    if (w->box && !bad) {
        sq_lowering_ends(w, true);
        return tile_leaf(w);
    }
    if (!w->box)
        bad = bad ? isl_set_coalesce(isl_set_union(bad, ragged(w))) : ragged(w);
    isl_set *context = sq_lowering_context(w, w->group->nloops);
    isl_set *good = isl_set_subtract(isl_set_copy(context), bad);
    bool always = isl_set_is_subset(context, good) == isl_bool_true;
    sq_node *leaf = always ? tile_leaf(w) : mixed_leaf(w, good, context);
    sq_lowering_ends(w, !outside);
    isl_set_free(good);
    isl_set_free(context);
    return leaf;
}
