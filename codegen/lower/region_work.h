/* Region work: builds the sum of products that is the work of a parallel loop. */
#ifndef SQ_LOWER_REGION_WORK_H
#define SQ_LOWER_REGION_WORK_H
#include "codegen/lower/region.h"
#include "ir/machine/machine.h"

/* Returns empty work with room for `most` products; threads of this machine need its `least`. */
sq_code_work *sq_region_work_new(sq_arena *arena, int most, const sq_machine *m);
/* Returns a number, with room for one factor per dimension. */
sq_code_product sq_region_product_new(sq_arena *arena, double number);
void sq_region_multiply(sq_code_product *x, const sq_code_expr *factor);
/* True if all of the work is known now: then it is one product without factors. */
bool sq_region_is_known(const sq_code_work *w);
/* Adds a product; one with the same factors is merged. */
void sq_region_add(sq_code_work *w, const sq_code_product *x);
#endif
