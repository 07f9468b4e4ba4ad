/* Unrolled: code with the iterations of its unrolled loops written out. */
#ifndef SQ_CODE_UNROLLED_H
#define SQ_CODE_UNROLLED_H
#include "codegen/code/code.h"

/* The list with one copy of the body of each UNROLLED loop, of known bounds, for each iteration, where
 * the loop's variable is its number; statements whose condition is known not to hold are gone. Loops
 * whose bodies do not mention the variable stay. */
sq_code *sq_code_unrolled(sq_code_pool *p, const sq_code *x);
/* The same of the part that a CALL calls, with the numbers that it passes. */
sq_code *sq_code_unrolled_call(sq_code_pool *p, const sq_code *call);
#endif
