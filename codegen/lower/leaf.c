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
        part |= v->runtime[d] && !is_shared(t);
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

/* ---- tiles that begin earlier ---- */

static const char *name_for(const sq_nest *n, const char *stem)
{
    return sq_arena_printf(n->code->arena, "@%s_%s", stem, n->group->dim[n->group->micro.vector]);
}

/* The call, with the loop's variable under another name. */
static void begin_at(const sq_nest *n, sq_code *call, const char *name)
{
    const char *loop = n->group->loop[n->overlap.loop].name;
    const sq_code_expr *at = sq_code_name(n->code, name);
    sq_code_address *pointer = SQ_NEW_ARRAY(n->code->arena, sq_code_address, call->part->npointers);
    const sq_code_expr **arg =
        SQ_NEW_ARRAY(n->code->arena, const sq_code_expr *, call->part->nparams);
    for (int i = 0; i < call->part->npointers; i++)
        pointer[i] = (sq_code_address){call->pointer[i].of,
                                       sq_code_substitute(n->code, call->pointer[i].at, loop, at)};
    for (int i = 0; i < call->part->nparams; i++)
        arg[i] = call->arg[i] ? sq_code_substitute(n->code, call->arg[i], loop, at) : NULL;
    call->pointer = pointer;
    call->arg = arg;
}

/* A tile of the overlap's points whose last one is the range's: it may begin in front of the loop's variable. */
static sq_code *at_end(const sq_nest *n, sq_code *call)
{
    const char *begin = name_for(n, "begin");
    sq_code *let =
        sq_code_let(n->code, begin, sq_code_plus(n->code, n->overlap.end, -n->overlap.points));
    begin_at(n, call, begin);
    let->next = call;
    return let;
}

/* Several such tiles, as many as the points that are left over take. */
static sq_code *up_to_end(const sq_nest *n, sq_code *call)
{
    const sq_overlap *o = &n->overlap;
    const char *next = name_for(n, "next"), *begin = name_for(n, "begin");
    sq_code *x = sq_code_loop(n->code, next, sq_code_name(n->code, n->group->loop[o->loop].name),
                              o->end, o->points);
    x->body = sq_code_let(n->code, begin,
                          sq_code_min(n->code, sq_code_name(n->code, next),
                                      sq_code_plus(n->code, o->end, -o->points)));
    begin_at(n, call, begin);
    x->body->next = call;
    return x;
}

/* Those tiles; `masked` where there are too few points for one. */
static sq_code *or_masked(const sq_nest *n, sq_code *tiles, sq_code *masked)
{
    if (!n->overlap.room)
        return tiles;
    sq_code *x = sq_code_guarded(n->code, n->overlap.room, tiles);
    x->other = masked;
    return x;
}

/* ---- numbers of points ---- */

/* The points of a tile, all of them known, and the variant that computes them. */
typedef struct exact_points {
    sq_variant variant;
    int64_t known[SQ_MAX_DIMS];
    bool ends; /* it is the last along the lanes, and begins earlier */
} exact_points;

static sq_code *exact(const leaf *l, exact_points e, int d);

/* What is left over along the lanes: e, whose points are those of a whole tile, in whole vectors. */
static sq_code *exact_end(const leaf *l, exact_points e, int d)
{
    e.ends = true;
    if (l->n->overlap.points != e.variant.points[d]) {
        e.variant.points[d] = l->n->overlap.points;
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
        return e.ends ? at_end(n, x) : x;
    }
    bool overlaps = d == n->group->micro.vector && n->overlap.points;
    bool is_masked = masks_rest(l, d) && (!overlaps || n->overlap.room);
    int64_t *points = is_masked ? &e.known[d] : &e.variant.points[d];
    *points = e.variant.points[d];
    e.variant.runtime[d] = is_masked;
    sq_code *x = sq_code_guarded(n->code, is_whole(n, d, *points), exact(l, e, d + 1));
    sq_code *end = overlaps ? exact_end(l, e, d) : NULL;
    if (!overlaps || n->overlap.room) {
        *points = n->count[d].rest;
        x->other = exact(l, e, d + 1);
    }
    if (end)
        x->other = or_masked(n, end, x->other);
    return x;
}

/* What is left over along the lanes, and whole vectors of what is left over along other dimensions. */
static sq_code *end_at_run_time(const leaf *l, sq_variant v)
{
    const sq_nest *n = l->n;
    int64_t known[SQ_MAX_DIMS] = {0};
    int d = n->group->micro.vector;
    known[d] = n->overlap.points;
    if (v.points[d] == n->overlap.points)
        return at_end(n, call(l, &v, known));
    v.points[d] = n->overlap.points;
    v.runtime[d] = false;
    return up_to_end(n, call(l, &v, NULL));
}

/* Sizes known at run time only: the whole tile, or one that masks. */
static sq_code *at_run_time(const leaf *l, const sq_code_expr *whole)
{
    const sq_variant part = sq_lower_variant(l->n, true),
                     all = is_shared(l->target) ? part : sq_lower_variant(l->n, false);
    int64_t known[SQ_MAX_DIMS];
    for (int d = 0; d < l->n->group->ndim; d++)
        known[d] = sq_group_reach(l->n->group, d);
    sq_code *x = sq_code_guarded(l->n->code, whole, call(l, &all, known));
    x->other = l->n->overlap.points && !l->n->overlap.room ? NULL : call(l, &part, NULL);
    if (l->n->overlap.points)
        x->other = or_masked(l->n, end_at_run_time(l, part), x->other);
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
