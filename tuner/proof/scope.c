/* Scope: see scope.h. One pass finds declarations by the beginnings of statements, a second one the
 * uses of names. */
#include "tuner/proof/scope.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct list {
    int n, room;
    const sq_token **of;
} list;

typedef struct reader {
    const sq_blocks *b;
    const sq_token *t;
    sq_scope *s;
    sq_arena *arena;
    int room;
    list unknown, local;
    bool *declares; /* for each token from `first` on: it declares, or is the step of a loop */
    int first, last;
} reader;

bool sq_token_same(const sq_token *x, const sq_token *y)
{
    return x->n == y->n && memcmp(x->at, y->at, (size_t)x->n) == 0;
}

bool sq_token_mark(const sq_token *t, const char *marks)
{
    return t->kind == SQ_TOKEN_MARK && strchr(marks, *t->at);
}

static bool is_name(const sq_token *t)
{
    return t->kind == SQ_TOKEN_WORD && !isdigit((unsigned char)*t->at);
}

/* ---- statements ---- */

/* Returns the end of the statement that begins at token i. */
static int statement_end(const sq_blocks *b, int i)
{
    const sq_token *t = b->token;
    while (t[i].kind == SQ_TOKEN_DIRECTIVE)
        i++;
    if (sq_token_is(&t[i], "{"))
        return b->pair[i] + 1;
    if (t[i].kind == SQ_TOKEN_WORD && sq_token_is(&t[i + 1], ":"))
        return statement_end(b, i + 2); /* behind a label */
    bool is_if = sq_token_is(&t[i], "if");
    if (is_if || sq_token_is(&t[i], "for") || sq_token_is(&t[i], "while")) {
        int end = sq_token_is(&t[i + 1], "(") ? statement_end(b, b->pair[i + 1] + 1) : i + 1;
        int next = end;
        while (is_if && t[next].kind == SQ_TOKEN_DIRECTIVE)
            next++;
        return is_if && sq_token_is(&t[next], "else") ? statement_end(b, next + 1) : end;
    }
    if (sq_token_is(&t[i], "do"))
        i = statement_end(b, i + 1);
    while (t[i].kind != SQ_TOKEN_END && !sq_token_mark(&t[i], ";)}"))
        i = b->pair[i] > i ? b->pair[i] + 1 : i + 1;
    return i + 1;
}

/* Returns the end of the expression at token i: a comma, a semicolon or a closing bracket. */
static int expression_end(const reader *r, int i)
{
    while (i < r->last && !sq_token_mark(&r->t[i], ",;)}]"))
        i = r->b->pair[i] > i ? r->b->pair[i] + 1 : i + 1;
    return i;
}

/* ---- lists ---- */

static void add_word(reader *r, list *to, const sq_token *t)
{
    to->of = sq_arena_grow(r->arena, to->of, to->n, &to->room, sizeof *to->of);
    to->of[to->n++] = t;
}

static void add_unknown(reader *r, int from, int to)
{
    for (int i = from; i < to; i++)
        if (is_name(&r->t[i]))
            add_word(r, &r->unknown, &r->t[i]);
}

/* Adds names that are declared, but otherwise unknown. */
static void add_locals(reader *r, int from, int to)
{
    add_unknown(r, from, to);
    for (int i = from; i < to; i++)
        if (is_name(&r->t[i]) && !sq_token_is(&r->t[i + 1], "(")) /* that is a function */
            add_word(r, &r->local, &r->t[i]);
}

static sq_name *add_name(reader *r, int token, int bits)
{
    sq_scope *s = r->s;
    s->name = sq_arena_grow(r->arena, s->name, s->n, &r->room, sizeof *s->name);
    s->name[s->n] = (sq_name){.token = token, .bits = bits, .param = -1};
    r->declares[token - r->first] = true;
    add_word(r, &r->local, &r->t[token]);
    return &s->name[s->n++];
}

/* ---- declarations ---- */

/* Parses the type at token *i, which is moved behind it: returns its bits, or 0. */
static int read_type(const reader *r, int *i)
{
    int bits = 0, at = *i;
    at += sq_token_is(&r->t[at], "const");
    bits = sq_token_is(&r->t[at], "int64_t") ? 64 : sq_token_is(&r->t[at], "int") ? 32 : 0;
    at++;
    at += sq_token_is(&r->t[at], "const");
    *i = bits ? at : *i;
    return bits;
}

/* Parses `name = value` from token i on and returns the position behind it; 0: it is something
 * else. */
static int declarator(const reader *r, int i)
{
    if (!is_name(&r->t[i]) || !sq_token_is(&r->t[i + 1], "=") || sq_token_is(&r->t[i + 2], "=") ||
        sq_token_is(&r->t[i + 2], "{"))
        return 0;
    int end = expression_end(r, i + 2);
    return sq_token_mark(&r->t[end], ",;") ? end : 0;
}

/* Adds a declaration: `const int64_t a = 1, b = 2;`, whose scope ends at token `to`. Returns the
 * position of its semicolon, or 0. */
static int add_declaration(reader *r, int i, int to)
{
    int bits = read_type(r, &i), end = bits ? declarator(r, i) : 0, first = i;
    while (end && sq_token_is(&r->t[end], ","))
        end = declarator(r, end + 1);
    if (!end)
        return 0;
    for (int at = first; at < end;) {
        int stop = declarator(r, at);
        sq_name *name = add_name(r, at, bits);
        name->from = at + 1;
        name->to = to;
        name->value = at + 2;
        name->end = stop;
        at = stop + 1;
    }
    return end;
}

/* Skips another declaration: names in it without an initializer become unknown. */
static void skip_declaration(reader *r, int i)
{
    bool in_value = false;
    for (; i < r->last && !sq_token_is(&r->t[i], ";"); i++) {
        if (in_value && r->b->pair[i] > i)
            i = r->b->pair[i];
        else if (sq_token_is(&r->t[i], "=") || sq_token_is(&r->t[i], ","))
            in_value = sq_token_is(&r->t[i], "=");
        else if (!in_value && is_name(&r->t[i]))
            add_locals(r, i, i + 1);
        if (sq_token_is(&r->t[i], "}") && !in_value)
            break;
    }
}

static bool is_declaration(const reader *r, int i)
{
    static const char *const others[] = {"if",    "else",     "for",    "while", "do",   "return",
                                         "break", "continue", "sizeof", "case",  "goto", NULL};
    const sq_token *t = &r->t[i];
    if (!is_name(t) || sq_token_is_one_of(t, others))
        return false;
    if (is_name(t + 1) || sq_token_is(t + 1, "*"))
        return true;
    if (sq_token_is(t, "struct") || sq_token_is(t, "union") || sq_token_is(t, "enum"))
        return true;
    return sq_token_is(t + 1, "(") &&
           (sq_token_is(t + 2, "*") || is_name(&r->t[r->b->pair[i + 1] + 1]));
}

/* Returns the step `i++` or `i += 4` of a loop: tokens [i, end). */
static long step_of(const reader *r, int i, int end)
{
    const sq_token *t = &r->t[i];
    if (end - i == 3 && sq_token_is(t + 1, "+") && sq_token_is(t + 2, "+"))
        return 1;
    bool adds = end - i == 4 && sq_token_is(t + 1, "+") && sq_token_is(t + 2, "=");
    char *stop;
    long by = adds && isdigit((unsigned char)*t[3].at) && *t[3].at != '0' && t[3].n < 10
                  ? strtol(t[3].at, &stop, 10)
                  : 0;
    return by > 0 && stop == t[3].at + t[3].n ? by : 0;
}

/* Parses the header of a `for`, whose bracket is token i. */
static void add_header(reader *r, int i)
{
    int close = r->b->pair[i], before = r->s->n;
    int end = add_declaration(r, i + 1, statement_end(r->b, i - 1)), second = end + 1;
    if (!end) {
        if (is_declaration(r, i + 1))
            skip_declaration(r, i + 1);
        return;
    }
    while (second < close && !sq_token_is(&r->t[second], ";"))
        second++;
    long step = second < close ? step_of(r, second + 1, close) : 0;
    sq_name *name = &r->s->name[before];
    bool alone = r->s->n == before + 1; /* other names may be initialized with its first value */
    if (!step || !alone || !sq_token_same(&r->t[name->token], &r->t[second + 1]))
        return; /* then the step is an ordinary change */
    name->step = step;
    name->condition = end + 1;
    name->condition_end = second;
    r->declares[second + 1 - r->first] = true;
}

/* Parses statements from the bracket at token i to the matching one. */
static void read_body(reader *r, int i)
{
    int *open = SQ_NEW_ARRAY(r->arena, int, r->last - i + 2), depth = 0;
    bool starts = false;
    for (; i < r->last; i++) {
        const sq_token *t = &r->t[i];
        if (sq_token_is(t, "for") && sq_token_is(t + 1, "("))
            add_header(r, i + 1);
        else if (starts && !add_declaration(r, i, r->b->pair[open[depth - 1]]) &&
                 is_declaration(r, i))
            skip_declaration(r, i);
        if (sq_token_is(t, "{"))
            open[depth++] = i;
        depth -= sq_token_is(t, "}");
        if (t->kind != SQ_TOKEN_DIRECTIVE)
            starts = depth > 0 && sq_token_mark(t, "{};");
    }
}

/* Parses the parameters, from the bracket at token i on. */
static void read_params(reader *r, int i)
{
    int close = r->b->pair[i], param = 0;
    for (int from = i + 1; from < close; param++) {
        int end = from, at = from;
        while (end < close && !sq_token_is(&r->t[end], ","))
            end = r->b->pair[end] > end ? r->b->pair[end] + 1 : end + 1;
        int bits = read_type(r, &at);
        if (bits && at + 1 == end && is_name(&r->t[at])) {
            sq_name *name = add_name(r, at, bits);
            name->from = close;
            name->to = r->last;
            name->param = param;
        } else {
            add_locals(r, from, end);
        }
        from = end + 1;
    }
}

/* ---- uses of names ---- */

/* True for `=`, `+=`, `<<=` at token i: not `==`, `<=`. */
static bool assigns(const sq_token *t)
{
    if (sq_token_is(t, "="))
        return !sq_token_is(t + 1, "=") || t[1].at != t->at + 1;
    if (sq_token_mark(t, "+-*/%&|^"))
        return sq_token_is(t + 1, "=");
    return sq_token_mark(t, "<>") && t[1].at == t->at + 1 && *t[1].at == *t->at &&
           sq_token_is(t + 2, "=");
}

/* True for `++` or `--` in tokens t and t + 1. */
static bool steps(const sq_token *t)
{
    return sq_token_mark(t, "+-") && t[1].at == t->at + 1 && *t[1].at == *t->at;
}

bool sq_token_changes(const sq_token *t)
{
    if (sq_token_is(t, "=") && strchr("=!<>", t->at[-1]))
        return false; /* the end of a comparison, or of `<<=`, which is recognized at its beginning */
    return assigns(t) || steps(t);
}

/* True if the address of the expression after token i is taken. */
static bool takes_address(const reader *r, int i)
{
    const sq_token *t = r->t;
    int n = 0;
    for (; i > r->first && sq_token_is(&t[i], "&"); i--)
        n++;
    if (n == 2 && t[i + 1].at + 1 == t[i + 2].at)
        return false; /* `&&` */
    return n > 0 && !(n == 1 && is_name(&t[i]) && !sq_token_is(&t[i], "return"));
}

static bool is_changed(const reader *r, int i)
{
    int from = i, to = i + 1;
    while (from > r->first && sq_token_is(&r->t[from - 1], "(") && sq_token_is(&r->t[to], ")")) {
        from--;
        to++;
    }
    const sq_token *before = &r->t[from] - 2;
    return assigns(&r->t[to]) || steps(&r->t[to]) || (from - 2 >= r->first && steps(before)) ||
           takes_address(r, from - 1);
}

/* Marks names that a pragma makes private to threads. */
static void read_directive(reader *r, const sq_token *t)
{
    static const char *const clauses[] = {"private", "reduction", "linear", "copyin", "map("};
    bool copies = false;
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
        copies |= memmem(t->at, (size_t)t->n, clauses[i], strlen(clauses[i])) != NULL;
    for (const char *p = t->at, *end = t->at + t->n; copies && p < end; p++) {
        const char *from = p;
        while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
            p++;
        if (p == from)
            continue;
        sq_token *word = SQ_NEW(r->arena, sq_token);
        *word = (sq_token){.kind = SQ_TOKEN_WORD, .at = from, .n = (int)(p - from)};
        add_word(r, &r->unknown, word);
    }
}

static int statement_begin(const reader *r, int i)
{
    while (i > r->first && !sq_token_mark(&r->t[i - 1], ";{}"))
        i--;
    return i;
}

static void read_changes(reader *r)
{
    static const char *const jumps[] = {
        "goto",        "switch",           "setjmp",  "_setjmp",           "sigsetjmp",
        "__sigsetjmp", "__builtin_setjmp", "longjmp", "__builtin_longjmp", "__label__",
        NULL};
    /* Words that may change a name, or take its address, without an operator beside it. */
    static const char *const veils[] = {
        "asm",    "__asm",    "__asm__", "__extension__", "_Generic", "__builtin_choose_expr",
        "__real", "__real__", "__imag",  "__imag__",      NULL};
    for (int i = r->first; i < r->last; i++) {
        const sq_token *t = &r->t[i];
        if (t->kind == SQ_TOKEN_DIRECTIVE)
            read_directive(r, t);
        else if (sq_token_is_one_of(t, veils))
            add_unknown(r, statement_begin(r, i), statement_end(r->b, i));
        else if (is_name(t) && !r->declares[i - r->first] && is_changed(r, i))
            add_word(r, &r->unknown, t);
        r->s->jumps |= sq_token_is_one_of(t, jumps);
    }
}

/* ---- lookup ---- */

static int by_spelling(const sq_token *x, const sq_token *y)
{
    int order = memcmp(x->at, y->at, (size_t)(x->n < y->n ? x->n : y->n));
    return order ? order : x->n - y->n;
}

static int by_word(const void *x, const void *y)
{
    return by_spelling(*(const sq_token *const *)x, *(const sq_token *const *)y);
}

static int by_name(const void *x, const void *y, void *token)
{
    const sq_name *a = x, *b = y;
    const sq_token *t = token;
    int order = by_spelling(&t[a->token], &t[b->token]);
    return order ? order : a->token - b->token;
}

static bool is_in(const sq_token *const *sorted, int n, const sq_token *t)
{
    return n && bsearch(&t, sorted, (size_t)n, sizeof t, by_word);
}

static bool is_unknown(const sq_scope *s, const sq_token *t)
{
    return is_in(s->unknown, s->nunknown, t);
}

/* Returns the first entry with this spelling; s->n: none. */
static int first_of(const sq_scope *s, const sq_blocks *b, const sq_token *t)
{
    int from = 0, to = s->n;
    while (from < to) {
        int at = (from + to) / 2;
        if (by_spelling(&b->token[s->name[at].token], t) < 0)
            from = at + 1;
        else
            to = at;
    }
    return from < s->n && sq_token_same(&b->token[s->name[from].token], t) ? from : s->n;
}

const sq_name *sq_scope_find(const sq_scope *s, const sq_blocks *b, int i)
{
    const sq_token *t = &b->token[i];
    const sq_name *found = NULL;
    if (t->kind != SQ_TOKEN_WORD || is_unknown(s, t))
        return NULL;
    for (int k = first_of(s, b, t); k < s->n && sq_token_same(&b->token[s->name[k].token], t); k++)
        if (s->name[k].from <= i && i < s->name[k].to)
            found = &s->name[k]; /* the last one is the innermost */
    return found && s->jumps && found->param < 0 ? NULL : found;
}

const sq_name *sq_scope_param(const sq_scope *s, const sq_blocks *b, int param)
{
    for (int k = 0; k < s->n; k++)
        if (s->name[k].param == param)
            return is_unknown(s, &b->token[s->name[k].token]) ? NULL : &s->name[k];
    return NULL;
}

bool sq_scope_declares(const sq_scope *s, const sq_token *t)
{
    return is_in(s->local, s->nlocal, t);
}

static void sort_words(list *w)
{
    if (w->n)
        qsort(w->of, (size_t)w->n, sizeof *w->of, by_word);
}

static sq_scope *read_scope(const sq_blocks *b, int f)
{
    sq_scope *s = SQ_NEW(b->arena, sq_scope);
    int body = b->function[f].first, close = body - 1;
    while (close > 0 && b->token[close].kind == SQ_TOKEN_DIRECTIVE)
        close--;
    reader r = {.b = b,
                .t = b->token,
                .s = s,
                .arena = b->arena,
                .first = b->pair[close],
                .last = b->function[f].last};
    r.declares = SQ_NEW_ARRAY(b->arena, bool, r.last - r.first + 1);
    read_params(&r, r.first);
    read_body(&r, body);
    read_changes(&r);
    if (s->n)
        qsort_r(s->name, (size_t)s->n, sizeof *s->name, by_name, (void *)b->token);
    sort_words(&r.unknown);
    sort_words(&r.local);
    s->unknown = r.unknown.of;
    s->nunknown = r.unknown.n;
    s->local = r.local.of;
    s->nlocal = r.local.n;
    return s;
}

const sq_scope *sq_scope_of(const sq_blocks *b, int f)
{
    if (!b->scope[f])
        b->scope[f] = read_scope(b, f);
    return b->scope[f];
}
