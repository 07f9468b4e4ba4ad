/* Check packed: calls of functions that take packed arrays. */
#ifndef SQ_CLI_CHECK_PACKED_H
#define SQ_CLI_CHECK_PACKED_H
#include "cli/check_refused.h"

/* Appends functions that take the arrays as they are, pack them and call K, K_in and K_on, and puts them in the place
 * of these. Before each call K is asked to refuse what is not packed. */
void sq_check_packed_put(const sq_kernel *k, sq_check_functions *f, sq_text *to);
/* Returns the bytes of a schedule's packed arrays at these sizes, or somewhat more. */
double sq_check_packed_bytes(const sq_schedule *s, const int64_t *sizes);
#endif
