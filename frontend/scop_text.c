/* Scop text: finds the regions of a C file in its bytes. libclang has no cursor for `#pragma scop`,
 * and where a region begins and ends must be known to the byte. Comments, strings and continued
 * lines are followed; nothing else of C matters here. */
#include "frontend/scop_build.h"
#include "support/words.h"
#include <string.h>

typedef struct lexer {
    const char *text;
    size_t n, at;
    bool line_start; /* nothing but blanks and comments on this line so far */
} lexer;

/* Past `\` and a line's end, which C removes first. */
static size_t continuation(const lexer *l, size_t at)
{
    if (at < l->n && l->text[at] == '\\') {
        size_t next = at + 1 + (at + 1 < l->n && l->text[at + 1] == '\r');
        if (next < l->n && l->text[next] == '\n')
            return next + 1;
    }
    return at;
}

static size_t skip_line_comment(const lexer *l, size_t at)
{
    while (at < l->n && l->text[at] != '\n') {
        size_t next = continuation(l, at);
        at = next > at ? next : at + 1;
    }
    return at;
}

static size_t skip_comment(const lexer *l, size_t at)
{
    for (at += 2; at + 1 < l->n; at++)
        if (l->text[at] == '*' && l->text[at + 1] == '/')
            return at + 2;
    return l->n;
}

/* One that is not closed ends with its line. */
static size_t skip_string(const lexer *l, size_t at)
{
    char quote = l->text[at++];
    while (at < l->n && l->text[at] != quote && l->text[at] != '\n')
        at += l->text[at] == '\\' && at + 1 < l->n ? 2 : 1;
    return at < l->n && l->text[at] == quote ? at + 1 : at;
}

/* Blanks, line ends and comments; line_start becomes true with a line's end. */
static void skip_space(lexer *l)
{
    while (l->at < l->n) {
        const char *c = l->text + l->at;
        size_t next = continuation(l, l->at);
        if (next > l->at)
            l->at = next;
        else if (*c == '\n')
            l->line_start = true, l->at++;
        else if (strchr(" \t\r\f\v", *c) && *c)
            l->at++;
        else if (l->at + 1 < l->n && c[0] == '/' && c[1] == '/')
            l->at = skip_line_comment(l, l->at);
        else if (l->at + 1 < l->n && c[0] == '/' && c[1] == '*')
            l->at = skip_comment(l, l->at);
        else
            return;
    }
}

/* Of a # or its digraph at this place; 0: there is none. */
static size_t hash_length(const lexer *l, size_t at)
{
    if (at < l->n && l->text[at] == '#')
        return 1;
    return at + 1 < l->n && memcmp(l->text + at, "%:", 2) == 0 ? 2 : 0;
}

static bool at_directive(const lexer *l)
{
    return l->line_start && hash_length(l, l->at) > 0;
}

/* Past a directive's last character; the line's end stays. */
static size_t directive_end(const lexer *l, size_t at)
{
    while (at < l->n && l->text[at] != '\n') {
        size_t next = continuation(l, at);
        if (next > at)
            at = next;
        else if (l->text[at] == '/' && at + 1 < l->n && l->text[at + 1] == '*')
            at = skip_comment(l, at);
        else if (l->text[at] == '/' && at + 1 < l->n && l->text[at + 1] == '/')
            return skip_line_comment(l, at);
        else if (l->text[at] == '"' || l->text[at] == '\'')
            at = skip_string(l, at);
        else
            at++;
    }
    return at;
}

static bool in_word(char c)
{
    return sq_is_word_byte(c);
}

static size_t word_end(const lexer *l, size_t at)
{
    while (at < l->n && in_word(l->text[at]))
        at++;
    return at;
}

static void skip_token(lexer *l)
{
    char c = l->text[l->at];
    l->line_start = false;
    l->at = c == '"' || c == '\'' ? skip_string(l, l->at)
            : in_word(c)          ? word_end(l, l->at)
                                  : l->at + 1;
}

static size_t skip_blanks(const lexer *l, size_t at)
{
    while (at < l->n && (l->text[at] == ' ' || l->text[at] == '\t'))
        at++;
    return at;
}

/* `_Pragma("scop")`, or of endscop, in C's other spelling of a pragma. */
static bool at_operator(const lexer *l, size_t at)
{
    static const char name[] = "_Pragma";
    size_t end = word_end(l, at);
    if (end - at != sizeof name - 1 || memcmp(l->text + at, name, sizeof name - 1) != 0)
        return false;
    at = skip_blanks(l, end);
    if (at >= l->n || l->text[at] != '(')
        return false;
    at = skip_blanks(l, at + 1);
    if (at >= l->n || l->text[at] != '"')
        return false;
    at = skip_blanks(l, at + 1);
    size_t n = word_end(l, at) - at;
    return (n == 4 && memcmp(l->text + at, "scop", 4) == 0) ||
           (n == 7 && memcmp(l->text + at, "endscop", 7) == 0);
}

/* The first of them in a directive; `end` if there is none. */
static size_t find_operator(const lexer *l, size_t at, size_t end)
{
    while (at < end && !at_operator(l, at))
        at = in_word(l->text[at]) ? word_end(l, at) : at + 1;
    return at < end ? at : end;
}

size_t sq_scop_token(const char *text, size_t from, size_t to)
{
    lexer l = {text, to, from, from == 0 || text[from - 1] == '\n'};
    for (;;) {
        skip_space(&l);
        if (!at_directive(&l))
            return l.at < to ? l.at : to;
        l.at = directive_end(&l, l.at);
    }
}

/* The next word of a directive, "" at its end. Advances *at. */
static size_t next_word(const lexer *l, size_t *at, size_t end)
{
    while (*at < end) {
        size_t next = continuation(l, *at);
        if (next == *at && l->text[*at] != ' ' && l->text[*at] != '\t')
            break;
        *at = next > *at ? next : *at + 1;
    }
    size_t n = 0; /* the text need not end with a zero byte */
    while (*at + n < end && sq_is_word_byte(l->text[*at + n]))
        n++;
    return n;
}

static bool is_word(const lexer *l, size_t at, size_t n, const char *word)
{
    return strlen(word) == n && strncmp(l->text + at, word, n) == 0;
}

/* PRAGMA: one about the statement behind it. */
typedef enum directive {
    OTHER,
    SCOP,
    ENDSCOP,
    SQUALL,
    PRAGMA,
    IF,
    ELSE,
    ENDIF,
    TEXT /* what changes the text behind it */
} directive;

/* True if `#pragma WORD …` refers to the statement after it. */
static bool is_of_statement(const lexer *l, size_t at, size_t end)
{
    static const char *const words[] = {"omp",   "acc",  "unroll", "nounroll",
                                        "ivdep", "simd", "vector", "loop"};
    size_t n = next_word(l, &at, end);
    if (is_word(l, at, n, "GCC") || is_word(l, at, n, "clang")) {
        at += n;
        n = next_word(l, &at, end);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(l, at, n, words[i]))
            return true;
    return false;
}

static directive directive_kind(const lexer *l, size_t end)
{
    size_t at = l->at + hash_length(l, l->at), n = next_word(l, &at, end);
    if (is_word(l, at, n, "if") || is_word(l, at, n, "ifdef") || is_word(l, at, n, "ifndef"))
        return IF;
    if (is_word(l, at, n, "endif"))
        return ENDIF;
    if (n >= 4 && strncmp(l->text + at, "el", 2) == 0)
        return ELSE;
    if (is_word(l, at, n, "define") || is_word(l, at, n, "undef") || is_word(l, at, n, "include"))
        return TEXT;
    if (!is_word(l, at, n, "pragma"))
        return OTHER;
    at += n;
    n = next_word(l, &at, end);
    return is_word(l, at, n, "scop")      ? SCOP
           : is_word(l, at, n, "endscop") ? ENDSCOP
           : is_word(l, at, n, "squall")  ? SQUALL
           : is_of_statement(l, at, end)  ? PRAGMA
                                          : OTHER;
}

/* ---- a place for functions ------------------------------------------------------------------ */

static size_t line_begin(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

/* Where the comments begin that belong to what stands at `token`: those in a row, without an empty
 * line between them; `from`: behind what is before. */
static size_t lead(const char *text, size_t from, size_t token)
{
    lexer l = {text, token, from, true};
    size_t first = token, lines = 2;
    while (l.at < token) {
        const char *c = text + l.at;
        bool comment = l.at + 1 < token && c[0] == '/' && (c[1] == '/' || c[1] == '*');
        if (comment && lines >= 2)
            first = l.at;
        if (comment) {
            l.at = c[1] == '*' ? skip_comment(&l, l.at) : skip_line_comment(&l, l.at);
            lines = 0;
        } else {
            lines += *c == '\n';
            l.at++;
        }
    }
    if (lines >= 2)
        first = token;
    for (size_t at = first;; at = token) {
        size_t begin = line_begin(text, at);
        if (begin + strspn(text + begin, " \t") == at && begin >= from)
            return begin;
        if (at == token)
            return token;
    }
}

/* True if text at `from` is under no #if that ends before `to`: it is then compiled wherever the
 * text at `to` is. */
static bool reaches(const char *text, size_t from, size_t to)
{
    lexer l = {text, to, from, from == 0 || text[from - 1] == '\n'};
    for (int depth = 0; depth >= 0;) {
        skip_space(&l);
        if (l.at >= to)
            return true;
        if (!at_directive(&l)) {
            skip_token(&l);
            continue;
        }
        size_t end = directive_end(&l, l.at);
        directive kind = directive_kind(&l, end);
        if (kind == ELSE && depth == 0)
            return false;
        depth += (kind == IF) - (kind == ENDIF);
        l.at = end;
    }
    return false;
}

size_t sq_scop_declared(const char *text, const sq_scop_skipped *skipped, size_t from, size_t to)
{
    lexer l = {text, to, from, from == 0 || text[from - 1] == '\n'};
    for (int depth = 0;;) {
        skip_space(&l);
        if (l.at >= to)
            return from;
        if (at_directive(&l)) {
            l.at = directive_end(&l, l.at);
            continue;
        }
        if (!sq_scop_skips(skipped, l.at)) {
            char c = text[l.at];
            depth += (c == '(' || c == '{') - (c == ')' || c == '}');
            from = c == ';' && depth == 0 ? l.at + 1 : from;
        }
        skip_token(&l);
    }
}

size_t sq_scop_place(const char *text, const sq_scop_skipped *skipped, const size_t gap[2],
                     size_t use)
{
    lexer l = {text, gap[1], gap[0], gap[0] == 0 || text[gap[0] - 1] == '\n'};
    size_t place = reaches(text, gap[0], use) ? gap[0] : SIZE_MAX;
    for (;;) {
        skip_space(&l);
        if (l.at >= gap[1])
            break;
        if (!at_directive(&l)) {
            if (!sq_scop_skips(skipped, l.at))
                break;
            skip_token(&l);
            continue;
        }
        size_t end = directive_end(&l, l.at);
        if (directive_kind(&l, end) == PRAGMA && !sq_scop_skips(skipped, l.at))
            break; /* about the function */
        l.at = end;
        place = reaches(text, end, use) ? end : place;
    }
    if (place == SIZE_MAX)
        return SIZE_MAX;
    l = (lexer){text, gap[1], place, place == 0 || text[place - 1] == '\n'};
    skip_space(&l);
    return lead(text, place, l.at < gap[1] ? l.at : gap[1]);
}

/* The next directive, or _Pragma about a region; false at the end of the text. l->at stays there.
 */
static bool next_directive(lexer *l)
{
    for (;;) {
        skip_space(l);
        if (l->at >= l->n)
            return false;
        if (at_directive(l) || at_operator(l, l->at))
            return true;
        skip_token(l);
    }
}

bool sq_scop_present(const char *text, size_t n)
{
    lexer l = {text, n, 0, true};
    while (next_directive(&l)) {
        size_t end = directive_end(&l, l.at);
        directive kind = directive_kind(&l, end);
        if (kind == SCOP || kind == ENDSCOP || find_operator(&l, l.at, end) < end)
            return true;
        l.at = end;
    }
    return false;
}

/* ---- regions ------------------------------------------------------------------------------- */

/* Where a directive's line begins, or the directive itself behind the end of a comment. */
static size_t directive_begin(const char *text, size_t hash)
{
    size_t begin = line_begin(text, hash);
    return begin + strspn(text + begin, " \t") == hash ? begin : hash;
}

int sq_scop_line(const char *text, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

typedef struct finder {
    sq_reader *r;
    sq_region_text *region;
    int n, max;
    bool open;
    int depth, inside; /* of #if: in the file, where the open region began */
    size_t hash;       /* of the directive read */
    size_t pragma;     /* end of the last one about a statement; 0 */
} finder;

static int refuse(const finder *f, const lexer *l, const char *text)
{
    size_t at = f->hash;
    size_t end = directive_end(l, at), begin = line_begin(l->text, at);
    sq_loc loc = {f->r->path, sq_scop_line(l->text, at), (int)(at - begin) + 1, (int)(end - at)};
    return sq_error(f->r->d, SQ_FAULT_INPUT, loc, "%s", text);
}

static int begin_region(finder *f, const lexer *l, size_t end)
{
    if (f->open)
        return refuse(f, l, "'#pragma scop' inside a region; write '#pragma endscop' first");
    size_t behind = f->hash + hash_length(l, f->hash);
    if (f->pragma && sq_scop_token(l->text, f->pragma, behind) == behind)
        return refuse(f, l,
                      "the pragma before is about the statement behind it, which the region "
                      "replaces; put '#pragma scop' before that line");
    if (f->n == f->max) {
        f->max = f->max ? 2 * f->max : 4;
        sq_region_text *more = SQ_NEW_ARRAY(f->r->arena, sq_region_text, f->max);
        if (f->n)
            memcpy(more, f->region, (size_t)f->n * sizeof *more);
        f->region = more;
    }
    size_t from = directive_begin(l->text, f->hash), inner = end + (end < l->n);
    f->region[f->n++] = (sq_region_text){.from = from,
                                         .inner = inner,
                                         .line = sq_scop_line(l->text, from),
                                         .inner_line = sq_scop_line(l->text, inner)};
    f->open = true;
    f->inside = f->depth;
    return 0;
}

static int end_region(finder *f, const lexer *l, size_t end)
{
    if (!f->open)
        return refuse(f, l, "'#pragma endscop' without '#pragma scop' before it");
    if (f->depth != f->inside)
        return refuse(f, l,
                      "the region begins and ends under different #if; put both lines under "
                      "the same");
    sq_region_text *t = &f->region[f->n - 1];
    t->inner_to = directive_begin(l->text, f->hash);
    t->last_line = sq_scop_line(l->text, f->hash);
    t->to = end + (end < l->n);
    f->open = false;
    return 0;
}

static int refuse_operator(finder *f, const lexer *l, size_t at)
{
    f->hash = at;
    return refuse(f, l,
                  "regions begin and end at lines '#pragma scop' and '#pragma endscop' of the file "
                  "itself; _Pragma and macros that hold it are not read");
}

/* What a directive inside of a region would do. */
static int refuse_inside(finder *f, const lexer *l, directive kind)
{
    if (kind == IF)
        return refuse(f, l,
                      "this would be evaluated once, when the region is read, and not by whoever "
                      "compiles the file; put the #if around regions");
    return refuse(f, l,
                  "this stands in a region, whose text may give way to a call; put it before "
                  "'#pragma scop'");
}

static void warn_pragma(const finder *f, const lexer *l, size_t end)
{
    size_t begin = line_begin(l->text, f->hash);
    sq_loc loc = {f->r->path, sq_scop_line(l->text, f->hash), (int)(f->hash - begin) + 1,
                  (int)(end - f->hash)};
    sq_warning(f->r->d, loc,
               "this pragma holds for the text as written alone: Squall's own loops do without it");
}

static int add_directive(finder *f, const lexer *l, size_t end)
{
    directive kind = directive_kind(l, end);
    size_t named = find_operator(l, l->at, end);
    if (named < end)
        return refuse_operator(f, l, named);
    if (f->open && (kind == IF || kind == TEXT))
        return refuse_inside(f, l, kind);
    if (f->open && kind == PRAGMA)
        warn_pragma(f, l, end);
    switch (kind) {
    case SCOP:
        return begin_region(f, l, end);
    case ENDSCOP:
        return end_region(f, l, end);
    case PRAGMA:
        f->pragma = end;
        return 0;
    case IF:
        f->depth++;
        return 0;
    case ENDIF:
        f->depth--;
        break;
    case ELSE:
        if (f->open && f->depth == f->inside)
            f->depth--; /* the other half of an #if around the region's begin */
        break;
    default:
        return 0;
    }
    if (f->open && f->depth < f->inside)
        return refuse(f, l,
                      "the #if around '#pragma scop' ends inside the region; put "
                      "'#pragma endscop' before this line");
    return 0;
}

int sq_scop_regions(sq_reader *r, const char *text, size_t n, sq_region_text **to)
{
    lexer l = {text, n, 0, true};
    finder f = {.r = r};
    while (next_directive(&l)) {
        f.hash = l.at;
        size_t end = directive_end(&l, l.at);
        if (add_directive(&f, &l, end))
            return -1;
        l.at = end;
        l.line_start = false;
    }
    *to = f.region;
    if (!f.open)
        return f.n;
    f.hash = f.region[f.n - 1].from;
    f.hash += strspn(text + f.hash, " \t");
    return refuse(&f, &l,
                  "this region has no end; write '#pragma endscop' after its last statement");
}

/* ---- the text once more -------------------------------------------------------------------- */

char *sq_scop_original(sq_arena *arena, const char *text, const sq_region_text *t)
{
    size_t n = t->inner_to - t->inner;
    char *copy = sq_arena_strndup(arena, text + t->inner, n);
    lexer l = {copy, n, 0, true};
    while (next_directive(&l)) {
        size_t end = directive_end(&l, l.at);
        if (directive_kind(&l, end) == SQUALL)
            memset(copy + l.at, ' ', end - l.at);
        l.at = end;
    }
    return copy;
}
