/* Loops: lowers isl's AST. It is the only walker: scan leaves, C loops and trees use it, and
 * provide what its calls become. */
#ifndef SQ_LOWER_LOOPS_H
#define SQ_LOWER_LOOPS_H
#include "codegen/code/code.h"
#include <isl/ast.h>

typedef struct sq_ast_lowering {
    sq_code_pool *pool;
    /* Returns the statements of a call: its tuple's name, and its n coordinates. */
    sq_code *(*call)(const char *tuple, const sq_code_expr *const *at, int n, void *user);
    /* A loop with a mark above it. enter: called before its body; leave: called with its body,
     * returns the replacement. `once`: it has one iteration and is a LET. NULL: schedules have no
     * marks. */
    void (*enter)(const void *mark, bool once, void *user);
    sq_code *(*leave)(const void *mark, sq_code *loop, void *user);
    void *user;
    int nbound; /* names of isl's parameters that are replaced by expressions */
    const char *const *name;
    const sq_code_expr *const *value;
    const void *next; /* the mark of the next loop; NULL inside of it */
} sq_ast_lowering;

sq_code *sq_lower_ast(sq_ast_lowering *w, isl_ast_node *node /* __isl_keep */);
#endif
