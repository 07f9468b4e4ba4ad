/* Grid shape: see grid_shape.h. */
#include "tuner/grid_shape.h"
#include <isl/aff.h>

enum {
    SHORT = 5 /* extents of reductions that a tile unrolls */,
    LEAST = 8 /* of an instruction's
                dimension */
};

/* Does an access depend on a dimension: in its last subscript, or at all. */
static bool walks(const sq_access *a, int d, bool last)
{
    for (int s = last ? a->array->ndim - 1 : 0; s >= 0 && s < a->array->ndim; s++) {
        isl_aff *aff = isl_multi_aff_get_aff(a->map, s);
        bool has = d < (int)isl_aff_dim(aff, isl_dim_in) &&
                   isl_aff_involves_dims(aff, isl_dim_in, (unsigned)d, 1) == isl_bool_true;
        isl_aff_free(aff);
        if (has)
            return true;
    }
    return false;
}

static int column_of(const sq_group *g)
{
    for (int d = g->nfree - 1; d >= 0; d--)
        if (walks(g->stmt[0]->write, d, true))
            return d;
    return g->nfree - 1;
}

/* One floating type, and no read that may leave its array. */
static bool takes_vectors(const sq_group *g)
{
    sq_type t = g->stmt[0]->write->array->type;
    sq_access *read[SQ_MAX_STMT_READS];
    for (int i = 0; i < g->nstmts; i++) {
        int n = sq_stmt_reads(g->stmt[i], read, NULL, SQ_MAX_STMT_READS);
        if (g->stmt[i]->write->array->type != t)
            return false;
        for (int r = 0; r < n; r++)
            if (read[r]->array->type != t || read[r]->edge != SQ_EDGE_NONE)
                return false;
    }
    return t == SQ_F32 || t == SQ_F64;
}

/* Two operands of the sum, of which one lacks the column and the other a row. */
static void find_product(sq_grid_shape *h)
{
    const sq_group *g = h->g;
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    const sq_access *of[2] = {NULL, NULL};
    int n = sq_stmt_reads(g->stmt[0], read, in_body, SQ_MAX_STMT_READS);
    for (int r = 0; r < n; r++)
        if (in_body[r])
            of[walks(read[r], h->column, false)] = read[r];
    for (int d = 0; d < g->nfree && of[0] && of[1]; d++)
        if (d != h->column && walks(of[0], d, false) && !walks(of[1], d, false))
            h->row = d;
    for (int i = 0; i < 2; i++)
        h->operand[i] = of[i] ? of[i]->array : NULL;
}

static bool is_short(const sq_group *g, int d)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    return n >= 0 && n <= SHORT;
}

/* The longest reduction; short ones are unrolled. */
static void find_serial(sq_grid_shape *h)
{
    const sq_group *g = h->g;
    int64_t longest = -1;
    for (int d = g->nfree; d < g->ndim; d++) {
        int64_t n = sq_stmt_extent(g->stmt[0], d);
        n = n < 0 ? INT64_MAX : n;
        h->taps *= is_short(g, d) ? (int)n : 1;
        if (!is_short(g, d) && n > longest) {
            longest = n;
            h->serial = d;
        }
    }
}

/* ---- matrix instructions ---- */

static bool too_short(const sq_group *g, int d)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    return n >= 0 && n < LEAST;
}

/* An instruction that rounds nothing, for these dimensions. */
static bool fits(const sq_group *g, int rows, int columns, int steps, sq_grid_tensor *x)
{
    sq_tensor_product p;
    if (too_short(g, rows) || too_short(g, columns) || too_short(g, steps) ||
        !sq_tensor_product_of(g, rows, columns, steps, &p))
        return false;
    const sq_tensor_shape *shape = sq_tensor_shape_of(p.of[0]->array->type, p.sum);
    *x = (sq_grid_tensor){rows, columns, steps, shape, {p.of[0], p.of[1]}};
    return shape && !shape->rounds && p.of[0]->array != p.of[1]->array;
}

static bool find(const sq_group *g, int column, sq_grid_tensor *x)
{
    for (int k = g->nfree; k < g->ndim; k++)
        for (int d = g->nfree - 1; d >= 0; d--)
            if (d != column && fits(g, d, column, k, x))
                return true;
    return false;
}

/* ---- the whole ---- */

void sq_grid_shape_of(const sq_kernel *k, const sq_group *g, const int64_t *sizes, sq_arena *a,
                      sq_grid_shape *h)
{
    *h = (sq_grid_shape){.g = g, .arena = a, .row = -1, .serial = -1, .taps = 1};
    sq_shape_of(k, g, sizes, a, &h->numbers);
    h->column = column_of(g);
    h->vectors = takes_vectors(g);
    if (!g->stmt[0]->updates)
        return;
    if (g->nfree > 0)
        find_product(h);
    find_serial(h);
    if (!find(g, h->column, &h->tensor))
        h->tensor.shape = NULL;
}

bool sq_grid_is_product(const sq_grid_shape *h)
{
    return h->row >= 0 && h->serial >= 0 && h->operand[0] != h->operand[1];
}

bool sq_grid_has_team(const sq_grid_shape *h)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], along = false;
    if (h->serial < 0 || h->row >= 0)
        return false;
    int64_t extent = sq_stmt_extent(h->g->stmt[0], h->serial);
    int n = sq_stmt_reads(h->g->stmt[0], read, in_body, SQ_MAX_STMT_READS);
    for (int r = 0; r < n; r++) {
        along |= in_body[r] && walks(read[r], h->serial, true);
        if (in_body[r] && h->column >= 0 && walks(read[r], h->serial, false) &&
            walks(read[r], h->column, true))
            return false;
    }
    return along && (extent < 0 || extent >= 32);
}

bool sq_grid_unrolls(const sq_grid_shape *h, int d)
{
    return is_short(h->g, d);
}

bool sq_grid_lies_along(const sq_access *a, int d)
{
    return walks(a, d, true);
}
