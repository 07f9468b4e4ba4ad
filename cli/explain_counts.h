/* Explain, counts: what the innermost loops that are compiled do in a step, beside what the machine can. */
#ifndef SQ_CLI_EXPLAIN_COUNTS_H
#define SQ_CLI_EXPLAIN_COUNTS_H
#include "cli/json.h"
#include "cli/task.h"
#include "support/text.h"

/* Appends a line for each loop of kernel i under its schedule; the same as a JSON array, which the
 * caller owns: empty where nothing is compiled, or a grid shares the loops. */
json_t *sq_explain_counts(sq_task *task, int i, sq_text *to);
#endif
