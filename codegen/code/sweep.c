/* Sweep: see sweep.h. Statements are gone through from the last to the first, so that one pass sees
 * every read of a register before its declaration. */
#include "codegen/code/sweep.h"

/* The buffers that are read, by address. */
typedef struct seen {
    sq_arena *arena;
    const sq_code_buffer **at;
    size_t room, n;
} seen;

static size_t slot_of(const seen *s, const sq_code_buffer *b)
{
    size_t i = ((uintptr_t)b >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (s->room - 1);
    while (s->at[i] && s->at[i] != b)
        i = (i + 1) & (s->room - 1);
    return i;
}

static void grow(seen *s)
{
    const sq_code_buffer **old = s->at;
    size_t n = s->room;
    s->room = n ? 2 * n : 256;
    s->at = SQ_NEW_ARRAY(s->arena, const sq_code_buffer *, s->room);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            s->at[slot_of(s, old[i])] = old[i];
}

static void see(seen *s, const sq_code_expr *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->nargs; i++)
        see(s, e->arg[i]);
    if (!e->buffer)
        return;
    if (2 * (s->n + 1) > s->room)
        grow(s);
    size_t i = slot_of(s, e->buffer);
    s->n += !s->at[i];
    s->at[i] = e->buffer;
}

static bool is_seen(const seen *s, const sq_code_buffer *b)
{
    return s->room && s->at[slot_of(s, b)];
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
        if (!is_seen(s, x->buffer))
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
