/* Thin: reduces a problem's space until all of its points can be tried. Each coordinate keeps the start's value and
 * some others across its range. */
#ifndef SQ_TUNER_THIN_H
#define SQ_TUNER_THIN_H
#include "tuner/tune.h"

/* Returns a problem with at most `most` points, in the arena; the whole problem must outlive it. While there are more
 * points, the coordinate with the most values loses one, the last coordinate if several have as many. It is the value
 * whose neighbours are nearest to each other in the whole list; never the start's, and the least and the largest only
 * if no other is left. A coordinate that matters only under a removed value keeps the start's value alone. Seeds of
 * the whole problem are dropped. */
sq_tune_problem *sq_thin_new(const sq_tune_problem *whole, int most, sq_arena *arena);
#endif
