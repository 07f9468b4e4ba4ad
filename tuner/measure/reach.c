/* Reach: see reach.h. For each expression, computes how its magnitude grows with the inputs', and
 * what is known of its sign. */
#include "tuner/measure/reach.h"
#include <isl/aff.h>
#include <math.h>

enum { UNKNOWN = -1, MOST_DEGREE = 6 };

/* Properties of a value. */
typedef struct range {
    int degree;                       /* UNKNOWN, or at most of the order of inputs^degree */
    bool above, not_below, not_above; /* 0; not_below is set if above is */
    bool is_sum;                      /* a sum of many terms, or made of one: may exceed the degree */
    bool huge,
        faint;  /* result of exp: it may be infinite, or 0, in the type and not in a wider one */
    bool peaks; /* one element of each row is 1 */
} range;

typedef struct finder {
    const sq_kernel *k;
    range *of;                   /* per array */
    const sq_array **maximum_of; /* per array; or NULL */
    bool *is_written;            /* per array */
    bool positive;               /* of the inputs */
    bool is_worth;
    bool is_limited; /* values that may be infinite or 0 are operands */
    bool is_steep;   /* exp of a product or a sum */
    bool is_last;    /* integers made by the statement are only compared */
    double bound;    /* the largest constant that a value is compared with, or clamped to */
    bool has_roots;
    bool overflows; /* integers are made of numbers that may be out of range */
} finder;

/* Inputs for comparisons: far enough beyond the constants, but no more than bounds on differences
 * allow. */
enum { BEYOND = 2, MOST_BOUND = 256, MOST_ROOT = 32 };

static const range unknown = {.degree = UNKNOWN};

static int index_of(const finder *f, const sq_array *a)
{
    int i = 0;
    while (f->k->array[i] != a)
        i++;
    return i;
}

static range *range_of(const finder *f, const sq_array *a)
{
    return &f->of[index_of(f, a)];
}

static bool same_read(const sq_access *a, const sq_access *b)
{
    return a->array == b->array && a->edge == b->edge &&
           isl_multi_aff_plain_is_equal(a->map, b->map) == isl_bool_true;
}

static bool same(const sq_expr *a, const sq_expr *b)
{
    bool is = a->op == b->op && a->type == b->type && a->nargs == b->nargs;
    if (is && a->op == SQ_OP_READ)
        return same_read(a->access, b->access);
    if (a->nargs == 0)
        return is && a->op == SQ_OP_SCALAR && a->scalar == b->scalar;
    for (int i = 0; is && i < a->nargs; i++)
        is = same(a->arg[i], b->arg[i]);
    return is;
}

static range read(const finder *f, const sq_access *a)
{
    range r = *range_of(f, a->array);
    if (a->edge == SQ_EDGE_PAD) {
        r.above &= a->outside.real > 0;
        r.not_below &= a->outside.real >= 0;
        r.not_above &= a->outside.real <= 0;
        r.peaks = false;
    }
    return r;
}

/* Returns the range of values without arguments. Sizes and indices may be divisors, and scalars are
 * in [0.25, 1). */
static range leaf(const finder *f, const sq_expr *e, range reduced)
{
    if (e->op == SQ_OP_READ)
        return read(f, e->access);
    if (e->op == SQ_OP_REDUCED)
        return reduced;
    double v = e->op != SQ_OP_CONST ? 1 : sq_type_real(e->type) ? e->real : (double)e->integer;
    return (range){.above = v > 0, .not_below = v >= 0, .not_above = v <= 0};
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Returns the range of one of two values: what is true of both. */
static range either(range a, range b)
{
    return (range){.degree = larger(a.degree, b.degree),
                   .above = a.above && b.above,
                   .not_below = a.not_below && b.not_below,
                   .not_above = a.not_above && b.not_above,
                   .is_sum = a.is_sum || b.is_sum,
                   .huge = a.huge || b.huge,
                   .faint = a.faint || b.faint,
                   .peaks = a.peaks && b.peaks};
}

static range sum(range a, range b)
{
    range r = either(a, b);
    r.above = (a.above && b.not_below) || (b.above && a.not_below);
    r.faint = (a.faint || !a.above) && (b.faint || !b.above) && (a.faint || b.faint);
    r.peaks = false;
    return r;
}

/* True if it is x - m, where m is the maximum of x. */
static bool is_below_maximum(const finder *f, const sq_expr *e)
{
    const sq_expr *x = e->arg[0], *m = e->arg[1];
    return x->op == SQ_OP_READ && m->op == SQ_OP_READ &&
           f->maximum_of[index_of(f, m->access->array)] == x->access->array;
}

static range difference(finder *f, const sq_expr *e, range a, range b)
{
    bool below = is_below_maximum(f, e);
    f->is_limited |= a.huge || b.huge;
    return (range){.degree = larger(a.degree, b.degree),
                   .not_above = below || (a.not_above && b.not_below),
                   .not_below = a.not_below && b.not_above,
                   .is_sum = a.is_sum || b.is_sum,
                   .peaks = below};
}

static range product(finder *f, range a, range b, bool is_square)
{
    f->is_limited |= a.huge || b.huge;
    return (range){.degree = a.degree + b.degree,
                   .above = a.above && b.above,
                   .not_below = is_square || (a.not_below && b.not_below),
                   .is_sum = a.is_sum || b.is_sum,
                   .faint = a.faint || b.faint};
}

/* A divisor may be infinite. */
static range quotient(finder *f, range a, range b)
{
    if (!b.above)
        return unknown;
    f->is_limited |= b.faint;
    b.huge = false;
    return product(f, a, b, false);
}

static range of_two(finder *f, const sq_expr *e, range a, range b)
{
    range r = either(a, b);
    r.peaks = false;
    switch (e->op) {
    case SQ_OP_ADD:
        return sum(a, b);
    case SQ_OP_SUB:
        return difference(f, e, a, b);
    case SQ_OP_MUL:
        return product(f, a, b, same(e->arg[0], e->arg[1]));
    case SQ_OP_DIV:
        return quotient(f, a, b);
    case SQ_OP_MIN:
        r.not_above = a.not_above || b.not_above;
        return r;
    case SQ_OP_MAX:
        r.above = a.above || b.above;
        r.not_below = a.not_below || b.not_below;
        return r;
    default: /* conditions, and integer operations */
        return sq_type_real(e->type) ? unknown : (range){0};
    }
}

static range power(finder *f, range a)
{
    f->is_steep |= a.degree > 1 || a.is_sum;
    return (range){.above = true,
                   .not_below = true,
                   .huge = !a.not_above,
                   .faint = !a.not_below,
                   .peaks = a.peaks};
}

/* A value that is infinite or 0 in one type only becomes another number here. */
static range root(finder *f, range a, bool defined)
{
    f->is_limited |= a.huge || a.faint;
    a.huge = a.faint = a.peaks = false;
    return defined ? a : unknown;
}

/* Returns the operand of a clamp: anything but a constant. */
static const sq_expr *clamped(const sq_expr *e)
{
    bool passes = e->op == SQ_OP_MIN || e->op == SQ_OP_MAX || e->op == SQ_OP_ADD;
    if (e->op == SQ_OP_FLOOR || e->op == SQ_OP_CEIL || (passes && e->arg[1]->op == SQ_OP_CONST))
        return e->arg[0];
    return passes && e->arg[0]->op == SQ_OP_CONST ? e->arg[1] : NULL;
}

/* True if constants bound it on both sides. */
static bool is_clamped(const sq_expr *e)
{
    bool above = false, below = false;
    for (; e; e = clamped(e)) {
        above |= e->op == SQ_OP_MIN && clamped(e);
        below |= e->op == SQ_OP_MAX && clamped(e);
    }
    return above && below;
}

/* A function of a; results of floor and ceil are only comparable for numbers that are equal on both
 * sides. */
static range of_one(finder *f, const sq_expr *e, range a)
{
    bool is_real = sq_type_real(e->type), was_real = sq_type_real(e->arg[0]->type);
    switch (e->op) {
    case SQ_OP_NEG:
        return (range){.degree = a.degree,
                       .not_below = a.not_above,
                       .not_above = a.not_below,
                       .is_sum = a.is_sum,
                       .huge = a.huge,
                       .faint = a.faint};
    case SQ_OP_ABS:
        a.not_below = true;
        a.not_above = a.peaks = false;
        return a;
    case SQ_OP_CAST:
        f->overflows |= !is_real && was_real && !is_clamped(e->arg[0]);
        return is_real || !was_real ? a : f->is_last && !f->overflows ? (range){0} : unknown;
    case SQ_OP_EXP:
    case SQ_OP_EXP2:
        return power(f, a);
    case SQ_OP_SIGMOID:
        return (range){.above = true, .not_below = true, .faint = !a.not_below};
    case SQ_OP_TANH:
    case SQ_OP_ERF:
        return (range){.above = a.above, .not_below = a.not_below, .not_above = a.not_above};
    case SQ_OP_LOG:
    case SQ_OP_LOG2:
        a = root(f, a, a.above);
        return a.degree == UNKNOWN ? a : (range){0};
    case SQ_OP_SQRT:
        return root(f, a, a.not_below);
    case SQ_OP_RSQRT:
        return root(f, a, a.above);
    case SQ_OP_FLOOR:
    case SQ_OP_CEIL:
        return e->arg[0]->op == SQ_OP_READ ? (range){.degree = a.degree} : unknown;
    case SQ_OP_SIN:
    case SQ_OP_COS:
        return (range){0};
    default:
        return is_real ? unknown : (range){0};
    }
}

/* Inputs have ranges of their own: they must be larger only if something is computed before the
 * comparison. */
static void look_at_bound(finder *f, const sq_expr *e)
{
    bool bounds =
        e->op == SQ_OP_MIN || e->op == SQ_OP_MAX || sq_op_compares(e->op);
    f->has_roots |= e->op == SQ_OP_SQRT;
    for (int i = 0; bounds && i < 2; i++) {
        const sq_expr *c = e->arg[i], *x = e->arg[1 - i];
        if (c->op == SQ_OP_CONST && sq_type_real(c->type) && x->nargs > 0 &&
            fabs(c->real) <= MOST_BOUND)
            f->bound = fmax(f->bound, fabs(c->real));
    }
}

static range range_in(finder *f, const sq_expr *e, range reduced)
{
    range a[3] = {{0}};
    f->is_worth |= e->op >= SQ_OP_EXP && e->op != SQ_OP_ABS;
    look_at_bound(f, e);
    if (e->nargs == 0)
        return leaf(f, e, reduced);
    for (int i = 0; i < e->nargs; i++) {
        a[i] = range_in(f, e->arg[i], reduced);
        if (a[i].degree == UNKNOWN)
            return unknown;
    }
    range r = e->op == SQ_OP_SELECT ? either(a[1], a[2])
              : e->nargs == 2       ? of_two(f, e, a[0], a[1])
                                    : of_one(f, e, a[0]);
    return r.degree > MOST_DEGREE ? unknown : r;
}

/* Returns the range of the reduction of the body's values: a sum over a row with an element of 1 is
 * at least 1. */
static range reduction(finder *f, const sq_stmt *s)
{
    range r = range_in(f, s->body, (range){0});
    bool is_real = sq_type_real(s->body->type);
    if (r.degree == UNKNOWN || (is_real && s->reduce == SQ_OP_MUL))
        return unknown;
    f->is_worth |= is_real && s->reduce != SQ_OP_ADD;
    if (s->reduce == SQ_OP_ADD) {
        r.is_sum = true;
        r.faint &= !r.peaks;
    }
    r.peaks = false;
    return r;
}

static bool is_read(const sq_kernel *k, const sq_array *a)
{
    for (int i = 0; i < k->nstmts; i++)
        if (sq_stmt_reads_array(k->stmt[i], a))
            return true;
    return false;
}

static bool find_stmt(finder *f, const sq_stmt *s)
{
    range reduced = s->body ? reduction(f, s) : (range){0};
    if (reduced.degree == UNKNOWN)
        return false;
    f->is_last = !sq_type_real(s->value->type) && !is_read(f->k, s->write->array);
    range value = range_in(f, s->value, reduced);
    f->is_last = false;
    if (value.degree == UNKNOWN)
        return false;
    int to = index_of(f, s->write->array);
    bool is_first = !f->is_written[to];
    bool takes = s->body && s->reduce == SQ_OP_MAX && s->body->op == SQ_OP_READ;
    f->is_written[to] = true;
    f->of[to] = is_first ? value : either(f->of[to], value);
    f->maximum_of[to] =
        takes && is_first && s->value->op == SQ_OP_REDUCED ? s->body->access->array : NULL;
    return true;
}

/* True if differences are bounded for inputs of this sign; fills *degree. */
static bool find(finder *f, int *degree)
{
    *degree = 0;
    for (int a = 0; a < f->k->narrays; a++) {
        const sq_array *x = f->k->array[a];
        bool reads = x->role == SQ_IN || x->role == SQ_INOUT;
        bool sign = f->positive && sq_type_real(x->type);
        f->of[a] = (range){.degree = reads, .above = sign, .not_below = sign};
        f->is_written[a] = reads;
        f->maximum_of[a] = NULL;
        f->is_worth |= sq_type_stored(x->type);
    }
    for (int s = 0; s < f->k->nstmts; s++)
        if (!find_stmt(f, f->k->stmt[s]))
            return false;
    for (int a = 0; a < f->k->narrays; a++)
        *degree = larger(*degree, f->of[a].degree);
    return !f->is_limited || !f->is_steep;
}

static bool has_stored(const sq_kernel *k)
{
    for (int a = 0; a < k->narrays; a++)
        if (sq_type_stored(k->array[a]->type))
            return true;
    return false;
}

/* Returns inputs for which computed values exceed what they are compared with. */
static double largest(const finder *f)
{
    bool squares = f->has_roots && f->bound <= MOST_ROOT;
    return fmax(128, BEYOND * f->bound * (squares ? f->bound : 1));
}

sq_reach sq_reach_of(const sq_kernel *k)
{
    sq_reach r = {0};
    finder f = {.k = k,
                .of = SQ_NEW_ARRAY(k->arena, range, k->narrays + 1),
                .maximum_of = SQ_NEW_ARRAY(k->arena, const sq_array *, k->narrays + 1),
                .is_written = SQ_NEW_ARRAY(k->arena, bool, k->narrays + 1)};
    if (k->textual_dims > 0)
        return r;
    bool found = find(&f, &r.degree);
    if (!found) {
        f.positive = r.is_positive = true;
        f.is_limited = f.is_steep = false;
        found = find(&f, &r.degree);
    }
    r.is_open = !found;
    r.is_worth = found && (f.is_worth || f.bound > 1) && k->fp != SQ_FP_FAST;
    r.has_bounds = f.bound > 0;
    r.fits = !f.overflows;
    r.largest = has_stored(k) || f.is_limited ? 8 : largest(&f);
    return r;
}
