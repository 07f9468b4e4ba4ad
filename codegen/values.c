/* Values: a stack of expressions and their registers; see values.h. Equal expressions are one
 * pointer. */
#include "codegen/values.h"
#include <stdlib.h>

typedef struct value {
    const sq_code_expr *e;
    const sq_code_expr *held; /* the register that holds it, read */
    int left;                 /* uses to come; very many when nobody counted */
    bool known;               /* defined and not forgotten */
    bool pinned;              /* is nowhere else: never forgotten */
    int number, loads;
} value;

struct sq_values {
    sq_code_pool *pool;
    value *v;
    int n, cap, budget, next;
    int scope[16], first[16], depth, forgotten;
};

enum { UNCOUNTED = 1 << 28 };

sq_values *sq_values_new(sq_code_pool *pool, int budget)
{
    sq_values *v = SQ_NEW(pool->arena, sq_values);
    v->pool = pool;
    v->budget = budget > 2 ? budget : 2;
    return v;
}

void sq_values_free(sq_values *v)
{
    free(v->v);
}

void sq_values_enter(sq_values *v)
{
    v->first[v->depth] = v->next;
    v->scope[v->depth++] = v->n;
}

void sq_values_leave(sq_values *v)
{
    v->n = v->scope[--v->depth];
    v->next = v->first[v->depth];
}

static value *find(sq_values *v, const sq_code_expr *e)
{
    for (int i = v->n - 1; i >= 0; i--)
        if (v->v[i].e == e)
            return &v->v[i];
    return NULL;
}

static value *push(sq_values *v, const sq_code_expr *e)
{
    if (v->n == v->cap) {
        v->cap = v->cap ? 2 * v->cap : 256;
        v->v = realloc(v->v, (size_t)v->cap * sizeof *v->v);
        if (!v->v)
            abort();
    }
    value *x = &v->v[v->n++];
    *x = (value){.e = e, .number = v->next++};
    return x;
}

/* Forgets the oldest value that is still to be used when too many are. */
static void make_room(sq_values *v)
{
    int start = v->scope[v->depth - 1], alive = 0;
    value *oldest = NULL;
    for (int i = start; i < v->n; i++) {
        value *x = &v->v[i];
        if (!x->known || x->left <= 0 || x->left >= UNCOUNTED / 2)
            continue;
        alive++;
        oldest = oldest ? oldest : x;
    }
    if (alive < v->budget || !oldest)
        return;
    oldest->known = false;
    v->forgotten++;
}

int sq_values_forgotten(const sq_values *v)
{
    return v->forgotten;
}

/* A register for values of the expression's type and lanes, read. */
static const sq_code_expr *held_in(sq_values *v, const char *name, const sq_code_expr *e)
{
    sq_code_buffer *b = SQ_NEW(v->pool->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = name,
                          .type = e->type,
                          .lanes = e->lanes,
                          .storage = SQ_CODE_REGISTER,
                          .is_constant = true};
    return sq_code_load(v->pool, b, NULL);
}

const sq_code_expr *sq_values_use(sq_values *v, const char *stem, const sq_code_expr *e,
                                  bool counting, bool *fresh)
{
    sq_arena *arena = v->pool->arena;
    value *x = find(v, e);
    *fresh = !x || !x->known;
    if (!x) {
        x = push(v, e);
        x->left = counting ? 0 : UNCOUNTED;
        x->held = held_in(v, sq_arena_printf(arena, "%s%d", stem, x->number), e);
    } else if (!x->known && x->loads > 0) {
        x->held = held_in(v, sq_arena_printf(arena, "%s%dr%d", stem, x->number, x->loads), e);
    }
    if (counting && !x->known) {
        x->left++;
        return x->held;
    }
    if (!x->known) {
        make_room(v);
        x->known = true;
        x->loads++;
    }
    x->left--;
    return x->held;
}

void sq_values_forget_inner(sq_values *v)
{
    for (int i = v->scope[v->depth - 1]; i < v->n; i++)
        v->v[i].known = false;
}

void sq_values_forget(sq_values *v)
{
    for (int i = 0; i < v->n; i++)
        v->v[i].known &= v->v[i].pinned;
}

void sq_values_set(sq_values *v, const sq_code_expr *e, const sq_code_expr *held, bool pinned)
{
    value *x = push(v, e);
    x->held = held;
    x->left = UNCOUNTED;
    x->known = true;
    x->loads = 1; /* its name is somebody else's: defined anew, it needs another */
    x->pinned = pinned;
}
