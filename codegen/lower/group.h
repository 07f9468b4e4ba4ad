/* Group: what a schedule's groups are as code, before the passes. */
#ifndef SQ_LOWER_GROUP_H
#define SQ_LOWER_GROUP_H
#include "codegen/lower/nest.h"

typedef enum sq_lowered {
    SQ_LOWER_FAILED = -1, /* with an error added */
    SQ_LOWER_DONE,
    SQ_LOWER_NOT_AS_CODE /* loops that a grid shares, which become text without being code */
} sq_lowered;

/* The code of a group, and of those after it that share loops with it, to *to, which may be none. */
sq_lowered sq_lower_group(const sq_schedule *s, int group, const sq_nest_options *o,
                          sq_code_pool *code, sq_code **to, sq_diags *d);
#endif
