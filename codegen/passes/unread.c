/* Unread: removes registers that are only written, with their stores, and what these alone used. A widened loop sets
 * a scalar of its body to the last lane, for the iterations that are left: where none are, nothing reads it. Compilers
 * warn of such variables. */
#include "codegen/code/used.h"
#include "codegen/passes/rows.h"
#include <string.h>

typedef struct registers {
    sq_code_used read;
    sq_code_keys dead; /* declared here, and never read */
} registers;

static bool is_register(const sq_code_buffer *b)
{
    return b->storage == SQ_CODE_REGISTER && b->ndim == 0;
}

/* The buffer that a store writes is not read by it. */
static void read_in(registers *r, const sq_code *x)
{
    for (; x; x = x->next) {
        sq_code own = *x;
        if (x->kind == SQ_CODE_STORE && is_register(x->buffer))
            own.kind = SQ_CODE_LET;
        sq_code_used_add(&r->read, &own);
        read_in(r, x->body);
        read_in(r, x->other);
    }
}

/* Returns how many there are. */
static int find_dead(registers *r, const sq_code *x)
{
    int n = 0;
    for (; x; x = x->next) {
        if (x->kind == SQ_CODE_DECLARE && is_register(x->buffer) && !sq_code_used_buffer(&r->read, x->buffer)) {
            sq_code_keys_add(&r->dead, x->buffer);
            n++;
        }
        n += find_dead(r, x->body) + find_dead(r, x->other);
    }
    return n;
}

/* True for what goes: it declares or sets one of them, says that it may be unused, or has nothing left inside. */
static bool goes(const registers *r, const sq_code *x, const sq_code_buffer *above, bool was_empty)
{
    if (x->kind == SQ_CODE_DECLARE || x->kind == SQ_CODE_STORE)
        return sq_code_keys_has(&r->dead, x->buffer);
    if (x->kind == SQ_CODE_UNUSED)
        return above && strcmp(x->name, above->name) == 0;
    bool is_around = x->kind == SQ_CODE_IF || x->kind == SQ_CODE_BLOCK || (x->kind == SQ_CODE_LOOP && x->lo);
    return is_around && !was_empty && !x->body && !x->other;
}

static sq_code *without(const registers *r, sq_code *x)
{
    const sq_code_buffer *above = NULL; /* what the statement before has declared, if that is gone */
    for (sq_code **at = &x; *at;) {
        sq_code *s = *at;
        bool was_empty = !s->body && !s->other;
        s->body = without(r, s->body);
        s->other = without(r, s->other);
        bool gone = goes(r, s, above, was_empty);
        above = gone && s->kind == SQ_CODE_DECLARE ? s->buffer : NULL;
        if (gone)
            *at = s->next;
        else
            at = &s->next;
    }
    return x;
}

sq_code *sq_pass_unread(const sq_pass_context *c, sq_code *x)
{
    sq_arena *arena = c->pool->arena;
    for (bool any = true; any;) {
        registers r = {.read = {.buffers = {.arena = arena}, .names = {.arena = arena, .of_names = true}},
                       .dead = {.arena = arena}};
        read_in(&r, x);
        any = find_dead(&r, x) > 0;
        if (any)
            x = sq_pass_sweep(c, without(&r, x));
    }
    return x;
}
