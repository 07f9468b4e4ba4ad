/* Expansion: how many tokens the macros of a file expand to, counted before libclang reads it, which
 * would take seconds and gigabytes for macros that double with each use and cannot be stopped.
 *
 * What a macro expands to is a linear form: a number of tokens, plus a number for each token of an argument.
 * Each definition is read once for that, however often it is used, until the next directive may change
 * what its names mean. Directives count from where they stand, as in C. Which #if holds is not known here:
 * of all definitions that may be the one in force the least counts, so that nothing is refused for what is
 * not there. Macros of included files count as one token. */
#include "frontend/expansion.h"
#include "support/limits.h"
#include "support/words.h"
#include <stdint.h>
#include <string.h>

enum { BUCKETS = 1 << 14, MOST_DEPTH = 4096 };

typedef struct macro {
    struct macro *next;           /* of the bucket, the latest first */
    const char *name, *from, *to; /* its body */
    size_t length;                /* of the name */
    bool is_call, is_variadic, is_undefined;
    bool is_sure;              /* under no #if: no definition before it counts */
    bool is_open;              /* being read: it is not expanded inside of itself */
    int read_at;               /* how many directives there were; 0: not read yet */
    int least_at;              /* the same of `least` */
    const struct macro *least; /* of the definitions of the name up to this one */
    int nparams;
    const char *params;  /* their text */
    double tokens, *per; /* and for each token of an argument */
} macro;

typedef struct counter {
    sq_arena *arena;
    macro *bucket[BUCKETS];
    const char *noted; /* behind the last directive */
    int directives;    /* #define and #undef so far, and 1 */
    int conditions;    /* #if that are open */
    int depth;
    bool given_up; /* too deep: libclang has limits of its own on that */
} counter;

/* A part of the text that is read token by token. */
typedef struct reading {
    const char *at, *end;
    const macro *of; /* whose parameters are counted separately; NULL: the file itself */
    double *per;
    bool line_start;
} reading;

/* ---- tokens -------------------------------------------------------------------------------- */

static const char *past_line(const char *at, const char *end)
{
    while (at < end && *at != '\n')
        at += *at != '\\' ? 1 : end - at > 2 && at[1] == '\r' && at[2] == '\n' ? 3 : 2;
    return at < end ? at : end;
}

static const char *past_comment(const char *at, const char *end)
{
    for (at += 2; at + 1 < end; at++)
        if (at[0] == '*' && at[1] == '/')
            return at + 2;
    return end;
}

static const char *past_string(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end && *at == quote ? at + 1 : at;
}

static const char *past_operator(const char *at, const char *end)
{
    static const char *const many[] = {"%:%:", ">>=", "<<=", "...", "->", "++", "--", "<<", ">>",
                                       "%:",   "<=",  ">=",  "==",  "!=", "&&", "||", "*=", "/=",
                                       "%=",   "+=",  "-=",  "&=",  "^=", "|=", "##"};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        size_t n = strlen(many[i]);
        if ((size_t)(end - at) >= n && memcmp(at, many[i], n) == 0)
            return at + n;
    }
    return at + 1;
}

static const char *past_word(const char *at, const char *end)
{
    while (at < end && sq_is_word_byte(*at))
        at++;
    return at;
}

/* 1.5e+3 and the like are one token. */
static const char *past_number(const char *at, const char *end)
{
    for (; at < end && (sq_is_word_byte(*at) || *at == '.'); at++)
        if (at + 1 < end && strchr("eEpP", *at) && (at[1] == '+' || at[1] == '-'))
            at++;
    return at < end ? at : end;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Behind the # of a directive or its digraph; NULL where there is none. */
static const char *past_hash(const char *at, const char *end)
{
    if (*at == '#')
        return at + 1;
    return *at == '%' && at + 1 < end && at[1] == ':' ? at + 2 : NULL;
}

static void note_directive(counter *c, const char *at, const char *end);

/* Over blanks, comments, and in the file itself directives, which are noted. False at the end. */
static bool find_token(counter *macros, reading *s)
{
    while (s->at < s->end) {
        const char *c = s->at, next = c + 1 < s->end ? c[1] : 0;
        if (*c == '\\' && (next == '\n' || next == '\r'))
            s->at += 2;
        else if (*c == ' ' || *c == '\t' || *c == '\r' || *c == '\n' || *c == '\f' || *c == '\v')
            s->line_start |= *c == '\n', s->at++;
        else if (*c == '/' && next == '/')
            s->at = past_line(c, s->end);
        else if (*c == '/' && next == '*')
            s->at = past_comment(c, s->end);
        else if (s->line_start && !s->of && past_hash(c, s->end)) {
            note_directive(macros, past_hash(c, s->end), s->end);
            s->at = past_line(c, s->end);
        } else
            return true;
    }
    return false;
}

static const char *token_end(const reading *s)
{
    char c = *s->at;
    if (is_digit(c) || (c == '.' && s->at + 1 < s->end && is_digit(s->at[1])))
        return past_number(s->at, s->end);
    return sq_is_word_byte(c)      ? past_word(s->at, s->end)
           : c == '"' || c == '\'' ? past_string(s->at, s->end)
                                   : past_operator(s->at, s->end);
}

static bool is(const char *at, const char *to, const char *word)
{
    return (size_t)(to - at) == strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

/* ---- macros -------------------------------------------------------------------------------- */

static macro **bucket_of(counter *c, const char *name, size_t n)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return &c->bucket[hash % BUCKETS];
}

/* The next definition of that name in a chain. */
static macro *same(macro *m, const char *name, size_t n)
{
    while (m && (m->length != n || memcmp(m->name, name, n) != 0))
        m = m->next;
    return m;
}

static void read_params(macro *m)
{
    const char *at = m->from + 1;
    m->params = at;
    m->is_call = true;
    while (at < m->to && *at != ')') {
        const char *end = sq_is_word_byte(*at) ? past_word(at, m->to) : at + 1;
        bool dots = m->to - at >= 3 && memcmp(at, "...", 3) == 0;
        m->is_variadic |= dots;
        m->nparams += sq_is_word_byte(*at) || (dots && !sq_is_word_byte(at[-1]));
        at = dots ? at + 3 : end;
    }
    m->from = at < m->to ? at + 1 : at;
}

static void add_macro(counter *c, reading s, bool undefined)
{
    const char *name = s.at, *behind = past_word(name, s.end);
    macro *m = SQ_NEW(c->arena, macro), **bucket = bucket_of(c, name, (size_t)(behind - name));
    *m = (macro){.next = *bucket,
                 .name = name,
                 .length = (size_t)(behind - name),
                 .from = behind,
                 .to = s.end,
                 .is_sure = c->conditions == 0,
                 .is_undefined = undefined};
    if (!undefined && behind < s.end && *behind == '(')
        read_params(m);
    m->per = SQ_NEW_ARRAY(c->arena, double, m->nparams + 1);
    *bucket = m;
    c->directives++;
}

/* The line of a directive; `at` is behind its #. Lines are met again where a name is followed to see
 * whether a bracket comes next. */
static void note_directive(counter *c, const char *at, const char *end)
{
    reading s = {.at = at, .end = past_line(at, end), .of = &(macro){0}};
    if (at <= c->noted)
        return;
    c->noted = at;
    const char *from = find_token(c, &s) ? s.at : s.end, *to = past_word(from, s.end);
    bool undefined = is(from, to, "undef");
    s.at = to;
    if (is(from, to, "if") || is(from, to, "ifdef") || is(from, to, "ifndef"))
        c->conditions++;
    else if (is(from, to, "endif"))
        c->conditions -= c->conditions > 0;
    else if ((undefined || is(from, to, "define")) && find_token(c, &s))
        add_macro(c, s, undefined);
}

/* ---- forms --------------------------------------------------------------------------------- */

static double read_tokens(counter *c, reading *s, bool is_argument);

/* The parameter of this name, -1 if it is none. */
static int param_of(const macro *m, const char *at, const char *to)
{
    int number = 0;
    if (is(at, to, "__VA_ARGS__") && m->is_variadic)
        return m->nparams - 1;
    for (const char *p = m->params; number < m->nparams && p < m->from && *p != ')';) {
        const char *end = sq_is_word_byte(*p) ? past_word(p, m->from) : p + 1;
        if (sq_is_word_byte(*p)) {
            if (end - p == to - at && memcmp(p, at, (size_t)(to - at)) == 0)
                return number;
            number++;
        }
        p = end;
    }
    return -1;
}

/* Reads the body, once between two directives. */
static void read_macro(counter *c, macro *m)
{
    if (m->read_at == c->directives || m->is_open)
        return;
    memset(m->per, 0, (size_t)(m->nparams + 1) * sizeof *m->per);
    m->is_open = true;
    reading body = {.at = m->from, .end = m->to, .of = m, .per = m->per};
    m->tokens = m->is_undefined ? 1 : read_tokens(c, &body, false);
    m->is_open = false;
    m->read_at = c->directives;
}

/* Tokens of a call: `(` is next. Tokens of an argument count as often as its parameter stands there. */
static double read_call(counter *c, reading *s, const macro *m)
{
    double sum = m->tokens, *outer = s->per;
    int nouter = s->of ? s->of->nparams : 0;
    s->at++;
    for (int i = 0;; i++) {
        int param = m->nparams == 0 ? -1 : i < m->nparams ? i : m->nparams - 1;
        double times = param < 0 ? 0 : m->per[param];
        s->per = SQ_NEW_ARRAY(c->arena, double, nouter + 1);
        double tokens = read_tokens(c, s, true);
        sum += times > 0 ? times * tokens : 0;
        for (int p = 0; p < nouter && times > 0; p++)
            outer[p] += times * s->per[p];
        bool more = s->at < s->end && *s->at == ',';
        s->at += s->at < s->end;
        if (!more)
            break;
    }
    s->per = outer;
    return sum;
}

/* Of the definitions of a name that may be in force the least. */
static const macro *least(counter *c, macro *latest)
{
    const macro *best = NULL;
    if (latest->least_at == c->directives)
        return latest->least;
    for (macro *m = latest; m; m = m->is_sure ? NULL : same(m->next, m->name, m->length)) {
        read_macro(c, m);
        if (m->is_open)
            return NULL;
        best = !best || m->tokens < best->tokens ? m : best;
    }
    latest->least_at = c->directives;
    latest->least = best;
    return best;
}

/* A word that is no parameter; s->at is behind it. */
static double read_name(counter *c, reading *s, const char *name)
{
    size_t n = (size_t)(s->at - name);
    macro *latest = same(*bucket_of(c, name, n), name, n);
    const macro *m = latest ? least(c, latest) : NULL;
    if (!m || m->is_undefined)
        return 1;
    if (!m->is_call)
        return m->tokens;
    reading ahead = *s;
    if (!find_token(c, &ahead) || *ahead.at != '(')
        return 1;
    *s = ahead;
    return read_call(c, s, m);
}

static bool is_before_paste(counter *c, const reading *s)
{
    reading ahead = *s;
    if (!find_token(c, &ahead))
        return false;
    const char *to = token_end(&ahead);
    return is(ahead.at, to, "##") || is(ahead.at, to, "%:%:");
}

/* Up to the end, of an argument up to its , or ). */
static double read_tokens(counter *c, reading *s, bool is_argument)
{
    double sum = 0;
    bool glued = false; /* behind # or ##: an argument is not expanded there */
    if (++c->depth > MOST_DEPTH)
        c->given_up = true;
    for (int open = 0; !c->given_up && find_token(c, s);) {
        const char *at = s->at, *to = token_end(s);
        if (is_argument && open == 0 && (*at == ',' || *at == ')'))
            break;
        open += (*at == '(') - (*at == ')');
        s->at = to;
        s->line_start = false;
        int param = s->of && sq_is_word_byte(*at) ? param_of(s->of, at, to) : -1;
        bool word = sq_is_word_byte(*at) && !is_digit(*at);
        if (param >= 0 && !glued && !is_before_paste(c, s))
            s->per[param]++;
        else
            sum += word && param < 0 ? read_name(c, s, at) : 1;
        glued = past_hash(at, to);
    }
    c->depth--;
    return sum;
}

/* ---- the file ------------------------------------------------------------------------------ */

static sq_loc place(const sq_reader *r, const char *text, const char *at, size_t n)
{
    int line = 1;
    const char *begin = text;
    for (const char *p = text; p < at; p++)
        if (*p == '\n')
            line++, begin = p + 1;
    return (sq_loc){r->path, line, (int)(at - begin) + 1, (int)n};
}

static int refuse(sq_reader *r, const char *text, const char *at, double tokens)
{
    size_t n = (size_t)(past_word(at, at + strlen(at)) - at);
    sq_error(r->d, SQ_FAULT_INPUT, place(r, text, at, n),
             "up to here the macros of this file expand to %.0f tokens; accepted are up to %d",
             tokens, SQ_MOST_EXPANSION);
    sq_help(
        r->d, SQ_NOWHERE,
        "macros that double with each use do that; a loop or a sum over an array says the same in "
        "less text");
    return -1;
}

int sq_expansion_check(sq_reader *r, const char *text, size_t n)
{
    if (!strstr(text, "define"))
        return 0;
    counter *c = SQ_NEW(r->arena, counter);
    c->arena = r->arena;
    c->directives = 1;
    reading s = {.at = text, .end = text + n, .line_start = true};
    double sum = 0;
    while (!c->given_up && find_token(c, &s)) {
        const char *at = s.at;
        s.at = token_end(&s);
        s.line_start = false;
        if (!sq_is_word_byte(*at) || is_digit(*at) ||
            !same(*bucket_of(c, at, (size_t)(s.at - at)), at, (size_t)(s.at - at)))
            continue;
        sum += read_name(c, &s, at);
        if (sum > SQ_MOST_EXPANSION && !c->given_up)
            return refuse(r, text, at, sum);
    }
    return 0;
}
