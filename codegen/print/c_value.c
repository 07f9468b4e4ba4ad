/* C value: text of values. Everything is parenthesised: the text is read by compilers, and a wrong
 * precedence would be a wrong result. */
#include "codegen/isa/math.h"
#include "codegen/print/c_inside.h"
#include "codegen/print/scalar.h"
#include "codegen/isa/strict.h"
#include <math.h>

typedef sq_c_printer printer;

/* Returns the index of the element in memory, with the coefficients of each stride collected. */
static const sq_code_expr *flat(sq_code_pool *pool, const sq_code_buffer *b,
                                const sq_code_expr *const *index)
{
    const sq_code_expr *sum = sq_code_number(pool, 0);
    for (int d = 0; d < b->ndim; d++)
        sum = sq_code_add(pool, sum, sq_code_mul(pool, index[d], b->stride[d]));
    return sum;
}

/* A subscript may have any integer type: a whole subscript need not be int64_t. */
static void put_inside(const void *user, const sq_code_expr *value, bool alone, sq_text *to)
{
    bool casts = value->op == SQ_CODE_OPERATION && value->operation == SQ_OP_CAST;
    if (alone)
        sq_c_assigned(user, casts ? value->arg[0] : value, to);
    else
        sq_c_value(user, value, to);
}

void sq_c_index(const printer *p, const sq_code_expr *e, sq_code_level level, sq_text *to)
{
    sq_code_put_with(e, level, &(sq_code_values){.put = put_inside, .user = p, .uses = &p->uses}, to);
}

void sq_c_name(const printer *p, const sq_code_buffer *b, sq_text *to)
{
    sq_uses_name(&p->uses, b->name);
    sq_text_puts(to, b->name);
}

void sq_c_element(const printer *p, const sq_code_buffer *b, const sq_code_expr *const *index,
                  sq_text *to)
{
    sq_uses_name(&p->uses, b->name);
    if (b->ndim == 0) {
        sq_text_printf(to, b->storage == SQ_CODE_REGISTER ? "%s" : "(*%s)", b->name);
        return;
    }
    bool by_dimension = p->by_dimension || b->storage == SQ_CODE_REGISTER;
    for (int d = 0; d < b->ndim && by_dimension; d++) {
        sq_text_puts(to, d ? "][" : b->name);
        sq_text_puts(to, d ? "" : "[");
        sq_c_index(p, index[d], SQ_LEVEL_ANY, to);
    }
    if (by_dimension) {
        sq_text_puts(to, "]");
        return;
    }
    const sq_code_expr *at = flat(p->pool, b, index);
    if (!b->extent && at->op == SQ_CODE_SUM && at->nargs + (at->number != 0) > 1 &&
        !sq_code_subtracts(at)) {
        sq_text_puts(to, "*(");
        sq_c_address(p, b, at, to);
        sq_text_puts(to, ")");
        return;
    }
    sq_text_printf(to, "%s[", b->name);
    sq_c_index(p, at, SQ_LEVEL_ANY, to);
    sq_text_puts(to, "]");
}

/* Appends "sq_f16_get(": the call of a helper for a type. */
static void put_helper(const printer *p, const char *form, sq_type type, sq_text *to)
{
    sq_text_printf(to, "%s(", sq_uses_helper(&p->uses, sq_arena_printf(p->pool->arena, form, sq_type_suffix(type))));
}

static void put_load(const printer *p, const sq_code_expr *e, sq_text *to)
{
    bool stored = sq_type_stored(e->type) && e->buffer->storage != SQ_CODE_REGISTER;
    if (stored)
        put_helper(p, "sq_%s_get", e->type, to);
    sq_c_element(p, e->buffer, e->arg, to);
    sq_text_puts(to, stored ? ")" : "");
}

static void put_constant(const sq_code_expr *e, sq_text *to)
{
    if (sq_type_real(e->type) && isinf(e->real))
        sq_text_puts(to, e->real < 0 ? sq_type_least(e->type) : sq_type_greatest(e->type));
    else
        sq_scalar_value((sq_number){e->real, e->number}, e->type, to);
}

static void put_scalar(const printer *p, const sq_code_expr *e, sq_text *to)
{
    bool stored = sq_type_stored(e->type);
    if (stored)
        put_helper(p, "sq_%s_get", e->type, to);
    sq_uses_name(&p->uses, e->name);
    sq_text_puts(to, e->name);
    sq_text_puts(to, stored ? ")" : "");
}

/* Prints the condition of a "?:". */
static void put_condition(const printer *p, const sq_code_expr *e, sq_text *to)
{
    if (sq_code_is_index(e))
        sq_code_put(e, SQ_LEVEL_OR, &p->uses, to);
    else
        sq_c_value(p, e, to);
}

static void put_select(const printer *p, const sq_code_expr *e, sq_text *to)
{
    sq_text_puts(to, "(");
    put_condition(p, e->arg[0], to);
    sq_text_puts(to, " ? ");
    sq_c_value(p, e->arg[1], to);
    sq_text_puts(to, " : ");
    sq_c_value(p, e->arg[2], to);
    sq_text_puts(to, ")");
}

static void put_call(const printer *p, const char *function, const sq_code_expr *e, sq_text *to)
{
    sq_text_printf(to, "%s(", function);
    for (int a = 0; a < e->nargs; a++) {
        sq_text_puts(to, a ? ", " : "");
        sq_c_value(p, e->arg[a], to);
    }
    sq_text_puts(to, ")");
}

/* Prints an integer as an argument of odd_i64 and the like; else a number that double represents
 * exactly. */
static void put_exact(const printer *p, const sq_code_expr *e, sq_text *to)
{
    bool wide = e->type == SQ_I64 || e->type == SQ_U64;
    if (wide)
        put_helper(p, "sq_odd_%s", e->type, to);
    sq_c_value(p, e, to);
    sq_text_puts(to, wide ? ")" : "");
}

static void put_cast(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const sq_code_expr *from = e->arg[0];
    if (sq_type_stored(e->type)) {
        put_helper(p, "sq_%s_round", e->type, to);
        put_exact(p, from, to);
        sq_text_puts(to, ")");
    } else if (sq_code_is_index(from)) {
        sq_text_printf(to, "(%s)", sq_type_ctype(e->type));
        sq_code_put(from, SQ_LEVEL_UNARY, &p->uses, to);
    } else {
        sq_text_printf(to, "((%s)", sq_type_ctype(e->type));
        sq_c_value(p, from, to);
        sq_text_puts(to, ")");
    }
}

bool sq_c_has_bits(const sq_code_expr *e)
{
    switch (e->op) {
    case SQ_CODE_LOAD:
        return e->buffer->storage != SQ_CODE_REGISTER || e->buffer->is_bits;
    case SQ_CODE_LOAD_LANES:
        return true;
    case SQ_CODE_EXTRACT:
        return sq_c_has_bits(e->arg[0]);
    case SQ_CODE_SELECT:
        return e->lanes == 1 && sq_c_has_bits(e->arg[1]) && sq_c_has_bits(e->arg[2]);
    case SQ_CODE_CONSTANT:
        return e->real == 0 && !signbit(e->real);
    default:
        return false;
    }
}

void sq_c_bits(const printer *p, const sq_code_expr *e, sq_text *to)
{
    switch (e->op) {
    case SQ_CODE_LOAD:
        sq_c_element(p, e->buffer, e->arg, to);
        break;
    case SQ_CODE_LOAD_LANES:
        sq_c_lanes(p, e, to);
        break;
    case SQ_CODE_EXTRACT:
        sq_c_bits(p, e->arg[0], to);
        sq_text_printf(to, p->target->language->extension ? "[%lld]" : ".v[%lld]", (long long)e->number);
        break;
    case SQ_CODE_SELECT:
        put_condition(p, e->arg[0], to);
        sq_text_puts(to, " ? ");
        sq_c_bits(p, e->arg[1], to);
        sq_text_puts(to, " : ");
        sq_c_bits(p, e->arg[2], to);
        break;
    default:
        sq_text_puts(to, "0");
    }
}

void sq_c_stored(const printer *p, const sq_code_expr *e, sq_text *to)
{
    bool cast = e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_CAST;
    const sq_code_expr *from = cast ? e->arg[0] : e;
    bool direct = !cast || sq_type_promoted(from->type) == SQ_F32;
    if (!sq_type_stored(e->type)) {
        sq_c_assigned(p, e, to);
        return;
    }
    if (sq_c_has_bits(e) && e->op != SQ_CODE_CONSTANT) {
        sq_c_bits(p, e, to);
        return;
    }
    put_helper(p, "sq_%s_bits", e->type, to);
    if (!direct)
        put_helper(p, "sq_odd_%s", SQ_F32, to);
    put_exact(p, from, to);
    sq_text_puts(to, direct ? ")" : "))");
}

/* True if arithmetic must wrap around, which C defines only for unsigned types as wide as int or
 * wider: narrower ones are computed in int, whose excess bits are cut off, and whose products may
 * overflow. */
static bool wraps(const sq_code_expr *e)
{
    bool grows = e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB ||
                 e->operation == SQ_OP_MUL || e->operation == SQ_OP_NEG ||
                 e->operation == SQ_OP_SHL;
    return !sq_type_real(e->type) &&
           (sq_type_bytes(e->type) < 4 || (grows && !sq_type_unsigned(e->type)));
}

/* Returns the unsigned type to compute in. */
static const char *wrapping_ctype(const sq_code_expr *e)
{
    bool in_int = sq_type_bytes(e->type) < 4;
    if (in_int && (e->operation == SQ_OP_MUL || e->operation == SQ_OP_SHL))
        return "(uint32_t)";
    return in_int ? "" : e->type == SQ_I64 ? "(uint64_t)" : "(uint32_t)";
}

static void put_wrapping(const printer *p, const sq_code_expr *e, const char *infix, sq_text *to)
{
    const char *in = wrapping_ctype(e);
    sq_text_printf(to, "((%s)(%s", sq_type_ctype(e->type), e->operation == SQ_OP_NEG ? "0 " : "");
    for (int a = 0; a < e->nargs; a++) {
        bool between = a || e->nargs == 1;
        sq_text_printf(to, "%s%s%s%s", a ? " " : "", between ? infix : "",
                       a || e->operation == SQ_OP_NEG ? " " : "", in);
        sq_c_value(p, e->arg[a], to);
    }
    sq_text_puts(to, "))");
}

/* True if e is printed as a sign and a name: another sign in front would make it "--". */
static bool has_sign(const sq_code_expr *e)
{
    return e->op == SQ_CODE_CONSTANT && sq_type_real(e->type) && isinf(e->real) && e->real < 0;
}

static void put_infix(const printer *p, const sq_code_expr *e, const char *infix, bool alone,
                      sq_text *to)
{
    const char *call = sq_rounded_call(p->rounded, e->type, *infix);
    if (wraps(e)) {
        put_wrapping(p, e, infix, to);
    } else if (call) {
        put_call(p, call, e, to);
    } else {
        sq_text_puts(to, alone ? "" : "(");
        if (e->nargs == 2)
            sq_c_value(p, e->arg[0], to);
        const sq_code_expr *last = e->arg[e->nargs - 1];
        bool in_brackets = e->nargs == 1 && has_sign(last);
        sq_text_printf(to, e->nargs == 2 ? " %s " : "%s", infix);
        sq_text_puts(to, in_brackets ? "(" : "");
        sq_c_value(p, last, to);
        sq_text_printf(to, "%s%s", in_brackets ? ")" : "", alone ? "" : ")");
    }
}

/* Returns the name of a function of one value, which is marked as used. */
static const char *function_of(const printer *p, const sq_code_expr *e)
{
    if (p->shape)
        return sq_math_name(p->shape(p->shapes, e->type, 1), e->operation, p->pool->arena);
    return sq_arena_printf(p->pool->arena, "sq_%sx1_%s", sq_type_suffix(e->type),
                           sq_op_get(e->operation)->name);
}

static void put_operation(const printer *p, const sq_code_expr *e, bool alone, sq_text *to)
{
    const sq_op_info *info = sq_op_get(e->operation);
    const char *suffix = sq_type_suffix(e->type);
    bool max = e->operation == SQ_OP_MAX;
    if (e->operation == SQ_OP_CAST)
        put_cast(p, e, to);
    else if (max || e->operation == SQ_OP_MIN)
        put_call(p, sq_uses_helper(&p->uses, sq_arena_printf(p->pool->arena, "sq_%s_%s", max ? "max" : "min", suffix)),
                 e, to);
    else if (info->infix[0])
        put_infix(p, e, info->infix, alone, to);
    else
        put_call(p, function_of(p, e), e, to);
}

/* Types narrower than int, in which nothing overflows. */
static void put_average(const printer *p, const sq_code_expr *e, sq_text *to)
{
    sq_text_printf(to, "((%s)((", sq_type_ctype(e->type));
    sq_c_value(p, e->arg[0], to);
    sq_text_puts(to, " + ");
    sq_c_value(p, e->arg[1], to);
    sq_text_puts(to, " + 1) >> 1))");
}

static void put_comma(const printer *p, const sq_code_expr *e, sq_text *to)
{
    sq_text_puts(to, "(");
    for (int i = 0; i < e->nargs; i++) {
        sq_text_printf(to, "%s%s", i ? ", " : "", i < e->nargs - 1 ? "(void)" : "");
        sq_c_value(p, e->arg[i], to);
    }
    sq_text_puts(to, ")");
}

static void put_value(const printer *p, const sq_code_expr *e, bool alone, sq_text *to)
{
    if (e->lanes > 1) {
        sq_c_vector(p, e, alone, to);
        return;
    }
    switch (e->op) {
    case SQ_CODE_CONSTANT:
        put_constant(e, to);
        break;
    case SQ_CODE_SCALAR:
        put_scalar(p, e, to);
        break;
    case SQ_CODE_LOAD:
        put_load(p, e, to);
        break;
    case SQ_CODE_OPERATION:
        if (e->operation == SQ_OP_AVERAGE)
            put_average(p, e, to);
        else
            put_operation(p, e, alone, to);
        break;
    case SQ_CODE_FMA:
    case SQ_CODE_LOAD_WORDS:
    case SQ_CODE_PAIRS:
    case SQ_CODE_ADD_LANES:
    case SQ_CODE_EXTRACT:
        sq_c_vector(p, e, alone, to);
        break;
    case SQ_CODE_COMMA:
        put_comma(p, e, to);
        break;
    case SQ_CODE_SELECT:
        put_select(p, e, to);
        break;
    default:
        sq_code_put(e, SQ_LEVEL_UNARY, &p->uses, to);
    }
}

void sq_c_value(const printer *p, const sq_code_expr *e, sq_text *to)
{
    put_value(p, e, false, to);
}

void sq_c_assigned(const printer *p, const sq_code_expr *e, sq_text *to)
{
    put_value(p, e, true, to);
}
