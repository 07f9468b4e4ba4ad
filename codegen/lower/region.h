/* Region: whether a parallel loop has work enough for threads. */
#ifndef SQ_LOWER_REGION_H
#define SQ_LOWER_REGION_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

/* What threads of a target do in a loop of the nest, in the arena of its pool; NULL where that is
 * not known before the loops, or sizes are known, and the model has chosen. */
const sq_code_work *sq_region_of_loop(const sq_nest *n, const char *loop, const sq_target *t);
/* The same of a copy, its lengths along the axes given. False: it is never worth them. */
bool sq_region_of_copy(sq_code_pool *p, const sq_buffer *b, const sq_code_expr *const *len,
                       const sq_target *t, const sq_code_work **work);
/* Of a list of statements, gives each loop that threads share its work, where that is known before it. */
void sq_region_of_code(sq_code_pool *p, sq_code *x, const sq_target *t);
#endif
