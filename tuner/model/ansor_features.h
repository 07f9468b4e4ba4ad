/* Ansor's features (Zheng et al., OSDI 2020): the statement of a plan in numbers, from which a learned model tells how
 * fast it is. Ansor reads them off its lowered program. Here they are read off the plan, which takes
 * microseconds; the code of a plan takes a thousand times as long, and a search asks for tens of thousands. */
#ifndef SQ_TUNER_MODEL_ANSOR_FEATURES_H
#define SQ_TUNER_MODEL_ANSOR_FEATURES_H
#include "tuner/model/nest.h"

/* Where the groups of numbers begin in a row. */
enum {
    SQ_ANSOR_OPERATIONS = 0,   /* 16: of floats, of integers, conditions, choices */
    SQ_ANSOR_VECTORS = 16,     /* 11 of vectorized loops, then of unrolled and of parallel ones */
    SQ_ANSOR_UNROLLED = 27,
    SQ_ANSOR_THREADS = 38,
    SQ_ANSOR_GRID = 49,        /* 8, all 0 of a processor: grid_features.h */
    SQ_ANSOR_BUFFERS = 57,     /* 18 each of 5 */
    SQ_ANSOR_INTENSITY = 147,  /* 10: the curve of operations by bytes */
    SQ_ANSOR_ALLOCATION = 157, /* 4 */
    SQ_ANSOR_NEST = 161,       /* 3 */
    SQ_ANSOR_BUFFER = 18       /* of a buffer */
};

/* The statement of a nest in SQ_FEATURES numbers; those that are 0 are not written. Copies of packed operands are no
 * statements of their own: what they cost depends on what reads them, and a sum of scores cannot say that. */
void sq_ansor_features(const sq_plan_nest *x, float *row);
/* An access of it, in SQ_ANSOR_BUFFER numbers; those that are 0 are not written. */
void sq_ansor_buffer(const sq_plan_nest *x, const sq_nest_access *a, float *to);
/* A magnitude as learned models read it: the logarithm of 1 + v, with the sign of v. */
float sq_ansor_magnitude(double v);
#endif
