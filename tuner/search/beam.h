/* Beam: searches over partial points, as Halide's autoscheduler (Adams et al., SIGGRAPH 2019) does over partial
 * schedules. Coordinates are chosen one after the other, coarse ones first: structure, threads, sizes, unrolling. A
 * partial point is scored with the coordinates that are not chosen yet taken from a complete point. The best ones, up
 * to the width of the beam, are continued.
 *
 * There are several passes, from coarse to fine. A partial point has a coarse hash of its structure, its threads, and
 * the part of its range in which each size lies; a range has 1 part in the first pass, then 2, 4 ... In a beam, the
 * score of the second point with a hash is divided by two, that of the third by three. A pass only visits hashes that
 * good final points of the previous pass went through, and takes the best of these points as its complete point. */
#ifndef SQ_TUNER_SEARCH_BEAM_H
#define SQ_TUNER_SEARCH_BEAM_H
#include "tuner/search/evolution.h"

enum { SQ_BEAM_PASSES = 5, SQ_BEAM_WIDEST = 32 };

typedef struct sq_beam {
    sq_search_base *base;
    int width;       /* at most SQ_BEAM_WIDEST; 1: greedy */
    int passes;      /* at most SQ_BEAM_PASSES */
    double survives; /* share of choices that random dropout keeps; 1: all */
    /* Computes scores, which are greater than 0. */
    void (*score)(void *user, sq_scored_point *of, int n);
    /* False if the point is rejected. */
    bool (*accepts)(void *user, const int *point);
    void *user;
} sq_beam;

/* The final beams of each pass, the best first. */
typedef struct sq_beam_finals {
    int n[SQ_BEAM_PASSES]; /* 0: the complete point is rejected */
    sq_scored_point of[SQ_BEAM_PASSES][SQ_BEAM_WIDEST];
} sq_beam_finals;

/* Searches from a complete point. Adds points that it scored to the shortlist, unless that is NULL: the best ones that
 * have not been requested and are not in `considered`. */
void sq_beam_search(const sq_beam *b, const int *from, sq_beam_finals *finals, sq_shortlist *best,
                    sq_seen *considered);
#endif
