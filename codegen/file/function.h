/* Function: the public functions of an emitted file, and the one that contains the nests.
 *
 *     void K(sizes, scalars, arrays)     does nothing for sizes that are not accepted
 *     int K_accepts(sizes)               true if they are accepted; exists if more than negative sizes are refused
 *     size_t K_workspace(sizes)          bytes that a call needs besides its arguments
 *     int K_in(…, void *workspace)       K in memory of the caller
 *
 * Which of them exist depends on the kernel alone, never on its schedule. */
#ifndef SQ_CODEGEN_FILE_FUNCTION_H
#define SQ_CODEGEN_FILE_FUNCTION_H
#include "codegen/print/printer.h"

/* Appends the comment at the head of a file; nothing for NULL. */
void sq_print_provenance(const char *lines, sq_text *to);
/* Appends the macros NAME_MAJOR and NAME_MINOR of the emitted ABI. */
void sq_print_abi(const char *name, sq_text *to);
/* Appends the helpers for bounds and loops that are called. */
void sq_print_bounds(const sq_code_keys *called, sq_text *to);
/* Appends all helpers that the file calls, once the rest is printed: bounds, copies, narrow types. */
void sq_print_helpers(const sq_printer *p, sq_text *to);
/* Allocates the temporaries of the nests in p->body: short ones of known size on the stack, others in the workspace,
 * after the panels. */
void sq_function_locals(sq_printer *p);
/* If only speed depends on assume(), appends the version of the function for sizes that violate it, in the order
 * written, and sets p->fallback to its name. Returns -1 after adding an error. */
int sq_function_fallback(sq_printer *p, sq_text *to, sq_diags *d);
/* Appends all functions of the file, after the tiles. */
void sq_function_print(sq_printer *p, sq_text *to);
/* True if the kernel has a K_accepts: it refuses more than negative sizes. */
bool sq_function_accepts(const sq_kernel *k);
/* Appends lines for the comment at its prototype: the accepted sizes, unless only negative ones are refused, and the
 * effect of others; with `falls_back`, the sizes for which it is fast. May append nothing. */
void sq_accepts_describe(const sq_kernel *k, bool falls_back, const char *others, sq_text *to);
#endif
