/* Leaf: see leaf.h. */
#include "codegen/lower/leaf.h"
#include "codegen/lower/ends.h"
#include "codegen/nest/lower.h"
#include <string.h>

/* True if one part serves full tiles and remainders: compilers drop masks if the point counts are
 * constants, and the loops over these are short text. */
static bool is_shared(const sq_target *t)
{
    return t->language->unroll != NULL;
}

/* Returns "sq_tile1_i4_j16"; "sq_tile1_i4_j16_part" for a part that computes remainders only. */
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

/* Returns the variant's part, made on its first call. */
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

sq_code *sq_leaf_call(const sq_leaf *l, const sq_variant *v, const int64_t *known)
{
    return sq_tile_call(l->nest, v, part_of(l->nest, v, l->target, l->parts), known);
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

/* True if the remainder along the vectorized dimension d takes as many vectors as a full tile: one
 * of them is masked. */
static bool masks_rest(const sq_leaf *l, int d)
{
    const sq_nest *n = l->nest;
    int64_t lanes = sq_tile_lanes(n, l->target), points = sq_group_own(n->group, d);
    return is_shared(l->target) && d == n->group->micro.vector && d < n->group->nfree &&
           lanes > 1 && sq_group_spread(n->group) <= lanes &&
           n->count[d].rest > (points - 1) / lanes * lanes;
}

/* The points of a tile with known counts, and the variant that computes them. */
typedef struct exact_points {
    sq_variant variant;
    int64_t known[SQ_MAX_DIMS];
    int64_t
        ends; /* it is the last along the lanes, and ends this many points behind its begin; or 0 */
} exact_points;

static sq_code *exact(const sq_leaf *l, exact_points e, int d);

/* Returns the remainder along the lanes: e, which has the points of a full tile, in full
 * vectors. */
static sq_code *exact_end(const sq_leaf *l, exact_points e, int d)
{
    e.ends = l->nest->ends.overlap[0].points;
    if (e.ends != e.variant.points[d]) {
        e.variant.points[d] = e.ends;
        e.variant.runtime[d] = false;
    }
    return exact(l, e, d + 1);
}

/* For sizes known now: one part for each combination of full and remaining counts; masked along the
 * lanes. */
static sq_code *exact(const sq_leaf *l, exact_points e, int d)
{
    const sq_nest *n = l->nest;
    while (d < n->group->ndim && n->count[d].kind == SQ_COUNT_FULL)
        d++;
    if (d == n->group->ndim) {
        sq_code *x = sq_leaf_call(l, &e.variant, e.known);
        return e.ends ? sq_lower_at_end(n, x, e.ends) : x;
    }
    const sq_overlap *o = d == n->group->micro.vector && n->ends.noverlaps ? n->ends.overlap : NULL;
    bool is_masked = masks_rest(l, d) && (!o || !o->is_sure);
    int64_t *points = is_masked ? &e.known[d] : &e.variant.points[d];
    *points = e.variant.points[d];
    e.variant.runtime[d] = is_masked;
    sq_code *x = sq_code_guarded(n->code, is_whole(n, d, *points), exact(l, e, d + 1));
    sq_code *end = o ? exact_end(l, e, d) : NULL;
    *points = n->count[d].rest;
    if (o && !o->is_sure) {
        end = sq_code_guarded(n->code, sq_ends_room(n, o), end);
        end->other = exact(l, e, d + 1);
    }
    x->other = end ? end : exact(l, e, d + 1);
    return x;
}

sq_code *sq_leaf_whole(const sq_leaf *l)
{
    int64_t known[SQ_MAX_DIMS];
    for (int d = 0; d < l->nest->group->ndim; d++)
        known[d] = sq_group_reach(l->nest->group, d);
    const sq_variant all = sq_lower_variant(l->nest, !sq_ends_cut(l->nest) && is_shared(l->target));
    return sq_leaf_call(l, &all, known);
}

/* True if rows of the tile along d read what other rows read, as windows do. In a masked part,
 * missing rows are replaced by the last one, so the compiler cannot share loads between rows. */
static bool shares_rows(const sq_nest *n, int d)
{
    for (int i = 0; i < n->nrefs; i++) {
        const sq_ref *r = n->ref[i];
        for (int a = 0; a < r->nsubs && !r->buffer; a++)
            for (int o = 0; o < n->group->ndim; o++)
                if (o != d && r->coef[a][d] && r->coef[a][o] && n->group->micro.points[o] > 1)
                    return true;
    }
    return false;
}

/* True if tiles with all of their rows, but not all lanes, deserve a call of their own. */
static bool parts_by_rows(const sq_leaf *l)
{
    const sq_nest *n = l->nest;
    int vector = n->group->micro.vector;
    bool shares = false;
    for (int d = 0; d < n->group->ndim; d++)
        shares |= d != vector && varies(n, d) && shares_rows(n, d);
    return shares && vector >= 0 && varies(n, vector) && is_shared(l->target) && !sq_ends_any(n);
}

/* Rows of a tile that few registers can address each by itself. */
enum { FEW_ROWS = 6 };

static bool is_choice(const sq_code *x)
{
    return x->kind == SQ_CODE_IF && x->cond->op == SQ_CODE_NAME &&
           strcmp(x->cond->name, "@whole") == 0;
}

/* True if a statement mentions the name where the part does not choose between whole tiles and
 * others. */
static bool is_named_by_both(const sq_code *x, const char *name)
{
    for (; x; x = x->next) {
        sq_code own = *x;
        own.body = own.other = own.next = NULL;
        if (!is_choice(x) && (sq_code_names(&own, name) || is_named_by_both(x->body, name) ||
                              is_named_by_both(x->other, name)))
            return true;
    }
    return false;
}

static bool has_choice(const sq_code_part *part)
{
    const sq_code *x = part->body;
    while (x && !is_choice(x))
        x = x->next;
    return x != NULL;
}

/* True if one call of the part may compute whole tiles and others: its steps are the same for both, but for rows that
 * are clamped, if these are few. Otherwise each has a call, in which compilers know the counts. */
static bool serves_both(const sq_leaf *l, const sq_code_part *part, const sq_variant *v)
{
    int64_t rows = 1;
    bool clamps = false;
    for (int d = 0; d < l->nest->group->nfree; d++) {
        bool is_row = d != l->nest->group->micro.vector,
             counts = v->runtime[d] && is_named_by_both(part->body, count_of(l->nest, d)->name);
        if (counts && !is_row)
            return false;
        clamps |= counts;
        rows *= is_row ? v->points[d] : 1;
    }
    return has_choice(part) && (!clamps || rows <= FEW_ROWS);
}

static sq_code *call_for_both(const sq_leaf *l, const sq_variant *v, const sq_code_expr *whole)
{
    sq_code *x = sq_leaf_call(l, v, NULL);
    const sq_code_expr **arg =
        SQ_NEW_ARRAY(l->nest->code->arena, const sq_code_expr *, x->part->nparams);
    for (int i = 0; i < x->part->nparams; i++)
        arg[i] = strcmp(x->part->param[i].name, "@whole") == 0 ? whole : x->arg[i];
    x->arg = arg;
    x->part->serves_both = true;
    return x;
}

/* For sizes known at run time: the full tile, or a masked one. */
static sq_code *at_run_time(const sq_leaf *l, const sq_code_expr *whole)
{
    const sq_nest *n = l->nest;
    const sq_variant both = sq_lower_variant(n, true);
    if (whole && is_shared(l->target) && !sq_ends_any(n) &&
        serves_both(l, part_of(n, &both, l->target, l->parts), &both))
        return call_for_both(l, &both, whole);
    sq_code *x = sq_code_guarded(n->code, whole, sq_leaf_whole(l));
    x->other = sq_lower_ends(l);
    if (parts_by_rows(l)) {
        int64_t known[SQ_MAX_DIMS] = {0};
        const sq_code_expr *rows = NULL;
        const sq_variant part = sq_lower_variant(n, true);
        for (int d = 0; d < n->group->ndim; d++)
            if (d != n->group->micro.vector && varies(n, d)) {
                known[d] = sq_group_reach(n->group, d);
                rows = sq_code_and(n->code, rows, is_whole(n, d, known[d]));
            }
        sq_code *ragged = sq_code_guarded(n->code, rows, sq_leaf_call(l, &part, known));
        ragged->other = x->other;
        x->other = ragged;
    }
    return x;
}

/* True if an address or a value of the tile changes along its serial loop. */
static bool moves_along(const sq_nest *n)
{
    bool is_value[SQ_MAX_DIMS] = {false};
    sq_nest_index_values(n, is_value);
    if (n->group->micro.serial >= 0 && is_value[n->group->micro.serial])
        return true;
    for (int i = 0; i < n->nrefs; i++)
        if (!sq_nest_contracted(n, n->ref[i]->array) &&
            sq_ref_depends(n->ref[i], n->group->micro.serial))
            return true;
    return false;
}

const sq_code_expr *sq_lower_counts(const sq_nest *n, int but, sq_code_list *to)
{
    const sq_code_expr *all = NULL;
    for (int d = 0; d < n->group->ndim; d++) {
        if (!varies(n, d) || d == but)
            continue;
        sq_code_append(to, sq_code_let(n->code, count_of(n, d)->name, n->count[d].number));
        all = sq_code_and(n->code, all, is_whole(n, d, sq_group_reach(n->group, d)));
    }
    return all;
}

sq_code_part *sq_lower_inlined(const sq_nest *n, const sq_target *t)
{
    sq_code_part *part = SQ_NEW(n->code->arena, sq_code_part);
    const sq_group *g = n->group;
    *part = (sq_code_part){.along = g->micro.serial < 0 ? NULL : g->dim[g->micro.serial],
                           .along_lanes = sq_tile_along_lanes(n, t),
                           .is_whole = true,
                           .lanes = sq_tile_lanes(n, t),
                           .nstmts = g->nstmts,
                           .stmt = g->stmt};
    return part;
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

/* Appends definitions of the names used at the leaf, except point counts. */
static void append_start(const sq_nest *n, sq_code_list *to)
{
    if (n->serial_from != n->serial_lo && moves_along(n))
        sq_code_append(to, sq_code_let(n->code, n->serial_from->name, n->serial_lo));
}

sq_code *sq_lower_leaf(const sq_nest *n, const sq_target *t, sq_parts *parts)
{
    const sq_leaf l = {n, t, parts};
    sq_code_list all = {0};
    const sq_code_expr *whole = sq_lower_counts(n, -1, &all);
    append_start(n, &all);
    sq_code_append(&all, sq_nest_counts_known(n)
                             ? exact(&l, (exact_points){.variant = sq_lower_variant(n, false)}, 0)
                             : at_run_time(&l, whole));
    return all.first;
}

sq_code *sq_lower_lanes(const sq_leaf *l, const sq_code_expr *lo, const sq_code_expr *hi)
{
    const sq_nest *n = l->nest;
    sq_code_list all = {0};
    const sq_code_expr *whole = sq_lower_counts(n, n->group->micro.vector, &all);
    append_start(n, &all);
    sq_code_append(&all, sq_lower_run(l, whole, lo, hi));
    return sq_code_guarded(n->code, NULL, all.first);
}
