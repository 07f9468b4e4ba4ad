/* Continued: derives an expression of the iteration number from those of the first two
 * iterations. */
#ifndef SQ_CODE_CONTINUED_H
#define SQ_CODE_CONTINUED_H
#include "codegen/code/expr.h"

/* Returns the expression that is `first` where the name is 0 and `second` where it is 1, with index
 * expressions linear in the name. Subscripts of registers are treated in the same way. Returns NULL
 * if the two differ in anything else. */
const sq_code_expr *sq_code_continued(sq_code_pool *p, const sq_code_expr *first,
                                      const sq_code_expr *second, const char *name);
/* True if two expressions are equal up to the order of the terms of their sums. */
bool sq_code_same(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
#endif
