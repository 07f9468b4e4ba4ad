/* Where: which instances evaluate a part of a value. `i > 0 ? A[i - 1] : 0` reads A for i > 0
 * alone; proofs that a read is in bounds, and dependences, take that into account where the
 * condition is affine. Any other condition says nothing: what stands under it must be right in any
 * case. */
#include "frontend/scop_build.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>

enum { MOST_SHIFT = 31 };

/* C's << and >>, which rounds down, by a small number. Takes both. */
static isl_pw_aff *shifted(sq_op op, isl_pw_aff *x, isl_pw_aff *by)
{
    isl_aff *number = isl_pw_aff_is_cst(by) == isl_bool_true && isl_pw_aff_isa_aff(by) == isl_bool_true
                          ? isl_pw_aff_as_aff(isl_pw_aff_copy(by))
                          : NULL;
    isl_val *bits = number ? isl_aff_get_constant_val(number) : NULL;
    bool fits = bits && isl_val_is_nonneg(bits) == isl_bool_true && isl_val_cmp_si(bits, MOST_SHIFT) <= 0;
    isl_aff_free(number);
    isl_pw_aff_free(by);
    if (!fits) {
        isl_val_free(bits);
        return isl_pw_aff_free(x);
    }
    isl_val *power = isl_val_2exp(bits);
    return op == SQ_OP_SHL ? isl_pw_aff_scale_val(x, power)
                           : isl_pw_aff_floor(isl_pw_aff_scale_down_val(x, power));
}

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
    isl_pw_aff *x = sq_expr_affine(b, e->arg[0]), *y = x ? sq_expr_affine(b, e->arg[1]) : NULL;
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
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return shifted(e->op, x, y);
    default:
        return scaled(e->op, x, y);
    }
}

typedef struct reach {
    int64_t most, steepest; /* of constants and factors */
    bool wraps;
} reach;

static bool is_beyond(__isl_take isl_val *v, int64_t most)
{
    v = isl_val_abs(v);
    bool beyond = isl_val_cmp_si(v, most) > 0;
    isl_val_free(v);
    return beyond;
}

static isl_stat look_at_piece(__isl_take isl_set *set, __isl_take isl_aff *a, void *user)
{
    static const enum isl_dim_type of[] = {isl_dim_param, isl_dim_in};
    reach *r = user;
    bool number = isl_aff_is_cst(a) == isl_bool_true;
    r->wraps |= is_beyond(isl_aff_get_constant_val(a), number ? 2 * r->most + 1 : r->most);
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < (int)isl_aff_dim(a, of[t]) && !r->wraps; i++)
            r->wraps = is_beyond(isl_aff_get_coefficient_val(a, of[t], i), r->steepest);
    isl_set_free(set);
    isl_aff_free(a);
    return isl_stat_ok;
}

/* Integers wrap around, which no affine expression says: with a number or a factor so large that
 * this happens at sizes that arrays have. */
static bool may_wrap(isl_pw_aff *x, sq_type type)
{
    bool wide = sq_type_bytes(type) == 8;
    reach r = {wide ? INT64_MAX / 2 : INT32_MAX / 2, wide ? INT64_C(1) << 32 : 1 << 16, false};
    isl_pw_aff_foreach_piece(x, look_at_piece, &r);
    return r.wraps;
}

static isl_pw_aff *read_affine(sq_builder *b, const sq_expr *e);

isl_pw_aff *sq_expr_affine(sq_builder *b, const sq_expr *e)
{
    isl_pw_aff *x = read_affine(b, e);
    bool same_size = e->op == SQ_OP_CAST && sq_type_unsigned(e->arg[0]->type);
    bool fits = x && !may_wrap(x, e->type) &&
                ((!sq_type_unsigned(e->type) && !same_size) || sq_unsigned_keeps(b, x, e->type));
    return fits ? x : isl_pw_aff_free(x);
}

static isl_pw_aff *read_affine(sq_builder *b, const sq_expr *e)
{
    bool plain = !sq_type_real(e->type) && sq_type_bytes(e->type) >= 4;
    isl_pw_aff *x;
    switch (plain ? e->op : SQ_OP_SCALAR) {
    case SQ_OP_CONST:
        return isl_pw_aff_from_aff(sq_affine_constant(b, e->integer));
    case SQ_OP_INDEX:
        return isl_pw_aff_from_aff(isl_aff_copy(e->index));
    case SQ_OP_CAST: /* a narrower type may hold another value */
        return sq_type_bytes(e->type) < sq_type_bytes(e->arg[0]->type)
                   ? NULL
                   : sq_expr_affine(b, e->arg[0]);
    case SQ_OP_NEG:
        x = sq_expr_affine(b, e->arg[0]);
        return x ? isl_pw_aff_neg(x) : NULL;
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
    case SQ_OP_MUL:
    case SQ_OP_DIV:
    case SQ_OP_MOD:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return affine_binary(b, e);
    case SQ_OP_READ:
        return b->scop ? sq_scop_named_form(b, e->access->array) : NULL;
    default:
        return NULL;
    }
}

static isl_set *comparison(sq_builder *b, const sq_expr *e)
{
    isl_pw_aff *x = sq_expr_affine(b, e->arg[0]), *y = x ? sq_expr_affine(b, e->arg[1]) : NULL;
    if (!y) {
        isl_pw_aff_free(x);
        return NULL;
    }
    return e->op == SQ_OP_LT   ? isl_pw_aff_lt_set(x, y)
           : e->op == SQ_OP_LE ? isl_pw_aff_le_set(x, y)
           : e->op == SQ_OP_EQ ? isl_pw_aff_eq_set(x, y)
                               : isl_pw_aff_ne_set(x, y);
}

static isl_set *implied(sq_builder *b, const sq_expr *e, bool holds);

/* Of x && y that hold, or x || y that do not, each side is known by itself; of x || y that hold
 * only where both are. */
static isl_set *implied_by_both(sq_builder *b, const sq_expr *e, bool holds)
{
    isl_set *x = implied(b, e->arg[0], holds), *y = implied(b, e->arg[1], holds);
    bool each = (e->op == SQ_OP_AND) == holds;
    if (x && y)
        return each ? isl_set_intersect(x, y) : isl_set_union(x, y);
    if (each)
        return x ? x : y;
    isl_set_free(x);
    return isl_set_free(y);
}

/* What is known where the condition holds, or does not; NULL: nothing. */
static isl_set *implied(sq_builder *b, const sq_expr *e, bool holds)
{
    isl_pw_aff *value;
    isl_set *set;
    switch (e->op) {
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
        set = comparison(b, e);
        break;
    case SQ_OP_NOT:
        return implied(b, e->arg[0], !holds);
    case SQ_OP_AND:
    case SQ_OP_OR:
        return implied_by_both(b, e, holds);
    default:
        value = sq_expr_affine(b, e);
        set = value ? isl_set_complement(isl_pw_aff_zero_set(value)) : NULL;
    }
    return set && !holds ? isl_set_complement(set) : set;
}

isl_set *sq_where_enter(sq_builder *b, const sq_expr *e, bool holds)
{
    isl_set *outer = b->where, *here = implied(b, e, holds);
    if (here && outer)
        here = isl_set_intersect(here, isl_set_copy(outer));
    b->where = here ? here : isl_set_copy(outer);
    b->nconditions++;
    return outer;
}

void sq_where_leave(sq_builder *b, isl_set *outer)
{
    isl_set_free(b->where);
    b->where = outer;
    b->nconditions--;
}
