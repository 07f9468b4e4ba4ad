/* Tune log: --log=FILE, a JSON object a trial; docs/TUNING.md says what its members are. */
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
} sq_tune_log;

/* Opens the file for adding to it; no path: no log. -1 after adding an error, if it is there and no log. */
int sq_tune_log_open(sq_tune_log *log, const char *path, sq_diags *d);
void sq_tune_log_put(const sq_tune_log *log, const sq_measure *m, const sq_tune_state *s, const sq_tune_trial *t);
void sq_tune_log_close(sq_tune_log *log);
/* A line of --verbose: what came of a trial, or why nothing did. */
void sq_tune_log_note(sq_measure *m, const sq_tune_trial *t);
#endif
