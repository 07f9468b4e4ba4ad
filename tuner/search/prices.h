/* Prices: the cost model of Halide's autoscheduler (Adams et al., SIGGRAPH 2019), re-derived: a network says of each
 * statement how many times its nominal price each hand-written term costs (terms.h), never less than nothing; the sum
 * of terms times these is the statement's cost, the sum of statements the point's. One head of it reads the algorithm,
 * a histogram of operations, in 8 channels; the other one the schedule, in 24; a layer of 32 mixes them. Before it
 * learned, all prices are the nominal ones.
 *
 * It learns the speed of points beside the fastest, by the square of the error, by Adam. */
#ifndef SQ_TUNER_SEARCH_PRICES_H
#define SQ_TUNER_SEARCH_PRICES_H
#include <stddef.h>

typedef struct sq_prices sq_prices;

/* A row has SQ_FEATURES numbers of a statement, `ncoords` coordinates, which stand for a point whose statements are not
 * known, and the SQ_DRAFT_NUMBERS of a draft. */
sq_prices *sq_prices_new(int ncoords, unsigned long long seed);
/* Goes on from what it knows, and learns from n points: size[i] rows one after the other are the i-th, whose speed is
 * y[i], 1 for the fastest, 0 for what does not run. Some y is more than 0. */
void sq_prices_fit(sq_prices *m, const float *rows, const int *size, const float *y, size_t n);
/* Scores of n points, more than 0: what it takes for their speeds. */
void sq_prices_predict(const sq_prices *m, const float *rows, const int *size, size_t n, float *score);
/* NULL is fine. Returns NULL. */
sq_prices *sq_prices_free(sq_prices *m);
#endif
