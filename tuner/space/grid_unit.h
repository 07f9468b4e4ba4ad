/* Grid unit: how a grid computes one group, or rows of several, with integer parameters. A unit and
 * its parameters determine a script, whose time the model estimates.
 *
 *   tensor    products of f16, bf16 and bytes by matrix instructions: a block computes `lines` times
 *             `rows` x `columns` elements, a warp `row_points` x `column_points` of them
 *   product   the same by multiply-adds, a thread's points in its registers; operands are
 *             staged in shared memory, `steps` of the sum at a time
 *   team      a block computes one sum, its threads partial sums
 *   columns   a warp computes adjacent sums, other warps of the block further parts of them
 *   turned    an array that is contiguous along another dimension than the output is transposed in
 *             shared memory, in tiles of `rows` of that dimension and `columns` of the output's
 *   vectors   threads are along the dimension in which the output is contiguous, each with a
 *             vector of elements
 *   points    the same, an element each; short dimensions of its sum are unrolled
 *   loops     the same, but dimensions of the sum stay loops, in their order
 *   held      only one loop is shared, where the others carry dependences; a sum is held in
 *             registers
 *   least     the same, sums in memory
 *   rows      consecutive statements on the same rows: a block has a row
 *   tree      auto()'s loops */
#ifndef SQ_TUNER_SPACE_GRID_UNIT_H
#define SQ_TUNER_SPACE_GRID_UNIT_H
#include "ir/machine/device.h"
#include "support/text.h"
#include "tuner/space/grid_shape.h"

typedef enum sq_grid_kind {
    SQ_GRID_TENSOR,
    SQ_GRID_PRODUCT,
    SQ_GRID_TEAM,
    SQ_GRID_COLUMNS,
    SQ_GRID_TURNED,
    SQ_GRID_VECTORS,
    SQ_GRID_POINTS,
    SQ_GRID_LOOPS,
    SQ_GRID_LEAST_HELD,
    SQ_GRID_LEAST,
    SQ_GRID_ROWS,
    SQ_GRID_TREE
} sq_grid_kind;

/* A parameter of a unit. */
typedef enum sq_grid_knob {
    SQ_KNOB_ROWS,
    SQ_KNOB_COLUMNS,
    SQ_KNOB_LINES, /* tile size of a further dimension of one operand, such as the lines of an image */
    SQ_KNOB_STEPS,
    SQ_KNOB_ROW_POINTS,
    SQ_KNOB_COLUMN_POINTS,
    SQ_KNOB_STAGES, /* asynchronous copies in flight; 1: none */
    SQ_KNOB_GROUP,  /* rows of tiles that blocks take together; 1: in loop order */
    SQ_KNOB_THREADS,
    /* tree: fused, with the outer loop kept, tiled; matrix instructions: of a warp, of a
     * warpgroup */
    SQ_KNOB_WAY,
    SQ_KNOBS
} sq_grid_knob;
const char *sq_grid_knob_name(sq_grid_knob k); /* "rows" */

enum { SQ_GRID_MOST_ROWS = 8, SQ_KNOB_VALUES = 8 };

typedef struct sq_grid_unit {
    sq_grid_kind kind;
    int n; /* groups: one, or several for rows */
    const sq_grid_shape *of[SQ_GRID_MOST_ROWS];
    const char *name; /* of its first statement */
    int nrows;        /* rows: free dimensions that all groups have */
    int dim;          /* held, least: the loop that is parallel */
    long knob[SQ_KNOBS];
} sq_grid_unit;

/* Writes the values of a knob in ascending order; returns their number, 0 if the unit does not have
 * it. */
int sq_grid_knob_values(const sq_grid_unit *u, sq_grid_knob k, long *to);
/* True if the unit's matrix instructions are those of a warpgroup. */
bool sq_grid_is_warpgroup(const sq_grid_unit *u);
/* Switches to a warpgroup's instructions, with parameters of their own; false if the device has
 * none for the product, or it is too small. */
bool sq_grid_take_warpgroups(sq_grid_unit *u);
/* Sets the default parameters, which suit unknown sizes. */
void sq_grid_knob_defaults(sq_grid_unit *u);
/* True if the unit can be of its kind and its parameters are consistent: no partial tiles or
 * warps. */
bool sq_grid_unit_fits(const sq_grid_unit *u);
/* Appends the calls of a unit that fits, with the statements' names. They may still be refused. */
void sq_grid_unit_script(const sq_grid_unit *u, sq_text *to);

/* Counts the launches of the unit at the sizes of its shapes: returns their number, 0 if nothing is
 * known, -1 if the parameters exceed the device's limits. */
int sq_grid_unit_count(const sq_grid_unit *u, const sq_device *d, sq_launch *to);
/* Returns the model's seconds; INFINITY if the parameters are inconsistent or exceed the device's
 * limits. */
double sq_grid_unit_cost(const sq_grid_unit *u, const sq_device *d);
#endif
