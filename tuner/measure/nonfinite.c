/* Nonfinite: see nonfinite.h. */
#include "tuner/measure/nonfinite.h"
#include <math.h>

/* Returns the constant with which e takes a minimum or maximum (by) of an expression; NULL: e has
 * another form. */
static const sq_expr *limit_of(const sq_expr *e, sq_op by)
{
    return e->op == by && e->arg[1]->op == SQ_OP_CONST ? e->arg[1] : NULL;
}

/* A cast to integers whose operand a maximum and a minimum limit to the type's range, as
 * frontend/saturate.c makes it, is defined for all numbers, and for NaN, which the maximum maps to
 * its constant. */
static bool may_not_fit(const sq_expr *e)
{
    const sq_expr *x = e->op == SQ_OP_CAST ? e->arg[0] : NULL;
    if (!x || !sq_type_real(x->type) || sq_type_real(e->type))
        return false;
    const sq_expr *most = limit_of(x, SQ_OP_MIN),
                  *least = most ? limit_of(x->arg[0], SQ_OP_MAX) : NULL;
    int bits = 8 * sq_type_bytes(e->type) - !sq_type_unsigned(e->type);
    return !least || least->real < (sq_type_unsigned(e->type) ? 0 : -ldexp(1, bits)) ||
           most->real >= ldexp(1, bits);
}

typedef struct finder {
    bool fits, reads_outside, has_real;
} finder;

static void look_at(sq_expr *e, void *user)
{
    finder *f = user;
    f->fits &= !may_not_fit(e);
    f->has_real |= e->op == SQ_OP_READ && sq_type_real(e->type);
    f->reads_outside |= e->op == SQ_OP_READ && (e->access->edge != SQ_EDGE_NONE ||
                                                e->access->where || e->access->is_guarded);
}

/* True unless a factor of a sum, with which parts of it may be multiplied, can cause opposite
 * infinities in a finite result, or NaN in an extreme decides by its place. */
static bool keeps_kind(const sq_kernel *k, const sq_stmt *s)
{
    return k->fp == SQ_FP_STRICT || s->reduce == SQ_OP_CONST || s->keeps_old ||
           (s->reduce == SQ_OP_ADD && s->value->op == SQ_OP_REDUCED);
}

sq_nonfinite sq_nonfinite_of(const sq_kernel *k)
{
    bool is_strict = k->fp == SQ_FP_STRICT, has_sums = false;
    finder f = {.fits = k->fp != SQ_FP_FAST && (is_strict || k->textual_dims == 0)};
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        sq_expr_walk(s->body, look_at, &f);
        sq_expr_walk(s->value, look_at, &f);
        f.fits &= keeps_kind(k, s);
        has_sums |= s->body != NULL;
    }
    /* 0 times a value outside of an array: a schedule may omit such a term */
    f.fits &= is_strict || !has_sums || !f.reads_outside;
    return (sq_nonfinite){.is_worth = f.fits && f.has_real, .has_signs = is_strict || !has_sums};
}
