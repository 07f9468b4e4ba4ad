/* Fold comparison: ranges of integer expressions by their types; see fold_comparison.h. */
#include "codegen/nest/fold_comparison.h"
#include <math.h>

typedef struct range {
    double lo, hi;
} range;

static range of_type(sq_type t)
{
    int bits = 8 * sq_type_bytes(t);
    if (bits > 32) /* its limits are not doubles */
        return (range){sq_type_unsigned(t) ? 0 : -INFINITY, INFINITY};
    if (sq_type_unsigned(t))
        return (range){0, ldexp(1, bits) - 1};
    return (range){-ldexp(1, bits - 1), ldexp(1, bits - 1) - 1};
}

static bool is_small(const sq_expr *e)
{
    return e->op == SQ_OP_CONST && e->integer >= 0 && e->integer < (int64_t)1 << 53;
}

static range range_of(const sq_expr *e)
{
    range all = of_type(e->type), r = all;
    if (e->op == SQ_OP_CONST && !sq_type_unsigned(e->type) && e->integer < 0 &&
        e->integer > -((int64_t)1 << 53))
        return (range){(double)e->integer, (double)e->integer};
    if (is_small(e))
        return (range){(double)e->integer, (double)e->integer};
    if (e->op == SQ_OP_CAST && !sq_type_real(e->arg[0]->type))
        r = range_of(e->arg[0]);
    for (int i = 0; e->op == SQ_OP_BIT_AND && i < 2; i++)
        if (is_small(e->arg[i]))
            r = (range){0, (double)e->arg[i]->integer};
    return r.lo >= all.lo && r.hi <= all.hi ? r : all;
}

/* True for (x & mask) == k with a bit outside of the mask, (x | mask) == k without one of its
 * bits. */
static bool bits_differ(const sq_expr *x, const sq_expr *k)
{
    for (int i = 0; k->op == SQ_OP_CONST && i < 2; i++) {
        if ((x->op != SQ_OP_BIT_AND && x->op != SQ_OP_BIT_OR) || x->arg[i]->op != SQ_OP_CONST)
            continue;
        int64_t mask = x->arg[i]->integer;
        if (x->op == SQ_OP_BIT_AND ? k->integer & ~mask : mask & ~k->integer)
            return true;
    }
    return false;
}

/* Returns the result of a < b, or a <= b. */
static int below(range a, range b, bool or_equal)
{
    if (or_equal ? a.hi <= b.lo : a.hi < b.lo)
        return 1;
    return (or_equal ? a.lo > b.hi : a.lo >= b.hi) ? 0 : -1;
}

int sq_expr_fold_comparison(const sq_expr *e)
{
    bool order = e->op == SQ_OP_LT || e->op == SQ_OP_LE;
    if (!order && e->op != SQ_OP_EQ && e->op != SQ_OP_NE)
        return -1;
    const sq_expr *x = e->arg[0], *y = e->arg[1];
    if (sq_type_real(x->type) || x->type != y->type)
        return -1;
    if (sq_expr_same(x, y))
        return e->op == SQ_OP_LE || e->op == SQ_OP_EQ;
    range a = range_of(x), b = range_of(y);
    if (order)
        return below(a, b, e->op == SQ_OP_LE);
    bool differ = a.hi < b.lo || b.hi < a.lo || bits_differ(x, y) || bits_differ(y, x);
    return differ ? e->op == SQ_OP_NE : -1;
}
