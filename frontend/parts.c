/* Parts: structs that a region declares, cpx t = a[i], as a variable for each number that they are made of. The region
 * reads and writes members, t.re, gives all of one a value from another, from an element or from a list, and stores it
 * to an element; nothing takes its address. Numbers that nothing reads are left out. */
#include "frontend/respelling_inside.h"
#include <string.h>

const sq_struct_parts *sq_parts_of(const sq_respeller *x, CXCursor c)
{
    c = sq_cursor_strip(x->r, c);
    CXCursor decl = c.kind == CXCursor_VarDecl ? c : x->r->cl->clang_getCursorReferenced(c);
    for (int i = 0; i < x->nparts; i++)
        if ((c.kind == CXCursor_DeclRefExpr || c.kind == CXCursor_VarDecl) &&
            sq_cursor_same(x->r, x->parts[i].decl, decl))
            return &x->parts[i];
    return NULL;
}

/* The number that t.re, or t.at.x, is; -1: c is no number of these structs. */
static int leaf_of(const sq_respeller *x, CXCursor c, const sq_struct_parts **of)
{
    const sq_clang *cl = x->r->cl;
    int n;
    int64_t offset = 0;
    CXCursor at = sq_cursor_strip(x->r, c);
    bool is = at.kind == CXCursor_MemberRefExpr;
    while (is && at.kind == CXCursor_MemberRefExpr) {
        CXCursor *child = sq_cursor_children(x->r, at, &n);
        CXCursor inner = n == 1 ? sq_cursor_strip(x->r, child[0]) : at;
        CXType t = sq_address_type(x->r, inner);
        is = n == 1 && t.kind == CXType_Record;
        offset += is ? cl->clang_Type_getOffsetOf(t, sq_cursor_spelling(x->r, at)) / 8 : 0;
        at = inner;
    }
    *of = is ? sq_parts_of(x, at) : NULL;
    bool number = sq_address_is_number(sq_address_type(x->r, sq_cursor_strip(x->r, c)));
    for (int i = 0; *of && number && i < (*of)->leaves.n; i++)
        if ((*of)->leaves.of[i].offset == offset)
            return i;
    return -1;
}

/* ---- which variables ---- */

static bool is_struct(const sq_respeller *x, CXCursor decl)
{
    CXType t = x->r->cl->clang_getCursorType(decl);
    enum CX_StorageClass storage = x->r->cl->clang_Cursor_getStorageClass(decl);
    return decl.kind == CXCursor_VarDecl && sq_address_type(x->r, decl).kind == CXType_Record &&
           storage != CX_SC_Static && storage != CX_SC_Extern &&
           !x->r->cl->clang_isVolatileQualifiedType(t);
}

static void find_in(sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    sq_struct_parts p = {.decl = c};
    if (is_struct(x, c) && sq_whole_leaves(x, sq_address_type(x->r, c), &p.leaves)) {
        x->parts =
            sq_arena_grow(x->r->arena, x->parts, x->nparts, &x->parts_room, sizeof *x->parts);
        x->parts[x->nparts++] = p;
    }
    for (int i = 0; i < n; i++)
        find_in(x, child[i]);
}

/* ---- how they are used ---- */

static sq_struct_parts *found(sq_respeller *x, CXCursor c)
{
    const sq_struct_parts *p = sq_parts_of(x, c);
    return p ? &x->parts[p - x->parts] : NULL;
}

static void use_all(sq_struct_parts *p)
{
    for (int i = 0; p && i < p->leaves.n; i++)
        p->is_used[i] = true;
}

/* Where all of a struct gets a value; each side, *n of them. */
static bool is_whole(sq_respeller *x, CXCursor c, CXCursor side[2], int *n)
{
    int children;
    CXCursor *child = sq_cursor_children(x->r, c, &children);
    *n = 2;
    if (sq_whole_is_copy(x, c)) {
        memcpy(side, child, 2 * sizeof *side);
        return true;
    }
    *n = 1;
    return c.kind == CXCursor_VarDecl && sq_parts_of(x, c) &&
           sq_cursor_initial(x->r, c, &side[0]) && sq_whole_is_value(x, side[0]);
}

/* False if something mentions one of the variables in another way than as a number, or as a whole that gets or is a
 * value; *at: that variable. */
static bool look(sq_respeller *x, CXCursor c, sq_struct_parts **at)
{
    int n, sides;
    const sq_struct_parts *of;
    CXCursor side[2], *child = sq_cursor_children(x->r, c, &n);
    int leaf = c.kind == CXCursor_MemberRefExpr ? leaf_of(x, c, &of) : -1;
    if (leaf >= 0)
        return x->parts[of - x->parts].is_used[leaf] = true;
    bool fits = true;
    if (is_whole(x, c, side, &sides)) {
        use_all(found(x, side[sides - 1]));
        for (int i = 0; i < sides && fits; i++)
            fits = sq_parts_of(x, side[i]) || look(x, side[i], at);
        return fits;
    }
    CXCursor value;
    *at = c.kind == CXCursor_DeclRefExpr ||
                  (c.kind == CXCursor_VarDecl && sq_cursor_initial(x->r, c, &value))
              ? found(x, c)
              : NULL;
    if (*at)
        return false;
    for (int i = 0; i < n && fits; i++)
        fits = look(x, child[i], at);
    return fits;
}

/* Takes out the first one that is used in another way; false: there is none. */
static bool take_out(sq_respeller *x)
{
    sq_struct_parts *at = NULL;
    for (int i = 0; i < x->nparts; i++)
        memset(x->parts[i].is_used, 0, sizeof x->parts[i].is_used);
    for (int i = 0; i < x->nstmts; i++)
        if (!look(x, x->stmt[i], &at)) {
            *at = x->parts[--x->nparts];
            return true;
        }
    return false;
}

static bool is_new(const sq_respeller *x, const char *name)
{
    bool is = sq_respeller_is_new(x, name);
    for (int i = 0; i < x->nparts && is; i++)
        for (int k = 0; k < x->parts[i].leaves.n && is; k++)
            is = !x->parts[i].name[k] || strcmp(x->parts[i].name[k], name) != 0;
    return is;
}

/* "t_re", of which nothing else has the name. */
static const char *name_of(const sq_respeller *x, const sq_struct_parts *p, int leaf)
{
    const char *name = sq_arena_printf(x->r->arena, "%s%s", sq_cursor_spelling(x->r, p->decl),
                                       p->leaves.of[leaf].path);
    while (!is_new(x, name))
        name = sq_arena_printf(x->r->arena, "%s_", name);
    return name;
}

/* One of which nothing uses a number is there all the same. */
static void settle(sq_respeller *x, sq_struct_parts *p)
{
    bool any = false;
    for (int i = 0; i < p->leaves.n; i++) {
        p->name[i] = name_of(x, p, i);
        any |= p->is_used[i];
    }
    if (!any)
        use_all(p);
}

void sq_parts_find(sq_respeller *x)
{
    x->nparts = 0;
    for (int i = 0; i < x->nstmts && !x->leaves_rows; i++)
        find_in(x, x->stmt[i]);
    while (take_out(x))
        continue;
    for (int i = 0; i < x->nparts; i++)
        settle(x, &x->parts[i]);
}

/* ---- their text ---- */

bool sq_parts_mentioned(const sq_respeller *x, CXCursor c, const sq_struct_parts *p)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool is = c.kind == CXCursor_DeclRefExpr && sq_parts_of(x, c) == p;
    for (int i = 0; i < n && !is; i++)
        is = sq_parts_mentioned(x, child[i], p);
    return is;
}

bool sq_parts_is(const sq_respeller *x, CXCursor c)
{
    const sq_struct_parts *of;
    return c.kind == CXCursor_VarDecl ? sq_parts_of(x, c) != NULL
                                      : c.kind == CXCursor_MemberRefExpr && leaf_of(x, c, &of) >= 0;
}

bool sq_parts_put(sq_respeller *x, sq_spelling *s, CXCursor c)
{
    const sq_struct_parts *p;
    CXCursor value;
    if (c.kind == CXCursor_MemberRefExpr) {
        int leaf = leaf_of(x, c, &p);
        if (leaf >= 0)
            sq_text_puts(&s->out, p->name[leaf]);
        return leaf >= 0;
    }
    p = c.kind == CXCursor_VarDecl ? sq_parts_of(x, c) : NULL;
    if (!p)
        return false;
    bool has_value = sq_cursor_initial(x->r, c, &value);
    for (int i = 0; i < p->leaves.n; i++) {
        if (!p->is_used[i])
            continue;
        sq_text_printf(&s->out, "%s %s", sq_struct_type_text(x, p->leaves.of[i].type), p->name[i]);
        if (has_value) {
            sq_text_puts(&s->out, " = ");
            sq_whole_put_leaf(x, value, &p->leaves, i, s);
        }
        sq_text_puts(&s->out, "; ");
    }
    return true;
}
