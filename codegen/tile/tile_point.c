/* Tile points: the positions of rows, vectors, taps and steps in a register tile, and the addresses
 * of accesses there. */
#include "codegen/tile/tile_inside.h"
#include <ctype.h>
#include <string.h>

/* ---- points ---- */

bool sq_tile_row(const sq_tile *t, int d)
{
    return d < t->group->nfree && d != t->group->micro.vector;
}

/* Returns the number of points of the tile along the dimensions in [from, to) that are rows or
 * taps. */
static int count(const sq_tile *t, int from, int to)
{
    int n = 1;
    for (int d = from; d < to; d++)
        if (d != t->group->micro.serial && d != t->group->micro.vector)
            n *= (int)t->variant->points[d];
    return n;
}

void sq_tile_count(sq_tile *t)
{
    const sq_micro *m = &t->group->micro;
    int lanes = t->lanes;
    t->rows = count(t, 0, t->group->nfree);
    t->taps = count(t, t->group->nfree, t->group->ndim);
    t->vectors = 1;
    if (m->vector < 0)
        return;
    if (!t->across)
        t->vectors = (int)((t->variant->points[m->vector] + lanes - 1) / lanes);
    else if (m->vector != m->serial)
        t->taps *= (int)(t->variant->points[m->vector] / lanes);
}

/* Distributes `index` over the dimensions in [from, to) except vector and serial, the last one
 * fastest; returns the quotient that remains. */
static int64_t deal(const sq_tile *t, sq_point *p, int from, int to, int64_t index)
{
    for (int d = to - 1; d >= from; d--) {
        if (d == t->group->micro.serial || d == t->group->micro.vector)
            continue;
        p->at[d] = sq_group_place(t->group, d, index % t->variant->points[d]);
        index /= t->variant->points[d];
    }
    return index;
}

sq_point sq_tile_point(const sq_tile *t, int row, int vector, int tap, int step)
{
    const sq_group *g = t->group;
    sq_point p = {.vector = vector};
    deal(t, &p, 0, g->nfree, row);
    int64_t more = deal(t, &p, g->nfree, g->ndim, tap);
    if (g->micro.serial >= 0)
        p.at[g->micro.serial] = step;
    if (g->micro.vector >= 0 && g->micro.vector != g->micro.serial)
        p.at[g->micro.vector] = t->across ? (vector + more) * t->lanes : vector * t->spread;
    return p;
}

const sq_code_expr *sq_tile_points(const sq_tile *t, int dim)
{
    return sq_code_name(t->pool, sq_arena_printf(t->arena, "@n_%s", t->group->dim[dim]));
}

const sq_code_expr *sq_tile_left(const sq_tile *t, const sq_point *p)
{
    int v = t->group->micro.vector;
    if (v < 0 || t->lanes == 1 || t->across)
        return NULL;
    if (t->variant->runtime[v] && t->rest && t->target->language->unroll)
        return sq_code_select(t->pool, sq_code_name(t->pool, "@part"),
                              sq_code_plus(t->pool, sq_tile_points(t, v), -p->vector * t->spread),
                              sq_code_number(t->pool, t->lanes));
    if (t->variant->runtime[v])
        return sq_code_plus(t->pool, sq_tile_points(t, v), -p->vector * t->spread);
    int64_t left = t->variant->points[v] - (int64_t)p->vector * t->lanes;
    return left < t->lanes ? sq_code_number(t->pool, left) : NULL;
}

bool sq_tile_counts_steps(const sq_tile *t)
{
    bool is_value[SQ_MAX_DIMS] = {false};
    sq_nest_index_values(t->nest, is_value);
    return t->group->micro.serial >= 0 && is_value[t->group->micro.serial];
}

const sq_code_expr *sq_tile_serial(const sq_tile *t)
{
    const char *dim = t->group->dim[t->group->micro.serial];
    return sq_code_name(t->pool, sq_arena_printf(t->arena, "@at_%s", dim));
}

void sq_tile_begin(const sq_tile *t, const sq_code_expr **at)
{
    sq_nest_origin(t->nest, at);
    for (int d = 0; d < t->group->ndim && t->rest; d++)
        at[d] = sq_code_name(t->pool, sq_index_origin_name(t->nest, d));
}

void sq_tile_origin(const sq_tile *t, const sq_code_expr **at)
{
    sq_tile_begin(t, at);
    if (sq_tile_counts_steps(t))
        at[t->group->micro.serial] = sq_tile_serial(t);
}

/* ---- addresses ---- */

/* A name that ends in a digit is separated from the number: i's 11 is not i1's 1. */
const char *sq_tile_row_name(const sq_tile *t, int dim, int64_t i)
{
    const char *name = t->group->dim[dim];
    char last = name[strlen(name) - 1];
    const char *between = last == '_' || isdigit((unsigned char)last) ? "_" : "";
    return sq_arena_printf(t->arena, "r_%s%s%lld", name, between, (long long)i);
}

/* Returns row i of a masked dimension, or an existing one if it does not exist: the last one;
 * without loops over rows a variable, which is 0 then. */
const sq_code_expr *sq_tile_row_at(const sq_tile *t, int d, int64_t i)
{
    if (t->rehearses)
        return sq_code_number(t->pool, i);
    if (t->target->language->unroll)
        return sq_code_min(t->pool, sq_code_number(t->pool, i),
                           sq_code_plus(t->pool, sq_tile_points(t, d), -1));
    return sq_code_name(t->pool, sq_arena_printf(t->arena, "@%s", sq_tile_row_name(t, d, i)));
}

/* Returns the subscript that moves by one with dimension d; -1: none, or not only that one. */
static int subscript_of(const sq_ref *r, int d)
{
    int found = -1;
    for (int s = 0; s < r->nsubs; s++)
        if (r->coef[s][d] && (found >= 0 || r->coef[s][d] != 1))
            return -1;
        else if (r->coef[s][d])
            found = s;
    return found;
}

/* True if all points of the tile read through the access. */
static bool reads_always(const sq_tile *t, const sq_access *a)
{
    for (int s = 0; s < t->group->nstmts; s++)
        if (t->group->stmt[s]->write == a)
            return false;
    return a->edge == SQ_EDGE_NONE && !a->where && !a->is_guarded && !a->indirect;
}

/* True if all points of the tile read what ref does, with `by` added to subscript s. */
static bool is_read(const sq_tile *t, int ref, int s, int64_t by)
{
    const sq_ref *r = t->nest->ref[ref];
    for (int i = 0; i < t->nest->nrefs; i++) {
        const sq_ref *o = t->nest->ref[i];
        bool same = t->bases.of[i] == t->bases.of[ref] && reads_always(t, o->access);
        for (int a = 0; a < r->nsubs && same; a++)
            same = o->konst[a] == r->konst[a] + (a == s ? by : 0);
        if (same)
            return true;
    }
    return false;
}

/* Returns how far other accesses continue along subscript s without a gap. */
static int64_t reach_of(const sq_tile *t, int ref, int s, int64_t step)
{
    int64_t by = 0;
    while (is_read(t, ref, s, by) && is_read(t, ref, s, by + step))
        by += step;
    return by;
}

/* Finds the window of accesses along masked dimension d that contains the access: rows that
 * other rows of the tile read as well. It begins `from` rows before the access, and ends `up`
 * behind it. */
static void window_of(const sq_tile *t, int ref, int d, int64_t *from, int64_t *up)
{
    enum { MOST_READS = 128 };
    bool shares = !t->rehearses && t->target->language->unroll && t->nest->nrefs <= MOST_READS;
    int s = shares ? subscript_of(t->nest->ref[ref], d) : -1;
    *from = s < 0 ? 0 : reach_of(t, ref, s, -1);
    *up = s < 0 ? 0 : reach_of(t, ref, s, 1);
}

/* Returns row i as sq_tile_row_at does. In a window it is counted from its first row, and a missing
 * row is replaced by the last row that any access of the window reads: so the same row of the array
 * is one value, and loaded once. */
static const sq_code_expr *row_of(const sq_tile *t, int ref, int d, int64_t i)
{
    int64_t from, up;
    window_of(t, ref, d, &from, &up);
    if (from == 0 && up == 0)
        return sq_tile_row_at(t, d, i);
    return sq_code_min(t->pool, sq_code_number(t->pool, i - from),
                       sq_code_plus(t->pool, sq_tile_points(t, d), up - from - 1));
}

/* Returns the terms of the variables of rows in masked dimensions. */
static const sq_code_expr *clamped(const sq_tile *t, int ref, const sq_point *p,
                                   const sq_code_expr *sum)
{
    const sq_ref *r = t->nest->ref[ref];
    for (int d = 0; d < t->group->nfree; d++) {
        bool first = !p->at[d] && !t->target->language->unroll;
        if (!t->variant->runtime[d] || !sq_tile_row(t, d) || first || !sq_ref_depends(r, d))
            continue;
        const sq_code_expr *row = row_of(t, ref, d, p->at[d]);
        for (int s = 0; s < r->nsubs; s++)
            if (r->coef[s][d])
                sum = sq_code_add_scaled(
                    t->pool, sum, r->coef[s][d],
                    sq_code_mul(t->pool, row, sq_stride_code(r->array, s, t->pool)));
    }
    return sum;
}

const sq_code_buffer *sq_tile_pointer(const sq_tile *t, int ref)
{
    return t->pointer[t->bases.of[ref]];
}

static const sq_code_expr *step_code(const sq_tile *t, const sq_ref *r, const sq_offset *step);

const sq_code_expr *sq_tile_offset(const sq_tile *t, int ref, const sq_point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    sq_point q = *p;
    int64_t up;
    if (!r->buffer)
        for (int d = 0; d < t->group->nfree; d++)
            if (t->variant->runtime[d] && sq_tile_row(t, d))
                window_of(t, ref, d, &q.at[d], &up);
    sq_offset o = sq_ref_offset(r, q.at);
    const sq_code_expr *sum = step_code(t, r, &o);
    return r->buffer ? sum : clamped(t, ref, p, sum);
}

static const sq_code_expr *step_code(const sq_tile *t, const sq_ref *r, const sq_offset *step)
{
    sq_code_pool *code = t->nest->code;
    const sq_code_expr *sum = sq_code_number(code, step->known);
    for (int x = 0; x < r->nsubs; x++)
        if (step->times[x])
            sum = sq_code_add_scaled(code, sum, step->times[x], sq_stride_code(r->array, x, code));
    return sum;
}

const sq_code_expr *sq_tile_advance(const sq_tile *t, const sq_ref *r, int dim, int64_t by)
{
    const int64_t origin[SQ_MAX_DIMS] = {0};
    sq_offset step;
    if (!sq_ref_step(r, origin, dim, by, 0, &step))
        sq_bug("tile", "steps of '%s' through %s are uneven", t->group->dim[dim], r->array->name);
    return step_code(t, r, &step);
}

const sq_code_expr *sq_tile_lane_step(const sq_tile *t, const sq_ref *r, const sq_point *p)
{
    int v = t->group->micro.vector;
    sq_offset step;
    if (v < 0 || t->lanes == 1)
        return sq_code_number(t->nest->code, 0);
    return sq_ref_step(r, p->at, v, 1, t->lanes, &step) ? step_code(t, r, &step) : NULL;
}

bool sq_tile_sum_runs_over_rows(const sq_tile *t)
{
    int k = t->group->micro.serial;
    for (int i = 0; k >= 0 && i < t->nest->nrefs; i++)
        for (int s = 0; s + 1 < t->nest->ref[i]->nsubs; s++)
            if (!t->nest->ref[i]->buffer && t->nest->ref[i]->coef[s][k])
                return true;
    return false;
}
