/* Shape: one group of a kernel in numbers, at given sizes: extents of its dimensions, the strides
 * of each operand, and the role of each dimension. All that sketch (which choices exist) and draft
 * (what they cost) need; no sets, no text.
 *
 * Roles, by the operands that a dimension moves (an operand is an array read by the body, or by the
 * value when there is no reduction):
 *     batch   all of them: there is no reuse along it
 *     column  only those that move along the vector dimension
 *     row     only the others: a loaded column operand is reused for each row
 *     sum     a reduction dimension
 *
 * gemm: i row, j column, k sum. conv: f row, y and x column, c, r, s sum; depthwise: c batch. */
#ifndef SQ_TUNER_SPACE_SHAPE_H
#define SQ_TUNER_SPACE_SHAPE_H
#include "codegen/isa/vector.h"
#include "codegen/nest/ref.h"
#include "ir/schedule/schedule.h"

enum { SQ_MAX_OPERANDS = 12 };

typedef enum sq_dim_role { SQ_DIM_BATCH, SQ_DIM_COLUMN, SQ_DIM_ROW, SQ_DIM_SUM } sq_dim_role;

typedef struct sq_operand {
    const sq_array *array;
    int bytes; /* of an element */
    int nsubs;
    int64_t coef[SQ_MAX_SUBS][SQ_MAX_DIMS];
    int64_t window[SQ_MAX_SUBS]; /* range of the constants of its references */
    int64_t extent[SQ_MAX_SUBS], stride[SQ_MAX_SUBS]; /* of the array, at these sizes */
    int nrefs;                                        /* distinct references */
    /* rows among them: references that differ before the last subscript; a star stencil has fewer
     * than its bounding box */
    int nrows;
    /* For each stride of lanes between which its references read all elements: how often they load as
     * many vectors for all (codegen/isa/strided.c); else 0. */
    int windows[SQ_STRIDE_MOST + 1];
    bool padded;  /* reads outside of it are legal: only a copy allows full tiles at the border */
    bool clamped; /* by clampedge: a copy cannot hold the values; or copies are not possible */
    bool read, written;
    bool in_body;
    bool affine;
    bool converts; /* elements become f32 when they are read or copied */
    bool stays;    /* a matrix of which the next iteration of the loop around touches the same elements */
} sq_operand;

typedef struct sq_shape {
    const sq_group *group;
    int ndim, nfree;
    int64_t extent[SQ_MAX_DIMS];
    double times; /* how often the loops around run it; 1: there are none */
    double again; /* how often the innermost one of them does */
    bool single[SQ_MAX_DIMS]; /* a tile has one point along it: several would break a dependence (set by the caller) */
    bool known[SQ_MAX_DIMS]; /* the extent is a constant of the kernel, not only at these sizes */
    bool guessed;            /* unknown extents are guesses: no likely sizes are given */
    bool of_loops;           /* the kernel is described by C loops */
    bool rectangular[SQ_MAX_DIMS]; /* its range does not depend on other dimensions */
    int noperands;
    sq_operand operand[SQ_MAX_OPERANDS];
    int bytes;     /* size of the widest type of values */
    bool tileable; /* all accesses are affine */
    double flops;  /* per point of all dimensions */
    double
        step_flops; /* the same without what is computed once from finished sums */
    double step_decisions; /* in addition: comparisons, and indices used as values */
    double index_work[SQ_MAX_DIMS]; /* of both, what an index alone decides: numbers in a tile of all its values */
} sq_shape;

/* sizes: in the order of the kernel's size[]; fixed ones are ignored. */
void sq_shape_of(const sq_kernel *k, const sq_group *g, const int64_t *sizes, sq_arena *arena,
                 sq_shape *shape);
/* Sets the extents to those in the middle of the loops around, and those of a triangle to those in the middle of its
 * outer dimensions. sq_shape_of does so for statements inside of loops. */
void sq_shape_settle(const sq_kernel *k, const int64_t *sizes, sq_shape *shape);
/* Returns the stride along dim in elements. */
int64_t sq_operand_step(const sq_operand *o, int dim);
bool sq_operand_moves(const sq_operand *o, int dim);
/* True if loop d restarts the statement's sums: the written element does not depend on it. */
bool sq_shape_repeats(const sq_shape *s, int d);
/* Returns the role of dimension d if `vector` is the vector dimension. */
sq_dim_role sq_shape_role(const sq_shape *s, int d, int vector);
/* Returns likely sizes of a kernel: its first `#pragma squall tune` row, else 512, or the nearest that it takes. */
void sq_nominal_sizes(const sq_kernel *k, int64_t *sizes);
#endif
