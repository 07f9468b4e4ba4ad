/* Ansor's features (Zheng et al., OSDI 2020): the statement of a plan in numbers, from which a learned model tells how
 * fast it is. Ansor reads them off its lowered program. Here they are read off the plan, which takes
 * microseconds; the code of a plan takes a thousand times as long, and a search asks for tens of thousands. */
#ifndef SQ_TUNER_MODEL_ANSOR_FEATURES_H
#define SQ_TUNER_MODEL_ANSOR_FEATURES_H
#include "tuner/space/sketch.h"

/* Where the groups of numbers begin in a row. */
enum {
    SQ_ANSOR_OPERATIONS = 0,   /* 16: of floats, of integers, conditions, choices */
    SQ_ANSOR_VECTORS = 16,     /* 11 of vectorized loops, then of unrolled and of parallel ones */
    SQ_ANSOR_UNROLLED = 27,
    SQ_ANSOR_THREADS = 38,
    SQ_ANSOR_GRID = 49,        /* 8, all 0: plans are of processors */
    SQ_ANSOR_BUFFERS = 57,     /* 18 each of 5 */
    SQ_ANSOR_INTENSITY = 147,  /* 10: the curve of operations by bytes */
    SQ_ANSOR_ALLOCATION = 157, /* 4 */
    SQ_ANSOR_NEST = 161        /* 3 */
};

/* The plan's statement. Copies of packed operands are no statements of their own: what they cost depends on what reads
 * them, and a sum of scores cannot say that. */
void sq_ansor_features(const sq_plan *q, float row[SQ_FEATURES]);
#endif
