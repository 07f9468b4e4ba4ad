/* Blocks: see blocks.h. The text is split into tokens, functions are found by the parameter list in
 * front of their body, and their statements are parsed by the grammar of C's control flow;
 * operands.c finds what expressions branch on. */
#include "tuner/proof/operands.h"
#include "support/words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef sq_token token;

typedef struct walk {
    const token *t;
    int at, function;
    const char *copied; /* the text up to here has been copied to `to` */
    sq_text *to;
    sq_blocks *b;
    sq_arena *arena;
    int room, functions; /* capacity for blocks and functions */
    int simple, exits;    /* statements of the current body without control flow; returns */
    sq_operands found;   /* guards of all operands, operands of the current expression */
    bool operands;       /* true: mark them */
    int bare;            /* bodies of coming loops that may contain only the next loop */
    bool bad;
} walk;

/* ---- tokens ---- */

/* Returns the end of a directive, which may continue on further lines. */
static const char *line_end(const char *p)
{
    while (*p && (*p != '\n' || p[-1] == '\\'))
        p++;
    return p;
}

static const char *quoted_end(const char *p)
{
    char quote = *p++;
    while (*p && *p != quote)
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

static const char *token_end(const char *p, sq_token_kind *kind)
{
    *kind = SQ_TOKEN_MARK;
    if (sq_is_word_byte(*p)) {
        *kind = SQ_TOKEN_WORD;
        while (sq_is_word_byte(*p) || *p == '.')
            p++;
        return p;
    }
    if (*p != '"' && *p != '\'')
        return p + 1;
    *kind = SQ_TOKEN_TEXT;
    return quoted_end(p);
}

/* A position in the original files. */
typedef struct place {
    char file[1024]; /* the main one, from the first marker that names a file */
    bool own;
    int line;
} place;

/* Reads `# 12 "file.c" 2`: number and file of the next line. */
static void read_marker(const char *p, place *at)
{
    char *end;
    long line = strtol(p + 1, &end, 10);
    if (end == p + 1 || strncmp(end, " \"", 2) != 0)
        return;
    const char *name = end + 1, *stop = quoted_end(name);
    size_t n = (size_t)(stop - name);
    if (!at->file[0] && n < sizeof at->file && name[1] != '<')
        memcpy(at->file, name, n);
    at->own = strlen(at->file) == n && memcmp(at->file, name, n) == 0;
    at->line = (int)line - 1; /* the marker's own newline counts */
}

static int tokenize(const char *text, int lines, token *to)
{
    place at = {.line = 1, .own = true};
    int n = 0;
    for (const char *p = text; *p;) {
        if (*p == '\n')
            at.line++;
        if (isspace((unsigned char)*p)) {
            p++;
            continue;
        }
        token t = {.kind = SQ_TOKEN_DIRECTIVE, .at = p, .line = at.line};
        const char *end = *p == '#' ? line_end(p) : token_end(p, &t.kind);
        if (*p == '#')
            read_marker(p, &at);
        t.own = at.own && at.line <= lines;
        t.n = (int)(end - p);
        if (to)
            to[n] = t;
        n++;
        p = end;
    }
    if (to)
        to[n] = (token){.kind = SQ_TOKEN_END, .at = text + strlen(text), .line = at.line};
    return n;
}

bool sq_token_is(const sq_token *t, const char *text)
{
    return t->kind != SQ_TOKEN_TEXT && t->kind != SQ_TOKEN_DIRECTIVE &&
           (size_t)t->n == strlen(text) && memcmp(t->at, text, (size_t)t->n) == 0;
}

bool sq_token_is_one_of(const sq_token *t, const char *const *words)
{
    for (; *words; words++)
        if (sq_token_is(t, *words))
            return true;
    return false;
}

/* ---- writing ---- */

static void copy_to(walk *w, const char *p)
{
    sq_text_putn(w->to, w->copied, (size_t)(p - w->copied));
    w->copied = p;
}

/* Returns the text between matching brackets. */
static const char *text_between(const walk *w, int header)
{
    int depth = 1, end = header + 1;
    for (; depth > 0 && w->t[end].kind != SQ_TOKEN_END; end++)
        depth += sq_token_is(&w->t[end], "(") - sq_token_is(&w->t[end], ")");
    const char *from = w->t[header].at + 1;
    return sq_arena_strndup(w->arena, from, (size_t)(w->t[end - 1].at - from));
}

static int add_block(walk *w, sq_block_kind kind, int line, int header)
{
    w->b->of = sq_arena_grow(w->arena, w->b->of, w->b->n, &w->room, sizeof *w->b->of);
    w->b->of[w->b->n] = (sq_block){.kind = kind,
                                   .line = line,
                                   .function = w->function,
                                   .condition = header ? text_between(w, header) : NULL,
                                   .header = header,
                                   .from = w->at,
                                   .to = w->at,
                                   .last = w->b->n,
                                   .guard = -1,
                                   .is_empty = kind == SQ_BLOCK_NEVER_FALSE};
    return w->b->n++;
}

/* ---- operands ---- */

/* Adds a block for an outcome of the operand, -1 if it is not needed. */
static int add_outcome(walk *w, const sq_branch_operand *o, sq_block_kind kind)
{
    bool is_wanted = kind == SQ_BLOCK_TRUE ? o->wants_true : o->wants_false;
    int n = is_wanted ? add_block(w, kind, w->t[o->from].line, 0) : -1;
    if (n < 0)
        return n;
    const token *last = &w->t[o->to - 1];
    sq_block *b = &w->b->of[n];
    b->condition = sq_arena_strndup(w->arena, w->t[o->from].at,
                                    (size_t)(last->at + last->n - w->t[o->from].at));
    b->from = o->from;
    b->to = o->to;
    b->guard = o->guard;
    return n;
}

static void put_number(walk *w, int block)
{
    if (block >= 0)
        sq_text_printf(w->to, "%d", block);
    else
        sq_text_puts(w->to, "SQ_BLOCKS");
}

/* Marks operand i and those nested in it; returns the one behind them. */
static int put_operand(walk *w, int i)
{
    const sq_branch_operand o = w->found.of[i++];
    const token *last = &w->t[o.to - 1];
    int yes = add_outcome(w, &o, SQ_BLOCK_TRUE), no = add_outcome(w, &o, SQ_BLOCK_FALSE);
    copy_to(w, w->t[o.from].at);
    sq_text_printf(w->to, "({ %s squall_is = (", o.is_kept ? "__auto_type" : "const _Bool");
    while (i < w->found.n && w->found.of[i].from < o.to)
        i = put_operand(w, i);
    copy_to(w, last->at + last->n);
    sq_text_puts(w->to, "); SQ_SAW(");
    put_number(w, yes);
    sq_text_puts(w->to, ", ");
    put_number(w, no);
    sq_text_puts(w->to, ", squall_is); squall_is; })");
    return i;
}

static void put_operands(walk *w)
{
    for (int i = 0; i < w->found.n;)
        i = put_operand(w, i);
    w->found.n = 0;
}

/* Marks the operands of the statement in tokens [from, to). */
static void mark_statement(walk *w, int from, int to)
{
    if (!w->operands || w->bad)
        return;
    sq_operands_find(&w->found, from, to);
    put_operands(w);
}

/* Marks the operands inside the bracket at token `header`: of a condition, or between two
 * semicolons. */
static void mark_header(walk *w, int header)
{
    int from = header + 1, to = w->b->pair[header], semicolon[2], n = 0;
    if (!w->operands || w->bad)
        return;
    for (int i = from; i < to && n < 2; i = (w->b->pair[i] > i ? w->b->pair[i] : i) + 1)
        if (sq_token_is(&w->t[i], ";"))
            semicolon[n++] = i;
    if (n == 2) {
        sq_operands_find(&w->found, from, semicolon[0]);
        sq_operands_of_condition(&w->found, semicolon[0] + 1, semicolon[1]);
        sq_operands_find(&w->found, semicolon[1] + 1, to);
    } else {
        sq_operands_of_condition(&w->found, from, to);
    }
    put_operands(w);
}

/* ---- statements ---- */

static void statement(walk *w);

static const token *now(const walk *w)
{
    return &w->t[w->at];
}

/* Skips directives: records how many loops an OpenMP pragma collapses. */
static void pass_directives(walk *w)
{
    for (; now(w)->kind == SQ_TOKEN_DIRECTIVE; w->at++) {
        const char *end = now(w)->at + now(w)->n;
        const char *at = memmem(now(w)->at, (size_t)now(w)->n, "collapse", 8);
        for (at = at ? at + 8 : end; at < end && (*at == ' ' || *at == '\t');)
            at++;
        if (at < end && *at == '(')
            w->bare = atoi(at + 1) - 1;
    }
}

/* Skips to the matching bracket. */
static void pass_brackets(walk *w)
{
    int depth = 0;
    do {
        const token *t = now(w);
        if (t->kind == SQ_TOKEN_MARK && strchr("([{", *t->at))
            depth++;
        else if (t->kind == SQ_TOKEN_MARK && strchr(")]}", *t->at))
            depth--;
        w->bad |= t->kind == SQ_TOKEN_END;
        w->at++;
    } while (depth > 0 && !w->bad);
}

/* Skips an expression: GNU C may have statements there, whose blocks would not be counted. */
static void pass_expression(walk *w)
{
    static const char *const control[] = {"if", "for", "while", "do", "switch", "goto"};
    int from = w->at;
    pass_brackets(w);
    for (int i = from; i < w->at; i++)
        for (size_t k = 0; k < sizeof control / sizeof *control; k++)
            if (sq_token_is(&w->t[i], control[k])) {
                w->bad = true;
                w->b->why = "an expression in it has control flow";
            }
}

/* Skips the next of these punctuators outside of brackets. */
static void pass_until(walk *w, char mark)
{
    while (!w->bad && !(now(w)->kind == SQ_TOKEN_MARK && *now(w)->at == mark)) {
        if (now(w)->kind == SQ_TOKEN_END || (now(w)->kind == SQ_TOKEN_MARK && *now(w)->at == '}'))
            w->bad = true;
        else if (now(w)->kind == SQ_TOKEN_MARK && strchr("([{", *now(w)->at))
            pass_expression(w);
        else
            w->at++;
    }
    w->at += !w->bad;
}

/* Parses statements up to the closing brace, and skips it. */
static void block(walk *w)
{
    w->at++;
    while (!w->bad && !sq_token_is(now(w), "}")) {
        w->bad |= now(w)->kind == SQ_TOKEN_END;
        statement(w);
    }
    w->at += !w->bad;
}

/* Parses one or several statements, and counts those without control flow. */
static void inside(walk *w, bool braces, int n)
{
    int simple = w->simple, exits = w->exits;
    w->simple = w->exits = 0;
    if (braces)
        block(w);
    else
        statement(w);
    if (n >= 0) {
        sq_block *b = &w->b->of[n];
        b->last = w->b->n - 1;
        b->to = w->at;
        b->is_empty = w->simple == 0;
        b->is_exit = w->simple == 1 && w->exits == 1 && b->last == n;
    }
    w->simple = simple;
    w->exits = exits;
}

static void body(walk *w, sq_block_kind kind, int line, int header)
{
    bool bare = kind == SQ_BLOCK_LOOP && w->bare > 0;
    w->bare -= bare;
    while (now(w)->kind == SQ_TOKEN_DIRECTIVE &&
           !memmem(now(w)->at, (size_t)now(w)->n, "pragma", 6))
        w->at++;
    bool braces = sq_token_is(now(w), "{");
    int n = bare ? -1 : add_block(w, kind, line, header);
    if (!bare) {
        copy_to(w, now(w)->at + braces);
        sq_text_printf(w->to, "%s SQ_RAN(%d);\n", braces ? "" : "{", n);
    }
    inside(w, braces, n);
    if (bare || braces)
        return;
    copy_to(w, w->t[w->at - 1].at + w->t[w->at - 1].n);
    sq_text_puts(w->to, " }");
}

static void condition(walk *w)
{
    int line = now(w)->line, header = ++w->at;
    pass_expression(w);
    mark_header(w, header);
    body(w, SQ_BLOCK_THEN, line, header);
    int end = w->at;
    while (now(w)->kind == SQ_TOKEN_DIRECTIVE)
        w->at++;
    if (sq_token_is(now(w), "else")) {
        w->at++;
        body(w, SQ_BLOCK_ELSE, w->t[w->at - 1].line, header);
        return;
    }
    w->at = end;
    copy_to(w, w->t[end - 1].at + w->t[end - 1].n);
    sq_text_printf(w->to, " else { SQ_RAN(%d); }",
                   add_block(w, SQ_BLOCK_NEVER_FALSE, line, header));
}

static void loop(walk *w)
{
    int line = now(w)->line, header = ++w->at;
    pass_expression(w);
    mark_header(w, header);
    body(w, SQ_BLOCK_LOOP, line, header);
}

/* Skips to the semicolon. */
static void simple_statement(walk *w)
{
    int from = w->at;
    pass_until(w, ';');
    mark_statement(w, from, w->at - 1);
}

static void label(walk *w, sq_block_kind kind)
{
    int line = now(w)->line;
    w->simple++; /* the end of its block is not known */
    pass_until(w, ':');
    copy_to(w, w->t[w->at - 1].at + 1);
    sq_text_printf(w->to, " SQ_RAN(%d);", add_block(w, kind, line, 0));
}

/* Adds the block of a missing default case. */
static void ask_default(walk *w, int body)
{
    int missing = 1;
    for (int i = body; i < w->at; i++) {
        bool begins = i > 0 && w->t[i - 1].kind == SQ_TOKEN_MARK && strchr(";:{}", *w->t[i - 1].at);
        missing += sq_token_is(&w->t[i], "switch");
        missing -= begins && sq_token_is(&w->t[i], "default");
    }
    if (missing > 0) {
        w->bad = true;
        w->b->why = "a switch in it has no default";
    }
}

static void statement(walk *w)
{
    pass_directives(w);
    const token *t = now(w);
    if (sq_token_is(t, "{")) {
        block(w);
    } else if (sq_token_is(t, "if")) {
        condition(w);
    } else if (sq_token_is(t, "for") || sq_token_is(t, "while")) {
        loop(w);
    } else if (sq_token_is(t, "do")) {
        w->at++;
        body(w, SQ_BLOCK_LOOP, t->line, 0);
        simple_statement(w);
        w->simple++; /* it has no bounds */
    } else if (sq_token_is(t, "switch")) {
        int header = ++w->at;
        pass_expression(w);
        mark_header(w, header);
        int body = w->at;
        statement(w);
        ask_default(w, body);
    } else if (sq_token_is(t, "case") || sq_token_is(t, "default")) {
        label(w, SQ_BLOCK_CASE);
    } else if (t->kind == SQ_TOKEN_WORD && sq_token_is(t + 1, ":")) {
        label(w, SQ_BLOCK_LABEL);
    } else if (!sq_token_is(t, "}")) {
        w->simple++;
        w->exits += sq_token_is(t, "return") || sq_token_is(t, "abort");
        simple_statement(w);
    }
}

/* ---- functions ---- */

/* True for words that are followed by brackets in front of the braces of a type. */
static bool is_attribute(const token *t)
{
    return sq_token_is(t, "__attribute__") || sq_token_is(t, "__attribute") ||
           sq_token_is(t, "_Alignas");
}

/* Returns the name in front of the parameter list that ends before token `brace`; -1: there is
 * none. */
static int name_of_function(const walk *w, int brace)
{
    int depth = 0, i = brace - 1;
    while (i >= 0 && w->t[i].kind == SQ_TOKEN_DIRECTIVE)
        i--;
    if (i < 0 || !sq_token_is(&w->t[i], ")"))
        return -1;
    for (; i >= 0; i--) {
        depth += sq_token_is(&w->t[i], ")") - sq_token_is(&w->t[i], "(");
        if (depth == 0)
            break;
    }
    return i > 0 && w->t[i - 1].kind == SQ_TOKEN_WORD && !is_attribute(&w->t[i - 1]) ? i - 1 : -1;
}

/* True if the brace belongs to a declaration and opens no body: that of a type or of an
 * initializer. */
static bool has_no_body(const walk *w, int brace)
{
    for (int i = brace - 1; i >= 0 && !sq_token_is(&w->t[i], ";"); i--) {
        if (w->b->pair[i] >= 0 && w->b->pair[i] < i)
            i = w->b->pair[i];
        else if (sq_token_is(&w->t[i], "=") || sq_token_is(&w->t[i], "struct") ||
                 sq_token_is(&w->t[i], "union") || sq_token_is(&w->t[i], "enum") ||
                 sq_token_is(&w->t[i], "extern"))
            return true;
        if (sq_token_is(&w->t[i], "{"))
            return false;
    }
    return false;
}

static void function(walk *w, int name)
{
    sq_blocks *b = w->b;
    const token *t = &w->t[name];
    b->function =
        sq_arena_grow(w->arena, b->function, b->nfunctions, &w->functions, sizeof *b->function);
    w->function = b->nfunctions;
    b->function[b->nfunctions] =
        (sq_block_function){.name = sq_arena_strndup(w->arena, t->at, (size_t)t->n),
                            .line = t->line,
                            .first = w->at,
                            .block = b->n};
    if (t->own) {
        body(w, SQ_BLOCK_FUNCTION, t->line, 0);
    } else {
        pass_brackets(w);
    }
    b->function[b->nfunctions].end = b->n;
    b->function[b->nfunctions++].last = w->at;
}

/* Matches brackets. False: some are unmatched. */
static bool find_pairs(const token *t, int n, sq_arena *arena, sq_blocks *b)
{
    static const char closes[] = "([{)]}";
    int *open = SQ_NEW_ARRAY(arena, int, n + 1), depth = 0;
    b->pair = SQ_NEW_ARRAY(arena, int, n + 1);
    for (int i = 0; i <= n; i++) {
        const char *mark = t[i].kind == SQ_TOKEN_MARK ? strchr(closes, *t[i].at) : NULL;
        b->pair[i] = -1;
        if (mark && mark < closes + 3)
            open[depth++] = i;
        if (!mark || mark < closes + 3)
            continue;
        if (depth == 0 || *t[open[depth - 1]].at != mark[-3])
            return false;
        b->pair[i] = open[--depth];
        b->pair[open[depth]] = i;
    }
    return depth == 0;
}

static int by_name(const void *x, const void *y, void *all)
{
    const sq_block_function *function = all;
    return strcmp(function[*(const int *)x].name, function[*(const int *)y].name);
}

static void sort_functions(sq_arena *arena, sq_blocks *b)
{
    b->by_name = SQ_NEW_ARRAY(arena, int, b->nfunctions + 1);
    b->scope = SQ_NEW_ARRAY(arena, struct sq_scope *, b->nfunctions + 1);
    for (int f = 0; f < b->nfunctions; f++)
        b->by_name[f] = f;
    qsort_r(b->by_name, (size_t)b->nfunctions, sizeof *b->by_name, by_name, b->function);
}

/* Finds functions in initializers of the file's variables, as a table may be their only caller; and
 * those that an attribute aliases. */
static void find_values(sq_blocks *b)
{
    bool in_value = false;
    for (int i = 0, f = 0; i < b->ntokens; i++) {
        bool inside = f < b->nfunctions && b->function[f].first == i;
        in_value = !inside && !sq_token_is(&b->token[i], ";") &&
                   (in_value || sq_token_is(&b->token[i], "="));
        token t = b->token[i];
        if (t.kind == SQ_TOKEN_TEXT && t.n > 2)
            t = (token){.kind = SQ_TOKEN_WORD, .at = t.at + 1, .n = t.n - 2};
        int named = in_value || t.at != b->token[i].at ? sq_blocks_function(b, &t) : -1;
        if (named >= 0)
            b->function[named].is_value = true;
        if (inside)
            i = b->function[f++].last - 1;
    }
}

bool sq_block_is_outcome(const sq_block *b)
{
    return b->kind == SQ_BLOCK_TRUE || b->kind == SQ_BLOCK_FALSE;
}

int sq_blocks_mark(const char *text, int lines, bool operands, sq_arena *arena, sq_text *to,
                   sq_blocks *b)
{
    text = sq_arena_strndup(arena, text, strlen(text)); /* tokens point into it */
    int n = tokenize(text, lines, NULL);
    token *t = SQ_NEW_ARRAY(arena, token, n + 2);
    tokenize(text, lines, t);
    *b = (sq_blocks){.token = t, .ntokens = n, .arena = arena, .why = "its brackets do not match"};
    walk w = {.t = t, .copied = text, .to = to, .b = b, .arena = arena, .operands = operands};
    w.bad = !find_pairs(t, n, arena, b);
    w.found = (sq_operands){.arena = arena, .token = t, .pair = b->pair};
    while (!w.bad && now(&w)->kind != SQ_TOKEN_END) {
        int name = sq_token_is(now(&w), "{") ? name_of_function(&w, w.at) : -1;
        if (name >= 0)
            function(&w, name);
        else if (sq_token_is(now(&w), "{") && !has_no_body(&w, w.at))
            w.bad = true; /* a nested function, whose blocks would not be counted */
        else if (sq_token_is(now(&w), "{"))
            pass_brackets(&w);
        else
            w.at++;
    }
    copy_to(&w, t[n].at);
    b->guard = w.found.guard;
    sort_functions(arena, b);
    find_values(b);
    return w.bad ? -1 : 0;
}
