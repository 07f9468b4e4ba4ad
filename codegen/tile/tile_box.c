/* Tile box: rolls the code of a tile's points into loops over its dimensions, if the language has a
 * hint that unrolls them: see codegen/code/roll.h. */
#include "codegen/print/names.h"
#include "codegen/tile/tile_inside.h"
#include <string.h>

/* ---- names of loops ---- */

static bool is_param(const sq_tile *t, const char *name)
{
    for (int i = 0; i < t->bases.n; i++)
        if (strcmp(t->bases.base[i].name, name) == 0)
            return true;
    if (!t->rest) /* the tile is printed in place, inside of loops over its dimensions */
        return true;
    for (int i = 0; i < t->rest->n; i++)
        if (strcmp(t->rest->of[i].name, name) == 0)
            return true;
    return sq_names_taken(t->nest->kernel, name);
}

/* A loop is named after its dimension, unless the name is taken. */
const char *sq_tile_loop_name(const sq_tile *t, int dim)
{
    const char *name = t->group->dim[dim];
    return is_param(t, name) ? sq_arena_printf(t->arena, "@%s", name) : name;
}

/* ---- dimensions ---- */

static void add(sq_tile_box *b, const char *name, int64_t n)
{
    if (n > 1)
        b->dim[b->ndims++] = (sq_roll_dim){name, (int)n};
}

/* Adds dimensions [from, to) of the tile except those of the vector and the serial loop; first: the outermost one. */
static void add_dims(const sq_tile *t, sq_tile_box *b, int from, int to, int first)
{
    if (first >= from && first < to)
        add(b, sq_tile_loop_name(t, first), t->variant->points[first]);
    for (int d = from; d < to; d++)
        if (d != t->group->micro.serial && d != t->group->micro.vector && d != first)
            add(b, sq_tile_loop_name(t, d), t->variant->points[d]);
}

static int product_of(const sq_tile_box *b)
{
    int n = 1;
    for (int d = 0; d < b->ndims; d++)
        n *= b->dim[d].n;
    return n;
}

static void begin(sq_tile *t, sq_tile_box *b, int steps, bool taps)
{
    *b = (sq_tile_box){.to = t->to};
    if (!t->target->language->unroll || t->counting)
        return;
    add(b, "@step", steps);
    if (taps) {
        int own = 1;
        add_dims(t, b, t->group->nfree, t->group->ndim, -1);
        for (int d = steps > 1; d < b->ndims; d++)
            own *= b->dim[d].n;
        if (own < t->taps) { /* vectors along a reduction dimension: outside of the other loops */
            b->ndims = steps > 1;
            add(b, SQ_TILE_VECTORS, t->taps / own);
            add_dims(t, b, t->group->nfree, t->group->ndim, -1);
        }
    }
    add_dims(t, b, 0, t->group->nfree, taps ? t->slow : -1);
    add(b, SQ_TILE_VECTORS, t->vectors);
    b->n = product_of(b);
    b->at = SQ_NEW_ARRAY(t->arena, sq_code_list, b->n);
}

void sq_tile_box_steps(sq_tile *t, sq_tile_box *b, int steps)
{
    begin(t, b, steps, true);
}

sq_tile_box sq_tile_box_points(sq_tile *t)
{
    sq_tile_box b;
    begin(t, &b, 1, false);
    return b;
}

bool sq_tile_box_point(sq_tile *t, sq_tile_box *b)
{
    b->row = b->points / t->vectors;
    b->vector = b->points++ % t->vectors;
    bool more = b->row < t->rows;
    (more ? sq_tile_box_next : sq_tile_box_put)(t, b);
    return more;
}

void sq_tile_box_line(sq_tile *t, sq_tile_box *b, int dim, int n)
{
    *b = (sq_tile_box){.to = t->to};
    if (!t->target->language->unroll || t->counting)
        return;
    add(b, sq_tile_loop_name(t, dim), n);
    b->n = n;
    b->at = SQ_NEW_ARRAY(t->arena, sq_code_list, n);
}

void sq_tile_box_next(sq_tile *t, sq_tile_box *b)
{
    if (b->at)
        sq_tile_into(t, &b->at[b->next++]);
}

sq_code *sq_tile_box_end(sq_tile *t, sq_tile_box *b)
{
    if (!b->at)
        return NULL;
    sq_tile_into(t, b->to);
    if (b->next != b->n)
        sq_bug("tile", "%d of %d points have code", b->next, b->n);
    sq_code **point = SQ_NEW_ARRAY(t->arena, sq_code *, b->n);
    for (int i = 0; i < b->n; i++)
        point[i] = b->at[i].first;
    return b->ndims ? sq_code_roll(t->pool, b->dim, b->ndims, point) : NULL;
}

void sq_tile_box_put(sq_tile *t, sq_tile_box *b)
{
    sq_code *loops = sq_tile_box_end(t, b);
    if (!b->at)
        return;
    sq_values_forget_inner(t->values);
    if (loops)
        sq_tile_append(t, loops);
    for (int i = 0; i < b->n && !loops; i++)
        sq_tile_append(t, b->at[i].first);
}
