/* Kept variables of calls: which variables of a function are what their values say, and which stay variables: arrays,
 * what a loop changes, and what depends on memory that the function writes, or on a variable that stays one. */
#include "frontend/calls_inside.h"
#include "frontend/members_inside.h"
#include <string.h>

CXType sq_call_type(const sq_inlining *x, CXCursor c)
{
    return x->f->r->cl->clang_getCanonicalType(x->f->r->cl->clang_getCursorType(c));
}

bool sq_call_is_real(CXType t)
{
    return t.kind == CXType_Float || t.kind == CXType_Double || t.kind == CXType_Float16 || t.kind == CXType_LongDouble;
}

/* ---- which variables stay variables ---- */

bool sq_call_is_kept(const sq_inlining *x, CXCursor decl)
{
    for (int i = 0; i < x->nkept; i++)
        if (x->f->r->cl->clang_equalCursors(x->kept[i], decl))
            return true;
    return false;
}

static void keep(sq_inlining *x, CXCursor decl)
{
    if (sq_call_is_kept(x, decl))
        return;
    x->kept = sq_arena_grow(x->f->r->arena, x->kept, x->nkept, &x->kept_room, sizeof *x->kept);
    x->kept[x->nkept++] = decl;
}

bool sq_call_own_variable(const sq_inlining *x, CXCursor c, CXCursor *decl)
{
    return sq_call_variable(x, c, decl) && sq_call_is_own(x, *decl);
}

static bool mentions_kept(const sq_inlining *x, CXCursor c)
{
    int n;
    CXCursor decl, *child = sq_cursor_children(x->f->r, c, &n);
    bool is = sq_call_own_variable(x, c, &decl) && sq_call_is_kept(x, decl);
    for (int i = 0; i < n && !is; i++)
        is = mentions_kept(x, child[i]);
    return is;
}

/* True if it is a variable that other functions know. */
static bool is_shared(const sq_inlining *x, CXCursor c)
{
    CXCursor decl;
    return c.kind == CXCursor_DeclRefExpr && sq_call_variable(x, c, &decl) &&
           x->f->r->cl->clang_getCursorLinkage(decl) != CXLinkage_NoLinkage;
}

/* True if `does` is true of something in the body of the function that is called, one of the file. */
typedef bool property(const sq_inlining *x, CXCursor c);

static bool callee_does(const sq_inlining *x, CXCursor call, property *does)
{
    int n;
    sq_inlining y = {.f = x->f, .depth = x->depth + 1};
    if (!sq_call_definition(x->f, call, &y.function))
        return false;
    CXCursor *child = sq_cursor_children(x->f->r, y.function, &n);
    return y.depth > SQ_CALL_DEPTH || !sq_scop_span(x->f->r, y.function, &y.from, &y.to) || does(&y, child[n - 1]);
}

/* Functions of the C library that a region may call read nothing. */
bool sq_call_reads_here(const sq_inlining *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->f->r, c, &n);
    bool deref = c.kind == CXCursor_UnaryOperator &&
                 x->f->r->cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref;
    bool arrow =
        c.kind == CXCursor_MemberRefExpr && n == 1 && sq_call_type(x, child[0]).kind == CXType_Pointer;
    return deref || arrow || c.kind == CXCursor_ArraySubscriptExpr || is_shared(x, c) ||
           (c.kind == CXCursor_CallExpr && callee_does(x, c, sq_call_reads_memory));
}

bool sq_call_reads_memory(const sq_inlining *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->f->r, c, &n);
    bool is = sq_call_reads_here(x, c);
    for (int i = 0; i < n && !is; i++)
        is = sq_call_reads_memory(x, child[i]);
    return is;
}

bool sq_call_is_writing(const sq_inlining *x, CXCursor c, CXCursor **side, int *n)
{
    const sq_clang *cl = x->f->r->cl;
    enum CXUnaryOperatorKind unary = cl->clang_getCursorUnaryOperatorKind(c);
    *side = sq_cursor_children(x->f->r, c, n);
    if (c.kind == CXCursor_UnaryOperator)
        return *n == 1 && unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec;
    return *n == 2 && (c.kind == CXCursor_CompoundAssignOperator ||
                       (c.kind == CXCursor_BinaryOperator &&
                        cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign));
}

static bool is_array(const sq_inlining *x, CXCursor c)
{
    return x->f->r->cl->clang_getArrayElementType(sq_call_type(x, c)).kind != CXType_Invalid;
}

/* The variable that an element or a member is a part of; what a pointer leads to is none. */
static bool holder_of(const sq_inlining *x, CXCursor c, CXCursor *decl)
{
    int n;
    for (c = sq_cursor_strip(x->f->r, c); c.kind != CXCursor_DeclRefExpr;) {
        CXCursor *child = sq_cursor_children(x->f->r, c, &n);
        CXCursor of = n > 0 ? sq_cursor_strip(x->f->r, child[0]) : c;
        bool is_part =
            (c.kind == CXCursor_MemberRefExpr && sq_call_type(x, of).kind == CXType_Record) ||
            (c.kind == CXCursor_ArraySubscriptExpr && is_array(x, of));
        if (n == 0 || !is_part)
            return false;
        c = of;
    }
    return sq_call_own_variable(x, c, decl);
}

/* True if only the function itself can know of what is written. */
static bool writes_own(const sq_inlining *x, CXCursor to)
{
    CXCursor decl;
    if (sq_call_own_variable(x, to, &decl))
        return true;
    if (!holder_of(x, to, &decl))
        return false;
    return sq_call_type(x, decl).kind == CXType_Record || (is_array(x, decl) && decl.kind == CXCursor_VarDecl);
}

static bool writes_memory(const sq_inlining *x, CXCursor c)
{
    int n;
    CXCursor *child;
    if (sq_call_is_writing(x, c, &child, &n) && !writes_own(x, child[0]))
        return true;
    if (c.kind == CXCursor_CallExpr && callee_does(x, c, writes_memory))
        return true;
    for (int i = 0; i < n; i++)
        if (writes_memory(x, child[i]))
            return true;
    return false;
}

/* What the value of a variable is read off must stay until the variable is read. */
static bool value_stays(const sq_inlining *x, CXCursor decl, CXCursor value)
{
    return !mentions_kept(x, value) && !(x->writes && (sq_call_is_real(sq_call_type(x, decl)) ||
                                                       sq_call_reads_memory(x, value)));
}

static void find_declared(sq_inlining *x, CXCursor decl)
{
    CXCursor value;
    if (is_array(x, decl) ||
        (sq_cursor_initial(x->f->r, decl, &value) && !value_stays(x, decl, value)))
        keep(x, decl);
}

bool sq_call_is_of_numbers(const sq_inlining *x, CXCursor decl)
{
    int n;
    bool numbers = true;
    CXCursor type = x->f->r->cl->clang_getTypeDeclaration(sq_call_type(x, decl));
    CXCursor *field = sq_cursor_children(x->f->r, type, &n);
    for (int i = 0; i < n; i++)
        if (field[i].kind == CXCursor_FieldDecl)
            numbers &= sq_address_is_number(sq_call_type(x, field[i])) &&
                       !x->f->r->cl->clang_Cursor_isBitField(field[i]);
    return numbers && type.kind == CXCursor_StructDecl;
}

static void find_written(sq_inlining *x, CXCursor *side, int n, bool in_loop)
{
    CXCursor decl;
    if (sq_call_own_variable(x, side[0], &decl)) {
        if (in_loop || (n == 2 && !value_stays(x, decl, side[1])))
            keep(x, decl);
    } else if (holder_of(x, side[0], &decl) && sq_call_type(x, decl).kind == CXType_Record) {
        if (sq_call_is_of_numbers(x, decl))
            keep(x, decl);
        else
            sq_inlining_fails(x, side[0], "it changes a struct of its own, which holds more than numbers");
    }
}

/* in_loop: or under a condition that does not say the same behind what is under it. */
static void find_kept(sq_inlining *x, CXCursor c, bool in_loop)
{
    int n;
    CXCursor decl, *child;
    if (sq_call_is_writing(x, c, &child, &n))
        find_written(x, child, n, in_loop);
    if (c.kind == CXCursor_VarDecl && sq_call_is_own(x, c))
        find_declared(x, c);
    if (c.kind == CXCursor_UnaryOperator && n == 1 && sq_call_own_variable(x, child[0], &decl) &&
        x->f->r->cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_AddrOf)
        sq_inlining_fails(x, c, "it takes the address of a variable of its own");
    in_loop |= c.kind == CXCursor_ForStmt ||
               (c.kind == CXCursor_IfStmt &&
                (mentions_kept(x, child[0]) || (x->writes && sq_call_reads_memory(x, child[0]))));
    for (int i = 0; i < n; i++) {
        if (c.kind == CXCursor_ForStmt && child[i].kind == CXCursor_DeclStmt) {
            int declared;
            CXCursor *d = sq_cursor_children(x->f->r, child[i], &declared);
            for (int k = 0; k < declared; k++)
                keep(x, d[k]);
        }
        find_kept(x, child[i], in_loop);
    }
}

void sq_call_find_kept(sq_inlining *x, CXCursor body)
{
    int marked;
    x->writes = writes_memory(x, body);
    do {
        marked = x->nkept;
        find_kept(x, body, false);
    } while (x->nkept > marked);
}
