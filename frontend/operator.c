/* Operators: C's own in values, `?:` and conditions among them. Clang has already written out every
 * conversion as a cast, so both sides of an operator have the type C wants; what is left to say is
 * which node an operator is. */
#include "frontend/build.h"
#include <isl/aff.h>

static const struct {
    enum CXBinaryOperatorKind kind;
    sq_op op;
    bool turned; /* a > b is b < a */
} binaries[] = {
    {CXBinaryOperator_Add, SQ_OP_ADD, false},   {CXBinaryOperator_Sub, SQ_OP_SUB, false},
    {CXBinaryOperator_Mul, SQ_OP_MUL, false},   {CXBinaryOperator_Div, SQ_OP_DIV, false},
    {CXBinaryOperator_Rem, SQ_OP_MOD, false},   {CXBinaryOperator_And, SQ_OP_BIT_AND, false},
    {CXBinaryOperator_Or, SQ_OP_BIT_OR, false}, {CXBinaryOperator_Xor, SQ_OP_BIT_XOR, false},
    {CXBinaryOperator_Shl, SQ_OP_SHL, false},   {CXBinaryOperator_Shr, SQ_OP_SHR, false},
    {CXBinaryOperator_LT, SQ_OP_LT, false},     {CXBinaryOperator_LE, SQ_OP_LE, false},
    {CXBinaryOperator_GT, SQ_OP_LT, true},      {CXBinaryOperator_GE, SQ_OP_LE, true},
    {CXBinaryOperator_EQ, SQ_OP_EQ, false},     {CXBinaryOperator_NE, SQ_OP_NE, false},
    {CXBinaryOperator_LAnd, SQ_OP_AND, false},  {CXBinaryOperator_LOr, SQ_OP_OR, false},
};
enum { NBINARIES = sizeof binaries / sizeof *binaries };

/* Of an operator that is in none of the rows. */
static const char *name_of(const sq_builder *b, CXCursor c)
{
    if (sq_cursor_is_assignment(&b->r, c))
        return "an assignment, =,";
    switch (c.kind == CXCursor_UnaryOperator ? (int)b->r.cl->clang_getCursorUnaryOperatorKind(c) : 0) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PreInc:
        return "a step, ++,";
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreDec:
        return "a step, --,";
    case CXUnaryOperator_AddrOf:
        return "an address, &,";
    case CXUnaryOperator_Deref:
        return "an indirection, *,";
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag:
        return "a part of a complex number";
    default:
        return "this operator";
    }
}

static sq_expr *refuse_operator(sq_builder *b, CXCursor c)
{
    sq_refuse(b, c,
              "%s is not accepted in a value; accepted are + - * / %%, comparisons, && "
              "|| !, ?: and, of integers, & | ^ ~ << >>",
              name_of(b, c));
    return NULL;
}

static sq_expr *node(sq_builder *b, CXCursor c, sq_op op, sq_type type, sq_expr *const *arg)
{
    return sq_expr_made(b, sq_cursor_loc(&b->r, c), op, type, arg);
}

sq_expr *sq_condition_value(sq_builder *b, CXCursor c, sq_reading *into)
{
    sq_expr *given = sq_null_value(b, c);
    return given ? given : sq_expr_condition(b, sq_value_read(b, c, into));
}

/* The right side of && is evaluated where the left one holds, of || where it does not. */
static sq_expr *read_second(sq_builder *b, CXCursor c, sq_op op, sq_expr *first, sq_reading *into)
{
    if (op != SQ_OP_AND && op != SQ_OP_OR)
        return sq_value_read(b, c, into);
    isl_set *outer = sq_where_enter(b, first, op == SQ_OP_AND);
    sq_expr *second = sq_condition_value(b, c, into);
    sq_where_leave(b, outer);
    return second;
}

static sq_expr *read_binary(sq_builder *b, CXCursor c, sq_reading *into)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind kind = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    sq_expr *given = sq_null_value(b, c);
    if (given)
        return given;
    for (int i = 0; i < NBINARIES && n == 2; i++) {
        if (binaries[i].kind != kind)
            continue;
        sq_op op = binaries[i].op;
        bool joins = op == SQ_OP_AND || op == SQ_OP_OR;
        sq_expr *x = joins ? sq_condition_value(b, part[0], into) : sq_value_read(b, part[0], into);
        sq_expr *y = x ? read_second(b, part[1], op, x, into) : NULL;
        if (!y)
            return NULL;
        sq_expr *arg[2] = {binaries[i].turned ? y : x, binaries[i].turned ? x : y};
        if (joins)
            return node(b, c, op, SQ_I32, arg);
        if (op == SQ_OP_SHL || op == SQ_OP_SHR)
            return node(b, c, op, x->type, arg);
        sq_expr *e = sq_expr_binary(b, op, arg[0], arg[1], sq_cursor_loc(&b->r, c));
        if (sq_op_is_condition(op))
            e->type = SQ_I32;
        return e;
    }
    return refuse_operator(b, c);
}

static sq_expr *read_unary(sq_builder *b, CXCursor c, sq_reading *into)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    enum CXUnaryOperatorKind kind = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    bool known = kind == CXUnaryOperator_Minus || kind == CXUnaryOperator_Plus ||
                 kind == CXUnaryOperator_LNot || kind == CXUnaryOperator_Not;
    if (n != 1 || !known)
        return refuse_operator(b, c);
    bool negates = kind == CXUnaryOperator_LNot;
    sq_expr *x = negates ? sq_condition_value(b, part[0], into) : sq_value_read(b, part[0], into);
    if (!x || kind == CXUnaryOperator_Plus)
        return x;
    if (negates)
        return node(b, c, SQ_OP_NOT, SQ_I32, &x);
    if (kind == CXUnaryOperator_Not)
        return node(b, c, SQ_OP_BIT_NOT, x->type, &x);
    if (x->op == SQ_OP_CONST)
        return sq_expr_constant(b, x->type, -x->real, (int64_t)(0 - (uint64_t)x->integer), x->loc);
    return node(b, c, SQ_OP_NEG, x->type, &x);
}

static sq_expr *read_arm(sq_builder *b, CXCursor c, sq_expr *condition, bool holds,
                         sq_reading *into)
{
    isl_set *outer = sq_where_enter(b, condition, holds);
    sq_expr *e = sq_value_read(b, c, into);
    sq_where_leave(b, outer);
    return e;
}

static sq_expr *read_conditional(sq_builder *b, CXCursor c, sq_reading *into)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    if (n != 3)
        return refuse_operator(b, c);
    sq_expr *arg[3] = {sq_condition_value(b, part[0], into)};
    for (int i = 1; i < 3; i++)
        arg[i] = arg[i - 1] ? read_arm(b, part[i], arg[0], i == 1, into) : NULL;
    if (!arg[2])
        return NULL;
    return sq_expr_choice(b, arg[0], arg[1], arg[2], sq_cursor_loc(&b->r, c));
}

sq_expr *sq_operator_read(sq_builder *b, CXCursor c, sq_reading *into)
{
    if (c.kind == CXCursor_ConditionalOperator)
        return read_conditional(b, c, into);
    return c.kind == CXCursor_UnaryOperator ? read_unary(b, c, into) : read_binary(b, c, into);
}
