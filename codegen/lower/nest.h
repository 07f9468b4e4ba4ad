/* Nest: the loops, copies and register tiles of a processor's nests as code. */
#ifndef SQ_LOWER_NEST_H
#define SQ_LOWER_NEST_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

/* What the code of nests depends on beyond the schedule. */
typedef struct sq_nest_options {
    const sq_target *target;
    bool threads; /* parallel loops are shared by threads */
    bool eager;   /* … however little they do */
} sq_nest_options;

/* The nests of a fusion, in the order they run, in the arena of its pool. */
sq_code *sq_lower_nests(const sq_fusion *r, const sq_nest_options *o);
/* What is said of a nest at its head, in the arena of its pool. */
const char *sq_nest_comment(const sq_nest *n);
/* True if the nest has no loop of its own: in loops that it shares its variables stand beside those of
 * others. */
bool sq_nest_is_bare(const sq_nest *n);
#endif
