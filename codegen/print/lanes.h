/* Lanes: loops in lanes of vectors as text. */
#ifndef SQ_PRINT_LANES_H
#define SQ_PRINT_LANES_H
#include "codegen/print/statements.h"

/* Prints a loop over one store that runs in lanes or adds up in lanes; user: the sq_printer. */
void sq_lanes_print(const sq_code *loop, void *user, sq_text *to);
#endif
