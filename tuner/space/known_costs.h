/* Known costs: what the model said of the plans of a sketch. Descents come back to the points they left: more than half
 * of what they ask of several statements has been asked before. */
#ifndef SQ_TUNER_SPACE_KNOWN_COSTS_H
#define SQ_TUNER_SPACE_KNOWN_COSTS_H
#include "support/arena.h"

typedef struct sq_known_costs sq_known_costs;

/* Owned by the arena. */
sq_known_costs *sq_known_costs_new(sq_arena *arena);
/* Returns where the cost for `n` numbers is kept, NAN if it is not known; valid until the next call. */
double *sq_known_cost(sq_known_costs *k, const int *key, int n);
/* Forgets all costs: what they depend on has changed. */
void sq_known_costs_clear(sq_known_costs *k);
#endif
