/* Ranker: predicts how fast a point is relative to others. It learns while a search runs, from the results that the
 * search is told. Its input are features of the statements of a point's code, or the point's coordinates if the code is
 * not known. There are four models: boosted trees as in Ansor and MetaSchedule, which sum a score per statement and
 * weight squared errors by the speed relative to the best; Pruner's network (pacm.h); TLP's, which reads scripts
 * (tlp.h); and Halide's, which learns prices of terms (prices.h). */
#ifndef SQ_TUNER_SEARCH_RANKER_H
#define SQ_TUNER_SEARCH_RANKER_H
#include "tuner/search/evolution.h"

typedef struct sq_ranker sq_ranker;

typedef enum sq_ranker_model {
    SQ_RANKER_CHANCE, /* learns nothing: all scores are random */
    SQ_RANKER_TREES,
    SQ_RANKER_GUIDED, /* trees of what the model's guess gets wrong, if there is a model */
    SQ_RANKER_PACM,
    SQ_RANKER_MLP,   /* TenSet's: PaCM without the flow of data */
    SQ_RANKER_MOA,   /* PaCM that begins with the weights of the options, which follow it by little */
    SQ_RANKER_TUNED, /* PaCM that begins with these weights, then goes on from its own */
    SQ_RANKER_TLP,   /* reads the scripts of points, not their statements */
    SQ_RANKER_PRICES /* also ranks before it has learned, if there are statements or drafts */
} sq_ranker_model;

sq_ranker *sq_ranker_new(sq_search_base *base, sq_ranker_model model);
void sq_ranker_tell(sq_ranker *r, const sq_told *t);
/* Returns the number of points that it was told. */
int sq_ranker_known(const sq_ranker *r);
/* Learns from all points that it was told. Trees and PaCM start anew, prices continue from their current state. Scores
 * remain random as long as no prior is useful and fewer than `enough` points are known. */
void sq_ranker_learn(sq_ranker *r, int enough);
/* True if it has a prior learned elsewhere, useful or not. */
bool sq_ranker_has_prior(const sq_ranker *r);
/* True if scores are not random. */
bool sq_ranker_is_led(const sq_ranker *r);
void sq_ranker_score(sq_ranker *r, sq_scored_point *of, int n, sq_rng *rng);
/* Writes the fastest points that it was told, at most `most`, with score 0. Returns their number. */
int sq_ranker_best(const sq_ranker *r, sq_scored_point *to, int most);
/* Returns the number of statements of a point and their features (see `features` of the options). *row is valid until
 * the next call of a function of the ranker. */
int sq_ranker_statements(sq_ranker *r, const int *point, float (**row)[SQ_STATEMENT]);
/* True if the point is legal, and not known to have no code. */
bool sq_ranker_accepts(sq_ranker *r, const int *point);
/* Draws distinct points that are accepted, at most `most`, in `most` attempts. Repeats this while there are fewer than
 * `least` and new ones are found. Returns their number. */
int sq_ranker_sample(sq_ranker *r, sq_scored_point *to, int most, int least);
/* The same with points from `draw`, in rounds of `tries` attempts. */
int sq_ranker_sample_by(sq_ranker *r, void (*draw)(sq_search_base *b, int *point), int tries, sq_scored_point *to,
                        int most, int least);
/* Accepts NULL. Returns NULL. */
sq_ranker *sq_ranker_free(sq_ranker *r);
#endif
