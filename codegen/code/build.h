/* Build: what the builders of expressions share. */
#ifndef SQ_CODE_BUILD_H
#define SQ_CODE_BUILD_H
#include "codegen/code/expr.h"

/* Returns the pool's node that equals e, or a copy of e if there was none. */
const sq_code_expr *sq_code_cons(sq_code_pool *p, const sq_code_expr *e);
/* Returns the same node with other arguments, simplified as the builders do. */
const sq_code_expr *sq_code_rebuilt(sq_code_pool *p, const sq_code_expr *e,
                                    const sq_code_expr *const *arg);
#endif
