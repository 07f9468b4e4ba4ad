/* Conditions: of ifs, loops and assumes, as sets over the universe. Comparisons of affine
 * expressions joined by && || and !; an expression alone holds where it is not 0, as in C. */
#include "frontend/scop_build.h"
#include <isl/aff.h>

static isl_set *compare(enum CXBinaryOperatorKind op, isl_pw_aff *x, isl_pw_aff *y)
{
    switch (op) {
    case CXBinaryOperator_LT:
        return isl_pw_aff_lt_set(x, y);
    case CXBinaryOperator_LE:
        return isl_pw_aff_le_set(x, y);
    case CXBinaryOperator_GT:
        return isl_pw_aff_gt_set(x, y);
    case CXBinaryOperator_GE:
        return isl_pw_aff_ge_set(x, y);
    case CXBinaryOperator_EQ:
        return isl_pw_aff_eq_set(x, y);
    default:
        return isl_pw_aff_ne_set(x, y);
    }
}

static isl_set *read_comparison(sq_builder *b, enum CXBinaryOperatorKind op, CXCursor *arg)
{
    isl_pw_aff *x = sq_piecewise_read(b, arg[0]);
    isl_pw_aff *y = x ? sq_piecewise_read(b, arg[1]) : NULL;
    if (!y) {
        isl_pw_aff_free(x);
        return NULL;
    }
    return compare(op, x, y);
}

static isl_set *read_joined(sq_builder *b, bool both, CXCursor *arg)
{
    isl_set *x = sq_condition_read(b, arg[0]);
    isl_set *y = x ? sq_condition_read(b, arg[1]) : NULL;
    if (!y)
        return isl_set_free(x);
    return isl_set_coalesce(both ? isl_set_intersect(x, y) : isl_set_union(x, y));
}

static isl_set *read_truth(sq_builder *b, CXCursor c)
{
    isl_pw_aff *a = sq_piecewise_read(b, c);
    return a ? isl_set_complement(isl_pw_aff_zero_set(a)) : NULL;
}

static isl_set *refuse(sq_builder *b, CXCursor c)
{
    sq_refuse(b, c,
              "this condition is not accepted; accepted are the comparisons < <= > >= "
              "== != of affine expressions, joined by && || !");
    return NULL;
}

bool sq_condition_is(const sq_builder *b, CXCursor c)
{
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(sq_cursor_strip(&b->r, c));
    return op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr ||
           (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE);
}

/* What a name of a region stands for, `inside` of int inside = i >= 0 && i < n; c itself where it is none. */
static CXCursor named(const sq_builder *b, CXCursor c)
{
    CXCursor value;
    bool is_name = b->scop && c.kind == CXCursor_DeclRefExpr;
    if (!is_name || !sq_scop_meaning(b, b->r.cl->clang_getCursorReferenced(c), &value) || sq_scop_is_stepped(b, value))
        return c;
    return sq_condition_is(b, value) ? sq_cursor_strip(&b->r, value) : c;
}

isl_set *sq_condition_read(sq_builder *b, CXCursor c)
{
    int n;
    sq_builder_at(b, c);
    isl_set *given = sq_null_condition(b, c);
    if (given)
        return given;
    c = named(b, sq_cursor_strip(&b->r, c));
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    if (c.kind == CXCursor_UnaryOperator &&
        b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_LNot) {
        isl_set *x = sq_condition_read(b, arg[0]);
        return x ? isl_set_complement(x) : NULL;
    }
    if (c.kind != CXCursor_BinaryOperator)
        return read_truth(b, c);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr)
        return read_joined(b, op == CXBinaryOperator_LAnd, arg);
    if (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE)
        return read_comparison(b, op, arg);
    return op >= CXBinaryOperator_Mul && op <= CXBinaryOperator_Sub ? read_truth(b, c)
                                                                    : refuse(b, c);
}
