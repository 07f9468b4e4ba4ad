/* Reply: parses one line of the harness (runtime/harness.c has its format), or reports that it
 * ended without one because of the candidate. */
#include "tuner/measure/reply.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(sq_sample *s, sq_status status, const char *message)
{
    s->status = status;
    snprintf(s->message, sizeof s->message, "%.390s", message);
}

static void read_times(char **at, int *n, double *to)
{
    *n = (int)strtol(*at, at, 10);
    if (*n < 0 || *n > SQ_MAX_TIMES)
        *n = 0;
    for (int i = 0; i < *n; i++)
        to[i] = strtod(*at, at);
}

static void read_ok(char *text, bool checked, sq_sample *s)
{
    s->status = SQ_OK;
    s->error = strtod(text, &text);
    double call = strtod(text, &text);
    read_times(&text, &s->n, s->times);
    read_times(&text, &s->nbase, s->base);
    if (checked) {
        s->n = 1;
        s->times[0] = call;
    }
}

static void read_line(char *line, bool checked, sq_sample *s)
{
    if (strncmp(line, "ok ", 3) == 0) {
        read_ok(line + 3, checked, s);
    } else if (strncmp(line, "wrong ", 6) == 0) {
        char *message;
        s->error = strtod(line + 6, &message);
        fail(s, SQ_WRONG, message + (*message == ' '));
    } else if (strncmp(line, "crashed ", 8) == 0) {
        fail(s, SQ_CRASHED, line + 8);
    } else if (strncmp(line, "lost ", 5) == 0) {
        fail(s, SQ_LOST, line + 5);
    } else {
        fail(s, SQ_CRASHED, "ended without a reply");
    }
}

void sq_reply_read(const sq_child_end *end, bool checked, sq_sample *s)
{
    char line[4000]; /* 64 times on both sides have fewer than 3000 bytes */
    s->run_seconds = end->seconds;
    if (end->timed_out || end->signal == SIGXCPU) {
        fail(s, SQ_TIMEOUT, "took too long");
    } else if (!end->started) {
        fail(s, SQ_LOST, end->err);
    } else if (end->signal) {
        snprintf(line, sizeof line, "ended by signal %d (%s)", end->signal, strsignal(end->signal));
        fail(s, SQ_CRASHED, line);
    } else {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(end->out, "\n"), end->out);
        read_line(line, checked, s);
    }
}
