/* Respelling loops: the walk over the loops of a region, for what each kind of respelling looks for. */
#include "frontend/respelling_inside.h"

static void visit_in(sq_respeller *x, const CXCursor *stmt, int n, sq_at_loop *visit)
{
    for (int i = 0; i < n; i++) {
        int m;
        const CXCursor *child = sq_cursor_children(x->r, stmt[i], &m);
        if (stmt[i].kind == CXCursor_ForStmt)
            visit(x, stmt, n, i);
        visit_in(x, child, m, visit);
    }
}

void sq_respeller_each_loop(sq_respeller *x, sq_at_loop *visit)
{
    if (!x->leaves_rows)
        visit_in(x, x->stmt, x->nstmts, visit);
}
