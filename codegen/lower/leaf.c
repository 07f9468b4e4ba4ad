/* Leaf: see leaf.h. */
#include "codegen/lower/leaf.h"
#include "codegen/lower.h"
#include <string.h>

/* "sq_tile1_i4_j16_part" */
static const char *name_of(const sq_nest *n, const sq_variant *v)
{
    const sq_group *g = n->group;
    sq_arena *arena = n->code->arena;
    bool part = false;
    const char *name = g->stmt[0]->updates ? "sq_tile" : "sq_points";
    if (n->index)
        name = sq_arena_printf(arena, "%s%d", name, n->index);
    for (int d = 0; d < g->ndim; d++) {
        if (v->points[d] > 1 || g->micro.points[d] > 1)
            name = sq_arena_printf(arena, "%s_%s%lld", name, g->dim[d], (long long)v->points[d]);
        part |= v->runtime[d];
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
    own->part = sq_tile_part(n, &own->variant, name_of(n, v), t);
    parts->last = own;
    return own->part;
}

/* What all calls of a leaf share. */
typedef struct leaf {
    const sq_nest *n;
    const sq_target *target;
    sq_parts *parts;
} leaf;

static sq_code *call(const leaf *l, const sq_variant *v)
{
    return sq_tile_call(l->n, v, part_of(l->n, v, l->target, l->parts));
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

/* Sizes known now: one part for each combination of whole and remaining. */
static sq_code *exact(const leaf *l, sq_variant v, int d)
{
    const sq_nest *n = l->n;
    while (d < n->group->ndim && n->count[d].kind == SQ_COUNT_FULL)
        d++;
    if (d == n->group->ndim)
        return call(l, &v);
    sq_code *x = sq_code_guarded(n->code, is_whole(n, d, v.points[d]), exact(l, v, d + 1));
    v.points[d] = n->count[d].rest;
    x->other = exact(l, v, d + 1);
    return x;
}

/* Sizes known at run time only: the whole tile, or one that masks. */
static sq_code *at_run_time(const leaf *l, const sq_code_expr *whole)
{
    const sq_variant all = sq_lower_variant(l->n, false), part = sq_lower_variant(l->n, true);
    sq_code *x = sq_code_guarded(l->n->code, whole, call(l, &all));
    x->other = call(l, &part);
    return x;
}

static bool any_runtime(const sq_nest *n)
{
    for (int d = 0; d < n->group->ndim; d++)
        if (n->count[d].number && n->count[d].kind == SQ_COUNT_RUNTIME)
            return true;
    return false;
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
    sq_code_append(&all, any_runtime(n) ? at_run_time(&l, whole)
                                        : exact(&l, sq_lower_variant(n, false), 0));
    return all.first;
}
