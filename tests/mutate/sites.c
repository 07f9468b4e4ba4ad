/* Sites: a lexer of the C that Squall emits, and the faults that fit each of its tokens. */
#include "tests/mutate/mutate.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPACE, NAME, NUMBER, PUNCT };

typedef struct token {
    size_t from, to;
    int kind;
} token;

typedef struct sites {
    const char *text;
    token *token;
    size_t ntokens;
    mutation *m;
    size_t n, cap;
} sites;

static size_t skip_line(const char *s, size_t i)
{
    while (s[i] && (s[i] != '\n' || s[i - 1] == '\\'))
        i++;
    return i;
}

/* Past what is no code: blanks, comments, preprocessor lines, strings. */
static size_t skip(const char *s, size_t i)
{
    for (size_t before = i + 1; before != i;) {
        before = i;
        if (isspace((unsigned char)s[i])) {
            i++;
        } else if (s[i] == '/' && s[i + 1] == '*') {
            const char *end = strstr(s + i, "*/");
            i = end ? (size_t)(end - s) + 2 : strlen(s);
        } else if (s[i] == '/' && s[i + 1] == '/') {
            i = skip_line(s, i);
        } else if (s[i] == '#') {
            /* a self-test is compiled by nobody here: it ends the text */
            i = strncmp(s + i, "#ifdef SQUALL_SELFTEST", 22) == 0 ? strlen(s) : skip_line(s, i);
        } else if (s[i] == '"') {
            for (i++; s[i] && s[i] != '"'; i++)
                i += s[i] == '\\';
            i += s[i] == '"';
        }
    }
    return i;
}

static bool is_exponent_sign(const char *s, size_t i)
{
    bool sign = s[i] == '+' || s[i] == '-';
    return sign && strchr("eEpP", s[i - 1]) && isdigit((unsigned char)s[i + 1]);
}

static token next_token(const char *s, size_t at)
{
    static const char *const two[] = {"<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
                                      "/=", "++", "--", "->", "<<", ">>", "|=", "&="};
    token t = {.from = skip(s, at)};
    size_t i = t.from;
    if (isalpha((unsigned char)s[i]) || s[i] == '_') {
        t.kind = NAME;
        while (isalnum((unsigned char)s[i]) || s[i] == '_')
            i++;
    } else if (isdigit((unsigned char)s[i])) {
        t.kind = NUMBER;
        while (isalnum((unsigned char)s[i]) || s[i] == '.' || is_exponent_sign(s, i))
            i++;
    } else if (s[i]) {
        t.kind = PUNCT;
        i++;
        for (size_t k = 0; k < sizeof two / sizeof *two; k++)
            if (strncmp(s + t.from, two[k], 2) == 0)
                i = t.from + 2;
    }
    t.to = i;
    return t;
}

static bool is(const sites *x, size_t i, const char *word)
{
    const token *t = &x->token[i];
    return i < x->ntokens && t->to - t->from == strlen(word) &&
           strncmp(x->text + t->from, word, t->to - t->from) == 0;
}

static void add(sites *x, const char *kind, size_t from, size_t to, const char *with)
{
    if (x->n == x->cap) {
        x->cap = x->cap ? 2 * x->cap : 1024;
        x->m = realloc(x->m, x->cap * sizeof *x->m);
        if (!x->m)
            abort();
    }
    mutation *m = &x->m[x->n++];
    *m = (mutation){.from = from, .to = to, .kind = kind};
    snprintf(m->with, sizeof m->with, "%s", with);
}

static void add_number(sites *x, const token *t)
{
    char text[64], with[96];
    size_t n = t->to - t->from;
    if (n >= sizeof text)
        return;
    memcpy(text, x->text + t->from, n);
    text[n] = 0;
    if (text[strspn(text, "0123456789")]) { /* 0.5f: a factor */
        snprintf(with, sizeof with, "(%s + 1)", text);
        add(x, "constant up", t->from, t->to, with);
        return;
    }
    long value = strtol(text, NULL, 10);
    snprintf(with, sizeof with, "%ld", value + 1);
    add(x, "constant up", t->from, t->to, with);
    if (value > 0) {
        snprintf(with, sizeof with, "%ld", value - 1);
        add(x, "constant down", t->from, t->to, with);
    }
}

static void add_operator(sites *x, size_t i)
{
    static const char *const to[][3] = {
        {"bound", "<", "<="},     {"bound", "<=", "<"},     {"bound", ">", ">="},
        {"bound", ">=", ">"},     {"bound", "==", "!="},    {"bound", "!=", "=="},
        {"operator", "&&", "||"}, {"operator", "||", "&&"}, {"operator", "+", "-"},
        {"operator", "/", "*"},   {"operator", "+=", "-="}, {"operator", "?", ""},
    };
    for (size_t k = 0; k < sizeof to / sizeof *to; k++)
        if (is(x, i, to[k][1]) && *to[k][2])
            add(x, to[k][0], x->token[i].from, x->token[i].to, to[k][2]);
    bool between = i > 0 && x->token[i - 1].kind != PUNCT && i + 1 < x->ntokens;
    bool value = i > 0 && (x->token[i - 1].kind == NUMBER || is(x, i - 1, ")"));
    if (is(x, i, "-") && (between || value))
        add(x, "operator", x->token[i].from, x->token[i].to, "+");
    if (is(x, i, "*") && (x->token[i - 1].kind == NUMBER || is(x, i - 1, ")")) && between)
        add(x, "operator", x->token[i].from, x->token[i].to, "+");
}

static bool ends_with(const char *s, size_t n, const char *end)
{
    size_t k = strlen(end);
    return n >= k && strncmp(s + n - k, end, k) == 0;
}

/* A_s0 -> (A_s0 + 1); `, n)` of a masked access -> `, n - 1)`. */
static void add_name(sites *x, size_t i)
{
    const token *t = &x->token[i];
    char with[64];
    size_t n = t->to - t->from;
    const char *s = x->text + t->from;
    bool stride = n > 3 && s[n - 3] == '_' && s[n - 2] == 's' && isdigit((unsigned char)s[n - 1]);
    bool declared = i > 0 && x->token[i - 1].kind == NAME;
    bool unused = i > 2 && is(x, i - 1, ")") && is(x, i - 2, "void");
    bool called = is(x, i + 1, "("); /* a tile's function may be called so */
    if (stride && !declared && !unused && !called && n < 40) {
        snprintf(with, sizeof with, "(%.*s + 1)", (int)n, s);
        add(x, "stride", t->from, t->to, with);
    }
    bool part = ends_with(s, n, "load_part") || ends_with(s, n, "store_part"),
         masked = part || ends_with(s, n, "load_n") || ends_with(s, n, "store_n");
    if (masked && is(x, i + 1, "(") && !declared) {
        size_t depth = 0, j = i + 1, comma = j;
        for (; j < x->ntokens; j++) {
            depth += is(x, j, "(");
            depth -= is(x, j, ")");
            if (depth == 1 && is(x, j, ","))
                comma = j;
            if (depth == 0)
                break;
        }
        if (part && j < x->ntokens) /* the number of lanes is in front of the flag */
            j = comma;
        if (j < x->ntokens)
            add(x, "mask", x->token[j].from, x->token[j].from, " - 1");
    }
}

/* Statements without declarations: `name = …;` `name += …;` `*(…) = …;` `f(…);` */
static void add_dropped(sites *x, size_t i)
{
    bool begins = is(x, i - 1, ";") || is(x, i - 1, "{") || is(x, i - 1, "}");
    bool declares = x->token[i].kind == NAME && i + 1 < x->ntokens &&
                    (x->token[i + 1].kind == NAME || is(x, i + 1, "*"));
    if (!begins || declares || (x->token[i].kind != NAME && !is(x, i, "*")))
        return;
    if (ends_with(x->text + x->token[i].from, x->token[i].to - x->token[i].from, "_give"))
        return; /* memory that is kept for the next call: no result depends on it */
    static const char *const words[] = {"for",    "if",      "return", "else",     "while",
                                        "static", "typedef", "const",  "continue", "break"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is(x, i, words[k]))
            return;
    size_t end = i;
    while (end < x->ntokens && !is(x, end, ";") && !is(x, end, "{"))
        end++;
    if (end < x->ntokens && is(x, end, ";"))
        add(x, "dropped", x->token[i].from, x->token[end].from, "");
}

static void lex(sites *x)
{
    size_t cap = 0;
    for (size_t at = 0;;) {
        token t = next_token(x->text, at);
        if (t.to == t.from)
            return;
        if (x->ntokens == cap) {
            cap = cap ? 2 * cap : 4096;
            x->token = realloc(x->token, cap * sizeof *x->token);
            if (!x->token)
                abort();
        }
        x->token[x->ntokens++] = t;
        at = t.to;
    }
}

/* Does a function that begins with token i manage memory, or ask whether sizes keep the contract?
 * Faults there change no result of a call that keeps it; tests/host and tests/fault look at them. */
static bool is_aside(const sites *x, size_t i)
{
    static const char *const ends[] = {"_take",      "_give",      "_drop",    "_start",
                                       "_fits",      "_workspace", "sq_bytes", "sq_times",
                                       "sq_product", "sq_plus",    "sq_lines"};
    for (; i < x->ntokens && !is(x, i, "{"); i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            if (ends_with(x->text + x->token[i].from, x->token[i].to - x->token[i].from, ends[k]))
                return true;
    return false;
}

/* The last token of the declaration, or of the function with its body, that begins with token i. */
static size_t end_of(const sites *x, size_t i)
{
    int depth = 0;
    for (; i < x->ntokens; i++) {
        depth += is(x, i, "{");
        depth -= is(x, i, "}");
        if (depth == 0 && (is(x, i, ";") || is(x, i, "}")))
            break;
    }
    return i;
}

static void add_all(sites *x, size_t from, size_t to)
{
    int parentheses = 0;
    for (size_t i = from; i < to; i++) {
        parentheses += is(x, i, "(");
        parentheses -= is(x, i, ")");
        if (parentheses == 0)
            add_dropped(x, i);
        if (is(x, i - 1, "[") || is(x, i - 1, "typedef"))
            continue;
        if (x->token[i].kind == NUMBER)
            add_number(x, &x->token[i]);
        else if (x->token[i].kind == NAME)
            add_name(x, i);
        else
            add_operator(x, i);
    }
}

/* Only bodies of functions: declarations outside of them change types, not results. */
mutation *mutations_of(const char *text, size_t *n)
{
    sites x = {.text = text};
    lex(&x);
    for (size_t i = 0; i < x.ntokens; i++) {
        size_t end = end_of(&x, i), body = i;
        while (body < end && !is(&x, body, "{"))
            body++;
        if (body < end && !is(&x, i, "typedef") && !is_aside(&x, i))
            add_all(&x, body + 1, end);
        i = end;
    }
    free(x.token);
    *n = x.n;
    return x.m;
}
