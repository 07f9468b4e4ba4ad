/* Box: bounds inside the loops of a nest whose domain is a product of ranges, without
 * sets: a tile ends at its start plus its step, or where the dimension ends. Nearly every kernel is
 * one, and answering these questions by set operations took longer than all the rest of compile. */
#ifndef SQ_CODEGEN_NEST_BOX_H
#define SQ_CODEGEN_NEST_BOX_H
#include "codegen/nest/nest.h"

typedef struct sq_box {
    const sq_group *group;
    isl_set *sizes;                                            /* that there are; the kernel's */
    const sq_code_expr *start[SQ_MAX_DIMS], *end[SQ_MAX_DIMS]; /* of each dimension: half open */
    sq_code_pool *code;
} sq_box;

/* One past the largest value of dimension d inside the first `loops` loops. */
const sq_code_expr *sq_box_end(const sq_box *b, int loops, int d);
/* True if every iteration of loop l runs its full step; false where that is not known. */
bool sq_box_whole(const sq_box *b, int l);
/* What is known of the number of points along d inside of all loops. */
sq_steps sq_box_steps(const sq_box *b, int d);
/* A divisor of that number; the nest need not be a box. */
int64_t sq_box_divisor(const sq_box *b, int d);
/* How many of the tile's points along d exist at a leaf. */
sq_count sq_box_count(const sq_box *b, int d);
#endif
