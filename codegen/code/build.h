/* Build: what the builders of expressions share. */
#ifndef SQ_CODE_BUILD_H
#define SQ_CODE_BUILD_H
#include "codegen/code/expr.h"

/* The pool's node that is equal to e, a copy of e if there was none. */
const sq_code_expr *sq_code_cons(sq_code_pool *p, const sq_code_expr *e);
/* The same node of other arguments, simplified as if it was built so. */
const sq_code_expr *sq_code_rebuilt(sq_code_pool *p, const sq_code_expr *e,
                                    const sq_code_expr *const *arg);
#endif
