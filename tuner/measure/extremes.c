/* Extremes: see extremes.h. Propagates forward from the arrays whose extrema are taken, through the
 * statements that read them. */
#include "tuner/measure/extremes.h"

typedef struct finder {
    const sq_kernel *k;
    bool *is_far; /* arrays with elements out of the ordinary range */
    bool fits, sums;
} finder;

static int place_of(const sq_kernel *k, const sq_array *a)
{
    int i = 0;
    while (k->array[i] != a)
        i++;
    return i;
}

static bool is_extremum(const sq_stmt *s)
{
    return s->body && (s->reduce == SQ_OP_MAX || s->reduce == SQ_OP_MIN);
}

/* True if the result has the ordinary range, whatever the operand is. */
static bool is_bounded(sq_op op)
{
    return op == SQ_OP_EXP || op == SQ_OP_EXP2 || op == SQ_OP_TANH || op == SQ_OP_SIGMOID ||
           op == SQ_OP_ERF || sq_op_compares(op);
}

/* True if e reads elements out of the ordinary range. */
static bool reads_far(finder *f, const sq_expr *e)
{
    bool far = e->op == SQ_OP_READ && f->is_far[place_of(f->k, e->access->array)];
    for (int i = 0; i < e->nargs; i++)
        far |= reads_far(f, e->arg[i]);
    f->fits &=
        !far || e->op != SQ_OP_CAST || sq_type_real(e->type) || !sq_type_real(e->arg[0]->type);
    f->fits &= !far || sq_type_real(e->type) || !sq_expr_is_partial(e);
    return far && !is_bounded(e->op);
}

/* Marks the inputs whose extrema are taken. */
static void mark_inputs(finder *f, const sq_expr *e, bool *marks)
{
    if (e->op == SQ_OP_READ && e->access->array->role == SQ_IN)
        marks[place_of(f->k, e->access->array)] = true;
    for (int i = 0; i < e->nargs; i++)
        mark_inputs(f, e->arg[i], marks);
}

static bool follow(finder *f, const sq_stmt *s)
{
    bool *written = &f->is_far[place_of(f->k, s->write->array)], was = *written;
    bool far = s->body && reads_far(f, s->body);
    f->sums |= far && !is_extremum(s);
    *written |= far | reads_far(f, s->value);
    return *written != was;
}

sq_extremes sq_extremes_of(const sq_kernel *k)
{
    sq_extremes to = {.is_extreme = SQ_NEW_ARRAY(k->arena, bool, k->narrays + 1)};
    finder f = {.k = k,
                .is_far = SQ_NEW_ARRAY(k->arena, bool, k->narrays + 1),
                .fits = k->textual_dims == 0 && k->fp != SQ_FP_FAST};
    for (int i = 0; i < k->nstmts; i++)
        if (is_extremum(k->stmt[i]))
            mark_inputs(&f, k->stmt[i]->body, to.is_extreme);
    for (int i = 0; i < k->narrays; i++)
        f.is_far[i] = to.is_extreme[i];
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < k->nstmts; i++)
            changes |= follow(&f, k->stmt[i]);
    }
    to.is_moderate = f.sums;
    for (int i = 0; i < k->narrays; i++) {
        to.is_extreme[i] &= !f.sums || sq_type_real(k->array[i]->type);
        to.is_worth |= f.fits && to.is_extreme[i];
    }
    return to;
}
