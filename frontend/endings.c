/* Endings: see endings.h. */
#include "frontend/endings.h"
#include "frontend/respelling_inside.h"
#include <stdlib.h>

static bool names(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool found = c.kind == CXCursor_DeclRefExpr && sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), decl);
    for (int i = 0; i < n && !found; i++)
        found = names(x, child[i], decl);
    return found;
}

/* The terms of a sum or a difference with a small number, x + 3, 3 + x and x - 3. */
static bool with_number(const sq_respeller *x, CXCursor c, CXCursor *rest, int64_t *number)
{
    int n;
    CXCursor *side = sq_cursor_children(x->r, c, &n);
    enum CXBinaryOperatorKind op = x->r->cl->clang_getCursorBinaryOperatorKind(c);
    bool adds = op == CXBinaryOperator_Add, takes = op == CXBinaryOperator_Sub;
    if (c.kind != CXCursor_BinaryOperator || n != 2 || (!adds && !takes))
        return false;
    bool first = adds && sq_cursor_evaluated(x->r, side[0], number);
    *rest = sq_cursor_strip(x->r, side[first]);
    if (!first && !sq_cursor_evaluated(x->r, side[1], number))
        return false;
    *number = takes ? -*number : *number;
    return *number >= -SQ_MOST_STEP && *number <= SQ_MOST_STEP;
}

bool sq_ahead_of(const sq_respeller *x, CXCursor c, CXCursor *decl, int64_t *ahead)
{
    int64_t number;
    CXCursor rest;
    *ahead = 0;
    for (c = sq_cursor_strip(x->r, c); with_number(x, c, &rest, &number); c = rest)
        *ahead += number;
    *decl = x->r->cl->clang_getCursorReferenced(c);
    return c.kind == CXCursor_DeclRefExpr && (decl->kind == CXCursor_VarDecl || decl->kind == CXCursor_ParmDecl);
}

/* i++ and i += 4 */
static bool read_step(const sq_respeller *x, sq_ending *to)
{
    int n;
    CXCursor *side = sq_cursor_children(x->r, to->step, &n);
    CXCursor name = n > 0 ? sq_cursor_strip(x->r, side[0]) : to->step;
    bool one = sq_cursor_is_unary(x->r, to->step, CXUnaryOperator_PostInc) ||
               sq_cursor_is_unary(x->r, to->step, CXUnaryOperator_PreInc);
    bool adds = to->step.kind == CXCursor_CompoundAssignOperator && n == 2 &&
                x->r->cl->clang_getCursorBinaryOperatorKind(to->step) == CXBinaryOperator_AddAssign &&
                sq_cursor_evaluated(x->r, side[1], &to->by);
    to->by = one ? 1 : to->by;
    return (one || adds) && to->by > 0 && to->by <= SQ_MOST_STEP && name.kind == CXCursor_DeclRefExpr &&
           sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(name), to->decl);
}

bool sq_ending_read(const sq_respeller *x, CXCursor loop, sq_ending *to)
{
    int n, sides;
    int64_t number;
    CXCursor rest, *part = sq_cursor_children(x->r, loop, &n);
    if (loop.kind != CXCursor_ForStmt || n < 3 || part[n - 3].kind != CXCursor_BinaryOperator)
        return false;
    CXCursor *side = sq_cursor_children(x->r, part[n - 3], &sides);
    enum CXBinaryOperatorKind op = x->r->cl->clang_getCursorBinaryOperatorKind(part[n - 3]);
    *to = (sq_ending){.loop = loop, .step = part[n - 2], .body = part[n - 1]};
    if (sides != 2 || (op != CXBinaryOperator_LT && op != CXBinaryOperator_LE) ||
        !sq_ahead_of(x, side[0], &to->decl, &to->ahead) || !read_step(x, to))
        return false;
    to->ahead -= op == CXBinaryOperator_LE;
    to->bound = sq_cursor_strip(x->r, side[1]);
    for (; with_number(x, to->bound, &rest, &number); to->bound = rest)
        to->ahead -= number;
    return !names(x, to->bound, to->decl);
}

static void put_bound(sq_spelling *s, const sq_ending *of)
{
    sq_spelling_expression(s, of->bound, SQ_BINDS_PRODUCT);
    if (of->ahead)
        sq_text_printf(&s->out, " %c %lld", of->ahead < 0 ? '+' : '-', (long long)llabs(of->ahead));
}

/* Of for (i = a; i < e; i += 4): e > a ? a + (e - a + 3) / 4 * 4 : a */
void sq_ending_put(const sq_respeller *x, sq_spelling *s, const sq_ending *of, sq_ending_first *first)
{
    sq_text_puts(&s->out, "(");
    put_bound(s, of);
    sq_text_puts(&s->out, " > ");
    first(x, s, of);
    sq_text_puts(&s->out, " ? ");
    if (of->by > 1) {
        first(x, s, of);
        sq_text_puts(&s->out, " + (");
    }
    put_bound(s, of);
    if (of->by > 1) {
        sq_text_puts(&s->out, " - ");
        first(x, s, of);
        sq_text_printf(&s->out, " + %lld) / %lld * %lld", (long long)of->by - 1, (long long)of->by,
                       (long long)of->by);
    }
    sq_text_puts(&s->out, " : ");
    first(x, s, of);
    sq_text_puts(&s->out, ")");
}
