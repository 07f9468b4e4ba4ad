/* At: the size vectors of --at against what --fix and the description say, alike for all commands. */
#ifndef SQ_CLI_AT_H
#define SQ_CLI_AT_H
#include "cli/task.h"

/* Each size that --at and --fix both give has one value, or one of those of --fix. -1 after adding a usage error. */
int sq_at_check_fixed(const sq_settings *o, sq_diags *d);
/* Of parsed and checked kernels: the names are sizes, the values fit their types, and vectors that are whole are sizes
 * that the kernel accepts, and where a schedule is chosen or measured some that it is made for. -1 after adding an
 * error. */
int sq_at_check(sq_task *task);
#endif
