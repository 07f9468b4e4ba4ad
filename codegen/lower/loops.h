/* Loops: lowers isl's AST. It is the only walker: scan leaves, C loops and trees use it, and
 * provide what its calls become. */
#ifndef SQ_LOWER_LOOPS_H
#define SQ_LOWER_LOOPS_H
#include "codegen/code/code.h"
#include <isl/ast.h>

/* A loop around the one that is lowered. */
typedef struct sq_ast_scope {
    const char *iterator, *name; /* isl's, and that of the code */
    const struct sq_ast_scope *before;
} sq_ast_scope;

typedef struct sq_ast_lowering {
    sq_code_pool *pool;
    /* Returns the statements of a call: its tuple's name, and its n coordinates. */
    sq_code *(*call)(const char *tuple, const sq_code_expr *const *at, int n, void *user);
    /* A loop with a mark above it. enter: called before its body; leave: called with its body,
     * returns the replacement. `once`: it has one iteration and is a LET. NULL: schedules have no
     * marks. */
    void (*enter)(const void *mark, bool once, void *user);
    sq_code *(*leave)(const void *mark, sq_code *loop, void *user);
    /* Returns the name of a coordinate of a call, for the loop over it; NULL: the loop keeps isl's. No function: all
     * loops do. No loop has a name of the kernel's. */
    const char *(*dim)(const char *tuple, int d, void *user);
    const struct sq_kernel *kernel;
    void *user;
    const sq_ast_scope *scope;
    int nbound; /* names of isl's parameters that are replaced by expressions */
    const char *const *name;
    const sq_code_expr *const *value;
    const void *next; /* the mark of the next loop; NULL inside of it */
} sq_ast_lowering;

sq_code *sq_lower_ast(sq_ast_lowering *w, isl_ast_node *node /* __isl_keep */);
#endif
