/* Scop induction: variables that a loop counts beside its own, `k += 2` once in every turn. Where nothing
 * reads one behind the region, its name means its value before the loop and what the turns so far have added:
 * it is a size, and what counts it is no statement. */
#include "frontend/scop_build.h"

bool sq_scop_step_of(const sq_builder *b, CXCursor c, CXCursor decl, int64_t *by)
{
    const sq_clang *cl = b->r.cl;
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    CXCursor left = n > 0 ? sq_cursor_strip(&b->r, child[0]) : c;
    if (left.kind != CXCursor_DeclRefExpr ||
        !cl->clang_equalCursors(cl->clang_getCursorReferenced(left), decl))
        return false;
    if (c.kind == CXCursor_UnaryOperator) {
        enum CXUnaryOperatorKind kind = cl->clang_getCursorUnaryOperatorKind(c);
        bool up = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc,
             down = kind == CXUnaryOperator_PostDec || kind == CXUnaryOperator_PreDec;
        *by = up ? 1 : -1;
        return up || down;
    }
    enum CXBinaryOperatorKind kind = cl->clang_getCursorBinaryOperatorKind(c);
    bool adds = kind == CXBinaryOperator_AddAssign, takes = kind == CXBinaryOperator_SubAssign;
    if (c.kind != CXCursor_CompoundAssignOperator || n != 2 || (!adds && !takes) ||
        !sq_cursor_evaluated(&b->r, child[1], by) || *by < -SQ_MOST_STEP || *by > SQ_MOST_STEP)
        return false;
    *by = adds ? *by : -*by;
    return true;
}

bool sq_scop_adds(const sq_builder *b, CXCursor c, CXCursor decl, CXCursor *number)
{
    const sq_clang *cl = b->r.cl;
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (c.kind != CXCursor_CompoundAssignOperator || n != 2 ||
        cl->clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_AddAssign)
        return false;
    CXCursor left = sq_cursor_strip(&b->r, child[0]);
    *number = sq_cursor_strip(&b->r, child[1]);
    if (left.kind != CXCursor_DeclRefExpr || number->kind != CXCursor_DeclRefExpr ||
        !cl->clang_equalCursors(cl->clang_getCursorReferenced(left), decl))
        return false;
    return sq_scop_is_kept(b, cl->clang_getCursorReferenced(*number));
}

bool sq_scop_is_kept(const sq_builder *b, CXCursor decl)
{
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(decl));
    const sq_use *u = sq_scop_use(b, decl);
    return u && !u->assigned && !u->is_loop && !u->is_stepped && !sq_counter_find(b, decl) &&
           (type == SQ_I32 || type == SQ_I64);
}

int sq_scop_mentions(const sq_builder *b, CXCursor c, CXCursor decl)
{
    int n, found = c.kind == CXCursor_DeclRefExpr &&
                   b->r.cl->clang_equalCursors(b->r.cl->clang_getCursorReferenced(c), decl);
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    for (int i = 0; i < n; i++)
        found += sq_scop_mentions(b, child[i], decl);
    return found;
}

int sq_scop_assignments(const sq_builder *b, CXCursor c, CXCursor decl)
{
    int n, found;
    CXCursor to, *child = sq_cursor_children(&b->r, c, &n);
    found = sq_scop_assigned_by(b, c, &to) && b->r.cl->clang_equalCursors(to, decl);
    for (int i = 0; i < n; i++)
        found += sq_scop_assignments(b, child[i], decl);
    return found;
}

bool sq_scop_begins_at_0(const sq_builder *b, CXCursor loop)
{
    int n, m;
    int64_t start = 1;
    sq_cursor_children(&b->r, loop, &n);
    CXCursor c = n == 4 ? sq_beside_own(b, loop, 0) : loop, *child;
    for (m = 1; m > 0 && (c.kind == CXCursor_DeclStmt || c.kind == CXCursor_VarDecl ||
                          c.kind == CXCursor_BinaryOperator);) {
        child = sq_cursor_children(&b->r, c, &m);
        c = m > 0 ? child[m - 1] : c;
    }
    return n == 4 && sq_cursor_evaluated(&b->r, c, &start) && start == 0;
}

bool sq_scop_in_head(const sq_builder *b, CXCursor loop, CXCursor decl)
{
    int n, found = 0;
    CXCursor *part = sq_cursor_children(&b->r, loop, &n);
    for (int i = 0; i < n - 1; i++)
        found += sq_scop_mentions(b, part[i], decl);
    return found > 0;
}

/* The one statement of the loop's body that steps the variable; false: there is none. */
static bool find_step(const sq_builder *b, CXCursor loop, sq_use *u)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, loop, &n), body = part[n - 1];
    CXCursor *stmt = sq_cursor_children(&b->r, body, &n);
    for (int i = 0; i < n && body.kind == CXCursor_CompoundStmt; i++)
        if (sq_scop_step_of(b, stmt[i], u->decl, &u->by)) {
            u->step = stmt[i];
            u->is_stepped = true;
        }
    return u->is_stepped;
}

static void look_at(sq_builder *b, sq_use *u)
{
    const sq_scop *s = b->scop;
    int all = 0, type = sq_type_read(b, b->r.cl->clang_getCursorType(u->decl)), in = -1;
    bool own = u->assigned && !u->is_loop && !u->live && !u->repeats && !u->addressed && u->in_function &&
               !u->is_static && (type == SQ_I32 || type == SQ_I64);
    for (int i = 0; i < s->nstmts && own; i++)
        if (sq_scop_mentions(b, s->stmt[i], u->decl)) {
            all += sq_scop_assignments(b, s->stmt[i], u->decl);
            own = in < 0 && s->stmt[i].kind == CXCursor_ForStmt;
            in = i;
        }
    if (own && in >= 0 && all == 1 && sq_scop_begins_at_0(b, s->stmt[in]) &&
        !sq_scop_in_head(b, s->stmt[in], u->decl) && find_step(b, s->stmt[in], u))
        u->assigned = false;
}

void sq_scop_inductions(sq_builder *b)
{
    for (int i = 0; i < b->scop->nuses; i++)
        look_at(b, &b->scop->use[i]);
}

bool sq_scop_steps(sq_builder *b, CXCursor stmt)
{
    int64_t by;
    sq_first first;
    CXCursor number;
    for (const sq_counter *k = b->scop ? b->scop->counters : NULL; k; k = k->next)
        if (sq_scop_step_of(b, stmt, k->decl, &by) || sq_counter_sets(b, stmt, k->decl, &first) ||
            sq_scop_adds(b, stmt, k->decl, &number))
            return true;
    for (int i = 0; b->scop && i < b->scop->nuses; i++) {
        sq_use *u = &b->scop->use[i];
        if (u->is_stepped && b->r.cl->clang_equalCursors(u->step, stmt)) {
            u->symbol->is_ahead = true;
            return true;
        }
    }
    return false;
}
