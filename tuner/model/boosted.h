/* Boosted: regression trees by gradient boosting, learned from measured points while a search runs. The trees are
 * XGBoost's (Chen and Guestrin, KDD 2016), whose library is loaded when a search asks for it; the parameters are those
 * of AutoTVM. One thread, since another may be timing. */
#ifndef SQ_TUNER_MODEL_BOOSTED_H
#define SQ_TUNER_MODEL_BOOSTED_H
#include <stddef.h>

typedef struct sq_boosted sq_boosted;

/* NULL if the library is there, else what is missing and where it comes from. */
const char *sq_boosted_lacks(void);
/* A model of points with so many features; NULL without the library. */
sq_boosted *sq_boosted_new(int nfeatures);
/* Forgets what it knew and learns from n rows of features, y[i] for the i-th. 0, or -1 if the library fails. */
int sq_boosted_fit(sq_boosted *b, const float *rows, const float *y, size_t n);
/* y of n rows, after a fit. 0, or -1 if the library fails. */
int sq_boosted_predict(sq_boosted *b, const float *rows, size_t n, float *y);
/* NULL is fine. Returns NULL. */
sq_boosted *sq_boosted_free(sq_boosted *b);
#endif
