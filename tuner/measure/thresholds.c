/* Thresholds: see thresholds.h. An outcome is the same in every order of evaluation if both sides
 * are exact: read, or computed by operations that no schedule reassociates and no compiler
 * contracts. */
#include "tuner/measure/thresholds.h"
#include "tuner/measure/signs.h"
#include <math.h>

enum { LARGEST = 1024, NARROW = 8 }; /* limits on thresholds, the second one for 16-bit elements */
static const double least = 0x1p-6;  /* of inputs that are divisors, or arguments of roots */
/* Limit on results, to which rounding is relative: the outcome of a comparison must show in
 * them. */
static const double most = 0x1p20;

typedef struct finder {
    const sq_kernel *k;
    const sq_reach *reach;
    bool *is_exact;   /* per array */
    bool *is_written; /* per array */
    bool compares, all_exact;
    sq_signs signs;     /* has_limits: of floating-point numbers */
    bool has_limits;    /* there are divisors, or operators that are not defined everywhere */
    bool has_functions; /* other than sums, products and conditionals */
    bool splits;        /* integers are divided or shifted */
    bool has_real;      /* there are floating-point numbers, whose results have a magnitude */
    sq_thresholds *to;
} finder;

static bool is_comparison(const sq_expr *e)
{
    return sq_op_compares(e->op);
}

static int index_of(const sq_kernel *k, const sq_array *a)
{
    int i = 0;
    while (k->array[i] != a)
        i++;
    return i;
}

/* True if the operands of a sum or a product are inputs: then nothing is contracted with it. A
 * value that a statement wrote may still be in a register, as an unrounded product. */
static bool are_inputs(const finder *f, const sq_expr *e)
{
    bool inputs = f->k->fp != SQ_FP_FAST;
    for (int i = 0; i < e->nargs; i++) {
        const sq_expr *x = e->arg[i];
        inputs &= x->nargs == 0 && x->op != SQ_OP_REDUCED &&
                  !(x->op == SQ_OP_READ && f->is_written[index_of(f->k, x->access->array)]);
    }
    return inputs;
}

static bool is_exact_operation(const finder *f, const sq_expr *e)
{
    if (!sq_type_real(e->type) || f->k->fp == SQ_FP_STRICT)
        return e->op < SQ_OP_EXP || e->op == SQ_OP_ABS || e->op == SQ_OP_FLOOR ||
               e->op == SQ_OP_CEIL;
    switch (e->op) {
    case SQ_OP_CAST:
    case SQ_OP_NEG:
    case SQ_OP_ABS:
    case SQ_OP_FLOOR:
    case SQ_OP_CEIL:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
    case SQ_OP_SELECT:
        return true;
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
        return are_inputs(f, e);
    default:
        return e->nargs == 0;
    }
}

static bool is_exact(const finder *f, const sq_expr *e, bool body_is_exact)
{
    bool exact = e->op == SQ_OP_READ      ? f->is_exact[index_of(f->k, e->access->array)]
                 : e->op == SQ_OP_REDUCED ? body_is_exact
                                          : is_exact_operation(f, e);
    for (int i = 0; exact && i < e->nargs; i++)
        exact = is_exact(f, e->arg[i], body_is_exact);
    return exact;
}

/* Tests a reduction: floating-point sums depend on their order. */
static bool is_exact_body(const finder *f, const sq_stmt *s)
{
    bool ordered = s->reduce == SQ_OP_MIN || s->reduce == SQ_OP_MAX || !s->body ||
                   !sq_type_real(s->body->type);
    return s->body && ordered && is_exact(f, s->body, false);
}

/* Finds the arrays whose elements are exact, by removing those that a statement writes
 * inexactly. */
static void find_exact(finder *f)
{
    for (int a = 0; a < f->k->narrays; a++)
        f->is_exact[a] = true;
    for (int i = 0; i < f->k->nstmts; i++)
        f->is_written[index_of(f->k, f->k->stmt[i]->write->array)] = true;
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < f->k->nstmts; i++) {
            const sq_stmt *s = f->k->stmt[i];
            bool *own = &f->is_exact[index_of(f->k, s->write->array)];
            bool exact = is_exact(f, s->value, is_exact_body(f, s));
            changes |= *own && !exact;
            *own &= exact;
        }
    }
}

/* True if inputs may have this value: without functions, results that grow with it are bounded. */
static bool is_allowed(const finder *f, double v, bool is_integer)
{
    double size = fabs(v);
    bool is_simple = !f->has_functions && !f->has_limits && f->k->textual_dims == 0;
    double largest = !is_simple ? 1 : f->reach->largest > NARROW ? LARGEST : NARROW;
    if (f->has_limits || f->reach->is_positive)
        return (v == 0 || size >= least) && size <= 1;
    if (is_integer && f->splits)
        return false;
    if (is_integer && !f->has_real)
        return true;
    return size <= largest && pow(fmax(size, 1), f->reach->degree) <= most;
}

static void add_threshold(finder *f, const sq_expr *e)
{
    bool is_integer = !sq_type_real(e->type);
    double v = is_integer ? (double)e->integer : e->real;
    sq_number number = {.real = is_integer ? 0 : v, .integer = is_integer ? e->integer : 0};
    sq_thresholds *to = f->to;
    for (int i = 0; i < to->n; i++)
        if (to->threshold[i].value.real == number.real &&
            to->threshold[i].value.integer == number.integer &&
            to->threshold[i].is_integer == is_integer)
            return;
    if (to->n == SQ_MOST_THRESHOLDS || !isfinite(v) || !is_allowed(f, v, is_integer))
        return;
    to->threshold[to->n++] = (sq_threshold){is_integer, number};
    if (f->has_real)
        to->reach = fmax(to->reach, fabs(v));
}

static void look_at(sq_expr *e, void *user)
{
    finder *f = user;
    bool is_real = sq_type_real(e->type);
    f->has_real |= is_real;
    f->has_limits |= is_real && sq_expr_is_partial(e);
    f->splits |= !is_real && sq_expr_is_partial(e);
    f->has_functions |= e->op >= SQ_OP_EXP && e->op != SQ_OP_ABS;
}

static bool reads(const sq_expr *e)
{
    bool any = e->op == SQ_OP_READ || e->op == SQ_OP_REDUCED || e->op == SQ_OP_SCALAR;
    for (int i = 0; i < e->nargs; i++)
        any |= reads(e->arg[i]);
    return any;
}

/* True if it clamps an input: that is no discontinuity, but inputs there show whether the bound is
 * right. */
static bool is_bound(const sq_expr *e)
{
    return (e->op == SQ_OP_MIN || e->op == SQ_OP_MAX) && reads(e) &&
           (e->arg[0]->op == SQ_OP_CONST || e->arg[1]->op == SQ_OP_CONST);
}

/* Finds the discontinuities of a value: at comparisons, and where integers are made of
 * floating-point numbers. */
static void look_at_jumps(finder *f, const sq_expr *e, bool body_is_exact)
{
    bool rounds = e->op == SQ_OP_FLOOR || e->op == SQ_OP_CEIL ||
                  (e->op == SQ_OP_CAST && sq_type_real(e->arg[0]->type) && !sq_type_real(e->type));
    if ((is_comparison(e) && reads(e)) || rounds)
        f->all_exact &= is_exact(f, e, body_is_exact);
    f->compares |= (is_comparison(e) && reads(e)) || is_bound(e);
    for (int i = 0; i < e->nargs; i++)
        look_at_jumps(f, e->arg[i], body_is_exact);
}

static void add_constants(finder *f, const sq_expr *e, bool compared)
{
    compared |= (is_comparison(e) && reads(e)) || is_bound(e);
    if (compared && e->op == SQ_OP_CONST)
        add_threshold(f, e);
    for (int i = 0; i < e->nargs; i++)
        add_constants(f, e->arg[i], compared);
}

static void look_at_stmt(finder *f, const sq_stmt *s)
{
    if (s->body)
        look_at_jumps(f, s->body, false);
    look_at_jumps(f, s->value, is_exact_body(f, s));
}

sq_thresholds sq_thresholds_of(const sq_kernel *k, const sq_reach *reach)
{
    sq_thresholds to = {.reach = 1};
    finder f = {.k = k,
                .reach = reach,
                .signs = sq_signs_of(k),
                .is_exact = SQ_NEW_ARRAY(k->arena, bool, k->narrays + 1),
                .is_written = SQ_NEW_ARRAY(k->arena, bool, k->narrays + 1),
                .all_exact = true,
                .to = &to};
    for (int s = 0; s < k->nstmts; s++) {
        sq_expr_walk(k->stmt[s]->body, look_at, &f);
        sq_expr_walk(k->stmt[s]->value, look_at, &f);
    }
    find_exact(&f);
    for (int s = 0; s < k->nstmts; s++)
        look_at_stmt(&f, k->stmt[s]);
    to.is_worth = f.compares && f.all_exact;
    to.is_open = reach->is_open || (f.has_limits && f.signs.subtracts);
    for (int s = 0; to.is_worth && s < k->nstmts; s++) {
        if (k->stmt[s]->body)
            add_constants(&f, k->stmt[s]->body, false);
        add_constants(&f, k->stmt[s]->value, false);
    }
    return to;
}
