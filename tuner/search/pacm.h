/* PaCM, the pattern-aware cost model of Pruner (Qiao et al., ASPLOS 2025): a network that ranks points by the
 * statements of their code. Statements are read by two dense layers and added up; the steps of their flow of data by
 * two dense layers and an attention among the steps, and added up; a dense layer, a batch normalisation and two
 * residual ones make a score of both. It learns by LambdaRank: of each two points the faster one is to score higher,
 * and the more so the more the order of the two matters. Trained by Adam, 50 times over all points at most. */
#ifndef SQ_TUNER_SEARCH_PACM_H
#define SQ_TUNER_SEARCH_PACM_H
#include <stdbool.h>
#include <stddef.h>

typedef struct sq_pacm sq_pacm;

/* A row has `nfeatures` features of a statement, followed by its flow of data (SQ_FLOW_STEPS by SQ_FLOW_NUMBERS).
 * Where the flow is not read, rows have features alone, and what is left is the ranker of TenSet (Zheng et al., NeurIPS
 * Datasets 2021). */
sq_pacm *sq_pacm_new(int nfeatures, bool reads_flow, unsigned long long seed);
/* Forgets what it knew and learns from n points: size[i] rows one after the other are the i-th, whose speed is y[i], 1
 * for the fastest. */
void sq_pacm_fit(sq_pacm *m, const float *rows, const int *size, const float *y, size_t n);
/* Scores of n points, after a fit; of importance is only which is higher. */
void sq_pacm_predict(sq_pacm *m, const float *rows, const int *size, size_t n, float *score);
/* What a network has learned: its parameters, then what it knows of batches and of the largest features. Networks that
 * read the same have as many. */
typedef struct sq_weights {
    int nfeatures;
    bool reads_flow;
    int nparameters, n;
    float *value;
} sq_weights;
/* Of a network that knows nothing. */
sq_weights *sq_weights_new(int nfeatures, bool reads_flow);
sq_weights *sq_pacm_weights(sq_pacm *m);
sq_weights *sq_weights_copy(const sq_weights *w);
/* Moves parameters towards those of another by a share of the way, and takes the rest from it. */
void sq_weights_follow(sq_weights *w, const sq_weights *other, double share);
/* NULL is fine. Returns NULL. */
sq_weights *sq_weights_free(sq_weights *w);
/* Takes weights as its own; they are of what it reads. */
void sq_pacm_take(sq_pacm *m, const sq_weights *w);
/* Learns as sq_pacm_fit does, but goes on from what it knows. Points are compared within a group; group: of each, from
 * 0 without gaps, NULL: all are of one. */
void sq_pacm_go_on(sq_pacm *m, const float *rows, const int *size, const float *y, const int *group, size_t n);
/* NULL is fine. Returns NULL. */
sq_pacm *sq_pacm_free(sq_pacm *m);
#endif
