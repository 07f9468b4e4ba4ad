/* Leaf: see leaf.h. */
#include "codegen/lower/leaf.h"
#include "codegen/nest/lower.h"
#include <string.h>

/* True if one part serves whole tiles and others: compilers find no masks where the numbers of points are
 * constants, and the loops over these are short text. */
static bool is_shared(const sq_target *t)
{
    return t->language->unroll != NULL;
}

/* "sq_tile1_i4_j16"; "sq_tile1_i4_j16_part" of a part for what is left over alone. */
static const char *name_of(const sq_nest *n, const sq_variant *v, const sq_target *t)
{
    const sq_group *g = n->group;
    sq_arena *arena = n->code->arena;
    const char *name = g->stmt[0]->updates ? "sq_tile" : "sq_points";
    if (n->index)
        name = sq_arena_printf(arena, "%s%d", name, n->index);
    bool part = false;
    for (int d = 0; d < g->ndim; d++) {
        if (v->points[d] > 1 || g->micro.points[d] > 1)
            name = sq_arena_printf(arena, "%s_%s%lld", name, g->dim[d], (long long)v->points[d]);
        part |= v->runtime[d] && (!is_shared(t) || v->points[d] < sq_group_own(g, d));
    }
    return part ? sq_arena_printf(arena, "%s_part", name) : name;
}

static bool is_same(const sq_variant *a, const sq_variant *b)
{
    return memcmp(a->points, b->points, sizeof a->points) == 0 &&
           memcmp(a->runtime, b->runtime, sizeof a->runtime) == 0;
}

/* The variant's part, made when it is first called. */
static sq_code_part *part_of(const sq_nest *n, const sq_variant *v, const sq_target *t,
                             sq_parts *parts)
{
    for (const sq_leaf_part *x = parts->last; x; x = x->before)
        if (x->nest == n && is_same(&x->variant, v))
            return x->part;
    sq_leaf_part *own = SQ_NEW(n->code->arena, sq_leaf_part);
    *own = (sq_leaf_part){.nest = n, .variant = *v, .before = parts->last};
    own->part = sq_tile_part(n, &own->variant, name_of(n, v, t), t);
    parts->last = own;
    return own->part;
}

/* What all calls of a leaf share. */
typedef struct leaf {
    const sq_nest *n;
    const sq_target *target;
    sq_parts *parts;
} leaf;

/* known: see sq_tile_call. */
static sq_code *call(const leaf *l, const sq_variant *v, const int64_t *known)
{
    return sq_tile_call(l->n, v, part_of(l->n, v, l->target, l->parts), known);
}

static const sq_code_expr *count_of(const sq_nest *n, int d)
{
    return sq_code_name(n->code, sq_arena_printf(n->code->arena, "@n_%s", n->group->dim[d]));
}

static const sq_code_expr *is_whole(const sq_nest *n, int d, int64_t points)
{
    return sq_code_compare(n->code, SQ_CODE_EQ, count_of(n, d), sq_code_number(n->code, points));
}

static bool varies(const sq_nest *n, int d)
{
    return n->count[d].number && n->count[d].kind != SQ_COUNT_FULL;
}

/* True if what remains along d, where lanes lie, takes as many vectors as a whole tile: one of them is
 * masked. */
static bool masks_rest(const leaf *l, int d)
{
    const sq_nest *n = l->n;
    int64_t lanes = sq_tile_lanes(n, l->target), points = sq_group_own(n->group, d);
    return is_shared(l->target) && d == n->group->micro.vector && d < n->group->nfree &&
           lanes > 1 && sq_group_spread(n->group) <= lanes &&
           n->count[d].rest > (points - 1) / lanes * lanes;
}

/* ---- what is left over along the lanes ---- */

static const char *name_for(const sq_nest *n, const char *stem)
{
    return sq_arena_printf(n->code->arena, "@%s_%s", stem, n->group->dim[n->group->micro.vector]);
}

/* The call, with another name in the place of one. */
static void rename_in(const sq_nest *n, sq_code *call, const char *name, const char *to)
{
    const sq_code_expr *by = sq_code_name(n->code, to);
    sq_code_address *pointer = SQ_NEW_ARRAY(n->code->arena, sq_code_address, call->part->npointers);
    const sq_code_expr **arg =
        SQ_NEW_ARRAY(n->code->arena, const sq_code_expr *, call->part->nparams);
    for (int i = 0; i < call->part->npointers; i++)
        pointer[i] = (sq_code_address){call->pointer[i].of,
                                       sq_code_substitute(n->code, call->pointer[i].at, name, by)};
    for (int i = 0; i < call->part->nparams; i++)
        arg[i] = call->arg[i] ? sq_code_substitute(n->code, call->arg[i], name, by) : NULL;
    call->pointer = pointer;
    call->arg = arg;
}

static const char *variable(const sq_nest *n)
{
    return n->group->loop[n->ends.loop].name;
}

/* A tile of so many points along the lanes whose last one is the range's: it may begin in front of the
 * loop's variable. */
static sq_code *at_end(const sq_nest *n, sq_code *call, int64_t points)
{
    const char *begin = name_for(n, "begin");
    sq_code *let = sq_code_let(n->code, begin, sq_code_plus(n->code, n->ends.end, -points));
    rename_in(n, call, variable(n), begin);
    let->next = call;
    return let;
}

/* A loop over what is left over, its body empty. */
static sq_code *over_rest(const sq_nest *n, int64_t points)
{
    return sq_code_loop(n->code, name_for(n, "next"), sq_code_name(n->code, variable(n)),
                        n->ends.end, points);
}

/* Several such tiles, as many as the points that are left over take. */
static sq_code *up_to_end(const sq_nest *n, sq_code *call, int64_t points)
{
    const char *begin = name_for(n, "begin");
    sq_code *x = over_rest(n, points);
    x->body = sq_code_let(n->code, begin,
                          sq_code_min(n->code, sq_code_name(n->code, x->name),
                                      sq_code_plus(n->code, n->ends.end, -points)));
    rename_in(n, call, variable(n), begin);
    x->body->next = call;
    return x;
}

/* Tiles that do not overlap: `last` takes what is no whole one. */
static sq_code *in_turn(const sq_nest *n, sq_code *whole, sq_code *last, int64_t points)
{
    const char *left = name_for(n, "left"),
               *number =
                   sq_arena_printf(n->code->arena, "@n_%s", n->group->dim[n->group->micro.vector]);
    sq_code *x = over_rest(n, points);
    const sq_code_expr *at = sq_code_name(n->code, x->name), *all = sq_code_number(n->code, points);
    x->body = sq_code_let(n->code, left,
                          sq_code_min(n->code, all, sq_code_sub(n->code, n->ends.end, at)));
    rename_in(n, whole, variable(n), x->name);
    rename_in(n, last, number, left);
    rename_in(n, last, variable(n), x->name);
    x->body->next = sq_code_guarded(
        n->code, sq_code_compare(n->code, SQ_CODE_EQ, sq_code_name(n->code, left), all), whole);
    x->body->next->other = last;
    return x;
}

/* ---- numbers of points ---- */

/* The points of a tile, all of them known, and the variant that computes them. */
typedef struct exact_points {
    sq_variant variant;
    int64_t known[SQ_MAX_DIMS];
    int64_t
        ends; /* it is the last along the lanes, and ends so many points behind its begin; or 0 */
} exact_points;

static sq_code *exact(const leaf *l, exact_points e, int d);

/* What is left over along the lanes: e, whose points are those of a whole tile, in whole vectors. */
static sq_code *exact_end(const leaf *l, exact_points e, int d)
{
    e.ends = l->n->ends.overlap[0].points;
    if (e.ends != e.variant.points[d]) {
        e.variant.points[d] = e.ends;
        e.variant.runtime[d] = false;
    }
    return exact(l, e, d + 1);
}

/* Sizes known now: one part for each combination of whole and remaining; of lanes one that masks. */
static sq_code *exact(const leaf *l, exact_points e, int d)
{
    const sq_nest *n = l->n;
    while (d < n->group->ndim && n->count[d].kind == SQ_COUNT_FULL)
        d++;
    if (d == n->group->ndim) {
        sq_code *x = call(l, &e.variant, e.known);
        return e.ends ? at_end(n, x, e.ends) : x;
    }
    const sq_overlap *o = d == n->group->micro.vector && n->ends.noverlaps ? n->ends.overlap : NULL;
    bool is_masked = masks_rest(l, d) && (!o || o->room);
    int64_t *points = is_masked ? &e.known[d] : &e.variant.points[d];
    *points = e.variant.points[d];
    e.variant.runtime[d] = is_masked;
    sq_code *x = sq_code_guarded(n->code, is_whole(n, d, *points), exact(l, e, d + 1));
    sq_code *end = o ? exact_end(l, e, d) : NULL;
    *points = n->count[d].rest;
    if (o && o->room) {
        end = sq_code_guarded(n->code, o->room, end);
        end->other = exact(l, e, d + 1);
    }
    x->other = end ? end : exact(l, e, d + 1);
    return x;
}

/* What is left over along the lanes, and whole vectors of what is left over along other dimensions, in tiles of
 * so many points. */
static sq_code *overlapping(const leaf *l, sq_variant v, int64_t points)
{
    const sq_nest *n = l->n;
    int64_t known[SQ_MAX_DIMS] = {0};
    int d = n->group->micro.vector;
    known[d] = points;
    if (v.points[d] == points)
        return at_end(n, call(l, &v, known), points);
    v.points[d] = points;
    v.runtime[d] = false;
    return up_to_end(n, call(l, &v, NULL), points);
}

/* The same without points that are computed twice. */
static sq_code *masked(const leaf *l, sq_variant v)
{
    const sq_ends *e = &l->n->ends;
    int d = l->n->group->micro.vector;
    if (!e->lanes)
        return call(l, &v, NULL);
    v.points[d] = e->lanes;
    sq_code *last = call(l, &v, NULL);
    if (e->noverlaps) /* there are fewer */
        return last;
    v.runtime[d] = false;
    return in_turn(l->n, call(l, &v, NULL), last, e->lanes);
}

static sq_code *rest_at_run_time(const leaf *l, sq_variant v)
{
    const sq_ends *e = &l->n->ends;
    sq_code *x = NULL, **to = &x;
    for (int i = 0; i < e->noverlaps; i++) {
        const sq_overlap *o = &e->overlap[i];
        *to = overlapping(l, v, o->points);
        if (!o->room)
            return x;
        *to = sq_code_guarded(l->n->code, o->room, *to);
        to = &(*to)->other;
    }
    *to = masked(l, v);
    return x;
}

/* True if nothing that is left over is a tile of as many points along the lanes as a whole one. */
static bool is_cut(const leaf *l)
{
    const sq_ends *e = &l->n->ends;
    bool cut = e->lanes > 0;
    for (int i = 0; i < e->noverlaps; i++)
        cut &= e->overlap[i].points == e->lanes;
    return cut;
}

/* Sizes known at run time only: the whole tile, or one that masks. */
static sq_code *at_run_time(const leaf *l, const sq_code_expr *whole)
{
    const sq_variant part = sq_lower_variant(l->n, true),
                     all = sq_lower_variant(l->n, !is_cut(l) && is_shared(l->target));
    int64_t known[SQ_MAX_DIMS];
    for (int d = 0; d < l->n->group->ndim; d++)
        known[d] = sq_group_reach(l->n->group, d);
    sq_code *x = sq_code_guarded(l->n->code, whole, call(l, &all, known));
    x->other = rest_at_run_time(l, part);
    return x;
}

/* True if the address of anything the tile reads or writes changes along its serial loop. */
static bool moves_along(const sq_nest *n)
{
    for (int i = 0; i < n->nrefs; i++)
        if (!sq_nest_contracted(n, n->ref[i]->array) &&
            sq_ref_depends(n->ref[i], n->group->micro.serial))
            return true;
    return false;
}

const sq_code_expr *sq_lower_counts(const sq_nest *n, sq_code_list *to)
{
    const sq_code_expr *all = NULL;
    for (int d = 0; d < n->group->ndim; d++) {
        if (!varies(n, d))
            continue;
        sq_code_append(to, sq_code_let(n->code, count_of(n, d)->name, n->count[d].number));
        all = sq_code_and(n->code, all, is_whole(n, d, sq_group_reach(n->group, d)));
    }
    return all;
}

sq_variant sq_lower_variant(const sq_nest *n, bool part)
{
    sq_variant v = {0};
    for (int d = 0; d < n->group->ndim; d++) {
        v.points[d] = n->group->micro.points[d] > 1 ? sq_group_own(n->group, d) : 1;
        v.runtime[d] = part && varies(n, d);
    }
    return v;
}

sq_code *sq_lower_leaf(const sq_nest *n, const sq_target *t, sq_parts *parts)
{
    const leaf l = {n, t, parts};
    sq_code_list all = {0};
    const sq_code_expr *whole = sq_lower_counts(n, &all);
    if (n->serial_from != n->serial_lo && moves_along(n))
        sq_code_append(&all, sq_code_let(n->code, n->serial_from->name, n->serial_lo));
    sq_code_append(&all, !sq_nest_counts_known(n)
                             ? at_run_time(&l, whole)
                             : exact(&l, (exact_points){.variant = sq_lower_variant(n, false)}, 0));
    return all.first;
}
