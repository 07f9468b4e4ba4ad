/* Terminal: isatty, width, colour and the progress line; a hundred lines instead of ncurses. The
 * live line is cut to the terminal's width, because a wrapped one cannot be rewritten. */
#include "support/terminal.h"
#include "support/text.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int sq_terminal_is(FILE *to)
{
    return isatty(fileno(to));
}

int sq_terminal_width(FILE *to)
{
    struct winsize size = {0};
    if (ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

int sq_terminal_color(FILE *to, sq_color when)
{
    if (when != SQ_COLOR_AUTO)
        return when == SQ_COLOR_ALWAYS;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((no && *no) || (term && strcmp(term, "dumb") == 0))
        return 0;
    return sq_terminal_is(to);
}

double sq_terminal_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sq_progress_open(sq_progress *p, FILE *to, sq_progress_mode mode)
{
    *p = (sq_progress){.to = to};
    if (mode == SQ_PROGRESS_NEVER)
        p->live = -1;
    else
        p->live = mode == SQ_PROGRESS_AUTO && sq_terminal_is(to);
    p->every = p->live == 1 ? 0.1 : 5;
}

/* Bytes of s that fit in `columns`, never cutting a UTF-8 character. */
static int bytes_that_fit(const char *s, int columns)
{
    int i = 0;
    for (int used = 0; s[i]; i++) {
        used += ((unsigned char)s[i] & 0xc0) != 0x80;
        if (used > columns)
            break;
    }
    return i;
}

static void erase(sq_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", p->to);
    p->shown = 0;
}

void sq_progress_show(sq_progress *p, const char *format, ...)
{
    double now = sq_terminal_seconds();
    if (p->live < 0 || (p->last > 0 && now - p->last < p->every))
        return;
    p->last = now;
    sq_text t = {0};
    va_list args;
    va_start(args, format);
    sq_text_vprintf(&t, format, args);
    va_end(args);
    if (p->live) {
        erase(p);
        fprintf(p->to, "%.*s", bytes_that_fit(t.s, sq_terminal_width(p->to) - 1), t.s);
        p->shown = 1;
    } else {
        fprintf(p->to, "%s\n", t.s);
    }
    fflush(p->to);
    sq_text_free(&t);
}

void sq_progress_note(sq_progress *p, const char *format, ...)
{
    if (p->live < 0)
        return;
    erase(p);
    sq_text t = {0};
    va_list args;
    va_start(args, format);
    sq_text_vprintf(&t, format, args);
    va_end(args);
    fprintf(p->to, "%s\n", t.s);
    fflush(p->to);
    p->last = 0; /* so that the live line is back with the next showing */
    sq_text_free(&t);
}

void sq_progress_close(sq_progress *p)
{
    if (p->to)
        erase(p);
    if (p->to)
        fflush(p->to);
}
