/* Ends: see ends.h. */
#include "codegen/lower/ends.h"
#include "codegen/nest/lower.h"

/* The remainder of a loop. */
typedef struct rest {
    const sq_leaf *l;
    const sq_nest *n;
    sq_code_pool *pool;
    int dim;                 /* the vectorized dimension */
    const char *from;        /* the loop's variable, which holds the first point; */
    const sq_code_expr *end; /* end of the points */
    bool goes_on;            /* follows a loop over full tiles and continues its variable */
    bool is_less;            /* has fewer points than a full tile, along the lanes */
} rest;

static const char *name_for(const sq_nest *n, const char *stem)
{
    return sq_arena_printf(n->code->arena, "@%s_%s", stem, n->group->dim[n->group->micro.vector]);
}

static const char *variable(const sq_nest *n)
{
    return n->group->loop[n->ends.loop].name;
}

/* Returns the end of the current tile. */
static const sq_code_expr *end_of_tile(const sq_nest *n)
{
    const sq_code_expr *at = sq_code_name(n->code, variable(n));
    if (sq_nest_counts_known(n))
        return sq_code_plus(n->code, at, n->count[n->group->micro.vector].rest);
    return sq_code_add(n->code, at, sq_code_name(n->code, name_for(n, "n")));
}

/* Replaces a name by an expression in the call. */
static void put(const sq_nest *n, sq_code *call, const char *name, const sq_code_expr *by)
{
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

/* Returns the call preceded by `begin`, the start of its tile. */
static sq_code *beginning(const sq_nest *n, sq_code *call, const sq_code_expr *begin)
{
    sq_code *let = sq_code_let(n->code, name_for(n, "begin"), begin);
    put(n, call, variable(n), sq_code_name(n->code, let->name));
    call->part->overlaps = true;
    let->next = call;
    return let;
}

sq_code *sq_lower_at_end(const sq_nest *n, sq_code *call, int64_t points)
{
    return beginning(n, call, sq_code_plus(n->code, end_of_tile(n), -points));
}

/* Returns a loop over the remainder, with an empty body. */
static sq_code *over(const rest *r, int64_t points)
{
    const sq_code_expr *from = sq_code_name(r->pool, r->from);
    if (!r->goes_on)
        return sq_code_loop(r->pool, name_for(r->n, "next"), from, r->end, points);
    sq_code *x = sq_code_new(r->pool, SQ_CODE_LOOP);
    x->name = r->from;
    x->cond = sq_code_compare(r->pool, SQ_CODE_LT, from, r->end);
    x->step = points;
    return x;
}

/* Returns tiles with this number of points that cover the remainder; the last one ends at its
 * end. */
static sq_code *up_to_end(const rest *r, sq_code *call, int64_t points)
{
    sq_code *x = over(r, points);
    const sq_code_expr *next = sq_code_name(r->pool, x->name);
    x->body =
        beginning(r->n, call, sq_code_min(r->pool, next, sq_code_plus(r->pool, r->end, -points)));
    return x;
}

/* Returns one tile with this number of points, if the remainder is not empty. */
static sq_code *once(const rest *r, sq_code *call, int64_t points)
{
    sq_code *x = beginning(r->n, call, sq_code_plus(r->pool, r->end, -points));
    const sq_code_expr *from = sq_code_name(r->pool, r->from);
    if (!r->goes_on)
        return x;
    return sq_code_guarded(r->pool, sq_code_compare(r->pool, SQ_CODE_LT, from, r->end), x);
}

/* Returns tiles that do not overlap: `last` computes the last, incomplete one. */
static sq_code *in_turn(const rest *r, sq_code *whole, sq_code *last, int64_t points)
{
    sq_code *x = over(r, points);
    const sq_code_expr *at = sq_code_name(r->pool, x->name), *all = sq_code_number(r->pool, points),
                       *left = sq_code_name(r->pool, name_for(r->n, "left"));
    x->body = sq_code_let(r->pool, left->name,
                          sq_code_min(r->pool, all, sq_code_sub(r->pool, r->end, at)));
    put(r->n, whole, r->from, at);
    put(r->n, last, name_for(r->n, "n"), left);
    put(r->n, last, r->from, at);
    x->body->next =
        sq_code_guarded(r->pool, sq_code_compare(r->pool, SQ_CODE_EQ, left, all), whole);
    x->body->next->other = last;
    return x;
}

/* True if the remainder is always a multiple of this number of points. */
static bool is_multiple(const rest *r, int64_t points)
{
    const sq_group *g = r->n->group;
    bool is = sq_stmt_multiple(g->stmt[0], r->dim, r->n->kernel->context) % points == 0;
    for (int l = 0; l < g->nloops; l++)
        is &= g->loop[l].dim != r->dim || g->loop[l].step % points == 0;
    return is;
}

static sq_code *whole_ones(const rest *r, sq_code *whole, int64_t points)
{
    sq_code *x = over(r, points);
    x->body = whole;
    put(r->n, whole, r->from, sq_code_name(r->pool, x->name));
    return x;
}

/* Returns the full vectors of the remainder, in tiles with this number of points; along other
 * dimensions all points exist, or as many as there are. */
static sq_code *overlapping(const rest *r, int64_t points, bool has_rows)
{
    sq_variant v = sq_lower_variant(r->n, true);
    int64_t known[SQ_MAX_DIMS] = {0};
    for (int d = 0; d < r->n->group->ndim && has_rows; d++)
        known[d] = sq_group_reach(r->n->group, d);
    known[r->dim] = points;
    if (v.points[r->dim] == points) {
        sq_code *call = sq_leaf_call(r->l, &v, known);
        return r->is_less ? once(r, call, points) : up_to_end(r, call, points);
    }
    v.points[r->dim] = points;
    v.runtime[r->dim] = false;
    return up_to_end(r, sq_leaf_call(r->l, &v, known), points);
}

/* Returns the same without computing points twice. */
static sq_code *masked(const rest *r)
{
    const sq_ends *e = &r->n->ends;
    sq_variant v = sq_lower_variant(r->n, true);
    v.points[r->dim] = e->lanes ? e->lanes : v.points[r->dim];
    sq_code *last = sq_leaf_call(r->l, &v, NULL);
    if (!e->lanes || e->noverlaps) { /* other sizes have fewer points */
        if (r->goes_on)
            put(r->n, last, name_for(r->n, "n"),
                sq_code_sub(r->pool, r->end, sq_code_name(r->pool, r->from)));
        return last;
    }
    v.runtime[r->dim] = false;
    sq_code *whole = sq_leaf_call(r->l, &v, NULL);
    return is_multiple(r, e->lanes) ? whole_ones(r, whole, e->lanes)
                                    : in_turn(r, whole, last, e->lanes);
}

static const sq_code_expr *room(const rest *r, const sq_overlap *o)
{
    return sq_code_compare(r->pool, SQ_CODE_GE, sq_code_sub(r->pool, r->end, r->n->ends.base),
                           sq_code_number(r->pool, o->points));
}

/* Returns all cases of the remainder, by its number of points. */
static sq_code *all_of(const rest *r)
{
    const sq_ends *e = &r->n->ends;
    sq_code *x = NULL, **to = &x;
    for (int i = 0; i < e->noverlaps; i++) {
        const sq_overlap *o = &e->overlap[i];
        *to = overlapping(r, o->points, false);
        if (o->is_sure)
            return x;
        *to = sq_code_guarded(r->pool, room(r, o), *to);
        to = &(*to)->other;
    }
    *to = masked(r);
    return x;
}

static rest rest_of(const sq_leaf *l)
{
    const sq_nest *n = l->nest;
    return (rest){.l = l,
                  .n = n,
                  .pool = n->code,
                  .dim = n->group->micro.vector,
                  .from = variable(n),
                  .end = end_of_tile(n),
                  .is_less = true};
}

const sq_code_expr *sq_ends_room(const sq_nest *n, const sq_overlap *o)
{
    const sq_leaf l = {.nest = n};
    const rest r = rest_of(&l);
    return room(&r, o);
}

bool sq_ends_cut(const sq_nest *n)
{
    const sq_ends *e = &n->ends;
    bool cut = e->lanes > 0;
    for (int i = 0; i < e->noverlaps; i++)
        cut &= e->overlap[i].points == e->lanes;
    return cut;
}

sq_code *sq_lower_ends(const sq_leaf *l)
{
    if (!sq_ends_any(l->nest)) {
        const sq_variant part = sq_lower_variant(l->nest, true);
        return sq_leaf_call(l, &part, NULL);
    }
    const rest r = rest_of(l);
    return all_of(&r);
}

/* Returns the loop over full tiles. */
static sq_code *whole_tiles(const rest *r)
{
    int64_t points = r->n->group->micro.points[r->dim];
    sq_code *x = sq_code_new(r->pool, SQ_CODE_LOOP);
    const sq_code_expr *from = sq_code_name(r->pool, r->from);
    x->name = r->from;
    x->cond = sq_code_compare(r->pool, SQ_CODE_LT, sq_code_plus(r->pool, from, points - 1), r->end);
    x->step = points;
    x->body = sq_leaf_whole(r->l);
    return x;
}

/* True if one loop over full tiles covers all points if they fit once: the last tile overlaps. */
static bool is_one_loop(const rest *r, const sq_code_expr *rows)
{
    const sq_group *g = r->n->group;
    return r->n->ends.noverlaps && r->n->ends.overlap[0].points == g->micro.points[r->dim] &&
           (rows || g->stmt[0]->updates);
}

static const sq_code_expr *room_for(const rest *r, const sq_overlap *o)
{
    return o->is_sure ? NULL : room(r, o);
}

/* Returns the case that all points along other dimensions exist: full tiles, followed by the
 * remainder. */
static sq_code *of_all_rows(const rest *r)
{
    const sq_ends *e = &r->n->ends;
    sq_code_list all = {0};
    sq_code_append(&all, whole_tiles(r));
    for (int i = 0; i < e->noverlaps; i++) {
        sq_code *tiles = overlapping(r, e->overlap[i].points, true);
        const sq_code_expr *has = room_for(r, &e->overlap[i]);
        sq_code_append(&all, has ? sq_code_guarded(r->pool, has, tiles) : tiles);
    }
    return all.first;
}

/* rows: condition that all points along other dimensions exist; NULL: they do. */
static sq_code *of_run(const rest *r, const sq_code_expr *rows)
{
    sq_code *others = all_of(r), *x;
    if (is_one_loop(r, rows)) {
        const sq_overlap *o = r->n->ends.overlap;
        if (!rows)
            return others;
        x = sq_code_guarded(r->pool, sq_code_and(r->pool, rows, room_for(r, o)),
                            overlapping(r, o->points, true));
        x->other = others;
        return x;
    }
    x = rows ? sq_code_guarded(r->pool, rows, of_all_rows(r)) : whole_tiles(r);
    x->next = others;
    return x;
}

sq_code *sq_lower_run(const sq_leaf *l, const sq_code_expr *rows, const sq_code_expr *lo,
                      const sq_code_expr *hi)
{
    rest r = rest_of(l);
    sq_code_list all = {0};
    r.goes_on = true;
    r.end = hi;
    if (!sq_code_is_short(hi)) {
        r.end = sq_code_name(r.pool, name_for(r.n, "end"));
        sq_code_append(&all, sq_code_let(r.pool, r.end->name, hi));
    }
    r.is_less = !rows && !is_one_loop(&r, rows);
    sq_code *from = sq_code_let(r.pool, r.from, lo);
    from->kind = SQ_CODE_VARIABLE;
    sq_code_append(&all, from);
    sq_code_append(&all, of_run(&r, rows));
    return all.first;
}
