/* Widen, short loops: a loop around statements and short loops becomes one of statements only, so that its iterations
 * are lanes. Statements that store to one element in turn, as the terms of a sum, become one. See widen.h. */
#include "codegen/code/unrolled.h"
#include "codegen/passes/widen.h"

/* ---- loops that are written out ---- */

/* True for a loop of the description over a few numbers, such as the channels of a pixel, or over too few for a vector,
 * such as the planes of a box. */
static bool is_short(const sq_pass_context *c, const sq_code *x)
{
    int64_t n = sq_code_iterations(x);
    bool is_few = n >= 0 && n < c->target->vector_bytes / sq_type_bytes(SQ_F32);
    return x->kind == SQ_CODE_LOOP && x->runs == SQ_CODE_SERIAL &&
           (x->is_scalar ? is_few || sq_code_is_brief(x) : sq_code_is_brief(x));
}

/* Returns a copy of the list with its loops marked as written out; false: some are too long. */
static bool mark(const sq_pass_context *c, const sq_code *x, int *loops, sq_code_list *to)
{
    for (; x; x = x->next) {
        sq_code *own = sq_code_copy(c->pool, x);
        sq_code_list body = {0};
        if (x->kind == SQ_CODE_LOOP) {
            if (!is_short(c, x) || !mark(c, x->body, loops, &body))
                return false;
            own->runs = SQ_CODE_UNROLLED;
            own->body = body.first;
            ++*loops;
        }
        sq_code_append(to, own);
    }
    return true;
}

/* ---- stores in turn to one element ---- */

/* Counts the loads of the element that `to` stores; false where another load may be of that element, too. */
static bool find_loads(const sq_pass_context *c, const sq_code_expr *e, const sq_code *to, int *loads)
{
    int64_t by;
    bool same = sq_code_loads(e, to), apart = e->op != SQ_CODE_LOAD || e->buffer != to->buffer;
    *loads += same;
    for (int d = 0; d < to->buffer->ndim && !apart && !same; d++)
        apart = sq_code_known(sq_code_sub(c->pool, e->arg[d], to->index[d]), &by) && by != 0;
    if (e->op == SQ_CODE_LOAD && e->buffer != to->buffer && sq_pass_may_overlap(c, e->buffer, to->buffer))
        return false;
    for (int i = 0; i < e->nargs && (same || apart); i++)
        if (!find_loads(c, e->arg[i], to, loads))
            return false;
    return same || apart;
}

static const sq_code_expr *replaced(const sq_pass_context *c, const sq_code_expr *e, const sq_code *to)
{
    if (sq_code_loads(e, to))
        return to->value;
    if (sq_code_is_index(e) || e->nargs == 0)
        return e;
    const sq_code_expr **arg = SQ_NEW_ARRAY(c->pool->arena, const sq_code_expr *, e->nargs);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = replaced(c, e->arg[i], to);
    return sq_code_rebuilt(c->pool, e, arg);
}

/* True if y stores to the element that x, directly before it, has stored to, and reads at most that one of it. */
static bool follows(const sq_pass_context *c, const sq_code *x, const sq_code *y)
{
    int loads = 0;
    bool same = y && x->kind == SQ_CODE_STORE && y->kind == SQ_CODE_STORE && x->buffer == y->buffer &&
                x->buffer->ndim > 0 && !x->cond && !y->cond && !x->lane_step && !y->lane_step &&
                x->value->type == x->buffer->type;
    for (int d = 0; same && d < x->buffer->ndim; d++)
        same = x->index[d] == y->index[d];
    return same && find_loads(c, y->value, x, &loads) && loads <= 1;
}

/* Makes one of the stores that follow each other. */
static sq_code *joined(const sq_pass_context *c, sq_code *first)
{
    for (sq_code **at = &first; *at;) {
        sq_code *x = *at, *y = x->next;
        if (!follows(c, x, y)) {
            at = &x->next;
            continue;
        }
        y->value = replaced(c, y->value, x);
        *at = y;
    }
    return first;
}

sq_code *sq_widen_written_out(const sq_pass_context *c, const sq_code *loop)
{
    int loops = 0;
    sq_code_list body = {0};
    if (!mark(c, loop->body, &loops, &body) || !loops)
        return NULL;
    sq_code *x = sq_code_copy(c->pool, loop);
    x->body = joined(c, sq_code_unrolled(c->pool, body.first));
    x->is_scalar = true;
    for (const sq_code *s = x->body; s; s = s->next)
        x->is_scalar &= s->kind != SQ_CODE_LOOP;
    return x->is_scalar ? x : NULL;
}
