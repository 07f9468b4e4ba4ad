/* Panels: where the panels of packs lie while a call runs, on the stack or in its workspace. */
#ifndef SQ_CODEGEN_PRINT_PANELS_H
#define SQ_CODEGEN_PRINT_PANELS_H
#include "codegen/print/printer.h"

/* A fusion begins: its panels may lie where those of the fusions before it lay. */
void sq_panels_begin(sq_printer *p);
/* Finds a place for the panel that a DECLARE is of, and declares it: one that all threads see at the
 * head of the kernel's function, one of each thread in the text. user: the sq_printer. */
void sq_panels_declare(const sq_code *declare, void *user, sq_text *to);
/* After all nests: what those of threads are found by. */
void sq_panels_close(sq_printer *p);
/* True if the workspace holds any panel. */
bool sq_panels_any(const sq_printer *p);
/* Declares a short array on the stack, at the head; false, and nothing, where it is full. */
bool sq_panels_stack(sq_printer *p, const char *name, sq_type type, int64_t elements);
#endif
