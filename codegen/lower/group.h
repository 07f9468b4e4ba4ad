/* Group: lowers the groups of a schedule, before the passes. */
#ifndef SQ_LOWER_GROUP_H
#define SQ_LOWER_GROUP_H
#include "codegen/lower/nest.h"

typedef enum sq_lowered {
    SQ_LOWER_FAILED = -1, /* an error was added */
    SQ_LOWER_DONE,
    SQ_LOWER_NOT_AS_CODE /* a grid shares the loops, which are printed as text directly */
} sq_lowered;

/* Lowers a group, and the groups after it that share loops with it, to *to, which may become
 * NULL. */
sq_lowered sq_lower_group(const sq_schedule *s, int group, const sq_nest_options *o,
                          sq_code_pool *code, sq_code **to, sq_diags *d);
#endif
