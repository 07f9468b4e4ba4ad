/* Region: the text of a C file whose regions have become tuned functions. */
#ifndef SQ_CLI_REGION_H
#define SQ_CLI_REGION_H
#include "cli/task.h"
#include "frontend/scop.h"

/* The whole file into task->source, from the schedules. -1: done; else the number of the region
 * whose text could not be emitted, with an error added. */
int sq_region_file(sq_task *task);

/* region_test.c: whether the tuned function of region i may run. */
/* Is there anything to test before it is called? */
bool sq_region_tested(const sq_task *task, int i);
/* The function that tests it, `<emitted>_fits`, and its call. */
void sq_region_put_test(sq_task *task, int i, sq_text *to);
void sq_region_put_test_call(const sq_task *task, int i, sq_text *to);
#endif
