/* Verify, statements: see verify.h. */
#include "codegen/code/instruction.h"
#include "codegen/code/verify_inside.h"
#include <string.h>

typedef sq_verifier verifier;
typedef sq_defined_by defined_by;

/* ---- names ---- */

/* Returns the statement that defines the variable or buffer of this name; NULL if none is in
 * scope. */
static const sq_code *definition_of(const defined_by *d, const char *name)
{
    for (; d; d = d->before) {
        const sq_code *x = d->stmt;
        const char *own = x->buffer ? x->buffer->name : x->name;
        if (strcmp(own, name) == 0)
            return x;
    }
    return NULL;
}

/* Returns the buffer of the outer code that has this name; NULL. */
static const sq_code_buffer *outer_buffer(const verifier *v, const char *name)
{
    for (int i = 0; i < v->outer->nbuffers; i++)
        if (strcmp(v->outer->buffer[i]->name, name) == 0)
            return v->outer->buffer[i];
    return NULL;
}

static bool is_variable(const defined_by *d, const char *name)
{
    const sq_code *x = definition_of(d, name);
    return x && x->kind == SQ_CODE_VARIABLE;
}

/* FRESH applies to what can change: a pointer or a VARIABLE. */
static void check_fresh(verifier *v, const defined_by *d, const char *name)
{
    const sq_code *x = definition_of(d, name);
    const sq_code_buffer *b = x ? x->buffer : outer_buffer(v, name);
    if (!is_variable(d, name) && !(b && sq_code_is_pointer(b)))
        sq_verify_complain(v, "it is no pointer or variable that may change", name);
}

static void check_unused(verifier *v, const defined_by *d, const char *name)
{
    if (!definition_of(d, name) && !outer_buffer(v, name) && !sq_verify_is_defined(v, d, name) &&
        !sq_verify_is_array(v, name))
        sq_verify_complain(v, "it is marked as unused and not defined", name);
}

/* ---- pointers ---- */

static void check_pointer(verifier *v, const defined_by *d, const sq_code *x)
{
    const sq_code_buffer *b = x->buffer, *of = x->of;
    if (!of || of->storage == SQ_CODE_REGISTER || !sq_code_is_pointer(b)) {
        sq_verify_complain(v, "a pointer points into no array", b->name);
        return;
    }
    sq_verify_declared(v, d, of);
    if (of->type != b->type)
        sq_verify_complain(v, "a pointer is not of its array's type", b->name);
    if (of->is_readonly && !b->is_readonly)
        sq_verify_complain(v, "a pointer to what is read only may store", b->name);
    sq_verify_index(v, d, x->value, "a pointer begins at no index expression", b->name);
}

static void check_advance(verifier *v, const defined_by *d, const sq_code *x)
{
    sq_verify_declared(v, d, x->buffer);
    if (!sq_code_is_pointer(x->buffer))
        sq_verify_complain(v, "it is advanced and no pointer", x->buffer->name);
    sq_verify_index(v, d, x->value, "a pointer moves by no index expression", x->buffer->name);
}

/* ---- loops ---- */

static void check_list(verifier *v, const defined_by *d, const sq_code *x);

/* Checks a loop over an existing variable, or over values that its body changes. */
static void check_while(verifier *v, const defined_by *d, const sq_code *x)
{
    if (!x->cond || (x->name && (x->step == 0 || !is_variable(d, x->name))))
        sq_verify_complain(v, "a loop over a variable changes it while something is true",
                           "a loop");
    sq_verify_condition(v, d, x->cond, "a loop");
    check_list(v, d, x->body);
}

/* The work of a parallel loop must be known before the loop. */
static void check_work(verifier *v, const defined_by *d, const sq_code *x)
{
    for (int i = 0; x->work && i < x->work->n; i++)
        for (int f = 0; f < x->work->term[i].n; f++)
            sq_verify_index(v, d, x->work->term[i].factor[f],
                            "a loop's work is no index expression", x->name);
    if (x->runs != SQ_CODE_THREADS && (x->work || x->least || x->is_limited))
        sq_verify_complain(v, "threads share no such loop, and its work is asked for", x->name);
}

static void check_loop(verifier *v, const defined_by *d, const sq_code *x)
{
    const defined_by inside = {x, d};
    sq_verify_index(v, d, x->lo, "a loop begins at no index expression", x->name);
    sq_verify_index(v, d, x->hi, "a loop ends at no index expression", x->name);
    sq_verify_condition(v, &inside, x->cond, x->name);
    check_work(v, d, x);
    if (x->launch)
        sq_verify_index(v, d, x->launch->blocks, "a number of blocks is no index expression", x->name);
    if (x->step < 1 || !x->hi == !x->cond)
        sq_verify_complain(v, "a loop wants a step above 0 and one end", x->name);
    bool lanes = x->runs == SQ_CODE_LANES || x->runs == SQ_CODE_SUMS;
    if (lanes && (!x->body || x->body->kind != SQ_CODE_STORE || x->body->next))
        sq_verify_complain(v, "a loop in lanes wants one store", x->name);
    check_list(v, &inside, x->body);
}

/* ---- stores ---- */

static void check_store(verifier *v, const defined_by *d, const sq_code *x)
{
    const sq_code_buffer *b = x->buffer;
    sq_verify_place(v, d, b, x->index);
    sq_verify_expr(v, d, x->value);
    if (b->is_readonly)
        sq_verify_complain(v, "it is read only and stored to", b->name);
    if (x->value->type != b->type || sq_code_is_index(x->value))
        sq_verify_complain(v, "what is stored is not of its type", b->name);
    if (b->is_constant && (!d || d->stmt->buffer != b || d->stmt->next != x || x->cond))
        sq_verify_complain(v, "a constant is stored to elsewhere than behind its declaration",
                           b->name);
    bool is_register = b->storage == SQ_CODE_REGISTER, vector = x->value->lanes > 1;
    int lanes = b->lanes > 1 ? b->lanes : 1;
    if (is_register ? x->value->lanes != lanes : vector != (x->lane_step != NULL))
        sq_verify_complain(v, "what is stored has other lanes", b->name);
    if (x->value->is_mask != b->is_mask)
        sq_verify_complain(v, "a mask is stored to what holds none, or a value to what holds one",
                           b->name);
    if (x->lane_step && (is_register || b->ndim < 1))
        sq_verify_complain(v, "lanes are stored to what has no dimension", b->name);
    if (x->left && !x->lane_step)
        sq_verify_complain(v, "some lanes are left of what has none", b->name);
    sq_verify_mask(v, d, x->cond, x->value, b->name);
    if (x->cond && x->cond->lanes > 1 && (x->left || !sq_code_is(x->lane_step, 1)))
        sq_verify_complain(v, "a mask is of all lanes, side by side", b->name);
    sq_verify_index(v, d, x->lane_step, "the step between lanes is no index expression", b->name);
    sq_verify_index(v, d, x->left, "the number of lanes is no index expression", b->name);
}

/* A value may be what a conditional asks for. */
static void check_if(verifier *v, const defined_by *d, const sq_code_expr *cond)
{
    if (!cond || sq_code_is_index(cond)) {
        sq_verify_condition(v, d, cond, "a conditional");
        return;
    }
    if (cond->lanes > 1 || cond->type != SQ_I32)
        sq_verify_complain(v, "what it asks for is no condition", "a conditional");
    sq_verify_expr(v, d, cond);
}

static void check_transpose(verifier *v, const defined_by *d, const sq_code_buffer *b)
{
    sq_verify_declared(v, d, b);
    if (b->storage != SQ_CODE_REGISTER || b->lanes < 2 || b->ndim != 1 ||
        !sq_code_is(b->extent[0], b->lanes))
        sq_verify_complain(v, "what is transposed is no square of registers", b->name);
}

static void check_copy(verifier *v, const defined_by *d, const sq_code *x)
{
    const sq_code_run *r = x->run;
    const sq_code_expr *const index[] = {r->row, r->lo, r->n, r->extent, r->rows, r->between};
    sq_verify_place(v, d, x->buffer, x->index);
    sq_verify_declared(v, d, x->of);
    for (size_t i = 0; i < sizeof index / sizeof *index; i++)
        sq_verify_index(v, d, index[i], "where a copy is from is no index expression",
                        x->buffer->name);
    if (!r->row || !r->lo || !r->n || r->stride < 1 || r->step < 1 || x->buffer->ndim != 1 ||
        x->of->ndim != 1)
        sq_verify_complain(v, "a copy wants rows and steps above 0", x->buffer->name);
    if (!r->rows != !r->between ||
        (r->rows && (r->extent || r->stride != 1 || x->buffer->type != x->of->type)))
        sq_verify_complain(v, "several rows are copied as they are", x->buffer->name);
    if (x->buffer->is_readonly || x->of->storage == SQ_CODE_REGISTER ||
        (x->buffer->type != x->of->type && x->buffer->type != SQ_F32))
        sq_verify_complain(v, "no helper makes such a copy", x->buffer->name);
}

/* ---- calls ---- */

static void check_argument(verifier *v, const defined_by *d, const sq_code_param *param,
                           const sq_code_expr *arg)
{
    if ((param->kind == SQ_CODE_VALUE) != !arg)
        sq_verify_complain(v, "what a call passes is not of the parameter's kind", param->name);
    else if (param->kind == SQ_CODE_FLAG)
        sq_verify_condition(v, d, arg, param->name);
    else
        sq_verify_index(v, d, arg, "what a call passes is no index expression", param->name);
}

static void check_call(verifier *v, const defined_by *d, const sq_code *x)
{
    for (int i = 0; i < x->part->npointers; i++) {
        const sq_code_buffer *of = x->pointer[i].of, *to = x->part->pointer[i];
        sq_verify_declared(v, d, of);
        sq_verify_index(v, d, x->pointer[i].at, "a pointer begins at no index expression",
                        to->name);
        if (of->type != to->type || (of->is_readonly && !to->is_readonly))
            sq_verify_complain(v, "what a call passes is not of the parameter's type", to->name);
    }
    for (int i = 0; i < x->part->nparams; i++)
        check_argument(v, d, &x->part->param[i], x->arg[i]);
}

static void check_operand(verifier *v, const defined_by *d, const sq_code_operand *o)
{
    const sq_code_buffer *b = o->buffer;
    sq_verify_index(v, d, o->at, "an operand is at no index expression", b ? b->name : "a number");
    if (o->kind == SQ_OPERAND_INDEX)
        return;
    sq_verify_declared(v, d, b);
    bool is_register = b->storage == SQ_CODE_REGISTER;
    if (b->ndim != (o->at != NULL) || (o->kind == SQ_OPERAND_REGISTER && !is_register))
        sq_verify_complain(v, "an operand is no register, or no element of one dimension", b->name);
    if (o->lane < 0 || o->lane >= (b->lanes > 1 ? b->lanes : 1))
        sq_verify_complain(v, "an operand has no such lane", b->name);
}

/* ---- statements ---- */

static void check_declare(verifier *v, const defined_by *d, const sq_code_buffer *b)
{
    if (b->storage == SQ_CODE_MEMORY)
        sq_verify_complain(v, "an array of the kernel is declared", b->name);
    for (; d; d = d->before)
        if (d->stmt->buffer == b)
            sq_verify_complain(v, "it is declared where it is there already", b->name);
}

static void check_let(verifier *v, const defined_by *d, const sq_code *x)
{
    sq_verify_condition(v, d, x->value, x->name); /* a flag holds a condition */
    if (x->kind == SQ_CODE_ASSIGN && !is_variable(d, x->name))
        sq_verify_complain(v, "it is changed and no variable", x->name);
}

static void check_one(verifier *v, const defined_by *d, const sq_code *x)
{
    switch (x->kind) {
    case SQ_CODE_LOOP:
        (x->lo ? check_loop : check_while)(v, d, x);
        break;
    case SQ_CODE_IF:
        check_if(v, d, x->cond);
        check_list(v, d, x->body);
        check_list(v, d, x->other);
        break;
    case SQ_CODE_LET:
    case SQ_CODE_VARIABLE:
    case SQ_CODE_ASSIGN:
        check_let(v, d, x);
        break;
    case SQ_CODE_POINTER:
        check_pointer(v, d, x);
        break;
    case SQ_CODE_ADVANCE:
        check_advance(v, d, x);
        break;
    case SQ_CODE_DECLARE:
        check_declare(v, d, x->buffer);
        break;
    case SQ_CODE_STORE:
        check_store(v, d, x);
        break;
    case SQ_CODE_BLOCK:
        check_list(v, d, x->body);
        break;
    case SQ_CODE_TRANSPOSE:
        check_transpose(v, d, x->buffer);
        break;
    case SQ_CODE_COPY:
        check_copy(v, d, x);
        break;
    case SQ_CODE_CALL:
        check_call(v, d, x);
        break;
    case SQ_CODE_INSTRUCTION:
        for (int i = 0; i < x->instruction->noperands; i++)
            check_operand(v, d, &x->instruction->operand[i]);
        break;
    case SQ_CODE_UNUSED:
        check_unused(v, d, x->name);
        break;
    case SQ_CODE_FRESH:
        check_fresh(v, d, x->name);
        break;
    case SQ_CODE_COMMENT:
        break;
    }
}

static void check_list(verifier *v, const defined_by *d, const sq_code *x)
{
    if (!x || v->wrong)
        return;
    check_one(v, d, x);
    const defined_by next = {x, d};
    check_list(v, sq_code_defines(x) ? &next : d, x->next);
}

const char *sq_code_verify(const sq_code *x, const sq_code_outer *outer, sq_arena *arena)
{
    verifier v = {outer, arena, NULL};
    check_list(&v, NULL, x);
    return v.wrong;
}
