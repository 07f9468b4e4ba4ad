/* Affine: see affine.h. A recursive-descent parser, with one function for each level of
 * precedence. */
#include "tuner/proof/affine.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 14, MOST_NESTED = 200 };

typedef struct value {
    const char *text;
    bool is_truth; /* a condition, else a number */
    int bits;
    bool is_constant;
    int64_t constant;
} value;

static value conditional(sq_affine *a);
static value unary(sq_affine *a);

static const sq_token *now(const sq_affine *a)
{
    return &a->b->token[a->at];
}

static value fail(sq_affine *a)
{
    a->fails = true;
    a->at = a->end;
    return (value){.text = "0", .bits = 32};
}

static bool take(sq_affine *a, const char *mark)
{
    int i = 0;
    for (; mark[i]; i++)
        if (a->at + i >= a->end || !sq_token_mark(now(a) + i, (char[]){mark[i], 0}) ||
            (i && now(a)[i].at != now(a)[i - 1].at + 1))
            return false;
    a->at += i;
    return true;
}

/* Takes one of + - * / % < > that is not part of a longer operator. */
static bool take_single(sq_affine *a, char mark)
{
    const sq_token *t = now(a);
    if (a->at >= a->end || t->kind != SQ_TOKEN_MARK || *t->at != mark)
        return false;
    if (a->at + 1 < a->end && t[1].at == t->at + 1 && sq_token_mark(t + 1, "+-<>=&|"))
        return false;
    a->at++;
    return true;
}

/* Rejects expressions longer than anybody writes. */
static void keep_short(sq_affine *a)
{
    if (a->parts.n + a->overflows.n > MOST_TEXT)
        fail(a);
}

void sq_affine_fits(sq_affine *a, const char *number, int bits)
{
    const char *most = bits == 32 ? "2147483647" : "9223372036854775807";
    sq_text_printf(&a->overflows, " or (%s) > %s or (%s) < -%s - 1", number, most, number, most);
    keep_short(a);
}

static const char *part(sq_affine *a)
{
    keep_short(a);
    return sq_arena_printf(a->arena, "p%d", a->nparts++);
}

/* Returns "p3", which is x under the condition, else y. */
static const char *choice(sq_affine *a, const char *when, const char *x, const char *y)
{
    const char *p = part(a);
    sq_text_printf(&a->parts, " and (((%s) and %s = (%s)) or (not (%s) and %s = (%s)))", when, p, x,
                   when, p, y);
    return p;
}

static value number(sq_affine *a, value v)
{
    if (v.is_truth)
        return (value){.text = choice(a, v.text, "1", "0"), .bits = 32};
    return v;
}

static const char *truth(sq_affine *a, value v)
{
    return v.is_truth ? v.text : sq_arena_printf(a->arena, "((%s) != 0)", v.text);
}

/* ---- operands ---- */

static value constant(sq_affine *a, int64_t n, int bits)
{
    if (n == INT64_MIN)
        return fail(a);
    return (value){.text = sq_arena_printf(a->arena, "(%" PRId64 ")", n),
                   .bits = bits,
                   .is_constant = true,
                   .constant = n};
}

/* Parses "12", "12L", "12LL": decimal and signed. */
static value literal(sq_affine *a)
{
    const sq_token *t = now(a);
    int digits = 0;
    int64_t n = 0;
    bool big = false;
    for (; digits < t->n && isdigit((unsigned char)t->at[digits]); digits++)
        big |=
            __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, t->at[digits] - '0', &n);
    int suffix = t->n - digits;
    bool is_long = suffix && strspn(t->at + digits, "lL") >= (size_t)suffix && suffix <= 2;
    if (big || (*t->at == '0' && digits > 1) || (suffix && !is_long))
        return fail(a);
    a->at++;
    return constant(a, n, suffix || n > INT32_MAX ? 64 : 32);
}

static void use(sq_affine *a, int token)
{
    for (int i = 0; i < a->nuses; i++)
        if (a->use[i].token == token && a->use[i].depth == a->depth)
            return;
    a->use = sq_arena_grow(a->arena, a->use, a->nuses, &a->uses_room, sizeof *a->use);
    a->use[a->nuses++] = (sq_affine_use){token, a->depth};
}

const char *sq_affine_name(sq_affine *a, const sq_name *name)
{
    use(a, name->token);
    return sq_arena_printf(a->arena, "n%d_%d", name->token, a->depth);
}

/* ---- helpers of the emitted text ---- */

/* True if the text of a function, from its parameters on, consists of these tokens; x and y are the
 * names of its parameters. */
static bool is_text(const sq_token *t, const sq_token *x, const sq_token *y, const char *words)
{
    for (; *words; t++) {
        size_t n = strcspn(words, " ");
        bool param = n == 1 && (*words == 'x' || *words == 'y');
        if (param ? !sq_token_same(t, *words == 'x' ? x : y)
                  : (size_t)t->n != n || t->kind == SQ_TOKEN_TEXT || memcmp(t->at, words, n) != 0)
            return false;
        words += n + (words[n] == ' ');
    }
    return true;
}

typedef enum helper { NO_HELPER, MINIMUM, MAXIMUM, FLOOR_OF_QUOTIENT } helper;

static helper helper_of(const sq_affine *a, int function)
{
    static const char head[] = "int64_t x , int64_t y ) { return ";
    static const char *const bodies[] = {[MINIMUM] = "x < y ? x : y ; }",
                                         [MAXIMUM] = "x > y ? x : y ; }",
                                         [FLOOR_OF_QUOTIENT] =
                                             "x > = 0 ? x / y : - ( ( - x + y - 1 ) / y ) ; }"};
    const sq_block_function *f = &a->b->function[function];
    const sq_token *body = &a->b->token[f->first], *x = body - 5, *y = body - 2;
    int list = f->first > 7 ? a->b->pair[f->first - 1] : -1;
    if (list < 2 || f->first - list != 7 || sq_token_same(x, y) ||
        !sq_token_is(&a->b->token[list - 2], "int64_t"))
        return NO_HELPER;
    for (helper h = MINIMUM; h <= FLOOR_OF_QUOTIENT; h++)
        if (is_text(&a->b->token[list + 1], x, y, head) && is_text(body + 2, x, y, bodies[h]))
            return h;
    return NO_HELPER;
}

/* Returns the quotient by a positive constant, rounded down. */
static const char *floor_of(sq_affine *a, const char *x, int64_t by)
{
    const char *p = part(a);
    sq_text_printf(&a->parts, " and 0 <= (%s) - %" PRId64 " %s < %" PRId64, x, by, p, by);
    return p;
}

static value call(sq_affine *a, helper h)
{
    a->at += 2;
    value x = number(a, conditional(a));
    if (!take(a, ","))
        return fail(a);
    value y = number(a, conditional(a));
    if (!take(a, ")"))
        return fail(a);
    value v = {.bits = 64};
    if (h == FLOOR_OF_QUOTIENT) {
        if (!y.is_constant || y.constant <= 0 || y.constant > INT32_MAX)
            return fail(a);
        sq_text_printf(&a->overflows, " or (%s) < -9000000000000000000", x.text);
        v.text = floor_of(a, x.text, y.constant);
    } else {
        v.text = sq_arena_printf(a->arena, "%s((%s), (%s))", h == MINIMUM ? "min" : "max", x.text,
                                 y.text);
    }
    return v;
}

/* ---- levels ---- */

static value primary(sq_affine *a)
{
    const sq_token *t = now(a);
    if (a->at >= a->end)
        return fail(a);
    if (take(a, "(")) {
        value v = conditional(a);
        return take(a, ")") ? v : fail(a);
    }
    if (t->kind == SQ_TOKEN_WORD && isdigit((unsigned char)*t->at))
        return literal(a);
    bool called = a->at + 1 < a->end && sq_token_is(t + 1, "(");
    int f = called && !sq_scope_declares(a->scope, t) ? sq_blocks_function(a->b, t) : -1;
    helper h = f >= 0 ? helper_of(a, f) : NO_HELPER;
    if (h)
        return call(a, h);
    const sq_name *name = called ? NULL : sq_scope_find(a->scope, a->b, a->at);
    if (!name)
        return fail(a);
    a->at++;
    if (a->at < a->end && (sq_token_mark(now(a), "[(.") || take(a, "->")))
        return fail(a);
    return (value){.text = sq_affine_name(a, name), .bits = name->bits};
}

/* Parses `(int64_t)` and `(int)`: returns the width, or 0. */
static int take_cast(sq_affine *a)
{
    const sq_token *t = now(a);
    int bits = a->at + 2 >= a->end             ? 0
               : sq_token_is(t + 1, "int64_t") ? 64
               : sq_token_is(t + 1, "int")     ? 32
                                               : 0;
    if (!bits || !sq_token_is(t, "(") || !sq_token_is(t + 2, ")"))
        return 0;
    a->at += 3;
    return bits;
}

static value operand(sq_affine *a)
{
    int bits = take_cast(a);
    if (bits) {
        value v = number(a, unary(a));
        if (bits < v.bits)
            sq_affine_fits(a, v.text, bits);
        v.bits = bits;
        return v;
    }
    if (take_single(a, '!'))
        return (value){.text = sq_arena_printf(a->arena, "(not %s)", truth(a, unary(a))),
                       .is_truth = true};
    if (take_single(a, '+'))
        return number(a, unary(a));
    if (!take_single(a, '-'))
        return primary(a);
    value v = number(a, unary(a));
    if (v.is_constant)
        return constant(a, -v.constant, v.bits);
    v.text = sq_arena_printf(a->arena, "(-(%s))", v.text);
    sq_affine_fits(a, v.text, v.bits);
    return v;
}

static value unary(sq_affine *a)
{
    value v = ++a->nested > MOST_NESTED ? fail(a) : operand(a);
    a->nested--;
    return v;
}

static int wider(value x, value y)
{
    return x.bits > y.bits ? x.bits : y.bits;
}

static value product(sq_affine *a, value x, value y)
{
    int bits = wider(x, y);
    int64_t n;
    if (!x.is_constant && !y.is_constant)
        return fail(a);
    if (x.is_constant && y.is_constant) {
        if (__builtin_mul_overflow(x.constant, y.constant, &n) ||
            (bits == 32 && (n > INT32_MAX || n < INT32_MIN)))
            return fail(a);
        return constant(a, n, bits);
    }
    value v = {.bits = bits};
    n = x.is_constant ? x.constant : y.constant;
    v.text = sq_arena_printf(a->arena, "(%s%" PRId64 " * (%s))", n < 0 ? "0 - " : "",
                             n < 0 ? -n : n, x.is_constant ? y.text : x.text);
    sq_affine_fits(a, v.text, bits);
    return v;
}

/* Divides by a positive constant; C rounds towards zero. */
static value quotient(sq_affine *a, value x, value y, bool rest)
{
    if (!y.is_constant || y.constant <= 0)
        return fail(a);
    const char *p = part(a);
    int64_t c = y.constant;
    sq_text_printf(&a->parts,
                   " and (((%s) >= 0 and 0 <= (%s) - %" PRId64 " %s < %" PRId64
                   ") or ((%s) < 0 and "
                   "0 <= %" PRId64 " %s - (%s) < %" PRId64 "))",
                   x.text, x.text, c, p, c, x.text, c, p, x.text, c);
    value v = {.text = p, .bits = wider(x, y)};
    if (rest)
        v.text = sq_arena_printf(a->arena, "((%s) - %" PRId64 " %s)", x.text, c, p);
    return v;
}

static value factors(sq_affine *a)
{
    value x = unary(a);
    for (;;) {
        if (take_single(a, '*')) {
            x = number(a, x);
            x = product(a, x, number(a, unary(a)));
        } else if (take_single(a, '/')) {
            x = number(a, x);
            x = quotient(a, x, number(a, unary(a)), false);
        } else if (take_single(a, '%')) {
            x = number(a, x);
            x = quotient(a, x, number(a, unary(a)), true);
        } else {
            return x;
        }
    }
}

static value sum(sq_affine *a)
{
    value x = factors(a);
    for (;;) {
        bool plus = take_single(a, '+');
        if (!plus && !take_single(a, '-'))
            return x;
        x = number(a, x);
        value y = number(a, factors(a));
        int bits = wider(x, y);
        int64_t n;
        if (x.is_constant && y.is_constant) {
            bool over = plus ? __builtin_add_overflow(x.constant, y.constant, &n)
                             : __builtin_sub_overflow(x.constant, y.constant, &n);
            x = over || (bits == 32 && (n > INT32_MAX || n < INT32_MIN)) ? fail(a)
                                                                         : constant(a, n, bits);
            continue;
        }
        x = (value){
            .text = sq_arena_printf(a->arena, "((%s) %c (%s))", x.text, plus ? '+' : '-', y.text),
            .bits = bits};
        sq_affine_fits(a, x.text, bits);
    }
}

static const char *take_comparison(sq_affine *a, bool order)
{
    if (order)
        return take(a, "<=")         ? "<="
               : take(a, ">=")       ? ">="
               : take_single(a, '<') ? "<"
               : take_single(a, '>') ? ">"
                                     : NULL;
    return take(a, "==") ? "=" : take(a, "!=") ? "!=" : NULL;
}

static value comparisons(sq_affine *a, bool order)
{
    value x = order ? sum(a) : comparisons(a, true);
    for (const char *sign; (sign = take_comparison(a, order));) {
        x = number(a, x);
        value y = number(a, order ? sum(a) : comparisons(a, true));
        x = (value){.text = sq_arena_printf(a->arena, "((%s) %s (%s))", x.text, sign, y.text),
                    .is_truth = true};
    }
    return x;
}

static value junction(sq_affine *a, bool both)
{
    value x = both ? comparisons(a, false) : junction(a, true);
    while (take(a, both ? "&&" : "||")) {
        value y = both ? comparisons(a, false) : junction(a, true);
        x = (value){.text = sq_arena_printf(a->arena, "(%s %s %s)", truth(a, x),
                                            both ? "and" : "or", truth(a, y)),
                    .is_truth = true};
    }
    return x;
}

static value conditional(sq_affine *a)
{
    value when = junction(a, false);
    if (!take(a, "?"))
        return when;
    value x = number(a, conditional(a));
    if (!take(a, ":"))
        return fail(a);
    value y = number(a, conditional(a));
    return (value){.text = choice(a, truth(a, when), x.text, y.text), .bits = wider(x, y)};
}

/* Parses all of tokens [from, end). */
static value whole(sq_affine *a, int from, int end)
{
    a->at = from;
    a->end = end;
    value v = conditional(a);
    return a->at == end && from < end ? v : fail(a);
}

const char *sq_affine_number(sq_affine *a, int from, int end, int *bits)
{
    value v = number(a, whole(a, from, end));
    *bits = v.bits;
    return a->fails ? NULL : v.text;
}

const char *sq_affine_truth(sq_affine *a, int from, int end)
{
    const char *text = truth(a, whole(a, from, end));
    return a->fails ? NULL : text;
}

void sq_affine_free(sq_affine *a)
{
    sq_text_free(&a->parts);
    sq_text_free(&a->overflows);
}
