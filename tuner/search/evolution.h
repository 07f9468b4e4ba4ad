/* Evolution: shared by searches that plan in rounds. A population of points is scored and bred for some generations; a
 * round consists of the best points of all generations that have not been requested yet. */
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
    int *rank;        /* indices of the best one, the second best ... */
} sq_shortlist;

sq_shortlist sq_shortlist_new(int room);
/* Inserts the points that are good enough and neither in `asked` nor in `considered`, and adds all of them to
 * `considered`. */
void sq_shortlist_keep(sq_shortlist *l, const sq_scored_point *of, int n, const sq_seen *asked, sq_seen *considered);
/* Returns the i-th best point. */
const int *sq_shortlist_point(const sq_shortlist *l, int i);
void sq_shortlist_free(sq_shortlist *l);

typedef struct sq_evolution {
    sq_search_base *base;
    int population;  /* of all generations except the first */
    int generations; /* after the first */
    double mutated;  /* share of children that are not copies of their parents */
    int tries;       /* attempts at a legal child before it becomes a copy */
    void (*score)(void *user, sq_scored_point *of, int n);
    /* Changes a point into another; false if the result is rejected. */
    bool (*mutate)(void *user, int *point);
    void *user;
} sq_evolution;

/* Evolves n candidates, and replaces the shortlist. `now` has room for the population as well. */
void sq_evolve(const sq_evolution *e, sq_scored_point *now, int n, sq_shortlist *best);
#endif
