/* Text: a string that doubles when it is full. Formatting runs under the C locale whatever the
 * process has set (a library may have called setlocale), because "1,5" in emitted C would be a
 * wrong program: uselocale changes it for this thread only, for the one call. */
#include "support/text.h"
#include <stdbool.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;

/* Runs before main, so that threads need no lock. */
__attribute__((constructor)) static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static void reserve(sq_text *t, size_t more)
{
    if (more < t->cap - t->n) /* room for the terminator too; false while cap is 0 */
        return;
    size_t cap = t->cap ? t->cap : 64;
    while (cap - t->n <= more) {
        if (cap > SIZE_MAX / 2)
            abort();
        cap *= 2;
    }
    char *s = realloc(t->s, cap);
    if (!s) {
        fputs("squall: error: out of memory\n", stderr);
        exit(3);
    }
    t->s = s;
    t->cap = cap;
}

void sq_text_free(sq_text *t)
{
    free(t->s);
    *t = (sq_text){0};
}

void sq_text_clear(sq_text *t)
{
    t->n = 0;
    t->indent = 0;
    if (t->s)
        t->s[0] = 0;
}

void sq_text_putn(sq_text *t, const char *s, size_t n)
{
    reserve(t, n);
    if (n)
        memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = 0;
}

void sq_text_puts(sq_text *t, const char *s)
{
    sq_text_putn(t, s, strlen(s));
}

void sq_text_vprintf(sq_text *t, const char *format, va_list args)
{
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    va_list again;
    va_copy(again, args);
    reserve(t, 120);
    int n = vsnprintf(t->s + t->n, t->cap - t->n, format, args);
    if (n >= 0 && (size_t)n >= t->cap - t->n) {
        reserve(t, (size_t)n);
        vsnprintf(t->s + t->n, t->cap - t->n, format, again);
    }
    va_end(again);
    if (n > 0)
        t->n += (size_t)n;
    t->s[t->n] = 0;
    if (before)
        uselocale(before);
}

void sq_text_printf(sq_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sq_text_vprintf(t, format, args);
    va_end(args);
}

/* The body of line, open and close. An empty text gets no indentation: no trailing blanks. */
static void line(sq_text *t, const char *format, va_list args)
{
    size_t start = t->n;
    for (int i = 0; i < t->indent; i++)
        sq_text_putn(t, "    ", 4);
    size_t indented = t->n;
    sq_text_vprintf(t, format, args);
    if (t->n == indented)
        t->n = start;
    sq_text_putn(t, "\n", 1);
}

void sq_text_line(sq_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    line(t, format, args);
    va_end(args);
}

void sq_text_open(sq_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    line(t, format, args);
    va_end(args);
    t->indent++;
}

void sq_text_close(sq_text *t, const char *format, ...)
{
    if (t->indent > 0)
        t->indent--;
    va_list args;
    va_start(args, format);
    line(t, format, args);
    va_end(args);
}

/* True if the text is a single line, of this indentation. */
static bool is_line(const sq_text *t, size_t indent)
{
    return t->n > indent && strchr(t->s, '\n') == t->s + t->n - 1 && t->s[0] == ' ';
}

/* Prints a body of one statement for each case of an #if, and nothing else, as a function for each case. */
static bool put_cases(sq_text *t, const char *head, const char *body, size_t indent)
{
    sq_text all = {0};
    bool statement = false, fits = body && *body == '#';
    for (size_t n; fits && *body; body += n + 1, statement = !statement) {
        n = strcspn(body, "\n");
        fits = statement ? *body == ' ' : *body == '#';
        if (statement)
            sq_text_printf(&all, "%s { %.*s }\n", head, (int)(n - indent), body + indent);
        else
            sq_text_printf(&all, "%.*s\n", (int)n, body);
    }
    if (fits)
        sq_text_puts(t, sq_text_str(&all));
    sq_text_free(&all);
    return fits;
}

void sq_text_function(sq_text *t, sq_text *body, const char *head, ...)
{
    enum { COLUMNS = 120, INDENT = 4 };
    sq_text first = {0};
    va_list args;
    va_start(args, head);
    sq_text_vprintf(&first, head, args);
    va_end(args);
    if (is_line(body, INDENT) && first.n + body->n - INDENT + strlen(" {  }") <= COLUMNS + 1)
        sq_text_printf(t, "%s { %.*s }\n", sq_text_str(&first), (int)body->n - INDENT - 1, body->s + INDENT);
    else if (!put_cases(t, sq_text_str(&first), body->s, INDENT))
        sq_text_printf(t, "%s\n{\n%s}\n", sq_text_str(&first), sq_text_str(body));
    sq_text_free(&first);
    sq_text_free(body);
}

const char *sq_text_str(const sq_text *t)
{
    return t->s ? t->s : "";
}

const char *sq_text_take(sq_text *t, sq_arena *arena)
{
    const char *s = sq_arena_strdup(arena, sq_text_str(t));
    sq_text_free(t);
    return s;
}

