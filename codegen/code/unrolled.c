/* Unrolled: see unrolled.h. */
#include "codegen/code/unrolled.h"

/* Values of the variables of unrolled loops, and of parameters. */
typedef struct iteration {
    const char *name;
    int64_t number;
    const struct iteration *around;
} iteration;

static const sq_code_expr *at(sq_code_pool *p, const iteration *i, const sq_code_expr *e)
{
    for (; e && i; i = i->around)
        e = sq_code_substitute(p, e, i->name, sq_code_number(p, i->number));
    return e;
}

static const sq_code_expr **index_at(sq_code_pool *p, const iteration *i, const sq_code *x)
{
    int n = x->buffer->ndim;
    const sq_code_expr **index = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, n + 1);
    for (int d = 0; d < n; d++)
        index[d] = at(p, i, x->index[d]);
    return index;
}

static void put_list(sq_code_pool *p, const iteration *i, const sq_code *x, sq_code_list *to);

static bool is_written_out(const sq_code *x)
{
    int64_t n;
    return x->kind == SQ_CODE_LOOP && x->runs == SQ_CODE_UNROLLED && x->lo && x->hi &&
           sq_code_known(x->lo, &n) && sq_code_known(x->hi, &n) && sq_code_names(x->body, x->name);
}

static void put_iterations(sq_code_pool *p, const iteration *around, const sq_code *x,
                           sq_code_list *to)
{
    for (int64_t i = x->lo->number; i < x->hi->number; i += x->step)
        put_list(p, &(iteration){x->name, i, around}, x->body, to);
}

static void put_copy(sq_code_pool *p, const iteration *i, const sq_code *x, sq_code_list *to)
{
    sq_code *own = sq_code_copy(p, x);
    sq_code_list body = {0}, other = {0};
    int64_t holds = 1;
    own->lo = at(p, i, x->lo);
    own->hi = at(p, i, x->hi);
    own->cond = at(p, i, x->cond);
    own->value = at(p, i, x->value);
    own->lane_step = at(p, i, x->lane_step);
    own->left = at(p, i, x->left);
    bool is_known = own->cond && sq_code_known(own->cond, &holds);
    if (x->kind == SQ_CODE_STORE && is_known && !holds)
        return;
    if (x->kind == SQ_CODE_IF && is_known) {
        put_list(p, i, holds ? x->body : x->other, to);
        return;
    }
    if (x->kind == SQ_CODE_STORE)
        own->index = index_at(p, i, x);
    put_list(p, i, x->body, &body);
    put_list(p, i, x->other, &other);
    own->body = body.first;
    own->other = other.first;
    sq_code_append(to, own);
}

static void put_list(sq_code_pool *p, const iteration *i, const sq_code *x, sq_code_list *to)
{
    for (; x; x = x->next)
        (is_written_out(x) ? put_iterations : put_copy)(p, i, x, to);
}

sq_code *sq_code_unrolled_call(sq_code_pool *p, const sq_code *call)
{
    const sq_code_part *part = call->part;
    iteration *known = SQ_NEW_ARRAY(p->arena, iteration, part->nparams + 1), *last = NULL;
    sq_code_list all = {0};
    for (int i = 0; i < part->nparams; i++) {
        int64_t number;
        if (!call->arg[i] || !sq_code_known(call->arg[i], &number))
            continue;
        known[i] = (iteration){part->param[i].name, number, last};
        last = &known[i];
    }
    put_list(p, last, part->body, &all);
    return all.first;
}

sq_code *sq_code_unrolled(sq_code_pool *p, const sq_code *x)
{
    sq_code_list all = {0};
    put_list(p, NULL, x, &all);
    return all.first;
}
