/* Draft tensor: see draft_tensor.h. A block computes 128 x 128 elements and a warp 64 x 32 of them:
 * 6 loads of fragments for 16 instructions. Two blocks of 256 threads fit a multiprocessor of
 * sm_80, in registers (128 each) and in shared memory. Copies are on their way three steps ahead:
 * instructions take a twentieth of the time that multiply-adds take for the same tile, too little
 * to wait for memory meanwhile. */
#include "tuner/draft_tensor.h"
#include "ir/tensor.h"
#include <string.h>

enum { BLOCK = 128, WARP_ROWS = 64, WARP_COLUMNS = 32, STAGES = 3, LEAST = 8 };

typedef struct product {
    int rows, columns, steps;
    const sq_tensor_shape *shape;
    const sq_access *of[2];
} product;

/* Is the array's last subscript the one that moves with d. */
static bool lies_along(const sq_access *a, int d)
{
    isl_aff *last = isl_multi_aff_get_aff(a->map, a->array->ndim - 1);
    bool has = isl_aff_involves_dims(last, isl_dim_in, (unsigned)d, 1) == isl_bool_true;
    isl_aff_free(last);
    return has;
}

static bool too_short(const sq_group *g, int d)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    return n >= 0 && n < LEAST;
}

/* An instruction that rounds nothing, for these dimensions. */
static bool fits(const sq_group *g, int rows, int columns, int steps, product *x)
{
    sq_tensor_product p;
    if (too_short(g, rows) || too_short(g, columns) || too_short(g, steps) ||
        !sq_tensor_product_of(g, rows, columns, steps, &p))
        return false;
    const sq_tensor_shape *shape = sq_tensor_shape_of(p.of[0]->array->type, p.sum);
    *x = (product){rows, columns, steps, shape, {p.of[0], p.of[1]}};
    return shape && !shape->rounds && p.of[0]->array != p.of[1]->array;
}

static bool find(const sq_group *g, int column, product *x)
{
    for (int k = g->nfree; k < g->ndim; k++)
        for (int d = g->nfree - 1; d >= 0; d--)
            if (d != column && fits(g, d, column, k, x))
                return true;
    return false;
}

/* A power of two that covers the extent where it is known. */
static int64_t covering(const sq_group *g, int d, int64_t least)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d), p = least;
    while (p < BLOCK && (n < 0 || p < n))
        p *= 2;
    return p;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* order(…) hold(…) block(…): other free dimensions, tiles, warps, then reductions. */
static void put_loops(const sq_group *g, const product *x, sq_text *to)
{
    sq_text others = {0}, sums = {0}, held = {0};
    for (int d = 0; d < g->nfree; d++)
        if (d != x->rows && d != x->columns)
            sq_text_printf(&others, "%s, ", g->dim[d]);
    sq_text_printf(&held, "%s0", g->dim[x->steps]);
    for (int d = g->ndim - 1; d >= g->nfree; d--) {
        if (d == x->steps)
            continue;
        if (sums.n == 0) {
            sq_text_clear(&held);
            sq_text_puts(&held, g->dim[d]);
        }
        sq_text_printf(&sums, "%s, ", g->dim[d]);
    }
    const char *i = g->dim[x->rows], *j = g->dim[x->columns];
    sq_text_printf(to, "order(%s%s0, %s0, %s, %s, %s%s0) hold(%s) block(%s%s0, %s0) ",
                   sq_text_str(&others), i, j, i, j, sq_text_str(&sums), g->dim[x->steps],
                   sq_text_str(&held), sq_text_str(&others), i, j);
    sq_text_free(&others);
    sq_text_free(&sums);
    sq_text_free(&held);
}

bool sq_draft_tensor(const sq_group *g, int column, sq_text *to)
{
    product x;
    if (!g->stmt[0]->updates || !find(g, column, &x))
        return false;
    const char *i = g->dim[x.rows], *j = g->dim[x.columns], *k = g->dim[x.steps];
    int64_t rows = covering(g, x.rows, 2 * x.shape->m),
            columns = covering(g, x.columns, 2 * x.shape->m);
    bool bytes = sq_type_bytes(x.shape->operand) == 1;
    bool turned = bytes && !(lies_along(x.of[0], x.steps) && lies_along(x.of[1], x.steps));
    sq_text_printf(to, "tile(%s:%lld, %s:%lld, %s:%d) ", i, (long long)rows, j, (long long)columns,
                   k, 2 * x.shape->k);
    sq_text_printf(to, "micro(%s:%lld, %s:%lld | %s) tensorize(%s:%d, %s:%d, %s:%d) ", i,
                   (long long)smaller(rows, WARP_ROWS), j,
                   (long long)smaller(columns, WARP_COLUMNS), k, i, x.shape->m, j, x.shape->n, k,
                   x.shape->k);
    put_loops(g, &x, to);
    sq_text_printf(to, "thread(%s, %s) share(%s, %s at %s0, pad:%d", i, j, x.of[0]->array->name,
                   x.of[1]->array->name, k, 16 / sq_type_bytes(x.shape->operand));
    if (!turned)
        sq_text_printf(to, ", stages:%d", STAGES);
    sq_text_puts(to, ")");
    return true;
}
