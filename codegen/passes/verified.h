/* Verified: code before the first pass and after each. */
#ifndef SQ_PASSES_VERIFIED_H
#define SQ_PASSES_VERIFIED_H
#include "codegen/passes/passes.h"

/* What is wrong with the list or a part that it calls (codegen/code/verify.h), in the pool's arena; NULL:
 * nothing. Of a fragment only the parts are verified. */
const char *sq_passes_wrong(const sq_pass_context *c, const sq_code *x);
/* Where the pool asks for it, and in debug builds always: what is wrong ends the program as a fault of
 * squall, which names `after`. */
void sq_passes_verify(const sq_pass_context *c, const char *after, const sq_code *x);
#endif
