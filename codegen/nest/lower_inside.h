/* Lowering: the state of one group while it becomes a nest, shared by lower.c (loops), lower_leaf.c
 * (what runs inside them), lower_points.c (the sets), lower_holes.c (iterations without points) and
 * lower_copies.c (buffers of packs). */
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
    bool scan;                         /* no register tile: points one by one */
    bool box;                          /* the domain is a product of ranges */
    bool ragged[SQ_MAX_DIMS];           /* box: the end of the range of a reduction's dimension
                                          depends on loops outside of its own */
    bool holes;                        /* it may lack values between its least and its greatest */
    const sq_target *target;           /* or NULL: any */
    const sq_frame *frame;             /* or NULL: then the shared loops are not ours */
    const sq_fusion *fusion;           /* this is a frame, and that its leaf; or NULL */
    sq_box bounds;                     /* these then give all bounds */
} sq_lowering;

/* Least or greatest value of dimension d in s, over the parameters; the other dimensions are
 * projected out. __isl_give */
isl_pw_aff *sq_range_end(isl_set *s /* __isl_keep */, int d, bool upper);
/* One past the greatest. */
isl_pw_aff *sq_range_past(isl_set *s /* __isl_keep */, int d);
/* Q[loops], made on first use; __isl_keep. */
isl_set *sq_lowering_points(sq_lowering *w, int loops);
/* The parameters for which a point of the innermost tile reads outside of an array, as clampedge
 * and pad allow, and no copy has what is there. __isl_give; NULL if no read may leave its array. */
isl_set *sq_lowering_outside(sq_lowering *w);
/* The parameters (sizes and loops so far) for which Q[loops] has points. __isl_give */
isl_set *sq_lowering_context(const sq_lowering *w, int loops);
/* The parameters for which loop i's variable, one of `space`, lies a whole number of steps behind
 * where its tiles count from: the enclosing loop's variable or the least value. __isl_give */
isl_set *sq_lowering_grid(const sq_lowering *w, int i, isl_space *space /* __isl_take */);
/* True if a projection of the set may lack values between its least and its greatest one. */
bool sq_has_holes(isl_set *s /* __isl_keep */);
/* All from the least to the greatest value of a set of one dimension. */
isl_set *sq_without_holes(isl_set *one /* __isl_take */);
/* True if the domain is a product of ranges, in the form that bounds need; fills `ragged`. */
bool sq_lowering_is_box(sq_lowering *w);
/* The number of outer loops that determine where dimension d ends; 0 if its end does not depend on
 * them. */
int sq_lowering_ragged_from(const sq_lowering *w, int d);
/* Condition under which there is a point inside an iteration of loop i, NULL when there always is.
 * Of a domain with holes (every second point; two ranges) loops run over the holes, too. */
const sq_code_expr *sq_lowering_hole(sq_lowering *w, int i);
/* Smallest value of dimension d inside the first `loops` loops, or one past the largest. */
const sq_code_expr *sq_lowering_range(sq_lowering *w, int loops, int d, bool upper);
sq_node *sq_lowering_node(const sq_lowering *w, sq_node_kind kind);
/* What runs inside all loops; NULL where isl gave up or an error was added. */
sq_node *sq_lowering_leaf(sq_lowering *w);
/* Decides what becomes of points left over along the lanes: sq_ends. After the counts. may_overlap: tiles
 * read nothing outside of arrays but through copies. */
void sq_lowering_ends(sq_lowering *w, bool may_overlap);
/* What loops that run inside the tile, and vectors that are interleaved with those of other
 * threads, demand of the domain; says when blocks and threads have whole tiles. -1 with an error
 * added. */
int sq_lowering_grid_fits(sq_lowering *w);
/* Some tiles become single points. -1 with an error added where sums stay in registers, or vectors
 * of a thread are interleaved with those of others. */
int sq_lowering_takes_points(sq_lowering *w);
/* Fills the nest's buffers from the group's packs; -1 with an error added. */
int sq_lowering_buffers(sq_lowering *w);
/* The copies made at the head of `loop`'s body (-1: before all loops), then inner. */
sq_node *sq_lowering_copies(const sq_lowering *w, int loop, sq_node *inner);
#endif
