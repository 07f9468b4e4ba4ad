/* Evolution: what searches that plan in rounds share. A population of points is scored, and bred for some generations;
 * the best points of all generations that were not asked for yet are the round's. */
#ifndef SQ_TUNER_SEARCH_EVOLUTION_H
#define SQ_TUNER_SEARCH_EVOLUTION_H
#include "tuner/search/base.h"

typedef struct sq_scored_point {
    int point[SQ_MAX_COORDS];
    float score; /* more is better */
} sq_scored_point;

/* The best of many candidates. */
typedef struct sq_shortlist {
    int n, room;
    sq_scored_point *at; /* in any order */
    int *rank;        /* where the best one is, the second best ... */
} sq_shortlist;

sq_shortlist sq_shortlist_new(int room);
/* Puts those among the best that are better than these, were not asked for and are not in `considered`; which they
 * join, so that what is there is on the list, or was not good enough. */
void sq_shortlist_keep(sq_shortlist *l, const sq_scored_point *of, int n, const sq_seen *asked, sq_seen *considered);
/* The point of the i-th best. */
const int *sq_shortlist_point(const sq_shortlist *l, int i);
void sq_shortlist_free(sq_shortlist *l);

typedef struct sq_evolution {
    sq_search_base *base;
    int population;  /* of every generation but the first */
    int generations; /* after the first */
    double mutated;  /* the share of children that are not copies of their parents */
    int tries;       /* for a child that is legal, before it is a copy */
    void (*score)(void *user, sq_scored_point *of, int n);
    /* Changes a point into another; false if that is of no use. */
    bool (*mutate)(void *user, int *point);
    void *user;
} sq_evolution;

/* Evolves n candidates, and empties and fills the shortlist. `now` has room for the population as well. */
void sq_evolve(const sq_evolution *e, sq_scored_point *now, int n, sq_shortlist *best);
#endif
