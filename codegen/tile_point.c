/* Tile points: where a row, vector, tap and step of a register tile lie, and the addresses of
 * accesses there. */
#include "codegen/print.h"
#include "codegen/tile_inside.h"
#include <string.h>

/* ---- points ---- */

bool sq_tile_row(const sq_tile *t, int d)
{
    return d < t->group->nfree && d != t->group->micro.vector;
}

/* Points of the tile along the dimensions of [from, to) that are rows or taps. */
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

/* Deals `index` out to the dimensions of [from, to) but vector and serial, the last fastest; what
 * is left over. */
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

const char *sq_tile_left(const sq_tile *t, const sq_point *p)
{
    int v = t->group->micro.vector;
    if (v < 0 || t->lanes == 1 || t->across)
        return NULL;
    int64_t start = p->vector * t->spread;
    if (t->variant->runtime[v])
        return start ? sq_arena_printf(t->arena, "@n_%s - %lld", t->group->dim[v], (long long)start)
                     : sq_arena_printf(t->arena, "@n_%s", t->group->dim[v]);
    int64_t left = t->variant->points[v] - (int64_t)p->vector * t->lanes;
    return left < t->lanes ? sq_arena_printf(t->arena, "%lld", (long long)left) : NULL;
}

/* ---- addresses ---- */

static void put_times(sq_text *a, int64_t times, const char *stride)
{
    if (times == 1)
        sq_text_printf(a, " + %s", stride);
    else if (times)
        sq_text_printf(a, " + %lld * %s", (long long)times, stride);
}

/* The variables of rows in masked dimensions. */
static void put_clamped(const sq_tile *t, const sq_ref *r, const sq_point *p, sq_text *a)
{
    for (int d = 0; d < t->group->nfree; d++) {
        if (!t->variant->runtime[d] || !sq_tile_row(t, d) || !p->at[d] || !sq_ref_depends(r, d))
            continue;
        for (int s = 0; s < r->nsubs; s++) {
            if (!r->coef[s][d])
                continue;
            int64_t stride = sq_array_stride(r->array, s);
            sq_text_printf(a, " + @%s * ", sq_tile_row_name(t, d, p->at[d]));
            if (stride)
                sq_text_printf(a, "%lld", (long long)(r->coef[s][d] * stride));
            else
                sq_text_printf(a, "%lld * %s", (long long)r->coef[s][d],
                               sq_stride_name(r->array, s, t->arena));
        }
    }
}

const char *sq_tile_address(const sq_tile *t, int ref, const sq_point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    sq_text a = {0};
    sq_point q = *p;
    if (!r->buffer)
        for (int d = 0; d < t->group->nfree; d++)
            if (t->variant->runtime[d] && sq_tile_row(t, d))
                q.at[d] = 0;
    sq_offset o = sq_ref_offset(r, q.at);
    sq_text_puts(&a, t->bases.base[t->bases.of[ref]].name);
    for (int s = 0; s < r->nsubs; s++)
        put_times(&a, o.times[s], sq_stride_name(r->array, s, t->arena));
    if (!r->buffer)
        put_clamped(t, r, p, &a);
    if (o.known)
        sq_text_printf(&a, " %c %lld", o.known < 0 ? '-' : '+',
                       (long long)(o.known < 0 ? -o.known : o.known));
    const char *s = sq_arena_strdup(t->arena, a.s);
    sq_text_free(&a);
    return s;
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
