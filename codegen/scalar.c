/* Scalar: expressions and affine forms as C text. Everything is parenthesised: the reader is a
 * compiler first, and a wrong precedence would be a wrong result. Literals are printed with as many
 * digits as their type needs to read back unchanged. */
#include "codegen/scalar.h"
#include <inttypes.h>
#include <isl/val.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_wide(const sq_expr *e, const sq_scalar_style *style)
{
    return style->wide || e->type == SQ_F64;
}

/* "1" is an integer to C: give it a point. */
static void ensure_real(sq_text *to, const char *digits, const char *suffix)
{
    bool real = strpbrk(digits, ".eE") != NULL;
    sq_text_printf(to, "%s%s%s", digits, real ? "" : ".0", suffix);
}

void sq_scalar_number(double value, sq_type type, sq_text *to)
{
    sq_text digits = {0};
    if (!sq_type_real(type)) {
        sq_text_printf(to, "%" PRId64, (int64_t)value);
    } else if (isnan(value)) {
        sq_text_puts(to, "((double)NAN)");
    } else if (isinf(value)) {
        sq_text_puts(to, value < 0 ? "(-INFINITY)" : "INFINITY");
    } else {
        sq_text_printf(&digits, type == SQ_F32 ? "%.9g" : "%.17g", value);
        if (value < 0)
            sq_text_puts(to, "(");
        ensure_real(to, sq_text_str(&digits), type == SQ_F32 ? "f" : "");
        if (value < 0)
            sq_text_puts(to, ")");
        sq_text_free(&digits);
    }
}

const char *sq_scalar_suffix(sq_type type)
{
    static const char *const suffix[] = {"f32", "f64", "i32", "i64"};
    return suffix[type];
}

const char *sq_scalar_identity(sq_type type, sq_op reduce)
{
    static const char *const greatest[] = {"__builtin_inff()", "__builtin_inf()", "INT32_MAX",
                                           "INT64_MAX"};
    static const char *const least[] = {"-__builtin_inff()", "-__builtin_inf()", "INT32_MIN",
                                        "INT64_MIN"};
    if (reduce == SQ_OP_MAX || reduce == SQ_OP_MIN)
        return (reduce == SQ_OP_MAX ? least : greatest)[type];
    return reduce == SQ_OP_MUL ? "1" : "0";
}

void sq_scalar_integer(int64_t value, sq_type type, sq_text *to)
{
    if (value == INT64_MIN)
        sq_text_puts(to, "INT64_MIN"); /* its digits alone are no int64_t */
    else if (type == SQ_I64)
        sq_text_printf(to, value < 0 ? "(INT64_C(%" PRId64 "))" : "INT64_C(%" PRId64 ")", value);
    else
        sq_text_printf(to, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

static void put_const(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    if (sq_type_real(e->type))
        sq_scalar_number(e->real, is_wide(e, style) ? SQ_F64 : e->type, to);
    else
        sq_scalar_integer(e->integer, e->type, to);
}

static const char *shown_ctype(const sq_expr *e, const sq_scalar_style *style)
{
    return sq_type_real(e->type) && is_wide(e, style) ? "double" : sq_type_ctype(e->type);
}

/* A narrowing the user asked for rounds also when arithmetic is wide. */
static void put_cast(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    bool rounds = style->wide && e->type == SQ_F32 && e->arg[0]->type == SQ_F64;
    sq_text_printf(to, "((%s)%s", shown_ctype(e, style), rounds ? "(float)" : "");
    sq_scalar_expr(e->arg[0], style, to);
    sq_text_puts(to, ")");
}

static const char *minmax_suffix(const sq_expr *e, const sq_scalar_style *style)
{
    return sq_type_real(e->type) && is_wide(e, style) ? "f64" : sq_scalar_suffix(e->type);
}

static void put_call(const char *prefix, const char *function, const char *suffix, const sq_expr *e,
                     const sq_scalar_style *style, sq_text *to)
{
    sq_text_printf(to, "%s%s%s(", prefix, function, suffix);
    for (int a = 0; a < e->nargs; a++) {
        if (a)
            sq_text_puts(to, ", ");
        sq_scalar_expr(e->arg[a], style, to);
    }
    sq_text_puts(to, ")");
}

static void put_infix(const sq_expr *e, const char *infix, const sq_scalar_style *style,
                      sq_text *to)
{
    sq_text_puts(to, "(");
    if (e->nargs == 2) {
        sq_scalar_expr(e->arg[0], style, to);
        sq_text_printf(to, " %s ", infix);
        sq_scalar_expr(e->arg[1], style, to);
    } else {
        sq_text_puts(to, infix);
        sq_scalar_expr(e->arg[0], style, to);
    }
    sq_text_puts(to, ")");
}

/* Only the arm that is taken is evaluated, as in C. */
static void put_select(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    static const char *const before[] = {"(", " ? ", " : "};
    for (int a = 0; a < 3; a++) {
        sq_text_puts(to, before[a]);
        sq_scalar_expr(e->arg[a], style, to);
    }
    sq_text_puts(to, ")");
}

void sq_scalar_expr(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    const sq_op_info *info = sq_op_get(e->op);
    switch (e->op) {
    case SQ_OP_CONST:
        put_const(e, style, to);
        break;
    case SQ_OP_SCALAR:
        sq_text_printf(to, "%s%s", style->wide && e->type == SQ_F32 ? "(double)" : "",
                       e->scalar->name);
        break;
    case SQ_OP_READ:
    case SQ_OP_INDEX:
    case SQ_OP_REDUCED:
        style->leaf(e, to, style->user);
        break;
    case SQ_OP_CAST:
        put_cast(e, style, to);
        break;
    case SQ_OP_SELECT:
        put_select(e, style, to);
        break;
    case SQ_OP_MIN:
        put_call(style->prefix, "min_", minmax_suffix(e, style), e, style, to);
        break;
    case SQ_OP_MAX:
        put_call(style->prefix, "max_", minmax_suffix(e, style), e, style, to);
        break;
    default:
        if (info->infix[0])
            put_infix(e, info->infix, style, to);
        else
            put_call("", info->function[is_wide(e, style)], "", e, style, to);
    }
}

/* One summand "c*name", with a sign when something stands before it. */
static bool put_term(sq_text *to, bool first, long c, const char *cast, const char *name)
{
    if (c == 0)
        return first;
    sq_text_puts(to, first ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + "));
    if (labs(c) != 1)
        sq_text_printf(to, "%ld*", labs(c));
    sq_text_printf(to, "%s%s", cast, name);
    return false;
}

/* Coefficient times denominator: all forms here become integer over one common denominator. */
static long scaled(isl_val *v /* __isl_take */, long den)
{
    v = isl_val_mul(v, isl_val_int_from_si(isl_val_get_ctx(v), den));
    long r = isl_val_get_num_si(v);
    isl_val_free(v);
    return r;
}

static bool put_divs(isl_aff *a, long den, const char *const *dim, const char *prefix, bool first,
                     sq_text *to)
{
    int n = (int)isl_aff_dim(a, isl_dim_div);
    for (int i = 0; i < n; i++) {
        long c = scaled(isl_aff_get_coefficient_val(a, isl_dim_div, i), den);
        if (c == 0)
            continue;
        isl_aff *div = isl_aff_get_div(a, i);
        sq_text inner = {0};
        sq_scalar_aff(div, dim, prefix, &inner); /* prints the floor of its fraction */
        first = put_term(to, first, c, "", sq_text_str(&inner));
        sq_text_free(&inner);
        isl_aff_free(div);
    }
    return first;
}

static void put_sum(isl_aff *a, long den, const char *const *dim, const char *prefix, sq_text *to)
{
    bool first = true;
    int np = (int)isl_aff_dim(a, isl_dim_param), nd = (int)isl_aff_dim(a, isl_dim_in);
    for (int i = 0; i < nd; i++)
        first = put_term(to, first, scaled(isl_aff_get_coefficient_val(a, isl_dim_in, i), den), "",
                         dim[i]);
    for (int i = 0; i < np; i++)
        first = put_term(to, first, scaled(isl_aff_get_coefficient_val(a, isl_dim_param, i), den),
                         "(int64_t)", isl_aff_get_dim_name(a, isl_dim_param, (unsigned)i));
    first = put_divs(a, den, dim, prefix, first, to);
    long c = scaled(isl_aff_get_constant_val(a), den);
    if (first)
        sq_text_printf(to, "%ld", c);
    else if (c)
        sq_text_printf(to, " %c %ld", c < 0 ? '-' : '+', labs(c));
}

void sq_scalar_aff(isl_aff *a, const char *const *dim, const char *prefix, sq_text *to)
{
    isl_val *v = isl_aff_get_denominator_val(a);
    long den = isl_val_get_num_si(v);
    isl_val_free(v);
    if (den != 1)
        sq_text_printf(to, "%sfloord(", prefix);
    put_sum(a, den, dim, prefix, to);
    if (den != 1)
        sq_text_printf(to, ", %ld)", den);
}

static void put_minmax(const char *prefix, const char *ctype, const char *suffix, sq_text *to)
{
    sq_text_line(to, "static inline %s %smin_%s(%s a, %s b) { return a < b ? a : b; }", ctype,
                 prefix, suffix, ctype, ctype);
    sq_text_line(to, "static inline %s %smax_%s(%s a, %s b) { return a > b ? a : b; }", ctype,
                 prefix, suffix, ctype, ctype);
}

void sq_scalar_helpers(const char *prefix, sq_text *to)
{
    sq_text_open(to, "static inline int64_t %sfloord(int64_t n, int64_t d)\n{", prefix);
    sq_text_line(to, "return n >= 0 ? n / d : -((-n + d - 1) / d);");
    sq_text_close(to, "}");
    sq_text_open(to, "static inline int64_t %sclamp(int64_t i, int64_t n)\n{", prefix);
    sq_text_line(to, "return i < 0 ? 0 : i >= n ? n - 1 : i;");
    sq_text_close(to, "}");
    put_minmax(prefix, "float", "f32", to);
    put_minmax(prefix, "double", "f64", to);
    put_minmax(prefix, "int32_t", "i32", to);
    put_minmax(prefix, "int64_t", "i64", to);
}
