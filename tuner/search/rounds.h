/* Rounds: shared by searches that plan several points at once, based on all results of the previous round. A round has
 * planned points, the best first, and is filled up with random ones. */
#ifndef SQ_TUNER_SEARCH_ROUNDS_H
#define SQ_TUNER_SEARCH_ROUNDS_H
#include "tuner/search/evolution.h"
#include "tuner/search/ranker.h"

enum { SQ_ROUND_MOST = 64, SQ_ROUND_FIRST = 16 };

typedef struct sq_rounds {
    sq_search_base *base;
    sq_ranker *ranker;
    int size, greedy;         /* points of a round, at most SQ_ROUND_MOST, and how many of them are planned */
    void (*plan)(sq_seek *s); /* fills `best`; s: the search, which begins with the base */
    sq_shortlist best;
    /* private */
    int learned; /* points that the model has learned from */
    int taken;   /* of `best` */
    int before;  /* completed rounds */
    bool is_planned;
    int n, ntold; /* points of this round so far */
    int point[SQ_ROUND_MOST][SQ_MAX_COORDS];
    bool is_told[SQ_ROUND_MOST];
} sq_rounds;

/* best: the capacity of the shortlist. Takes the ranker. A size outside of 1 to SQ_ROUND_MOST is an internal error,
 * which ends the process. */
void sq_rounds_open(sq_rounds *r, sq_search_base *base, sq_ranker *ranker, int best);
void sq_rounds_close(sq_rounds *r);
/* The `ask` and `tell` of a search. */
int sq_rounds_ask(sq_rounds *r, int *point);
void sq_rounds_tell(sq_rounds *r, const sq_told *t);
/* Returns the search to which the rounds belong. */
sq_seek *sq_rounds_seek(const sq_rounds *r);
/* The `score` and `mutate` of an evolution whose user is the rounds: the ranker's scores, and Ansor's mutations
 * (mutate.h); false if the ranker rejects one. */
void sq_rounds_score(void *rounds, sq_scored_point *of, int n);
bool sq_rounds_mutate(void *rounds, int *point);
/* Learns if at least `least` points are known, and `more` times as many as the model has learned from. With a prior,
 * which needs early correction, the first two rounds have SQ_ROUND_FIRST points, each later one twice as many as the
 * one before, and the model learns after the first. */
void sq_rounds_learn(sq_rounds *r, int least, double more);
/* The `says` of a search. */
void sq_rounds_say(const sq_rounds *r, char *to, size_t n);
#endif
