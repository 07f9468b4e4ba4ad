/* Ranker: how fast a point is beside others, learned while a search runs. It keeps what the search is told, and reads a
 * point as the statements of its code: boosted trees score each of these, and the sum is the point's. Target is the
 * speed relative to the best, and squared errors count by it. Where nobody can tell the statements, it reads the
 * coordinates. The trees are those of Ansor and of MetaSchedule. */
#ifndef SQ_TUNER_SEARCH_RANKER_H
#define SQ_TUNER_SEARCH_RANKER_H
#include "tuner/search/evolution.h"

typedef struct sq_ranker sq_ranker;

/* If it does not learn, all scores are random. */
sq_ranker *sq_ranker_new(const sq_search_base *base, bool learns);
void sq_ranker_tell(sq_ranker *r, const sq_told *t);
/* Points that it was told. */
int sq_ranker_known(const sq_ranker *r);
/* Learns anew from all that it was told. */
void sq_ranker_learn(sq_ranker *r);
/* True if scores are not random. */
bool sq_ranker_is_led(const sq_ranker *r);
void sq_ranker_score(sq_ranker *r, sq_candidate *of, int n, sq_rng *rng);
/* Writes the fastest points that it was told, `most` at most, with a score of 0; their number. */
int sq_ranker_best(const sq_ranker *r, sq_candidate *to, int most);
/* True unless it is known that the point has no code. */
bool sq_ranker_has_code(sq_ranker *r, const int *point);
/* NULL is fine. Returns NULL. */
sq_ranker *sq_ranker_free(sq_ranker *r);
#endif
