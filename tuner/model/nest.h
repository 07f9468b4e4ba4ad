/* Nest: the statement of a plan with its loops and what it touches in them, in numbers: what the features of learned
 * models are computed from. */
#ifndef SQ_TUNER_MODEL_NEST_H
#define SQ_TUNER_MODEL_NEST_H
#include "tuner/space/sketch.h"

enum { SQ_NEST_LOOPS = SQ_MAX_LOOPS + SQ_MAX_DIMS + 4 };

typedef enum sq_nest_way { SQ_NEST_SERIAL, SQ_NEST_VECTORIZED, SQ_NEST_UNROLLED, SQ_NEST_PARALLEL } sq_nest_way;

typedef struct sq_nest_loop {
    int dim;
    double trips;
    sq_nest_way way;
} sq_nest_loop;

typedef struct sq_nest_access {
    const sq_operand *operand;
    bool is_read, is_written;
    sq_packing packing; /* of what is touched: the array, or its copy */
    double bytes;       /* touched by all of the nest, each time counted */
} sq_nest_access;

/* Loops from outer to inner. */
typedef struct sq_plan_nest {
    const sq_plan *plan;
    int n;
    sq_nest_loop loop[SQ_NEST_LOOPS];
    int block;  /* the first loop inside of all blocks */
    int serial; /* the first loop inside of those of the plan: of a sum, then of the register tile */
    int naccesses;
    sq_nest_access access[SQ_MAX_OPERANDS];
    double flops;                                   /* of one iteration */
    double inside[SQ_NEST_LOOPS + 1];               /* iterations of the loops from here on */
    double touched[SQ_NEST_LOOPS + 1];              /* bytes of all accesses in them */
    double covered[SQ_NEST_LOOPS + 1][SQ_MAX_DIMS]; /* points along each dimension */
} sq_plan_nest;

void sq_nest_of(const sq_plan *q, sq_plan_nest *x);
/* Elements along subscript a that a box of points touches; bytes along all of them. */
double sq_nest_along(const sq_plan_nest *x, const sq_operand *o, int a, const double *points);
double sq_nest_touched(const sq_plan_nest *x, const sq_operand *o, const double *points);
/* How often the copy of operand i is made; the points along each dimension that it covers then. */
double sq_nest_copied(const sq_plan *q, int i, double *points);
#endif
