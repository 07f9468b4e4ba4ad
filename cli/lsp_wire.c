/* Messages of the Language Server Protocol as bytes: a header with Content-Length, an empty line,
 * JSON. What is no message costs an error and no more: the next header is looked for. */
#include "cli/lsp.h"
#include "support/memory.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_HEADER = 4096, CHUNK = 64 << 10 };
static const char name[] = "Content-Length:";

/* Drops n bytes at the front. */
static void drop(sq_text *t, size_t n)
{
    memmove(t->s, t->s + n, t->n - n);
    t->n -= n;
    t->s[t->n] = 0;
}

/* Bytes of a message that is too large go as they come. */
static void skip(sq_lsp_wire *w)
{
    size_t n = w->skip < w->in.n ? w->skip : w->in.n;
    if (n)
        drop(&w->in, n);
    w->skip -= n;
}

bool sq_lsp_read(sq_lsp_wire *w)
{
    char chunk[CHUNK];
    ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (n <= 0) {
        w->is_ended = true;
        return false;
    }
    sq_text_putn(&w->in, chunk, (size_t)n);
    skip(w);
    return true;
}

void sq_lsp_write(sq_lsp_wire *w, json_t *message)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    if (!text)
        return;
    sq_text out = {0};
    sq_text_printf(&out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    free(text);
    for (size_t at = 0; at < out.n && !w->is_broken;) {
        ssize_t n = write(STDOUT_FILENO, out.s + at, out.n - at);
        if (n < 0 && errno != EINTR)
            w->is_broken = true;
        at += n > 0 ? (size_t)n : 0;
    }
    sq_text_free(&out);
}

void sq_lsp_reply(sq_lsp_wire *w, json_t *id, json_t *result)
{
    sq_lsp_write(w, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result",
                              result ? result : json_null()));
}

void sq_lsp_refuse(sq_lsp_wire *w, json_t *id, int code, const char *why)
{
    sq_lsp_write(w, json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id",
                              id ? id : json_null(), "error", "code", code, "message",
                              sq_lsp_string(why)));
}

json_t *sq_lsp_string(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *copy = sq_allocated(strdup(text));
    for (char *p = copy; *p; p++)
        *p = (unsigned char)*p >= 0x80 ? '?' : *p;
    string = json_string(copy);
    free(copy);
    return string;
}

/* What is no header goes, up to where one may begin. */
static void find_header(sq_lsp_wire *w)
{
    const size_t length = sizeof name - 1;
    size_t at = 0;
    while (at + length <= w->in.n && strncasecmp(w->in.s + at, name, length) != 0)
        at++;
    if (at + length > w->in.n) /* its last bytes may be the first of a header */
        at = w->in.n < length ? 0 : w->in.n - length + 1;
    drop(&w->in, at);
}

/* The header ends with an empty line: its bytes; 0: it has not come yet. */
static size_t header_bytes(const sq_text *t)
{
    const char *crlf = strstr(t->s, "\r\n\r\n"), *lf = strstr(t->s, "\n\n");
    if (crlf && (!lf || crlf < lf))
        return (size_t)(crlf - t->s) + 4;
    return lf ? (size_t)(lf - t->s) + 2 : 0;
}

/* The line of the header that says how long the message is: its number; -1: none, or no number. */
static long long length_of(const char *header, size_t n)
{
    for (const char *p = header, *end = header + n; p && p < end;
         p = memchr(p, '\n', (size_t)(end - p)), p = p ? p + 1 : p) {
        if (strncasecmp(p, name, sizeof name - 1) != 0)
            continue;
        char *rest;
        errno = 0;
        p += sizeof name - 1;
        p += strspn(p, " \t");
        long long length = *p >= '0' && *p <= '9' ? strtoll(p, &rest, 10) : -1;
        return length < 0 ? -1 : errno || (*rest != '\r' && *rest != '\n') ? -1 : length;
    }
    return -1;
}

static void complain(sq_lsp_wire *w, int code, const char *why)
{
    if (!w->is_lost)
        sq_lsp_refuse(w, NULL, code, why);
    w->is_lost = true;
}

/* Parses the message of `length` bytes behind the header. */
static json_t *take(sq_lsp_wire *w, size_t header, size_t length)
{
    json_error_t e;
    json_t *message = json_loadb(w->in.s + header, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &e);
    if (message) {
        drop(&w->in, header + length);
        w->is_lost = false;
    } else { /* its length may be wrong: the next header may be inside of it */
        sq_text why = {0};
        sq_text_printf(&why, "the message is no JSON: %s", e.text);
        complain(w, SQ_LSP_PARSE_ERROR, why.s);
        sq_text_free(&why);
        drop(&w->in, header);
        find_header(w);
    }
    return message;
}

json_t *sq_lsp_next(sq_lsp_wire *w)
{
    while (w->in.n && !w->skip) {
        size_t header = header_bytes(&w->in);
        if (!header && w->in.n <= MOST_HEADER)
            return NULL;
        long long length = header && header <= MOST_HEADER ? length_of(w->in.s, header) : -1;
        if (length < 0) {
            complain(w, SQ_LSP_PARSE_ERROR, "a message begins with Content-Length: and a number");
            drop(&w->in, 1);
            find_header(w);
            if (!header_bytes(&w->in) || length_of(w->in.s, w->in.n) < 0)
                return NULL;
            continue;
        }
        if (length > SQ_LSP_MOST_MESSAGE) {
            sq_lsp_refuse(w, NULL, SQ_LSP_INVALID_REQUEST, "the message is too large");
            w->skip = (size_t)length;
            drop(&w->in, header);
            skip(w);
            continue;
        }
        if (w->in.n - header < (size_t)length)
            return NULL;
        json_t *message = take(w, header, (size_t)length);
        if (message)
            return message;
    }
    return NULL;
}
