/* Terminal: what a person sees while waiting. A few lines that are redrawn in place where there is a
 * terminal, plain lines at a calm pace where there is none, nothing when told so. */
#ifndef SQ_SUPPORT_TERMINAL_H
#define SQ_SUPPORT_TERMINAL_H
#include <stdbool.h>
#include <stdio.h>

typedef enum sq_color { SQ_COLOR_AUTO, SQ_COLOR_ALWAYS, SQ_COLOR_NEVER } sq_color;
typedef enum sq_progress_mode {
    SQ_PROGRESS_AUTO,
    SQ_PROGRESS_PLAIN,
    SQ_PROGRESS_NEVER
} sq_progress_mode;

int sq_terminal_is(FILE *to);
/* Columns of the terminal; 80 if it does not say. */
int sq_terminal_width(FILE *to);
/* Lines of the terminal; 24 if it does not say. */
int sq_terminal_height(FILE *to);
/* True if the locale of the environment writes UTF-8. */
bool sq_terminal_has_utf8(void);
/* 1 if output is to be coloured, else 0. AUTO: on a terminal, unless NO_COLOR is set (not empty) or
 * TERM=dumb. */
int sq_terminal_color(FILE *to, sq_color when);
/* Seconds of a clock that never goes back. */
double sq_terminal_seconds(void);

enum { SQ_PROGRESS_LINES = 12 }; /* of a block at most */

/* A plain value; the caller keeps it. */
typedef struct sq_progress {
    FILE *to;
    int live;     /* 1: a block that is redrawn in place; 0: plain lines; -1: silent */
    double every; /* seconds between two showings: 0.1 live, 5 plain; may be changed */
    double last;  /* time of the last one; 0: the next one is shown in any case */
    int nlines;   /* of the block that stands there; the cursor is in the line below */
    int columns[SQ_PROGRESS_LINES]; /* that each of them takes */
} sq_progress;

/* AUTO is live on a terminal, unless TERM is dumb or not set, or CI is set (neither empty nor "false"): a job of
 * continuous integration keeps all that is written. */
void sq_progress_open(sq_progress *p, FILE *to, sq_progress_mode mode);
/* True if showing something now would not be dropped. */
bool sq_progress_is_due(const sq_progress *p);
/* The state of things: live, one line or several, as many as fit the terminal, cut to its width; plain, one line.
 * Dropped when the last one is younger than `every`; live also when the process is in the background. */
void sq_progress_show(sq_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line that stays: printed at once, above the live block. */
void sq_progress_note(sq_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Removes the live block. */
void sq_progress_close(sq_progress *p);
/* Returns the bytes of s that fit in the columns. A character of UTF-8 takes one column, a colour none. No character is
 * cut. */
size_t sq_terminal_fit(const char *s, int columns);
#endif
