/* Warm: the points that a run begins with because earlier runs of the store found them: of each kernel and sizes the
 * fastest that was right, or one nearly as fast where that is nothing new here. First come those of this kernel at
 * other sizes, the nearest first, then those of kernels whose spaces have the same sizes to choose. */
#ifndef SQ_TUNER_WARM_H
#define SQ_TUNER_WARM_H
#include "tuner/tune_record.h"

enum { SQ_WARM_MOST = 2 };

/* Writes at most SQ_WARM_MOST different points of the problem's space that its model does not rule out. Returns their
 * number; 0 without a store, -1 after adding an error. */
int sq_warm_points(sq_record *r, const sq_tune_problem *p, int to[SQ_WARM_MOST][SQ_MAX_COORDS], sq_diags *d);
#endif
