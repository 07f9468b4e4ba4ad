/* Lanes: code of a kernel's function as C, innermost loops in vectors where the code says so. */
#ifndef SQ_PRINT_LANES_H
#define SQ_PRINT_LANES_H
#include "codegen/printer.h"
#include "codegen/print/c.h"

/* Appends a list of statements. */
void sq_print_statements(sq_printer *p, const sq_code *x, sq_text *to);
/* What prints them; valid as long as p. */
sq_c_printer sq_print_c(sq_printer *p);
#endif
