/* Check tasks: calls of K_on with threads of the checked program. */
#ifndef SQ_CLI_CHECK_TASKS_H
#define SQ_CLI_CHECK_TASKS_H
#include "cli/check_refused.h"
#include "ir/kernel/kernel.h"

/* Once a file: a pool whose threads last as long as a loop. */
void sq_check_tasks_head(sq_text *to);
/* A statement for a function with K's parameters: every second call is K_on's, with 1 to 4 threads, and ends it. */
void sq_check_tasks_put(const sq_kernel *k, const sq_check_functions *f, sq_text *to);
#endif
