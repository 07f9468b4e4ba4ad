/* Shape: one group of a kernel in numbers, at given sizes: extents of its dimensions, what each
 * operand's address does along each of them, and the part every dimension plays. All that sketch
 * (which choices are there) and draft (what would they cost) need; no sets, no text.
 *
 * Parts, by which operands a dimension moves (an operand is an array read by the body, or by the
 * value when there is no reduction):
 *     batch   all of them: nothing is reused along it
 *     column  only those that move along the vector dimension
 *     row     only those that do not: what a column operand loaded is used again for every row
 *     sum     a reduction dimension
 *
 * gemm: i row, j column, k sum. conv: f row, y and x column, c, r, s sum; depthwise: c batch. */
#ifndef SQ_TUNER_SPACE_SHAPE_H
#define SQ_TUNER_SPACE_SHAPE_H
#include "codegen/nest/ref.h"
#include "ir/schedule/schedule.h"

enum { SQ_MAX_OPERANDS = 12 };

typedef enum sq_part { SQ_PART_BATCH, SQ_PART_COLUMN, SQ_PART_ROW, SQ_PART_SUM } sq_part;

typedef struct sq_operand {
    const sq_array *array;
    int bytes; /* of an element */
    int nsubs;
    int64_t coef[SQ_MAX_SUBS][SQ_MAX_DIMS];
    int64_t window[SQ_MAX_SUBS]; /* spread of the constants of its references */
    int64_t extent[SQ_MAX_SUBS], stride[SQ_MAX_SUBS]; /* of the array, at these sizes */
    int nrefs;                                        /* distinct references */
    int nrows; /* rows among them: those that differ before the last subscript; a star has fewer than its box */
    bool padded;  /* reads outside are legal: only a copy has tiles at the border */
    bool clamped; /* by clampedge: no copy has what is there; or none may be made */
    bool read, written;
    bool in_body;
    bool affine;
    bool converts; /* elements become f32 as they are read; in a copy they are */
} sq_operand;

typedef struct sq_shape {
    const sq_group *group;
    int ndim, nfree;
    int64_t extent[SQ_MAX_DIMS];
    bool known[SQ_MAX_DIMS]; /* the extent is a constant of the kernel, not only at these sizes */
    bool guessed;            /* unknown extents are guesses: no likely sizes are given */
    bool rectangular[SQ_MAX_DIMS]; /* its range does not depend on other dimensions */
    int noperands;
    sq_operand operand[SQ_MAX_OPERANDS];
    int bytes;     /* of the widest type that values have */
    bool tileable; /* plainly affine */
    double flops;  /* per point of all dimensions */
    double
        step_flops; /* the same without what is computed from sums, once for all of their terms */
    double step_decisions; /* beside them: comparisons, and indices as values */
} sq_shape;

/* sizes: in the order of the kernel's size[]; fixed ones are ignored. */
void sq_shape_of(const sq_kernel *k, const sq_group *g, const int64_t *sizes, sq_arena *arena,
                 sq_shape *shape);
/* Flat elements between neighbours along dim. */
int64_t sq_operand_step(const sq_operand *o, int dim);
bool sq_operand_moves(const sq_operand *o, int dim);
/* True if loop d restarts the statement's sums: the element written does not depend on it. */
bool sq_shape_repeats(const sq_shape *s, int d);
/* The part dimension d plays when `vector` is the vector dimension. */
sq_part sq_shape_part(const sq_shape *s, int d, int vector);
/* Likely sizes of a kernel without given ones: its first `#pragma squall tune` row, else 512. */
void sq_nominal_sizes(const sq_kernel *k, int64_t *sizes);
#endif
