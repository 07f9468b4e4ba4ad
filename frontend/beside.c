/* Beside: heads of loops that count more than their own variable, for (i = 0, k = 0; i < n; i++, k += m). The loop's
 * own is the one that its condition compares; the others are counters (scop_counter.c). */
#include "frontend/scop_build.h"

/* The variable that a condition begins with, i of i + 1 < n && i < m. */
static bool compared(const sq_builder *b, CXCursor c, CXCursor *decl)
{
    int n;
    for (c = sq_cursor_strip(&b->r, c); c.kind == CXCursor_BinaryOperator;) {
        CXCursor *side = sq_cursor_children(&b->r, c, &n);
        if (n == 0)
            return false;
        c = sq_cursor_strip(&b->r, side[0]);
    }
    return sq_scop_variable(b, c, decl);
}

/* Operands of commas in their order, added to n others; the number of all. */
static int operands(const sq_builder *b, CXCursor c, CXCursor *to, int n)
{
    int sides;
    CXCursor *side = sq_cursor_children(&b->r, c, &sides);
    if (c.kind == CXCursor_DeclStmt && sides > 1) {
        for (int i = 0; i < sides && n < SQ_MOST_BESIDE; i++)
            to[n++] = side[i];
        return n;
    }
    if (sq_cursor_is_comma(&b->r, c) && sides == 2)
        return operands(b, side[1], to, operands(b, side[0], to, n));
    if (n < SQ_MOST_BESIDE)
        to[n++] = c;
    return n;
}

static bool is_of(const sq_builder *b, CXCursor operand, CXCursor variable)
{
    CXCursor decl;
    return b->r.cl->clang_equalCursors(operand, variable) ||
           (sq_scop_assigned_by(b, sq_cursor_strip(&b->r, operand), &decl) &&
            b->r.cl->clang_equalCursors(decl, variable));
}

int sq_beside_operands(const sq_builder *b, CXCursor loop, int part, CXCursor *own, CXCursor *to)
{
    int n, kept = 0;
    CXCursor variable, *parts = sq_cursor_children(&b->r, loop, &n);
    *own = parts[part];
    if (n != 4 || !compared(b, parts[1], &variable))
        return 0;
    int all = operands(b, parts[part], to, 0), at = 0;
    while (at < all && !is_of(b, to[at], variable))
        at++;
    if (all < 2 || at == all)
        return 0;
    *own = to[at];
    for (int i = 0; i < all; i++)
        if (i != at)
            to[kept++] = to[i];
    return kept;
}

CXCursor sq_beside_own(const sq_builder *b, CXCursor loop, int part)
{
    CXCursor own, others[SQ_MOST_BESIDE];
    sq_beside_operands(b, loop, part, &own, others);
    return own;
}

bool sq_beside_starts(const sq_builder *b, CXCursor loop, CXCursor decl, sq_first *first)
{
    CXCursor own, start[SQ_MOST_BESIDE];
    int n = loop.kind == CXCursor_ForStmt ? sq_beside_operands(b, loop, 0, &own, start) : 0;
    bool starts = false;
    for (int i = 0; i < n && !starts; i++)
        starts = sq_counter_sets(b, start[i], decl, first);
    return starts;
}

bool sq_beside_step(const sq_builder *b, CXCursor loop, CXCursor decl, CXCursor *step)
{
    CXCursor own, steps[SQ_MOST_BESIDE];
    int n = loop.kind == CXCursor_ForStmt ? sq_beside_operands(b, loop, 2, &own, steps) : 0;
    for (int i = 0; i < n; i++)
        if (is_of(b, steps[i], decl)) {
            *step = sq_cursor_strip(&b->r, steps[i]);
            return true;
        }
    return false;
}

bool sq_beside_is_regular(const sq_builder *b, CXCursor loop, CXCursor decl)
{
    int n;
    int64_t by;
    sq_first first;
    CXCursor step, number, *part = sq_cursor_children(&b->r, loop, &n);
    bool sets = sq_beside_starts(b, loop, decl, &first), steps = sq_beside_step(b, loop, decl, &step);
    bool counts = steps && (sq_scop_step_of(b, step, decl, &by) || sq_scop_adds(b, step, decl, &number));
    int heads = 0;
    for (int i = 0; i < n - 1; i++)
        heads += sq_scop_mentions(b, part[i], decl);
    return counts == steps && heads == steps + (sets && part[0].kind != CXCursor_DeclStmt);
}
