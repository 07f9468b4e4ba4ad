/* Text: prints expressions as C, with as few parentheses as a person would write. */
#include "codegen/code/code.h"
#include "support/diag.h"
#include <inttypes.h>
#include <string.h>

typedef struct form {
    const char *infix; /* NULL: a function call */
    const char *call;  /* the helper */
    sq_code_level level;
} form;

static const form forms[] = {
    [SQ_CODE_MUL] = {" * ", NULL, SQ_LEVEL_PRODUCT},
    [SQ_CODE_DIV] = {" / ", NULL, SQ_LEVEL_PRODUCT},
    [SQ_CODE_REM] = {" % ", NULL, SQ_LEVEL_PRODUCT},
    [SQ_CODE_FLOORD] = {NULL, "sq_floord", SQ_LEVEL_UNARY},
    [SQ_CODE_MIN] = {NULL, "sq_min", SQ_LEVEL_UNARY},
    [SQ_CODE_MAX] = {NULL, "sq_max", SQ_LEVEL_UNARY},
    [SQ_CODE_CLAMP] = {NULL, "sq_clamp", SQ_LEVEL_UNARY},
    [SQ_CODE_NARROW] = {NULL, NULL, SQ_LEVEL_UNARY},
    [SQ_CODE_SWIZZLED] = {NULL, "sq_swizzled", SQ_LEVEL_UNARY},
    [SQ_CODE_ALIGNED] = {NULL, NULL, SQ_LEVEL_EQUAL},
    [SQ_CODE_EQ] = {" == ", NULL, SQ_LEVEL_EQUAL},
    [SQ_CODE_LT] = {" < ", NULL, SQ_LEVEL_ORDER},
    [SQ_CODE_LE] = {" <= ", NULL, SQ_LEVEL_ORDER},
    [SQ_CODE_GT] = {" > ", NULL, SQ_LEVEL_ORDER},
    [SQ_CODE_GE] = {" >= ", NULL, SQ_LEVEL_ORDER},
    [SQ_CODE_AND] = {" && ", NULL, SQ_LEVEL_AND},
    [SQ_CODE_OR] = {" || ", NULL, SQ_LEVEL_OR},
};

/* Returns the level that argument i needs. gcc warns of && in || without parentheses. */
static sq_code_level level_inside(const sq_code_expr *e, int i)
{
    sq_code_level own = forms[e->op].level;
    if (own <= SQ_LEVEL_AND)
        return SQ_LEVEL_EQUAL;
    return own + (i > 0);
}

static void put_infix(const sq_code_expr *e, const sq_code_values *v, sq_text *to)
{
    for (int i = 0; i < e->nargs; i++) {
        sq_text_puts(to, i ? forms[e->op].infix : "");
        sq_code_put_with(e->arg[i], level_inside(e, i), v, to);
    }
}

static void put_call(const sq_code_expr *e, const sq_code_values *v, sq_text *to)
{
    const char *call = sq_uses_helper(v ? v->uses : NULL, forms[e->op].call);
    const char *prefix = v ? v->helpers : NULL;
    sq_text_printf(to, "%s%s(", prefix ? prefix : "", prefix ? call + strlen("sq_") : call);
    for (int i = 0; i < e->nargs; i++) {
        sq_text_puts(to, i ? ", " : "");
        sq_code_put_with(e->arg[i], SQ_LEVEL_ANY, v, to);
    }
    sq_text_puts(to, ")");
}

static void put_select(const sq_code_expr *e, const sq_code_values *v, sq_text *to)
{
    static const char *const before[] = {"(", " ? ", " : "};
    for (int i = 0; i < 3; i++) {
        sq_text_puts(to, before[i]);
        sq_code_put_with(e->arg[i], i ? SQ_LEVEL_ANY : SQ_LEVEL_OR, v, to);
    }
    sq_text_puts(to, ")");
}

/* Prints "(uintptr_t)(A + i) % 16 == 0". */
static void put_aligned(const sq_code_expr *e, const sq_code_values *v, sq_text *to)
{
    bool first = sq_code_is(e->arg[0], 0);
    sq_uses_name(v ? v->uses : NULL, e->buffer->name);
    sq_text_printf(to, first ? "(uintptr_t)%s" : "(uintptr_t)(%s", e->buffer->name);
    sq_code_put_offset(e->arg[0], v ? v->uses : NULL, to);
    sq_text_printf(to, first ? " %% %" PRId64 " == 0" : ") %% %" PRId64 " == 0", e->number);
}

/* 2 * (a / b) is not 2 * a / b. */
static bool starts_with_quotient(const sq_code_expr *e)
{
    return e->op == SQ_CODE_DIV || e->op == SQ_CODE_REM ||
           (e->op == SQ_CODE_MUL && starts_with_quotient(e->arg[0]));
}

static void put_term(int64_t coef, const sq_code_expr *e, const sq_code_values *v, sq_text *to)
{
    uint64_t size = coef < 0 ? -(uint64_t)coef : (uint64_t)coef;
    if (size != 1)
        sq_text_printf(to, "%" PRIu64 " * ", size);
    sq_code_put_with(e, size != 1 && starts_with_quotient(e) ? SQ_LEVEL_UNARY : SQ_LEVEL_PRODUCT, v,
                     to);
}

static void put_number(int64_t number, bool first, sq_text *to)
{
    if (first)
        sq_text_printf(to, "%" PRId64, number);
    else if (number)
        sq_text_printf(to, " %c %" PRIu64, number < 0 ? '-' : '+',
                       number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/* Prints the added terms first and the number last: j - 8 * i + 3, 3 - i. */
static void put_sum(const sq_code_expr *e, const sq_code_values *v, sq_text *to)
{
    int start = 0;
    while (start < e->nargs && e->coef[start] < 0)
        start++;
    bool number_first = start == e->nargs && e->number > 0;
    if (start == e->nargs)
        start = 0;
    if (number_first)
        put_number(e->number, true, to);
    for (int i = 0; i < e->nargs; i++) {
        int at = i == 0 ? start : i <= start ? i - 1 : i;
        bool first = i == 0 && !number_first;
        sq_text_puts(to, e->coef[at] < 0 ? (first ? "-" : " - ") : (first ? "" : " + "));
        put_term(e->coef[at], e->arg[at], v, to);
    }
    if (!number_first)
        put_number(e->number, false, to);
}

/* Returns the level of the text of a whole expression. */
static sq_code_level level_of(const sq_code_expr *e)
{
    if (e->op == SQ_CODE_SUM) {
        bool one = e->nargs == 1 && e->number == 0;
        return !one ? SQ_LEVEL_SUM : e->coef[0] < 0 ? SQ_LEVEL_SUM : SQ_LEVEL_PRODUCT;
    }
    if (e->op == SQ_CODE_NUMBER)
        return e->number < 0 ? SQ_LEVEL_SUM : SQ_LEVEL_UNARY;
    bool is_whole = e->op == SQ_CODE_NAME || e->op == SQ_CODE_SELECT || e->op == SQ_CODE_POSITION;
    return is_whole ? SQ_LEVEL_UNARY : forms[e->op].level;
}

void sq_code_put_with(const sq_code_expr *e, sq_code_level level, const sq_code_values *v,
                      sq_text *to)
{
    bool parens = level_of(e) < level;
    sq_text_puts(to, parens ? "(" : "");
    switch (e->op) {
    case SQ_CODE_NUMBER:
        sq_text_printf(to, "%" PRId64, e->number);
        break;
    case SQ_CODE_NAME:
        sq_uses_name(v ? v->uses : NULL, e->name);
        sq_text_puts(to, e->name);
        break;
    case SQ_CODE_SUM:
        put_sum(e, v, to);
        break;
    case SQ_CODE_SELECT:
        put_select(e, v, to);
        break;
    case SQ_CODE_POSITION:
        if (!v || !v->put)
            sq_bug("text", "a value stands where only sizes and loop variables can");
        v->put(v->user, e->arg[0], level == SQ_LEVEL_ANY, to);
        break;
    case SQ_CODE_NARROW:
        sq_text_puts(to, e->number ? "(uint32_t)" : "(int)");
        sq_code_put_with(e->arg[0], SQ_LEVEL_UNARY, v, to);
        break;
    case SQ_CODE_ALIGNED:
        put_aligned(e, v, to);
        break;
    default:
        if (forms[e->op].infix)
            put_infix(e, v, to);
        else
            put_call(e, v, to);
    }
    sq_text_puts(to, parens ? ")" : "");
}

void sq_code_put(const sq_code_expr *e, sq_code_level level, const sq_uses *uses, sq_text *to)
{
    sq_code_put_with(e, level, &(sq_code_values){.uses = uses}, to);
}

const char *sq_code_text(const sq_code_expr *e, const sq_uses *uses, sq_arena *arena)
{
    sq_text t = {0};
    sq_code_put(e, SQ_LEVEL_ANY, uses, &t);
    return sq_text_take(&t, arena);
}

const char *sq_code_factor(const sq_code_expr *e, const sq_uses *uses, sq_arena *arena)
{
    sq_text t = {0};
    sq_code_put(e, SQ_LEVEL_UNARY, uses, &t);
    return sq_text_take(&t, arena);
}

void sq_code_put_offset(const sq_code_expr *offset, const sq_uses *uses, sq_text *to)
{
    bool parens = sq_code_subtracts(offset);
    if (sq_code_is(offset, 0))
        return;
    sq_text_puts(to, parens ? " + (" : " + ");
    sq_code_put(offset, SQ_LEVEL_SUM, uses, to);
    sq_text_puts(to, parens ? ")" : "");
}
