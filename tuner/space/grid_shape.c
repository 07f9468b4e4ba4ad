/* Grid shape: see grid_shape.h. */
#include "tuner/space/grid_shape.h"
#include <isl/aff.h>
#include <isl/val.h>
#include <stdlib.h>

enum {
    SHORT = 5 /* limit on the extents of reductions that a tile unrolls */,
    MANY_SUMS = 1 << 17 /* a thousand per multiprocessor */,
    LEAST = 8 /* minimum along an instruction's dimension */
};

/* Returns the contiguous subscript: the last one whose extent is not 1. */
static int last_subscript(const sq_array *a)
{
    int s = a->ndim - 1;
    while (s > 0 && sq_array_extent(a, s) == 1)
        s--;
    return s;
}

/* True if an access depends on a dimension: in its last subscript, or in any. */
static bool walks(const sq_access *a, int d, bool last)
{
    for (int s = last ? last_subscript(a->array) : 0; s >= 0 && s < a->array->ndim; s++) {
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

/* True if no read may leave its array, and all have the output's type except f16 and bf16, which
 * are f32 when values are computed. */
static bool takes_vectors(const sq_group *g)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool wide = g->stmt[0]->write->array->type == SQ_F64;
    for (int i = 0; i < g->nstmts; i++) {
        int n = sq_stmt_all_reads(g->stmt[i], read, NULL);
        if ((g->stmt[i]->write->array->type == SQ_F64) != wide)
            return false;
        for (int r = 0; r < n; r++)
            if (!sq_type_real(read[r]->array->type) || read[r]->edge != SQ_EDGE_NONE ||
                (read[r]->array->type == SQ_F64) != wide)
                return false;
    }
    return true;
}

/* True if a subscript of the access depends on d and on a dimension of the sum, as a window's
 * does. */
static bool slides(const sq_group *g, const sq_access *a, int d)
{
    for (int s = 0; s < a->array->ndim; s++) {
        isl_aff *aff = isl_multi_aff_get_aff(a->map, s);
        unsigned n = (unsigned)(g->ndim - g->nfree), from = (unsigned)g->nfree;
        bool both = (int)isl_aff_dim(aff, isl_dim_in) == g->ndim &&
                    isl_aff_involves_dims(aff, isl_dim_in, (unsigned)d, 1) == isl_bool_true &&
                    isl_aff_involves_dims(aff, isl_dim_in, from, n) == isl_bool_true;
        isl_aff_free(aff);
        if (both)
            return true;
    }
    return false;
}

/* Returns the innermost free dimension, besides two others, along which windows of one operand
 * slide; -1. */
static int lines_of(const sq_group *g, const sq_access *const *of, int row, int column)
{
    for (int d = g->nfree - 1; d >= 0; d--)
        if (d != row && d != column && walks(of[0], d, false) != walks(of[1], d, false) &&
            (slides(g, of[0], d) || slides(g, of[1], d)))
            return d;
    return -1;
}

/* Finds two operands of the sum, one independent of the column and the other of a row. */
static void find_product(sq_grid_shape *h)
{
    const sq_group *g = h->g;
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    const sq_access *of[2] = {NULL, NULL};
    int n = sq_stmt_all_reads(g->stmt[0], read, in_body);
    for (int r = 0; r < n; r++)
        if (in_body[r])
            of[walks(read[r], h->column, false)] = read[r];
    for (int d = 0; d < g->nfree && of[0] && of[1]; d++)
        if (d != h->column && walks(of[0], d, false) && !walks(of[1], d, false))
            h->row = d;
    if (h->row >= 0)
        h->lines = lines_of(g, of, h->row, h->column);
    for (int i = 0; i < 2; i++)
        h->operand[i] = of[i] ? of[i]->array : NULL;
}

static bool is_short(const sq_group *g, int d)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    return n >= 0 && n <= SHORT;
}

/* Returns the points of a reduction; a large number if it is not known. */
static int64_t length(const sq_group *g, int d)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    return n < 0 ? INT64_MAX : n;
}

/* Returns the column; if it has fewer elements than a warp has threads, a longer dimension along
 * which some array is contiguous. */
static int lane_of(const sq_group *g, int column)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(g->stmt[0], read, NULL), best = column;
    bool along = false;
    for (int d = g->nfree - 1; d >= 0 && length(g, column) < SQ_WARP; d--) {
        bool lies = false;
        for (int r = 0; r < n; r++)
            lies |= walks(read[r], d, true);
        int64_t own = length(g, d), most = length(g, best);
        bool enough = own >= SQ_WARP && most >= SQ_WARP;
        if (enough ? lies && !along : own > most) {
            best = d;
            along = lies;
        }
    }
    return best;
}

/* Finds the longest reduction; short ones are unrolled. */
static void find_serial(sq_grid_shape *h)
{
    const sq_group *g = h->g;
    int64_t longest = -1;
    for (int d = g->nfree; d < g->ndim; d++) {
        int64_t n = length(g, d);
        h->taps *= is_short(g, d) ? (int)n : 1;
        if (!is_short(g, d) && n > longest) {
            longest = n;
            h->serial = d;
        }
    }
}

/* Finds the longest reduction along which an operand of the sum is contiguous. */
static void find_team(sq_grid_shape *h)
{
    const sq_group *g = h->g;
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(g->stmt[0], read, in_body);
    for (int d = g->nfree; d < g->ndim; d++)
        for (int r = 0; r < n; r++)
            if (in_body[r] && !is_short(g, d) && walks(read[r], d, true) &&
                (h->team < 0 || length(g, d) > length(g, h->team)))
                h->team = d;
}

static bool lies_across(const sq_access *a, int lane, int d)
{
    return d != lane && a->edge == SQ_EDGE_NONE && walks(a, d, true) && !walks(a, lane, true) &&
           walks(a, lane, false);
}

/* Finds a dimension along which an operand of a statement without a sum is contiguous while the
 * output is contiguous along its lanes. */
static void find_turned(sq_grid_shape *h)
{
    const sq_group *g = h->g;
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(g->stmt[0], read, NULL);
    for (int d = 0; d < g->nfree; d++)
        for (int r = 0; r < n; r++)
            if (lies_across(read[r], h->lane, d) && length(g, d) >= SQ_WARP)
                h->turned = d;
}

/* ---- matrix instructions ---- */

static bool too_short(const sq_group *g, int d)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    return n >= 0 && n < LEAST;
}

/* Finds an instruction without rounding for these dimensions. */
static bool fits(const sq_group *g, int rows, int columns, int steps, sq_grid_tensor *x)
{
    sq_tensor_product p;
    if (too_short(g, rows) || too_short(g, columns) || too_short(g, steps) ||
        !sq_tensor_product_of(g, rows, columns, steps, &p))
        return false;
    const sq_tensor_shape *shape = sq_tensor_shape_of(p.of[0]->array->type, p.sum, 1);
    *x = (sq_grid_tensor){rows,  columns,           steps, lines_of(g, p.of, rows, columns),
                          shape, {p.of[0], p.of[1]}};
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
    *h = (sq_grid_shape){.g = g,
                         .arena = a,
                         .row = -1,
                         .lines = -1,
                         .serial = -1,
                         .team = -1,
                         .turned = -1,
                         .taps = 1};
    sq_shape_of(k, g, sizes, a, &h->numbers);
    h->column = column_of(g);
    h->lane = g->nfree > 0 ? lane_of(g, h->column) : -1;
    h->vectors = takes_vectors(g);
    if (!g->stmt[0]->updates) {
        if (g->nstmts == 1 && h->lane == h->column)
            find_turned(h);
        return;
    }
    if (g->nfree > 0)
        find_product(h);
    find_serial(h);
    find_team(h);
    if (!find(g, h->column, &h->tensor))
        h->tensor.shape = NULL;
}

bool sq_grid_is_product(const sq_grid_shape *h)
{
    return h->row >= 0 && h->serial >= 0 && h->operand[0] != h->operand[1];
}

/* Returns the stride along d in the last subscript; 0 if it does not depend on d, 1 if its
 * coefficient is no integer. */
static long stride(const sq_access *a, int d)
{
    if (!walks(a, d, true))
        return 0;
    isl_aff *aff = isl_multi_aff_get_aff(a->map, last_subscript(a->array));
    isl_val *v = isl_aff_get_coefficient_val(aff, isl_dim_in, d);
    bool simple = isl_val_is_int(v) == isl_bool_true && !isl_val_is_zero(v);
    long n = simple ? labs(isl_val_get_num_si(v)) : 1;
    isl_val_free(v);
    isl_aff_free(aff);
    return n;
}

/* True if the stride along the column is smaller than that along the team. */
static bool is_nearer_along_column(const sq_grid_shape *h, const sq_access *a)
{
    long column = h->column >= 0 ? stride(a, h->column) : 0, team = stride(a, h->team);
    return column > 0 && (team == 0 || column <= team);
}

bool sq_grid_has_team(const sq_grid_shape *h)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    if (h->team < 0 || h->row >= 0)
        return false;
    int n = sq_stmt_all_reads(h->g->stmt[0], read, in_body);
    for (int r = 0; r < n; r++)
        if (in_body[r] && walks(read[r], h->team, false) && is_nearer_along_column(h, read[r]))
            return false;
    return length(h->g, h->team) >= SQ_WARP;
}

bool sq_grid_has_columns(const sq_grid_shape *h)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], along = false;
    const sq_group *g = h->g;
    double sums = 1;
    if (h->serial < 0 || h->row >= 0 || g->nfree == 0 || h->lane != h->column ||
        length(g, h->lane) < SQ_WARP || length(g, h->serial) < SQ_WARP)
        return false;
    for (int d = 0; d < g->nfree; d++)
        sums *= (double)h->numbers.extent[d];
    int n = sq_stmt_all_reads(g->stmt[0], read, in_body);
    for (int r = 0; r < n; r++)
        along |= in_body[r] && walks(read[r], h->lane, true) && walks(read[r], h->serial, false);
    return along && sums < MANY_SUMS;
}

bool sq_grid_unrolls(const sq_grid_shape *h, int d)
{
    return is_short(h->g, d);
}

bool sq_grid_is_turned(const sq_grid_shape *h, const sq_access *a)
{
    return h->turned >= 0 && lies_across(a, h->lane, h->turned);
}

bool sq_grid_walks(const sq_access *a, int d)
{
    return walks(a, d, false);
}

bool sq_grid_lies_along(const sq_access *a, int d)
{
    return walks(a, d, true);
}
