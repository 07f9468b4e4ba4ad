/* Affine text: subscripts, array sizes, bounds and the sides of conditions, read into isl over the
 * universe. Accepted: sums and differences of sizes, indices and integer constants, products with a
 * constant, and / and % by a positive constant; << and >> by a constant are such products and
 * quotients; bounds and conditions may also choose, with ?: max2 and min2.
 * C's division rounds toward zero, isl's down. Bounds and conditions get C's meaning in two pieces.
 * A subscript is to stay one expression: there what is divided must never be negative, which is
 * proven once the instances of its statement are known (stmt.c). In array sizes that becomes part
 * of what is known of the sizes. */
#include "frontend/members.h"
#include "frontend/poly.h"
#include "frontend/scop_build.h"
#include "support/limits.h"
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

enum { MOST_SHIFT = 32 }; /* as a factor, too: products with sizes stay far from the ends of 64 bits */
/* What is being read. */
typedef enum purpose { SIZE, SUBSCRIPT, PIECES } purpose;

static isl_pw_aff *read_form(sq_builder *b, CXCursor c, purpose p);

static const char *const forms[] = {
    [SQ_AFFINE_SUBSCRIPT] = "subscript",     [SQ_AFFINE_EXTENT] = "array size",
    [SQ_AFFINE_RANGE] = "range",             [SQ_AFFINE_CONDITION] = "condition",
    [SQ_AFFINE_START] = "start of the loop", [SQ_AFFINE_STEP] = "step of the loop",
    [SQ_AFFINE_END] = "end of the loop",     [SQ_AFFINE_VALUE] = "value"};

static isl_pw_aff *refuse(sq_builder *b, CXCursor c, const char *why)
{
    b->arithmetic = SQ_NO_ARITHMETIC;
    sq_refuse(b, c,
              "%s is not affine: %s; accepted are sums of indices and sizes with constant "
              "factors",
              forms[b->affine_of], why);
    return NULL;
}

static isl_pw_aff *refuse_number(sq_builder *b, CXCursor c, const char *does, int bits)
{
    b->arithmetic = SQ_NO_ARITHMETIC;
    sq_refuse(b, c, "%s %s a number above 2^%d, which would leave 64 bits", forms[b->affine_of], does, bits);
    return NULL;
}

/* ---- names and numbers --------------------------------------------------------------------- */

/* A number whose type is uint64_t and that int64_t does not hold. */
static isl_pw_aff *refuse_large(sq_builder *b, CXCursor c)
{
    return refuse(b, c, "this number is 2^63 or more, which no index and no size reaches");
}

static bool is_large(const sq_builder *b, CXCursor c, int64_t value)
{
    return value < 0 && sq_type_read(b, b->r.cl->clang_getCursorType(c)) == SQ_U64;
}

/* The value of a literal; they may come out of macros, so never from tokens. */
static isl_pw_aff *read_literal(sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    CXEvalResult e = cl->clang_Cursor_Evaluate(c);
    if (!e)
        return refuse(b, c, "this literal has no integer value");
    int64_t value = cl->clang_EvalResult_getAsLongLong(e);
    cl->clang_EvalResult_dispose(e);
    return is_large(b, c, value) ? refuse_large(b, c)
                                 : isl_pw_aff_from_aff(sq_affine_constant(b, value));
}

static isl_aff *read_size(sq_builder *b, const sq_size *s)
{
    if (s->fixed)
        return sq_affine_constant(b, s->value);
    isl_aff *a = sq_affine_zero(b);
    int p = isl_space_find_dim_by_name(b->universe, isl_dim_param, s->name);
    return isl_aff_set_coefficient_si(a, isl_dim_param, p, 1);
}

/* A size that a loop counts beside its own variable: its value before, and what the turns so far have added. */
static isl_aff *counted(sq_builder *b, const sq_symbol *s)
{
    isl_aff *a = read_size(b, s->size);
    if (s->by == 0 || b->nloops == 0)
        return a;
    isl_aff *turns = isl_aff_add_constant_si(sq_affine_of_var(b, b->loop[0]), s->is_ahead);
    return isl_aff_add(a, isl_aff_scale_val(turns, isl_val_int_from_si(b->k->ctx, (long)s->by)));
}

/* What the name of a variable means: its dimension, or what is counted with it. */
static isl_aff *read_variable(const sq_builder *b, int v)
{
    return b->var[v].value ? isl_aff_copy(b->var[v].value) : sq_affine_of_var(b, v);
}

bool sq_integer_constant(const sq_builder *b, CXCursor decl, int64_t *value)
{
    const sq_clang *cl = b->r.cl;
    *value = 0;
    if (decl.kind == CXCursor_EnumConstantDecl) {
        *value = cl->clang_getEnumConstantDeclValue(decl);
        return true;
    }
    if (decl.kind != CXCursor_VarDecl ||
        !cl->clang_isConstQualifiedType(cl->clang_getCursorType(decl)))
        return false;
    return sq_cursor_evaluated(&b->r, decl, value);
}

static isl_pw_aff *refuse_name(sq_builder *b, CXCursor c, const sq_symbol *s, const char *name)
{
    bool written = b->scop && s && s->kind == SQ_SYM_ARRAY && s->array->ndim == 0;
    const sq_use *use = b->scop ? sq_scop_use(b, b->r.cl->clang_getCursorReferenced(c)) : NULL;
    name = use ? sq_scop_text(b, use->decl) : sq_member_said(&b->r, name);
    if (sq_counter_find(b, b->r.cl->clang_getCursorReferenced(c)))
        return refuse(b, c, sq_arena_printf(b->r.arena, "'%s' counts the turns of several loops together", name));
    bool real = written && sq_type_real(s->array->type) && b->affine_of == SQ_AFFINE_SUBSCRIPT;
    refuse(b, c,
           sq_arena_printf(b->r.arena,
                           real      ? "'%s' is a floating-point number, and subscripts are made of integers alone"
                           : written ? "'%s' is written in the region"
                                   : "'%s' is neither an index nor an integer parameter",
                           name));
    if (real)
        sq_help(b->r.d, SQ_NOWHERE, SQ_HELP_REAL_SUBSCRIPT);
    bool local = s && s->kind == SQ_SYM_ARRAY && s->array->ndim == 0;
    if (written && !use && s->array->type == SQ_I32)
        sq_help(b->r.d, SQ_NOWHERE,
                "if loops from 0 count it together, %s++ or %s += 2, it begins with a constant before them, int %s = 0",
                name, name, name);
    if (local && s->array->type == SQ_I32 && !b->scop)
        sq_help(
            b->r.d, SQ_NOWHERE,
            "declare it idx %s to run over all values, or count it with for (int %s = …, or write "
            "its value itself here",
            name, name);
    return NULL;
}

/* A scalar of the region that stands for a value whose division has no one form, `int c = (i - 3) / 2`: read as if that
 * stood here, where the instances may be such that it has. In pieces anything else is a value, which conditions may be
 * of, too. */
static isl_pw_aff *read_named(sq_builder *b, CXCursor c, CXCursor value, const sq_symbol *s, purpose p)
{
    size_t mark = sq_diags_mark(b->r.d);
    isl_pw_aff *a = read_form(b, value, p);
    if (a || p != PIECES)
        return a;
    sq_diags_rewind(b->r.d, mark);
    return refuse_name(b, c, s, sq_cursor_spelling(&b->r, c));
}

static isl_pw_aff *read_name(sq_builder *b, CXCursor c, purpose p)
{
    CXCursor value;
    CXCursor decl = b->r.cl->clang_getCursorReferenced(c);
    const sq_symbol *s = sq_symbol_find(b, decl);
    int v = sq_var_find(b, decl);
    if (s && s->kind == SQ_SYM_NONE)
        return NULL;
    if (s && s->kind == SQ_SYM_SIZE)
        return isl_pw_aff_from_aff(counted(b, s));
    if (s && s->kind == SQ_SYM_FORM)
        return isl_pw_aff_from_aff(isl_aff_copy(s->form));
    int64_t constant;
    if (v < 0 && sq_integer_constant(b, decl, &constant))
        return is_large(b, c, constant) ? refuse_large(b, c)
                                        : isl_pw_aff_from_aff(sq_affine_constant(b, constant));
    const char *name = sq_cursor_spelling(&b->r, c);
    if (v < 0 && b->scop && sq_scop_named(b, s, &value))
        return read_named(b, c, value, s, p);
    if (v < 0)
        return refuse_name(b, c, s, name);
    if (b->var[v].is_loop && !b->var[v].active)
        return refuse(b, c, sq_arena_printf(b->r.arena, "'%s' is used outside of its loop",
                                                   sq_member_said(&b->r, name)));
    return isl_pw_aff_from_aff(read_variable(b, v));
}

/* ---- operators ----------------------------------------------------------------------------- */

/* A flat array: two sizes of which the array makes dimensions of its own. */
static void help_product(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    CXCursor x = sq_cursor_strip(&b->r, arg[0]), y = sq_cursor_strip(&b->r, arg[1]);
    if (b->scop || b->affine_of != SQ_AFFINE_EXTENT || x.kind != CXCursor_DeclRefExpr ||
        y.kind != CXCursor_DeclRefExpr)
        return;
    const char *rows = sq_cursor_spelling(&b->r, x), *columns = sq_cursor_spelling(&b->r, y);
    sq_help(
        b->r.d, SQ_NOWHERE,
        "write a dimension for each, [%s][%s] with the subscripts [i][j]: the memory is the same, "
        "and [i][0] is every %s-th element",
        rows, columns, columns);
}

/* i < h * w */
static void help_end(sq_builder *b)
{
    sq_help(b->r.d, SQ_NOWHERE,
            b->scop ? "write a loop for each of the two, with a[y*w + x], or give the product a "
                      "name before the "
                      "region: int n = h * w; and i < n"
                    : "write a loop for each of the two, with A[y][x] of an array A[h][w], or make "
                      "the product a "
                      "size of its own");
}

/* Takes the product; NULL after an error. */
static isl_pw_aff *fitting(sq_builder *b, CXCursor c, isl_pw_aff *product)
{
    if (sq_affine_factors_fit(product, MOST_SHIFT))
        return product;
    isl_pw_aff_free(product);
    return refuse_number(b, c, "multiplies by", MOST_SHIFT);
}

static isl_pw_aff *multiply(sq_builder *b, CXCursor c, isl_pw_aff *x, isl_pw_aff *y)
{
    if (isl_pw_aff_is_cst(x) == isl_bool_true || isl_pw_aff_is_cst(y) == isl_bool_true)
        return fitting(b, c, isl_pw_aff_mul(x, y));
    unsigned nvars = (unsigned)b->nvars;
    bool of_sizes = isl_pw_aff_involves_dims(x, isl_dim_in, 0, nvars) == isl_bool_false &&
                    isl_pw_aff_involves_dims(y, isl_dim_in, 0, nvars) == isl_bool_false;
    isl_pw_aff_free(x);
    isl_pw_aff_free(y);
    if (b->scop && sq_type_read(b, b->r.cl->clang_getCursorType(c)) == SQ_U32)
        return refuse(b, c,
                      "this product has 32 bits and is unsigned, so it goes on at 0 past 2^32; "
                      "cast one of the two to size_t");
    refuse(b, c, "it multiplies two things that both vary");
    b->arithmetic = SQ_PRODUCT;
    if (of_sizes && sq_instead_fix_factor(b, c))
        return NULL;
    if (of_sizes && b->affine_of == SQ_AFFINE_END)
        help_end(b);
    else
        help_product(b, c);
    return NULL;
}

/* What is divided must not be negative: remembered until that can be proven. */
static void note_floor(sq_builder *b, CXCursor c, isl_aff *numerator)
{
    sq_floor *f = SQ_NEW(b->r.arena, sq_floor);
    *f = (sq_floor){.next = b->floors,
                    .numerator = isl_aff_copy(numerator),
                    .where = isl_set_copy(b->where),
                    .loc = sq_cursor_loc(&b->r, c)};
    b->floors = f;
}

/* Of a number. Takes both. */
static isl_aff *divided(sq_builder *b, isl_aff *x, isl_val *by, bool rest)
{
    isl_val *value = isl_aff_get_constant_val(x);
    isl_val *quotient = isl_val_trunc(isl_val_div(isl_val_copy(value), isl_val_copy(by)));
    isl_aff_free(x);
    if (rest)
        quotient = isl_val_sub(value, isl_val_mul(quotient, by));
    else {
        isl_val_free(value);
        isl_val_free(by);
    }
    return isl_aff_val_on_domain_space(isl_space_copy(b->universe), quotient);
}

/* x / by or x % by with one expression for x. Takes both. */
static isl_aff *floored(sq_builder *b, CXCursor c, isl_aff *x, isl_val *by, bool rest, purpose p)
{
    if (isl_aff_is_cst(x) == isl_bool_true)
        return divided(b, x, by, rest);
    if (p == SIZE)
        sq_context_add(b, isl_aff_ge_set(isl_aff_copy(x), sq_affine_zero(b)));
    else
        note_floor(b, c, x);
    return rest ? isl_aff_mod_val(x, by) : isl_aff_floor(isl_aff_scale_down_val(x, by));
}

/* Takes x, y; the cursor is of the whole division. */
static isl_pw_aff *divide(sq_builder *b, CXCursor c, isl_pw_aff *x, isl_pw_aff *y, bool rest,
                          purpose p)
{
    isl_set *positive = isl_pw_aff_pos_set(isl_pw_aff_copy(y));
    bool fits = isl_pw_aff_is_cst(y) == isl_bool_true &&
                isl_set_plain_is_universe(positive) == isl_bool_true;
    isl_set_free(positive);
    if (!fits) {
        isl_pw_aff_free(x);
        isl_pw_aff_free(y);
        refuse(b, c, "it divides by something else than a positive constant");
        sq_instead_fix(b, c);
        b->arithmetic = SQ_QUOTIENT;
        return NULL;
    }
    if (p == PIECES)
        return rest ? isl_pw_aff_tdiv_r(x, y) : isl_pw_aff_tdiv_q(x, y);
    isl_aff *divisor = isl_pw_aff_as_aff(y);
    isl_val *by = isl_aff_get_constant_val(divisor);
    isl_aff_free(divisor);
    return isl_pw_aff_from_aff(floored(b, c, isl_pw_aff_as_aff(x), by, rest, p));
}

/* x << y and x >> y are x * 2^y and x / 2^y. Takes y; NULL after an error. */
static isl_pw_aff *power_of(sq_builder *b, CXCursor c, isl_pw_aff *y)
{
    isl_pw_aff *most = isl_pw_aff_from_aff(sq_affine_constant(b, MOST_SHIFT));
    isl_set *fine = isl_set_intersect(isl_pw_aff_nonneg_set(isl_pw_aff_copy(y)),
                                      isl_pw_aff_le_set(isl_pw_aff_copy(y), most));
    bool fits = isl_pw_aff_isa_aff(y) == isl_bool_true && isl_pw_aff_is_cst(y) == isl_bool_true &&
                isl_set_plain_is_universe(fine) == isl_bool_true;
    isl_set_free(fine);
    if (!fits) {
        isl_pw_aff_free(y);
        return refuse(b, c, "it shifts by something else than a small constant");
    }
    isl_aff *by = isl_pw_aff_as_aff(y);
    isl_val *power = isl_val_2exp(isl_aff_get_constant_val(by));
    isl_aff_free(by);
    return isl_pw_aff_from_aff(isl_aff_val_on_domain_space(isl_space_copy(b->universe), power));
}

/* Takes x, y. */
static isl_pw_aff *shift(sq_builder *b, CXCursor c, isl_pw_aff *x, isl_pw_aff *y, bool right,
                         purpose p)
{
    isl_pw_aff *power = power_of(b, c, y);
    if (!power) {
        isl_pw_aff_free(x);
        return NULL;
    }
    if (right && p != SIZE) /* rounds down, as isl does */
        return isl_pw_aff_floor(isl_pw_aff_div(x, power));
    return right ? divide(b, c, x, power, false, p) : fitting(b, c, isl_pw_aff_mul(x, power));
}

/* x & 15 is the rest of x by 16, also below 0, as isl's is. Takes x, y. */
static isl_pw_aff *mask(sq_builder *b, CXCursor c, isl_pw_aff *x, isl_pw_aff *y, purpose p)
{
    int64_t last = -1;
    if (isl_pw_aff_is_cst(y) != isl_bool_true) { /* 15 & x */
        isl_pw_aff *number = x;
        x = y;
        y = number;
    }
    bool is_number = sq_affine_is_number(y, &last);
    isl_pw_aff_free(y);
    if (last < 0 || last >= INT64_C(1) << MOST_SHIFT || (last & (last + 1)) != 0) {
        isl_pw_aff_free(x);
        refuse(b, c, "it has an & with something else than 1, 3, 7, 15 and so on");
        if (!is_number)
            sq_help(b->r.d, SQ_NOWHERE, "a mask is a number, or a name for one by #define or enum: i & 15");
        return NULL;
    }
    if (p == SIZE)
        return divide(b, c, x, isl_pw_aff_from_aff(sq_affine_constant(b, last + 1)), true, p);
    return isl_pw_aff_mod_val(x, isl_val_int_from_si(b->k->ctx, last + 1));
}

/* x % n as clamped.c has it, x - turns * n. */
static isl_pw_aff *read_turned(sq_builder *b, const CXCursor *arg, int turns, purpose p)
{
    isl_pw_aff *x = read_form(b, arg[0], p), *y = x ? read_form(b, arg[1], p) : NULL;
    if (!y)
        return isl_pw_aff_free(x);
    return isl_pw_aff_sub(x, isl_pw_aff_scale_val(y, isl_val_int_from_si(b->k->ctx, turns)));
}

/* int at = i*n; … s[(at + j) / 32]: the product is a subscript where nothing divides it. */
static isl_pw_aff *refuse_divided(sq_builder *b, CXCursor c)
{
    refuse(b, c, "it divides a product of two things that both vary");
    b->arithmetic = SQ_PRODUCT;
    sq_help(b->r.d, SQ_NOWHERE,
            "where the divisor divides the product, divide its factor: s[i*(n/32) + j/32] for s[(i*n + j)/32]");
    return NULL;
}

/* What is divided, or is an operand of something else; NULL after an error. */
static isl_pw_aff *read_dividend(sq_builder *b, CXCursor c, CXCursor operand, enum CXBinaryOperatorKind op, purpose p)
{
    size_t mark = sq_diags_mark(b->r.d);
    bool divides = op == CXBinaryOperator_Div || op == CXBinaryOperator_Rem || op == CXBinaryOperator_Shr;
    b->arithmetic = SQ_NO_ARITHMETIC;
    isl_pw_aff *x = read_form(b, operand, p);
    if (x || !divides || !b->scop || b->arithmetic != SQ_PRODUCT || b->affine_of != SQ_AFFINE_SUBSCRIPT)
        return x;
    sq_diags_rewind(b->r.d, mark);
    return refuse_divided(b, c);
}

static isl_pw_aff *read_binary(sq_builder *b, CXCursor c, purpose p)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    if (n != 2 || op < CXBinaryOperator_Mul || (op > CXBinaryOperator_Shr && op != CXBinaryOperator_And))
        return refuse(b, c, "this operator is none of + - * / % << >> &");
    bool keeps = op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub || op == CXBinaryOperator_Mul ||
                 op == CXBinaryOperator_Shl || p == SIZE; /* what is divided in a size is not negative */
    b->is_modular &= keeps;
    int turns = op == CXBinaryOperator_Rem ? sq_clamped_turns(b, c) : -1;
    if (turns >= 0)
        return read_turned(b, arg, turns, p);
    isl_pw_aff *x = read_dividend(b, c, arg[0], op, p);
    isl_pw_aff *y = x ? read_form(b, arg[1], p) : NULL;
    if (!y)
        return isl_pw_aff_free(x);
    switch (op) {
    case CXBinaryOperator_Add:
        return isl_pw_aff_add(x, y);
    case CXBinaryOperator_Sub:
        return isl_pw_aff_sub(x, y);
    case CXBinaryOperator_Mul:
        return multiply(b, c, x, y);
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_Shr:
        return shift(b, c, x, y, op == CXBinaryOperator_Shr, p);
    case CXBinaryOperator_And:
        return mask(b, c, x, y, p);
    default:
        return divide(b, c, x, y, op == CXBinaryOperator_Rem, p);
    }
}

static isl_pw_aff *read_unary(sq_builder *b, CXCursor c, purpose p)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXUnaryOperatorKind op = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    if (b->scop && n == 1 && sq_cursor_assigns(&b->r, c))
        return refuse(b, c, sq_counter_refused(b, arg[0]));
    if (n != 1 || (op != CXUnaryOperator_Minus && op != CXUnaryOperator_Plus))
        return refuse(b, c, "this operator is none of + - * / %");
    isl_pw_aff *x = read_form(b, arg[0], p);
    return x && op == CXUnaryOperator_Minus ? isl_pw_aff_neg(x) : x;
}

/* Of a cast the last child is what is cast, the one before its type. */
static isl_pw_aff *read_cast(sq_builder *b, CXCursor c, purpose p)
{
    int n, type = sq_type_read(b, b->r.cl->clang_getCursorType(c));
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (n > 0 && b->scop && type >= 0 && !sq_type_real((sq_type)type)) {
        isl_pw_aff *a = read_form(b, child[n - 1], p);
        return a ? sq_unsigned_cast(b, c, a) : NULL;
    }
    if (n == 0 || (type != SQ_I32 && type != SQ_I64))
        return refuse(b, c, "it casts to a type that is no int32_t or int64_t");
    if (!sq_cast_keeps(&b->r, c, child[n - 1]))
        return refuse(b, c, "it casts to a narrower type, which may change the value");
    return read_form(b, child[n - 1], p);
}

static isl_pw_aff *refuse_choice(sq_builder *b, CXCursor c)
{
    refuse(b, c, "it chooses between values");
    sq_help(b->r.d, SQ_NOWHERE,
            "write the choice around the array element, as in i < N ? A[i] : A[N - 1]%s",
            b->scop ? "" : ", or clampedge(A[i])");
    return NULL;
}

static isl_pw_aff *read_choice(sq_builder *b, CXCursor c, purpose p)
{
    int n;
    bool holds;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    if (n == 3 && sq_clamped_side(b, c, &holds))
        return read_form(b, part[holds ? 1 : 2], p);
    if (p != PIECES)
        return refuse_choice(b, c);
    if (n != 3)
        return refuse(b, c, "this is no sum or product");
    b->is_modular = false;
    isl_set *set = sq_condition_read(b, part[0]);
    isl_pw_aff *x = set ? read_form(b, part[1], p) : NULL;
    isl_pw_aff *y = x ? read_form(b, part[2], p) : NULL;
    if (!y) {
        isl_set_free(set);
        return isl_pw_aff_free(x);
    }
    return isl_pw_aff_cond(isl_set_indicator_function(set), x, y);
}

static isl_pw_aff *read_call(sq_builder *b, CXCursor c, purpose p)
{
    const char *name = sq_cursor_spelling(&b->r, c);
    bool least = strcmp(name, "min2") == 0;
    bool holds;
    if (!least && strcmp(name, "max2") != 0)
        return refuse(b, c, "it calls a function");
    if (sq_clamped_side(b, c, &holds))
        return read_form(b, b->r.cl->clang_Cursor_getArgument(c, holds ? 0 : 1), p);
    if (p != PIECES)
        return refuse_choice(b, c);
    b->is_modular = false;
    isl_pw_aff *x = read_form(b, b->r.cl->clang_Cursor_getArgument(c, 0), p);
    isl_pw_aff *y = x ? read_form(b, b->r.cl->clang_Cursor_getArgument(c, 1), p) : NULL;
    if (!y)
        return isl_pw_aff_free(x);
    return least ? isl_pw_aff_min(x, y) : isl_pw_aff_max(x, y);
}

/* h[P[i]] */
static isl_pw_aff *refuse_element(sq_builder *b, CXCursor c)
{
    refuse(b, c, "it reads an array, so what it is depends on values");
    if (b->affine_of != SQ_AFFINE_SUBSCRIPT)
        return NULL;
    if (b->scop)
        sq_help(b->r.d, SQ_NOWHERE, "leave this loop as it is, outside of the region");
    else
        sq_help(b->r.d, SQ_NOWHERE,
                "a histogram of few bins compares, h[b] += sum(P[i] == b ? x[i] : 0, i); loops "
                "over lists of places stay in C");
    return NULL;
}

/* The size of a type or of an array whose sizes are constant. */
static isl_pw_aff *read_sizeof(sq_builder *b, CXCursor c)
{
    int64_t bytes;
    if (b->scop && sq_cursor_evaluated(&b->r, c, &bytes) && !is_large(b, c, bytes))
        return isl_pw_aff_from_aff(sq_affine_constant(b, bytes));
    return refuse(b, c, "this is no sum or product");
}

static isl_pw_aff *read_stripped(sq_builder *b, CXCursor c, purpose p)
{
    switch (c.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
        return read_literal(b, c);
    case CXCursor_DeclRefExpr:
        return read_name(b, c, p);
    case CXCursor_UnaryExpr:
        return read_sizeof(b, c);
    case CXCursor_BinaryOperator:
        return read_binary(b, c, p);
    case CXCursor_UnaryOperator:
        return read_unary(b, c, p);
    case CXCursor_CStyleCastExpr:
        return read_cast(b, c, p);
    case CXCursor_ConditionalOperator:
        return read_choice(b, c, p);
    case CXCursor_ArraySubscriptExpr:
        return refuse_element(b, c);
    case CXCursor_CallExpr:
        return read_call(b, c, p);
    default:
        return refuse(b, c, "this is no sum or product");
    }
}

static isl_pw_aff *read_form(sq_builder *b, CXCursor c, purpose p)
{
    bool outer = b->is_modular;
    b->is_modular = sq_unsigned_modular(b, c);
    isl_aff *counter = b->scop ? sq_poly_counter(b, sq_cursor_strip(&b->r, c)) : NULL;
    isl_pw_aff *a = counter ? isl_pw_aff_from_aff(counter) : read_stripped(b, sq_cursor_strip(&b->r, c), p);
    a = a ? sq_unsigned_form(b, c, a) : a;
    b->is_modular = outer;
    return a;
}

isl_pw_aff *sq_piecewise_read(sq_builder *b, CXCursor c)
{
    return read_form(b, c, PIECES);
}

/* One form, whose constant is no farther from 0 than sizes are. Takes a, which may be NULL. */
static isl_aff *sole(sq_builder *b, CXCursor c, isl_pw_aff *a)
{
    isl_aff *form = a ? isl_pw_aff_as_aff(a) : NULL;
    if (!form || sq_affine_constant_fits(form, SQ_LARGEST_SIZE_BITS))
        return form;
    isl_aff_free(form);
    refuse_number(b, c, "adds", SQ_LARGEST_SIZE_BITS);
    return NULL;
}

isl_aff *sq_affine_read(sq_builder *b, CXCursor c)
{
    return sole(b, c, read_form(b, c, SUBSCRIPT));
}

/* An array has less than 2^63 elements in a dimension. */
isl_aff *sq_affine_size(sq_builder *b, CXCursor c)
{
    b->is_modular = true;
    isl_pw_aff *a = read_form(b, c, SIZE);
    b->is_modular = false;
    return sole(b, c, a);
}
