/* Draft, loops: what the choice between loops and register tiles reads of statements. */
#ifndef SQ_TUNER_MODEL_DRAFT_LOOPS_H
#define SQ_TUNER_MODEL_DRAFT_LOOPS_H
#include "ir/schedule/schedule.h"

/* True if lanes along the innermost loop hold neighbouring elements, or one element, of all that is accessed. */
bool sq_draft_all_in_lanes(const sq_stmt *s);
/* True if no register tile serves the statement, and lanes of a loop may: it reads backwards or what exists
 * only where a condition holds, or stores there. */
bool sq_draft_wants_loop(const sq_stmt *s);
/* Returns the loops of a statement, but for a last one that is short: lanes of the loop around it come from the copies
 * of the statement that it is. */
int sq_draft_depth(const sq_stmt *s);
/* True if all statements of the group are in `loops` loops, the innermost of which goes along all that they touch. */
bool sq_draft_goes_along(const sq_kernel *k, const sq_group *g, int loops);
#endif
