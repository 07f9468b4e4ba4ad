/* Statements: prints code as part of the current file. */
#ifndef SQ_PRINT_STATEMENTS_H
#define SQ_PRINT_STATEMENTS_H
#include "codegen/print/c.h"
#include "codegen/print/printer.h"

/* Returns the printer of code for this file. */
sq_c_printer sq_print_c(sq_printer *p);
/* Prints statements, with the text's indentation; parts that they call go to the printer's
 * tiles. */
void sq_print_statements(sq_printer *p, const sq_code *x, sq_text *to);
/* Does so after running the passes. */
void sq_print_lowered(sq_printer *p, sq_code *x, sq_text *to);
#endif
