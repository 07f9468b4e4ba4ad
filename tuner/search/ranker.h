/* Ranker: how fast a point is beside others, learned while a search runs. It keeps what the search is told, and reads
 * a point as the statements of its code; where nobody can tell these, as its coordinates. Three models: boosted trees,
 * those of Ansor and of MetaSchedule, which score each statement, add these up, and whose squared errors of the speed
 * relative to the best count by it; Pruner's network (pacm.h); and Halide's, which prices terms (prices.h). */
#ifndef SQ_TUNER_SEARCH_RANKER_H
#define SQ_TUNER_SEARCH_RANKER_H
#include "tuner/search/evolution.h"

typedef struct sq_ranker sq_ranker;

typedef enum sq_ranker_model {
    SQ_RANKER_CHANCE, /* learns nothing: all scores are random */
    SQ_RANKER_TREES,
    SQ_RANKER_PACM,
    SQ_RANKER_MLP, /* TenSet's: PaCM without the flow of data */
    SQ_RANKER_PRICES /* ranks before it learned, too, where there are statements or guesses of the model */
} sq_ranker_model;

sq_ranker *sq_ranker_new(sq_search_base *base, sq_ranker_model model);
void sq_ranker_tell(sq_ranker *r, const sq_told *t);
/* Points that it was told. */
int sq_ranker_known(const sq_ranker *r);
/* Learns from all that it was told: anew, but prices go on from what they are. Where no prior is of use and fewer
 * points than `enough` are known, scores are random none the less. */
void sq_ranker_learn(sq_ranker *r, int enough);
/* True if it has a prior, whatever that turned out to be worth. */
bool sq_ranker_has_prior(const sq_ranker *r);
/* True if scores are not random. */
bool sq_ranker_is_led(const sq_ranker *r);
void sq_ranker_score(sq_ranker *r, sq_scored_point *of, int n, sq_rng *rng);
/* Writes the fastest points that it was told, `most` at most, with a score of 0; their number. */
int sq_ranker_best(const sq_ranker *r, sq_scored_point *to, int most);
/* The statements of a point, as `features` of the options describes them; *row is valid until the next call of any
 * function of the ranker. */
int sq_ranker_statements(sq_ranker *r, const int *point, float (**row)[SQ_STATEMENT]);
/* True unless it is known that the point has no code. */
bool sq_ranker_has_code(sq_ranker *r, const int *point);
/* True if the point is legal as well. */
bool sq_ranker_accepts(sq_ranker *r, const int *point);
/* Draws points that are accepted, each once, `most` at most; it tries so often, and as often again as long as there are
 * fewer than `least` and new ones are found. Their number. */
int sq_ranker_sample(sq_ranker *r, sq_scored_point *to, int most, int least);
/* The same of points that `draw` draws, `tries` of them at a time. */
int sq_ranker_sample_by(sq_ranker *r, void (*draw)(sq_search_base *b, int *point), int tries, sq_scored_point *to,
                        int most, int least);
/* NULL is fine. Returns NULL. */
sq_ranker *sq_ranker_free(sq_ranker *r);
#endif
