/* Exact: sums of products of small integers, which f32 holds exactly as long as they are short: a
 * tile adds them up in f32, with the machine's multiply-add, and into int32_t before the next
 * rounding could happen. */
#ifndef SQ_CODEGEN_NEST_EXACT_H
#define SQ_CODEGEN_NEST_EXACT_H
#include "ir/schedule/schedule.h"

/* The number of products that may be added in f32; 0 where the group's reduction is no such sum. */
int64_t sq_exact_terms(const sq_group *g);
/* True if every read of the array is a factor of these products: a copy of it may then hold f32. */
bool sq_exact_factor(const sq_group *g, const sq_array *a);
#endif
