/* Volume: how many points a set has at large sizes, roughly. */
#ifndef SQ_IR_KERNEL_VOLUME_H
#define SQ_IR_KERNEL_VOLUME_H
#include "ir/kernel/kernel.h"

/* Returns how many points the boxes around the pieces of the set have where all sizes are 1000; 0 if the kernel does
 * not accept such sizes, INFINITY if a dimension has no bounds. */
double sq_volume(const sq_kernel *k, isl_set *points /* __isl_keep */);
#endif
