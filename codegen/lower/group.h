/* Group: lowers the groups of a schedule, before the passes. */
#ifndef SQ_LOWER_GROUP_H
#define SQ_LOWER_GROUP_H
#include "codegen/lower/nest.h"

/* Lowers a group, and the groups after it that share loops with it, to *to, which may become
 * NULL. Returns 0, or -1 after adding an error. */
int sq_lower_group(const sq_schedule *s, int group, const sq_nest_options *o,
                          sq_code_pool *code, sq_code **to, sq_diags *d);
#endif
