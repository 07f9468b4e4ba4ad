/* Heads: loops whose variable has its first value already, for (; i < n; i++), as what a loop by hand has left is done.
 * They are read with a variable of their own that begins with that value. It is what the variable has before the
 * region, what the statement before the loop gives it, or where the loop before ends: for the rest of a loop that is
 * unrolled by hand. Nothing else changes the variable then, but loops that begin anew, and nothing reads it behind. */
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

/* The variable that i < n and i + 3 < n compare. */
static bool counted_by(const sq_respeller *x, CXCursor loop, CXCursor *decl)
{
    int n, sides;
    int64_t ahead;
    CXCursor *part = sq_cursor_children(x->r, loop, &n),
             *side = sq_cursor_children(x->r, part[0], &sides);
    return sides == 2 && sq_ahead_of(x, side[0], decl, &ahead) && is_integer(x, *decl) &&
           count(x, part[1], *decl, true) == 1 && count(x, part[2], *decl, true) == 0;
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
static const char *name_of(sq_respeller *x, const sq_head *h)
{
    const char *name = sq_cursor_spelling(x->r, h->decl);
    if (h->has_value)
        return name;
    do
        name = sq_arena_printf(x->r->arena, "%s_", name);
    while (!sq_respeller_is_new(x, name));
    sq_respeller_says(x, name, sq_cursor_spelling(x->r, h->decl));
    return name;
}

static const sq_head *head_of(const sq_respeller *x, CXCursor loop)
{
    for (int i = 0; i < x->nheads; i++)
        if (sq_cursor_same(x->r, x->head[i].loop, loop))
            return &x->head[i];
    return NULL;
}

static bool is_of_region(const sq_respeller *x, CXCursor decl)
{
    size_t from, to;
    return sq_scop_span(x->r, decl, &from, &to) && from >= x->f.region.from && to <= x->f.region.to;
}

/* for (i = 0; …, of a variable that the loop does not declare. */
static bool begins(const sq_respeller *x, CXCursor loop, CXCursor decl)
{
    int n, sides;
    CXCursor *part = sq_cursor_children(x->r, loop, &n);
    if (loop.kind != CXCursor_ForStmt || n != 4 || !sq_cursor_is_assignment(x->r, part[0]))
        return false;
    CXCursor *side = sq_cursor_children(x->r, part[0], &sides), to = sq_cursor_strip(x->r, side[0]);
    return sides == 2 && to.kind == CXCursor_DeclRefExpr &&
           sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(to), decl) && count(x, side[1], decl, false) == 0;
}

/* True if something needs what a loop leaves in the variable: it is named outside of loops that begin anew, of the
 * statement that sets it, and of the heads that go on from there. */
static bool is_left(const sq_respeller *x, CXCursor c, const sq_head *h)
{
    int n;
    const sq_head *other = head_of(x, c);
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool apart = begins(x, c, h->decl) || sq_head_is_set(x, c) || (other && sq_cursor_same(x->r, other->decl, h->decl));
    bool is = c.kind == CXCursor_DeclRefExpr &&
              sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), h->decl);
    for (int i = 0; i < n && !is && !apart; i++)
        is = is_left(x, child[i], h);
    return is;
}

/* The loop before ends where this one begins: the value of a variable that nothing else changes there. */
static bool goes_on(const sq_respeller *x, CXCursor before, sq_head *h)
{
    const sq_head *head = head_of(x, before);
    bool from_start = begins(x, before, h->decl) || (head && head->has_value);
    h->goes_on = (head || from_start) && sq_ending_read(x, before, &h->before) &&
                 sq_cursor_same(x->r, h->before.decl, h->decl) && count(x, h->before.body, h->decl, true) == 0;
    h->has_value = h->goes_on && from_start;
    return h->goes_on;
}

/* Takes loop k of a block; *after: the one before it is taken, which leaves its variable to this one. */
static bool take_one(sq_respeller *x, const CXCursor *stmt, int k, bool after)
{
    sq_head h = {.loop = stmt[k]};
    if (!is_headless(x, stmt[k]) || !counted_by(x, stmt[k], &h.decl))
        return false;
    bool set = k > 0 && ((!after && sets(x, stmt[k - 1], h.decl, &h)) || goes_on(x, stmt[k - 1], &h));
    if (after && !set)
        return false;
    h.name = name_of(x, &h);
    x->head = sq_arena_grow(x->r->arena, x->head, x->nheads, &x->head_room, sizeof *x->head);
    x->head[x->nheads++] = h;
    return true;
}

/* True if the loops alone, and what sets their variable, change it, and nothing else reads what they leave in it: loop
 * k of n statements and those that go on from it. */
static bool are_alone(const sq_respeller *x, const CXCursor *stmt, int n, int k, int loops)
{
    const sq_head *h = &x->head[x->nheads - loops];
    bool is_done = is_of_region(x, h->decl) || sq_walk_is_done_with(x, h->decl), left = false;
    int all = 0, here = h->has_value && !h->goes_on && !h->is_own, behind = 0;
    for (int i = 0; i < x->nstmts; i++) {
        left |= is_left(x, x->stmt[i], h);
        all += count(x, x->stmt[i], h->decl, true);
    }
    for (int i = 0; i < loops; i++)
        here += count(x, stmt[k + i], h->decl, true);
    for (int i = k + loops; i < n; i++)
        behind += count(x, stmt[i], h->decl, false);
    bool once = all == here && behind == 0 && (h->is_own || stmt == x->stmt);
    return is_done && ((h->has_value && !left) || once);
}

/* Loop k of a block, and those that follow it and go on from it. */
static void take(sq_respeller *x, const CXCursor *stmt, int n, int k)
{
    int first = x->nheads;
    if (head_of(x, stmt[k]))
        return;
    for (int i = k; i < n && take_one(x, stmt, i, i > k); i++)
        continue;
    if (x->nheads > first && !are_alone(x, stmt, n, k, x->nheads - first))
        x->nheads = first;
}

void sq_heads_find(sq_respeller *x)
{
    x->nheads = 0;
    sq_respeller_each_loop(x, take);
}

bool sq_head_is(const sq_respeller *x, CXCursor c)
{
    return head_of(x, c) != NULL;
}

bool sq_head_goes_on(const sq_respeller *x, CXCursor c, CXCursor before)
{
    const sq_head *h = head_of(x, c);
    return h && h->goes_on && sq_cursor_same(x->r, h->before.loop, before);
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

void sq_head_put_first(const sq_respeller *x, sq_spelling *s, const sq_ending *of)
{
    int n;
    CXCursor value, *part = sq_cursor_children(x->r, of->loop, &n);
    const sq_head *h = head_of(x, of->loop);
    const sq_unrolled *before = h && h->goes_on ? sq_unrolled_of(x, h->before.loop) : NULL;
    if (before && before->has_rest) {
        sq_head_put_first(x, s, &h->before);
        return;
    }
    if (h && h->goes_on) {
        sq_ending_put(x, s, &h->before, sq_head_put_first);
        return;
    }
    if (h && !h->has_value) {
        sq_text_puts(&s->out, sq_cursor_spelling(x->r, h->decl));
        return;
    }
    bool declares = !h && part[0].kind == CXCursor_DeclStmt;
    if (h)
        value = h->value;
    else if (!declares || !sq_cursor_initial(x->r, of->decl, &value))
        value = sq_cursor_children(x->r, part[0], &n)[1];
    sq_spelling_expression(s, value, SQ_BINDS_PRODUCT);
}

static void put_loop(const sq_respeller *x, sq_spelling *s, const sq_head *h)
{
    int n;
    CXCursor *part = sq_cursor_children(x->r, h->loop, &n);
    const sq_unrolled *unrolled = sq_unrolled_of(x, h->loop);
    const char *type = sq_struct_type_text(x, sq_address_type(x->r, h->decl));
    sq_text_printf(&s->out, "for (%s %s = ", type, h->name);
    sq_head_put_first(x, s, &(sq_ending){.loop = h->loop, .decl = h->decl});
    sq_text_puts(&s->out, "; ");
    if (unrolled) {
        sq_unrolled_put_turns(x, s, unrolled, h->name);
        return;
    }
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
