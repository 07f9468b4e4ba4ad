/* Dumps: the words of --dump and --stop-after: stages, and of `code` a pass, "code:after=sweep". */
#ifndef SQ_CLI_DUMPS_H
#define SQ_CLI_DUMPS_H
#include "cli/task.h"

/* Checks the words of both options before the work starts. 0 with the last stage that runs in *last; -1
 * after adding a usage error. */
int sq_dumps_check(sq_task *task, int *last);
/* True if --dump names the stage. */
bool sq_dumps_has(const sq_task *task, const char *stage);
/* The next word of --dump that is about code, from *at on, which moves behind it: *npasses becomes the
 * number of passes that its dump is after. False where there is none. */
bool sq_dumps_next(sq_task *task, const char **at, int *npasses);
#endif
