/* Unreachable: a proof that a block of C text never runs. Conditions, bounds and steps of the loops
 * and constants around it, and around the calls of its function, are taken as far as they are
 * affine; what they leave is a set of integers, and the block is unreachable if that is empty. What
 * is not affine, or may change, is left out, which only makes the set larger. */
#ifndef SQ_TUNER_UNREACHABLE_H
#define SQ_TUNER_UNREACHABLE_H
#include "tuner/blocks.h"
#include <isl/set.h>

/* `root` is the function that is called from outside, with parameters that lie in `context`;
 * reached: functions that it can call. Where it is not proven and `may` is no NULL, *may gets the
 * parameters of one way at which nothing known keeps the block from running, NULL where no way was
 * found; the caller frees it. */
bool sq_block_unreachable(const sq_blocks *b, int block, const char *root, const bool *reached,
                          isl_set *context /* __isl_keep */, sq_arena *arena, isl_set **may);
#endif
