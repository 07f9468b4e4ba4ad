/* Tune view: how a search stands, as a block of lines for a terminal of some width. Draws nothing itself and asks no
 * clock: sq_progress (support/terminal.h) shows what comes of it. */
#ifndef SQ_CLI_TUNE_VIEW_H
#define SQ_CLI_TUNE_VIEW_H
#include "support/text.h"
#include "tuner/measure/runner.h"
#include <stdbool.h>

/* What became smaller with each trial: seconds of the best, or a share of the untuned. Zeroed it is empty; to be
 * freed. At most SQ_TREND_MOST values: beyond, every second one is dropped. */
enum { SQ_TREND_MOST = 4096 };
typedef struct sq_trend {
    int n, stride, skipped; /* values kept; trials that each stands for; of the one under way */
    double *value;
    double first, last;
} sq_trend;
void sq_trend_add(sq_trend *t, double value);
void sq_trend_free(sq_trend *t);
/* At most `columns` characters, a column the value at its end: the highest for the first, the lowest for the last.
 * Nothing if there are no values. */
void sq_trend_put(const sq_trend *t, int columns, bool utf8, sq_text *to);

/* One search, or the searches of a network together. Texts without lines; NULL: there is no such line. */
typedef struct sq_tune_view {
    const char *title, *part; /* "gemm M=512,N=512,K=512", "2 of 3 kernels" */
    const char *best;         /* "1.06 ms, 2.31x the untuned, 253.6 GFLOP/s"; NULL: nothing was found */
    const sq_trend *trend;
    const char *from;         /* what the trend began with: "from 2.45 ms" */
    double last_gain;         /* seconds since the best was found; negative: there was none */
    long trials, most;        /* so far; 0: no limit */
    long measured;            /* those of this run */
    double elapsed;           /* seconds that they took */
    int after;                /* searches to come, each of `most` trials */
    const long *failed;       /* candidates by status, [SQ_OK] the good ones */
    double spent, budget;     /* seconds of all searches of the command; 0: no limit */
    const char *doing;
} sq_tune_view;

/* The lines, each ended, none wider than `columns`. */
void sq_tune_view_put(const sq_tune_view *v, int columns, bool utf8, bool colour, sq_text *to);
/* "31 of 169 (18 %): 20 refused, 11 wrong"; nothing if nothing failed. */
void sq_tune_failures_put(const long *failed, sq_text *to);
/* "0:34 of 1:00" */
void sq_tune_view_time(const sq_tune_view *v, sq_text *to);
/* "1:05", "2:00:07" */
const char *sq_clock_text(double seconds, char *to, size_t n);
#endif
