/* Used: see used.h. */
#include "codegen/code/used.h"
#include "codegen/code/instruction.h"

static void see(sq_code_used *u, const sq_code_expr *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->nargs; i++)
        see(u, e->arg[i]);
    if (e->buffer)
        sq_code_keys_add(&u->buffers, e->buffer);
    if (e->op == SQ_CODE_NAME || e->op == SQ_CODE_SCALAR)
        sq_code_keys_add(&u->names, e->name);
}

static void see_copy(sq_code_used *u, const sq_code *x)
{
    const sq_code_expr *const e[] = {x->index[0],    x->run->row,  x->run->lo,     x->run->n,
                                     x->run->extent, x->run->rows, x->run->between};
    for (size_t i = 0; i < sizeof e / sizeof *e; i++)
        see(u, e[i]);
    sq_code_keys_add(&u->buffers, x->buffer);
    sq_code_keys_add(&u->buffers, x->of);
}

static void see_call(sq_code_used *u, const sq_code *x)
{
    for (int i = 0; i < x->part->npointers; i++) {
        see(u, x->pointer[i].at);
        sq_code_keys_add(&u->buffers, x->pointer[i].of);
    }
    for (int i = 0; i < x->part->nparams; i++)
        if (x->arg[i])
            see(u, x->arg[i]);
        else
            sq_code_keys_add(&u->names, x->part->param[i].name);
}

static void see_instruction(sq_code_used *u, const sq_code_instruction *x)
{
    for (int i = 0; i < x->noperands; i++) {
        see(u, x->operand[i].at);
        if (x->operand[i].buffer)
            sq_code_keys_add(&u->buffers, x->operand[i].buffer);
    }
}

static void see_work(sq_code_used *u, const sq_code_work *w)
{
    for (int i = 0; w && i < w->n; i++)
        for (int f = 0; f < w->term[i].n; f++)
            see(u, w->term[i].factor[f]);
}

/* Collects the buffers and names that the statement itself uses, without those that it defines. */
static void see_own(sq_code_used *u, const sq_code *x)
{
    if (x->kind == SQ_CODE_STORE || x->kind == SQ_CODE_POINTER || x->kind == SQ_CODE_ADVANCE ||
        x->kind == SQ_CODE_TRANSPOSE)
        sq_code_keys_add(&u->buffers, x->buffer);
    if (x->kind == SQ_CODE_POINTER)
        sq_code_keys_add(&u->buffers, x->of);
    if (x->kind == SQ_CODE_ASSIGN || (x->kind == SQ_CODE_LOOP && !x->lo && x->name))
        sq_code_keys_add(&u->names, x->name);
}

void sq_code_used_add(sq_code_used *u, const sq_code *x)
{
    const sq_code_expr *const e[] = {x->lo, x->hi, x->cond, x->value, x->lane_step, x->left};
    for (size_t i = 0; i < sizeof e / sizeof *e; i++)
        see(u, e[i]);
    for (int d = 0; x->kind == SQ_CODE_STORE && d < x->buffer->ndim; d++)
        see(u, x->index[d]);
    see_own(u, x);
    see_work(u, x->work);
    see(u, x->launch ? x->launch->blocks : NULL);
    if (x->kind == SQ_CODE_COPY)
        see_copy(u, x);
    if (x->kind == SQ_CODE_CALL)
        see_call(u, x);
    if (x->kind == SQ_CODE_INSTRUCTION)
        see_instruction(u, x->instruction);
}

static void see_list(sq_code_used *u, const sq_code *x)
{
    for (; x; x = x->next) {
        sq_code_used_add(u, x);
        see_list(u, x->body);
        see_list(u, x->other);
    }
}

sq_code_used sq_code_used_by(const sq_code *x, sq_arena *arena)
{
    sq_code_used u = {.buffers = {.arena = arena}, .names = {.arena = arena, .of_names = true}};
    see_list(&u, x);
    return u;
}

bool sq_code_used_buffer(const sq_code_used *u, const sq_code_buffer *b)
{
    return sq_code_keys_has(&u->buffers, b);
}

bool sq_code_used_name(const sq_code_used *u, const char *name)
{
    return sq_code_keys_has(&u->names, name);
}
