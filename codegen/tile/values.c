/* Values: a stack of expressions and their registers; see values.h. Equal expressions are one
 * pointer, under which a table finds the last value of each. */
#include "codegen/tile/values.h"
#include "support/memory.h"
#include <stdlib.h>

typedef struct value {
    const sq_code_expr *e;
    const sq_code_expr *held; /* the value of its register */
    int left;                 /* remaining uses; a large number if they were not counted */
    bool known;               /* defined and not forgotten */
    bool pinned;              /* exists nowhere else: never forgotten */
    int number, loads;
    int depth;  /* depth of its scope */
    int before; /* number of the expression's value in an outer scope; -1: none */
} value;

typedef struct slot {
    const sq_code_expr *e; /* NULL: empty slot */
    int at;                /* number of its last value; -1: none */
} slot;

struct sq_values {
    sq_code_pool *pool;
    value *v;
    int n, budget, next;
    size_t cap;
    int scope[16], first[16], depth, forgotten, made;
    int alive[16];  /* live values of each scope */
    int oldest[16]; /* no older value is live */
    slot *slot;
    size_t room, used;
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
    free(v->slot);
}

/* ---- the table ---- */

static slot *slot_of(const sq_values *v, const sq_code_expr *e)
{
    size_t i = ((uintptr_t)e >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (v->room - 1);
    while (v->slot[i].e && v->slot[i].e != e)
        i = (i + 1) & (v->room - 1);
    return &v->slot[i];
}

static void grow(sq_values *v)
{
    slot *old = v->slot;
    size_t n = v->room;
    v->room = n ? 2 * n : 512;
    v->slot = sq_allocated(calloc(v->room, sizeof *v->slot));
    for (size_t i = 0; i < n; i++)
        if (old[i].e)
            *slot_of(v, old[i].e) = old[i];
    free(old);
}

/* Returns the expression's slot, which is made if necessary. */
static slot *slot_for(sq_values *v, const sq_code_expr *e)
{
    if (2 * (v->used + 1) > v->room)
        grow(v);
    slot *s = slot_of(v, e);
    if (!s->e) {
        *s = (slot){e, -1};
        v->used++;
    }
    return s;
}

static value *find(sq_values *v, const sq_code_expr *e)
{
    int at = v->room ? slot_for(v, e)->at : -1;
    return at >= 0 ? &v->v[at] : NULL;
}

/* ---- scopes ---- */

void sq_values_enter(sq_values *v)
{
    v->first[v->depth] = v->next;
    v->alive[v->depth] = 0;
    v->oldest[v->depth] = v->n;
    v->scope[v->depth++] = v->n;
}

void sq_values_leave(sq_values *v)
{
    int start = v->scope[--v->depth];
    while (v->n > start) {
        const value *x = &v->v[--v->n];
        slot_of(v, x->e)->at = x->before;
    }
    v->next = v->first[v->depth];
}

static value *push(sq_values *v, const sq_code_expr *e)
{
    v->v = sq_grown(v->v, (size_t)v->n, &v->cap, sizeof *v->v);
    slot *s = slot_for(v, e);
    value *x = &v->v[v->n];
    *x = (value){.e = e, .number = v->next++, .depth = v->depth - 1, .before = s->at};
    s->at = v->n++;
    return x;
}

/* ---- registers ---- */

/* True if it is in a register and has remaining uses. */
static bool is_alive(const value *x)
{
    return x->known && x->left > 0 && x->left < UNCOUNTED / 2;
}

/* Called with -1 before a value changes and with 1 after it. */
static void count_alive(sq_values *v, const value *x, int by)
{
    int i = (int)(x - v->v);
    if (!is_alive(x))
        return;
    v->alive[x->depth] += by;
    if (i < v->oldest[x->depth])
        v->oldest[x->depth] = i;
}

/* Forgets the oldest live value of the scope if there are too many. */
static void make_room(sq_values *v)
{
    int scope = v->depth - 1, *at = &v->oldest[scope];
    if (v->alive[scope] < v->budget)
        return;
    while (!is_alive(&v->v[*at]))
        ++*at;
    v->v[*at].known = false;
    v->alive[scope]--;
    v->forgotten++;
}

int sq_values_forgotten(const sq_values *v)
{
    return v->forgotten;
}

int sq_values_made(const sq_values *v)
{
    return v->made;
}

/* Returns the value of a register with the expression's type and lanes. */
static const sq_code_expr *held_in(sq_values *v, const char *name, const sq_code_expr *e)
{
    sq_code_buffer *b = SQ_NEW(v->pool->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = name,
                          .type = e->type,
                          .lanes = e->lanes,
                          .is_mask = e->is_mask,
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
        x->loads++;
        v->made++;
    }
    count_alive(v, x, -1);
    x->known = true;
    x->left--;
    count_alive(v, x, 1);
    return x->held;
}

void sq_values_forget_inner(sq_values *v)
{
    for (int i = v->scope[v->depth - 1]; i < v->n; i++)
        v->v[i].known = false;
    v->alive[v->depth - 1] = 0;
}

void sq_values_forget(sq_values *v)
{
    for (int d = 0; d < v->depth; d++)
        v->alive[d] = 0; /* pinned values do not count */
    for (int i = 0; i < v->n; i++)
        v->v[i].known &= v->v[i].pinned;
}

void sq_values_set(sq_values *v, const sq_code_expr *e, const sq_code_expr *held, bool pinned)
{
    value *x = push(v, e);
    x->held = held;
    x->left = UNCOUNTED;
    x->known = true;
    x->loads = 1; /* its name belongs to another value: it needs a new one */
    x->pinned = pinned;
}
