/* Tune log: --log=FILE, a JSON object a trial and one a result, and --json, those of results alone; docs/TUNING.md says
 * what their members are. */
#ifndef SQ_CLI_TUNE_LOG_H
#define SQ_CLI_TUNE_LOG_H
#include "cli/measure.h"
#include <stdio.h>

typedef struct sq_tune_log {
    FILE *file; /* NULL: nothing is logged */
    /* of the kernel under way */
    const sq_search *search;
    const char *target;
    int ncoords;
    FILE *results; /* where a line a kernel goes as well; NULL: nowhere */
} sq_tune_log;

/* What the tuner does not know of a result. */
typedef struct sq_tune_outcome {
    const char *file; /* the .sched file */
    double bound;     /* seconds that the machine's limits allow; 0: not known */
} sq_tune_outcome;

/* Opens the file for adding to it; no path: no log. -1 after adding an error, if it is there and no log. */
int sq_tune_log_open(sq_tune_log *log, const char *path, sq_diags *d);
void sq_tune_log_put(const sq_tune_log *log, const sq_measure *m, const sq_tune_state *s, const sq_tune_trial *t);
/* A line of what came of a kernel at its sizes. */
void sq_tune_log_result(const sq_tune_log *log, const sq_measure *m, const sq_tune_state *s, const sq_tune_outcome *x);
void sq_tune_log_close(sq_tune_log *log);
/* A line of --verbose: what came of a trial, or why nothing did. */
void sq_tune_log_note(sq_measure *m, const sq_tune_trial *t);
#endif
