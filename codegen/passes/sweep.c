/* Sweep: removes dead code: values of constant registers, variables that are assigned once, buffers
 * and pointers. Also finds out which variables are unused among those that may be, such as those of
 * loops that run once. Statements are visited from the last to the first, so that one walk sees all
 * uses of a name before its definition, and the operands of a removed statement become dead as
 * well. */
#include "codegen/code/used.h"
#include "codegen/passes/rows.h"
#include <string.h>

/* What is used behind the current statement, among what it may define. */
typedef struct live {
    sq_code_used all;
    sq_code_used in_work; /* used only in the work of parallel loops: without threads compilers see no use */
} live;

static sq_code *sweep(live *l, sq_code *x);

static void use(live *l, const sq_code *x)
{
    const sq_code work = {.kind = SQ_CODE_UNUSED, .work = x->work};
    sq_code_used_add(&l->all, x);
    sq_code_used_add(&l->in_work, &work);
}

static const char *name_of(const sq_code *x)
{
    return x->buffer ? x->buffer->name : x->name;
}

static bool is_used(const live *l, const sq_code *x)
{
    return sq_code_used_name(&l->all, name_of(x)) ||
           (x->buffer && sq_code_used_buffer(&l->all, x->buffer));
}

/* Uses behind the scope of a definition, which refer to another one of the same name. */
typedef struct outside {
    bool is_named, is_in_work;
} outside;

/* Takes these out of the record before the scope is swept, and puts them back. */
static outside hide(live *l, const char *name)
{
    const outside o = {sq_code_used_name(&l->all, name), sq_code_used_name(&l->in_work, name)};
    sq_code_keys_remove(&l->all.names, name);
    sq_code_keys_remove(&l->in_work.names, name);
    return o;
}

static void show(live *l, const char *name, outside o)
{
    if (o.is_named)
        sq_code_keys_add(&l->all.names, name);
    if (o.is_in_work)
        sq_code_keys_add(&l->in_work.names, name);
}

/* Ends the scope of a definition. */
static void forget(live *l, const sq_code *x)
{
    if (x->buffer)
        sq_code_keys_remove(&l->all.buffers, x->buffer);
    sq_code_keys_remove(&l->all.names, name_of(x));
    sq_code_keys_remove(&l->in_work.names, name_of(x));
}

/* True if the next statement says that a variable may be unused. */
static bool is_marked(const sq_code *x)
{
    return x->kind == SQ_CODE_LET && x->next && x->next->kind == SQ_CODE_UNUSED &&
           strcmp(x->next->name, x->name) == 0;
}

static bool defines_any(const sq_code *x)
{
    while (x && !sq_code_defines(x))
        x = x->next;
    return x != NULL;
}

/* Returns the body of a block that has no definitions left. */
static sq_code *without_block(sq_code *block)
{
    sq_code_list all = {0};
    sq_code_append(&all, block->body);
    sq_code_append(&all, block->next);
    return all.first;
}

static sq_code *sweep_inside(live *l, sq_code *x)
{
    bool defined = x->kind == SQ_CODE_BLOCK && !x->part && defines_any(x->body),
         counts = x->kind == SQ_CODE_LOOP && x->lo;
    const outside o = counts ? hide(l, x->name) : (outside){0};
    x->body = sweep(l, x->body);
    x->other = sweep(l, x->other);
    if (counts) {
        forget(l, x);
        show(l, x->name, o);
    }
    use(l, x);
    if (x->kind == SQ_CODE_UNUSED)
        sq_code_keys_add(&l->all.names, x->name);
    return defined && !defines_any(x->body) ? without_block(x) : x;
}

/* Sweeps what follows a definition, of one or two statements, and drops it if it is dead. */
static sq_code *sweep_definition(live *l, sq_code *x)
{
    sq_code *rest = sq_code_is_constant(x) || is_marked(x) ? x->next->next : x->next;
    if (!is_used(l, x))
        return rest;
    if (is_marked(x) && !sq_code_used_name(&l->in_work, x->name))
        x->next = rest;
    if (sq_code_is_constant(x))
        use(l, x->next);
    forget(l, x);
    return sweep_inside(l, x);
}

/* Sweeps a list that begins with a definition. */
static sq_code *sweep_from(live *l, sq_code *x)
{
    bool is_definition = x->kind != SQ_CODE_VARIABLE;
    const char *name = name_of(x);
    const outside o = hide(l, name);
    sq_code *last = is_definition && (sq_code_is_constant(x) || is_marked(x)) ? x->next : x;
    last->next = sweep(l, last->next);
    if (is_definition) {
        x = sweep_definition(l, x);
    } else {
        forget(l, x);
        x = sweep_inside(l, x);
    }
    show(l, name, o);
    return x;
}

static sq_code *sweep(live *l, sq_code *x)
{
    if (!x)
        return NULL;
    if (sq_code_defines(x))
        return sweep_from(l, x);
    x->next = sweep(l, x->next);
    return sweep_inside(l, x);
}

sq_code *sq_pass_sweep(const sq_pass_context *c, sq_code *x)
{
    sq_arena *arena = c->pool->arena;
    const sq_code_used none = {.buffers = {.arena = arena},
                               .names = {.arena = arena, .of_names = true}};
    return sweep(&(live){none, none}, x);
}
