/* Lowering: the state of one group while it becomes a nest, shared by lower.c (loops and leaves)
 * and lower_copies.c (buffers of packs). */
#ifndef SQ_CODEGEN_LOWER_INSIDE_H
#define SQ_CODEGEN_LOWER_INSIDE_H
#include "codegen/box.h"
#include "codegen/lower.h"
#include <isl/set.h>

typedef struct sq_lowering {
    const sq_schedule *schedule;
    const sq_kernel *kernel;
    const sq_group *group;
    sq_arena *arena;
    sq_diags *diags;
    sq_nest *nest;
    isl_set *points[SQ_MAX_LOOPS + 1]; /* Q[i]; see lower.c */
    bool scan;                         /* no register tile: points one by one */
    bool box;                          /* the domain is a product of ranges */
    const sq_frame *frame;             /* or NULL: then the shared loops are not ours */
    const sq_run *run;                 /* this is a frame, and that its leaf; or NULL */
    sq_box bounds;                     /* then these answer all questions */
} sq_lowering;

/* Smallest value of dimension d inside the first `loops` loops, or one past the largest: text. */
const char *sq_lowering_range(sq_lowering *w, int loops, int d, bool upper);
sq_node *sq_lowering_node(const sq_lowering *w, sq_node_kind kind);
/* Fills the nest's buffers from the group's packs; -1 with an error added. */
int sq_lowering_buffers(sq_lowering *w);
/* The copies made at the head of `loop`'s body (-1: before all loops), then inner. */
sq_node *sq_lowering_copies(const sq_lowering *w, int loop, sq_node *inner);
#endif
