/* Again: an element that an iteration stores and stores again is a register in between.
 *
 *     y[i] += v[i] * dt;                      const r = y[i] + v[i] * dt;
 *     if (y[i] < floor) y[i] = floor;    ->   y[i] = r < floor ? floor : r;
 *
 * One store is left, so that what vectors need, one statement for each element, holds of such bodies too. */
#include "codegen/code/build.h"
#include "codegen/passes/overlap.h"
#include "codegen/passes/rows.h"

static bool is_plain(const sq_code *x)
{
    return x->kind == SQ_CODE_STORE && !x->lane_step && !x->left && !sq_code_is_pointer(x->buffer);
}

/* True if both are elements of one buffer, and never the same. */
static bool are_apart(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t by;
    bool apart = false;
    for (int d = 0; d < a->nargs && !apart; d++)
        apart = sq_code_known(sq_code_sub(p, a->arg[d], b->arg[d]), &by) && by != 0;
    return apart;
}

/* True if a place that is read or written may be the other one, but is not known to be. */
static bool may_be(const sq_pass_context *c, const sq_code_expr *place, const sq_code_expr *other)
{
    if (other == place)
        return false;
    if (other->buffer == place->buffer)
        return other->op != SQ_CODE_LOAD || !are_apart(c->pool, place, other);
    return sq_pass_may_overlap(c, place->buffer, other->buffer);
}

/* True if an expression reads what may be the place, and is not known to be. */
static bool may_read(const sq_pass_context *c, const sq_code_expr *e, const sq_code_expr *place)
{
    bool found = e && e->buffer && may_be(c, place, e);
    for (int i = 0; e && i < e->nargs && !found; i++)
        found = may_read(c, e->arg[i], place);
    return found;
}

static bool store_may_read(const sq_pass_context *c, const sq_code *x, const sq_code_expr *place)
{
    bool found = may_read(c, x->value, place) || may_read(c, x->cond, place);
    for (int d = 0; d < x->buffer->ndim && !found; d++)
        found = may_read(c, x->index[d], place);
    return found;
}

static const sq_code_expr *place_of(const sq_pass_context *c, const sq_code *x)
{
    return sq_code_load(c->pool, x->buffer, x->index);
}

/* Returns the next store to the place of x; NULL: there is none, or what lies between may be concerned. */
static sq_code *next_to(const sq_pass_context *c, const sq_code *x)
{
    const sq_code_expr *place = place_of(c, x);
    for (sq_code *s = x->next; s && is_plain(s); s = s->next) {
        const sq_code_expr *to = place_of(c, s);
        if (store_may_read(c, s, place) || may_be(c, place, to))
            return NULL;
        if (to == place)
            return s;
    }
    return NULL;
}

static const sq_code_expr *replaced(sq_code_pool *p, const sq_code_expr *e, const sq_code_expr *place,
                                    const sq_code_expr *by)
{
    if (!e || e == place)
        return e ? by : NULL;
    const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, e->nargs + 1);
    bool same = true;
    for (int i = 0; i < e->nargs; i++) {
        arg[i] = replaced(p, e->arg[i], place, by);
        same &= arg[i] == e->arg[i];
    }
    return same ? e : sq_code_rebuilt(p, e, arg);
}

/* Makes x set a register, which is read up to the last store, and what this stores where it has a condition. */
static sq_code *forwarded(const sq_pass_context *c, sq_code *x, sq_code *last, int *n)
{
    sq_code_pool *p = c->pool;
    const sq_code_expr *place = place_of(c, x);
    const char *name = sq_arena_printf(p->arena, "@again%d", (*n)++);
    const sq_code_buffer *b = sq_code_register(p, name, place->type);
    const sq_code_expr *now = sq_code_load(p, b, NULL);
    sq_code *declared = sq_code_declare(p, b, false);
    declared->next = x;
    x->buffer = b;
    x->index = NULL;
    for (sq_code *s = x->next; s; s = s == last ? NULL : s->next) {
        const sq_code_expr **index = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, s->buffer->ndim + 1);
        for (int d = 0; d < s->buffer->ndim; d++)
            index[d] = replaced(p, s->index[d], place, now);
        s->value = replaced(p, s->value, place, now);
        s->cond = replaced(p, s->cond, place, now);
        s->index = s->buffer->ndim ? index : s->index;
    }
    if (last->cond) {
        last->value = sq_code_choose(p, last->cond, last->value, now);
        last->cond = NULL;
    }
    return declared;
}

/* True if the element is no scalar, which compilers keep in registers anyway, and memory holds its type. */
static bool is_element(const sq_code *x)
{
    return is_plain(x) && !x->cond && x->buffer->storage != SQ_CODE_REGISTER && x->buffer->ndim > 0 &&
           !sq_type_stored(x->buffer->type);
}

static sq_code *in_body(const sq_pass_context *c, sq_code *x, int *n)
{
    for (sq_code **at = &x; *at; at = &(*at)->next) {
        sq_code *last = is_element(*at) ? next_to(c, *at) : NULL;
        if (last) {
            *at = forwarded(c, *at, last, n);
            at = &(*at)->next;
        }
    }
    return x;
}

/* True of a loop of few iterations: vectors write them out, one statement behind the other. */
static bool is_written_out(const sq_code *loop)
{
    enum { FEW = 16 };
    int64_t lo, hi;
    return loop->hi && sq_code_known(loop->lo, &lo) && sq_code_known(loop->hi, &hi) && hi - lo <= FEW;
}

static sq_code *in_loops(const sq_pass_context *c, sq_code *x, int *n)
{
    for (sq_code *s = x; s; s = s->next) {
        s->body = in_loops(c, s->body, n);
        s->other = in_loops(c, s->other, n);
        if (s->kind == SQ_CODE_LOOP && s->runs == SQ_CODE_SERIAL && !is_written_out(s))
            s->body = in_body(c, s->body, n);
    }
    return x;
}

sq_code *sq_pass_again(const sq_pass_context *c, sq_code *x)
{
    int n = 0;
    return c->target->grid ? x : in_loops(c, x, &n);
}
