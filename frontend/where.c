/* Where: which instances evaluate a part of a value. `i > 0 ? A[i - 1] : 0` reads A for i > 0
 * alone; proofs that a read is in bounds, and dependences, take that into account where the
 * condition is affine. Any other condition says nothing: what stands under it must be right in any
 * case. */
#include "frontend/build.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>

static isl_pw_aff *number(const sq_builder *b, int64_t value)
{
    isl_val *v = isl_val_int_from_si(b->k->ctx, value);
    return isl_pw_aff_from_aff(isl_aff_val_on_domain_space(isl_space_copy(b->universe), v));
}

static isl_pw_aff *affine(sq_builder *b, const sq_expr *e);

/* C's / and % by a positive number, product with a number. Takes both. */
static isl_pw_aff *scaled(sq_op op, isl_pw_aff *x, isl_pw_aff *y)
{
    bool number_x = isl_pw_aff_is_cst(x) == isl_bool_true;
    bool number_y = isl_pw_aff_is_cst(y) == isl_bool_true;
    if (op == SQ_OP_MUL && (number_x || number_y))
        return isl_pw_aff_mul(x, y);
    isl_set *positive = isl_pw_aff_pos_set(isl_pw_aff_copy(y));
    bool fits = op != SQ_OP_MUL && number_y && isl_set_plain_is_universe(positive) == isl_bool_true;
    isl_set_free(positive);
    if (fits)
        return op == SQ_OP_DIV ? isl_pw_aff_tdiv_q(x, y) : isl_pw_aff_tdiv_r(x, y);
    isl_pw_aff_free(x);
    isl_pw_aff_free(y);
    return NULL;
}

static isl_pw_aff *affine_binary(sq_builder *b, const sq_expr *e)
{
    isl_pw_aff *x = affine(b, e->arg[0]), *y = x ? affine(b, e->arg[1]) : NULL;
    if (!y) {
        isl_pw_aff_free(x);
        return NULL;
    }
    switch (e->op) {
    case SQ_OP_ADD:
        return isl_pw_aff_add(x, y);
    case SQ_OP_SUB:
        return isl_pw_aff_sub(x, y);
    case SQ_OP_MIN:
        return isl_pw_aff_min(x, y);
    case SQ_OP_MAX:
        return isl_pw_aff_max(x, y);
    default:
        return scaled(e->op, x, y);
    }
}

/* NULL if the value is no affine form of indices and sizes. */
static isl_pw_aff *affine(sq_builder *b, const sq_expr *e)
{
    bool plain = e->type == SQ_I32 || e->type == SQ_I64;
    isl_pw_aff *x;
    switch (plain ? e->op : SQ_OP_READ) {
    case SQ_OP_CONST:
        return number(b, e->integer);
    case SQ_OP_INDEX:
        return isl_pw_aff_from_aff(isl_aff_copy(e->index));
    case SQ_OP_CAST:
        return affine(b, e->arg[0]);
    case SQ_OP_NEG:
        x = affine(b, e->arg[0]);
        return x ? isl_pw_aff_neg(x) : NULL;
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
    case SQ_OP_MUL:
    case SQ_OP_DIV:
    case SQ_OP_MOD:
        return affine_binary(b, e);
    default:
        return NULL;
    }
}

static isl_set *comparison(sq_builder *b, const sq_expr *e)
{
    isl_pw_aff *x = affine(b, e->arg[0]), *y = x ? affine(b, e->arg[1]) : NULL;
    if (!y) {
        isl_pw_aff_free(x);
        return NULL;
    }
    return e->op == SQ_OP_LT   ? isl_pw_aff_lt_set(x, y)
           : e->op == SQ_OP_LE ? isl_pw_aff_le_set(x, y)
           : e->op == SQ_OP_EQ ? isl_pw_aff_eq_set(x, y)
                               : isl_pw_aff_ne_set(x, y);
}

/* Where the condition holds; NULL if it is not affine. */
static isl_set *condition(sq_builder *b, const sq_expr *e)
{
    isl_pw_aff *value;
    isl_set *x, *y;
    switch (e->op) {
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
        return comparison(b, e);
    case SQ_OP_NOT:
        x = condition(b, e->arg[0]);
        return x ? isl_set_complement(x) : NULL;
    case SQ_OP_AND:
    case SQ_OP_OR:
        x = condition(b, e->arg[0]);
        y = x ? condition(b, e->arg[1]) : NULL;
        if (!y)
            return isl_set_free(x);
        return e->op == SQ_OP_AND ? isl_set_intersect(x, y) : isl_set_union(x, y);
    default:
        value = affine(b, e);
        return value ? isl_set_complement(isl_pw_aff_zero_set(value)) : NULL;
    }
}

isl_set *sq_where_enter(sq_builder *b, const sq_expr *e, bool holds)
{
    isl_set *outer = b->where, *here = condition(b, e);
    if (here && !holds)
        here = isl_set_complement(here);
    if (here && outer)
        here = isl_set_intersect(here, isl_set_copy(outer));
    b->where = here ? here : isl_set_copy(outer);
    return outer;
}

void sq_where_leave(sq_builder *b, isl_set *outer)
{
    isl_set_free(b->where);
    b->where = outer;
}
