/* Region work: the sum of products that says what a parallel loop does, in the making. */
#ifndef SQ_LOWER_REGION_WORK_H
#define SQ_LOWER_REGION_WORK_H
#include "codegen/lower/region.h"
#include "ir/machine/machine.h"

/* Empty, with room for `most` products; worth threads of this machine from its `least` on. */
sq_code_work *sq_region_work_new(sq_arena *arena, int most, const sq_machine *m);
/* A number, with room for a factor a dimension. */
sq_code_product sq_region_product_new(sq_arena *arena, double number);
void sq_region_multiply(sq_code_product *x, const sq_code_expr *factor);
/* True if all of the work is known now: it is one product then, without factors. */
bool sq_region_is_known(const sq_code_work *w);
/* Joins it with a product of the same factors. */
void sq_region_add(sq_code_work *w, const sq_code_product *x);
#endif
