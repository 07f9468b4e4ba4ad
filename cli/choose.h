/* Choose, inside: what the files share that choose schedules.
 *
 *     choose.c        -e, --schedule, the file beside the source, the model; in which order
 *     choose_sched.c  entries of a .sched file */
#ifndef SQ_CLI_CHOOSE_H
#define SQ_CLI_CHOOSE_H
#include "cli/task.h"

/* The sizes of a kernel in its order, those that the vector lacks as in `rest`, or NULL; false if it lacks one then. */
bool sq_choose_row(const sq_kernel *k, const sq_sizes *at, const int64_t *rest, int64_t *row);
/* True for commands to which --at says what to choose a schedule for. */
bool sq_chooses_at(const char *command);
/* True for those of them that measure at each of these sizes by itself. */
bool sq_measures_at(const char *command);
/* The model's first choice for these sizes; NULL: for those that it guesses. It may be the order written: *fails, where
 * no choice is legal. */
sq_schedule *sq_choose_untuned(sq_task *task, sq_kernel *k, int64_t (*row)[SQ_MAX_SIZES], bool *fails, sq_diags *d);
/* Schedules of kernel i from a .sched file, whose text this is. 1: there are some; 0: none fits; -1: errors added. */
int sq_choose_sched(sq_task *task, int i, const char *path, const char *text);
#endif
