/* Choose, inside: what the files share that choose schedules.
 *
 *     choose.c        -e, --schedule, the file beside the source, the model; in which order
 *     choose_sched.c  entries of a .sched file */
#ifndef SQ_CLI_CHOOSE_H
#define SQ_CLI_CHOOSE_H
#include "cli/task.h"

/* The sizes of a kernel in its order; false if the vector has no value for one of them. */
bool sq_choose_row(const sq_kernel *k, const sq_sizes *at, int64_t *row);
/* True for commands to which --at says what to choose a schedule for, not what to measure or run. */
bool sq_chooses_at(const char *command);
/* Schedules of kernel i from a .sched file, whose text this is. 1: there are some; 0: none fits; -1: errors added. */
int sq_choose_sched(sq_task *task, int i, const char *path, const char *text);
#endif
