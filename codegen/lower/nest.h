/* Nest: lowers the loops, copies and register tiles of nests for a CPU. */
#ifndef SQ_LOWER_NEST_H
#define SQ_LOWER_NEST_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

struct sq_parts;

/* Options that the code of nests depends on besides the schedule. */
typedef struct sq_nest_options {
    const sq_target *target;
    bool threads; /* parallel loops use threads */
    bool eager;   /* … however small their work is */
} sq_nest_options;

/* Returns the nests of a fusion, in execution order, in the arena of its pool. */
sq_code *sq_lower_nests(const sq_fusion *r, const sq_nest_options *o);
/* Returns them once more: parts are those of the nests so far, with which they share functions. */
sq_code *sq_lower_nests_again(const sq_fusion *r, const sq_nest_options *o, struct sq_parts *parts);
/* Returns the comment at the head of a nest, in the arena of its pool. */
const char *sq_nest_comment(const sq_nest *n);
/* True if the nest has no loop of its own: inside of shared loops its variables are in the scope of
 * other nests. */
bool sq_nest_is_bare(const sq_nest *n);
#endif
