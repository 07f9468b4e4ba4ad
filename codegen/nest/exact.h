/* Exact: sums of products of small integers, which f32 holds exactly as long as they have few
 * terms: a tile accumulates in f32, with multiply-adds, and adds the result to int32_t before
 * rounding could occur. */
#ifndef SQ_CODEGEN_NEST_EXACT_H
#define SQ_CODEGEN_NEST_EXACT_H
#include "ir/schedule/schedule.h"

/* Returns the number of products that may be added in f32; 0 if the group's reduction is no such
 * sum. */
int64_t sq_exact_terms(const sq_group *g);
/* True if every read of the array is a factor of these products: then a copy of it may hold f32. */
bool sq_exact_factor(const sq_group *g, const sq_array *a);
#endif
