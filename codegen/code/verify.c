/* Verify: see verify.h. */
#include "codegen/code/verify.h"
#include <string.h>

/* What is defined around a statement, innermost first: one of them is NULL. */
typedef struct defined {
    const char *name;
    const sq_code_buffer *buffer;
    const struct defined *before;
} defined;

typedef struct verifier {
    const sq_code_outer *outer;
    sq_arena *arena;
    const char *wrong;
} verifier;

static bool is_defined(const verifier *v, const defined *d, const char *name)
{
    for (; d; d = d->before)
        if (d->name && strcmp(d->name, name) == 0)
            return true;
    for (int i = 0; i < v->outer->n; i++)
        if (strcmp(v->outer->name[i], name) == 0)
            return true;
    return false;
}

static bool is_declared(const defined *d, const sq_code_buffer *b)
{
    while (d && d->buffer != b)
        d = d->before;
    return d || b->storage == SQ_CODE_MEMORY;
}

/* The first thing that is wrong stays. */
static void complain(verifier *v, const char *what, const char *name)
{
    if (!v->wrong)
        v->wrong = sq_arena_printf(v->arena, "%s: %s", name, what);
}

static void check(verifier *v, const defined *d, const sq_code_expr *e);

static void check_place(verifier *v, const defined *d, const sq_code_buffer *b,
                        const sq_code_expr *const *index)
{
    if (!is_declared(d, b))
        complain(v, "no declaration of it is around", b->name);
    for (int i = 0; i < b->ndim; i++) {
        check(v, d, index[i]);
        if (!sq_code_is_index(index[i]) || index[i]->type != SQ_I64)
            complain(v, "a subscript is no index expression", b->name);
    }
}

/* Do both sides of an operation have its type: what C promotes is promoted. */
static bool has_type(const sq_code_expr *e, sq_type type)
{
    return sq_type_promoted(e->type) == sq_type_promoted(type);
}

static void check_operation(verifier *v, const sq_code_expr *e)
{
    const sq_op_info *info = sq_op_get(e->operation);
    bool fine = e->nargs == info->nargs;
    switch (e->operation) {
    case SQ_OP_CAST:
        break;
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
        fine &= (e->lanes > 1 || e->type == SQ_I32) && has_type(e->arg[0], e->arg[1]->type);
        break;
    case SQ_OP_AND:
    case SQ_OP_OR:
    case SQ_OP_NOT:
        fine &= e->lanes > 1 || e->type == SQ_I32;
        break;
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        fine &= has_type(e->arg[0], e->type);
        break;
    default:
        for (int i = 0; i < e->nargs; i++)
            fine &= has_type(e->arg[i], e->type);
    }
    for (int i = 0; i < e->nargs; i++) {
        fine &= e->operation == SQ_OP_CAST || !sq_code_is_index(e->arg[i]);
        fine &= e->arg[i]->lanes == e->lanes;
    }
    if (!fine)
        complain(v, "an operand is not of the operation's type", info->name);
}

static void check(verifier *v, const defined *d, const sq_code_expr *e)
{
    if (e->op == SQ_CODE_NAME && !is_defined(v, d, e->name))
        complain(v, "it is used and not defined", e->name);
    if (e->op == SQ_CODE_LOAD) {
        if (e->nargs != e->buffer->ndim || e->type != e->buffer->type)
            complain(v, "a load is not of its dimensions and type", e->buffer->name);
        else
            check_place(v, d, e->buffer, e->arg);
        return;
    }
    for (int i = 0; i < e->nargs; i++)
        check(v, d, e->arg[i]);
    if (e->op == SQ_CODE_LOAD_LANES && !is_declared(d, e->buffer))
        complain(v, "no declaration of it is around", e->buffer->name);
    if (e->op == SQ_CODE_FMA && (e->arg[0]->lanes != e->lanes || e->arg[1]->lanes != e->lanes))
        complain(v, "its factors have other lanes than what they are added to", "a multiply-add");
    if (e->op == SQ_CODE_OPERATION)
        check_operation(v, e);
    if (e->op == SQ_CODE_SELECT && !has_type(e->arg[1], e->arg[2]->type))
        complain(v, "its two values differ in type", "a choice");
    bool index = e->op < SQ_CODE_SELECT || (e->op > SQ_CODE_SELECT && e->op < SQ_CODE_CONSTANT);
    for (int i = 0; index && i < e->nargs; i++)
        if (!sq_code_is_index(e->arg[i]))
            complain(v, "a value stands in an index expression", "an index expression");
}

static void check_list(verifier *v, const defined *d, const sq_code *x);

/* A loop over a variable that is there. */
static void check_while(verifier *v, const defined *d, const sq_code *x)
{
    if (!x->cond || (x->name && (x->step > -1 || !is_defined(v, d, x->name))))
        complain(v, "a loop over a variable counts it down while something is true", "a loop");
    else
        check(v, d, x->cond);
    check_list(v, d, x->body);
}

static void check_loop(verifier *v, const defined *d, const sq_code *x)
{
    const defined inside = {.name = x->lo ? x->name : NULL, .before = d};
    if (!x->lo) {
        check_while(v, d, x);
        return;
    }
    check(v, d, x->lo);
    if (x->hi)
        check(v, d, x->hi);
    if (x->cond)
        check(v, &inside, x->cond);
    if (x->step < 1 || !x->hi == !x->cond)
        complain(v, "a loop wants a step above 0 and one end", x->name);
    bool lanes = x->runs == SQ_CODE_LANES || x->runs == SQ_CODE_SUMS;
    if (lanes && (!x->body || x->body->kind != SQ_CODE_STORE || x->body->next))
        complain(v, "a loop in lanes wants one store", x->name);
    check_list(v, &inside, x->body);
}

static void check_store(verifier *v, const defined *d, const sq_code *x)
{
    check_place(v, d, x->buffer, x->index);
    check(v, d, x->value);
    if (x->buffer->is_readonly)
        complain(v, "it is read only and stored to", x->buffer->name);
    if (x->value->type != x->buffer->type || sq_code_is_index(x->value))
        complain(v, "what is stored is not of its type", x->buffer->name);
    bool is_register = x->buffer->storage == SQ_CODE_REGISTER;
    int lanes = x->buffer->lanes > 1 ? x->buffer->lanes : 1;
    if (is_register ? x->value->lanes != lanes : (x->value->lanes > 1) != (x->lane_step != NULL))
        complain(v, "what is stored has other lanes", x->buffer->name);
    if (x->cond)
        check(v, d, x->cond);
    if (x->lane_step)
        check(v, d, x->lane_step);
    if (x->left)
        check(v, d, x->left);
}

static void check_list(verifier *v, const defined *d, const sq_code *x)
{
    if (!x || v->wrong)
        return;
    defined next = {.before = d};
    switch (x->kind) {
    case SQ_CODE_LOOP:
        check_loop(v, d, x);
        break;
    case SQ_CODE_IF:
        check(v, d, x->cond);
        check_list(v, d, x->body);
        check_list(v, d, x->other);
        break;
    case SQ_CODE_LET:
    case SQ_CODE_VARIABLE:
        check(v, d, x->value);
        next.name = x->name;
        break;
    case SQ_CODE_ASSIGN:
        check(v, d, x->value);
        if (!is_defined(v, d, x->name))
            complain(v, "it is changed and not defined", x->name);
        break;
    case SQ_CODE_POINTER:
        check(v, d, x->value);
        next.buffer = x->buffer;
        break;
    case SQ_CODE_ADVANCE:
        check(v, d, x->value);
        break;
    case SQ_CODE_DECLARE:
        next.buffer = x->buffer;
        break;
    case SQ_CODE_STORE:
        check_store(v, d, x);
        break;
    case SQ_CODE_BLOCK:
        check_list(v, d, x->body);
        break;
    case SQ_CODE_UNUSED:
    case SQ_CODE_FRESH:
        break;
    }
    check_list(v, next.name || next.buffer ? &next : d, x->next);
}

const char *sq_code_verify(const sq_code *x, const sq_code_outer *outer, sq_arena *arena)
{
    verifier v = {outer, arena, NULL};
    check_list(&v, NULL, x);
    return v.wrong;
}
