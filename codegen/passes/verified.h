/* Verified: verifies code before the first pass and after each. */
#ifndef SQ_PASSES_VERIFIED_H
#define SQ_PASSES_VERIFIED_H
#include "codegen/passes/passes.h"

/* Returns the violation in the list or a part that it calls (codegen/code/verify.h), in the pool's
 * arena; NULL: none. For a fragment only the parts are verified. */
const char *sq_passes_wrong(const sq_pass_context *c, const sq_code *x);
/* Verifies the list if the pool requests it, and always in debug builds. A violation ends the
 * program as an internal error that names `after`. */
void sq_passes_verify(const sq_pass_context *c, const char *after, const sq_code *x);
#endif
