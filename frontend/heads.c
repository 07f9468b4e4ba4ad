/* Heads: loops whose variable has its first value already, for (; i < n; i++), as what a loop by hand has left is done.
 * They are read with a variable of their own that begins with that value, where nothing but the loop, and what gives
 * the value just before it, changes the old one, and nothing reads it behind. */
#include "frontend/respelling_inside.h"

static int count(const sq_respeller *x, CXCursor c, CXCursor decl, bool changes)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool named = c.kind == CXCursor_DeclRefExpr &&
                 sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), decl);
    int all = changes ? sq_respeller_changes_here(x, c, decl) : named;
    for (int i = 0; i < n; i++)
        all += count(x, child[i], decl, changes);
    return all;
}

/* True if a for has no first part, and has the others: a first part compares nothing. */
static bool is_headless(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(x->r, c, &n);
    if (c.kind != CXCursor_ForStmt || n != 3 || part[0].kind != CXCursor_BinaryOperator)
        return false;
    enum CXBinaryOperatorKind op = x->r->cl->clang_getCursorBinaryOperatorKind(part[0]);
    return op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE;
}

static bool is_integer(const sq_respeller *x, CXCursor decl)
{
    enum CXTypeKind k = sq_address_type(x->r, decl).kind;
    return k == CXType_Int || k == CXType_UInt || k == CXType_Long || k == CXType_ULong ||
           k == CXType_LongLong || k == CXType_ULongLong;
}

/* The variable that i < n compares. */
static bool counted_by(const sq_respeller *x, CXCursor loop, CXCursor *decl)
{
    int n, sides;
    CXCursor *part = sq_cursor_children(x->r, loop, &n),
             *side = sq_cursor_children(x->r, part[0], &sides);
    if (sides != 2)
        return false;
    CXCursor name = sq_cursor_strip(x->r, side[0]);
    *decl = x->r->cl->clang_getCursorReferenced(name);
    return name.kind == CXCursor_DeclRefExpr &&
           (decl->kind == CXCursor_VarDecl || decl->kind == CXCursor_ParmDecl) &&
           is_integer(x, *decl) && count(x, part[1], *decl, true) == 1 &&
           count(x, part[2], *decl, true) == 0;
}

/* i = 0; and int i = 0; alone. */
static bool sets(const sq_respeller *x, CXCursor stmt, CXCursor decl, sq_head *h)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, stmt, &n);
    if (stmt.kind == CXCursor_DeclStmt && n == 1 && sq_cursor_same(x->r, child[0], decl))
        h->has_value = sq_cursor_initial(x->r, decl, &h->value);
    else if (sq_cursor_is_assignment(x->r, stmt) && n == 2 &&
             sq_cursor_strip(x->r, child[0]).kind == CXCursor_DeclRefExpr &&
             sq_cursor_same(x->r,
                            x->r->cl->clang_getCursorReferenced(sq_cursor_strip(x->r, child[0])),
                            decl)) {
        h->has_value = count(x, child[1], decl, false) == 0;
        h->value = child[1];
    }
    h->set = stmt;
    h->is_own = stmt.kind == CXCursor_DeclStmt && h->has_value;
    return h->has_value;
}

/* Where the value is there to be said, the old name is free; else "i_", which nothing has. */
static const char *name_of(const sq_respeller *x, const sq_head *h)
{
    const char *name = sq_cursor_spelling(x->r, h->decl);
    if (h->has_value)
        return name;
    do
        name = sq_arena_printf(x->r->arena, "%s_", name);
    while (!sq_respeller_is_new(x, name));
    return name;
}

static void take(sq_respeller *x, const CXCursor *stmt, int n, int k)
{
    sq_head h = {.loop = stmt[k]};
    if (!is_headless(x, stmt[k]) || !counted_by(x, stmt[k], &h.decl))
        return;
    bool set = k > 0 && sets(x, stmt[k - 1], h.decl, &h);
    int all = 0, here = count(x, stmt[k], h.decl, true), behind = 0;
    for (int i = 0; i < x->nstmts; i++)
        all += count(x, x->stmt[i], h.decl, true);
    for (int i = k + 1; i < n; i++)
        behind += count(x, stmt[i], h.decl, false);
    bool fits = here == 1 && behind == 0 && all == here + (set && !h.is_own) &&
                (h.is_own || (stmt == x->stmt && sq_walk_is_done_with(x, h.decl)));
    if (!fits)
        return;
    h.name = name_of(x, &h);
    x->head = sq_arena_grow(x->r->arena, x->head, x->nheads, &x->head_room, sizeof *x->head);
    x->head[x->nheads++] = h;
}

void sq_heads_find(sq_respeller *x)
{
    x->nheads = 0;
    sq_respeller_each_loop(x, take);
}

bool sq_head_is(const sq_respeller *x, CXCursor c)
{
    bool is = false;
    for (int i = 0; i < x->nheads && !is; i++)
        is = sq_cursor_same(x->r, x->head[i].loop, c);
    return is;
}

bool sq_head_is_set(const sq_respeller *x, CXCursor c)
{
    bool is = false;
    for (int i = 0; i < x->nheads && !is; i++) {
        const sq_head *h = &x->head[i];
        is = h->has_value &&
             (h->is_own ? sq_cursor_same(x->r, h->decl, c) : sq_cursor_same(x->r, h->set, c));
    }
    return is;
}

static void put_loop(const sq_respeller *x, sq_spelling *s, const sq_head *h)
{
    int n;
    CXCursor *part = sq_cursor_children(x->r, h->loop, &n);
    const char *type = sq_struct_type_text(x, sq_address_type(x->r, h->decl));
    sq_text_printf(&s->out, "for (%s %s = ", type, h->name);
    if (h->has_value)
        sq_spelling_expression(s, h->value, SQ_BINDS_ASSIGN);
    else
        sq_text_puts(&s->out, sq_cursor_spelling(x->r, h->decl));
    sq_text_puts(&s->out, "; ");
    sq_spelling_expression(s, part[0], 0);
    sq_text_puts(&s->out, "; ");
    sq_spelling_expression(s, part[1], 0);
    sq_text_puts(&s->out, ") ");
    sq_spelling_body(s, part[2]);
}

bool sq_head_put(const sq_respeller *x, sq_spelling *s, CXCursor c)
{
    size_t at, end, from, to;
    for (int i = 0; i < x->nheads; i++) {
        const sq_head *h = &x->head[i];
        if (sq_cursor_same(x->r, h->loop, c)) {
            put_loop(x, s, h);
            return true;
        }
        if (c.kind == CXCursor_DeclRefExpr &&
            sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), h->decl) &&
            sq_scop_span(x->r, c, &at, &end) && sq_scop_span(x->r, h->loop, &from, &to) &&
            at >= from && at < to) {
            sq_text_puts(&s->out, h->name);
            return true;
        }
    }
    return sq_head_is_set(x, c);
}
