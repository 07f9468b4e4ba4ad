/* Network: selects the kernel to search next such that the sum of their times, weighted by how often each runs, falls
 * fastest. This is the gradient scheduler of Zheng et al., "Ansor: Generating High-Performance Tensor Programs for
 * Deep Learning", OSDI 2020, section 6, with two changes: the optimistic forecast is bounded by the machine's limits,
 * and the expectation to catch up with other sizes of the same kernel decays while nothing is gained. In the paper it
 * remains, and such a kernel would get all turns. */
#ifndef SQ_TUNER_NETWORK_H
#define SQ_TUNER_NETWORK_H
#include <stdbool.h>

enum { SQ_NETWORK_WINDOW = 3 };

typedef struct sq_network_layer {
    double weight;  /* how often it runs */
    double bound;   /* lower bound of its seconds by the machine's limits; 0: unknown */
    double seconds; /* the best so far; 0: unknown */
    int kind;       /* layers of one kind are the same kernel at other sizes */
    bool ended;     /* nothing is left to search */
    int turns;      /* number of turns so far */
    int barren;     /* turns since the last gain */
    double earlier[SQ_NETWORK_WINDOW]; /* `seconds` one, two, … turns ago; 0: there were fewer */
} sq_network_layer;

/* Records the result of a turn. */
void sq_network_turn(sq_network_layer *l, double seconds, bool ended);
/* Returns the expected gain in seconds of the network's sum by the next turn of layer i. */
double sq_network_gradient(const sq_network_layer *l, int n, int i);
/* Returns the layer whose turn is next: one without a turn, or without a result after several; otherwise the one with
 * the steepest gradient. -1 if all have ended. */
int sq_network_next(const sq_network_layer *l, int n);
#endif
