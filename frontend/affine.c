/* Affine text: subscripts, array sizes, bounds and conditions, read into isl over the universe.
 * Accepted: sums and differences of sizes, indices and integer constants, products with a
 * constant, and division of sizes by a positive constant. C's division truncates, isl's rounds
 * down; they agree where the numerator is not negative, so that joins what is known of the sizes.
 */
#include "frontend/build.h"
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

isl_aff *sq_affine_zero(const sq_builder *b)
{
    return isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)));
}

isl_aff *sq_affine_of_var(const sq_builder *b, int var)
{
    return isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)),
                                 isl_dim_set, (unsigned)var);
}

static isl_aff *constant(const sq_builder *b, int64_t value)
{
    isl_val *v = isl_val_int_from_si(b->k->ctx, value);
    return isl_aff_val_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)), v);
}

void sq_context_add(sq_builder *b, isl_set *set)
{
    b->k->context = isl_set_intersect(b->k->context, isl_set_params(set));
}

bool sq_affine_involves(const sq_builder *b, isl_aff *a, int var)
{
    (void)b;
    return isl_aff_involves_dims(a, isl_dim_in, (unsigned)var, 1) == isl_bool_true;
}

uint64_t sq_affine_vars(const sq_builder *b, isl_aff *a)
{
    uint64_t set = 0;
    for (int v = 0; v < b->nvars; v++)
        if (sq_affine_involves(b, a, v))
            set |= UINT64_C(1) << v;
    return set;
}

int sq_affine_bare(const sq_builder *b, isl_aff *a)
{
    for (int v = 0; v < b->nvars; v++) {
        if (!sq_affine_involves(b, a, v))
            continue;
        isl_aff *rest = isl_aff_sub(isl_aff_copy(a), sq_affine_of_var(b, v));
        bool bare = isl_aff_plain_is_zero(rest) == isl_bool_true;
        isl_aff_free(rest);
        return bare ? v : -1;
    }
    return -1;
}

static isl_aff *refuse(sq_builder *b, CXCursor c, const char *why)
{
    sq_refuse(b, c,
              "%s is not affine: %s; accepted are sums of indices and sizes with constant "
              "factors",
              b->affine_what, why);
    return NULL;
}

/* The value of a literal; they may come out of macros, so never from tokens. */
static isl_aff *read_literal(sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    CXEvalResult e = cl->clang_Cursor_Evaluate(c);
    if (!e)
        return refuse(b, c, "this literal has no integer value");
    int64_t value = cl->clang_EvalResult_getAsLongLong(e);
    cl->clang_EvalResult_dispose(e);
    return constant(b, value);
}

static isl_aff *read_size(sq_builder *b, const sq_size *s)
{
    if (s->fixed)
        return constant(b, s->value);
    isl_aff *a = sq_affine_zero(b);
    int p = isl_space_find_dim_by_name(b->universe, isl_dim_param, s->name);
    return isl_aff_set_coefficient_si(a, isl_dim_param, p, 1);
}

static isl_aff *read_name(sq_builder *b, CXCursor c)
{
    CXCursor decl = b->r.cl->clang_getCursorReferenced(c);
    if (decl.kind == CXCursor_EnumConstantDecl)
        return constant(b, b->r.cl->clang_getEnumConstantDeclValue(decl));
    const sq_symbol *s = sq_symbol_find(b, decl);
    if (s && s->kind == SQ_SYM_NONE)
        return NULL;
    if (s && s->kind == SQ_SYM_SIZE)
        return read_size(b, s->size);
    int v = sq_var_find(b, decl);
    if (v < 0)
        return refuse(b, c,
                      sq_arena_printf(b->r.arena,
                                      "'%s' is neither an index nor an integer "
                                      "parameter",
                                      sq_cursor_spelling(&b->r, c)));
    if (b->var[v].is_loop && !b->var[v].active)
        return refuse(
            b, c, sq_arena_printf(b->r.arena, "'%s' is used outside of its loop", b->var[v].name));
    return sq_affine_of_var(b, v);
}

static isl_aff *multiply(sq_builder *b, CXCursor c, isl_aff *x, isl_aff *y)
{
    if (isl_aff_is_cst(x) == isl_bool_true || isl_aff_is_cst(y) == isl_bool_true)
        return isl_aff_mul(x, y);
    isl_aff_free(x);
    isl_aff_free(y);
    return refuse(b, c, "it multiplies two things that both vary");
}

/* Takes both. Constants divide as in C; else the numerator must not be negative. */
static isl_aff *truncating(sq_builder *b, isl_aff *x, isl_val *by)
{
    if (isl_aff_is_cst(x) == isl_bool_true) {
        isl_val *v = isl_aff_get_constant_val(x);
        isl_aff_free(x);
        v = isl_val_trunc(isl_val_div(v, by));
        return isl_aff_val_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)), v);
    }
    sq_context_add(b, isl_aff_ge_set(isl_aff_copy(x), sq_affine_zero(b)));
    return isl_aff_floor(isl_aff_scale_down_val(x, by));
}

static isl_aff *divide(sq_builder *b, CXCursor c, isl_aff *x, isl_aff *y)
{
    isl_val *by = isl_aff_get_constant_val(y);
    const char *why = NULL;
    if (isl_aff_is_cst(y) != isl_bool_true || isl_val_is_pos(by) != isl_bool_true)
        why = "it divides by something else than a positive constant";
    else if (sq_affine_vars(b, x))
        why = "it divides an index";
    isl_aff_free(y);
    if (!why)
        return truncating(b, x, by);
    isl_val_free(by);
    isl_aff_free(x);
    return refuse(b, c, why);
}

static isl_aff *read_binary(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    if (n != 2 || (op != CXBinaryOperator_Add && op != CXBinaryOperator_Sub &&
                   op != CXBinaryOperator_Mul && op != CXBinaryOperator_Div))
        return refuse(b, c, "this operator is none of + - * /");
    isl_aff *x = sq_affine_read(b, arg[0]);
    isl_aff *y = x ? sq_affine_read(b, arg[1]) : NULL;
    if (!y)
        return isl_aff_free(x);
    if (op == CXBinaryOperator_Add)
        return isl_aff_add(x, y);
    if (op == CXBinaryOperator_Sub)
        return isl_aff_sub(x, y);
    return op == CXBinaryOperator_Mul ? multiply(b, c, x, y) : divide(b, c, x, y);
}

static isl_aff *read_unary(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXUnaryOperatorKind op = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    if (n != 1 || (op != CXUnaryOperator_Minus && op != CXUnaryOperator_Plus))
        return refuse(b, c, "this operator is none of + - * /");
    isl_aff *x = sq_affine_read(b, arg[0]);
    return x && op == CXUnaryOperator_Minus ? isl_aff_neg(x) : x;
}

/* Of a cast the last child is what is cast, the one before its type. */
static isl_aff *read_cast(sq_builder *b, CXCursor c)
{
    int n, type = sq_type_read(b, b->r.cl->clang_getCursorType(c));
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (n == 0 || (type != SQ_I32 && type != SQ_I64))
        return refuse(b, c, "it casts to a type that is no int32_t or int64_t");
    return sq_affine_read(b, child[n - 1]);
}

isl_aff *sq_affine_read(sq_builder *b, CXCursor c)
{
    c = sq_cursor_strip(&b->r, c);
    switch (c.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
        return read_literal(b, c);
    case CXCursor_DeclRefExpr:
        return read_name(b, c);
    case CXCursor_BinaryOperator:
        return read_binary(b, c);
    case CXCursor_UnaryOperator:
        return read_unary(b, c);
    case CXCursor_CStyleCastExpr:
        return read_cast(b, c);
    case CXCursor_ArraySubscriptExpr:
        return refuse(b, c, "it reads an array");
    case CXCursor_CallExpr:
        return refuse(b, c, "it calls a function");
    default:
        return refuse(b, c, "this is no sum or product");
    }
}

static isl_set *compare(enum CXBinaryOperatorKind op, isl_aff *x, isl_aff *y)
{
    switch (op) {
    case CXBinaryOperator_LT:
        return isl_aff_lt_set(x, y);
    case CXBinaryOperator_LE:
        return isl_aff_le_set(x, y);
    case CXBinaryOperator_GT:
        return isl_aff_gt_set(x, y);
    case CXBinaryOperator_GE:
        return isl_aff_ge_set(x, y);
    default:
        return isl_aff_eq_set(x, y);
    }
}

isl_set *sq_condition_read(sq_builder *b, CXCursor c)
{
    int n;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = c.kind == CXCursor_BinaryOperator
                                       ? b->r.cl->clang_getCursorBinaryOperatorKind(c)
                                       : CXBinaryOperator_Invalid;
    if (op == CXBinaryOperator_LAnd) {
        isl_set *x = sq_condition_read(b, arg[0]);
        isl_set *y = x ? sq_condition_read(b, arg[1]) : NULL;
        return y ? isl_set_intersect(x, y) : isl_set_free(x);
    }
    if (op != CXBinaryOperator_LT && op != CXBinaryOperator_LE && op != CXBinaryOperator_GT &&
        op != CXBinaryOperator_GE && op != CXBinaryOperator_EQ) {
        sq_refuse(b, c,
                  "this condition is not accepted; accepted are the comparisons < <= > >= "
                  "== of affine expressions, joined by &&");
        return NULL;
    }
    isl_aff *x = sq_affine_read(b, arg[0]);
    isl_aff *y = x ? sq_affine_read(b, arg[1]) : NULL;
    if (!y) {
        isl_aff_free(x);
        return NULL;
    }
    return compare(op, x, y);
}
