/* Unreachable: a proof that a block of C text never runs. Conditions, bounds and steps of the loops
 * and constants around it, and around the calls of its function, are taken as far as they are
 * affine; what they leave is a set of integers, and the block is unreachable if that is empty. What
 * is not affine, may change (tuner/proof/scope.h) or may overflow (tuner/proof/affine.h) is left out, which only
 * makes the set larger. What takes isl too many steps is not proven. */
#ifndef SQ_TUNER_PROOF_UNREACHABLE_H
#define SQ_TUNER_PROOF_UNREACHABLE_H
#include "ir/kernel/kernel.h"
#include "tuner/proof/blocks.h"
#include <isl/set.h>

/* `root`: the kernel's functions, ended by NULL, which are called from outside with sizes that the kernel takes;
 * reached: functions that it can call. Where it is not proven and `may` is no NULL, *may gets the
 * sizes of one way at which nothing known keeps the block from running, NULL where no way was found;
 * the caller frees it. *hard: how many proofs may still be given up at four times the steps that most
 * get; counted down. */
bool sq_block_unreachable(const sq_blocks *b, int block, const char *const *root,
                          const bool *reached, const sq_kernel *k, sq_arena *arena, int *hard,
                          isl_set **may);
#endif
