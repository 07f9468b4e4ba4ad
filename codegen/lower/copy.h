/* Copy: how a processor's thread fills the copy of a packed array, as code. */
#ifndef SQ_LOWER_COPY_H
#define SQ_LOWER_COPY_H
#include "codegen/lower/nest.h"

/* Where a copy is made. */
typedef struct sq_copy_where {
    bool serial;     /* no threads may share it: they share a loop around it, or none of the nest */
    bool in_threads; /* threads share a loop around it */
} sq_copy_where;

/* The statements that fill the copy, after its declaration where each thread has one of its own. */
sq_code *sq_lower_copy(const sq_nest *n, const sq_buffer *b, sq_copy_where where,
                       const sq_nest_options *o);
#endif
