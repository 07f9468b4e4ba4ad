/* Box: bounds inside the loops of a nest whose domain is a product of ranges, without sets: a tile
 * ends at its start plus its step, or where the dimension ends. Nearly every kernel has such a
 * domain, and with set operations its bounds took longer than the rest of compile. */
#ifndef SQ_CODEGEN_NEST_BOX_H
#define SQ_CODEGEN_NEST_BOX_H
#include "codegen/nest/nest.h"

typedef struct sq_box {
    const sq_group *group;
    /* of the kernel: the sizes that are possible */
    isl_set *sizes;
    const sq_code_expr *start[SQ_MAX_DIMS], *end[SQ_MAX_DIMS]; /* of each dimension: a half-open range */
    sq_code_pool *code;
} sq_box;

/* Returns the largest value of dimension d inside the first `loops` loops, plus 1. */
const sq_code_expr *sq_box_end(const sq_box *b, int loops, int d);
/* True if all iterations of loop l are known to have their full step. */
bool sq_box_whole(const sq_box *b, int l);
/* Returns what is known of the number of points along d inside of all loops. */
sq_steps sq_box_steps(const sq_box *b, int d);
/* Returns a divisor of that number; the nest need not be a box. */
int64_t sq_box_divisor(const sq_box *b, int d);
/* Returns how many of the tile's points along d exist at a leaf. */
sq_count sq_box_count(const sq_box *b, int d);
#endif
