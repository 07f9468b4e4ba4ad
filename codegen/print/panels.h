/* Panels: allocates the panels of packs for a call, on the stack or in its workspace. */
#ifndef SQ_CODEGEN_PRINT_PANELS_H
#define SQ_CODEGEN_PRINT_PANELS_H
#include "codegen/print/printer.h"

/* Begins a fusion: its panels may reuse the memory of those of earlier fusions. */
void sq_panels_begin(sq_printer *p);
/* Allocates the panel of a DECLARE, and declares it: a shared one at the head of the kernel's
 * function, one per thread in the text. user: the sq_printer. */
void sq_panels_declare(const sq_code *declare, void *user, sq_text *to);
/* Called after all nests: declares what the panels of threads are located by. */
void sq_panels_close(sq_printer *p);
/* True if the workspace holds panels. */
bool sq_panels_any(const sq_printer *p);
/* Declares a short array on the stack, at the head; declares nothing and returns false if the
 * stack's budget is used up. */
bool sq_panels_stack(sq_printer *p, const char *name, sq_type type, int64_t elements);
#endif
