/* Firsts: what a counter of the region begins with, int ix = incx > 0 ? 0 : (1 - n) * incx, as a variable of its own:
 * a size, whatever it is made of. It is computed before the region, from variables that the region does not change, in
 * 64 bits: where the text would not come to compute it, nothing overflows. */
#include "frontend/members_inside.h"
#include "frontend/spelling.h"
#include <string.h>

/* Factors of 32 bits, two in a product. */
enum { MOST_PRODUCTS = 1 };

static bool is_name_of(const sq_member_finder *f, CXCursor c, CXCursor decl)
{
    c = sq_cursor_strip(f->r, c);
    return c.kind == CXCursor_DeclRefExpr && sq_cursor_same(f->r, f->r->cl->clang_getCursorReferenced(c), decl);
}

/* True if c declares the variable or has its name in it. */
static bool has(const sq_member_finder *f, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    bool found = sq_cursor_same(f->r, c, decl) || is_name_of(f, c, decl);
    for (int i = 0; i < n && !found; i++)
        found = has(f, child[i], decl);
    return found;
}

/* True of for (j = n - 1; j >= 0; j--): what j begins with is a bound, and stays one that is made of n. */
static bool is_head_of(const sq_member_finder *f, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *part = sq_cursor_children(f->r, c, &n);
    return c.kind == CXCursor_ForStmt && n == 4 && has(f, part[0], decl) && has(f, part[1], decl);
}

/* True if something in c adds to the variable, other than the step of a loop that counts by it. */
static bool is_counted(const sq_member_finder *f, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    bool found = sq_cursor_assigns(f->r, c) && !sq_cursor_is_assignment(f->r, c) && is_name_of(f, child[0], decl);
    bool is_head = is_head_of(f, c, decl);
    for (int i = 0; i < n && !found; i++)
        found = !(is_head && i == 2) && is_counted(f, child[i], decl);
    return found;
}

static enum CXTypeKind kind_of(const sq_member_finder *f, CXCursor c)
{
    return f->r->cl->clang_getCanonicalType(f->r->cl->clang_getCursorType(c)).kind;
}

static bool add_name(const sq_member_finder *f, CXCursor c, sq_mention *m)
{
    CXCursor decl = f->r->cl->clang_getCursorReferenced(c);
    bool fits = (decl.kind == CXCursor_VarDecl || decl.kind == CXCursor_ParmDecl) && kind_of(f, c) == CXType_Int &&
                !sq_member_is_volatile(f, c);
    for (int i = 0; i < m->n; i++)
        if (sq_cursor_same(f->r, m->base[i], decl))
            return fits;
    if (!fits || m->n == SQ_MOST_FACTORS)
        return false;
    m->base[m->n++] = decl;
    return true;
}

/* Adds the variables of an expression of ints: + - * ?: and comparisons; products: those around it. Numbers without a
 * sign are none: n > 0u holds for n = -1. */
static bool add_names(const sq_member_finder *f, CXCursor c, sq_mention *m, int products)
{
    int n;
    int64_t value;
    c = sq_cursor_strip(f->r, c);
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    enum CXBinaryOperatorKind op = f->r->cl->clang_getCursorBinaryOperatorKind(c);
    if (sq_cursor_evaluated(f->r, c, &value))
        return kind_of(f, c) == CXType_Int;
    bool binary = c.kind == CXCursor_BinaryOperator && (op == CXBinaryOperator_Mul || op == CXBinaryOperator_Add ||
                                                        op == CXBinaryOperator_Sub ||
                                                        (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE));
    bool fits = c.kind == CXCursor_DeclRefExpr ? add_name(f, c, m)
                : c.kind == CXCursor_ConditionalOperator ? n == 3
                                                         : binary || sq_cursor_is_unary(f->r, c, CXUnaryOperator_Minus);
    products += binary && op == CXBinaryOperator_Mul;
    for (int i = 0; i < n && fits; i++)
        fits = add_names(f, child[i], m, products);
    return fits && products <= MOST_PRODUCTS;
}

static bool put_wide(sq_spelling *s, CXCursor c)
{
    if (c.kind == CXCursor_DeclRefExpr)
        sq_text_printf(&s->out, "(long long)%s", sq_cursor_spelling(s->r, c));
    return c.kind == CXCursor_DeclRefExpr;
}

static const char *wide_text(const sq_member_finder *f, CXCursor value)
{
    sq_spelling s = {.r = f->r, .other = put_wide};
    sq_text_puts(&s.out, "(");
    sq_spelling_expression(&s, value, 0);
    sq_text_puts(&s.out, ")");
    const char *text = sq_text_take(&s.out, f->r->arena);
    return s.fails ? NULL : text;
}

/* int ix = … and ix = … */
static bool read_set(const sq_member_finder *f, CXCursor c, CXCursor *decl, CXCursor *value)
{
    int n;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    *decl = c;
    if (c.kind == CXCursor_VarDecl)
        return sq_cursor_initial(f->r, c, value);
    if (!sq_cursor_is_assignment(f->r, c) || n != 2 || sq_cursor_strip(f->r, child[0]).kind != CXCursor_DeclRefExpr)
        return false;
    *decl = f->r->cl->clang_getCursorReferenced(sq_cursor_strip(f->r, child[0]));
    *value = child[1];
    return true;
}

void sq_member_first(sq_member_finder *f, CXCursor c)
{
    int64_t number;
    size_t from, to;
    CXCursor decl, value;
    sq_mention m = {.type = "long long", .is_first = true};
    if (!read_set(f, c, &decl, &value) || sq_cursor_strip(f->r, value).kind == CXCursor_DeclRefExpr ||
        kind_of(f, decl) != CXType_Int || sq_cursor_evaluated(f->r, value, &number) ||
        !is_counted(f, f->function, decl) || !add_names(f, value, &m, 0) ||
        sq_member_in_call(f, value, &from, &to) || !sq_scop_span(f->r, value, &m.from, &m.to) || m.to <= m.from ||
        memchr(f->text + m.from, '\n', m.to - m.from))
        return;
    m.said = sq_arena_strndup(f->r->arena, f->text + m.from, m.to - m.from);
    m.text = m.key = wide_text(f, value);
    if (m.text)
        sq_member_mention(f, &m);
}
