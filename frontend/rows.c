/* Rows: pointers that a region declares and only reads, float *row = img + y * w. What they lead to is said with their
 * value in their place, row[x] as img[y * w + x], and their declarations are left out. */
#include "frontend/respelling_inside.h"
#include <string.h>

bool sq_row_value(const sq_respeller *x, CXCursor decl, CXCursor *value)
{
    for (int i = 0; i < x->nrows; i++)
        if (sq_cursor_same(x->r, x->row[i], decl))
            return sq_cursor_initial(x->r, decl, value);
    return false;
}

bool sq_row_is_gone(const sq_respeller *x, CXCursor decl)
{
    CXCursor value;
    bool is = sq_row_value(x, decl, &value);
    for (int i = 0; i < x->nwalks && !is; i++)
        is = x->walk[i].is_own && sq_cursor_same(x->r, x->walk[i].decl, decl);
    return is;
}

/* ---- what changes ---- */

bool sq_respeller_is_signed(const sq_respeller *x, CXCursor c)
{
    enum CXTypeKind k = sq_address_type(x->r, c).kind;
    return k == CXType_Int || k == CXType_Long || k == CXType_LongLong;
}

bool sq_respeller_changes_here(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor root, *child = sq_cursor_children(x->r, c, &n);
    bool writes = sq_cursor_assigns(x->r, c) || sq_cursor_is_unary(x->r, c, CXUnaryOperator_AddrOf);
    if (!writes || n == 0 || !sq_member_base(&x->f, child[0], &root) || !sq_cursor_same(x->r, root, decl))
        return false;
    return sq_cursor_strip(x->r, child[0]).kind == CXCursor_DeclRefExpr ||
           sq_address_type(x->r, decl).kind != CXType_Pointer; /* p->w is no part of p */
}

bool sq_respeller_changes(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool changes = sq_respeller_changes_here(x, c, decl);
    for (int i = 0; i < n && !changes; i++)
        changes = sq_respeller_changes(x, child[i], decl);
    return changes;
}

bool sq_respeller_takes_address(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool takes = sq_cursor_is_unary(x->r, c, CXUnaryOperator_AddrOf) && sq_respeller_changes_here(x, c, decl);
    for (int i = 0; i < n && !takes; i++)
        takes = sq_respeller_takes_address(x, child[i], decl);
    return takes;
}

/* Statements in a row: those of a block, or of the region. */
typedef struct block {
    const CXCursor *stmt;
    int n;
} block;

/* What stages.c has found has its value before something else reads it. */
static bool changes_in(const sq_respeller *x, block in, CXCursor decl)
{
    bool changes = false;
    for (int i = 0; i < in.n && !changes; i++)
        changes = !sq_stage_is(x, in.stmt[i]) && sq_respeller_changes(x, in.stmt[i], decl);
    return changes;
}

/* True if the value is the same in all of the block: it calls nothing, and nothing there changes what it mentions, but
 * for pointers that a loop around moves: where these are, the loop's variable says wherever that is read. */
static bool is_steady(const sq_respeller *x, CXCursor value, block in)
{
    int n;
    bool inside = false;
    int64_t ahead;
    CXCursor *child = sq_cursor_children(x->r, value, &n);
    bool steady = value.kind != CXCursor_CallExpr;
    if (value.kind == CXCursor_DeclRefExpr) {
        CXCursor decl = x->r->cl->clang_getCursorReferenced(value);
        bool variable = decl.kind == CXCursor_VarDecl || decl.kind == CXCursor_ParmDecl;
        steady &= !variable || !changes_in(x, in, decl) || (sq_walk_of(x, value, &inside, &ahead) && inside);
    }
    for (int i = 0; i < n && steady; i++)
        steady = is_steady(x, child[i], in);
    return steady;
}

/* True if the text declares another variable of that name. */
static bool declares(const sq_respeller *x, CXCursor c, CXCursor decl, const char *name)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool is = c.kind == CXCursor_VarDecl && !sq_cursor_same(x->r, c, decl) &&
              strcmp(sq_cursor_spelling(x->r, c), name) == 0;
    for (int i = 0; i < n && !is; i++)
        is = declares(x, child[i], decl, name);
    return is;
}

/* True if something that the value mentions has another meaning somewhere in the block. */
static bool is_hidden_in(const sq_respeller *x, CXCursor value, block in)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, value, &n), decl = x->r->cl->clang_getCursorReferenced(value);
    const char *name = value.kind == CXCursor_DeclRefExpr ? sq_cursor_spelling(x->r, value) : NULL;
    bool is = false;
    for (int i = 0; name && i < in.n && !is; i++)
        is = declares(x, in.stmt[i], decl, name);
    for (int i = 0; i < n && !is; i++)
        is = is_hidden_in(x, child[i], in);
    return is;
}

static bool reads_memory(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool reads = c.kind == CXCursor_ArraySubscriptExpr || sq_cursor_is_unary(x->r, c, CXUnaryOperator_Deref);
    for (int i = 0; i < n && !reads; i++)
        reads = reads_memory(x, child[i]);
    return reads;
}

/* ---- how it is used ---- */

static bool is_pointer(const sq_respeller *x, CXCursor c)
{
    CXType t = sq_address_type(x->r, sq_cursor_strip(x->r, c));
    return t.kind == CXType_Pointer || x->r->cl->clang_getArrayElementType(t).kind != CXType_Invalid;
}

/* True if all that the text does with the pointer is to follow it. follows: somebody follows what c is. */
static bool only_follows(const sq_respeller *x, CXCursor c, CXCursor decl, bool follows)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    int64_t by;
    if (sq_walk_step(x, c, &by))
        return true; /* walks.c has looked at it */
    if (c.kind == CXCursor_DeclRefExpr)
        return follows || !sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), decl);
    CXType t = sq_address_type(x->r, c);
    bool number = sq_address_is_number(t), record = t.kind == CXType_Record, ok = true;
    bool element = c.kind == CXCursor_ArraySubscriptExpr || sq_cursor_is_unary(x->r, c, CXUnaryOperator_Deref);
    bool sums = c.kind == CXCursor_CStyleCastExpr || (c.kind == CXCursor_BinaryOperator && is_pointer(x, c));
    bool passes = c.kind == CXCursor_ParenExpr || c.kind == CXCursor_UnexposedExpr ||
                  c.kind == CXCursor_MemberRefExpr || sq_cursor_is_unary(x->r, c, CXUnaryOperator_AddrOf);
    bool below = sq_row_is_gone(x, c) || (element && (number || record || follows)) ||
                 (c.kind == CXCursor_MemberRefExpr && number) || ((passes || sums) && follows);
    for (int i = 0; i < n && ok; i++)
        ok = only_follows(x, child[i], decl, below && (passes || is_pointer(x, child[i])));
    return ok;
}

/* ---- the region ---- */

static void add_row(sq_respeller *x, CXCursor decl)
{
    CXCursor ignored;
    if (sq_row_value(x, decl, &ignored))
        return;
    x->row = sq_arena_grow(x->r->arena, x->row, x->nrows, &x->row_room, sizeof *x->row);
    x->row[x->nrows++] = decl;
}

bool sq_row_is_hidden(const sq_respeller *x, CXCursor value, CXCursor stmt)
{
    return is_hidden_in(x, value, (block){&stmt, 1});
}

/* reads: its subscripts may be elements. */
static bool is_steady_place(const sq_respeller *x, CXCursor value, block in, bool reads)
{
    sq_address a = {0};
    bool fits = sq_address_value(&x->address, value, &a);
    for (int i = 0; i < a.n && fits && !reads; i++)
        fits = !reads_memory(x, a.term[i].index);
    bool single = fits && sq_address_type(x->r, a.base).kind == CXType_Record;
    return fits && !single && is_steady(x, value, in) && !is_hidden_in(x, value, in);
}

bool sq_row_is_steady(const sq_respeller *x, CXCursor value, const CXCursor *stmt, int n)
{
    return is_steady_place(x, value, (block){stmt, n}, false);
}

/* True if the variable leads to one place of an array in all of its block. Which one it is, elements may say,
 * t + x[i]*n: subscripts that are values are made of what the region does not write (indirect.c). */
static bool is_row(const sq_respeller *x, CXCursor decl, block in)
{
    CXCursor value;
    return decl.kind == CXCursor_VarDecl && sq_address_type(x->r, decl).kind == CXType_Pointer &&
           x->r->cl->clang_Cursor_getStorageClass(decl) != CX_SC_Static && sq_cursor_initial(x->r, decl, &value) &&
           is_steady_place(x, value, in, true) && !changes_in(x, in, decl);
}

static void find_in(sq_respeller *x, block in)
{
    for (int i = 0; i < in.n; i++) {
        block inner;
        inner.stmt = sq_cursor_children(x->r, in.stmt[i], &inner.n);
        for (int k = 0; in.stmt[i].kind == CXCursor_DeclStmt && k < inner.n; k++)
            if (is_row(x, inner.stmt[k], in))
                add_row(x, inner.stmt[k]);
        find_in(x, inner);
    }
}

static bool is_followed(const sq_respeller *x, CXCursor decl)
{
    bool only = true;
    for (int i = 0; i < x->nstmts && only; i++)
        only = only_follows(x, x->stmt[i], decl, false);
    return only;
}

/* Takes out the first one of which the text does more than to follow it; false: there is none. */
static bool take_out(sq_respeller *x)
{
    for (int i = 0; i < x->nrows; i++)
        if (!is_followed(x, x->row[i])) {
            x->row[i] = x->row[--x->nrows];
            return true;
        }
    for (int i = 0; i < x->nwalks; i++)
        if (!is_followed(x, x->walk[i].decl)) {
            x->walk[i] = x->walk[--x->nwalks];
            return true;
        }
    return false;
}

void sq_rows_find(sq_respeller *x)
{
    x->nrows = x->nwalks = 0;
    if (x->leaves_rows)
        return;
    find_in(x, (block){x->stmt, x->nstmts});
    sq_walks_find(x);
    if (x->nwalks > 0)
        find_in(x, (block){x->stmt, x->nstmts}); /* rows that begin where such a pointer is */
    while (take_out(x))
        continue;
}
