/* Grid unit: how a grid computes one group, or rows of several, with what may be chosen of it as
 * numbers. A unit and its numbers make a script; what that would take the model says.
 *
 *   tensor    products of f16, bf16 and bytes by matrix instructions: a block computes `lines` times
 *             `rows` x `columns` elements, a warp `row_points` x `column_points` of them
 *   product   the same by multiply-adds, a thread's points in its registers; operands come through
 *             memory that its threads share, `steps` of the sum at a time
 *   team      a block has a sum, its threads parts of it
 *   columns   a warp has neighbouring sums, other warps of the block further parts of them
 *   turned    an array that lies along another dimension than the output comes through memory that
 *             threads share, in tiles of `rows` of that dimension and `columns` of the output's
 *   vectors   threads lie along the dimension in which the output's elements are neighbours, each
 *             with a vector of them
 *   points    the same, an element each; short dimensions of its sum are unrolled
 *   loops     the same, but dimensions of the sum stay loops, in their order
 *   held      only one loop is shared, where the others carry dependences; a sum is held in
 *             registers
 *   least     the same, sums in memory
 *   rows      statements after each other that compute with the same rows: a block has a row
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

/* What may be chosen. */
typedef enum sq_grid_knob {
    SQ_KNOB_ROWS,
    SQ_KNOB_COLUMNS,
    SQ_KNOB_LINES, /* of a further dimension that one operand has, as images have lines of pixels */
    SQ_KNOB_STEPS,
    SQ_KNOB_ROW_POINTS,
    SQ_KNOB_COLUMN_POINTS,
    SQ_KNOB_STAGES, /* of copies on their way; 1: none is */
    SQ_KNOB_GROUP,  /* rows of tiles that blocks take together; 1: the order of loops */
    SQ_KNOB_THREADS,
    SQ_KNOB_WAY, /* a tree's: fused, the outer loop kept, in tiles; matrix instructions: a warp's, a warpgroup's */
    SQ_KNOBS
} sq_grid_knob;
const char *sq_grid_knob_name(sq_grid_knob k); /* "rows" */

enum { SQ_GRID_MOST_ROWS = 8, SQ_KNOB_VALUES = 8 };

typedef struct sq_grid_unit {
    sq_grid_kind kind;
    int n; /* groups: one, or those of rows */
    const sq_grid_shape *of[SQ_GRID_MOST_ROWS];
    const char *name; /* of its first statement */
    int nrows;        /* rows: free dimensions that all have */
    int dim;          /* held, least: the loop that is shared */
    long knob[SQ_KNOBS];
} sq_grid_unit;

/* Values of one knob in ascending order; their number, 0 where the unit has no such choice. */
int sq_grid_knob_values(const sq_grid_unit *u, sq_grid_knob k, long *to);
/* True if the unit's matrix instructions are those of a warpgroup. */
bool sq_grid_is_warpgroup(const sq_grid_unit *u);
/* Makes them those, with numbers of their own; false where the device has none for the product, or it is too small. */
bool sq_grid_take_warpgroups(sq_grid_unit *u);
/* The rule's numbers: what is good where nothing is known of sizes. */
void sq_grid_knob_defaults(sq_grid_unit *u);
/* True if the unit can be of its kind and its numbers fit together: no partial tiles or warps. */
bool sq_grid_unit_fits(const sq_grid_unit *u);
/* The calls of a unit that fits, with the statements' names. They may still be refused. */
void sq_grid_unit_script(const sq_grid_unit *u, sq_text *to);

/* The launches of the unit at the sizes of its shapes, counted: their number, 0 where nothing
 * is known, -1 where the numbers exceed the device. */
int sq_grid_unit_count(const sq_grid_unit *u, const sq_device *d, sq_launch *to);
/* Seconds by the model; INFINITY where the numbers do not fit together or the device. */
double sq_grid_unit_cost(const sq_grid_unit *u, const sq_device *d);
#endif
