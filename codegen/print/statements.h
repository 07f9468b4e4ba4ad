/* Statements: code as text of the file that is printed. */
#ifndef SQ_PRINT_STATEMENTS_H
#define SQ_PRINT_STATEMENTS_H
#include "codegen/print/c.h"
#include "codegen/printer.h"

/* What prints code as part of the file. */
sq_c_printer sq_print_c(sq_printer *p);
/* Statements, at the text's indent; parts that they call go to the printer's tiles. */
void sq_print_statements(sq_printer *p, const sq_code *x, sq_text *to);
#endif
