/* Fill: the contents of a case's arrays and scalars before the call, determined by its seed. */
#ifndef SQ_RUNTIME_FILL_H
#define SQ_RUNTIME_FILL_H
#include "runtime/case.h"

/* Fills an array that is read, in the data of the case. */
void sq_fill_array(sq_case *c, int param);
/* Fills all scalars, which are not in the data: in [0.25, 1), so that repeated calls stay finite,
 * or thresholds. */
void sq_fill_scalars(sq_case *c);
#endif
