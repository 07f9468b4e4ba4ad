/* Chain: consecutive groups that may share loops over their common dimensions, such as the rows of
 * softmax or attention, so that what one leaves in the cache is reused by the next. Legal chains
 * are found by the checked `fuse(… at …)`, or known from online(); the number of rows at a time is
 * a coordinate of the sketch. */
#ifndef SQ_TUNER_SPACE_CHAIN_H
#define SQ_TUNER_SPACE_CHAIN_H
#include "tuner/space/sketch.h"

enum { SQ_MAX_CHAINS = 16 };

struct sq_chain {
    const sq_schedule *naive;
    int first, n;                 /* range of groups of the schedule */
    int ndims;                    /* shared dimensions, outer first */
    const char *dim[SQ_MAX_DIMS]; /* their names, the same in all groups */
    int rows;                     /* the one that is tiled, which is the last; -1: none */
    bool in_threads;              /* the outermost loop is parallel */
    /* the groups share loops already, as made by online(): over rows, the last of which is tiled,
     * and then over tiles, which run in sequence */
    bool given;
};

/* Finds the chains of a schedule for this number of threads; at most SQ_MAX_CHAINS, each of at
 * least two groups. Returns their number. */
int sq_chains_find(const sq_schedule *naive, int threads, sq_chain *chain);
/* Puts the shared loops first in a plan of one of the chain's groups, with `rows` of them at a
 * time, and sets q->chain, q->shared and (if the plan is pointless) q->useless. */
void sq_chain_plan(const sq_chain *c, int64_t rows, sq_plan *q);
/* True if, within one iteration of the shared loops, the operand of group g (of the schedule) is in the cache because
 * an earlier group used it, or if g writes what only needs to reach the cache: a later group reads it, and it is a
 * temporary or that or another one writes it again. */
bool sq_chain_keeps(const sq_chain *c, const sq_group *g, const sq_operand *o);
/* Appends "fuse(S0, S1 at i0) "; nothing if they share loops already. */
void sq_chain_script(const sq_chain *c, int64_t rows, sq_text *to);
#endif
