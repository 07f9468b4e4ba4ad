/* Sweep: removes what nothing uses: values of constant registers, variables that hold one value, buffers
 * and pointers. Statements are gone through from the last to the first, so that one walk sees every use
 * of a name before its definition, and what only a removed statement used goes, too. */
#include "codegen/code/used.h"
#include "codegen/passes/rows.h"

/* Names and buffers that are used behind the statement in hand, where it defines them. */
typedef sq_code_used live;

static sq_code *sweep(live *l, sq_code *x, bool is_kept);

static bool is_used(const live *l, const sq_code *x)
{
    const char *name = x->buffer ? x->buffer->name : x->name;
    return sq_code_used_name(l, name) || (x->buffer && sq_code_used_buffer(l, x->buffer));
}

/* Uses behind the scope of a definition are of another one. */
static void forget(live *l, const sq_code *x)
{
    if (x->buffer)
        sq_code_keys_remove(&l->buffers, x->buffer);
    sq_code_keys_remove(&l->names, x->buffer ? x->buffer->name : x->name);
}

/* A register and the one store to it. */
static bool is_value(const sq_code *x)
{
    return x->kind == SQ_CODE_DECLARE && x->buffer->is_constant && x->next &&
           x->next->kind == SQ_CODE_STORE && x->next->buffer == x->buffer;
}

static bool defines_any(const sq_code *x)
{
    while (x && !sq_code_defines(x))
        x = x->next;
    return x != NULL;
}

/* What stands in place of a block that had definitions and has none any more: its body. */
static sq_code *without_block(sq_code *block)
{
    sq_code_list all = {0};
    sq_code_append(&all, block->body);
    sq_code_append(&all, block->next);
    return all.first;
}

static sq_code *sweep_inside(live *l, sq_code *x)
{
    bool defined = x->kind == SQ_CODE_BLOCK && !x->part && defines_any(x->body);
    x->body = sweep(l, x->body, false);
    x->other = sweep(l, x->other, false);
    if (x->kind == SQ_CODE_LOOP && x->lo)
        forget(l, x);
    sq_code_used_add(l, x);
    if (x->kind == SQ_CODE_UNUSED)
        sq_code_keys_add(&l->names, x->name);
    return defined && !defines_any(x->body) ? without_block(x) : x;
}

static sq_code *sweep(live *l, sq_code *x, bool is_kept)
{
    if (!x)
        return NULL;
    bool goes = sq_code_defines(x) && x->kind != SQ_CODE_VARIABLE && !is_kept;
    sq_code *last = is_value(x) ? x->next : x;
    last->next = sweep(l, last->next, is_kept);
    if (goes && !is_used(l, x))
        return last->next;
    if (last != x)
        sq_code_used_add(l, last);
    if (sq_code_defines(x))
        forget(l, x);
    return sweep_inside(l, x);
}

sq_code *sq_pass_sweep(const sq_pass_context *c, sq_code *x)
{
    sq_arena *arena = c->pool->arena;
    live l = {.buffers = {.arena = arena}, .names = {.arena = arena, .of_names = true}};
    return sweep(&l, x, c->is_fragment);
}
