/* Skips: `if (c) continue;` in the body of a loop becomes if (!(c)) { … } around the statements behind it. */
#include "frontend/respelling_inside.h"

static CXCursor *children(const sq_respeller *x, CXCursor c, int *n)
{
    return sq_cursor_children(x->r, c, n);
}

static bool is_continue(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = children(x, c, &n);
    return c.kind == CXCursor_ContinueStmt || (c.kind == CXCursor_CompoundStmt && n == 1 && is_continue(x, child[0]));
}

bool sq_skip_is(const sq_respeller *x, CXCursor stmt)
{
    int n;
    CXCursor *part = children(x, stmt, &n);
    return stmt.kind == CXCursor_IfStmt && n == 2 && is_continue(x, part[1]);
}

bool sq_skip_in(const sq_respeller *x, CXCursor body)
{
    int n;
    CXCursor *stmt = children(x, body, &n);
    bool is = false;
    for (int i = 0; i < n && !is; i++)
        is = sq_skip_is(x, stmt[i]);
    return body.kind == CXCursor_CompoundStmt && is;
}

void sq_skip_put(const sq_respeller *x, sq_spelling *s, const CXCursor *stmt, int n)
{
    int ignored;
    for (int i = 0; i < n; i++) {
        if (!sq_skip_is(x, stmt[i])) {
            sq_spelling_statement(s, stmt[i]);
            continue;
        }
        sq_text_puts(&s->out, "if (!(");
        sq_spelling_expression(s, children(x, stmt[i], &ignored)[0], 0);
        sq_text_puts(&s->out, ")) { ");
        sq_skip_put(x, s, stmt + i + 1, n - i - 1);
        sq_text_puts(&s->out, "} ");
        return;
    }
}
