/* Region: the text of a C file whose regions have become tuned functions. */
#ifndef SQ_CLI_REGION_H
#define SQ_CLI_REGION_H
#include "cli/task.h"
#include "frontend/scop.h"

/* The whole file into task->source, from the schedules. -1: done; else the number of the region
 * whose text could not be emitted, with an error added. */
int sq_region_file(sq_task *task);

/* The compilers' own word for a type of <stdint.h>, "__INT64_TYPE__", which no file lacks; other types as they are. */
const char *sq_region_built_in(const char *name);

/* region_names.c: emitted text whose local names are none of the file's. Names of functions, types of
 * the language and what stands in comments, attributes and directives stay. */
void sq_region_rename(const sq_region *r, const char *text, sq_text *to);

/* region_test.c: the test of whether the tuned function of region i may run. */
/* The function that tests it, `<emitted>_applies`; false if there is nothing to test. tests_sizes: the
 * emitted text has a test of its sizes, `<emitted>_fits`. */
bool sq_region_put_test(sq_task *task, int i, bool tests_sizes, sq_text *to);
/* Its call. */
void sq_region_put_test_call(const sq_task *task, int i, sq_text *to);

/* region_alone.c: the region's own text as a function that can be measured, SQ_ENTRY: behind what stands before its
 * function in the file. False, with the reason in *why, where it cannot be had by itself. */
bool sq_region_alone(const sq_task *task, int i, sq_text *to, const char **why);
/* The flags for it beside those of optimisation: what the file was read with, and its folder for what it includes. In
 * the task's arena. */
const char *sq_region_flags(const sq_task *task);
#endif
