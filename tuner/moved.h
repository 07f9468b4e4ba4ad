/* Moved: a point of other sizes, or of another kernel, as a point of this problem. Tile sizes that fitted there need
 * not exist here, and what covered a whole size there may be a small part of it here: in these coordinates, and in no
 * others, the model decides between the values next to the one that was measured. */
#ifndef SQ_TUNER_MOVED_H
#define SQ_TUNER_MOVED_H
#include "tuner/tune.h"

/* text: a point as sq_point_print writes it; sizes: "M=512,N=512", those that it was measured at. False if it is a
 * point of another kind of kernel (sq_point_transfer), or none that the model allows. */
bool sq_point_moved(const char *text, const char *sizes, const sq_tune_problem *p, bool of_same_kernel, int *point);
#endif
