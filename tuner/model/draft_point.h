/* Draft, point: what a plan costs is counted on, and the part of it that tiles without a loop have. */
#ifndef SQ_TUNER_MODEL_DRAFT_POINT_H
#define SQ_TUNER_MODEL_DRAFT_POINT_H
#include "tuner/model/draft.h"
#include "tuner/model/draft_count.h"

typedef struct sq_costing {
    const sq_plan *q;
    const sq_shape *h;
    const sq_machine *m;
    const sq_target *t;
    sq_draft_count count;     /* of a step */
    double copied_row[SQ_MAX_OPERANDS]; /* of each copy in the array's order, elements of a row; else 0 */
    int64_t len[SQ_MAX_DIMS]; /* points covered along each dimension inside the loop looked at */
} sq_costing;

bool sq_draft_reduces(const sq_shape *h);
bool sq_draft_is_packed(const sq_costing *c, int i);
/* True if rows of operand i are read where they lie. */
bool sq_draft_in_rows(const sq_costing *c, int i);
/* False where rows are guesses: they need not be a power of two apart. Sums, which read rows again, are on the safe
 * side. */
bool sq_draft_knows_rows(const sq_costing *c);
/* Rows of an unpacked operand that a cache can hold: rows a power of two apart share few sets. */
double sq_draft_rows_that_fit(const sq_costing *c, const sq_operand *o, double cache);
/* Returns the products or distances of small integers that a lane takes in a step: codegen/tile/tile_pair.c. */
int sq_draft_terms(const sq_costing *c);
/* True if the tile has no loop and no sums: each point is computed and stored. */
bool sq_draft_is_point(const sq_costing *c);
/* Cycles that such a tile loses to its size: several rows are walked side by side, most of their vectors lie in two
 * lines, and each access has an address of its own. */
double sq_draft_beside(const sq_costing *c);
/* draft_lanes.c: cycles beyond a store for each vector that goes to operand i. */
double sq_draft_scattering(const sq_costing *c, int i);
/* True if vectors of all rows between two lanes are stored in turn where operand i is written. */
bool sq_draft_is_interleaved(const sq_costing *c, int i);
/* True if few reads of an element are no reason to copy it, and lanes are read off the array as they are off the copy,
 * or put together out of whole vectors, which costs less than copying them one by one. */
bool sq_draft_is_idle_copy(const sq_costing *c, int i);

/* draft_step.c: steps of the serial loop that are written out in one iteration. */
double sq_draft_written_steps(const sq_costing *c);
/* Cycles of one step (all there is, without a serial loop), and those that one sum takes in it: it waits for itself. */
double sq_draft_step_cycles(const sq_costing *c);
double sq_draft_chain_cycles(const sq_costing *c);

/* draft_load.c: load instructions that operand i costs in one step, in full-speed loads. */
double sq_draft_load_cost(const sq_costing *c, int i);
#endif
