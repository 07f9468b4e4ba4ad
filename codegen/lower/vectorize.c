/* Vectorize: selects innermost loops that are vectorized; see tree.h. */
#include "codegen/lower/tree.h"
#include "codegen/isa/math.h"

typedef struct look {
    const char *name; /* the loop's variable */
    sq_type type;
} look;

/* Returns the stride in elements between two iterations, 0 or 1; -1 for all others. */
static int64_t step_of(const char *name, int n, const sq_code_expr *const *index)
{
    int64_t step = 0;
    for (int d = 0; d < n; d++)
        if (!sq_code_is_affine(index[d], name, &step) || (d < n - 1 && step != 0))
            return -1;
    return step == 0 || step == 1 ? step : -1;
}

static bool has_form(sq_op op)
{
    switch (op) {
    case SQ_OP_NEG:
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
    case SQ_OP_DIV:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return true;
    default:
        return sq_math_is_function(op);
    }
}

static bool fits(const look *k, const sq_code_expr *e)
{
    bool fine = e->type == k->type;
    if (e->op == SQ_CODE_CONSTANT || e->op == SQ_CODE_SCALAR)
        return fine;
    if (e->op == SQ_CODE_LOAD)
        return fine && step_of(k->name, e->nargs, e->arg) >= 0;
    fine &= e->op == SQ_CODE_OPERATION && has_form(e->operation);
    for (int i = 0; i < e->nargs && fine; i++)
        fine = fits(k, e->arg[i]);
    return fine;
}

sq_code_runs sq_lanes_of(const sq_code *loop, bool sums, const sq_target *t)
{
    const sq_code *x = loop->body;
    if (!x || x->kind != SQ_CODE_STORE || x->next || x->cond || loop->step != 1 || !loop->hi)
        return SQ_CODE_SERIAL;
    look k = {loop->name, x->buffer->type};
    if (sq_code_is_brief(loop) &&
        sq_code_iterations(loop) < t->vector_bytes / sq_type_bytes(k.type))
        return SQ_CODE_SERIAL; /* the loop around it is vectorized */
    const sq_code_expr *e = x->value;
    bool adds =
        e->op == SQ_CODE_OPERATION && (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB);
    bool fine = (k.type == SQ_F32 || k.type == SQ_F64) && fits(&k, e) && (adds || !sums) &&
                step_of(k.name, x->buffer->ndim, x->index) == !sums &&
                t->vector_bytes / sq_type_bytes(k.type) > 1;
    return !fine ? SQ_CODE_SERIAL : sums ? SQ_CODE_SUMS : SQ_CODE_LANES;
}

void sq_lanes_allow(sq_code *x)
{
    for (; x; x = x->next) {
        x->is_scalar = x->kind == SQ_CODE_LOOP;
        for (const sq_code *s = x->body; s; s = s->next)
            x->is_scalar &= s->kind != SQ_CODE_LOOP;
        sq_lanes_allow(x->body);
        sq_lanes_allow(x->other);
    }
}
