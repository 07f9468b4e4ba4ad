/* Trees: regression trees by gradient boosting, learned from measured points while a search runs. The trees are
 * XGBoost's (Chen and Guestrin, KDD 2016), whose library is loaded when a search asks for it; depth and rates are the
 * search's. One thread, since another may be timing. */
#ifndef SQ_TUNER_SEARCH_TREES_H
#define SQ_TUNER_SEARCH_TREES_H
#include <stddef.h>

typedef struct sq_trees sq_trees;

typedef struct sq_trees_options {
    int depth;
    double eta, gamma, min_child_weight;
    int rounds;   /* trees, at most */
    int patience; /* of packs: it ends after this number of trees that made the error no smaller; 0: it does not */
} sq_trees_options;

/* NULL if the library is there, else what is missing and where it comes from. */
const char *sq_trees_lacks(void);
/* Returns a model of points with this number of features; NULL without the library. */
sq_trees *sq_trees_new(int nfeatures, const sq_trees_options *o);
/* Forgets what it knew and learns from n rows of features, y[i] for the i-th. 0, or -1 if the library fails. */
int sq_trees_fit(sq_trees *b, const float *rows, const float *y, size_t n);
/* The rows of n packs of rows, of which the i-th has size[i]. */
size_t sq_packs_rows(const int *size, size_t n);
/* The same of n packs of rows: size[i] rows one after the other add up to y[i], or where there are offsets to what
 * y[i] is more than offset[i]. The square of a pack's error counts y[i] times: those that matter are learned first,
 * those of 0 not at all. */
int sq_trees_fit_packs(sq_trees *b, const float *rows, const int *size, const float *y, const float *offset, size_t n);
/* The error of packs, as a fit counts it, by trees that learned from the other half of them: what offsets are worth.
 * Forgets what it knew. INFINITY if the library fails. */
double sq_trees_left_out(sq_trees *b, const float *rows, const int *size, const float *y, const float *offset,
                         size_t n);
/* y of n rows, after a fit. 0, or -1 if the library fails. */
int sq_trees_predict(sq_trees *b, const float *rows, size_t n, float *y);
/* That of n packs of rows: their sums. */
int sq_trees_predict_packs(sq_trees *b, const float *rows, const int *size, size_t n, float *y);
/* What was learned as the library writes it, n bytes of JSON, valid until the next fit; NULL without a fit, and where
 * the library cannot say (before 1.6). Features in it are numbers of these columns, which are features of the rows. */
const char *sq_trees_text(const sq_trees *b, size_t *n, const int **column, int *ncolumns);
/* NULL is fine. Returns NULL. */
sq_trees *sq_trees_free(sq_trees *b);
#endif
