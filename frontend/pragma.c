/* Pragmas: the lines `#pragma squall …` of a description, which libclang shows no cursor for.
 *     #pragma squall tune M=512 N=512 K=512     representative sizes, one line per bucket
 *     #pragma squall fp strict                  the floating-point contract
 *
 * Read with PCRE2 from the text. The pattern eats comments and strings first, so that a pragma
 * inside of one does not count. A line belongs to the kernel it stands in or before. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "frontend/scop_build.h"
#include "support/nearest.h"
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

static const char line_pattern[] =
    "(?s:/\\*.*?\\*/)(*SKIP)(*FAIL)|//"
    "[^\\n]*(*SKIP)(*FAIL)|\"(?:\\\\.|[^\"\\\\\\n])*\"(*SKIP)(*FAIL)"
    "|^[ \\t]*\\#[ \\t]*pragma[ \\t]+(\\w+)\\b[ \\t]*((?:(?!//|/\\*)[^\\n\\r])*)";
static const char pair_pattern[] =
    "\\G[ \\t,]*([A-Za-z_\\x80-\\xff][\\w\\x80-\\xff]*)[ \\t]*=[ \\t]*([0-9]{1,18})\\b[ \\t]*";

typedef struct scanner {
    pcre2_code *code;
    pcre2_match_data *match;
    const char *text;
    size_t n, at;
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

/* The next match from s->at on; moves behind it. */
static bool scan_next(scanner *s)
{
    int rc = pcre2_match(s->code, (PCRE2_SPTR)s->text, s->n, s->at, 0, s->match, NULL);
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

static sq_loc place(const sq_reader *r, const char *text, const char *at, size_t n)
{
    int line = 1, col = 1;
    for (const char *p = text; p < at; p++) {
        col = *p == '\n' ? 1 : col + 1;
        line += *p == '\n';
    }
    return (sq_loc){r->path, line, col, (int)n};
}

/* `loc` of a part of a pragma. */
static sq_loc part(const sq_pragma *p, const char *at, size_t n)
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
    const char *near = sq_nearest(rest, names, 3);
    sq_error(
        r->d, SQ_FAULT_INPUT, part(p, rest, strlen(rest)),
        "the floating-point contract '%s' is not accepted; accepted are strict, reassoc and fast",
        rest);
    if (near)
        sq_help(r->d, SQ_NOWHERE, "did you mean '%s'?", near);
    return -1;
}

/* The first word decides; tune waits until the kernels are known. */
static int check_pragma(sq_reader *r, const sq_pragma *p)
{
    static const char *const words[] = {"tune", "fp"};
    size_t n = strcspn(p->text, " \t");
    if (n == 4 && strncmp(p->text, "tune", 4) == 0)
        return 0;
    if (n == 2 && strncmp(p->text, "fp", 2) == 0)
        return check_fp(r, p);
    const char *word = sq_arena_strndup(r->arena, p->text, n), *near = sq_nearest(word, words, 2);
    if (!n)
        return sq_error(r->d, SQ_FAULT_INPUT, p->loc,
                        "this pragma says nothing; accepted are 'tune NAME=value ...' and 'fp "
                        "strict|reassoc|fast'");
    return sq_error(r->d, SQ_FAULT_INPUT, part(p, p->text, n),
                    "unknown pragma '%s'%s; accepted "
                    "are 'tune NAME=value ...' and 'fp strict|reassoc|fast'",
                    word, near ? sq_arena_printf(r->arena, ", did you mean '%s'?", near) : "");
}

/* A pragma of another name may be a slip, or a wish that is fulfilled in another way. */
static int check_foreign(sq_reader *r, const scanner *s, bool regions)
{
    static const char *const ours[] = {"squall"}, *const marks[] = {"scop", "endscop"};
    size_t n;
    const char *at = group(s, 1, &n), *word = sq_arena_strndup(r->arena, at, n);
    sq_loc loc = place(r, s->text, at, n);
    if (sq_nearest(word, ours, 1))
        return sq_error(r->d, SQ_FAULT_INPUT, loc, "unknown pragma '%s'; did you mean 'squall'?",
                        word);
    const char *near = sq_nearest(word, marks, 2);
    if (near && strcmp(near, word) != 0)
        sq_warning(r->d, loc, "unknown pragma '%s'; did you mean '%s'?", word, near);
    if (!regions && strcmp(word, "omp") == 0)
        sq_warning(r->d, loc,
                   "OpenMP's pragmas say nothing in a description; threads come with "
                   "--target=…,openmp and parallel(loop) in a schedule");
    return 0;
}

static bool is_squall(const scanner *s)
{
    size_t n;
    const char *word = group(s, 1, &n);
    return n == 6 && memcmp(word, "squall", 6) == 0;
}

int sq_pragmas_read(sq_reader *r, const char *text, size_t n, sq_pragmas *to)
{
    scanner s = scanner_new(line_pattern, text, n);
    bool regions = sq_scop_present(text, n);
    int rc = 0;
    while (scan_next(&s)) {
        size_t length;
        const char *rest = group(&s, 2, &length);
        if (!is_squall(&s)) {
            rc |= check_foreign(r, &s, regions);
            continue;
        }
        while (length && (rest[length - 1] == ' ' || rest[length - 1] == '\t'))
            length--;
        sq_pragma *more = SQ_NEW_ARRAY(r->arena, sq_pragma, to->n + 1);
        if (to->n)
            memcpy(more, to->p, (size_t)to->n * sizeof *more);
        to->p = more;
        sq_pragma *p = &to->p[to->n++];
        *p = (sq_pragma){place(r, text, rest, length), sq_arena_strndup(r->arena, rest, length)};
        bool sound = check_pragma(r, p) == 0;
        rc |= sound ? 0 : -1;
        to->n -= !sound;
    }
    scanner_free(&s);
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
    const char *near = sq_nearest(word, known, (size_t)k->nsizes);
    return sq_error(r->d, SQ_FAULT_INPUT, part(p, name, n), "kernel '%s' has no size '%s'%s",
                    k->name, word,
                    near ? sq_arena_printf(r->arena, "; did you mean '%s'?", near) : "");
}

static int read_value(sq_reader *r, const sq_pragma *p, const sq_size *s, const char *value,
                      size_t digits, bool seen, int64_t *to)
{
    *to = strtoll(value, NULL, 10);
    if (seen)
        return sq_error(r->d, SQ_FAULT_INPUT, part(p, value, digits),
                        "this line gives '%s' two values; write one line for each", s->name);
    if (s->type == SQ_I32 && *to > INT32_MAX)
        return sq_error(r->d, SQ_FAULT_INPUT, part(p, value, digits),
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
        rc = sq_error(r->d, SQ_FAULT_INPUT, part(p, rest, strlen(rest)),
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
        if (p->p[i].loc.line > from && p->p[i].loc.line <= to &&
            strncmp(p->p[i].text, "tune", 4) == 0)
            rc |= add_row(r, &p->p[i], k);
    return rc;
}

static bool is_fp(const sq_pragma *p, int from, int to)
{
    return p->loc.line > from && p->loc.line <= to && strncmp(p->text, "fp", 2) == 0;
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
    return 0;
}

void sq_pragmas_behind(sq_reader *r, const sq_pragmas *p, int last)
{
    for (int i = 0; i < p->n; i++)
        if (p->p[i].loc.line > last)
            sq_warning(r->d, p->p[i].loc,
                       "this has no effect: such a line is about the kernel that it stands in, or "
                       "the next one, and none follows");
}
