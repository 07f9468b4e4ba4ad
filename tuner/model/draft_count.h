/* Draft, count: what a step of a plan's innermost loop does, from the plan's numbers alone, in a microsecond.
 * What the emitted code does is counted by codegen/counted.h, which needs it lowered first, a thousand times
 * as long: the model asks here, and unit.draft_count holds both against each other. */
#ifndef SQ_TUNER_MODEL_DRAFT_COUNT_H
#define SQ_TUNER_MODEL_DRAFT_COUNT_H
#include "tuner/space/sketch.h"

typedef struct sq_draft_count {
    double sums;       /* vectors that the tile adds up in, or computes where it adds nothing up */
    double terms;      /* of each sum, a step */
    double arithmetic; /* instructions, if all were a multiply-add: as few as there can be */
    /* What a step reads through each operand: vectors, or elements for all lanes. Different ones, and with
     * those that are read again. */
    double distinct[SQ_MAX_OPERANDS], reads[SQ_MAX_OPERANDS];
    double loads;           /* instructions for that: of vectors, of single elements, of lanes */
    bool shares;            /* the terms of a step load once what several of them read */
    double registers;       /* that hold vectors at once, in the order of the emitted code */
    double least_registers; /* in any order */
} sq_draft_count;

/* Of one step of the serial loop; of the whole tile where there is none. */
sq_draft_count sq_draft_counted(const sq_plan *q, const sq_target *t);
/* Elements between neighbouring lanes of operand i, as the plan packs it: 0 one element for all lanes, 1 a
 * vector. */
int64_t sq_draft_lane_step(const sq_plan *q, int i);
/* Returns the vectors that are loaded for each that is read through operand i, if lanes are channels
 * (codegen/isa/strided.c); 0 if not. */
double sq_draft_channel_loads(const sq_plan *q, int i, const sq_target *t);
#endif
