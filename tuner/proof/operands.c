/* Operands: see operands.h. In a chain `a && b && c` each operand must be false once, and the last
 * one true: the others were true when it was evaluated. For `a || b` it is the other way round. */
#include "tuner/proof/operands.h"
#include <ctype.h>
#include <string.h>

/* The outcomes of an expression that must occur. */
typedef struct outcome {
    bool yes, no;
} outcome;

static const outcome both = {true, true};

static void expression(sq_operands *o, int from, int to, outcome want);
static void value(sq_operands *o, int from, int to, outcome want);
static void node(sq_operands *o, int from, int to, outcome want);

static const sq_token *at(const sq_operands *o, int i)
{
    return &o->token[i];
}

/* ---- punctuators ---- */

static int past(const sq_operands *o, int i)
{
    return (o->pair[i] > i ? o->pair[i] : i) + 1;
}

/* True if a declaration in front of token i makes the name a type: `typedef long name;` */
static bool is_type_name(const sq_operands *o, int i)
{
    const sq_token *name = at(o, i);
    for (int t = 0, is_typedef = 0; t < i; t++) {
        is_typedef =
            !sq_token_is(at(o, t), ";") && (is_typedef || sq_token_is(at(o, t), "typedef"));
        if (is_typedef && at(o, t)->n == name->n && sq_token_is(at(o, t + 1), ";") &&
            memcmp(at(o, t)->at, name->at, (size_t)name->n) == 0)
            return true;
    }
    return false;
}

/* True if the bracket that token i closes is a cast: `(void *)`, `(long)`, `(uintptr_t)`; false for
 * `sizeof(long)`. */
static bool is_cast(const sq_operands *o, int i)
{
    static const char *const words[] = {"int", "long", "unsigned", "signed", "size_t", NULL};
    if (!sq_token_is(at(o, i), ")"))
        return false;
    const sq_token *last = at(o, i - 1), *before = at(o, o->pair[i] - 1);
    if (before->kind == SQ_TOKEN_WORD && !sq_token_is(before, "return"))
        return false;
    if (sq_token_is(last, "*") || sq_token_is_one_of(last, words))
        return true;
    return o->pair[i] == i - 2 && last->kind == SQ_TOKEN_WORD &&
           !isdigit((unsigned char)*last->at) && is_type_name(o, i - 1);
}

/* True if the text that ends with token i is a value: `a`, `f(x)`, `x[2]`. */
static bool ends_value(const sq_operands *o, int i)
{
    const sq_token *t = at(o, i);
    if (t->kind == SQ_TOKEN_MARK)
        return strchr(")]}", *t->at) && !is_cast(o, i);
    return !sq_token_is(t, "return");
}

/* True for `&&` or `||` at token i, as a binary operator: `&&label` of GNU C is a value. */
static bool is_double(const sq_operands *o, int i, const char *mark)
{
    return sq_token_is(at(o, i), mark) && sq_token_is(at(o, i + 1), mark) &&
           at(o, i)->at + 1 == at(o, i + 1)->at && ends_value(o, i - 1);
}

/* Returns the first such operator outside of brackets; `to`: none. */
static int find_double(const sq_operands *o, int from, int to, const char *mark)
{
    while (from < to && !is_double(o, from, mark))
        from = past(o, from);
    return from < to ? from : to;
}

static int find_one(const sq_operands *o, int from, int to, const char *mark)
{
    while (from < to && !sq_token_is(at(o, from), mark))
        from = past(o, from);
    return from < to ? from : to;
}

/* True for `=`, `+=`, `<<=`, not for comparisons. */
static bool is_assignment(const sq_token *t)
{
    if (!sq_token_is(t, "=") || sq_token_is(t + 1, "="))
        return false;
    char before = t->at[-1];
    return !strchr("=!<>", before) || (strchr("<>", before) && t->at[-2] == before);
}

/* Returns the position behind the last assignment or `return` outside of brackets. */
static int value_start(const sq_operands *o, int from, int to)
{
    int start = from;
    for (int i = from; i < to; i = past(o, i))
        if (is_assignment(at(o, i)) || sq_token_is(at(o, i), "return"))
            start = i + 1;
    return start;
}

/* ---- unevaluated operands ---- */

/* True if brackets after this word must contain a constant, or are not evaluated. */
static bool is_unevaluated(const sq_token *t)
{
    static const char *const words[] = {"sizeof",
                                        "typeof",
                                        "__typeof__",
                                        "__typeof",
                                        "_Alignof",
                                        "__alignof__",
                                        "_Alignas",
                                        "_Generic",
                                        "_Static_assert",
                                        "__attribute__",
                                        "__attribute",
                                        "__builtin_choose_expr",
                                        "__builtin_constant_p",
                                        "__builtin_types_compatible_p",
                                        "asm",
                                        "__asm",
                                        "__asm__",
                                        NULL};
    return sq_token_is_one_of(t, words);
}

/* True if a statement begins there whose values must be constant: a declaration's or
 * assembler's. */
static bool is_constant_statement(const sq_token *t)
{
    static const char *const words[] = {
        "static", "typedef", "extern",  "enum", "_Thread_local", "__thread", "_Static_assert",
        "asm",    "__asm",   "__asm__", NULL};
    return sq_token_is_one_of(t, words);
}

/* True for numbers and sizes of types only. */
static bool is_constant(const sq_operands *o, int from, int to)
{
    for (int i = from; i < to; i++) {
        if (is_unevaluated(at(o, i)))
            i = past(o, i + 1) - 1;
        else if (at(o, i)->kind != SQ_TOKEN_MARK && !isdigit((unsigned char)*at(o, i)->at))
            return false;
    }
    return true;
}

/* Visits what is inside of brackets. */
static void inside(sq_operands *o, int from, int to)
{
    for (int i = from; i < to; i = past(o, i))
        if (o->pair[i] > i && (i == from || !is_unevaluated(at(o, i - 1))))
            expression(o, i + 1, o->pair[i], both);
}

/* ---- operators ---- */

static void push_guard(sq_operands *o, int from, int to, bool holds)
{
    o->guard = sq_arena_grow(o->arena, o->guard, o->nguards, &o->guards_room, sizeof *o->guard);
    o->guard[o->nguards] = (sq_guard){from, to, holds, o->at};
    o->at = o->nguards++;
}

static void decide(sq_operands *o, int from, int to, outcome want, bool is_kept)
{
    if ((want.yes || want.no) && !is_constant(o, from, to)) {
        o->of = sq_arena_grow(o->arena, o->of, o->n, &o->room, sizeof *o->of);
        o->of[o->n++] = (sq_branch_operand){from, to, want.yes, want.no, is_kept, o->at};
    }
    inside(o, from, to);
}

/* Adds the operands of `&&` or `||`: each must determine the result once, the last one in both ways
 * if the whole must. */
static void chain(sq_operands *o, int from, int to, const char *mark, outcome want)
{
    bool is_and = *mark == '&';
    int kept = o->at;
    for (int i = from; i < to;) {
        int end = find_double(o, i, to, mark);
        outcome one = {!is_and || (end == to && want.yes), is_and || (end == to && want.no)};
        if (i > from)
            push_guard(o, from, i - 2, is_and);
        node(o, i, end, one);
        o->at = kept;
        i = end + 2;
    }
}

/* For "!(a && b)": returns the bracket, with *negated flipped by each `!`; -1: it is something
 * else. */
static int open_bracket(const sq_operands *o, int from, int to, bool *negated)
{
    while (from < to && sq_token_is(at(o, from), "!")) {
        *negated = !*negated;
        from++;
    }
    if (from >= to || !sq_token_is(at(o, from), "(") || o->pair[from] != to - 1)
        return -1;
    for (int i = from + 1; i < to - 1; i = past(o, i))
        if (sq_token_is(at(o, i), "?") || sq_token_is(at(o, i), ",") ||
            sq_token_is(at(o, i), "{") || is_assignment(at(o, i)))
            return -1;
    return from;
}

/* Adds a condition: a chain, one in brackets, or a single operand. */
static void node(sq_operands *o, int from, int to, outcome want)
{
    bool negated = false;
    int open;
    if (find_double(o, from, to, "|") < to)
        chain(o, from, to, "|", want);
    else if (find_double(o, from, to, "&") < to)
        chain(o, from, to, "&", want);
    else if ((open = open_bracket(o, from, to, &negated)) >= 0)
        node(o, open + 1, to - 1, negated ? (outcome){want.no, want.yes} : want);
    else
        decide(o, from, to, want, false);
}

/* Visits `a ? b : c`, whose ? is token q. */
static void choice(sq_operands *o, int from, int q, int to)
{
    int kept = o->at, colon = q + 1, depth = 0;
    for (; colon < to && (depth || !sq_token_is(at(o, colon), ":")); colon = past(o, colon))
        depth += sq_token_is(at(o, colon), "?") - sq_token_is(at(o, colon), ":");
    if (colon == q + 1)
        decide(o, from, q, both, true);
    else
        node(o, from, q, both);
    push_guard(o, from, q, true);
    expression(o, q + 1, colon, both);
    o->at = kept;
    push_guard(o, from, q, false);
    value(o, colon + 1, to, both);
    o->at = kept;
}

/* Visits an expression without commas. */
static void value(sq_operands *o, int from, int to, outcome want)
{
    int q = find_one(o, from, to, "?"), start = value_start(o, from, q);
    inside(o, from, start);
    if (q < to)
        choice(o, start, q, to);
    else if (find_double(o, start, to, "&") < to || find_double(o, start, to, "|") < to)
        node(o, start, to, want);
    else
        inside(o, start, to);
}

static void expression(sq_operands *o, int from, int to, outcome want)
{
    for (int i = from; i < to;) {
        int end = i;
        while (end < to && !sq_token_is(at(o, end), ",") && !sq_token_is(at(o, end), ";"))
            end = past(o, end);
        if (!is_constant_statement(at(o, i)))
            value(o, i, end, end == to ? want : both);
        i = end + 1;
    }
}

void sq_operands_find(sq_operands *o, int from, int to)
{
    o->at = -1;
    if (!is_constant_statement(at(o, from)))
        expression(o, from, to, both);
}

void sq_operands_of_condition(sq_operands *o, int from, int to)
{
    o->at = -1;
    expression(o, from, to, (outcome){false, false});
}
