/* Panels: where the panels of packs lie while a call runs, on the stack or in its workspace. */
#ifndef SQ_CODEGEN_PANELS_H
#define SQ_CODEGEN_PANELS_H
#include "codegen/print.h"

/* A fusion begins: its panels may lie where those of the fusions before it lay. */
void sq_panels_begin(sq_printer *p);
/* Finds a place for each buffer of a nest that is no block's; declares those that all threads see
 * at the head of the kernel's function. */
void sq_panels_place(sq_printer *p, const sq_nest *n);
/* Has each thread a panel of its own of a buffer. */
bool sq_panels_is_own(const sq_printer *p, const sq_buffer *b);
/* Declares the panel that each thread has of a buffer, into the body. */
void sq_panels_own(sq_printer *p, const sq_buffer *b);
/* After all nests: what those of threads are found by. */
void sq_panels_close(sq_printer *p);
/* Are there any in the workspace. */
bool sq_panels_any(const sq_printer *p);
/* Declares a short array on the stack, at the head; false, and nothing, where it is full. */
bool sq_panels_stack(sq_printer *p, const char *name, sq_type type, int64_t elements);
#endif
