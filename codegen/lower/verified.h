/* Verified: verifies code between lowering and printing. */
#ifndef SQ_LOWER_VERIFIED_H
#define SQ_LOWER_VERIFIED_H
#include "codegen/code/verify.h"
#include "ir/schedule/schedule.h"

/* Returns what is in scope around all code of a kernel: its sizes, which are written to `name`, its
 * arrays and scalars. */
sq_code_outer sq_lower_outer(const sq_kernel *k, const char **name, sq_arena *arena);
/* Verifies the code of a group, which may be inside of the group's loops, if its pool requests it,
 * and always in debug builds. A violation ends the program as an internal error. */
sq_code *sq_lower_verified(const sq_kernel *k, const sq_group *g, sq_code_pool *p, sq_code *x);
/* Does the same for the body of a function, whose parameters are in scope. */
#endif
