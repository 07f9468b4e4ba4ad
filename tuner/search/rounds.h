/* Rounds: what searches share that plan several points at once, on the results of all of the round before. A round has
 * the planned points, the best first, and as many by chance as its size leaves. */
#ifndef SQ_TUNER_SEARCH_ROUNDS_H
#define SQ_TUNER_SEARCH_ROUNDS_H
#include "tuner/search/evolution.h"
#include "tuner/search/ranker.h"

enum { SQ_ROUND_MOST = 64, SQ_ROUND_FIRST = 16 };

typedef struct sq_rounds {
    sq_search_base *base;
    sq_ranker *ranker;
    int size, greedy;         /* points of a round, SQ_ROUND_MOST at most; of these as planned */
    void (*plan)(sq_seek *s); /* fills `best`; s: the search, which begins with the base */
    sq_shortlist best;
    /* inside */
    int learned; /* points that the model has learned from */
    int taken;   /* of `best` */
    int before;  /* rounds that are over */
    bool is_planned;
    int n, ntold; /* points of this round so far */
    int point[SQ_ROUND_MOST][SQ_MAX_COORDS];
    bool is_told[SQ_ROUND_MOST];
} sq_rounds;

/* best: the room of the shortlist. The ranker is owned from here on. A size that is not 1 to SQ_ROUND_MOST ends the
 * process as a fault of the search. */
void sq_rounds_open(sq_rounds *r, sq_search_base *base, sq_ranker *ranker, int best);
void sq_rounds_close(sq_rounds *r);
/* As the `ask` and `tell` of a search. */
int sq_rounds_ask(sq_rounds *r, int *point);
void sq_rounds_tell(sq_rounds *r, const sq_told *t);
/* The search that these are the rounds of. */
sq_seek *sq_rounds_seek(const sq_rounds *r);
/* As the `score` and `mutate` of an evolution whose user is the rounds: the ranker's scores; Ansor's mutations
 * (mutate.h), false where the ranker does not accept one. */
void sq_rounds_score(void *rounds, sq_scored_point *of, int n);
bool sq_rounds_mutate(void *rounds, int *point);
/* Learns if at least `least` points are known, and `more` times as many as the model has learned from. A prior is to be
 * corrected soon: with one, the first two rounds have SQ_ROUND_FIRST points, each later one twice as many as that
 * before it, and the model learns from the first on. */
void sq_rounds_learn(sq_rounds *r, int least, double more);
/* As the `says` of a search. */
void sq_rounds_say(const sq_rounds *r, char *to, size_t n);
#endif
