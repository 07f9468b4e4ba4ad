/* Special: see special.h. */
#include "tuner/measure/special.h"

enum {
    BEYOND = 96, /* exponent that no product in f32 may have */
    WIDE = 20    /* exponent of values that are infinite in f16 */
};

typedef struct finder {
    bool fits;
    bool adds_number;     /* a schedule may combine a value with an infinity where the description does not */
    const void *read[64]; /* arrays and scalars, each once */
    int n;
} finder;

static void meet(finder *f, const void *what)
{
    for (int i = 0; i < f->n; i++)
        f->fits &= f->read[i] != what;
    f->fits &= f->n < (int)(sizeof f->read / sizeof *f->read);
    if (f->fits)
        f->read[f->n++] = what;
}

static bool is_zero(const sq_expr *e)
{
    return e->op == SQ_OP_CAST
               ? is_zero(e->arg[0])
               : e->op == SQ_OP_CONST && (sq_type_real(e->type) ? e->real == 0 : e->integer == 0);
}

static bool is_number(const sq_expr *e)
{
    return e->op == SQ_OP_CONST || (e->op == SQ_OP_CAST && is_number(e->arg[0]));
}

static void look_at_read(finder *f, const sq_access *a)
{
    bool pads = a->edge == SQ_EDGE_PAD;
    f->fits &= sq_type_real(a->array->type) && !(pads && a->outside.real != 0);
    f->adds_number |= a->edge != SQ_EDGE_NONE || a->where || a->is_guarded;
    meet(f, a->array);
}

static void look_at(finder *f, const sq_expr *e);

/* Constants may be factors, or the 0 of relu. */
static void look_at_arguments(finder *f, const sq_expr *e)
{
    for (int i = 0; i < e->nargs; i++) {
        bool number = is_number(e->arg[i]);
        if (!number)
            look_at(f, e->arg[i]);
        else if (e->op != SQ_OP_MUL)
            f->fits &= is_zero(e->arg[i]);
    }
}

static void look_at(finder *f, const sq_expr *e)
{
    f->fits &= sq_type_real(e->type);
    switch (e->op) {
    case SQ_OP_READ:
        look_at_read(f, e->access);
        break;
    case SQ_OP_SCALAR:
        meet(f, e->scalar);
        break;
    case SQ_OP_REDUCED:
        break;
    case SQ_OP_CAST:
        f->fits &= !sq_type_stored(e->type); /* rounded below the last digit of small numbers */
        look_at_arguments(f, e);
        break;
    case SQ_OP_NEG:
    case SQ_OP_ABS:
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        look_at_arguments(f, e);
        break;
    default:
        f->fits = false;
    }
}

static void look_at_stmt(finder *f, const sq_stmt *s)
{
    const sq_expr *value = s->value;
    if (value->op == SQ_OP_CAST && sq_type_stored(value->type))
        value = value->arg[0]; /* the store rounds in the same way */
    if (s->body)
        look_at(f, s->body);
    look_at(f, value);
    f->fits &= s->reduce != SQ_OP_MUL;
    f->adds_number |= s->reduce == SQ_OP_MAX || s->reduce == SQ_OP_MIN;
}

/* True if no statement reads a 16-bit array that the kernel has written. */
static bool rounds_last(const sq_kernel *k)
{
    for (int w = 0; w < k->nstmts; w++)
        for (int s = 0; s < k->nstmts; s++)
            if (sq_type_stored(k->stmt[w]->write->array->type) &&
                sq_stmt_reads_array(k->stmt[s], k->stmt[w]->write->array))
                return false;
    return true;
}

/* Returns the 16-bit type that is read; if both are, the one with the smaller range. */
static const sq_array *narrow_input(const sq_kernel *k)
{
    const sq_array *found = NULL;
    for (int a = 0; a < k->narrays; a++) {
        const sq_array *x = k->array[a];
        if (sq_type_stored(x->type) && x->role == SQ_IN && (!found || x->type == SQ_F16))
            found = x;
    }
    return found;
}

sq_special sq_special_of(const sq_kernel *k, const sq_reach *reach)
{
    finder f = {.fits = k->textual_dims == 0 && k->fp != SQ_FP_FAST && rounds_last(k)};
    const sq_array *narrow = narrow_input(k);
    for (int s = 0; s < k->nstmts && f.fits; s++)
        look_at_stmt(&f, k->stmt[s]);
    bool half = narrow && narrow->type == SQ_F16;
    int most = half ? 14 : 24, degree = reach->degree > 1 ? reach->degree : 1;
    return (sq_special){.is_worth = reach->is_worth && narrow && f.fits,
                        .takes_no_number = !f.adds_number,
                        .small = half ? -14 : -126,
                        .large = most * degree < BEYOND ? most : BEYOND / degree,
                        .wide = half && WIDE * degree < BEYOND ? WIDE : 0};
}
