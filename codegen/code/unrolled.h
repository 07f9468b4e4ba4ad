/* Unrolled: code with the iterations of its unrolled loops written out. */
#ifndef SQ_CODE_UNROLLED_H
#define SQ_CODE_UNROLLED_H
#include "codegen/code/code.h"

/* Returns the list with each UNROLLED loop of known bounds replaced by one copy of its body for
 * each iteration, in which the loop's variable is a number. Statements whose condition is known to
 * be false are dropped, and a conditional whose condition is known is what it runs. Loops whose
 * bodies do not mention the variable stay. */
sq_code *sq_code_unrolled(sq_code_pool *p, const sq_code *x);
/* Returns the same of the part that a CALL calls, with the numbers that it passes. */
sq_code *sq_code_unrolled_call(sq_code_pool *p, const sq_code *call);
#endif
