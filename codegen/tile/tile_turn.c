/* Tile turn: the end of a statement whose lanes are strided in its store, as in Y[j][i] = X[i][j]
 * vectorized along j. If the points of a row dimension are contiguous there, squares of registers
 * are transposed, and stored in vectors along that dimension. If that dimension has two to four points,
 * which are all that lies between two lanes, as the channels of pixels Y[i][c] vectorized along i,
 * interleaved vectors are stored. */
#include "codegen/isa/vector.h"
#include "codegen/tile/tile_inside.h"
#include "ir/kernel/narrow.h"

/* True if the store moves by one element with each point of dimension d. */
static bool moves_by_one(const sq_ref *r, int d)
{
    const int64_t origin[SQ_MAX_DIMS] = {0};
    sq_offset step;
    if (!sq_ref_step(r, origin, d, 1, 0, &step) || step.known != 1)
        return false;
    for (int s = 0; s < r->nsubs; s++)
        if (step.times[s])
            return false;
    return true;
}

/* Returns the store of a tile with a single statement, if it is vectorized; NULL: the end of the
 * tile has another form. */
static const sq_ref *written(const sq_tile *t)
{
    const sq_group *g = t->group;
    const sq_stmt *s = g->stmt[0];
    bool can = t->lanes > 1 && !t->across && g->nstmts == 1 && !t->nest->first &&
               t->target->language->extension && !sq_type_stored(s->write->array->type);
    return can ? t->nest->ref[sq_tile_ref(t, s->write)] : NULL;
}

int sq_tile_turned(const sq_tile *t)
{
    const sq_point origin = {0};
    const sq_ref *r = written(t);
    const sq_code_expr *lane_step = r ? sq_tile_lane_step(t, r, &origin) : NULL;
    if (!lane_step || sq_code_is(lane_step, 1) || sq_code_is(lane_step, -1))
        return -1;
    for (int d = 0; d < t->group->nfree; d++)
        if (sq_tile_row(t, d) && moves_by_one(r, d) && t->variant->points[d] % t->lanes == 0)
            return d;
    return -1;
}

int sq_tile_interleaved(const sq_tile *t)
{
    const sq_point origin = {0};
    const sq_ref *r = written(t);
    const sq_code_expr *lane_step = r ? sq_tile_lane_step(t, r, &origin) : NULL;
    int64_t n;
    if (!lane_step || !sq_code_known(lane_step, &n) || n < 2 || n > SQ_STRIDE_MOST)
        return -1;
    for (int d = 0; d < t->group->nfree; d++)
        if (sq_tile_row(t, d) && moves_by_one(r, d) && t->variant->points[d] == n && !t->variant->runtime[d])
            return d;
    return -1;
}

/* Returns an array of n registers. */
static const sq_code_buffer *registers(const sq_tile *t, sq_type type, int64_t n)
{
    sq_code_buffer *b = SQ_NEW(t->arena, sq_code_buffer);
    const sq_code_expr **extent = SQ_NEW_ARRAY(t->arena, const sq_code_expr *, 1);
    extent[0] = sq_code_number(t->pool, n);
    *b = (sq_code_buffer){.name = "@turned",
                          .type = type,
                          .lanes = t->lanes,
                          .storage = SQ_CODE_REGISTER,
                          .ndim = 1,
                          .extent = extent};
    return b;
}

/* Returns the distance in rows of two adjacent points of dimension d. */
static int rows_between(const sq_tile *t, int d)
{
    int n = 1;
    for (int x = d + 1; x < t->group->nfree; x++)
        n *= sq_tile_row(t, x) ? (int)t->variant->points[x] : 1;
    return n;
}

/* Fills registers with the values of n points along dimension d. */
static void fill(sq_tile *t, int d, int n, int row, int vector, const sq_code_buffer *to)
{
    const sq_stmt *s = t->group->stmt[0];
    int by = rows_between(t, d);
    sq_tile_box box;
    sq_tile_box_line(t, &box, d, n);
    for (int l = 0; l < n; l++) {
        sq_tile_box_next(t, &box);
        const sq_code_expr *at = sq_code_number(t->pool, l);
        sq_point p = sq_tile_point(t, row + l * by, vector, 0, 0);
        t->reduced = s->updates ? sq_tile_acc(t, row + l * by, vector, 0) : NULL;
        const sq_code_expr *value = sq_tile_eval(t, sq_stmt_in_lanes(s), &p);
        sq_tile_append(t, sq_code_store(t->pool, to, &at, value));
    }
    sq_tile_box_put(t, &box);
}

/* Returns the lanes that a store along dimension d has from its point on; NULL: all. */
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

/* Returns the condition that the point exists, ignoring dimension d; NULL: it does. */
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
            const sq_code_buffer *b = registers(t, type, t->lanes);
            sq_code_list all = {0}, *before = sq_tile_into(t, &all);
            sq_tile_append(t, sq_code_declare(t->pool, b, false));
            sq_values_enter(t->values);
            fill(t, d, t->lanes, row, v, b);
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

/* ---- interleaved ---- */

/* Returns the lanes that vector i of n has, which are interleaved, where each of those has `left`; NULL: all. */
static const sq_code_expr *left_zipped(const sq_tile *t, const sq_code_expr *left, int n, int i)
{
    const sq_code_expr *lanes = sq_code_number(t->pool, t->lanes);
    if (!left)
        return NULL;
    if (left->op == SQ_CODE_SELECT && left->arg[2] == lanes)
        return sq_code_select(t->pool, left->arg[0], left_zipped(t, left->arg[1], n, i), lanes);
    return sq_code_plus(t->pool, sq_code_scale(t->pool, n, left), -i * t->lanes);
}

/* Appends the stores of n interleaved vectors, one behind the other. */
static void store_zipped(sq_tile *t, const sq_point *p, int n, const sq_code_buffer *from)
{
    int ref = sq_tile_ref(t, t->group->stmt[0]->write);
    const sq_code_expr **of = SQ_NEW_ARRAY(t->arena, const sq_code_expr *, n), *first = sq_tile_offset(t, ref, p);
    for (int i = 0; i < n; i++) {
        const sq_code_expr *at = sq_code_number(t->pool, i);
        of[i] = sq_code_load(t->pool, from, &at);
    }
    for (int i = 0; i < n; i++) {
        const sq_code_expr *at = sq_code_plus(t->pool, first, i * t->lanes);
        sq_code *x = sq_code_store(t->pool, sq_tile_pointer(t, ref), &at, sq_code_zip(t->pool, n, of, i));
        x->lane_step = sq_code_number(t->pool, 1);
        x->left = left_zipped(t, sq_tile_left(t, p), n, i);
        sq_tile_append(t, x);
    }
}

/* Stores one vector of all points along d. */
static void finish_vector(sq_tile *t, int d, int row, int vector)
{
    int n = (int)t->variant->points[d];
    sq_point p = sq_tile_point(t, row, vector, 0, 0);
    const sq_code_buffer *b = registers(t, t->group->stmt[0]->write->array->type, n);
    sq_code_list all = {0}, *before = sq_tile_into(t, &all);
    sq_tile_append(t, sq_code_declare(t->pool, b, false));
    sq_values_enter(t->values);
    fill(t, d, n, row, vector, b);
    sq_values_leave(t->values);
    store_zipped(t, &p, n, b);
    sq_tile_into(t, before);
    sq_tile_append(t, sq_code_guarded(t->pool, exists(t, t->group->micro.vector, &p), all.first));
}

void sq_tile_finish_interleaved(sq_tile *t, int d)
{
    for (int row = 0; row < t->rows; row++)
        for (int v = 0; v < t->vectors; v++)
            if (sq_tile_point(t, row, v, 0, 0).at[d] == 0)
                finish_vector(t, d, row, v);
}
