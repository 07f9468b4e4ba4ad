/* Widen, versions: a scalar of the body that it sets again, as the sum of each row of a small matrix, becomes a
 * register for each of its values, so that what reads it has one definition. See widen.h. */
#include "codegen/passes/widen.h"

/* The scalars of a body and the registers that hold them at a statement. */
typedef struct versions {
    sq_code_pool *pool;
    int n, nmade;
    const sq_code_expr *scalar[SQ_WIDEN_STORES], *now[SQ_WIDEN_STORES]; /* as loads */
} versions;

static int find(const versions *v, const sq_code_expr *place)
{
    int i = 0;
    while (i < v->n && v->scalar[i] != place)
        i++;
    return i;
}

/* Counts the stores to a scalar that nothing reads behind the loop; 0: it is none, or some are conditional. */
static int values_of(const sq_widen *w, const sq_code_expr *place)
{
    int n = 0;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++) {
        if (s->place != place)
            continue;
        if (s->kind != SQ_WIDEN_VALUE || !s->is_own || s->x->cond || s->x->value->type != place->type)
            return 0;
        n++;
    }
    return n;
}

static void find_scalars(const sq_widen *w, versions *v)
{
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        if (s->place->buffer->ndim == 0 && find(v, s->place) == v->n && values_of(w, s->place) > 1) {
            v->scalar[v->n] = s->place;
            v->now[v->n++] = s->place;
        }
}

/* Returns a value with each scalar as it is now. */
static const sq_code_expr *as_now(const versions *v, const sq_code_expr *e)
{
    if (e->op == SQ_CODE_LOAD) {
        int i = find(v, e);
        return i < v->n ? v->now[i] : e;
    }
    if (sq_code_is_index(e) || e->nargs == 0)
        return e;
    const sq_code_expr **arg = SQ_NEW_ARRAY(v->pool->arena, const sq_code_expr *, e->nargs);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = as_now(v, e->arg[i]);
    return sq_code_rebuilt(v->pool, e, arg);
}

/* Appends a store; one to a scalar is the definition of its next register. */
static void append_store(versions *v, const sq_code *from, sq_code_list *to)
{
    sq_code *x = SQ_NEW(v->pool->arena, sq_code);
    int i = find(v, sq_code_load(v->pool, from->buffer, from->index));
    *x = *from;
    x->next = NULL;
    x->value = as_now(v, from->value);
    x->cond = from->cond ? as_now(v, from->cond) : NULL;
    if (i < v->n) {
        const char *stem = from->buffer->name;
        sq_code_buffer *b = SQ_NEW(v->pool->arena, sq_code_buffer);
        *b = *sq_code_register(v->pool, sq_arena_printf(v->pool->arena, "@%s_%d", stem + (*stem == '@'), v->nmade++),
                               from->buffer->type);
        b->is_constant = true;
        sq_code_append(to, sq_code_declare(v->pool, b, false));
        x->buffer = b;
        x->index = NULL;
        v->now[i] = sq_code_load(v->pool, b, NULL);
    }
    sq_code_append(to, x);
}

sq_code *sq_widen_versions(const sq_widen *w)
{
    versions v = {.pool = w->pool};
    sq_code_list body = {0};
    find_scalars(w, &v);
    if (!v.n)
        return NULL;
    for (const sq_code *x = w->loop->body; x; x = x->next) {
        if (x->kind == SQ_CODE_STORE) {
            append_store(&v, x, &body);
            continue;
        }
        sq_code *own = SQ_NEW(w->pool->arena, sq_code);
        *own = *x;
        own->next = NULL;
        sq_code_append(&body, own);
    }
    sq_code *loop = SQ_NEW(w->pool->arena, sq_code);
    *loop = *w->loop;
    loop->body = body.first;
    loop->next = NULL;
    return loop;
}
