/* Verified: code before the first pass and after each. */
#ifndef SQ_PASSES_VERIFIED_H
#define SQ_PASSES_VERIFIED_H
#include "codegen/passes/passes.h"

/* Where the pool asks for it, and in debug builds always, the list and the parts that it calls are
 * verified; of a fragment the parts. What is wrong ends the program as a fault of squall, which names
 * `after`. */
void sq_passes_verify(const sq_pass_context *c, const char *after, const sq_code *x);
#endif
