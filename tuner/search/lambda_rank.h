/* LambdaRank (Burges et al., NIPS 2006; the loss as Wang et al., CIKM 2018, write it): how badly scores order points
 * of known speeds. Each two points count by what their exchange would cost in the normalised discounted cumulative
 * gain. */
#ifndef SQ_TUNER_SEARCH_LAMBDA_RANK_H
#define SQ_TUNER_SEARCH_LAMBDA_RANK_H
#include <stddef.h>

/* y: 0 to 1, 1 for the fastest. Returns the loss, and writes its gradient by each score. */
double sq_lambda_rank(const float *score, const float *y, size_t n, float *gradient);
#endif
