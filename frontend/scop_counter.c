/* Scop counter: variables that go on from loop to loop of a nest, `out[k++] = …`. Every turn of a loop counts as far
 * as any other, so what such a name means is a polynomial of the loops' variables and sizes (poly.c), and what counts
 * it is no statement. It has to begin with a constant, where it is declared or between the loops, and to count in loops
 * up from 0 by a constant, whatever values are. */
#include "frontend/scop_build.h"

static bool is_of(const sq_builder *b, CXCursor c, CXCursor decl)
{
    return c.kind == CXCursor_DeclRefExpr && b->r.cl->clang_equalCursors(b->r.cl->clang_getCursorReferenced(c), decl);
}

bool sq_counter_bound(const sq_builder *b, CXCursor loop, CXCursor *variable, CXCursor *bound, int64_t *by)
{
    const sq_clang *cl = b->r.cl;
    int n, sides;
    CXCursor *part = sq_cursor_children(&b->r, loop, &n);
    if (loop.kind != CXCursor_ForStmt || n != 4 || !sq_scop_begins_at_0(b, loop) ||
        cl->clang_getCursorBinaryOperatorKind(part[1]) != CXBinaryOperator_LT)
        return false;
    CXCursor *side = sq_cursor_children(&b->r, part[1], &sides);
    CXCursor left = sides == 2 ? sq_cursor_strip(&b->r, side[0]) : loop;
    if (left.kind != CXCursor_DeclRefExpr)
        return false;
    *variable = cl->clang_getCursorReferenced(left);
    *bound = side[1];
    return sq_scop_step_of(b, part[2], *variable, by) && *by > 0;
}

/* `k++` or `k--`, *by what that adds. */
static bool is_post_step(const sq_builder *b, CXCursor c, CXCursor decl, int64_t *by)
{
    enum CXUnaryOperatorKind kind = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    return (kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec) && sq_scop_step_of(b, c, decl, by);
}

/* How many of an expression's operands, the first ones, are evaluated whenever it is; of sizeof none. */
static int sure_operands(const sq_builder *b, CXCursor c, int n)
{
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    bool joins = c.kind == CXCursor_BinaryOperator && (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr);
    return c.kind == CXCursor_ConditionalOperator || c.kind == CXCursor_UnaryExpr ? 0 : joins && n > 1 ? 1 : n;
}

/* True if the expression counts the variable as often as it is evaluated. */
static bool has_subscript(const sq_builder *b, CXCursor c, CXCursor decl, int64_t *by)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool found = is_post_step(b, sq_cursor_strip(&b->r, c), decl, by);
    n = sure_operands(b, c, n);
    for (int i = 0; i < n && !found; i++)
        found = has_subscript(b, child[i], decl, by);
    return found;
}

bool sq_counter_counts(const sq_builder *b, CXCursor stmt, CXCursor decl, int64_t *by)
{
    bool assigns = stmt.kind == CXCursor_BinaryOperator || stmt.kind == CXCursor_CompoundAssignOperator;
    return sq_scop_step_of(b, stmt, decl, by) ||
           (assigns && sq_scop_mentions(b, stmt, decl) == 1 && has_subscript(b, stmt, decl, by));
}

bool sq_counter_sets(const sq_builder *b, CXCursor stmt, CXCursor decl, int64_t *value)
{
    int n;
    CXCursor *side = sq_cursor_children(&b->r, stmt, &n);
    return sq_cursor_is_assignment(&b->r, stmt) && n == 2 && is_of(b, sq_cursor_strip(&b->r, side[0]), decl) &&
           sq_cursor_evaluated(&b->r, side[1], value);
}

/* True if the region gives the variable its first value, before it names it: `k = 0;` between the loops. */
static bool begins_by_set(const sq_builder *b, CXCursor decl)
{
    int64_t value;
    int i = 0;
    while (i < b->scop->nstmts && sq_scop_mentions(b, b->scop->stmt[i], decl) == 0)
        i++;
    return i < b->scop->nstmts && sq_counter_sets(b, b->scop->stmt[i], decl, &value);
}

/* True if all that counts the variable in the statement does so in every turn of the loops around. */
static bool is_regular(const sq_builder *b, CXCursor c, CXCursor decl)
{
    int n;
    int64_t by;
    CXCursor variable, bound, *child = sq_cursor_children(&b->r, c, &n);
    if (sq_scop_assignments(b, c, decl) == 0)
        return true;
    if (sq_counter_counts(b, c, decl, &by))
        return true;
    if (c.kind == CXCursor_ForStmt)
        return !sq_scop_in_head(b, c, decl) && sq_counter_bound(b, c, &variable, &bound, &by) &&
               is_regular(b, child[n - 1], decl);
    bool all = c.kind == CXCursor_CompoundStmt;
    for (int i = 0; i < n && all; i++)
        all = is_regular(b, child[i], decl);
    return all;
}

static void look_at(sq_builder *b, sq_use *u)
{
    const sq_scop *s = b->scop;
    CXCursor initial;
    int64_t value;
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(u->decl));
    bool own = u->assigned && !u->is_loop && !u->is_stepped && !u->live && !u->addressed && u->in_function &&
               !u->is_static && (type == SQ_I32 || type == SQ_I64) && u->decl.kind == CXCursor_VarDecl;
    bool begins = own && !u->repeats && !u->moved && sq_cursor_initial(&b->r, u->decl, &initial) &&
                  sq_cursor_evaluated(&b->r, initial, &u->start);
    own = begins || (own && begins_by_set(b, u->decl));
    for (int i = 0; i < s->nstmts && own; i++)
        own = sq_counter_sets(b, s->stmt[i], u->decl, &value) || is_regular(b, s->stmt[i], u->decl);
    u->is_counter = own;
    u->assigned &= !own;
}

void sq_scop_counters(sq_builder *b)
{
    for (int i = 0; i < b->scop->nuses; i++)
        look_at(b, &b->scop->use[i]);
}

static const char *why_not(const sq_builder *b, const sq_use *u)
{
    CXCursor initial;
    int64_t start;
    if (u->member)
        return "and is a member of a struct; count a variable of its own";
    if (u->live)
        return "and is read after the region";
    if (!sq_cursor_initial(&b->r, u->decl, &initial) || !sq_cursor_evaluated(&b->r, initial, &start))
        return "and does not begin with a constant, where it is declared or between the loops of the region";
    return "but not in every turn of loops that count up from 0";
}

const char *sq_counter_refused(const sq_builder *b, CXCursor c)
{
    CXCursor decl;
    if (!sq_scop_variable(b, c, &decl))
        return "what is counted here is no variable";
    const sq_use *u = sq_scop_use(b, decl);
    return sq_arena_printf(b->r.arena, "'%s' is counted here %s", sq_scop_text(b, decl),
                           u ? why_not(b, u) : "and declared in the region; declare it before, with its first value");
}
