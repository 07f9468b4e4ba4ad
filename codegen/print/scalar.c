/* Scalar: expressions and affine forms as C text. Everything is parenthesised: the text is read by
 * compilers, and a wrong precedence would be a wrong result. Literals are printed with as many
 * digits as their type needs to read back unchanged. */
#include "codegen/print/scalar.h"
#include "codegen/nest/fold_comparison.h"
#include "codegen/print/helpers.h"
#include "codegen/isa/strict.h"
#include <inttypes.h>
#include <isl/val.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_wide(const sq_expr *e, const sq_scalar_style *style)
{
    return style->wide || e->type == SQ_F64;
}

/* "1" is an integer in C: appends a decimal point. */
static void ensure_real(sq_text *to, const char *digits, const char *suffix)
{
    bool real = strpbrk(digits, ".eE") != NULL;
    sq_text_printf(to, "%s%s%s", digits, real ? "" : ".0", suffix);
}

void sq_scalar_number(double value, sq_type type, sq_text *to)
{
    sq_text digits = {0};
    bool narrow = sq_type_promoted(type) == SQ_F32;
    if (isnan(value)) {
        sq_text_puts(to, narrow ? "__builtin_nanf(\"\")" : "__builtin_nan(\"\")");
    } else if (isinf(value)) {
        sq_text_printf(to, value < 0 ? "(-%s)" : "%s", narrow ? "__builtin_inff()" : "__builtin_inf()");
    } else {
        sq_text_printf(&digits, narrow ? "%.9g" : "%.17g", value);
        if (value < 0)
            sq_text_puts(to, "(");
        ensure_real(to, sq_text_str(&digits), narrow ? "f" : "");
        if (value < 0)
            sq_text_puts(to, ")");
        sq_text_free(&digits);
    }
}

const char *sq_scalar_identity(sq_type type, sq_op reduce)
{
    if (reduce == SQ_OP_MAX || reduce == SQ_OP_MIN)
        return reduce == SQ_OP_MAX ? sq_type_least(type) : sq_type_greatest(type);
    if (reduce == SQ_OP_BIT_AND)
        return sq_type_unsigned(type) ? sq_type_greatest(type) : "-1";
    return reduce == SQ_OP_MUL ? "1" : "0";
}

static void put_integer(int64_t value, sq_type type, sq_text *to)
{
    if (type == SQ_U64)
        sq_text_printf(to, "UINT64_C(%" PRIu64 ")", (uint64_t)value);
    else if (type == SQ_U32)
        sq_text_printf(to, "%" PRIu32 "u", (uint32_t)value);
    else if (value == INT64_MIN)
        sq_text_puts(to, "INT64_MIN"); /* its digits without the sign exceed int64_t */
    else if (type == SQ_I64)
        sq_text_printf(to, value < 0 ? "(INT64_C(%" PRId64 "))" : "INT64_C(%" PRId64 ")", value);
    else if (value == INT32_MIN)
        sq_text_puts(to, "INT32_MIN");
    else
        sq_text_printf(to, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

void sq_scalar_value(sq_number value, sq_type type, sq_text *to)
{
    if (sq_type_real(type))
        sq_scalar_number(value.real, type, to);
    else
        put_integer(value.integer, type, to);
}

static void put_const(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    sq_type type = sq_type_real(e->type) && is_wide(e, style) ? SQ_F64 : e->type;
    sq_scalar_value((sq_number){e->real, e->integer}, type, to);
}

static const char *shown_ctype(const sq_expr *e, const sq_scalar_style *style)
{
    if (!sq_type_real(e->type))
        return sq_type_ctype(e->type);
    return is_wide(e, style) ? "double" : "float";
}

/* Prints an integer as an argument of odd_i64 and the like; else a number that double represents
 * exactly. */
static void put_exact(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    bool wide = e->type == SQ_I64 || e->type == SQ_U64;
    if (wide)
        sq_text_printf(to, "%sodd_%s(", style->prefix, sq_type_suffix(e->type));
    sq_scalar_expr(e, style, to);
    if (wide)
        sq_text_puts(to, ")");
}

/* Where the result is discontinuous (truncation, comparison), f32 is rounded even if arithmetic is
 * wide. */
static void put_decisive(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    if (style->wide && sq_type_promoted(e->type) == SQ_F32)
        sq_text_puts(to, "(float)");
    sq_scalar_expr(e, style, to);
}

/* A narrowing cast of the user rounds even if arithmetic is wide. */
static void put_cast(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    const sq_expr *from = e->arg[0];
    bool rounds = style->wide && e->type == SQ_F32 && from->type == SQ_F64;
    if (sq_type_stored(e->type)) {
        sq_text_printf(to, "%s%s%s_round(", style->wide ? "(double)" : "", style->prefix,
                       sq_type_suffix(e->type));
        put_exact(from, style, to);
    } else {
        sq_text_printf(to, "((%s)%s", shown_ctype(e, style), rounds ? "(float)" : "");
        if (sq_type_real(e->type))
            sq_scalar_expr(from, style, to);
        else
            put_decisive(from, style, to);
    }
    sq_text_puts(to, ")");
}

void sq_scalar_stored(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    const char *suffix = sq_type_suffix(e->type);
    bool direct =
        e->op != SQ_OP_CAST || (sq_type_promoted(e->arg[0]->type) == SQ_F32 && !style->wide);
    const sq_expr *from = e->op == SQ_OP_CAST ? e->arg[0] : e;
    if (!sq_type_stored(e->type)) {
        sq_scalar_expr(e, style, to);
        return;
    }
    sq_text_printf(to, "%s%s_bits(", style->prefix, suffix);
    if (!direct)
        sq_text_printf(to, "%sodd_f32(", style->prefix);
    else if (style->wide)
        sq_text_puts(to, "(float)");
    put_exact(from, style, to);
    sq_text_puts(to, direct ? ")" : "))");
}

static const char *minmax_suffix(const sq_expr *e, const sq_scalar_style *style)
{
    return sq_type_real(e->type) && is_wide(e, style) ? "f64" : sq_type_suffix(e->type);
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

/* True if arithmetic must wrap around, which C defines only for unsigned integers. */
static bool wraps(const sq_expr *e)
{
    return !sq_type_real(e->type) && !sq_type_unsigned(e->type) &&
           (e->op == SQ_OP_ADD || e->op == SQ_OP_SUB || e->op == SQ_OP_MUL || e->op == SQ_OP_NEG ||
            e->op == SQ_OP_SHL);
}

static void put_wrapping(const sq_expr *e, const char *infix, const sq_scalar_style *style,
                         sq_text *to)
{
    const char *c = sq_type_ctype(e->type), *before = e->nargs == 2 ? "" : "0 ";
    sq_text_printf(to, "((%s)(%s", c, before);
    for (int a = 0; a < e->nargs; a++) {
        sq_text_printf(to, "%s%s%s(u%s)", a ? " " : "", a || e->nargs == 1 ? infix : "",
                       a || e->nargs == 1 ? " " : "", c);
        sq_scalar_expr(e->arg[a], style, to);
    }
    sq_text_puts(to, "))");
}

/* Prints the C library's function, or the one that math.h selects. */
static void put_function(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    const sq_op_info *info = sq_op_get(e->op);
    bool wide = is_wide(e, style);
    if (!style->wide && !style->is_library) {
        sq_text_printf(to, "%s%sx1_", style->prefix, sq_type_suffix(e->type));
        put_call("", info->name, "", e, style, to);
    } else if (e->op == SQ_OP_FLOOR || e->op == SQ_OP_CEIL) {
        sq_text_printf(to, "%s(", info->function[1]);
        put_decisive(e->arg[0], style, to);
        sq_text_puts(to, ")");
    } else if (e->op == SQ_OP_SIGMOID || e->op == SQ_OP_RSQRT) {
        bool root = e->op == SQ_OP_RSQRT;
        sq_text_printf(to, root ? "(1 / sqrt%s(" : "(1 / (1 + exp%s(-", wide ? "" : "f");
        sq_scalar_expr(e->arg[0], style, to);
        sq_text_puts(to, root ? "))" : ")))");
    } else {
        put_call("", info->function[wide], "", e, style, to);
    }
}

static bool compares(sq_op op)
{
    return op == SQ_OP_LT || op == SQ_OP_LE || op == SQ_OP_EQ || op == SQ_OP_NE;
}

/* Prints `(void)a, (void)b, 1`: operands stay used, so that no parameter becomes unused. */
static void put_folded(const sq_expr *e, int folded, const sq_scalar_style *style, sq_text *to)
{
    for (int a = 0; a < 2; a++) {
        sq_text_puts(to, "(void)");
        sq_scalar_expr(e->arg[a], style, to);
        sq_text_puts(to, ", ");
    }
    sq_text_printf(to, "%d", folded);
}

static void put_infix(const sq_expr *e, const char *infix, const sq_scalar_style *style,
                      sq_text *to)
{
    const char *call = sq_rounded_call(style->rounded, e->type, *infix);
    if (wraps(e)) {
        put_wrapping(e, infix, style, to);
        return;
    }
    if (call) {
        put_call("", call, "", e, style, to);
        return;
    }
    int folded = sq_expr_fold_comparison(e);
    sq_text_puts(to, "(");
    if (folded >= 0) {
        put_folded(e, folded, style, to);
    } else if (compares(e->op)) {
        put_decisive(e->arg[0], style, to);
        sq_text_printf(to, " %s ", infix);
        put_decisive(e->arg[1], style, to);
    } else if (e->nargs == 2) {
        sq_scalar_expr(e->arg[0], style, to);
        sq_text_printf(to, " %s ", infix);
        sq_scalar_expr(e->arg[1], style, to);
    } else {
        sq_text_puts(to, infix);
        sq_scalar_expr(e->arg[0], style, to);
    }
    sq_text_puts(to, ")");
}

static void put_scalar(const sq_expr *e, const sq_scalar_style *style, sq_text *to)
{
    bool stored = sq_type_stored(e->type);
    sq_text_puts(to, style->wide && sq_type_promoted(e->type) == SQ_F32 ? "(double)" : "");
    if (stored)
        sq_text_printf(to, "%s%s_get(", style->prefix, sq_type_suffix(e->type));
    sq_text_printf(to, "%s%s", e->scalar->name, stored ? ")" : "");
}

/* Only the selected arm is evaluated, as in C. */
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
        put_scalar(e, style, to);
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
            put_function(e, style, to);
    }
}

/* Prints one term "c*name", with a sign if it is not the first. */
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

/* Returns coefficient times denominator: all terms become integer over one common denominator. */
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

void sq_scalar_helpers(const char *prefix, sq_text *to)
{
    sq_text_open(to, "static inline int64_t %sfloord(int64_t n, int64_t d)\n{", prefix);
    sq_text_line(to, "return n >= 0 ? n / d : -((-n + d - 1) / d);");
    sq_text_close(to, "}");
    sq_text_open(to, "static inline int64_t %sclamp(int64_t i, int64_t n)\n{", prefix);
    sq_text_line(to, "return i < 0 ? 0 : i >= n ? n - 1 : i;");
    sq_text_close(to, "}");
    sq_helpers h = {prefix, "static inline", false, false};
    sq_helpers_print(&h, NULL, to);
}
