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

/* True if the integer type `to` holds all values of `from`. */
static bool holds(sq_type to, sq_type from)
{
    bool wider = sq_type_bytes(from) < sq_type_bytes(to) && (sq_type_unsigned(from) || !sq_type_unsigned(to));
    return !sq_type_real(to) && !sq_type_real(from) && (from == to || wider);
}

/* True if an operand of a comparison is x, or what C made of a narrow x: the order is the same. */
static bool stands_for(const sq_expr *operand, const sq_expr *x)
{
    if (operand->op == SQ_OP_CONST && x->op == SQ_OP_CONST && holds(operand->type, x->type))
        return operand->integer == x->integer;
    bool widened = operand->op == SQ_OP_CAST && operand->arg[0]->type == x->type && holds(operand->type, x->type);
    return sq_expr_same(widened ? operand->arg[0] : operand, x);
}

static bool is_ordered(const sq_expr *a, const sq_expr *b)
{
    return a->op == SQ_OP_CONST && b->op == SQ_OP_CONST && a->type == b->type &&
           (sq_type_real(a->type) ? a->real <= b->real : a->integer <= b->integer);
}

/* True if `limited` is x, but at least or at most `to`, as the operation says. */
static bool limits(const sq_expr *limited, sq_op op, const sq_expr *x, const sq_expr **to)
{
    if (limited->op != op)
        return false;
    for (int i = 0; i < 2; i++)
        if (stands_for(x, limited->arg[i])) {
            *to = limited->arg[1 - i];
            return true;
        }
    return false;
}

/* x < lo ? lo : min2(hi, x) is max2(lo, min2(hi, x)) where lo is a constant that is not above hi, and hi < x ? hi :
 * max2(lo, x) is min2(hi, max2(lo, x)). NULL: neither. Where x is NaN, or what it is compared with, all are x. */
static sq_expr *as_clamp(sq_builder *b, sq_loc loc, sq_expr *const *arg)
{
    const sq_expr *less = arg[0], *other;
    if (stands_for(less->arg[1], arg[1]) && limits(arg[2], SQ_OP_MIN, less->arg[0], &other) &&
        is_ordered(arg[1], other))
        return sq_expr_made(b, loc, SQ_OP_MAX, arg[1]->type, arg + 1);
    if (stands_for(less->arg[0], arg[1]) && limits(arg[2], SQ_OP_MAX, less->arg[1], &other) &&
        is_ordered(other, arg[1]))
        return sq_expr_made(b, loc, SQ_OP_MIN, arg[1]->type, arg + 1);
    return NULL;
}

/* x < y ? x : y is min2(x, y); x < y ? y : x is max2(y, x). NULL: neither. */
static sq_expr *as_extreme(sq_builder *b, sq_loc loc, sq_expr *const *arg)
{
    sq_expr *less = arg[0];
    bool equal_too = less->op == SQ_OP_LE && !sq_type_real(arg[1]->type);
    if ((less->op != SQ_OP_LT && !equal_too) || arg[1]->type != arg[2]->type)
        return NULL;
    if (stands_for(less->arg[0], arg[1]) && stands_for(less->arg[1], arg[2]))
        return sq_expr_made(b, loc, SQ_OP_MIN, arg[1]->type, arg + 1);
    if (stands_for(less->arg[1], arg[1]) && stands_for(less->arg[0], arg[2]))
        return sq_expr_made(b, loc, SQ_OP_MAX, arg[1]->type, arg + 1);
    return as_clamp(b, loc, arg);
}

/* The value in a type that has it, of an integer that is converted from one or is a constant; NULL: there is none. */
static sq_expr *before_widening(sq_builder *b, sq_type type, sq_expr *e)
{
    bool is_constant = e->op == SQ_OP_CONST && sq_type_wrap(type, e->integer) == e->integer &&
                       (e->integer >= 0 || !(sq_type_unsigned(type) || sq_type_unsigned(e->type)));
    bool widened = e->op == SQ_OP_CAST && holds(e->type, e->arg[0]->type) && holds(type, e->arg[0]->type);
    return is_constant ? sq_expr_cast(b, type, e) : widened ? sq_expr_cast(b, type, e->arg[0]) : NULL;
}

sq_expr *sq_expr_narrow_extreme(sq_builder *b, sq_type type, const sq_expr *e)
{
    if ((e->op != SQ_OP_MIN && e->op != SQ_OP_MAX) || sq_type_real(type) || sq_type_real(e->type) ||
        sq_type_bytes(type) >= sq_type_bytes(e->type))
        return NULL;
    sq_expr *arg[] = {before_widening(b, type, e->arg[0]), before_widening(b, type, e->arg[1])};
    return arg[0] && arg[1] ? sq_expr_made(b, e->loc, e->op, type, arg) : NULL;
}

sq_expr *sq_expr_choice(sq_builder *b, sq_expr *condition, sq_expr *x, sq_expr *y, sq_loc loc)
{
    sq_expr *arg[] = {sq_expr_condition(b, condition), x, y}, *e = as_extreme(b, loc, arg);
    return e ? e : sq_expr_made(b, loc, SQ_OP_SELECT, x->type, arg);
}
