/* Rounding: round, trunc, rint, nearbyint and those that return integers, of ordinary C in regions, by floor and ceil.
 * All is exact: x - floor(x) is less than 1/2, or not, also where it is rounded itself, zeros keep their sign, and NaN
 * and infinities stay what they are. rint is in the default mode, to even. */
#include "frontend/build.h"
#include <string.h>

typedef enum way { TO_ZERO, HALVES_AWAY, HALVES_EVEN } way;

static const struct {
    const char *name;
    way way;
    sq_type type; /* of its argument */
    bool is_integer;
} functions[] = {
    {"trunc", TO_ZERO, SQ_F64, false},         {"truncf", TO_ZERO, SQ_F32, false},
    {"round", HALVES_AWAY, SQ_F64, false},     {"roundf", HALVES_AWAY, SQ_F32, false},
    {"lround", HALVES_AWAY, SQ_F64, true},     {"lroundf", HALVES_AWAY, SQ_F32, true},
    {"llround", HALVES_AWAY, SQ_F64, true},    {"llroundf", HALVES_AWAY, SQ_F32, true},
    {"rint", HALVES_EVEN, SQ_F64, false},      {"rintf", HALVES_EVEN, SQ_F32, false},
    {"nearbyint", HALVES_EVEN, SQ_F64, false}, {"nearbyintf", HALVES_EVEN, SQ_F32, false},
    {"lrint", HALVES_EVEN, SQ_F64, true},      {"lrintf", HALVES_EVEN, SQ_F32, true},
    {"llrint", HALVES_EVEN, SQ_F64, true},     {"llrintf", HALVES_EVEN, SQ_F32, true},
};

static int find(const char *name)
{
    int i = (int)(sizeof functions / sizeof *functions) - 1;
    while (i >= 0 && strcmp(functions[i].name, name) != 0)
        i--;
    return i;
}

bool sq_rounds(const char *name)
{
    return find(name) >= 0;
}

static sq_expr *apply(sq_builder *b, sq_op op, const sq_expr *x)
{
    sq_expr *arg[1] = {sq_expr_copy(b, x)};
    return sq_expr_made(b, x->loc, op, x->type, arg);
}

static sq_expr *operate(sq_builder *b, sq_op op, const sq_expr *x, const sq_expr *y)
{
    sq_expr *arg[2] = {sq_expr_copy(b, x), sq_expr_copy(b, y)};
    bool compares = op == SQ_OP_LT || op == SQ_OP_LE || op == SQ_OP_EQ;
    return sq_expr_made(b, x->loc, op, compares ? SQ_I32 : x->type, arg);
}

static sq_expr *number(sq_builder *b, const sq_expr *like, double value)
{
    return sq_expr_constant(b, like->type, value, 0, like->loc);
}

static sq_expr *choose(sq_builder *b, sq_expr *condition, const sq_expr *x, const sq_expr *y)
{
    return sq_expr_choice(b, condition, sq_expr_copy(b, x), sq_expr_copy(b, y), x->loc);
}

static sq_expr *to_zero(sq_builder *b, const sq_expr *x)
{
    return choose(b, operate(b, SQ_OP_LT, x, number(b, x, 0)), apply(b, SQ_OP_CEIL, x),
                  apply(b, SQ_OP_FLOOR, x));
}

/* By one further from 0 than to_zero where at least 1/2 is left. */
static sq_expr *halves_away(sq_builder *b, const sq_expr *x)
{
    const sq_expr *near = to_zero(b, x),
                  *left = apply(b, SQ_OP_ABS, operate(b, SQ_OP_SUB, x, near));
    const sq_expr *one =
        choose(b, operate(b, SQ_OP_LT, x, number(b, x, 0)), number(b, x, -1), number(b, x, 1));
    return choose(b, operate(b, SQ_OP_LE, number(b, x, 0.5), left),
                  operate(b, SQ_OP_ADD, near, one), near);
}

/* Of x = f + 1/2 the even one of f and f + 1. */
static sq_expr *halves_even(sq_builder *b, const sq_expr *x)
{
    const sq_expr *f = apply(b, SQ_OP_FLOOR, x), *up = apply(b, SQ_OP_CEIL, x),
                  *left = operate(b, SQ_OP_SUB, x, f);
    const sq_expr *half = apply(b, SQ_OP_FLOOR, operate(b, SQ_OP_MUL, f, number(b, x, 0.5)));
    sq_expr *is_even = operate(b, SQ_OP_EQ, operate(b, SQ_OP_MUL, half, number(b, x, 2)), f);
    const sq_expr *even = choose(b, is_even, f, up);
    const sq_expr *not_down = choose(b, operate(b, SQ_OP_LT, number(b, x, 0.5), left), up, even);
    return choose(b, operate(b, SQ_OP_LT, left, number(b, x, 0.5)), f, not_down);
}

sq_expr *sq_round(sq_builder *b, const char *name, sq_expr *x)
{
    int i = find(name);
    if (!x)
        return NULL;
    x = sq_expr_cast(b, functions[i].type, x);
    bool widened = x->op == SQ_OP_CAST && x->type == SQ_F64 && x->arg[0]->type == SQ_F32;
    x = widened ? x->arg[0] : x; /* which rounds to the same number */
    sq_expr *e = functions[i].way == TO_ZERO       ? to_zero(b, x)
                 : functions[i].way == HALVES_AWAY ? halves_away(b, x)
                                                   : halves_even(b, x);
    return sq_expr_cast(b, functions[i].is_integer ? SQ_I64 : functions[i].type, e);
}
