/* Copy: lowers the copy of a packed array that one thread of a CPU makes. */
#ifndef SQ_LOWER_COPY_H
#define SQ_LOWER_COPY_H
#include "codegen/lower/nest.h"

/* The context of a copy. */
typedef struct sq_copy_where {
    bool serial;     /* the copy may not be parallel: it is inside of a parallel loop, or the nest has none */
    bool in_threads; /* it is inside of a parallel loop */
} sq_copy_where;

/* Returns the statements that fill the copy, preceded by its declaration if each thread has a
 * copy. */
sq_code *sq_lower_copy(const sq_nest *n, const sq_buffer *b, sq_copy_where where,
                       const sq_nest_options *o);
/* Returns the loops that make all copies of a packed array, in memory of the name SQ_STORED_TO. */
#define SQ_STORED_TO "@to"
sq_code *sq_lower_stored(const sq_nest *n, const sq_buffer *b, const sq_nest_options *o);
#endif
