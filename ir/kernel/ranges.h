/* Ranges: whether a set is a product of ranges, one for each of its dimensions. */
#ifndef SQ_IR_KERNEL_RANGES_H
#define SQ_IR_KERNEL_RANGES_H
#include <isl/constraint.h>
#include <isl/set.h>
#include <stdbool.h>

/* Returns how many dimensions of its set a constraint involves. Keeps it. */
int sq_constraint_dims(isl_constraint *c);
/* True if some constraint of the set involves several dimensions. Keeps it. */
bool sq_set_couples(isl_set *s);
/* True if the set is one product of ranges, without remainders, and has points. Keeps it. */
bool sq_set_is_box(isl_set *s);
#endif
