/* Terminal: isatty, size, colour and the progress block; two hundred lines instead of ncurses.
 *
 * A block is redrawn in one write: up to its first line, each line anew, what was below erased. The cursor stays in
 * the line below and is never hidden, nor is any other state of the terminal changed between two writes: however the
 * process ends, what comes next begins in a line of its own. Lines are cut to the width, because a wrapped one cannot
 * be rewritten. */
#include "support/terminal.h"
#include "support/text.h"
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
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

int sq_terminal_height(FILE *to)
{
    struct winsize size = {0};
    if (ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return 24;
    return size.ws_row;
}

/* The process itself stays in the C locale. */
bool sq_terminal_has_utf8(void)
{
    locale_t named = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!named)
        return false;
    bool has = strcmp(nl_langinfo_l(CODESET, named), "UTF-8") == 0;
    freelocale(named);
    return has;
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

/* ---- whether a block can be redrawn ---- */

static volatile sig_atomic_t stops; /* times that the process was stopped and goes on */

static void on_continue(int number)
{
    (void)number;
    stops++;
}

static void watch_stops(void)
{
    struct sigaction a = {.sa_handler = on_continue, .sa_flags = SA_RESTART};
    sigaction(SIGCONT, &a, NULL);
}

static bool is_ci(void)
{
    const char *ci = getenv("CI");
    return ci && *ci && strcmp(ci, "false") != 0;
}

static bool can_redraw(FILE *to)
{
    const char *term = getenv("TERM");
    return sq_terminal_is(to) && term && *term && strcmp(term, "dumb") != 0 && !is_ci();
}

/* In the background the terminal is somebody else's. */
static bool is_in_background(FILE *to)
{
    pid_t foreground = tcgetpgrp(fileno(to));
    return foreground >= 0 && foreground != getpgrp();
}

void sq_progress_open(sq_progress *p, FILE *to, sq_progress_mode mode)
{
    *p = (sq_progress){.to = to};
    if (mode == SQ_PROGRESS_NEVER)
        p->live = -1;
    else
        p->live = mode == SQ_PROGRESS_AUTO && can_redraw(to);
    p->every = p->live == 1 ? 0.1 : 5;
    if (p->live == 1)
        watch_stops();
}

/* ---- the block ---- */

/* Length of the colour that s begins with; 0: it begins with none. */
static size_t colour_at(const char *s)
{
    size_t n = 2;
    if (s[0] != '\033' || s[1] != '[')
        return 0;
    while (s[n] && s[n] != 'm')
        n++;
    return s[n] ? n + 1 : n;
}

/* Sets *columns to those that are used. */
static size_t fit(const char *s, size_t n, int most, int *columns)
{
    size_t i = 0, skip;
    *columns = 0;
    while (i < n && s[i]) {
        if ((skip = colour_at(s + i)) > 0) {
            i += skip;
            continue;
        }
        bool begins = ((unsigned char)s[i] & 0xc0) != 0x80;
        if (begins && *columns == most)
            break;
        *columns += begins;
        i++;
    }
    return i;
}

size_t sq_terminal_fit(const char *s, int columns)
{
    int used;
    return fit(s, strlen(s), columns, &used);
}

/* Most terminals wrap lines anew when they become narrower: a line then takes several rows. */
static int rows_of(const sq_progress *p)
{
    int rows = 0, width = sq_terminal_width(p->to);
    for (int i = 0; i < p->nlines; i++)
        rows += p->columns[i] > width ? (p->columns[i] + width - 1) / width : 1;
    return rows;
}

/* After a stop the cursor is elsewhere: the block that stood there stays, and the next is a new one. */
static void forget_stopped(sq_progress *p)
{
    static sig_atomic_t seen;
    if (seen != stops)
        p->nlines = 0;
    seen = stops;
}

/* To the first line of the block. */
static void put_return(sq_progress *p, sq_text *to)
{
    forget_stopped(p);
    if (p->nlines)
        sq_text_printf(to, "\r\033[%dA", rows_of(p));
}

static void put_erase(sq_progress *p, sq_text *to)
{
    put_return(p, to);
    if (p->nlines)
        sq_text_puts(to, "\033[J");
    p->nlines = 0;
}

/* Over what stands there, which does not flicker then. Without wrapping: characters may be wider than they are
 * counted. */
static void put_block(sq_progress *p, const char *lines, sq_text *to)
{
    int width = sq_terminal_width(p->to) - 1, height = sq_terminal_height(p->to) - 1;
    int most = height < SQ_PROGRESS_LINES ? height : SQ_PROGRESS_LINES;
    put_return(p, to);
    p->nlines = 0;
    sq_text_puts(to, "\033[?7l");
    while (*lines && p->nlines < most) {
        size_t n = strcspn(lines, "\n"), used = fit(lines, n, width, &p->columns[p->nlines]);
        sq_text_putn(to, lines, used);
        sq_text_puts(to, used < n ? "\033[0m\033[K\n" : "\033[K\n");
        p->nlines++;
        lines += n + (lines[n] == '\n');
    }
    sq_text_puts(to, "\033[J\033[?7h");
}

static void write_out(sq_progress *p, sq_text *t)
{
    fputs(sq_text_str(t), p->to);
    fflush(p->to);
    sq_text_free(t);
}

bool sq_progress_is_due(const sq_progress *p)
{
    return p->live >= 0 && (p->last <= 0 || sq_terminal_seconds() - p->last >= p->every);
}

void sq_progress_show(sq_progress *p, const char *format, ...)
{
    sq_text lines = {0}, out = {0};
    if (!sq_progress_is_due(p))
        return;
    p->last = sq_terminal_seconds();
    if (p->live && is_in_background(p->to)) {
        p->nlines = 0; /* the shell has written since */
        return;
    }
    va_list args;
    va_start(args, format);
    sq_text_vprintf(&lines, format, args);
    va_end(args);
    if (p->live) {
        put_block(p, sq_text_str(&lines), &out);
    } else {
        sq_text_printf(&out, "%s\n", sq_text_str(&lines));
    }
    sq_text_free(&lines);
    write_out(p, &out);
}

void sq_progress_note(sq_progress *p, const char *format, ...)
{
    sq_text out = {0};
    if (p->live < 0)
        return;
    put_erase(p, &out);
    va_list args;
    va_start(args, format);
    sq_text_vprintf(&out, format, args);
    va_end(args);
    sq_text_puts(&out, "\n");
    write_out(p, &out);
    p->last = 0; /* so that the live block is back with the next showing */
}

void sq_progress_close(sq_progress *p)
{
    sq_text out = {0};
    if (!p->to)
        return;
    put_erase(p, &out);
    write_out(p, &out);
}
