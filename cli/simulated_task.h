/* Simulated task: a description as the model of a device runs it (--runner=model). Sizes that --fix made constants are
 * parameters again, so that small ones can be run; short ones stay, since tiles may unroll them. */
#ifndef SQ_CLI_SIMULATED_TASK_H
#define SQ_CLI_SIMULATED_TASK_H
#include "cli/measure.h"

typedef struct sq_simulated_task {
    sq_task task; /* open if there is a path */
    sq_settings settings;
} sq_simulated_task;

/* The kernel of that name there; the kernel itself without --fix, NULL if nothing is simulated. -1 after adding an
 * error. */
int sq_simulated_task_kernel(sq_simulated_task *s, sq_measure *m, const sq_kernel *k, const sq_kernel **to);
void sq_simulated_task_close(sq_simulated_task *s);
#endif
