/* Widen, roll: undoes manual unrolling: turns a loop into one over its copies of one or a few statements, if copy k
 * equals the first one with each address advanced by k steps, where as many steps as there are copies lead to its
 * address in the next iteration. See widen.h. */
#include "codegen/passes/widen.h"

typedef struct rolling {
    sq_code_pool *pool;
    const sq_code *loop;
    int64_t copies;
} rolling;

/* Finds the difference of an index between the first and the second statement; false: it is not
 * constant. */
static bool pace(const rolling *r, const sq_code_expr *index, int64_t *by)
{
    int64_t coef;
    if (!sq_code_is_affine(index, r->loop->name, &coef) || coef * r->loop->step % r->copies != 0)
        return false;
    *by = coef * r->loop->step / r->copies;
    return true;
}

/* True if e, of statement k, is `first` advanced by k steps. */
static bool follows(const rolling *r, const sq_code_expr *first, const sq_code_expr *e, int64_t k)
{
    int64_t by;
    if (sq_code_is_index(first))
        return sq_code_is_index(e) && pace(r, first, &by) &&
               sq_code_plus(r->pool, first, k * by) == e;
    if (first->nargs == 0)
        return first == e;
    bool same = first->op == e->op && first->type == e->type && first->operation == e->operation &&
                first->nargs == e->nargs && first->buffer == e->buffer &&
                first->lanes == e->lanes && first->number == e->number;
    for (int i = 0; i < first->nargs && same; i++)
        same = follows(r, first->arg[i], e->arg[i], k);
    return same;
}

static bool store_follows(const rolling *r, const sq_code *first, const sq_code *x, int64_t k)
{
    bool same = x->buffer == first->buffer && !x->cond && !x->lane_step &&
                follows(r, first->value, x->value, k);
    for (int d = 0; d < x->buffer->ndim && same; d++)
        same = follows(r, first->index[d], x->index[d], k);
    return same;
}

/* Returns the expression of the first statement as a function of the statement's number, from 0
 * on. */
static const sq_code_expr *counted(const rolling *r, const sq_code_expr *e)
{
    int64_t by;
    if (sq_code_is_index(e) && pace(r, e, &by))
        return sq_code_add_scaled(r->pool,
                                  sq_code_substitute(r->pool, e, r->loop->name, r->loop->lo), by,
                                  sq_code_name(r->pool, r->loop->name));
    if (e->nargs == 0)
        return e;
    const sq_code_expr **arg = SQ_NEW_ARRAY(r->pool->arena, const sq_code_expr *, e->nargs);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = counted(r, e->arg[i]);
    return sq_code_rebuilt(r->pool, e, arg);
}

static sq_code *rolled(const rolling *r, int each)
{
    const sq_code_expr *const points = sq_code_sub(r->pool, r->loop->hi, r->loop->lo), *rounds = points;
    if (r->loop->step > 1)
        rounds = sq_code_divide(r->pool, SQ_CODE_FLOORD,
                                sq_code_plus(r->pool, points, r->loop->step - 1),
                                sq_code_number(r->pool, r->loop->step));
    sq_code *x = sq_code_loop(r->pool, r->loop->name, sq_code_number(r->pool, 0),
                              sq_code_scale(r->pool, r->copies, rounds), 1);
    sq_code_list body = {0};
    const sq_code *first = r->loop->body;
    for (int i = 0; i < each; i++, first = first->next) {
        const sq_code_expr *place = counted(r, sq_code_load(r->pool, first->buffer, first->index));
        sq_code *own = sq_code_store(r->pool, first->buffer, place->arg, counted(r, first->value));
        own->stmt = first->stmt;
        sq_code_append(&body, own);
    }
    x->is_scalar = true;
    x->body = body.first;
    return x;
}

/* True if the body is copies of its first statements. */
static bool repeats(const rolling *r, int each)
{
    const sq_code *first = r->loop->body;
    bool fine = true;
    int at = 0;
    for (const sq_code *x = r->loop->body; x && fine; x = x->next, at++) {
        first = at % each == 0 ? r->loop->body : first->next;
        fine = store_follows(r, first, x, at / each);
    }
    return fine;
}

sq_code *sq_widen_rolled(sq_code_pool *p, const sq_code *loop)
{
    rolling r = {.pool = p, .loop = loop};
    bool fine = loop->hi != NULL;
    int n = 0;
    for (const sq_code *x = loop->body; x && fine; x = x->next, n++)
        fine = x->kind == SQ_CODE_STORE && x->buffer->ndim > 0;
    for (int each = 1; each <= n / 2 && fine; each++) {
        r.copies = n / each;
        if (n % each == 0 && repeats(&r, each))
            return rolled(&r, each);
    }
    return NULL;
}
