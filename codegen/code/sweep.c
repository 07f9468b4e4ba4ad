/* Sweep: see sweep.h. Statements are gone through from the last to the first, so that one pass sees
 * every read of a register before its declaration. */
#include "codegen/code/sweep.h"
#include "codegen/code/keys.h"

/* The buffers that are read. */
typedef sq_code_keys seen;

static void see(seen *s, const sq_code_expr *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->nargs; i++)
        see(s, e->arg[i]);
    if (e->buffer)
        sq_code_keys_add(s, e->buffer);
}

static sq_code *sweep(seen *s, sq_code *x);

/* A register and the one store to it. */
static bool is_value(const sq_code *x)
{
    return x->kind == SQ_CODE_DECLARE && x->buffer->is_constant && x->next &&
           x->next->kind == SQ_CODE_STORE && x->next->buffer == x->buffer;
}

static void see_all(seen *s, sq_code *x)
{
    see(s, x->lo);
    see(s, x->hi);
    see(s, x->cond);
    see(s, x->value);
    see(s, x->lane_step);
    see(s, x->left);
    for (int d = 0; x->kind == SQ_CODE_STORE && d < x->buffer->ndim; d++)
        see(s, x->index[d]);
    x->body = sweep(s, x->body);
    x->other = sweep(s, x->other);
}

static sq_code *sweep(seen *s, sq_code *x)
{
    if (!x)
        return NULL;
    if (is_value(x)) {
        sq_code *store = x->next;
        store->next = sweep(s, store->next);
        if (!sq_code_keys_has(s, x->buffer))
            return store->next;
        see_all(s, store);
        return x;
    }
    x->next = sweep(s, x->next);
    see_all(s, x);
    return x;
}

sq_code *sq_code_sweep(sq_code_pool *p, sq_code *x)
{
    return sweep(&(seen){.arena = p->arena}, x);
}
