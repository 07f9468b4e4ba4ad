/* Classify: isnan, isinf and isfinite, by comparisons: only NaN differs from itself, and only numbers lie between the
 * infinities. Under `fast`, where neither occurs, compilers and Squall may take the results as known. */
#include "frontend/build.h"
#include <math.h>
#include <string.h>

typedef enum outcome { IS_NAN, IS_INFINITE, SIGN_OF_INFINITE, IS_FINITE, NONE } outcome;

/* With what the macros of <math.h> make of them. */
static const struct {
    const char *name;
    outcome is;
} functions[] = {
    {"isnan", IS_NAN},
    {"isnanf", IS_NAN},
    {"__builtin_isnan", IS_NAN},
    {"isinf", SIGN_OF_INFINITE},
    {"isinff", SIGN_OF_INFINITE},
    {"__builtin_isinf_sign", SIGN_OF_INFINITE},
    {"__builtin_isinf", IS_INFINITE},
    {"isfinite", IS_FINITE},
    {"__builtin_isfinite", IS_FINITE},
};

static outcome find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].is;
    return NONE;
}

bool sq_classifies(const char *name)
{
    return find(name) != NONE;
}

static sq_expr *compare(sq_builder *b, sq_op op, sq_expr *x, sq_expr *y)
{
    sq_expr *arg[2] = {x, y};
    return sq_expr_made(b, x->loc, op, SQ_I32, arg);
}

static sq_expr *infinity(sq_builder *b, const sq_expr *x, double sign)
{
    return sq_expr_constant(b, x->type, sign * INFINITY, 0, x->loc);
}

static sq_expr *is_infinite(sq_builder *b, sq_expr *x, double sign)
{
    return compare(b, SQ_OP_EQ, sq_expr_copy(b, x), infinity(b, x, sign));
}

static sq_expr *integer(sq_builder *b, const sq_expr *x, int value)
{
    return sq_expr_constant(b, SQ_I32, 0, value, x->loc);
}

/* The C library says -1 of -INFINITY. */
static sq_expr *sign_of_infinite(sq_builder *b, sq_expr *x)
{
    sq_expr *below = sq_expr_choice(b, is_infinite(b, x, -1), integer(b, x, -1), integer(b, x, 0), x->loc);
    return sq_expr_choice(b, is_infinite(b, x, 1), integer(b, x, 1), below, x->loc);
}

/* What <math.h> takes as it is the functions of the prelude take as f64. */
static sq_expr *as_written(sq_builder *b, sq_expr *x)
{
    bool widened = x->op == SQ_OP_CAST && x->type == SQ_F64 && x->arg[0]->type == SQ_F32;
    x = widened ? x->arg[0] : sq_expr_promoted(b, x);
    return sq_type_real(x->type) ? x : sq_expr_cast(b, SQ_F64, x);
}

sq_expr *sq_classify(sq_builder *b, const char *name, sq_expr *x)
{
    sq_expr *arg[2];
    if (!x)
        return NULL;
    x = as_written(b, x);
    switch (find(name)) {
    case IS_NAN:
        return compare(b, SQ_OP_NE, x, sq_expr_copy(b, x));
    case IS_INFINITE:
        arg[0] = is_infinite(b, x, 1);
        arg[1] = is_infinite(b, x, -1);
        return sq_expr_made(b, x->loc, SQ_OP_OR, SQ_I32, arg);
    case SIGN_OF_INFINITE:
        return sign_of_infinite(b, x);
    default:
        arg[0] = compare(b, SQ_OP_LT, infinity(b, x, -1), sq_expr_copy(b, x));
        arg[1] = compare(b, SQ_OP_LT, x, infinity(b, x, 1));
        return sq_expr_made(b, x->loc, SQ_OP_AND, SQ_I32, arg);
    }
}
