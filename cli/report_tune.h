/* Reports, tune: the trials of a search, as they come or from a store. */
#ifndef SQ_CLI_REPORT_TUNE_H
#define SQ_CLI_REPORT_TUNE_H
#include "cli/report_parts.h"
#include "tuner/search/search.h"

typedef struct sq_report_trial {
    long number;
    double elapsed; /* seconds since the search began */
    sq_status status;
    double seconds; /* of one call; where it is SQ_OK */
    bool wins;      /* it became the best so far */
    const char *script, *message;
    const int *point; /* of the space, or NULL */
} sq_report_trial;

/* All of one kernel at its sizes, in their order. A zeroed one is empty; in the arena. */
typedef struct sq_report_trials {
    int n, room;
    sq_report_trial *x;
} sq_report_trials;
/* Copies the trial, its texts and its point of ncoords. */
void sq_report_trials_add(sq_report_trials *t, const sq_report_trial *x, int ncoords,
                          sq_arena *arena);

/* The progress of the search, the landscape of the two coordinates that matter most, where there are points of `space`
 * (NULL: none), the fastest candidates, and what failed. Fewer than three trials have no progress.
 * on_grid: of a target whose kernels run as a grid; roof: NULL where there is none. */
void sq_report_progress(sq_html *h, const sq_report_trials *t, sq_arena *arena);
void sq_report_landscape(sq_html *h, const sq_report_trials *t, const sq_space *space, bool on_grid,
                         sq_arena *arena);
void sq_report_candidates(sq_html *h, const sq_report_trials *t, const sq_roof *roof,
                          sq_arena *arena);

/* A section of kernel k, m->label: figures of the result, all of the above, and the winner's schedule with its code. */
void sq_report_tune(sq_html *h, sq_measure *m, const sq_kernel *k, const sq_tune_state *s,
                    const sq_report_trials *t, const sq_space *space, const sq_roof *roof);
#endif
