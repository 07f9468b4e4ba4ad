/* Lower: one group of a schedule -> its nest. isl computes bounds, one loop at a time from the
 * outside in; it neither sees the points of a register tile nor builds the loops, so the nest
 * is always one chain of loops with the tile at its leaf:
 *
 *   Q[0] = the domain; Q[i+1] = Q[i] with loop i's variable as a parameter and its tile's bounds.
 *   Loop i runs over the range of its dimension in Q[i]; the leaf's counts are ranges in Q[last].
 *
 * The leaf is in lower_leaf.c. */
#include "codegen/nest/lower_inside.h"
#include "codegen/nest/ast_loops.h"
#include "codegen/isa/strict.h"
#include "codegen/code/from_isl.h"
#include "ir/kernel/kept.h"
#include "ir/kernel/quota.h"
#include <isl/aff.h>
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

isl_pw_aff *sq_range_past(isl_set *s, int d)
{
    isl_pw_aff *most = sq_range_end(s, d, true);
    isl_ctx *ctx = most ? isl_pw_aff_get_ctx(most) : NULL;
    if (!ctx) /* the computation exceeded its limit */
        return most;
    return isl_pw_aff_add_constant_val(most, isl_val_int_from_si(ctx, 1));
}

/* Returns the minimum of dimension d inside the first `loops` loops, or the maximum plus 1. */
const sq_code_expr *sq_lowering_range(sq_lowering *w, int loops, int d, bool upper)
{
    if (w->box && upper && w->bounds.end[d] && loops >= sq_lowering_ragged_from(w, d))
        return sq_box_end(&w->bounds, loops, d);
    sq_text of = {0};
    isl_set *points = sq_lowering_points(w, loops), *context = sq_lowering_context(w, loops);
    sq_text_printf(&of, "%s of %d\n", upper ? "end" : "start", d);
    sq_kept_put_set(points, &of);
    sq_kept_put_set(context, &of);
    isl_ast_expr *e = sq_kept_expr(w->kernel, &of);
    if (!e) {
        isl_pw_aff *pa = upper ? sq_range_past(points, d) : sq_range_end(points, d, false);
        e = sq_keep_expr(w->kernel, &of, sq_ast_from_pw_aff(isl_pw_aff_gist(pa, isl_set_copy(context)), context));
    }
    sq_text_free(&of);
    isl_set_free(context);
    return sq_code_take_ast(w->code, e);
}

/* Returns the origin of loop i's tiles. */
static const sq_code_expr *base_of(const sq_lowering *w, int i)
{
    int e = sq_loop_around(w->group, i);
    return e >= 0 ? sq_code_name(w->code, w->group->loop[e].name)
                  : w->nest->anchor[w->group->loop[i].dim];
}

sq_node *sq_lowering_node(const sq_lowering *w, sq_node_kind kind)
{
    sq_node *n = SQ_NEW(w->arena, sq_node);
    n->kind = kind;
    return n;
}

/* Returns the innermost of the loops over dimension d outside of the tile, or -1. Others over d may
 * run inside: hold(). */
static int outside_tile(const sq_group *g, int d)
{
    int l = sq_group_held(g) - 1;
    while (l >= 0 && g->loop[l].dim != d)
        l--;
    return l;
}

/* True if the loops, run once where the sum is empty, compute its points, too: the serial loop of the tile is the only
 * one that may be empty, and its count says so. */
static bool takes_empty(const sq_lowering *w)
{
    const sq_group *g = w->group;
    const sq_stmt *s = g->stmt[0];
    int serial = g->micro.serial;
    int64_t start;
    if (!s->updates || s->reduce != SQ_OP_ADD || serial < g->nfree || !w->box || w->nest->on_grid ||
        sq_group_held(g) < g->nloops || !sq_code_known(w->bounds.start[serial], &start))
        return false;
    for (int d = g->nfree; d < g->ndim; d++)
        if (w->ragged[d] || (d != serial && sq_stmt_extent(s, d) < 1))
            return false;
    for (int l = 0; l < g->nloops; l++) {
        const sq_loop *x = &g->loop[l];
        if (x->dim == serial && (x->step == 1 || x->runs != SQ_LOOP_SERIAL || sq_box_whole(&w->bounds, l)))
            return false;
    }
    return true;
}

/* Computes the conditions of the first and last partial sum, from the innermost loop of each
 * reduction dimension outside of the tile. */
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

/* ---- loops ---- */

/* Returns the first value of loop i: the start of the tile that contains the smallest point. */
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

/* Lowers loop i and those inside; loops inside of the tile are under a node of their own. */
static sq_node *lower_from(sq_lowering *w, int i)
{
    sq_node *inside = i == w->group->nloops ? sq_lowering_leaf(w) : lower_loops(w, i);
    if (!inside || i == w->group->nloops || i != sq_group_held(w->group))
        return inside;
    sq_node *held = sq_lowering_node(w, SQ_NODE_HELD);
    held->meets = sq_group_team_beside(w->group) > 1;
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
    if (w->nest->takes_empty && l->dim == w->group->micro.serial && n->hi && n->lo)
        n->hi = sq_code_max(w->code, n->hi, sq_code_plus(w->code, n->lo, 1));
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

/* The shared loops have the frame's origin and values: a group that lacks some of these needs its
 * own bounds inside, and a condition. */
static void enter_frame(sq_lowering *w)
{
    const sq_group *f = w->frame->nest->group;
    int dim[SQ_MAX_DIMS], n = sq_group_shared_dims(w->group, f->nloops, dim);
    w->box = w->box && fills_frame(w, dim, n);
    for (int i = 0; i < n; i++)
        w->nest->anchor[dim[i]] = w->bounds.start[dim[i]] = w->frame->nest->anchor[i];
}

/* Returns the condition that the nest has points, as far as it does not follow from its context. */
static const sq_code_expr *condition(sq_lowering *w)
{
    int shared = w->frame ? w->frame->nest->group->nloops : 0;
    isl_set *context = isl_set_copy(w->frame ? w->frame->inside : w->kernel->context);
    isl_set *some = w->nest->takes_empty
                        ? isl_set_intersect_params(isl_set_copy(w->group->stmt[0]->domain),
                                                   isl_set_copy(w->kernel->context))
                        : isl_set_copy(w->box ? w->points[0] : sq_lowering_points(w, shared));
    some = isl_set_params(some);
    some = isl_set_gist(isl_set_coalesce(some), isl_set_copy(context));
    const sq_code_expr *when = sq_code_from_set(w->code, some, context);
    isl_set_free(context);
    return when && sq_code_is(when, 1) ? NULL : when;
}

/* Returns the origin of the tiles of dimension d, as legality defines it: where the minimum is no
 * single affine expression, it is another one. */
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
    w->bounds.sizes = w->kernel->context;
    w->bounds.code = w->code;
    for (int d = 0; d < w->group->ndim; d++) {
        w->bounds.start[d] = sq_lowering_range(w, 0, d, false);
        w->nest->anchor[d] = anchor(w, d);
        w->nest->end[d] = sq_lowering_range(w, 0, d, true);
        w->bounds.end[d] = w->ragged[d] ? sq_lowering_range(w, sq_lowering_ragged_from(w, d), d, true)
                                       : w->nest->end[d];
    }
    if (w->frame)
        enter_frame(w);
}

static void release(sq_lowering *w)
{
    for (int i = 0; i <= w->group->nloops; i++)
        isl_set_free(w->points[i]);
}

/* A default schedule may have partial sums that the output cannot hold (no script makes one): then
 * each element is computed at once, in loops over the free dimensions only. */
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

/* Makes the nest, once its ranges are known; its root is NULL if isl gave up or an error was
 * added. */
static void nest_of(sq_lowering *w, int shared)
{
    w->nest->ref = sq_refs_new(w->group, w->code, &w->nest->nrefs);
    if (w->frame) {
        w->nest->window = w->frame->window;
        w->nest->nwindows = w->frame->nwindows;
        sq_refs_enter(w->nest->ref, w->nest->nrefs, w->nest->window, w->nest->nwindows, w->group, w->code);
    }
    w->nest->takes_empty = takes_empty(w);
    partial_conditions(w);
    if (sq_lowering_buffers(w) != 0)
        return;
    w->nest->cond = condition(w);
    if (sq_lowering_grid_fits(w) != 0)
        return;
    w->nest->box = w->box;
    for (int dim = 0; dim < w->group->ndim; dim++)
        w->nest->ragged |= w->ragged[dim];
    sq_node *root = lower_from(w, shared);
    w->nest->root = root ? sq_lowering_copies(w, shared - 1, root) : NULL;
}

/* Makes the loops that nests share. */
static void frame_of(sq_lowering *w, int shared)
{
    w->nest->cond = condition(w);
    w->nest->box = w->box;
    w->nest->root = lower_from(w, 0);
    sq_lowering_points(w, shared);
}

/* Even sets with one division can take seconds for a tenth of the usual operations. */
static sq_quota begin_bounded(const sq_lowering *w, unsigned long operations)
{
    unsigned long most = sq_quota_share(w->kernel, sq_quota_share(w->kernel, operations));
    unsigned long divided = most < operations ? operations / 20 : operations;
    return sq_quota_begin(w->kernel->ctx, most < divided ? most : divided);
}

static bool is_given_up(const sq_lowering *w)
{
    return isl_ctx_last_error(w->kernel->ctx) == isl_error_quota;
}

/* Computes ranges, and then what follows from them, each within a limit: sets of conditions with
 * many remainders can take too long. If a limit is exceeded the schedule is refused. Returns -1
 * with an error added. */
static int bounded(sq_lowering *w, int shared, void (*make)(sq_lowering *w, int shared))
{
    enum { MOST_OF_RANGES = 6000000, MOST_OF_THE_REST = 16000000 };
    const char *why = NULL;
    size_t mark = sq_diags_mark(w->diags);
    const sq_stmt *s = w->group->stmt[0];
    sq_quota q = begin_bounded(w, MOST_OF_RANGES);
    prepare(w);
    bool given_up = is_given_up(w), failed = sq_quota_end(q, &why);
    given_up |= failed && !w->fusion;
    if (!given_up) {
        q = begin_bounded(w, MOST_OF_THE_REST);
        make(w, shared);
        given_up = is_given_up(w); /* an unbounded range is another error */
        sq_quota_end(q, &why);
    }
    if (given_up) {
        sq_diags_rewind(w->diags, mark); /* errors that follow from missing sets */
        return sq_ast_loops_refused(s, w->diags);
    }
    if (w->nest->root)
        return 0;
    return sq_diags_mark(w->diags) > mark ? -1 : sq_ast_loops_refused(s, w->diags);
}

/* Returns the number that the names of a nest's functions and copies end in: that of its group; of the nest of a
 * statement inside of a tree another one than those of groups. */
static int number_of(const sq_schedule *s, int group)
{
    const sq_kernel *k = s->kernel;
    return k->whole ? k->whole->nstmts + k->stmt[0]->position : group;
}

sq_nest *sq_lower(const sq_schedule *s, int group, const sq_frame *frame, const sq_target *t,
                  sq_code_pool *code, sq_diags *d)
{
    sq_lowering w = {.schedule = s,
                     .kernel = s->kernel,
                     .group = s->group[group],
                     .target = t,
                     .frame = frame,
                     .arena = code->arena,
                     .code = code,
                     .diags = d,
                     .scan = s->group[group]->by_points};
    int shared = frame ? frame->nest->group->nloops : 0;
    w.nest = SQ_NEW(w.arena, sq_nest);
    w.nest->code = code;
    w.group = without_partial_sums(&w, w.group);
    w.nest->group = w.group;
    w.nest->kernel = w.kernel;
    w.nest->index = number_of(s, group);
    w.nest->on_grid = t && t->grid;
    w.nest->rounded = sq_strict_rounded(w.kernel, t);
    int rc = bounded(&w, shared, nest_of);
    release(&w);
    return rc == 0 ? w.nest : NULL;
}

/* Returns the shared loops as a group of their own: one statement without accesses, over their
 * dimensions. */
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
    int rc = bounded(&w, shared, frame_of);
    frame->nest = w.nest;
    frame->inside = rc == 0 ? sq_lowering_context(&w, shared) : NULL;
    release(&w);
    return rc;
}
