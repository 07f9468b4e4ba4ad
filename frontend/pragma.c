/* Pragmas: the lines `#pragma squall …` of a description, and those of compilers; libclang shows no
 * cursor for them.
 *     #pragma squall tune M=512 N=512 K=512     representative sizes, one line per bucket
 *     #pragma squall fp strict                  the floating-point contract
 *     #pragma squall parameters A lda M N       their order in the function: frontend/signature.c
 *
 * Read with PCRE2 from the text. The pattern eats comments and strings first, so that a pragma
 * inside of one does not count; nor does one under an #if that does not hold. A line belongs to the
 * kernel it stands in or before. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "frontend/scop_build.h"
#include "support/nearest.h"
#include "support/words.h"
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

static const char line_pattern[] =
    "(?s:/\\*.*?\\*/)(*SKIP)(*FAIL)|//"
    "[^\\n]*(*SKIP)(*FAIL)|\"(?:\\\\.|[^\"\\\\\\n])*\"(*SKIP)(*FAIL)"
    "|'(?:\\\\.|[^'\\\\\\n])*'(*SKIP)(*FAIL)"
    "|(?|^[ \\t]*(?:\\#|%:|\\?\\?=)[ \\t]*pragma[ \\t]+(\\w+)\\b[ \\t]*((?:(?!//|/\\*)[^\\n\\r])*)"
    "|_Pragma[ \\t]*\\([ \\t]*\"[ \\t]*(\\w+)\\b[ \\t]*((?:\\\\.|[^\"\\\\\\n])*))";
static const char pair_pattern[] =
    "\\G[ \\t,]*([A-Za-z_\\x80-\\xff][\\w\\x80-\\xff]*)[ \\t]*=[ \\t]*([0-9]{1,18})\\b[ \\t]*";

typedef struct scanner {
    pcre2_code *code;
    pcre2_match_data *match;
    const char *text;
    size_t n, at;
    const char *path;    /* of the text */
    const char *counted; /* lines up to here: matches follow each other */
    int line, col;
    bool has_failed;
    size_t
        included; /* where the description includes it, behind its first byte; 0: it is that itself */
} scanner;

static scanner scanner_new(const char *pattern, const char *text, size_t n)
{
    int error;
    PCRE2_SIZE where;
    scanner s = {.text = text, .n = n};
    s.code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_MULTILINE, &error,
                           &where, NULL);
    if (!s.code)
        sq_bug("pragma", "pattern: PCRE2 error %d at %zu", error, (size_t)where);
    s.match = pcre2_match_data_create_from_pattern(s.code, NULL);
    return s;
}

static void scanner_free(scanner *s)
{
    pcre2_match_data_free(s->match);
    pcre2_code_free(s->code);
}

/* The next match from s->at on; moves behind it. False also where PCRE2 gives up: `has_failed`. */
static bool scan_next(scanner *s)
{
    int rc = pcre2_match(s->code, (PCRE2_SPTR)s->text, s->n, s->at, 0, s->match, NULL);
    s->has_failed = rc < 0 && rc != PCRE2_ERROR_NOMATCH;
    if (rc < 0)
        return false;
    s->at = pcre2_get_ovector_pointer(s->match)[1];
    return true;
}

/* Start of a group, *n its length. */
static const char *group(const scanner *s, int i, size_t *n)
{
    PCRE2_SIZE *v = pcre2_get_ovector_pointer(s->match);
    *n = v[2 * i + 1] - v[2 * i];
    return s->text + v[2 * i];
}

static sq_loc place(scanner *s, const char *at, size_t n)
{
    if (!s->counted || s->counted > at)
        s->counted = s->text, s->line = s->col = 1;
    for (; s->counted < at; s->counted++) {
        s->col = *s->counted == '\n' ? 1 : s->col + 1;
        s->line += *s->counted == '\n';
    }
    return (sq_loc){s->path, s->line, s->col, (int)n};
}

sq_loc sq_pragma_part(const sq_pragma *p, const char *at, size_t n)
{
    sq_loc loc = p->loc;
    loc.col += (int)(at - p->text);
    loc.len = (int)n;
    return loc;
}

/* What follows the word fp. */
static const char *after_fp(const sq_pragma *p)
{
    return p->text + 2 + strspn(p->text + 2, " \t");
}

/* The contract of this name, -1 if there is none. */
static int fp_named(const char *name)
{
    for (int fp = SQ_FP_REASSOC; fp <= SQ_FP_FAST; fp++)
        if (strcmp(name, sq_fp_name((sq_fp)fp)) == 0)
            return fp;
    return -1;
}

static int check_fp(sq_reader *r, const sq_pragma *p)
{
    static const char *const names[] = {"strict", "reassoc", "fast"};
    const char *rest = after_fp(p);
    if (fp_named(rest) >= 0)
        return 0;
    if (!*rest)
        return sq_error(
            r->d, SQ_FAULT_INPUT, p->loc,
            "this pragma names no floating-point contract; accepted are strict, reassoc "
            "and fast");
    sq_error(
        r->d, SQ_FAULT_INPUT, sq_pragma_part(p, rest, strlen(rest)),
        "the floating-point contract '%s' is not accepted; accepted are strict, reassoc and fast",
        rest);
    sq_suggest(r->d, rest, sq_nearest(rest, names, 3));
    return -1;
}

#define ACCEPTED "accepted are 'tune NAME=value ...', 'fp strict|reassoc|fast' and 'parameters NAME ...'"

bool sq_pragma_is(const sq_pragma *p, const char *word)
{
    size_t n = strlen(word);
    return strcspn(p->text, " \t") == n && strncmp(p->text, word, n) == 0;
}

/* The first word selects the pragma; but for fp, the rest waits until the kernels are known. */
static int check_pragma(sq_reader *r, const sq_pragma *p)
{
    static const char *const words[] = {"tune", "fp", "parameters"};
    if (sq_pragma_is(p, "fp"))
        return check_fp(r, p);
    if (sq_pragma_is(p, "tune") || sq_pragma_is(p, "parameters"))
        return 0;
    size_t n = strcspn(p->text, " \t");
    const char *word = sq_arena_strndup(r->arena, p->text, n);
    if (!n)
        return sq_error(r->d, SQ_FAULT_INPUT, p->loc, "this pragma says nothing; " ACCEPTED);
    sq_error(r->d, SQ_FAULT_INPUT, sq_pragma_part(p, p->text, n), "unknown pragma '%s'; " ACCEPTED, word);
    if (strcmp(word, "prepacked") == 0)
        sq_help(r->d, SQ_NOWHERE,
                "prepacked stands before a parameter of a kernel, prepacked const f32 W[K][N]; the text of a region is "
                "given the array itself in each call, so write its loops as a description");
    else
        sq_suggest(r->d, word, sq_nearest(word, words, 3));
    return -1;
}

/* A pragma of another name may be a slip, or a wish that is fulfilled in another way. */
static int check_foreign(sq_reader *r, scanner *s, bool regions)
{
    static const char *const ours[] = {"squall"}, *const marks[] = {"scop", "endscop"};
    size_t n;
    const char *at = group(s, 1, &n), *word = sq_arena_strndup(r->arena, at, n);
    sq_loc loc = place(s, at, n);
    if (s->included)
        return 0;
    if (sq_nearest(word, ours, 1)) {
        sq_error(r->d, SQ_FAULT_INPUT, loc, "unknown pragma '%s'", word);
        sq_suggest(r->d, word, ours[0]);
        return -1;
    }
    const char *near = sq_nearest(word, marks, 2);
    if (near && strcmp(near, word) != 0) {
        sq_warning(r->d, loc, "unknown pragma '%s'", word);
        sq_suggest(r->d, word, near);
    }
    if (!regions && strcmp(word, "omp") == 0)
        sq_warning(r->d, loc,
                   "OpenMP's pragmas say nothing in a description; threads come with "
                   "--target=…,openmp and parallel(loop) in a schedule");
    return 0;
}

/* True for _Pragma("…"), which may be a part of a macro. */
static bool is_operator(const scanner *s)
{
    return s->text[pcre2_get_ovector_pointer(s->match)[0]] == '_';
}

/* True if the line that ends at `end` goes on in the next one. */
static bool is_continued(const char *end)
{
    return end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\');
}

/* True if the line that holds the match is another directive, which defines a macro. */
static bool is_defined(const scanner *s)
{
    const char *at = s->text + pcre2_get_ovector_pointer(s->match)[0];
    while (at > s->text && (at[-1] != '\n' || (at - s->text > 2 && is_continued(at - 1))))
        at--;
    return is_operator(s) && at[strspn(at, " \t")] == '#';
}

/* The tokens from `at` to the end of the line or of the string around it, with a blank between them. */
static char *tokens(const sq_reader *r, const scanner *s, const char *at)
{
    const char *end = at;
    while (end < s->text + s->n && (*end != '\n' || is_continued(end)))
        end++;
    char *text = SQ_NEW_ARRAY(r->arena, char, 2 * (end - at) + 2), *to = text;
    bool in_string = false, operator= is_operator(s);
    for (; at < end; at++) {
        bool comment = !in_string && *at == '/' && at + 1 < end;
        const char *close = comment && at[1] == '*' ? strstr(at + 2, "*/") : NULL;
        if (comment && at[1] == '/')
            break;
        if (close) {
            at = close + 1;
            continue;
        }
        if (*at == '\\' || *at == '\r' || *at == '\n')
            continue;
        bool quote = *at == '"' && (!operator|| at[-1] == '\\');
        if (*at == '"' && !quote)
            break;
        bool word = sq_is_word_byte(*at) && to > text && sq_is_word_byte(at[-1]);
        if (!in_string && !word && to > text && to[-1] != ' ')
            *to++ = ' ';
        in_string ^= quote;
        if (in_string || (*at != ' ' && *at != '\t'))
            *to++ = *at;
    }
    *to = 0;
    return text;
}

static void add(sq_reader *r, sq_pragma **list, int *n, sq_pragma one)
{
    sq_pragma *more = *list;
    if ((*n & (*n - 1)) == 0) { /* as many as there is room for: 0, 1, 2, 4, ... */
        more = SQ_NEW_ARRAY(r->arena, sq_pragma, 2 * *n + 1);
        if (*n)
            memcpy(more, *list, (size_t)*n * sizeof *more);
    }
    int i = (*n)++; /* those of included files come last, and stand before */
    for (; i > 0 && more[i - 1].at > one.at; i--)
        more[i] = more[i - 1];
    more[i] = one;
    *list = more;
}

static int add_foreign(sq_reader *r, scanner *s, bool regions, sq_pragmas *to)
{
    size_t n;
    const char *at = group(s, 1, &n);
    sq_loc loc = place(s, at, n);
    size_t where = s->included ? s->included : (size_t)(at - s->text);
    bool marks = strncmp(at, "scop", n) == 0 || strncmp(at, "endscop", n) == 0;
    if (!is_defined(s) && !(marks && regions))
        add(r, &to->foreign, &to->nforeign, (sq_pragma){loc, tokens(r, s, at), where, false});
    return check_foreign(r, s, regions);
}

static int add_squall(sq_reader *r, scanner *s, sq_pragmas *to)
{
    size_t n, length;
    const char *rest = group(s, 2, &length), *word = group(s, 1, &n);
    if (s->included) {
        sq_warning(r->d, place(s, word, n),
                   "this has no effect: such lines stand in the description itself");
        return 0;
    }
    if (is_operator(s))
        return sq_error(r->d, SQ_FAULT_INPUT, place(s, word, n),
                        "what is said to squall are lines '#pragma squall …' of the file itself; "
                        "_Pragma and macros that hold it are not read");
    while (length && (rest[length - 1] == ' ' || rest[length - 1] == '\t'))
        length--;
    sq_pragma p = {place(s, rest, length), sq_arena_strndup(r->arena, rest, length),
                   (size_t)(rest - s->text), false};
    if (check_pragma(r, &p) != 0)
        return -1;
    add(r, &to->p, &to->n, p);
    return 0;
}

static bool is_squall(const scanner *s)
{
    size_t n;
    const char *word = group(s, 1, &n);
    return n == 6 && memcmp(word, "squall", 6) == 0;
}

static int read_text(sq_reader *r, scanner s, CXFile file, sq_pragmas *to)
{
    sq_scop_skipped skipped = sq_scop_skipped_find(r, file);
    bool regions = !s.included && sq_scop_present(s.text, s.n);
    int rc = 0;
    while (scan_next(&s)) {
        size_t length;
        if (sq_scop_skips(&skipped, (size_t)(group(&s, 1, &length) - s.text)))
            continue;
        rc |= is_squall(&s) ? add_squall(r, &s, to) : add_foreign(r, &s, regions, to);
    }
    if (s.has_failed)
        rc = sq_error(r->d, SQ_FAULT_INPUT, place(&s, s.text + s.at, 1),
                      "behind this a comment, a string or a pragma is too long to be read");
    scanner_free(&s);
    return rc;
}

typedef struct inclusions {
    sq_reader *r;
    sq_pragmas *to;
} inclusions;

/* Pragmas of headers hold behind their #include; those of the system keep to themselves. */
static void read_included(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData user)
{
    inclusions *in = user;
    const sq_clang *cl = in->r->cl;
    size_t n = 0, at;
    const char *text = cl->clang_getFileContents(in->r->unit, file, &n);
    CXSourceLocation first = cl->clang_getLocation(in->r->unit, file, 1, 1);
    sq_loc loc = sq_place_loc(in->r, first);
    if (!depth || !text || !loc.file || cl->clang_Location_isInSystemHeader(first) ||
        !sq_scop_offset(in->r, stack[depth - 1], &at))
        return;
    scanner s = scanner_new(line_pattern, text, n);
    s.path = loc.file;
    s.included = at + 1;
    read_text(in->r, s, file, in->to);
}

int sq_pragmas_read(sq_reader *r, const char *text, size_t n, sq_pragmas *to)
{
    scanner s = scanner_new(line_pattern, text, n);
    s.path = r->path;
    if (!r->unit)
        return read_text(r, s, NULL, to);
    int rc = read_text(r, s, r->cl->clang_getFile(r->unit, r->path), to);
    inclusions in = {r, to};
    r->cl->clang_getInclusions(r->unit, read_included, &in);
    return rc;
}

static int find_size(const sq_kernel *k, const char *name, size_t n)
{
    for (int i = 0; i < k->nsizes; i++)
        if (strlen(k->size[i]->name) == n && strncmp(k->size[i]->name, name, n) == 0)
            return i;
    return -1;
}

static int unknown_size(sq_reader *r, const sq_pragma *p, const sq_kernel *k, const char *name,
                        size_t n)
{
    const char *known[SQ_MAX_SIZES];
    for (int i = 0; i < k->nsizes; i++)
        known[i] = k->size[i]->name;
    const char *word = sq_arena_strndup(r->arena, name, n);
    sq_error(r->d, SQ_FAULT_INPUT, sq_pragma_part(p, name, n), "kernel '%s' has no size '%s'", k->name, word);
    sq_suggest(r->d, word, sq_nearest(word, known, (size_t)k->nsizes));
    return -1;
}

static int read_value(sq_reader *r, const sq_pragma *p, const sq_size *s, const char *value,
                      size_t digits, bool seen, int64_t *to)
{
    *to = strtoll(value, NULL, 10);
    if (seen)
        return sq_error(r->d, SQ_FAULT_INPUT, sq_pragma_part(p, value, digits),
                        "this line gives '%s' two values; write one line for each", s->name);
    if (s->type == SQ_I32 && *to > INT32_MAX)
        return sq_error(r->d, SQ_FAULT_INPUT, sq_pragma_part(p, value, digits),
                        "this value does not fit the type of '%s', int; declare it int64_t",
                        s->name);
    return 0;
}

/* Fills row; seen[i] says which sizes the line names. */
static int read_pairs(sq_reader *r, const sq_pragma *p, const sq_kernel *k, int64_t *row,
                      bool *seen)
{
    const char *from = p->text + 4;
    scanner s = scanner_new(pair_pattern, from, strlen(from));
    int rc = 0;
    while (rc == 0 && scan_next(&s)) {
        size_t n, digits;
        const char *name = group(&s, 1, &n), *value = group(&s, 2, &digits);
        int i = find_size(k, name, n);
        if (i < 0)
            rc = unknown_size(r, p, k, name, n);
        else
            rc = read_value(r, p, k->size[i], value, digits, seen[i], &row[i]);
        if (i >= 0)
            seen[i] = true;
    }
    const char *rest = from + s.at;
    rest += strspn(rest, " \t");
    if (rc == 0 && *rest)
        rc = sq_error(r->d, SQ_FAULT_INPUT, sq_pragma_part(p, rest, strlen(rest)),
                      "this is no NAME=value; "
                      "accepted is 'tune M=512 N=512 ...' with the kernel's sizes");
    scanner_free(&s);
    return rc;
}

static int add_row(sq_reader *r, const sq_pragma *p, sq_kernel *k)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    bool seen[SQ_MAX_SIZES] = {false}, other = false;
    if (read_pairs(r, p, k, row, seen))
        return -1;
    for (int i = 0; i < k->nsizes; i++) {
        const sq_size *s = k->size[i];
        if (!seen[i] && !s->fixed)
            return sq_error(r->d, SQ_FAULT_INPUT, p->loc,
                            "this line gives no value for '%s'; a "
                            "tune line names every size",
                            s->name);
        other |= s->fixed && seen[i] && row[i] != s->value;
        row[i] = s->fixed ? s->value : row[i];
    }
    if (other) /* a bucket of sizes that --fix excludes */
        return 0;
    int64_t(*more)[SQ_MAX_SIZES] = sq_arena_array(k->arena, (size_t)k->ntune + 1, sizeof *more);
    if (k->ntune)
        memcpy(more, k->tune, (size_t)k->ntune * sizeof *more);
    memcpy(more[k->ntune++], row, sizeof row);
    k->tune = more;
    return 0;
}

int sq_pragmas_apply(sq_reader *r, const sq_pragmas *p, sq_kernel *k, int from, int to)
{
    int rc = 0;
    for (int i = 0; i < p->n; i++)
        if (p->p[i].loc.line > from && p->p[i].loc.line <= to && sq_pragma_is(&p->p[i], "tune"))
            rc |= add_row(r, &p->p[i], k);
    return rc;
}

static bool is_fp(const sq_pragma *p, int from, int to)
{
    return p->loc.line > from && p->loc.line <= to && sq_pragma_is(p, "fp");
}

int sq_pragmas_fp(sq_reader *r, const sq_pragmas *p, int from, int to, sq_fp *fp)
{
    const sq_pragma *before = NULL;
    for (int i = 0; i < p->n; i++) {
        if (!is_fp(&p->p[i], from, to))
            continue;
        sq_fp this = (sq_fp)fp_named(after_fp(&p->p[i]));
        if (before && this != *fp)
            return sq_error(r->d, SQ_FAULT_INPUT, p->p[i].loc,
                            "the kernel has the floating-point contract '%s' already, from line "
                            "%d; one kernel has one contract",
                            sq_fp_name(*fp), before->loc.line);
        before = &p->p[i];
        *fp = this;
    }
    return before != NULL;
}

void sq_pragmas_behind(sq_reader *r, const sq_pragmas *p, int last)
{
    for (int i = 0; i < p->n; i++)
        if (p->p[i].loc.line > last)
            sq_warning(r->d, p->p[i].loc,
                       "this has no effect: such a line is about the kernel that it stands in, or "
                       "the next one, and none follows");
}
