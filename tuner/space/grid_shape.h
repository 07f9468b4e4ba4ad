/* Grid shape: what determines how a grid of blocks of threads computes a group: the roles of its
 * dimensions, and its numbers at given sizes. */
#ifndef SQ_TUNER_SPACE_GRID_SHAPE_H
#define SQ_TUNER_SPACE_GRID_SHAPE_H
#include "ir/dependence/tensor.h"
#include "tuner/space/shape.h"

/* Dimensions of a sum of products that matrix instructions compute without rounding its operands.
 */
typedef struct sq_grid_tensor {
    int rows, columns, steps;
    int lines; /* a further free dimension, along which windows slide over one operand; -1 */
    const sq_tensor_shape *shape; /* NULL: there is none */
    const sq_access *of[2];
} sq_grid_tensor;

typedef struct sq_grid_shape {
    const sq_group *g;
    sq_arena *arena;
    int column;   /* free dimension along which the output lies in memory */
    int lane;     /* free dimension of neighbouring threads: the column if it is long enough */
    int row;      /* another, that the operand with the column lacks; -1: no product */
    int lines;    /* a further one, along which windows slide over one operand; -1 */
    int serial;   /* reduction dimension that runs inside the tile; -1 */
    int team;     /* reduction dimension along which an operand lies in memory; -1 */
    int turned;   /* free dimension along which an operand lies that lacks the lane there; -1 */
    bool vectors; /* values of one floating type in registers, read where the arrays are */
    int lanes;    /* of such a vector; 1 where the target has none of them */
    int taps;     /* points of reductions that the tile unrolls */
    const sq_array *operand[2];
    sq_grid_tensor tensor;
    bool warpgroups; /* four warps may compute that together */
    sq_shape numbers;
} sq_grid_shape;

/* sizes: in the order of the kernel's size[]. */
void sq_grid_shape_of(const sq_kernel *k, const sq_group *g, const int64_t *sizes, sq_arena *a,
                      sq_grid_shape *h);
/* True if the group is a product: two operands, each with a dimension that the other lacks, and a
 * long sum. */
bool sq_grid_is_product(const sq_grid_shape *h);
/* True if it has no rows, and a long reduction along which operands are contiguous: neighbouring
 * threads then take neighbouring terms. False where an operand of that reduction is contiguous
 * along the output. */
bool sq_grid_has_team(const sq_grid_shape *h);
/* True if sums lie side by side as what they add does, and are too few to keep a device busy with a thread each. */
bool sq_grid_has_columns(const sq_grid_shape *h);
/* True if the tile unrolls reduction dimension d in full: its extent is known and small. */
bool sq_grid_unrolls(const sq_grid_shape *h, int d);
/* True if the access depends on the lane, but lies along the shape's turned dimension. */
bool sq_grid_is_turned(const sq_grid_shape *h, const sq_access *a);
/* True if the access depends on d. */
bool sq_grid_walks(const sq_access *a, int d);
/* True if the access's last subscript depends on d. */
bool sq_grid_lies_along(const sq_access *a, int d);
#endif
