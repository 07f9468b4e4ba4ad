/* Narrow sum: see narrow_sum.h. */
#include "transforms/narrow_sum.h"
#include "ir/dependence/rewrite.h"
#include "ir/kernel/narrow.h"

/* Returns the number of terms of each sum if it is a constant, else -1. */
static int64_t terms_of(const sq_stmt *s)
{
    int64_t n = 1;
    for (int d = s->nfree; d < s->ndim; d++) {
        int64_t extent = sq_stmt_extent(s, d);
        if (extent <= 0 || __builtin_mul_overflow(n, extent, &n))
            return -1;
    }
    return n;
}

const char *sq_narrow_sum_find(const sq_kernel *k, const sq_stmt *s, sq_narrow_sum *x)
{
    if (!s->updates || s->reduce != SQ_OP_ADD || sq_type_real(s->body->type) || sq_stmt_has_words(s))
        return "is no sum of integers";
    int64_t terms = terms_of(s);
    if (terms < 0)
        return "adds up a number of terms that is no constant";
    bool fits = false;
    for (int bytes = 1; bytes < sq_type_bytes(s->body->type); bytes *= 2) {
        *x = (sq_narrow_sum){.of = s};
        if (!sq_sum_fits(s->body, terms, bytes, &x->type, &x->most))
            continue;
        fits = true;
        if (sq_expr_low(k, s->body, x->type))
            return NULL;
    }
    return fits ? "adds up values that need wider integers on the way" : "has a sum that no narrower integer holds";
}

/* Replaces the sum in a value by the narrower one, converted. */
static sq_expr *with_sum(const sq_kernel *k, sq_expr *e, const sq_narrow_sum *x)
{
    for (int i = 0; i < e->nargs; i++)
        e->arg[i] = with_sum(k, e->arg[i], x);
    if (e->op != SQ_OP_REDUCED)
        return e;
    sq_expr *sum = sq_expr_node(k, SQ_OP_REDUCED, x->type, e->loc, 0, NULL);
    sum->most = x->most;
    return sq_expr_node(k, SQ_OP_CAST, e->type, e->loc, 1, &sum);
}

static sq_stmt *copied(const sq_kernel *made, const sq_stmt *s, const sq_narrow_sum *x)
{
    sq_stmt *c = sq_stmt_copied(made, s, NULL, NULL);
    if (x) {
        c->body = sq_expr_low(made, c->body, x->type);
        c->value = with_sum(made, c->value, x);
    }
    return c;
}

sq_kernel *sq_narrow_sum_make(const sq_kernel *k, const sq_narrow_sum *x, int n)
{
    sq_kernel *made = sq_rewritten_begin(k, k->nstmts);
    for (int i = 0; made && i < k->nstmts; i++) {
        const sq_narrow_sum *own = NULL;
        for (int j = 0; j < n; j++)
            own = x[j].of == k->stmt[i] ? &x[j] : own;
        made->stmt[made->nstmts++] = copied(made, k->stmt[i], own);
    }
    return made;
}
