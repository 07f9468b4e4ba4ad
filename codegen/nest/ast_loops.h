/* AST loops: isl's loops for a schedule map, with a limit on the number of operations. */
#ifndef SQ_CODEGEN_NEST_AST_LOOPS_H
#define SQ_CODEGEN_NEST_AST_LOOPS_H
#include "ir/kernel/kernel.h"
#include "support/diag.h"
#include <isl/ast_build.h>
#include <isl/union_map.h>

/* __isl_give. Returns NULL if conditions and bounds have more cases than the limit allows. */
isl_ast_node *sq_ast_loops(const sq_kernel *k, isl_ast_build *build /* __isl_take */,
                           isl_union_map *schedule /* __isl_take */);
/* The same with sequences of ast_places.h in the result. */
isl_ast_node *sq_ast_loops_placed(const sq_kernel *k, isl_ast_build *build /* __isl_take */,
                                  isl_union_map *schedule /* __isl_take */);
/* Adds the error for that. Returns -1. */
int sq_ast_loops_refused(const sq_stmt *s, sq_diags *d);
#endif
