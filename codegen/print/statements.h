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
/* Does so after running the passes. is_fragment: as in sq_pass_context. */
void sq_print_lowered(sq_printer *p, sq_code *x, bool is_fragment, sq_text *to);
/* Runs the passes on lowered code of the file. */
sq_code *sq_print_passed(const sq_printer *p, sq_code *x, bool is_fragment);
#endif
