/* Values: a stack of named texts; see values.h. */
#include "codegen/values.h"
#include "support/hash.h"
#include <stdlib.h>
#include <string.h>

typedef struct value {
    const char *text, *name;
    uint64_t hash;
    int left;    /* uses to come; very many when nobody counted */
    bool known;  /* defined and not forgotten */
    bool pinned; /* is nowhere else: never forgotten */
    int number, loads;
} value;

struct sq_values {
    sq_arena *arena;
    value *v;
    int n, cap, budget, next;
    int scope[16], first[16], depth, forgotten;
};

enum { UNCOUNTED = 1 << 28 };

sq_values *sq_values_new(sq_arena *arena, int budget)
{
    sq_values *v = SQ_NEW(arena, sq_values);
    v->arena = arena;
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

static value *find(sq_values *v, const char *text, uint64_t hash)
{
    for (int i = v->n - 1; i >= 0; i--)
        if (v->v[i].hash == hash && strcmp(v->v[i].text, text) == 0)
            return &v->v[i];
    return NULL;
}

static value *push(sq_values *v, const char *text, uint64_t hash)
{
    if (v->n == v->cap) {
        v->cap = v->cap ? 2 * v->cap : 256;
        v->v = realloc(v->v, (size_t)v->cap * sizeof *v->v);
        if (!v->v)
            abort();
    }
    value *x = &v->v[v->n++];
    *x = (value){.text = sq_arena_strdup(v->arena, text), .hash = hash, .number = v->next++};
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

const char *sq_values_use(sq_values *v, const char *stem, const char *text, bool counting,
                          bool *fresh)
{
    uint64_t hash = sq_hash64(text, strlen(text));
    value *x = find(v, text, hash);
    *fresh = !x || !x->known;
    if (!x) {
        x = push(v, text, hash);
        x->left = counting ? 0 : UNCOUNTED;
        x->name = sq_arena_printf(v->arena, "%s%d", stem, x->number);
    } else if (!x->known && x->loads > 0) {
        x->name = sq_arena_printf(v->arena, "%s%dr%d", stem, x->number, x->loads);
    }
    if (counting && !x->known) {
        x->left++;
        return x->name;
    }
    if (!x->known) {
        make_room(v);
        x->known = true;
        x->loads++;
    }
    x->left--;
    return x->name;
}

void sq_values_counted(sq_values *v)
{
    for (int i = v->scope[v->depth - 1]; i < v->n; i++)
        v->v[i].known = false;
}

void sq_values_forget_inner(sq_values *v)
{
    sq_values_counted(v);
}

void sq_values_forget(sq_values *v)
{
    for (int i = 0; i < v->n; i++)
        v->v[i].known &= v->v[i].pinned;
}

void sq_values_set(sq_values *v, const char *text, const char *name, bool pinned)
{
    value *x = push(v, text, sq_hash64(text, strlen(text)));
    x->name = sq_arena_strdup(v->arena, name);
    x->left = UNCOUNTED;
    x->known = true;
    x->loads = 1; /* its name is somebody else's: defined anew, it needs another */
    x->pinned = pinned;
}
