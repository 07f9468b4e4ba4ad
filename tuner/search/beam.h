/* Beam: search over partial points, as Halide's autoscheduler (Adams et al., SIGGRAPH 2019) over partial schedules.
 * Coordinates are chosen one after the other, coarse ones first: structure, threads, sizes, unrolling. A partial point
 * is scored as the point that it becomes when all that is undecided stays as in a whole one; the best ones, as many as
 * the beam is wide, are continued.
 *
 * This is done in passes, from coarse to fine. A partial point has a coarse hash: structure and threads, and in which
 * part of its range each size is, of 1 part in the first pass, of 2, 4 ... in the following ones. In a beam the second
 * point of a hash counts as half as good, the third as a third. A pass keeps to partial points of hashes that good
 * final ones of the pass before went through, and its whole point is the best of these. */
#ifndef SQ_TUNER_SEARCH_BEAM_H
#define SQ_TUNER_SEARCH_BEAM_H
#include "tuner/search/evolution.h"

enum { SQ_BEAM_PASSES = 5, SQ_BEAM_WIDEST = 32 };

typedef struct sq_beam {
    sq_search_base *base;
    int width;       /* 1: greedy; SQ_BEAM_WIDEST at most */
    int passes;      /* SQ_BEAM_PASSES at most */
    double survives; /* the share of decisions that chance leaves to choose from; 1: all */
    /* Scores are more than 0. */
    void (*score)(void *user, sq_scored_point *of, int n);
    /* False if the point is of no use. */
    bool (*accepts)(void *user, const int *point);
    void *user;
} sq_beam;

/* The final beams of each pass, the best first. */
typedef struct sq_beam_finals {
    int n[SQ_BEAM_PASSES]; /* 0: the whole point is of no use */
    sq_scored_point of[SQ_BEAM_PASSES][SQ_BEAM_WIDEST];
} sq_beam_finals;

/* Searches from a whole point on. What it scored joins the shortlist, if there is one: the best that were not asked
 * for and are not in `considered`. */
void sq_beam_search(const sq_beam *b, const int *from, sq_beam_finals *finals, sq_shortlist *best,
                    sq_seen *considered);
#endif
