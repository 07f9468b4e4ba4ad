/* Network: which of several kernels to search next, so that the sum of their times, each as often as it runs, falls
 * fastest. The gradient scheduler of Zheng et al., "Ansor: Generating High-Performance Tensor Programs for Deep
 * Learning", OSDI 2020, section 6, with two changes: the hopeful forecast ends at what the machine allows, and the hope
 * to catch up with other sizes of the same kernel fades while nothing is gained (in the paper it stays, and such a
 * kernel would get all turns). */
#ifndef SQ_TUNER_NETWORK_H
#define SQ_TUNER_NETWORK_H
#include <stdbool.h>

enum { SQ_NETWORK_WINDOW = 3 };

typedef struct sq_network_layer {
    double weight;  /* how often it runs */
    double bound;   /* seconds that it takes at least, by the machine's limits; 0: unknown */
    double seconds; /* the best so far; 0: nothing is known */
    int kind;       /* layers of one kind are one kernel at other sizes */
    bool ended;     /* there is nothing left to search */
    int turns;      /* that it had */
    int barren;     /* those since the last that gained anything */
    double earlier[SQ_NETWORK_WINDOW]; /* `seconds` one, two, … turns ago; 0: there were fewer */
} sq_network_layer;

/* Notes what a turn came to. */
void sq_network_turn(sq_network_layer *l, double seconds, bool ended);
/* Seconds that the network's sum may lose in the next turn of layer i. */
double sq_network_gradient(const sq_network_layer *l, int n, int i);
/* The layer whose turn it is: one that had none, or some without any result; else the one with the steepest gradient.
 * -1: all have ended. */
int sq_network_next(const sq_network_layer *l, int n);
#endif
