/* Terminal: what a person sees while waiting. One line that rewrites itself where there is a
 * terminal, plain lines at a calm pace where there is none, nothing when told so. */
#ifndef SQ_SUPPORT_TERMINAL_H
#define SQ_SUPPORT_TERMINAL_H
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
/* 1 if output is to be coloured, else 0. AUTO: on a terminal, unless NO_COLOR is set (not empty) or
 * TERM=dumb. */
int sq_terminal_color(FILE *to, sq_color when);
/* Seconds of a clock that never goes back. */
double sq_terminal_seconds(void);

/* A plain value; the caller keeps it. */
typedef struct sq_progress {
    FILE *to;
    int live;     /* 1: a line that rewrites itself; 0: plain lines; -1: silent */
    double every; /* seconds between two showings: 0.1 live, 5 plain; may be changed */
    double last;  /* time of the last one */
    int shown;    /* a live line stands there */
} sq_progress;

void sq_progress_open(sq_progress *p, FILE *to, sq_progress_mode mode);
/* The state of things, as one line; dropped when the last one is younger than `every`. */
void sq_progress_show(sq_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line that stays: printed at once, above the live line. */
void sq_progress_note(sq_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Removes the live line. */
void sq_progress_close(sq_progress *p);
#endif
