/* Explain: what `squall explain` says of one kernel, for others that show it. */
#ifndef SQ_CLI_EXPLAIN_H
#define SQ_CLI_EXPLAIN_H
#include "cli/json.h"
#include "cli/task.h"

/* Of kernel i, whose schedule is chosen: adds the text to `to` and an object to `kernels`. -1 after
 * adding an error. */
int sq_explain_kernel(sq_task *task, int i, sq_text *to, json_t *kernels);
/* explain_packed.c: appends how packed arrays are stored, a line each; returns the same as an array. */
json_t *sq_explain_packed(sq_task *task, int i, sq_text *to);
#endif
