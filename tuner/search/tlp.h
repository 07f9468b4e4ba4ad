/* TLP (Zhai et al., ASPLOS 2023): a network that ranks points by their scripts alone (steps.h). Each step is read by
 * four dense layers; an attention among the steps, two residual layers and three dense ones make a score of it, and
 * these are added up. It learns by LambdaRank, as PaCM does (pacm.h). */
#ifndef SQ_TUNER_SEARCH_TLP_H
#define SQ_TUNER_SEARCH_TLP_H
#include <stddef.h>

typedef struct sq_tlp sq_tlp;

sq_tlp *sq_tlp_new(unsigned long long seed);
/* Forgets what it knew and learns from n points: size[i] rows of SQ_STEP_NUMBERS one after the other are the steps of
 * the i-th, whose speed is y[i], 1 for the fastest. Points are compared within a group; group: of each, from 0 without
 * gaps, NULL: all are of one. */
void sq_tlp_fit(sq_tlp *m, const float *rows, const int *size, const float *y, const int *group, size_t n);
/* Scores of n points, after a fit; of importance is only which is higher. Steps behind those of the longest script
 * that was learned from are not read. */
void sq_tlp_predict(sq_tlp *m, const float *rows, const int *size, size_t n, float *score);
/* NULL is fine. Returns NULL. */
sq_tlp *sq_tlp_free(sq_tlp *m);
#endif
