/* Signs: see signs.h. Propagates backwards from divisors, roots and the like through the statements
 * that write what they read. */
#include "tuner/measure/signs.h"

typedef struct finder {
    const sq_kernel *k;
    sq_signs *to;
    bool changes, takes_reduced; /* inside of it, a reduction was marked, or is used */
} finder;

static void mark(finder *f, const sq_array *a)
{
    for (int i = 0; i < f->k->narrays; i++)
        if (f->k->array[i] == a && !f->to->is_positive[i])
            f->changes = f->to->is_positive[i] = true;
}

static bool is_choice(const sq_expr *e, int arg)
{
    return (e->op == SQ_OP_SELECT && arg == 0) || sq_op_compares(e->op);
}

/* True if the argument must be positive; for a power and a shift all must be. */
static bool is_limited(const sq_expr *e, int arg)
{
    bool divides = e->op == SQ_OP_DIV || e->op == SQ_OP_MOD;
    return sq_expr_is_partial(e) && (!divides || arg == 1);
}

/* inside: e is part of a divisor or the like. */
static void look_at(finder *f, const sq_expr *e, bool inside)
{
    if (inside && e->op == SQ_OP_READ)
        mark(f, e->access->array);
    f->takes_reduced |= inside && e->op == SQ_OP_REDUCED;
    f->to->subtracts |=
        inside && sq_type_real(e->type) && (e->op == SQ_OP_SUB || e->op == SQ_OP_NEG);
    for (int i = 0; i < e->nargs; i++) {
        f->to->any |= is_limited(e, i);
        look_at(f, e->arg[i], (inside && !is_choice(e, i)) || is_limited(e, i));
    }
}

static bool is_positive(const finder *f, const sq_array *a)
{
    int i = 0;
    while (f->k->array[i] != a)
        i++;
    return f->to->is_positive[i];
}

sq_signs sq_signs_of(const sq_kernel *k)
{
    sq_signs to = {.is_positive = SQ_NEW_ARRAY(k->arena, bool, k->narrays + 1)};
    finder f = {.k = k, .to = &to};
    do {
        f.changes = false;
        for (int i = 0; i < k->nstmts; i++) {
            const sq_stmt *s = k->stmt[i];
            f.takes_reduced = false;
            look_at(&f, s->value, is_positive(&f, s->write->array));
            if (s->body)
                look_at(&f, s->body, f.takes_reduced);
        }
    } while (f.changes);
    return to;
}
