/* Tasks: loops that the threads of a caller share. */
#ifndef SQ_PRINT_TASKS_H
#define SQ_PRINT_TASKS_H
#include "codegen/print/printer.h"

/* Appends what runs a loop that threads share as tasks of the caller's pool, and defines its function before.
 * For sq_c_printer; `printer`: an sq_printer. */
void sq_tasks_loop(const sq_code *loop, void *printer, sq_text *to);
/* The type of what the caller's threads are reached by. */
void sq_tasks_typedef(const char *function, sq_text *to);
/* What that text needs: the pool, and how a share of iterations begins. */
void sq_tasks_helpers(const sq_printer *p, sq_text *to);
#endif
