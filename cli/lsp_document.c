/* Open documents of the language server. Positions of the protocol count UTF-16 units in a line, or bytes where the
 * editor offers to; everything else of Squall counts bytes. A line ends with LF, CR LF or CR. */
#include "cli/lsp.h"
#include "support/memory.h"
#include "support/words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text, size_t n)
{
    char *copy = sq_allocated(malloc(n + 1));
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

/* ---- places ---- */

/* The byte behind the line's end; n where it has none. */
static size_t next_line(const char *text, size_t n, size_t at)
{
    while (at < n && text[at] != '\n' && text[at] != '\r')
        at++;
    if (at < n)
        at += text[at] == '\r' && at + 1 < n && text[at + 1] == '\n' ? 2 : 1;
    return at;
}

size_t sq_lsp_line(const char *text, size_t n, int line)
{
    size_t at = 0;
    for (int i = 1; i < line && at < n; i++)
        at = next_line(text, n, at);
    return at;
}

int sq_lsp_line_of(const char *text, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++) {
        bool second = text[i] == '\n' && i > 0 && text[i - 1] == '\r';
        bool parted = text[i] == '\r' && i + 1 == at && text[at] == '\n';
        line += (text[i] == '\n' || text[i] == '\r') && !second && !parted;
    }
    return line;
}

/* Bytes of the character at p, of at most `left`. */
static size_t character_bytes(const char *p, size_t left)
{
    unsigned char c = (unsigned char)*p;
    size_t n = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1, i = 1;
    while (i < n && i < left && ((unsigned char)p[i] & 0xc0) == 0x80)
        i++;
    return i;
}

/* Of the one editor that a server has. */
static bool counts_bytes;

void sq_lsp_count_bytes(bool counts)
{
    counts_bytes = counts;
}

/* What is beyond the basic plane takes a pair of UTF-16. */
static size_t units_of(size_t bytes)
{
    return counts_bytes ? bytes : bytes == 4 ? 2 : 1;
}

size_t sq_lsp_offset(const char *text, size_t n, const json_t *position)
{
    json_int_t line = json_integer_value(json_object_get(position, "line"));
    json_int_t units = json_integer_value(json_object_get(position, "character"));
    size_t at = 0;
    for (json_int_t i = 0; i < line && at < n; i++)
        at = next_line(text, n, at);
    while (units > 0 && at < n && text[at] != '\n' && text[at] != '\r') {
        size_t bytes = character_bytes(text + at, n - at);
        units -= (json_int_t)units_of(bytes);
        if (units < 0) /* in the middle of a character: in front of it */
            break;
        at += bytes;
    }
    return at;
}

json_t *sq_lsp_position(const char *text, size_t n, size_t at)
{
    size_t start = 0, units = 0;
    at = at < n ? at : n;
    json_int_t line = sq_lsp_line_of(text, at) - 1;
    start = sq_lsp_line(text, n, (int)line + 1);
    for (size_t p = start; p < at;) {
        size_t bytes = character_bytes(text + p, n - p);
        units += units_of(bytes);
        p += bytes;
    }
    return json_pack("{s:I, s:I}", "line", line, "character", (json_int_t)units);
}

json_t *sq_lsp_range(const char *text, size_t n, size_t from, size_t to)
{
    return json_pack("{s:o, s:o}", "start", sq_lsp_position(text, n, from), "end",
                     sq_lsp_position(text, n, to));
}

bool sq_lsp_word(const char *text, size_t n, size_t at, size_t *from, size_t *to)
{
    *from = *to = at < n ? at : n;
    while (*from > 0 && sq_is_word_byte(text[*from - 1]))
        --*from;
    while (*to < n && sq_is_word_byte(text[*to]))
        ++*to;
    return *to > *from;
}

/* ---- the list ---- */

sq_lsp_document *sq_lsp_document_of(const sq_lsp *s, const char *uri)
{
    sq_lsp_document *x = s->documents;
    while (x && strcmp(x->uri, uri) != 0)
        x = x->next;
    return x;
}

const sq_lsp_document *sq_lsp_document_at(const sq_lsp *s, const char *path)
{
    const sq_lsp_document *x = s->documents;
    while (x && strcmp(x->path, path) != 0)
        x = x->next;
    return x;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower(c) - 'a' + 10
                                        : -1;
}

/* file:///a%20b/k.sq -> /a b/k.sq; "<stdin>" of another kind of URI. */
static char *path_of(const char *uri)
{
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return copy_of("<stdin>", strlen("<stdin>"));
    const char *p = strchr(uri + sizeof scheme - 1, '/'); /* behind the host */
    char *path = copy_of(p ? p : "/", strlen(p ? p : "/")), *to = path;
    for (const char *from = path; *from; from++) {
        bool escaped = *from == '%' && digit_of(from[1]) >= 0 && digit_of(from[2]) >= 0;
        *to++ = escaped ? (char)(16 * digit_of(from[1]) + digit_of(from[2])) : *from;
        from += escaped ? 2 : 0;
    }
    *to = 0;
    return path;
}

static bool ends_in(const char *path, const char *suffix)
{
    size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcmp(path + n - k, suffix) == 0;
}

/* By its name; a text that has none yet by the language that the editor takes it for. */
static sq_lsp_kind kind_of(const char *uri, const char *language)
{
    return ends_in(uri, ".sched")                                   ? SQ_LSP_SCHED
           : ends_in(uri, ".script")                                ? SQ_LSP_SCRIPT
           : ends_in(uri, ".sq") || strcmp(language, "squall") == 0 ? SQ_LSP_DESCRIPTION
                                                                    : SQ_LSP_OTHER;
}

sq_lsp_document *sq_lsp_document_open(sq_lsp *s, const char *uri, const char *language)
{
    sq_lsp_document *x = sq_allocated(calloc(1, sizeof *x));
    x->uri = copy_of(uri, strlen(uri));
    x->path = path_of(uri);
    x->kind = kind_of(uri, language);
    x->text = copy_of("", 0);
    x->version = -1;
    x->waiting = json_array();
    x->next = s->documents;
    s->documents = x;
    return x;
}

void sq_lsp_document_set(sq_lsp_document *x, const char *text, size_t n)
{
    free(x->text);
    x->text = copy_of(text, n);
    x->n = n;
    x->is_dirty = true;
}

bool sq_lsp_document_edit(sq_lsp_document *x, const json_t *range, const char *text, size_t n)
{
    const json_t *start = json_object_get(range, "start"), *end = json_object_get(range, "end");
    if (!json_is_object(start) || !json_is_object(end))
        return false;
    size_t from = sq_lsp_offset(x->text, x->n, start), to = sq_lsp_offset(x->text, x->n, end);
    if (to < from)
        return false;
    sq_text all = {0};
    sq_text_putn(&all, x->text, from);
    sq_text_putn(&all, text, n);
    sq_text_putn(&all, x->text + to, x->n - to);
    sq_lsp_document_set(x, sq_text_str(&all), all.n);
    sq_text_free(&all);
    return true;
}

void sq_lsp_document_close(sq_lsp *s, sq_lsp_document *x)
{
    sq_lsp_document **at = &s->documents;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    sq_lsp_work_stop(x);
    json_decref(x->diagnostics);
    json_decref(x->names);
    json_decref(x->facts);
    json_decref(x->waiting);
    free(x->uri);
    free(x->path);
    free(x->text);
    free(x);
}

const char *sq_lsp_description_of(const sq_lsp_document *x, sq_arena *arena)
{
    size_t n = strlen(x->path);
    n -= strlen(x->kind == SQ_LSP_SCHED ? ".sched" : ".script");
    size_t class = n;
    while (class > 0 && x->path[class - 1] != '.' && x->path[class - 1] != '/')
        class --;
    if (x->kind == SQ_LSP_SCHED && class > 0 && x->path[class - 1] == '.')
        n = class - 1;
    return sq_arena_printf(arena, "%.*s.sq", (int)n, x->path);
}
