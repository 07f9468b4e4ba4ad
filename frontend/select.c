/* Choices between two values, made of nodes that were read: a condition, and `?:` on it.
 * `a > b ? a : b` and its like are max2 and min2 where they agree in every bit: of two operands
 * that are equal or unordered both give the second. */
#include "frontend/build.h"

sq_expr *sq_expr_made(sq_builder *b, sq_loc loc, sq_op op, sq_type type, sq_expr *const *arg)
{
    sq_expr *e = sq_expr_new(b, op, type, loc);
    e->nargs = sq_op_get(op)->nargs;
    for (int i = 0; i < e->nargs; i++)
        e->arg[i] = arg[i];
    return e;
}

sq_expr *sq_expr_condition(sq_builder *b, sq_expr *e)
{
    if (!e || sq_op_is_condition(e->op))
        return e;
    sq_expr *arg[] = {e, sq_expr_constant(b, e->type, 0, 0, e->loc)};
    return sq_expr_made(b, e->loc, SQ_OP_NE, SQ_I32, arg);
}

/* x < y ? x : y is min2(x, y); x < y ? y : x is max2(y, x). NULL: neither. */
static sq_expr *as_extreme(sq_builder *b, sq_loc loc, sq_expr *const *arg)
{
    sq_expr *less = arg[0];
    bool equal_too = less->op == SQ_OP_LE && !sq_type_real(arg[1]->type);
    if ((less->op != SQ_OP_LT && !equal_too) || arg[1]->type != less->arg[0]->type)
        return NULL;
    if (sq_expr_same(less->arg[0], arg[1]) && sq_expr_same(less->arg[1], arg[2]))
        return sq_expr_made(b, loc, SQ_OP_MIN, arg[1]->type, arg + 1);
    if (sq_expr_same(less->arg[1], arg[1]) && sq_expr_same(less->arg[0], arg[2]))
        return sq_expr_made(b, loc, SQ_OP_MAX, arg[1]->type, arg + 1);
    return NULL;
}

sq_expr *sq_expr_choice(sq_builder *b, sq_expr *condition, sq_expr *x, sq_expr *y, sq_loc loc)
{
    sq_expr *arg[] = {sq_expr_condition(b, condition), x, y}, *e = as_extreme(b, loc, arg);
    return e ? e : sq_expr_made(b, loc, SQ_OP_SELECT, x->type, arg);
}
