/* Check reach: sizes at which a block of the emitted text should run, from what is known of the way
 * to it. */
#ifndef SQ_CLI_CHECK_REACH_H
#define SQ_CLI_CHECK_REACH_H
#include "cli/check_rows.h"

/* The least sizes of a set of them, whose parameters have the names of k's sizes; those that it does
 * not name stay as they are in `row`. Takes the set; false: it is empty. */
bool sq_check_least(const sq_kernel *k, isl_set *sizes, int64_t *row);
/* Adds a row that is new, if the limits allow it and the text must be right at its sizes. r->size has
 * room for limits->rows. */
void sq_check_add(const sq_kernel *k, const int64_t *row, const sq_check_limits *limits,
                  sq_check_rows *r);
/* Adds the least sizes of the set that are at least `least` where they can be, unless the limits do
 * not allow them. The set is kept. */
void sq_check_reach(const sq_kernel *k, isl_set *sizes, int64_t least,
                    const sq_check_limits *limits, sq_check_rows *r);
#endif
