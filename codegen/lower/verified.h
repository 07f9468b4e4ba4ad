/* Verified: code between lowering and printing. */
#ifndef SQ_LOWER_VERIFIED_H
#define SQ_LOWER_VERIFIED_H
#include "codegen/code/verify.h"
#include "ir/schedule/schedule.h"

/* What is around all code of a kernel: its sizes, which go to `name`, its arrays and scalars. */
sq_code_outer sq_lower_outer(const sq_kernel *k, const char **name, sq_arena *arena);
/* The code of a group, which may stand inside of the group's loops. Where its pool asks for it, and in
 * debug builds always, it is verified: what is wrong ends the program as a fault of squall. */
sq_code *sq_lower_verified(const sq_kernel *k, const sq_group *g, sq_code_pool *p, sq_code *x);
/* The same of a function's body, whose parameters are the names around it. */
sq_code *sq_lower_verified_part(const sq_kernel *k, const sq_group *g, sq_code_pool *p, sq_code *x,
                                const sq_code_outer *outer);
#endif
