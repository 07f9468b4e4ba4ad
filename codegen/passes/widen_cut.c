/* Widen, cut: a loop that reads one element again and again which one of its iterations stores, as row k of
 *
 *     for (j = 0; j < n; j++)
 *         a[i][j] = min(a[i][j], a[i][k] + a[k][j]);
 *
 * In the iterations before that one the element is what it was, in those after it what that one made of it: the loop is
 * cut there. See widen.h. */
#include "codegen/passes/widen.h"

/* Returns the iteration in which one place is another one, which does not move; NULL: no subscript tells. */
static const sq_code_expr *iteration(const sq_widen *w, const sq_code_expr *moving,
                                     const sq_code_expr *fixed)
{
    const sq_code_expr *v = sq_code_name(w->pool, w->loop->name);
    int64_t coef;
    for (int d = 0; d < moving->nargs; d++) {
        bool tells = !sq_code_mentions(fixed->arg[d], w->loop->name) &&
                     sq_code_is_affine(moving->arg[d], w->loop->name, &coef) && coef == 1;
        const sq_code_expr *at =
            tells ? sq_code_add(w->pool, v, sq_code_sub(w->pool, fixed->arg[d], moving->arg[d]))
                  : NULL;
        if (at && !sq_code_mentions(at, w->loop->name) && sq_code_positions(at, NULL, 0) == 0)
            return at; /* no value decides, which the loop might store */
    }
    return NULL;
}

bool sq_widen_meets_at_cut(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b)
{
    return w->cut && (iteration(w, a, b) == w->cut || iteration(w, b, a) == w->cut);
}

bool sq_widen_keeps(const sq_widen *w, const sq_code_expr *place)
{
    bool keeps = w->cut != NULL;
    for (int i = 0; i < w->nstores && keeps; i++)
        keeps = w->store[i].x->buffer != place->buffer ||
                iteration(w, w->store[i].place, place) == w->cut;
    return keeps;
}

static bool is_fixed(const sq_widen *w, const sq_code_expr *place)
{
    bool fixed = place->nargs > 0;
    for (int d = 0; d < place->nargs; d++)
        fixed &= !sq_code_mentions(place->arg[d], w->loop->name);
    return fixed;
}

/* Finds in a value the first fixed element that a store meets; NULL: there is none. */
static const sq_code_expr *met_in(const sq_widen *w, const sq_code *store, const sq_code_expr *e)
{
    if (sq_code_is_index(e))
        return NULL;
    if (e->op == SQ_CODE_LOAD && e->buffer == store->buffer && is_fixed(w, e))
        return iteration(w, sq_code_load(w->pool, store->buffer, store->index), e);
    const sq_code_expr *at = NULL;
    for (int i = 0; i < e->nargs && !at; i++)
        at = met_in(w, store, e->arg[i]);
    return at;
}

static const sq_code_expr *met(const sq_widen *w)
{
    const sq_code_expr *at = NULL;
    for (const sq_code *s = w->loop->body; s && !at; s = s->next)
        for (const sq_code *x = w->loop->body; x && !at && s->kind == SQ_CODE_STORE; x = x->next) {
            at = x->value ? met_in(w, s, x->value) : NULL;
            at = !at && x->kind == SQ_CODE_STORE && x->cond ? met_in(w, s, x->cond) : at;
        }
    return at;
}

static sq_code *between(const sq_code_pool *p, const sq_code *loop, const sq_code_expr *lo,
                        const sq_code_expr *hi)
{
    sq_code *part = SQ_NEW(p->arena, sq_code);
    *part = *loop;
    part->lo = lo;
    part->hi = hi;
    part->next = NULL;
    return part;
}

const sq_code_expr *sq_widen_cut_at(const sq_pass_context *c, const sq_code *loop, sq_code *part[3])
{
    const sq_widen w = {.c = c, .pool = c->pool, .loop = loop};
    const sq_code_expr *at = loop->hi && loop->step == 1 ? met(&w) : NULL;
    if (!at)
        return NULL;
    const sq_code_expr *behind = sq_code_plus(c->pool, at, 1),
                       *begin = sq_code_max(c->pool, loop->lo, behind);
    part[0] = between(c->pool, loop, loop->lo, sq_code_min(c->pool, loop->hi, at));
    part[1] = between(c->pool, loop, sq_code_max(c->pool, loop->lo, at),
                      sq_code_min(c->pool, loop->hi, behind));
    part[2] = between(c->pool, loop, begin, loop->hi);
    return at;
}
