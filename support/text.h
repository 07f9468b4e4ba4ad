/* Text: a growable string, the one way text is built here. Independent of the locale: numbers are
 * printed as in the C locale. */
#ifndef SQ_SUPPORT_TEXT_H
#define SQ_SUPPORT_TEXT_H
#include "support/arena.h"
#include <stdarg.h>
#include <stddef.h>

typedef struct sq_text {
    char *s;    /* always terminated once anything was added; NULL before */
    size_t n;   /* length without the terminator */
    size_t cap; /* bytes allocated */
    int indent; /* levels of four spaces that sq_text_line puts in front */
} sq_text;

/* A zeroed sq_text is an empty text: `sq_text t = {0};` */
void sq_text_free(sq_text *t);
void sq_text_clear(sq_text *t);
void sq_text_puts(sq_text *t, const char *s);
void sq_text_putn(sq_text *t, const char *s, size_t n);
void sq_text_printf(sq_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sq_text_vprintf(sq_text *t, const char *format, va_list args);
/* One line: indentation, the text, a newline. An empty text gives an empty line. */
void sq_text_line(sq_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line that opens a block, resp. one that closes it: the indentation grows after it, shrinks
 * before it. */
void sq_text_open(sq_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sq_text_close(sq_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A function: its head and its body, which was made with an indentation of 1; on one line if that is short enough. Of
 * a body that is one statement in each case of an #if, each case has a function. The body is freed and empty again. */
void sq_text_function(sq_text *t, sq_text *body, const char *head, ...) __attribute__((format(printf, 3, 4)));
/* The string; "" if nothing was added. Owned by the text. */
const char *sq_text_str(const sq_text *t);
/* The same, in the arena; the text is freed and empty again. */
const char *sq_text_take(sq_text *t, sq_arena *arena);
#endif
