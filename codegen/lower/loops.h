/* Loops: isl's AST as code. The one walker: scan leaves, written loops and trees go through it, and
 * say what its calls become. */
#ifndef SQ_LOWER_LOOPS_H
#define SQ_LOWER_LOOPS_H
#include "codegen/code/code.h"
#include <isl/ast.h>

typedef struct sq_ast_lowering {
    sq_code_pool *pool;
    /* The statements of a call: its tuple's name, and its n coordinates. */
    sq_code *(*call)(const char *tuple, const sq_code_expr *const *at, int n, void *user);
    /* A loop that the mark above it is for. enter: before its body; leave: its body is there, and
     * what comes in its place is returned. `once`: it has one iteration and is a LET. NULL: no
     * schedule has marks. */
    void (*enter)(const void *mark, bool once, void *user);
    sq_code *(*leave)(const void *mark, sq_code *loop, void *user);
    void *user;
    int nbound; /* names of isl's parameters that stand for expressions */
    const char *const *name;
    const sq_code_expr *const *value;
    const void *next; /* the mark of the loop that comes now; NULL inside it */
} sq_ast_lowering;

sq_code *sq_lower_ast(sq_ast_lowering *w, isl_ast_node *node /* __isl_keep */);
#endif
