/* Tune shown: what a person sees of `tune` while it runs: a block that is redrawn on a terminal, and few lines where
 * there is none: the beginning, what is better at most every ten seconds, a sign of life every five minutes. */
#ifndef SQ_CLI_TUNE_SHOWN_H
#define SQ_CLI_TUNE_SHOWN_H
#include "cli/cli.h"
#include "cli/tune_view.h"
#include "support/terminal.h"

typedef struct sq_tune_shown {
    sq_progress *progress;
    bool utf8, colour;
    double shown; /* when the last plain line was: sq_terminal_seconds */
    /* of the search under way */
    bool news;     /* a better one that no line has said */
    double gained; /* seconds of the search when the best was found; negative: it was not */
    sq_trend trend;
} sq_tune_shown;

/* For a search that begins now; says so in a line where lines are plain. `until`: "60 s", "200 trials". The progress
 * must outlive it; to be closed. */
void sq_tune_shown_open(sq_tune_shown *x, sq_progress *p, const sq_settings *o, const char *title, const char *until);
/* A trial is over; `value` as sq_trend has it. It is no gain where the untuned schedule wins, which comes first. */
void sq_tune_shown_add(sq_tune_shown *x, double value, double elapsed, bool wins, bool is_untuned);
/* True if showing now would have an effect. */
bool sq_tune_shown_is_due(const sq_tune_shown *x);
/* Adds the trend to the view, and shows it. */
void sq_tune_shown_put(sq_tune_shown *x, sq_tune_view *v);
/* Removes the block. */
void sq_tune_shown_close(sq_tune_shown *x);
#endif
