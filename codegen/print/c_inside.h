/* C, inside: what the files that print C share. */
#ifndef SQ_PRINT_C_INSIDE_H
#define SQ_PRINT_C_INSIDE_H
#include "codegen/print/c.h"

/* A value as an array's element holds it: of f16 and bf16 the bits. */
void sq_c_stored(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
#endif
