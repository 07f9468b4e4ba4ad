/* Grid shape: the properties that determine how a grid of blocks of threads computes a group: the
 * roles of its dimensions, and its numbers at given sizes. */
#ifndef SQ_TUNER_SPACE_GRID_SHAPE_H
#define SQ_TUNER_SPACE_GRID_SHAPE_H
#include "ir/dependence/tensor.h"
#include "tuner/space/shape.h"

/* Dimensions of a sum of products for matrix instructions that do not round the operands. */
typedef struct sq_grid_tensor {
    int rows, columns, steps;
    int lines; /* a further free dimension, along which windows of one operand slide; -1 */
    const sq_tensor_shape *shape; /* NULL: the sum has no matrix instruction */
    const sq_access *of[2];
} sq_grid_tensor;

typedef struct sq_grid_shape {
    const sq_group *g;
    sq_arena *arena;
    int column;   /* free dimension along which the output is contiguous */
    int lane;     /* free dimension of adjacent threads: the column if it is long enough */
    int row;      /* another, on which the operand with the column does not depend; -1: no product */
    int lines;    /* a further one, along which windows of one operand slide; -1 */
    int serial;   /* reduction dimension that runs inside the tile; -1 */
    int team;     /* reduction dimension along which an operand is contiguous; -1 */
    int turned;   /* free dimension along which an operand that is strided along the lane is contiguous; -1 */
    bool vectors; /* all values have one floating type in registers, which is that of the arrays */
    int lanes;    /* lanes of such a vector; 1 if the target has none */
    int taps;     /* reduction points that the tile unrolls */
    const sq_array *operand[2];
    sq_grid_tensor tensor;
    bool warpgroups; /* four warps may run its instructions together */
    sq_shape numbers;
} sq_grid_shape;

/* sizes: in the order of the kernel's size[]. */
void sq_grid_shape_of(const sq_kernel *k, const sq_group *g, const int64_t *sizes, sq_arena *a,
                      sq_grid_shape *h);
/* True if the group is a product: two operands, each independent of a dimension of the other, and a
 * long sum. */
bool sq_grid_is_product(const sq_grid_shape *h);
/* True if it has no rows, and a long reduction along which operands are contiguous: then adjacent
 * threads take adjacent terms. False if an operand of that reduction is contiguous along the
 * output. */
bool sq_grid_has_team(const sq_grid_shape *h);
/* True if sums are contiguous along the same dimension as their terms, and too few to keep a device
 * busy with one thread each. */
bool sq_grid_has_columns(const sq_grid_shape *h);
/* True if the tile unrolls reduction dimension d completely: its extent is known and small. */
bool sq_grid_unrolls(const sq_grid_shape *h, int d);
/* True if the access depends on the lane, but is contiguous along the shape's turned dimension. */
bool sq_grid_is_turned(const sq_grid_shape *h, const sq_access *a);
/* True if the access depends on d. */
bool sq_grid_walks(const sq_access *a, int d);
/* True if the access's last subscript depends on d. */
bool sq_grid_lies_along(const sq_access *a, int d);
#endif
