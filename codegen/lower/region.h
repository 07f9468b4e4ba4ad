/* Region: whether a parallel loop has enough work for threads. */
#ifndef SQ_LOWER_REGION_H
#define SQ_LOWER_REGION_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

/* Returns the work from which on threads of a target share a loop of the nest, in the arena of
 * its pool; NULL if it is not known before the loops, or if sizes are known and the model has
 * chosen. */
const sq_code_work *sq_region_of_loop(const sq_nest *n, const char *loop, const sq_target *t);
/* Does the same for a copy with the given lengths along the axes. False: it never has enough
 * work. */
bool sq_region_of_copy(sq_code_pool *p, const sq_buffer *b, const sq_code_expr *const *len,
                       const sq_target *t, const sq_code_work **work);
/* Assigns its work to each parallel loop of a list of statements, where it is known before the
 * loop. */
void sq_region_of_code(sq_code_pool *p, sq_code *x, const sq_target *t);
#endif
