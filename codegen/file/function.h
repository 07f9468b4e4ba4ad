/* Function: the functions of an emitted file that callers see, and the one that holds the nests.
 *
 *     void K(sizes, scalars, arrays)     total: sizes that are not accepted compute nothing
 *     int K_accepts(sizes)               are they; where that is more than "not negative"
 *     size_t K_workspace(sizes)          bytes that a call works in, beside its arguments
 *     int K_in(…, void *workspace)       K in memory of the caller
 *
 * Which of them exist depends on the kernel alone, never on its schedule. */
#ifndef SQ_CODEGEN_FILE_FUNCTION_H
#define SQ_CODEGEN_FILE_FUNCTION_H
#include "codegen/print/printer.h"

/* The comment at the head of a file; nothing for NULL. */
void sq_print_provenance(const char *lines, sq_text *to);
/* NAME_MAJOR and NAME_MINOR of the emitted ABI. */
void sq_print_abi(const char *name, sq_text *to);
/* Those helpers that are called: bounds, and what loops are made of. */
void sq_print_bounds(const sq_code_keys *called, sq_text *to);
/* The helpers that the file calls, when all else has been printed: bounds, copies, narrow types. */
void sq_print_helpers(const sq_printer *p, sq_text *to);
/* Says where temporaries of the nests in p->body live: short ones of known size on the stack, others
 * in the workspace, behind the panels. */
void sq_function_locals(sq_printer *p);
/* The same function for sizes that break what assume() promises, in the order written, where
 * nothing but speed depends on the promise: printed to `to`, and p->fallback is its name. -1 with an
 * error added. */
int sq_function_fallback(sq_printer *p, sq_text *to, sq_diags *d);
/* All functions of the file, after the tiles. */
void sq_function_print(sq_printer *p, sq_text *to);
/* True if the kernel has a K_accepts: it refuses more than negative sizes. */
bool sq_function_accepts(const sq_kernel *k);
/* Lines for the comment at its prototype: the sizes that it takes, beside that none is negative, and
 * what it does for others; for which of them it is fast, if it has other text for the rest
 * (`falls_back`). Nothing where there is nothing to say. */
void sq_accepts_describe(const sq_kernel *k, bool falls_back, const char *others, sq_text *to);
#endif
