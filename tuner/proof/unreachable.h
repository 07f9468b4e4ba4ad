/* Unreachable: proves that a block of C text never runs. Uses the conditions, bounds and steps of
 * the loops and the constants around it, and around the calls of its function, as far as they are
 * affine; they define a set of integers, and the block is unreachable if it is empty. What is not
 * affine, may change (tuner/proof/scope.h) or may overflow (tuner/proof/affine.h) is dropped, which
 * only enlarges the set. If isl takes too many steps nothing is proven. */
#ifndef SQ_TUNER_PROOF_UNREACHABLE_H
#define SQ_TUNER_PROOF_UNREACHABLE_H
#include "ir/kernel/kernel.h"
#include "tuner/proof/blocks.h"
#include <isl/set.h>

/* `root`: the kernel's functions, terminated by NULL, which are called from outside with sizes that
 * the kernel accepts; reached: functions that it can call. If it is not proven and `may` is not
 * NULL, *may gets sizes at which no known condition keeps the block from running, NULL if none were
 * found; the caller frees it. *hard: how many proofs may still take twice the usual limit of
 * steps; decremented. */
bool sq_block_unreachable(const sq_blocks *b, int block, const char *const *root,
                          const bool *reached, const sq_kernel *k, sq_arena *arena, int *hard,
                          isl_set **may);
#endif
