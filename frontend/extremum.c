/* Extrema: fmax, fmin and abs of ordinary C, in regions; abs in kernels, too. x > y ? x : y is y where x is NaN, as
 * fmax is; where y is, fmax is x. What is a number, or was an integer, is not NaN, and stands second then: no test is
 * left. */
#include "frontend/build.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    sq_op op;
    sq_type type;
} functions[] = {
    {"fmax", SQ_OP_MAX, SQ_F64}, {"fmaxf", SQ_OP_MAX, SQ_F32}, {"fmin", SQ_OP_MIN, SQ_F64},
    {"fminf", SQ_OP_MIN, SQ_F32}, {"abs", SQ_OP_NEG, SQ_I32},  {"labs", SQ_OP_NEG, SQ_I64},
    {"llabs", SQ_OP_NEG, SQ_I64},
};

static int find(const char *name)
{
    int i = (int)(sizeof functions / sizeof *functions) - 1;
    while (i >= 0 && strcmp(functions[i].name, name) != 0)
        i--;
    return i;
}

static bool is_never_nan(const sq_expr *e)
{
    bool number = e->op == SQ_OP_CONST && !(sq_type_real(e->type) && isnan(e->real));
    return number || (e->op == SQ_OP_CAST && !sq_type_real(e->arg[0]->type));
}

static sq_expr *other_if_nan(sq_builder *b, sq_op op, sq_expr *x, sq_expr *y, sq_loc loc)
{
    if (is_never_nan(x) || is_never_nan(y))
        return is_never_nan(y) ? sq_expr_binary(b, op, x, y, loc) : sq_expr_binary(b, op, y, x, loc);
    sq_expr *is_nan = sq_expr_binary(b, SQ_OP_NE, sq_expr_copy(b, y), sq_expr_copy(b, y), loc);
    return sq_expr_choice(b, is_nan, sq_expr_copy(b, x), sq_expr_binary(b, op, x, y, loc), loc);
}

static sq_expr *absolute(sq_builder *b, sq_type type, sq_expr *x, sq_loc loc)
{
    sq_expr *minus = sq_expr_new(b, SQ_OP_NEG, type, loc);
    minus->nargs = 1;
    minus->arg[0] = sq_expr_copy(b, x);
    sq_expr *below = sq_expr_binary(b, SQ_OP_LT, sq_expr_copy(b, x), sq_expr_constant(b, type, 0, 0, loc), loc);
    return sq_expr_choice(b, below, minus, x, loc);
}

int sq_extremum_args(const char *name)
{
    int i = find(name);
    return i < 0 ? 0 : functions[i].op == SQ_OP_NEG ? 1 : 2;
}

sq_expr *sq_extremum(sq_builder *b, const char *name, sq_expr *const *arg, sq_loc loc)
{
    int i = find(name);
    sq_type type = functions[i].type;
    sq_expr *x = sq_expr_cast(b, type, arg[0]);
    return functions[i].op == SQ_OP_NEG ? absolute(b, type, x, loc)
                                        : other_if_nan(b, functions[i].op, x, sq_expr_cast(b, type, arg[1]), loc);
}

bool sq_extremum_takes(sq_builder *b, CXCursor c, const char *name)
{
    CXCursor at = b->r.cl->clang_Cursor_getArgument(c, 0);
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(sq_cursor_strip(&b->r, at)));
    sq_type takes = strcmp(name, "abs") == 0 ? SQ_I32 : SQ_I64;
    if (type >= 0 && !sq_type_real((sq_type)type) &&
        sq_type_bytes((sq_type)type) + sq_type_unsigned((sq_type)type) <= sq_type_bytes(takes))
        return true;
    sq_refuse(b, c, "'%s' takes %s, and this is %s", name, sq_type_name(takes),
              type < 0 ? "none of its type" : sq_type_name((sq_type)type));
    if (type >= 0 && sq_type_real((sq_type)type))
        sq_help(b->r.d, SQ_NOWHERE, "write %s(x)", type == SQ_F64 ? "fabs" : "fabsf");
    else
        sq_help(b->r.d, SQ_NOWHERE, "write x < 0 ? -x : x%s", type == SQ_I64 ? ", or labs(x)" : "");
    return false;
}
