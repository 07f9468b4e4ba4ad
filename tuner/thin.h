/* Thin: a part of a problem's space that is small enough to try every point of: of each coordinate the start's value,
 * and of the others some from all of its range. */
#ifndef SQ_TUNER_THIN_H
#define SQ_TUNER_THIN_H
#include "tuner/tune.h"

/* A problem with at most `most` points: while there are more, the coordinate that has most values, of those the last,
 * loses one: never the start's, the least and the largest only where no other is left, else the one whose neighbours
 * are nearest to each other in the whole list. A coordinate that matters only under a value that is lost keeps the
 * start's alone. What was to be measured beside the start is left out. In the arena; the whole problem must outlive
 * it. */
sq_tune_problem *sq_thin_new(const sq_tune_problem *whole, int most, sq_arena *arena);
#endif
