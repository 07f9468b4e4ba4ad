/* Tasks: parallel loops that run on the caller's thread pool. */
#ifndef SQ_PRINT_TASKS_H
#define SQ_PRINT_TASKS_H
#include "codegen/print/printer.h"

/* Appends the code that runs a parallel loop as tasks of the caller's pool, after defining its
 * function. For sq_c_printer; `printer`: an sq_printer. */
void sq_tasks_loop(const sq_code *loop, void *printer, sq_text *to);
/* Appends the type of the interface to the caller's pool. */
void sq_tasks_typedef(const char *function, sq_text *to);
/* Appends helpers of that text: the pool, and the start of a range of iterations. */
void sq_tasks_helpers(const sq_printer *p, sq_text *to);
#endif
