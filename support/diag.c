/* Diagnostics: the list, and its printer in the format of gcc, which editors know how to jump to:
 *
 *     conv.sq:12:5: error: cannot parallelise loop 'x': it carries a dependence
 *        12 |     out[y][x] = out[y][x-1] + w[k]*in[y][x+k];
 *           |     ^~~~~~~~~
 *     note: for example with W=3: S0[y=0, x=1] needs S0[y=0, x=0]
 *
 * File names of places are copied into a small table, because a kernel's arena may be gone by the
 * time the list is printed. */
#include "support/diag.h"
#include "support/text.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SHOWN = 200 }; /* characters of a line */

typedef struct source {
    char *file;
    char *text; /* NULL: only the name is known */
    size_t n;
} source;

struct sq_diags {
    size_t n, cap;
    sq_diag *entry;
    size_t nsources, sources_cap;
    source *source;
};

static void *checked(void *p)
{
    if (!p) {
        fputs("squall: error: out of memory\n", stderr);
        exit(3);
    }
    return p;
}

sq_diags *sq_diags_new(void)
{
    return checked(calloc(1, sizeof(sq_diags)));
}

sq_diags *sq_diags_free(sq_diags *d)
{
    if (!d)
        return NULL;
    sq_diags_rewind(d, 0);
    for (size_t i = 0; i < d->nsources; i++) {
        free(d->source[i].file);
        free(d->source[i].text);
    }
    free(d->source);
    free(d->entry);
    free(d);
    return NULL;
}

/* The table's row of a file, made if there is none. The names themselves never move. */
static source *source_of(sq_diags *d, const char *file)
{
    for (size_t i = 0; i < d->nsources; i++)
        if (strcmp(d->source[i].file, file) == 0)
            return &d->source[i];
    if (d->nsources == d->sources_cap) {
        d->sources_cap = d->sources_cap ? 2 * d->sources_cap : 4;
        d->source = checked(realloc(d->source, d->sources_cap * sizeof *d->source));
    }
    source *s = &d->source[d->nsources++];
    *s = (source){.file = checked(strdup(file))};
    return s;
}

void sq_diags_source(sq_diags *d, const char *file, const char *text, size_t n)
{
    source *s = source_of(d, file);
    free(s->text);
    s->text = checked(malloc(n + 1));
    if (n)
        memcpy(s->text, text, n);
    s->text[n] = 0;
    s->n = n;
}

static void add(sq_diags *d, sq_severity severity, sq_fault fault, sq_loc loc, const char *format,
                va_list args)
{
    if (d->n == d->cap) {
        d->cap = d->cap ? 2 * d->cap : 8;
        d->entry = checked(realloc(d->entry, d->cap * sizeof *d->entry));
    }
    if (loc.file)
        loc.file = source_of(d, loc.file)->file;
    sq_text message = {0};
    sq_text_vprintf(&message, format, args);
    for (char *p = message.s; p && (p = strpbrk(p, "\n\r")) != NULL; p++)
        *p = ' '; /* what a library or a file's name says: a message is one line */
    d->entry[d->n++] =
        (sq_diag){.severity = severity, .fault = fault, .loc = loc, .message = message.s, .reason = message.s};
}

int sq_error(sq_diags *d, sq_fault fault, sq_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(d, SQ_ERROR, fault, loc, format, args);
    va_end(args);
    return -1;
}

int sq_refusal(sq_diags *d, sq_loc loc, const char *what, const char *why)
{
    sq_error(d, SQ_FAULT_REFUSED, loc, "%s refused: %s", what, why);
    sq_diag *own = &d->entry[d->n - 1];
    own->reason = own->message + strlen(own->message) - strlen(why);
    return -1;
}

void sq_warning(sq_diags *d, sq_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(d, SQ_WARNING, SQ_FAULT_NONE, loc, format, args);
    va_end(args);
}

void sq_note(sq_diags *d, sq_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(d, SQ_NOTE, SQ_FAULT_NONE, loc, format, args);
    va_end(args);
}

void sq_help(sq_diags *d, sq_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(d, SQ_HELP, SQ_FAULT_NONE, loc, format, args);
    va_end(args);
}

void sq_suggest(sq_diags *d, const char *wrong, const char *meant)
{
    if (!meant)
        return;
    sq_help(d, SQ_NOWHERE, "did you mean '%s'?", meant);
    sq_diag *own = &d->entry[d->n - 1];
    own->wrong = checked(strdup(wrong));
    own->meant = checked(strdup(meant));
}

static void free_entry(sq_diag *e)
{
    free(e->message);
    free(e->wrong);
    free(e->meant);
}

/* The first entry of the message that entry i belongs to, not before mark. */
static size_t head_of(const sq_diags *d, size_t i, size_t mark)
{
    while (i > mark && (d->entry[i].severity == SQ_NOTE || d->entry[i].severity == SQ_HELP))
        i--;
    return i;
}

static bool stands_before(sq_loc a, sq_loc b)
{
    if (!a.line || !b.line || a.file != b.file) /* of the table: one address a name */
        return false;
    return a.line < b.line || (a.line == b.line && a.col < b.col);
}

static bool says_same(const sq_diag *a, const sq_diag *b)
{
    return a->severity == b->severity && a->loc.file == b->loc.file && a->loc.line == b->loc.line &&
           a->loc.col == b->loc.col && a->loc.line && strcmp(a->message, b->message) == 0;
}

static bool is_said(const sq_diags *d, size_t mark, size_t i)
{
    bool is = false;
    for (size_t k = mark; k < i; k++)
        is |= says_same(&d->entry[k], &d->entry[i]);
    return is;
}

static void take_out(sq_diags *d, size_t i, size_t end)
{
    for (size_t k = i; k < end; k++)
        free_entry(&d->entry[k]);
    memmove(&d->entry[i], &d->entry[end], (d->n - end) * sizeof *d->entry);
    d->n -= end - i;
}

void sq_diags_sort(sq_diags *d, size_t mark)
{
    for (size_t i = mark; i < d->n;) {
        size_t end = i + 1, to = i;
        while (end < d->n && head_of(d, end, i) == i)
            end++;
        if (is_said(d, mark, i)) {
            take_out(d, i, end);
            continue;
        }
        while (to > mark && stands_before(d->entry[i].loc, d->entry[head_of(d, to - 1, mark)].loc))
            to = head_of(d, to - 1, mark);
        for (size_t k = i; to < i && k < end; k++) {
            sq_diag moved = d->entry[k];
            size_t place = to + (k - i);
            memmove(&d->entry[place + 1], &d->entry[place], (k - place) * sizeof moved);
            d->entry[place] = moved;
        }
        i = end;
    }
}

const sq_diag *sq_diags_at(const sq_diags *d, size_t i)
{
    return i < d->n ? &d->entry[i] : NULL;
}

int sq_diags_errors(const sq_diags *d)
{
    int errors = 0;
    for (size_t i = 0; i < d->n; i++)
        errors += d->entry[i].severity == SQ_ERROR;
    return errors;
}

sq_fault sq_diags_fault(const sq_diags *d)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->entry[i].severity == SQ_ERROR)
            return d->entry[i].fault;
    return SQ_FAULT_NONE;
}

size_t sq_diags_mark(const sq_diags *d)
{
    return d->n;
}

void sq_diags_rewind(sq_diags *d, size_t mark)
{
    while (d->n > mark)
        free_entry(&d->entry[--d->n]);
}

static const sq_diag *first_error(const sq_diags *d, size_t mark)
{
    for (size_t i = mark; i < d->n; i++)
        if (d->entry[i].severity == SQ_ERROR)
            return &d->entry[i];
    return NULL;
}

const char *sq_diags_message(const sq_diags *d, size_t mark)
{
    const sq_diag *error = first_error(d, mark);
    return error ? error->message : NULL;
}

const char *sq_diags_reason(const sq_diags *d, size_t mark)
{
    const sq_diag *error = first_error(d, mark);
    return error ? error->reason : NULL;
}

static const char *const severity_name[] = {"error", "warning", "note", "help"};
static const char *const severity_color[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m",
                                             "\033[1;32m"};

/* Line number `want` of the file without its newline, or NULL when it is not known. */
static const char *line_of(const sq_diags *d, const char *file, int want, size_t *length)
{
    for (size_t i = 0; i < d->nsources; i++) {
        const source *s = &d->source[i];
        if (!s->text || strcmp(s->file, file) != 0)
            continue;
        const char *p = s->text, *end = s->text + s->n;
        for (int line = 1; line < want && p; line++) {
            p = memchr(p, '\n', (size_t)(end - p));
            p = p ? p + 1 : NULL;
        }
        if (!p)
            return NULL;
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        *length = (size_t)((stop ? stop : end) - p);
        if (*length && p[*length - 1] == '\r')
            --*length;
        return p;
    }
    return NULL;
}

static int starts_character(char c) /* of UTF-8: what follows in it takes no column */
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* The part of a line that is shown: all of it, or MOST_SHOWN characters around a place. */
typedef struct window {
    size_t from, to; /* bytes */
    bool cut;        /* something is left out in front */
    bool cut_behind;
} window;

/* `n` characters back from byte `at`, or forth to byte `end`, a character never in parts. */
static size_t step_back(const char *line, size_t at, int n)
{
    while (at > 0 && n > 0)
        n -= starts_character(line[--at]);
    return at;
}

static size_t step_forth(const char *line, size_t at, size_t end, int n)
{
    while (at < end && (n > 0 || !starts_character(line[at])))
        n -= starts_character(line[at++]);
    return at;
}

/* A third of what is shown stands in front of the place, more where the line ends soon. */
static window window_at(const char *line, size_t n, size_t at)
{
    window w = {.to = n};
    if (step_forth(line, 0, n, MOST_SHOWN) == n)
        return w;
    size_t first = step_back(line, at, MOST_SHOWN / 3), last = step_back(line, n, MOST_SHOWN);
    w.from = first < last ? first : last;
    w.to = step_forth(line, w.from, n, MOST_SHOWN);
    w.cut = w.from > 0;
    w.cut_behind = w.to < n;
    return w;
}

/* The line, and below it a caret under column col with waves to the end of the range. */
static void print_excerpt(const sq_diags *d, FILE *to, const sq_loc *loc, const char *on,
                          const char *off)
{
    size_t n = 0;
    const char *line = line_of(d, loc->file, loc->line, &n);
    if (!line || loc->col < 1)
        return;
    size_t start = (size_t)loc->col - 1 < n ? (size_t)loc->col - 1 : n;
    window w = window_at(line, n, start);
    fprintf(to, "%5d | %s", loc->line, w.cut ? "..." : "");
    fwrite(line + w.from, 1, w.to - w.from, to);
    fprintf(to, "%s\n      | %s", w.cut_behind ? "..." : "", w.cut ? "   " : "");
    for (size_t i = w.from; i < start; i++)
        if (starts_character(line[i]))
            fputc(line[i] == '\t' ? '\t' : ' ', to);
    fprintf(to, "%s^", on);
    for (size_t i = start + 1; i < w.to && i < start + (size_t)(loc->len > 0 ? loc->len : 1); i++)
        if (starts_character(line[i]))
            fputc('~', to);
    fprintf(to, "%s\n", off);
}

/* A help at the place of its error needs no second excerpt. */
static void print_gcc(const sq_diags *d, const sq_diag *e, FILE *to, int color, bool excerpt)
{
    const char *on = color ? severity_color[e->severity] : "", *off = color ? "\033[m" : "";
    const char *bold = color ? "\033[1m" : "";
    fputs(bold, to);
    if (e->loc.file && e->loc.line > 0)
        fprintf(to, "%s:%d:%d: ", e->loc.file, e->loc.line, e->loc.col);
    else if (e->loc.file)
        fprintf(to, "%s: ", e->loc.file);
    else if (e->severity <= SQ_WARNING)
        fputs("squall: ", to);
    fprintf(to, "%s%s%s: %s\n", on, severity_name[e->severity], off, e->message);
    if (excerpt && e->loc.file && e->loc.line > 0)
        print_excerpt(d, to, &e->loc, on, off);
}

/* Length of the UTF-8 sequence at s, 0 if there is none. */
static int utf8_length(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    int n = u[0] < 0x80                   ? 1
            : u[0] >= 0xc2 && u[0] < 0xe0 ? 2
            : u[0] >= 0xe0 && u[0] < 0xf0 ? 3
            : u[0] >= 0xf0 && u[0] < 0xf5 ? 4
                                          : 0;
    for (int i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    bool too_long = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
    bool no_character = (u[0] == 0xed && u[1] >= 0xa0) || (u[0] == 0xf4 && u[1] >= 0x90);
    return too_long || no_character ? 0 : n;
}

static void put_json_string(FILE *to, const char *s)
{
    fputc('"', to);
    for (int n; *s; s += n ? n : 1) {
        n = utf8_length(s);
        if (n == 0)
            fputs("\\ufffd", to);
        else if (*s == '"' || *s == '\\')
            fprintf(to, "\\%c", *s);
        else if (*s == '\n')
            fputs("\\n", to);
        else if ((unsigned char)*s < 0x20 || *s == 0x7f)
            fprintf(to, "\\u%04x", (unsigned)*s);
        else
            fwrite(s, 1, (size_t)n, to);
    }
    fputc('"', to);
}

/* The members of one entry. */
static void print_json(const sq_diag *e, FILE *to)
{
    fprintf(to, "{\"severity\":\"%s\",\"message\":", severity_name[e->severity]);
    put_json_string(to, e->message);
    if (e->loc.file) {
        fputs(",\"file\":", to);
        put_json_string(to, e->loc.file);
    }
    if (e->loc.file && e->loc.line > 0)
        fprintf(to, ",\"line\":%d,\"column\":%d,\"length\":%d", e->loc.line, e->loc.col,
                e->loc.len);
    if (e->severity == SQ_ERROR)
        fprintf(to, ",\"code\":%d", (int)e->fault);
    if (e->meant) {
        fputs(",\"replace\":", to);
        put_json_string(to, e->wrong);
        fputs(",\"by\":", to);
        put_json_string(to, e->meant);
    }
}

/* One array; an entry a line, its notes inside of it. */
static void print_json_all(const sq_diags *d, FILE *to)
{
    fputs("[", to);
    for (size_t i = 0; i < d->n;) {
        fputs(i ? ",\n" : "\n", to);
        print_json(&d->entry[i++], to);
        fputs(",\"notes\":[", to);
        for (bool first = true; i < d->n && d->entry[i].severity > SQ_WARNING; first = false) {
            fputs(first ? "" : ",", to);
            print_json(&d->entry[i++], to);
            fputs("}", to);
        }
        fputs("]}", to);
    }
    fputs(d->n ? "\n]\n" : "]\n", to);
}

static bool same_place(const sq_loc *a, const sq_loc *b)
{
    return a->file == b->file && a->line == b->line && a->col == b->col;
}

void sq_diags_print(const sq_diags *d, FILE *to, sq_diag_format format, int color)
{
    if (format == SQ_DIAG_JSON)
        print_json_all(d, to);
    for (size_t i = 0; i < d->n && format == SQ_DIAG_GCC; i++) {
        bool shown = i > 0 && d->entry[i].severity > SQ_WARNING &&
                     same_place(&d->entry[i].loc, &d->entry[i - 1].loc);
        print_gcc(d, &d->entry[i], to, color, !shown);
    }
    fflush(to);
}

/* The process's own command line, as the kernel keeps it: words parted by NUL. */
static void print_command(FILE *to)
{
    char words[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, words, sizeof words);
    if (fd >= 0)
        close(fd);
    fputs("  command:", to);
    for (ssize_t i = 0; i < n; i++) {
        if (i == 0 || words[i - 1] == 0)
            fputc(' ', to);
        if (words[i])
            fputc(words[i], to);
    }
    fputc('\n', to);
}

_Noreturn void sq_bug(const char *where, const char *format, ...)
{
    fprintf(stderr, "squall: internal error in %s: ", where);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    print_command(stderr);
    fputs("  This is a fault of squall, not of your input. Please report it with the line above "
          "and the files it names.\n",
          stderr);
    abort();
}
