/* Regions: whether a parallel loop has work enough for threads. */
#ifndef SQ_CODEGEN_REGIONS_H
#define SQ_CODEGEN_REGIONS_H
#include "codegen/print.h"

/* The clause of a loop of the nest: " if (…)" over the sizes; "" where threads always run it. */
const char *sq_region_if(sq_printer *p, const sq_nest *n, const char *loop);
/* The same of a copy, its lengths along the axes given; NULL: it is never worth them. */
const char *sq_region_copy_if(const sq_printer *p, const sq_buffer *b,
                              const sq_code_expr *const *len, int nlen);
#endif
