/* Chain: groups one after the other that may share loops over the dimensions they have in common,
 * as the rows of softmax or attention, so that what one leaves in the cache the next finds there.
 * Which groups may is tried by the checked `fuse(… at …)`, or known from online(); how many rows at
 * a time is a coordinate of the sketch. */
#ifndef SQ_TUNER_SPACE_CHAIN_H
#define SQ_TUNER_SPACE_CHAIN_H
#include "tuner/space/sketch.h"

enum { SQ_MAX_CHAINS = 16 };

struct sq_chain {
    const sq_schedule *naive;
    int first, n;                 /* groups of the schedule */
    int ndims;                    /* dimensions shared, outer first */
    const char *dim[SQ_MAX_DIMS]; /* their names, the same in all groups */
    int rows;                     /* which of them is tiled: the last one; -1: none */
    bool in_threads;              /* threads share the outermost */
    bool given; /* they share loops from the start, as online() leaves them: over rows, the last of
                   which is tiled, and then over tiles, which run one after the other */
};

/* The chains of a schedule for so many threads; at most SQ_MAX_CHAINS, each of two groups or more. Returns
 * their number. */
int sq_chains_find(const sq_schedule *naive, int threads, sq_arena *arena, sq_chain *chain);
/* Puts the shared loops first in a plan of one of the chain's groups, `rows` of them at a time, and
 * sets q->chain, q->shared and (where the plan makes no sense so) q->useless. */
void sq_chain_plan(const sq_chain *c, int64_t rows, sq_plan *q);
/* True if, within one iteration of the shared loops, the operand of group g (of the schedule) is in
 * the cache because an earlier group used it, or is read by a later group after g has written it.
 */
bool sq_chain_keeps(const sq_chain *c, const sq_group *g, const sq_operand *o);
/* "fuse(S0, S1 at i0) "; nothing where they share loops from the start. */
void sq_chain_script(const sq_chain *c, int64_t rows, sq_text *to);
#endif
