/* Widen, residues: a loop whose subscripts are divided, as Y[x] = X[x / 2], becomes one over the
 * quotient, whose body has the statements of each residue: Y[2 * x] = X[x], Y[2 * x + 1] = X[x].
 * Nothing is divided there, and stores that are interleaved can be vectors. See widen.h. */
#include "codegen/passes/widen.h"
#include "support/integer.h"

typedef struct residues {
    sq_code_pool *pool;
    const sq_code *loop;
    int64_t n; /* residues; more than SQ_STRIDE_MOST: too many */
} residues;

/* Takes account of the divisions of a subscript or a value. */
static void count(residues *r, const sq_code_expr *e)
{
    int64_t by, coef;
    if (e->op == SQ_CODE_FLOORD && sq_code_known(e->arg[1], &by) && by > 1 &&
        sq_code_is_affine(e->arg[0], r->loop->name, &coef) && r->n <= SQ_STRIDE_MOST) {
        int64_t own = by / sq_gcd(by, coef);
        r->n = r->n / sq_gcd(r->n, own) * own;
    }
    for (int i = 0; i < e->nargs; i++)
        count(r, e->arg[i]);
}

/* True if the body has statements only, and their subscripts are divided by a few numbers. */
static bool count_all(residues *r)
{
    r->n = 1;
    for (const sq_code *x = r->loop->body; x; x = x->next) {
        if (x->kind != SQ_CODE_STORE || x->lane_step || x->buffer->ndim == 0)
            return false;
        for (int d = 0; d < x->buffer->ndim; d++)
            count(r, x->index[d]);
        count(r, x->value);
        if (x->cond)
            count(r, x->cond);
    }
    return r->n > 1 && r->n <= SQ_STRIDE_MOST;
}

/* Returns n * quotient + k, where the quotient has the name of the loop. */
static const sq_code_expr *at(const residues *r, int64_t k)
{
    return sq_code_plus(r->pool, sq_code_scale(r->pool, r->n, sq_code_name(r->pool, r->loop->name)), k);
}

sq_code *sq_widen_residues(sq_code_pool *p, const sq_code *loop, sq_code **rest)
{
    residues r = {.pool = p, .loop = loop};
    int64_t lo;
    if (!loop->hi || loop->step != 1 || !sq_code_known(loop->lo, &lo) || !count_all(&r) ||
        lo % r.n != 0)
        return NULL;
    const sq_code_expr *rounds =
        sq_code_divide(p, SQ_CODE_FLOORD, loop->hi, sq_code_number(p, r.n));
    sq_code_list body = {0};
    for (int64_t k = 0; k < r.n; k++)
        for (const sq_code *x = loop->body; x; x = x->next)
            sq_code_append(&body, sq_code_store_with(p, x, loop->name, at(&r, k)));
    sq_code *x = sq_code_loop(p, loop->name, sq_code_number(p, lo / r.n), rounds, 1);
    x->is_scalar = true;
    x->body = body.first;
    *rest = NULL;
    if (sq_code_divisor(loop->hi) % r.n == 0)
        return x;
    *rest = sq_code_copy(p, loop);
    (*rest)->lo = sq_code_max(p, loop->lo, sq_code_scale(p, r.n, rounds));
    return x;
}
