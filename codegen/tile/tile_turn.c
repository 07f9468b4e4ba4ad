/* Tile turn: the end of a statement whose lanes lie apart where it writes them, as of Y[j][i] = X[i][j] in
 * vectors along j. Where the points of a row dimension are neighbours there, squares of registers are
 * transposed, and stored in vectors along that dimension. */
#include "codegen/tile/tile_inside.h"
#include "ir/kernel/narrow.h"

/* True if what is written moves by one element with each point of dimension d. */
static bool is_next(const sq_tile *t, const sq_ref *r, int d)
{
    const int64_t origin[SQ_MAX_DIMS] = {0};
    sq_offset step;
    if (!sq_ref_step(r, origin, d, 1, 0, &step) || step.known != 1)
        return false;
    for (int s = 0; s < r->nsubs; s++)
        if (step.times[s])
            return false;
    return t->variant->points[d] % t->lanes == 0;
}

int sq_tile_turned(const sq_tile *t)
{
    const sq_group *g = t->group;
    const sq_stmt *s = g->stmt[0];
    const sq_point origin = {0};
    bool can = t->lanes > 1 && !t->across && g->nstmts == 1 && !t->nest->first &&
               t->target->language->extension && !sq_type_stored(s->write->array->type);
    if (!can)
        return -1;
    const sq_ref *r = t->nest->ref[sq_tile_ref(t, s->write)];
    const sq_code_expr *lane_step = sq_tile_lane_step(t, r, &origin);
    if (!lane_step || sq_code_is(lane_step, 1) || sq_code_is(lane_step, -1))
        return -1;
    for (int d = 0; d < g->nfree; d++)
        if (sq_tile_row(t, d) && is_next(t, r, d))
            return d;
    return -1;
}

/* A square of registers. */
static const sq_code_buffer *square(const sq_tile *t, sq_type type)
{
    sq_code_buffer *b = SQ_NEW(t->arena, sq_code_buffer);
    const sq_code_expr **extent = SQ_NEW_ARRAY(t->arena, const sq_code_expr *, 1);
    extent[0] = sq_code_number(t->pool, t->lanes);
    *b = (sq_code_buffer){.name = "@turned",
                          .type = type,
                          .lanes = t->lanes,
                          .storage = SQ_CODE_REGISTER,
                          .ndim = 1,
                          .extent = extent};
    return b;
}

/* Rows from one point of dimension d to the next. */
static int rows_between(const sq_tile *t, int d)
{
    int n = 1;
    for (int x = d + 1; x < t->group->nfree; x++)
        n *= sq_tile_row(t, x) ? (int)t->variant->points[x] : 1;
    return n;
}

static void fill(sq_tile *t, int d, int row, int vector, const sq_code_buffer *to)
{
    const sq_stmt *s = t->group->stmt[0];
    int by = rows_between(t, d);
    sq_tile_box box;
    sq_tile_box_line(t, &box, d, t->lanes);
    for (int l = 0; l < t->lanes; l++) {
        sq_tile_box_next(t, &box);
        const sq_code_expr *at = sq_code_number(t->pool, l);
        sq_point p = sq_tile_point(t, row + l * by, vector, 0, 0);
        t->reduced = s->updates ? sq_tile_acc(t, row + l * by, vector, 0) : NULL;
        const sq_code_expr *value = sq_tile_eval(t, sq_stmt_in_lanes(s), &p);
        sq_tile_append(t, sq_code_store(t->pool, to, &at, value));
    }
    sq_tile_box_put(t, &box);
}

/* Lanes that a store along dimension d has from its point on; NULL: all. */
static const sq_code_expr *left_along(const sq_tile *t, int d, const sq_point *p)
{
    int v = t->group->micro.vector;
    if (!t->variant->runtime[d])
        return NULL;
    const sq_code_expr *left = sq_code_plus(t->pool, sq_tile_points(t, d), -p->at[d]);
    if (!t->variant->runtime[v] || !t->rest)
        return left;
    return sq_code_select(t->pool, sq_code_name(t->pool, "@part"), left,
                          sq_code_number(t->pool, t->lanes));
}

/* Condition that the point exists, apart from dimension d; NULL: it does. */
static const sq_code_expr *exists(const sq_tile *t, int d, const sq_point *p)
{
    const sq_code_expr *all = NULL;
    for (int x = 0; x < t->group->nfree; x++)
        if (x != d && t->variant->runtime[x])
            all = sq_code_and(t->pool, all,
                              sq_code_compare(t->pool, SQ_CODE_GT, sq_tile_points(t, x),
                                              sq_code_number(t->pool, p->at[x])));
    return all;
}

static void store_columns(sq_tile *t, int d, int row, int vector, const sq_code_buffer *from)
{
    int ref = sq_tile_ref(t, t->group->stmt[0]->write), v = t->group->micro.vector;
    sq_point first = sq_tile_point(t, row, vector, 0, 0);
    int64_t most = t->variant->points[v] - first.at[v], n = most < t->lanes ? most : t->lanes;
    sq_tile_box box;
    sq_tile_box_line(t, &box, v, (int)n);
    for (int l = 0; l < n; l++) {
        sq_tile_box_next(t, &box);
        const sq_code_expr *column = sq_code_number(t->pool, l);
        sq_point p = first;
        p.at[v] += l;
        const sq_code_expr *at = sq_tile_offset(t, ref, &p);
        sq_code *x = sq_code_store(t->pool, sq_tile_pointer(t, ref), &at,
                                   sq_code_load(t->pool, from, &column));
        x->lane_step = sq_code_number(t->pool, 1);
        x->left = left_along(t, d, &p);
        x->cond = exists(t, d, &p);
        sq_tile_append(t, x);
    }
    sq_tile_box_put(t, &box);
}

void sq_tile_finish_turned(sq_tile *t, int d)
{
    sq_type type = t->group->stmt[0]->write->array->type;
    for (int row = 0; row < t->rows; row++)
        for (int v = 0; v < t->vectors; v++) {
            if (sq_tile_point(t, row, v, 0, 0).at[d] % t->lanes)
                continue;
            const sq_code_buffer *b = square(t, type);
            sq_code_list all = {0}, *before = sq_tile_into(t, &all);
            sq_tile_append(t, sq_code_declare(t->pool, b, false));
            sq_values_enter(t->values);
            fill(t, d, row, v, b);
            sq_values_leave(t->values);
            sq_code *x = sq_code_new(t->pool, SQ_CODE_TRANSPOSE);
            x->buffer = b;
            sq_tile_append(t, x);
            store_columns(t, d, row, v, b);
            sq_tile_into(t, before);
            sq_code *block = sq_code_new(t->pool, SQ_CODE_BLOCK);
            block->body = all.first;
            sq_tile_append(t, block);
        }
}
