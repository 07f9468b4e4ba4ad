/* AST loops: see ast_loops.h. */
#include "codegen/ast_loops.h"
#include "ir/quota.h"

enum { MOST_OPERATIONS = 6000000, MORE_EACH = 20000 };

isl_ast_node *sq_ast_loops(const sq_kernel *k, isl_ast_build *build, isl_union_map *schedule)
{
    const char *why = NULL;
    unsigned long most = MOST_OPERATIONS + MORE_EACH * (unsigned long)k->nstmts;
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, most));
    isl_ast_node *tree = isl_ast_build_node_from_schedule_map(build, schedule);
    isl_ast_build_free(build);
    if (!sq_quota_end(q, &why))
        return tree;
    isl_ast_node_free(tree);
    return NULL;
}

int sq_ast_loops_refused(const sq_stmt *s, sq_diags *d)
{
    sq_error(
        d, SQ_FAULT_REFUSED, s->loc,
        "the loops around '%s' cannot be written down: its conditions and bounds fall into too "
        "many cases",
        s->name);
    sq_help(d, SQ_NOWHERE,
            "fewer remainders, quotients, minima and maxima in one statement, or several kernels");
    return -1;
}
