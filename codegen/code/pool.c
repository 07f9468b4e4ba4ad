/* Pool: hash-consing of expressions; see expr.h. */
#include "codegen/code/build.h"
#include "codegen/code/code.h"
#include "support/hash.h"
#include <string.h>

sq_code_pool *sq_code_pool_new(sq_arena *arena)
{
    sq_code_pool *p = SQ_NEW(arena, sq_code_pool);
    p->arena = arena;
    return p;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    return (h ^ x) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
}

static uint64_t hash_of(const sq_code_expr *e)
{
    uint64_t h = mix((uint64_t)e->op + 1, (uint64_t)e->number), bits = 0;
    memcpy(&bits, &e->real, sizeof bits);
    h = mix(h,
            bits + (uint64_t)e->type + ((uint64_t)e->operation << 8) + ((uint64_t)e->lanes << 16));
    if (e->buffer)
        h = mix(h, (uint64_t)(uintptr_t)e->buffer >> 4);
    if (e->name)
        h = mix(h, sq_hash64(e->name, strlen(e->name)));
    for (int i = 0; i < e->nargs; i++) {
        h = mix(h, (uint64_t)(uintptr_t)e->arg[i] >> 4);
        if (e->coef)
            h = mix(h, (uint64_t)e->coef[i]);
    }
    return h;
}

static bool same(const sq_code_expr *a, const sq_code_expr *b)
{
    size_t n = (size_t)a->nargs;
    if (a->op != b->op || a->nargs != b->nargs || a->number != b->number || a->type != b->type ||
        a->is_mask != b->is_mask)
        return false;
    if (a->operation != b->operation || a->buffer != b->buffer || a->lanes != b->lanes ||
        memcmp(&a->real, &b->real, sizeof a->real) != 0)
        return false;
    if (a->name && strcmp(a->name, b->name) != 0)
        return false;
    return (!n || memcmp(a->arg, b->arg, n * sizeof *a->arg) == 0) &&
           (!a->coef || memcmp(a->coef, b->coef, n * sizeof *a->coef) == 0);
}

static size_t slot_of(const sq_code_pool *p, const sq_code_expr *e)
{
    size_t i = hash_of(e) & (p->room - 1);
    while (p->table[i] && !same(p->table[i], e))
        i = (i + 1) & (p->room - 1);
    return i;
}

static void grow(sq_code_pool *p)
{
    enum { FIRST = 64 };
    const sq_code_expr **old = p->table;
    size_t n = p->room;
    p->room = n ? 2 * n : FIRST;
    p->table = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, p->room);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            p->table[slot_of(p, old[i])] = old[i];
}

/* Copies the node into the pool. */
static const sq_code_expr *kept(sq_code_pool *p, const sq_code_expr *e)
{
    sq_code_expr *own = SQ_NEW(p->arena, sq_code_expr);
    size_t n = (size_t)e->nargs;
    *own = *e;
    if (e->name)
        own->name = sq_arena_strdup(p->arena, e->name);
    if (n) {
        const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, n);
        memcpy(arg, e->arg, n * sizeof *arg);
        own->arg = arg;
    }
    if (n && e->coef) {
        int64_t *coef = SQ_NEW_ARRAY(p->arena, int64_t, n);
        memcpy(coef, e->coef, n * sizeof *coef);
        own->coef = coef;
    }
    return own;
}

/* Returns the type of nodes without a type of their own. */
static sq_type type_of(const sq_code_expr *e)
{
    if (e->op >= SQ_CODE_CONSTANT)
        return e->type;
    return e->op == SQ_CODE_SELECT ? e->arg[1]->type : e->op < SQ_CODE_EQ ? SQ_I64 : SQ_I32;
}

/* True for masks, but for constant ones, which say so. */
static bool makes_mask(const sq_code_expr *e)
{
    if (e->op == SQ_CODE_LOAD)
        return e->buffer->is_mask;
    return e->op == SQ_CODE_OPERATION && e->lanes > 1 &&
           (sq_op_is_condition(e->operation) || (e->operation == SQ_OP_CAST && e->arg[0]->is_mask));
}

const sq_code_expr *sq_code_cons(sq_code_pool *p, const sq_code_expr *given)
{
    sq_code_expr typed = *given, *e = &typed;
    typed.type = type_of(given);
    typed.lanes = given->lanes > 1 ? given->lanes : 1;
    typed.is_mask = given->is_mask || makes_mask(given);
    if (2 * (p->used + 1) > p->room)
        grow(p);
    size_t i = slot_of(p, e);
    if (!p->table[i]) {
        p->table[i] = kept(p, e);
        p->used++;
    }
    return p->table[i];
}
