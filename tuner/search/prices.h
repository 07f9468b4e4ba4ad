/* Prices: the cost model of Halide's autoscheduler (Adams et al., SIGGRAPH 2019), re-derived. For each statement a
 * network predicts nonnegative factors for the nominal prices of the hand-written terms (terms.h). The cost of a
 * statement is the sum of its terms times these, that of a point the sum over its statements. One head of the network
 * reads the algorithm, a histogram of operations, in 8 channels; the other reads the schedule, in 24; a layer of 32
 * combines them. Before learning, all prices are nominal.
 *
 * It learns the speed of points relative to the fastest, with squared errors and Adam. */
#ifndef SQ_TUNER_SEARCH_PRICES_H
#define SQ_TUNER_SEARCH_PRICES_H
#include <stddef.h>

typedef struct sq_prices sq_prices;

/* A row has SQ_FEATURES numbers of a statement, `ncoords` coordinates, which stand for a point whose statements are not
 * known, and the SQ_DRAFT_NUMBERS of a draft. */
sq_prices *sq_prices_new(int ncoords, unsigned long long seed);
/* Continues learning, from n points. size[i] consecutive rows are the i-th point, whose speed is y[i]: 1 for the
 * fastest, 0 for a point that does not run. At least one y is greater than 0. */
void sq_prices_fit(sq_prices *m, const float *rows, const int *size, const float *y, size_t n);
/* Predicts the speeds of n points, which are greater than 0. */
void sq_prices_predict(const sq_prices *m, const float *rows, const int *size, size_t n, float *score);
/* Accepts NULL. Returns NULL. */
sq_prices *sq_prices_free(sq_prices *m);
#endif
