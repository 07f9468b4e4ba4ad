/* Fold choice: see fold_choice.h. If a condition does not compare indices and sizes, the reads under it may still say
 * for which instances they are (sq_access.where). */
#include "ir/kernel/fold_choice.h"
#include <isl/space.h>
#include <isl/val.h>

/* Integers wrap around beyond these, which no affine form says; sizes of arrays are smaller. */
enum { MOST_CONSTANT = 1 << 30, MOST_FACTOR = 1 << 16 };

/* ---- conditions ---- */

static isl_aff *form_of(const sq_expr *e, isl_space *space /* __isl_keep */);

static isl_aff *form_of_two(const sq_expr *e, isl_space *space)
{
    isl_aff *x = form_of(e->arg[0], space), *y = x ? form_of(e->arg[1], space) : NULL;
    if (!y) {
        isl_aff_free(x);
        return NULL;
    }
    if (e->op == SQ_OP_ADD)
        return isl_aff_add(x, y);
    if (e->op == SQ_OP_SUB)
        return isl_aff_sub(x, y);
    bool number = isl_aff_is_cst(x) == isl_bool_true || isl_aff_is_cst(y) == isl_bool_true;
    if (e->op == SQ_OP_MUL && number)
        return isl_aff_mul(x, y);
    isl_aff_free(x);
    isl_aff_free(y);
    return NULL;
}

static bool is_beyond(isl_val *v /* __isl_take */, long most)
{
    v = isl_val_abs(v);
    bool beyond = isl_val_cmp_si(v, most) > 0;
    isl_val_free(v);
    return beyond;
}

static bool may_wrap(isl_aff *a)
{
    static const enum isl_dim_type of[] = {isl_dim_param, isl_dim_in};
    bool wraps = is_beyond(isl_aff_get_constant_val(a), MOST_CONSTANT);
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < (int)isl_aff_dim(a, of[t]) && !wraps; i++)
            wraps = is_beyond(isl_aff_get_coefficient_val(a, of[t], i), MOST_FACTOR);
    return wraps;
}

/* Returns the affine form, over the space, of an integer of indices and sizes; NULL if it is none. */
static isl_aff *form_of(const sq_expr *e, isl_space *space)
{
    if ((e->type != SQ_I32 && e->type != SQ_I64) || (e->op == SQ_OP_CAST && sq_type_real(e->arg[0]->type)))
        return NULL;
    isl_aff *a = NULL;
    switch (e->op) {
    case SQ_OP_CONST:
        a = isl_aff_val_on_domain_space(isl_space_copy(space),
                                        isl_val_int_from_si(isl_space_get_ctx(space), (long)e->integer));
        break;
    case SQ_OP_INDEX:
        a = isl_aff_copy(e->index);
        break;
    case SQ_OP_CAST:
        a = e->type == SQ_I64 || e->arg[0]->type == SQ_I32 ? form_of(e->arg[0], space) : NULL;
        break;
    case SQ_OP_NEG:
        a = form_of(e->arg[0], space);
        a = a ? isl_aff_neg(a) : NULL;
        break;
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
        a = form_of_two(e, space);
        break;
    default:
        break;
    }
    return a && may_wrap(a) ? isl_aff_free(a) : a;
}

/* Returns where a comparison holds; NULL if it is none of indices and sizes. */
static isl_set *compared(const sq_expr *e, isl_space *space)
{
    isl_aff *x = form_of(e->arg[0], space), *y = x ? form_of(e->arg[1], space) : NULL;
    if (!y) {
        isl_aff_free(x);
        return NULL;
    }
    return e->op == SQ_OP_LT   ? isl_aff_lt_set(x, y)
           : e->op == SQ_OP_LE ? isl_aff_le_set(x, y)
           : e->op == SQ_OP_EQ ? isl_aff_eq_set(x, y)
                               : isl_aff_ne_set(x, y);
}

/* Returns whether the condition holds at all of the points, 1, at none of them, 0, or that is not known, -1. */
static int outcome(const sq_expr *e, isl_set *points)
{
    if (e->op == SQ_OP_NOT) {
        int of = outcome(e->arg[0], points);
        return of < 0 ? -1 : !of;
    }
    if (e->op == SQ_OP_AND || e->op == SQ_OP_OR) {
        int deciding = e->op == SQ_OP_OR, x = outcome(e->arg[0], points);
        int y = x == deciding ? x : outcome(e->arg[1], points);
        return x == deciding || y == deciding ? deciding : x < 0 || y < 0 ? -1 : !deciding;
    }
    if (!sq_op_compares(e->op))
        return -1;
    isl_space *space = isl_set_get_space(points);
    isl_set *where = compared(e, space);
    isl_space_free(space);
    int of = -1;
    if (where && isl_set_is_subset(points, where) == isl_bool_true)
        of = 1;
    else if (where && isl_set_is_disjoint(points, where) == isl_bool_true)
        of = 0;
    isl_set_free(where);
    return of;
}

/* ---- choices ---- */

/* True if no point evaluates the value: one of the reads that it always makes is for other instances. */
static bool is_never(const sq_expr *e, isl_set *points)
{
    if (e->op == SQ_OP_READ && e->access->where &&
        isl_set_is_disjoint(e->access->where, points) == isl_bool_true)
        return true;
    if (e->op == SQ_OP_SELECT && is_never(e->arg[1], points) && is_never(e->arg[2], points))
        return true;
    bool lazy = e->op == SQ_OP_SELECT || e->op == SQ_OP_AND || e->op == SQ_OP_OR, never = false;
    for (int i = 0; i < (lazy ? 1 : e->nargs) && !never; i++)
        never = is_never(e->arg[i], points);
    return never;
}

/* Returns the argument that a choice takes at all of the points; 0 if there are two. */
static int taken(const sq_expr *e, isl_set *points)
{
    if (is_never(e->arg[1], points))
        return 2;
    if (is_never(e->arg[2], points))
        return 1;
    int holds = outcome(e->arg[0], points);
    return holds < 0 ? 0 : holds ? 1 : 2;
}

/* Returns the read without its guard: all of the points make it. */
static sq_expr *unguarded(const sq_kernel *k, const sq_expr *read)
{
    sq_expr *e = SQ_NEW(k->arena, sq_expr);
    *e = *read;
    e->access = SQ_NEW(k->arena, sq_access);
    *e->access = *read->access;
    e->access->is_guarded = false;
    return e;
}

/* sure: all of the points evaluate it. */
static sq_expr *folded(const sq_kernel *k, sq_expr *e, isl_set *points, bool sure)
{
    int side = e->op == SQ_OP_SELECT ? taken(e, points) : 0;
    if (side)
        return folded(k, e->arg[side], points, sure);
    sq_expr *same = e->op == SQ_OP_READ && e->access->is_guarded && sure ? unguarded(k, e) : e;
    bool lazy = e->op == SQ_OP_SELECT || e->op == SQ_OP_AND || e->op == SQ_OP_OR;
    for (int i = 0; i < e->nargs; i++) {
        sq_expr *arg = folded(k, e->arg[i], points, sure && (i == 0 || !lazy));
        if (arg == e->arg[i])
            continue;
        if (same == e) {
            same = SQ_NEW(k->arena, sq_expr);
            *same = *e;
        }
        same->arg[i] = arg;
    }
    return same;
}

sq_expr *sq_expr_folded(const sq_kernel *k, sq_expr *e, isl_set *points)
{
    return e ? folded(k, e, points, true) : NULL;
}
