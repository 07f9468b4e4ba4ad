/* Lowering: the state of the lowering of one group, shared by lower.c (loops), lower_leaf.c
 * (leaves), lower_points.c (sets), lower_holes.c (iterations without points) and lower_copies.c
 * (buffers of packs). */
#ifndef SQ_CODEGEN_NEST_LOWER_INSIDE_H
#define SQ_CODEGEN_NEST_LOWER_INSIDE_H
#include "codegen/nest/box.h"
#include "codegen/nest/lower.h"
#include <isl/set.h>

typedef struct sq_lowering {
    const sq_schedule *schedule;
    const sq_kernel *kernel;
    const sq_group *group;
    sq_arena *arena;
    sq_code_pool *code;
    sq_diags *diags;
    sq_nest *nest;
    isl_set *points[SQ_MAX_LOOPS + 1]; /* Q[i]; see lower.c */
    bool scan;                         /* no register tile: points run one by one */
    bool box;                          /* the domain is a product of ranges */
    /* box: the end of the range of a reduction dimension depends on loops outside of its own */
    bool ragged[SQ_MAX_DIMS];
    bool holes;              /* values may be missing between its minimum and maximum */
    const sq_target *target; /* or NULL: any */
    const sq_frame *frame;   /* or NULL: the shared loops are not lowered here */
    const sq_fusion *fusion; /* this lowers the frame of this fusion, which is its leaf; or NULL */
    sq_box bounds;           /* if a box: all bounds */
} sq_lowering;

/* Returns the minimum or maximum of dimension d in s, over the parameters; the other dimensions are
 * projected out. __isl_give */
isl_pw_aff *sq_range_end(isl_set *s /* __isl_keep */, int d, bool upper);
/* Returns the maximum plus 1. */
isl_pw_aff *sq_range_past(isl_set *s /* __isl_keep */, int d);
/* Q[loops], made on first use; __isl_keep. */
isl_set *sq_lowering_points(sq_lowering *w, int loops);
/* Returns the parameters for which a point of the innermost tile reads outside of an array, as
 * clampedge and pad allow, without a copy that has the value. __isl_give; NULL if no read can leave
 * its array. */
isl_set *sq_lowering_outside(sq_lowering *w);
/* Returns the parameters (sizes and loops so far) for which Q[loops] is not empty. __isl_give */
isl_set *sq_lowering_context(const sq_lowering *w, int loops);
/* Returns the parameters for which the variable of loop i, one of `space`, is a multiple of its
 * step away from the origin of its tiles: the enclosing loop's variable or the minimum.
 * __isl_give */
isl_set *sq_lowering_grid(const sq_lowering *w, int i, isl_space *space /* __isl_take */);
/* True if a projection of the set may lack values between its minimum and maximum. */
bool sq_has_holes(isl_set *s /* __isl_keep */);
/* Returns all values from the minimum to the maximum of a set of one dimension. */
isl_set *sq_without_holes(isl_set *one /* __isl_take */);
/* True if the domain is a product of ranges, in the form that the bounds need; fills `ragged`. */
bool sq_lowering_is_box(sq_lowering *w);
/* Returns the number of outer loops on which the end of dimension d depends; 0 if none. */
int sq_lowering_ragged_from(const sq_lowering *w, int d);
/* Returns the condition that an iteration of loop i has a point, NULL if all have. Loops over a
 * domain with holes (every second point; two ranges) run over the holes as well. */
const sq_code_expr *sq_lowering_hole(sq_lowering *w, int i);
/* Returns the minimum of dimension d inside the first `loops` loops, or the maximum plus 1. */
const sq_code_expr *sq_lowering_range(sq_lowering *w, int loops, int d, bool upper);
sq_node *sq_lowering_node(const sq_lowering *w, sq_node_kind kind);
/* Lowers what runs inside all loops; NULL if isl gave up or an error was added. */
sq_node *sq_lowering_leaf(sq_lowering *w);
/* Chooses how remainders along the lanes are computed: sq_ends. Called after the counts.
 * may_overlap: tiles read outside of arrays through copies only. */
void sq_lowering_ends(sq_lowering *w, bool may_overlap);
/* Checks the domain for loops that run inside the tile, and for vectors that are interleaved
 * among threads; finds the condition that all blocks and threads have full tiles. -1 with an
 * error added. */
int sq_lowering_grid_fits(sq_lowering *w);
/* Checks that some tiles may become single points. -1 with an error added if sums stay in
 * registers, or if vectors are interleaved among threads. */
int sq_lowering_takes_points(sq_lowering *w);
/* Fills the nest's buffers from the group's packs; -1 with an error added. */
int sq_lowering_buffers(sq_lowering *w);
/* Returns the copies at the head of `loop`'s body (-1: before all loops), followed by inner. */
sq_node *sq_lowering_copies(const sq_lowering *w, int loop, sq_node *inner);
#endif
