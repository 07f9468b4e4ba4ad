/* Widen, carry: a scalar that an iteration leaves to the next one, as `last` in
 *
 *     a[i] = b[i] + last;
 *     last = b[i];
 *
 * is what the iteration before stored, b[i - 1]: the first iteration runs by itself, and in the others
 * nothing is carried. See widen.h. */
#include "codegen/passes/widen.h"

enum { MOST_CARRIED = 4, MOST_OPERATIONS = 3 };

typedef struct carry {
    sq_code_pool *pool;
    const sq_code *loop;
    const sq_code_expr *place, *value; /* of the scalar, as a load; what it was in the iteration before */
} carry;

static bool is_stored(const sq_code *loop, const sq_code_buffer *b)
{
    for (const sq_code *x = loop->body; x; x = x->next)
        if (x->kind == SQ_CODE_STORE && x->buffer == b)
            return true;
    return false;
}

/* Counts operations; -1: functions, and what the body changes, are not computed once more. */
static int operations(const sq_code *loop, const sq_code_expr *e)
{
    if (sq_code_is_index(e))
        return 0;
    if (e->op == SQ_CODE_LOAD)
        return is_stored(loop, e->buffer) ? -1 : 0;
    if (e->op == SQ_CODE_CONSTANT || e->op == SQ_CODE_SCALAR)
        return 0;
    bool cheap = e->op == SQ_CODE_OPERATION &&
                 (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB || e->operation == SQ_OP_MUL ||
                  e->operation == SQ_OP_NEG || e->operation == SQ_OP_CAST);
    int n = 1;
    for (int i = 0; i < e->nargs && cheap; i++) {
        int of = operations(loop, e->arg[i]);
        cheap = of >= 0;
        n += of;
    }
    return cheap ? n : -1;
}

static bool reads(const sq_code_expr *e, const sq_code_expr *place)
{
    bool found = e == place;
    for (int i = 0; i < e->nargs && !found; i++)
        found = reads(e->arg[i], place);
    return found;
}

static int stores_to(const sq_code *loop, const sq_code_buffer *b)
{
    int n = 0;
    for (const sq_code *x = loop->body; x; x = x->next)
        n += x->kind == SQ_CODE_STORE && x->buffer == b;
    return n;
}

/* True if x leaves a scalar to the next iteration. */
static bool carries(const sq_code *loop, const sq_code *x, const sq_code_expr *place)
{
    bool before = false;
    if (x->cond || x->lane_step || x->buffer->ndim > 0 || stores_to(loop, x->buffer) != 1)
        return false;
    int n = operations(loop, x->value);
    for (const sq_code *s = loop->body; s != x; s = s->next)
        before |= s->kind == SQ_CODE_STORE && (reads(s->value, place) || (s->cond && reads(s->cond, place)));
    return before && n >= 0 && n <= MOST_OPERATIONS;
}

/* Returns a value of this iteration in which the scalar is what the one before stored. */
static const sq_code_expr *resolved(const carry *c, const sq_code_expr *e)
{
    if (e == c->place)
        return c->value;
    if (!reads(e, c->place))
        return e;
    const sq_code_expr **arg = SQ_NEW_ARRAY(c->pool->arena, const sq_code_expr *, e->nargs);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = resolved(c, e->arg[i]);
    return sq_code_rebuilt(c->pool, e, arg);
}

/* Returns the loop from the second iteration on; `store` is what carries. */
static sq_code *others(const carry *c, const sq_code *store)
{
    sq_code_list body = {0};
    bool is_before = true;
    for (const sq_code *x = c->loop->body; x; x = x->next) {
        sq_code *own = sq_code_copy(c->pool, x);
        is_before &= x != store;
        if (is_before && x->kind == SQ_CODE_STORE) {
            own->value = resolved(c, x->value);
            own->cond = x->cond ? resolved(c, x->cond) : NULL;
        }
        sq_code_append(&body, own);
    }
    sq_code *loop = sq_code_copy(c->pool, c->loop);
    loop->lo = sq_code_plus(c->pool, loop->lo, loop->step);
    loop->body = body.first;
    return loop;
}

/* Returns the first iteration, if there is one. */
static sq_code *first(sq_code_pool *p, const sq_code *loop)
{
    sq_code_list body = {0};
    for (const sq_code *x = loop->body; x; x = x->next)
        sq_code_append(&body, x->kind == SQ_CODE_STORE ? sq_code_store_with(p, x, loop->name, loop->lo)
                                                       : sq_code_copy(p, x));
    return sq_code_guarded(p, sq_code_compare(p, SQ_CODE_LT, loop->lo, loop->hi), body.first);
}

/* Returns the loop without the first scalar that is carried; NULL: none is. */
static sq_code *without_one(sq_code_pool *p, const sq_code *loop, sq_code **peeled)
{
    for (const sq_code *x = loop->body; x; x = x->next) {
        if (x->kind != SQ_CODE_STORE)
            continue;
        const sq_code_expr *place = sq_code_load(p, x->buffer, x->index),
                           *back = sq_code_plus(p, sq_code_name(p, loop->name), -loop->step);
        if (!carries(loop, x, place))
            continue;
        const carry c = {p, loop, place, sq_code_substitute(p, x->value, loop->name, back)};
        *peeled = first(p, loop);
        return others(&c, x);
    }
    return NULL;
}

sq_code *sq_widen_carried(sq_code_pool *p, const sq_code *loop, sq_code **peeled)
{
    sq_code_list all = {0};
    sq_code *x = NULL, *one, *next;
    for (int k = 0; k < MOST_CARRIED && loop->hi && (next = without_one(p, x ? x : loop, &one)); k++) {
        sq_code_append(&all, one);
        x = next;
    }
    *peeled = all.first;
    return x;
}
