/* Saturate: sat_int8(x) and its like, the value of an integer type that is nearest to x; floating
 * values lose their fraction first, NaN becomes the least value. What a plain cast does with values
 * that do not fit is C's: integers wrap around, floating values must fit. */
#include "frontend/build.h"
#include <math.h>
#include <string.h>

int sq_saturate_type(const char *name)
{
    for (int t = 0; t < SQ_NTYPES; t++) {
        const char *type = sq_type_name((sq_type)t);
        size_t n = strlen(type) - 2; /* without "_t" */
        if (!sq_type_real((sq_type)t) && strncmp(name, "sat_", 4) == 0 &&
            strncmp(name + 4, type, n) == 0 && !name[4 + n])
            return t;
    }
    return -1;
}

static sq_expr *pair(sq_builder *b, sq_op op, sq_expr *x, sq_expr *y)
{
    sq_expr *e = sq_expr_new(b, op, x->type, x->loc);
    e->nargs = 2;
    e->arg[0] = x;
    e->arg[1] = y;
    return e;
}

/* Least and greatest value, as doubles exact but for the greatest of 64 bits. */
static double least(sq_type t)
{
    return sq_type_unsigned(t) ? 0 : -ldexp(1, 8 * sq_type_bytes(t) - 1);
}

static double past(sq_type t)
{
    return ldexp(1, 8 * sq_type_bytes(t) - !sq_type_unsigned(t));
}

static int64_t greatest(sq_type t)
{
    return sq_type_unsigned(t) ? sq_type_wrap(t, -1) : INT64_MAX >> (64 - 8 * sq_type_bytes(t));
}

static sq_expr *of_integer(sq_builder *b, sq_expr *x, sq_type to)
{
    x = sq_expr_cast(b, sq_type_promoted(x->type), x);
    if (least(x->type) < least(to)) {
        int64_t lo = sq_type_unsigned(to) ? 0 : (int64_t)least(to);
        x = pair(b, SQ_OP_MAX, x, sq_expr_constant(b, x->type, 0, lo, x->loc));
    }
    if (past(x->type) > past(to))
        x = pair(b, SQ_OP_MIN, x, sq_expr_constant(b, x->type, 0, greatest(to), x->loc));
    return sq_expr_cast(b, to, x);
}

/* Where the floating type has no value as near to the greatest, a comparison decides. In vectors
 * both sides are computed: what is cast fits the type also in lanes that take the other one. */
static sq_expr *of_real(sq_builder *b, sq_expr *x, sq_type to)
{
    sq_expr *up = pair(b, SQ_OP_MAX, x, sq_expr_constant(b, x->type, least(to), 0, x->loc));
    int digits = x->type == SQ_F64 ? 53 : 24;
    if (8 * sq_type_bytes(to) <= digits) {
        sq_expr *top = sq_expr_constant(b, x->type, past(to) - 1, 0, x->loc);
        return sq_expr_cast(b, to, pair(b, SQ_OP_MIN, up, top));
    }
    double below = x->type == SQ_F64 ? nextafter(past(to), 0) : nextafterf((float)past(to), 0);
    sq_expr *limit = sq_expr_constant(b, x->type, past(to), 0, x->loc);
    sq_expr *above = pair(b, SQ_OP_LE, limit, sq_expr_copy(b, x));
    sq_expr *choice = sq_expr_new(b, SQ_OP_SELECT, to, x->loc);
    above->type = SQ_I32;
    choice->nargs = 3;
    choice->arg[0] = above;
    choice->arg[1] = sq_expr_constant(b, to, 0, greatest(to), x->loc);
    choice->arg[2] =
        sq_expr_cast(b, to, pair(b, SQ_OP_MIN, up, sq_expr_constant(b, x->type, below, 0, x->loc)));
    return choice;
}

sq_expr *sq_saturate(sq_builder *b, sq_expr *x, sq_type to)
{
    return !x ? NULL : sq_type_real(x->type) ? of_real(b, x, to) : of_integer(b, x, to);
}
