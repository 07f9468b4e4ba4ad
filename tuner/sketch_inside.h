/* Sketch, inside: the choices of a kernel's groups, made by sketch_space.c and read by sketch.c. */
#ifndef SQ_TUNER_SKETCH_INSIDE_H
#define SQ_TUNER_SKETCH_INSIDE_H
#include "tuner/chain.h"

typedef enum choice {
    R_VECTOR,
    R_LANES,
    R_VECTORS,
    R_ROWS,
    R_ROWS2,
    R_TAPS,
    R_UNROLL,
    R_KC,
    R_NC,
    R_MC,
    R_YC,
    R_OUTER,
    R_INNER,
    R_PARALLEL,
    R_PACK,
    R_COUNT = R_PACK + SQ_MAX_OPERANDS
} choice;

typedef struct part {
    sq_shape shape;
    int coord[R_COUNT]; /* index in the space, -1: no choice */
    int candidate[4];   /* dimensions that may carry the vector */
    int ncandidates;
    int chain; /* of the sketch, -1 */
} part;

struct sq_sketch {
    const sq_schedule *naive;
    const sq_machine *machine;
    const sq_target *target;
    int threads, nparts;
    part *part;
    int nchains;
    sq_chain chain[SQ_MAX_CHAINS];
    int chain_rows[SQ_MAX_CHAINS]; /* coordinate: rows at a time, 0: apart; -1: no choice */
    sq_space space;
    sq_arena *arena;
};

long sq_sketch_lanes(const sq_sketch *s, const part *p);
/* Operands that the array is read through. */
int sq_sketch_walks(const sq_shape *h, const sq_array *a);
/* Can the operand be packed in panels for a tile whose vector and rows are these. */
bool sq_sketch_panels_fit(const sq_operand *o, int vector, int row);
#endif
