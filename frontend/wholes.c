/* Wholes: structs that get their value as a whole, p[i] = q[j], as assignments of all numbers that they are made of. A
 * value is an element of an array, a struct that the region declares (parts.c), or a list of values. Where the list may
 * read what the assignment writes, all values are variables of a block before the first of them is stored. */
#include "frontend/respelling_inside.h"
#include <string.h>

/* ---- the numbers of a struct ---- */

/* path: what leads to t, "at_x". */
static bool find_leaves(const sq_respeller *x, CXType t, int64_t offset, const char *path,
                        sq_leaves *to)
{
    const sq_clang *cl = x->r->cl;
    t = cl->clang_getCanonicalType(t);
    CXType element = cl->clang_getArrayElementType(t);
    int n;
    if (element.kind != CXType_Invalid) {
        bool fits = cl->clang_getArraySize(t) <= SQ_MOST_LEAVES;
        for (long long i = 0; fits && i < cl->clang_getArraySize(t); i++)
            fits = find_leaves(x, element, offset + i * cl->clang_Type_getSizeOf(element),
                               sq_arena_printf(x->r->arena, "%s_%lld", path, i), to);
        return fits;
    }
    if (t.kind != CXType_Record) {
        if (to->n == SQ_MOST_LEAVES || sq_struct_type_refused(x, t))
            return false;
        to->bytes += cl->clang_Type_getSizeOf(t);
        to->of[to->n].type = t;
        to->of[to->n].path = path;
        to->of[to->n++].offset = offset;
        return true;
    }
    CXCursor decl = cl->clang_getTypeDeclaration(t), *field = sq_cursor_children(x->r, decl, &n);
    bool fits = decl.kind == CXCursor_StructDecl;
    for (int i = 0; i < n && fits; i++) {
        const char *name = sq_cursor_spelling(x->r, field[i]);
        if (field[i].kind == CXCursor_FieldDecl)
            fits = !cl->clang_Cursor_isBitField(field[i]) &&
                   find_leaves(x, cl->clang_getCursorType(field[i]),
                               offset + cl->clang_Type_getOffsetOf(t, name) / 8,
                               sq_arena_printf(x->r->arena, "%s_%s", path, name), to);
    }
    return fits;
}

bool sq_whole_leaves(const sq_respeller *x, CXType t, sq_leaves *to)
{
    *to = (sq_leaves){0};
    return find_leaves(x, t, 0, "", to) && to->bytes == x->r->cl->clang_Type_getSizeOf(t);
}

/* ---- values ---- */

/* Either side of an assignment of structs. */
typedef struct side {
    CXCursor at;
    const sq_struct_parts *parts; /* a struct that the region declares */
    bool is_list;
    int n; /* values of a list, for the first numbers; the others are 0 */
    CXCursor *value;
    sq_address a; /* else an element of an array */
} side;

/* True if no value is of the form `.y = 1`, which says which number it is of: a node without a name that begins before
 * the value does. Values of calls stand in macros, and their text elsewhere. */
static bool are_in_order(const sq_respeller *x, const CXCursor *value, int n)
{
    bool are = true;
    for (int i = 0; i < n && are; i++) {
        int children;
        CXCursor *child = sq_cursor_children(x->r, value[i], &children);
        are = sq_cursor_is_expression(value[i]) &&
              (value[i].kind != CXCursor_UnexposedExpr || children == 0 ||
               (children == 1 && sq_cursor_covers(x->r, child[0], value[i])));
    }
    return are;
}

/* {x, y}, of a struct whose members are all numbers. */
static bool read_list(const sq_respeller *x, CXCursor c, side *to)
{
    int n, fields, numbers = 0;
    CXCursor decl = x->r->cl->clang_getTypeDeclaration(sq_address_type(x->r, c));
    CXCursor *child = sq_cursor_children(x->r, c, &n),
             *field = sq_cursor_children(x->r, decl, &fields);
    for (int i = 0; i < fields; i++)
        if (field[i].kind == CXCursor_FieldDecl) {
            if (!sq_address_is_number(sq_address_type(x->r, field[i])))
                return false;
            numbers++;
        }
    to->is_list = true;
    to->n = n;
    to->value = child;
    return n <= numbers && are_in_order(x, child, n);
}

static bool read_side(sq_respeller *x, CXCursor c, side *to)
{
    int n;
    c = sq_cursor_strip(x->r, c);
    *to = (side){.at = c, .parts = sq_parts_of(x, c)};
    if (to->parts)
        return true;
    if (c.kind == CXCursor_InitListExpr)
        return read_list(x, c, to);
    if (c.kind == CXCursor_CompoundLiteralExpr) {
        CXCursor *child = sq_cursor_children(x->r, c, &n);
        return n > 0 && child[n - 1].kind == CXCursor_InitListExpr &&
               read_list(x, child[n - 1], to);
    }
    return sq_address_read(&x->address, c, &to->a) && (to->a.n > 0 || to->a.is_moved);
}

static bool follows_memory(const sq_respeller *x, CXCursor c)
{
    return c.kind == CXCursor_ArraySubscriptExpr || sq_cursor_is_unary(x->r, c, CXUnaryOperator_Deref) ||
           (c.kind == CXCursor_MemberRefExpr && !sq_parts_is(x, c));
}

/* The parameter of the function that leads to p[i].x, or (&p[i])->x; false: something else does. */
static bool parameter_of(const sq_respeller *x, CXCursor c, CXCursor *decl)
{
    int n;
    for (c = sq_cursor_strip(x->r, c); follows_memory(x, c) || sq_cursor_is_unary(x->r, c, CXUnaryOperator_AddrOf);
         c = sq_cursor_strip(x->r, c)) {
        CXCursor *child = sq_cursor_children(x->r, c, &n);
        if (n == 0)
            return false;
        c = child[0];
    }
    *decl = x->r->cl->clang_getCursorReferenced(c);
    return c.kind == CXCursor_DeclRefExpr && decl->kind == CXCursor_ParmDecl;
}

/* True if the expression may read what is written through the parameter; NULL: through something else. What two
 * parameters lead to lies apart, or the original text runs. */
static bool may_read(const sq_respeller *x, CXCursor c, const CXCursor *written)
{
    int n;
    CXCursor from, *child = sq_cursor_children(x->r, c, &n);
    bool may = follows_memory(x, c) &&
               (!written || !parameter_of(x, c, &from) || sq_cursor_same(x->r, from, *written));
    for (int i = 0; i < n && !may; i++)
        may = may_read(x, child[i], written);
    return may;
}

/* True if no value of a list depends on what the assignments of those before it change. */
static bool are_apart(const sq_respeller *x, const side *left, const side *right)
{
    CXCursor written;
    bool separate = true, known = !left->parts && parameter_of(x, left->at, &written);
    for (int i = 0; right->is_list && i < right->n && separate; i++)
        separate = left->parts ? !sq_parts_mentioned(x, right->value[i], left->parts)
                               : !may_read(x, right->value[i], known ? &written : NULL);
    return separate;
}

static bool is_alone(const sq_respeller *x, CXCursor c)
{
    bool is = false;
    for (int i = 0; i < x->nalone && !is; i++)
        is = sq_cursor_same(x->r, x->alone[i], c);
    return is;
}

/* True if c assigns all of a struct to another, which it may read before it writes or not. */
static bool read_sides(sq_respeller *x, CXCursor c, side both[2], sq_leaves *to)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    CXType t = sq_address_type(x->r, c);
    return sq_cursor_is_assignment(x->r, c) && n == 2 && t.kind == CXType_Record &&
           read_side(x, child[0], &both[0]) && !both[0].is_list &&
           read_side(x, child[1], &both[1]) && sq_whole_leaves(x, t, to);
}

static bool read_copy(sq_respeller *x, CXCursor c, side both[2], sq_leaves *to)
{
    return read_sides(x, c, both, to) && (is_alone(x, c) || are_apart(x, &both[0], &both[1]));
}

bool sq_whole_overlaps(sq_respeller *x, CXCursor c)
{
    side both[2];
    sq_leaves all;
    return read_sides(x, c, both, &all) && !read_copy(x, c, both, &all);
}

bool sq_whole_is_copy(sq_respeller *x, CXCursor c)
{
    side both[2];
    sq_leaves all;
    return read_copy(x, c, both, &all);
}

bool sq_whole_is_value(sq_respeller *x, CXCursor c)
{
    side value;
    return read_side(x, c, &value);
}

/* ---- their text ---- */

static void put_leaf(sq_respeller *x, const side *v, const sq_leaves *leaves, int leaf,
                     sq_spelling *s)
{
    if (v->parts)
        sq_text_puts(&s->out, v->parts->name[leaf]);
    else if (v->is_list && leaf >= v->n)
        sq_text_puts(&s->out, "0");
    else if (v->is_list)
        sq_spelling_expression(s, v->value[leaf], SQ_BINDS_ASSIGN);
    else {
        sq_address a = v->a;
        a.in_struct = true;
        a.offset += leaves->of[leaf].offset;
        s->fails |= !sq_struct_put_leaf(x, v->at, leaves->of[leaf].type, &a, s);
    }
}

void sq_whole_put_leaf(sq_respeller *x, CXCursor c, const sq_leaves *leaves, int leaf,
                       sq_spelling *s)
{
    side value;
    s->fails |= !read_side(x, c, &value);
    if (!s->fails)
        put_leaf(x, &value, leaves, leaf, s);
}

static bool is_stored(const side *to, int leaf)
{
    return !to->parts || to->parts->is_used[leaf];
}

/* "value_y", of which nothing else has the name. */
static const char *name_of(const sq_respeller *x, const char *path)
{
    const char *name = sq_arena_printf(x->r->arena, "value%s", path);
    while (!sq_respeller_is_new(x, name))
        name = sq_arena_printf(x->r->arena, "%s_", name);
    return name;
}

/* { float value_x = ...; float value_y = ...; p[0] = value_x; p[1] = value_y; } */
static void put_block(sq_respeller *x, const side both[2], const sq_leaves *all, sq_spelling *s)
{
    sq_text_puts(&s->out, "{ ");
    for (int i = 0; i < all->n; i++) {
        if (!is_stored(&both[0], i))
            continue;
        sq_text_printf(&s->out, "%s %s = ", sq_struct_type_text(x, all->of[i].type), name_of(x, all->of[i].path));
        put_leaf(x, &both[1], all, i, s);
        sq_text_puts(&s->out, "; ");
    }
    for (int i = 0; i < all->n; i++) {
        if (!is_stored(&both[0], i))
            continue;
        put_leaf(x, &both[0], all, i, s);
        sq_text_printf(&s->out, " = %s; ", name_of(x, all->of[i].path));
    }
    sq_text_puts(&s->out, "}");
}

bool sq_whole_copy(sq_respeller *x, CXCursor c, sq_spelling *s)
{
    side both[2];
    sq_leaves all;
    bool any = false;
    if (!read_copy(x, c, both, &all))
        return false;
    if (!are_apart(x, &both[0], &both[1])) {
        put_block(x, both, &all, s);
        return true;
    }
    for (int i = 0; i < all.n; i++) {
        if (!is_stored(&both[0], i))
            continue;
        sq_text_puts(&s->out, any ? ", " : "");
        put_leaf(x, &both[0], &all, i, s);
        sq_text_puts(&s->out, " = ");
        put_leaf(x, &both[1], &all, i, s);
        any = true;
    }
    return true;
}

/* ---- where a block may stand ---- */

/* stands: c is all of a statement that nothing follows but ; */
static void find_alone(sq_respeller *x, CXCursor c, bool stands)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    if (stands && sq_cursor_is_assignment(x->r, c) && sq_address_type(x->r, c).kind == CXType_Record) {
        x->alone = sq_arena_grow(x->r->arena, x->alone, x->nalone, &x->alone_room, sizeof *x->alone);
        x->alone[x->nalone++] = c;
    }
    for (int i = 0; i < n && !sq_cursor_is_expression(c); i++)
        find_alone(x, child[i], c.kind == CXCursor_CompoundStmt || (c.kind == CXCursor_ForStmt && i == n - 1));
}

void sq_wholes_find(sq_respeller *x)
{
    x->nalone = 0;
    for (int i = 0; i < x->nstmts; i++)
        find_alone(x, x->stmt[i], true);
}
