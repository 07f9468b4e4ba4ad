/* Scop null: pointers that a region asks for, `if (da)`, `b ? b[i] : 0`, `p != NULL`. The region does not change a
 * pointer, so the result is the same during a whole call: a number that the caller passes, `da != 0`, and to what is
 * affine a size, da_given, that is not 0 where there is something. What stands under the condition belongs to no
 * instance without it, so nothing behind a null pointer is an element that the optimized code may touch. The same of
 * floating-point numbers that the region does not change, `if (beta == 0)`: what stands under it is a nest
 * by itself. */
#include "frontend/scop_build.h"
#include <isl/aff.h>
#include <isl/space.h>

/* What is inside of blanks, conversions and casts. */
static CXCursor inside_casts(const sq_builder *b, CXCursor c)
{
    int n = 1;
    for (c = sq_cursor_strip(&b->r, c); c.kind == CXCursor_CStyleCastExpr && n > 0;) {
        CXCursor *child = sq_cursor_children(&b->r, c, &n);
        if (n > 0)
            c = sq_cursor_strip(&b->r, child[n - 1]);
    }
    return c;
}

/* 0 and ((void *)0) */
static bool is_null(const sq_builder *b, CXCursor c)
{
    int64_t value;
    c = inside_casts(b, c);
    return c.kind == CXCursor_IntegerLiteral && sq_cursor_evaluated(&b->r, c, &value) && value == 0;
}

/* A constant of value 0, also 0.0f. */
static bool is_zero(const sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    c = sq_cursor_strip(&b->r, c);
    if (c.kind != CXCursor_FloatingLiteral)
        return is_null(b, c);
    CXEvalResult e = cl->clang_Cursor_Evaluate(c);
    bool zero = e && cl->clang_EvalResult_getKind(e) == CXEval_Float && cl->clang_EvalResult_getAsDouble(e) == 0;
    if (e)
        cl->clang_EvalResult_dispose(e);
    return zero;
}

/* A variable or parameter from around the region. */
static bool is_around(const sq_builder *b, CXCursor c, CXCursor *decl, CXType *type)
{
    c = sq_cursor_strip(&b->r, c);
    if (c.kind != CXCursor_DeclRefExpr)
        return false;
    *decl = b->r.cl->clang_getCursorReferenced(c);
    *type = b->r.cl->clang_getCanonicalType(b->r.cl->clang_getCursorType(*decl));
    return (decl->kind == CXCursor_ParmDecl || decl->kind == CXCursor_VarDecl) && !sq_scop_inside(b, *decl);
}

static bool is_pointer(const sq_builder *b, CXCursor c, CXCursor *decl)
{
    CXType t;
    return is_around(b, c, decl, &t) &&
           (t.kind == CXType_Pointer || (decl->kind == CXCursor_ParmDecl &&
                                         b->r.cl->clang_getArrayElementType(t).kind != CXType_Invalid));
}

bool sq_null_is_number(const sq_builder *b, CXCursor decl)
{
    CXType t = b->r.cl->clang_getCanonicalType(b->r.cl->clang_getCursorType(decl));
    return t.kind == CXType_Float || t.kind == CXType_Double;
}

/* A floating-point number that the region does not change. */
static bool is_number(const sq_builder *b, CXCursor c, CXCursor *decl)
{
    CXType t;
    if (!is_around(b, c, decl, &t) || !sq_null_is_number(b, *decl))
        return false;
    const sq_use *u = sq_scop_use(b, *decl);
    return u && !u->assigned;
}

/* One of these, of a kind for which `other` is nothing. */
static bool is_asked(const sq_builder *b, CXCursor c, CXCursor other, CXCursor *decl)
{
    return is_pointer(b, c, decl) ? is_null(b, other) : is_number(b, c, decl) && is_zero(b, other);
}

bool sq_null_asked(const sq_builder *b, CXCursor c, CXCursor *decl, bool *given)
{
    int n;
    *given = true;
    if (!b->scop)
        return false;
    c = sq_cursor_strip(&b->r, c);
    if (c.kind != CXCursor_BinaryOperator)
        return is_pointer(b, c, decl) || is_number(b, c, decl);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    CXCursor *side = sq_cursor_children(&b->r, c, &n);
    *given = op == CXBinaryOperator_NE;
    if (n != 2 || (op != CXBinaryOperator_EQ && op != CXBinaryOperator_NE))
        return false;
    return is_asked(b, side[0], side[1], decl) || is_asked(b, side[1], side[0], decl);
}

sq_use *sq_null_use(const sq_builder *b, CXCursor decl)
{
    for (int i = 0; i < b->scop->nuses; i++)
        if (b->scop->use[i].is_given && b->r.cl->clang_equalCursors(b->scop->use[i].decl, decl))
            return &b->scop->use[i];
    return NULL;
}

static isl_aff *read_given(const sq_builder *b, const sq_use *u)
{
    if (u->symbol->size->fixed)
        return sq_affine_constant(b, u->symbol->size->value);
    int at = isl_space_find_dim_by_name(b->universe, isl_dim_param, u->name);
    return isl_aff_set_coefficient_si(sq_affine_zero(b), isl_dim_param, at, 1);
}

isl_set *sq_null_condition(sq_builder *b, CXCursor c)
{
    CXCursor decl;
    bool given;
    const sq_use *u = sq_null_asked(b, c, &decl, &given) ? sq_null_use(b, decl) : NULL;
    if (!u || !u->symbol || !u->symbol->size)
        return NULL;
    isl_set *set = isl_pw_aff_pos_set(isl_pw_aff_from_aff(read_given(b, u)));
    return given ? set : isl_set_complement(set);
}

sq_expr *sq_null_value(sq_builder *b, CXCursor c)
{
    CXCursor decl;
    bool given;
    sq_loc loc = sq_cursor_loc(&b->r, c);
    const sq_use *u = sq_null_asked(b, c, &decl, &given) ? sq_null_use(b, decl) : NULL;
    if (!u || !u->symbol || !u->symbol->size)
        return NULL;
    sq_expr *e = sq_expr_new(b, SQ_OP_INDEX, SQ_I32, loc);
    e->index = read_given(b, u);
    sq_builder_own(b, NULL, e, NULL);
    sq_expr *zero = sq_expr_constant(b, SQ_I32, 0, 0, loc);
    sq_expr *arg[2] = {given ? zero : e, given ? e : zero};
    return sq_expr_made(b, loc, given ? SQ_OP_LT : SQ_OP_LE, SQ_I32, arg);
}
