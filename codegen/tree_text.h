/* Tree text: loops of a group that auto() scheduled, as C. isl orders and bounds them; what stands
 * in them is printed here, innermost loops in vectors where the tree says that is right. */
#ifndef SQ_CODEGEN_TREE_TEXT_H
#define SQ_CODEGEN_TREE_TEXT_H
#include "codegen/print.h"
#include "codegen/scan_inside.h"
#include "ir/tree.h"

/* Appends the group's loops to the printer's body. -1 with an error added. */
int sq_tree_emit(sq_printer *p, const sq_group *g, sq_diags *d);

/* An innermost loop over one statement, as isl gave it. */
typedef struct sq_lane_loop {
    const sq_stmt *stmt;
    const char *iterator, *first, *end; /* for (iterator = first; iterator < end; iterator++) */
    int64_t step[SQ_MAX_DIMS]; /* what every coordinate of the instance changes by in one step */
    bool sums;                 /* lanes keep sums apart */
} sq_lane_loop;

/* Can it run in vectors: one floating type, elements that stay or lie side by side. */
bool sq_lanes_fit(const sq_printer *p, const sq_lane_loop *l);
/* Prints it, coordinates of the instance in s->at. */
void sq_lanes_print(sq_printer *p, sq_scan *s, const sq_lane_loop *l, sq_text *to);
#endif
