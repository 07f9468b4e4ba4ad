/* Loop names: the names of loops that isl makes. A loop over one dimension of the statements in it has
 * that dimension's name, as the user wrote it, and a loop over tiles of it the same with a 0 behind it:
 *
 *     for (int64_t i0 = 0; i0 < N; i0 += 16)
 *         for (int64_t i = i0; i < min(N, i0 + 16); i++)
 *
 * A loop over a dimension to which a loop t around is added, as where a stencil's loops are skewed, is i_t, and
 * i_t - 2 * t is the point; one over tiles of it is i_t0. Others keep the name they have. */
#ifndef SQ_LOWER_LOOP_NAMES_H
#define SQ_LOWER_LOOP_NAMES_H
#include "codegen/lower/loops.h"

/* Returns the scope of the loop's body, with names in the arena of the pool. */
sq_ast_scope sq_loop_scope(const sq_ast_lowering *w, isl_ast_node *loop /* __isl_keep */);
/* Returns the name of dimension d of the statement for the loop over it; NULL: it has none that serves, since it is
 * another's of the kernel, a word of C++ or CUDA, or the dimension is not what the user's variable counts. */
const char *sq_loop_dim(const sq_kernel *k, const sq_stmt *s, int d);
#endif
