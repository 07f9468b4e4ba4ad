/* Continued: an expression of an iteration's number from those of the first two iterations. */
#ifndef SQ_CODE_CONTINUED_H
#define SQ_CODE_CONTINUED_H
#include "codegen/code/expr.h"

/* The expression that is `first` where the name is 0 and `second` where it is 1, linear in the name as
 * far as index expressions go; NULL: they differ in more than these. Registers with subscripts
 * are continued in these. */
const sq_code_expr *sq_code_continued(sq_code_pool *p, const sq_code_expr *first,
                                      const sq_code_expr *second, const char *name);
/* True if two expressions are one, whatever the order of the terms of their sums. */
bool sq_code_same(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
#endif
