/* Stages: integers that several statements of a block give their value before a subscript reads it,
 *     int xx = x + k; if (xx < 0) xx = 0; if (xx >= w) xx = w - 1;
 * What each statement makes of the value before becomes a variable of its own, int R = xx < 0 ? 0 : xx, the last one
 * with the name that the text goes on to read. So subscripts find conditions of indices in it (clamped.c). */
#include "frontend/respelling_inside.h"
#include <string.h>

enum { MOST_STAGES = 8 };

/* One variable; stage 0 is its first value. */
struct sq_staged {
    CXCursor decl;
    int n;
    CXCursor stmt[MOST_STAGES];
    const char *name[MOST_STAGES]; /* what it is called behind each */
    bool has_bare;
    CXCursor bare; /* its declaration without a value in the same block */
};

static CXCursor *children(const sq_respeller *x, CXCursor c, int *n)
{
    return sq_cursor_children(x->r, c, n);
}

static bool same(const sq_respeller *x, CXCursor a, CXCursor b)
{
    return x->r->cl->clang_equalCursors(a, b);
}

static bool mentions(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = children(x, c, &n);
    bool is = c.kind == CXCursor_DeclRefExpr && same(x, x->r->cl->clang_getCursorReferenced(c), decl);
    for (int i = 0; i < n && !is; i++)
        is = mentions(x, child[i], decl);
    return is;
}

/* ---- what a stage is ---- */

/* True if the value is made by operators alone, of variables and elements of arrays: nothing is called or written. */
static bool is_plain(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = children(x, c, &n), root;
    enum CXUnaryOperatorKind unary = x->r->cl->clang_getCursorUnaryOperatorKind(c);
    bool plain;
    switch (c.kind) {
    case CXCursor_MemberRefExpr:
        return sq_member_base(&x->f, c, &root);
    case CXCursor_DeclRefExpr:
        return x->r->cl->clang_getCursorReferenced(c).kind != CXCursor_FunctionDecl;
    case CXCursor_UnaryOperator:
        plain = unary == CXUnaryOperator_Plus || unary == CXUnaryOperator_Minus || unary == CXUnaryOperator_LNot;
        break;
    case CXCursor_BinaryOperator:
        plain = x->r->cl->clang_getCursorBinaryOperatorKind(c) < CXBinaryOperator_Assign;
        break;
    default:
        plain = sq_cursor_is_expression(c) && c.kind != CXCursor_CallExpr &&
                c.kind != CXCursor_CompoundAssignOperator && c.kind != CXCursor_UnaryExpr;
    }
    for (int i = 0; i < n && plain; i++)
        plain = is_plain(x, child[i]);
    return plain;
}

static bool names(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    c = sq_cursor_strip(x->r, c);
    return c.kind == CXCursor_DeclRefExpr && same(x, x->r->cl->clang_getCursorReferenced(c), decl);
}

/* What an assignment to the variable adds to what it was: "" for a new value, "+" or "-", of 1 "++" or "--"; NULL: c is
 * none. *value: the operand. */
static const char *assigns(const sq_respeller *x, CXCursor c, CXCursor decl, CXCursor *value)
{
    int n;
    CXCursor *side = children(x, c, &n);
    if (n == 0 || !names(x, side[0], decl))
        return NULL;
    if (c.kind == CXCursor_UnaryOperator) {
        enum CXUnaryOperatorKind step = x->r->cl->clang_getCursorUnaryOperatorKind(c);
        return step == CXUnaryOperator_PostInc || step == CXUnaryOperator_PreInc   ? "++"
               : step == CXUnaryOperator_PostDec || step == CXUnaryOperator_PreDec ? "--"
                                                                                   : NULL;
    }
    if (n != 2 || !sq_respeller_is_signed(x, side[1]) || !is_plain(x, side[1]))
        return NULL;
    *value = side[1];
    switch (x->r->cl->clang_getCursorBinaryOperatorKind(c)) {
    case CXBinaryOperator_Assign:
        return "";
    case CXBinaryOperator_AddAssign:
        return "+";
    case CXBinaryOperator_SubAssign:
        return "-";
    default:
        return NULL;
    }
}

/* True if all that the statement does is to give the variable a value, or another one where conditions hold. */
static bool is_stage(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor value, *part = children(x, c, &n);
    if (c.kind == CXCursor_CompoundStmt)
        return n == 1 && is_stage(x, part[0], decl);
    if (c.kind != CXCursor_IfStmt)
        return assigns(x, c, decl, &value) != NULL;
    bool is = n >= 2 && is_plain(x, part[0]);
    for (int i = 1; i < n && is; i++)
        is = is_stage(x, part[i], decl);
    return is;
}

/* ---- which variables ---- */

/* True if a subscript, or what moves a pointer, mentions the variable, or another integer that it is a part of. */
static bool leads_to_place(const sq_respeller *x, CXCursor c, CXCursor decl, bool in_place)
{
    int n;
    CXCursor *child = children(x, c, &n);
    if (c.kind == CXCursor_DeclRefExpr)
        return in_place && same(x, x->r->cl->clang_getCursorReferenced(c), decl);
    bool assigns = c.kind == CXCursor_BinaryOperator && n == 2 &&
                   x->r->cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign &&
                   sq_cursor_strip(x->r, child[0]).kind == CXCursor_DeclRefExpr && sq_respeller_is_signed(x, child[0]);
    bool deref = c.kind == CXCursor_UnaryOperator &&
                 x->r->cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref;
    bool found = false;
    for (int i = 0; i < n && !found; i++) {
        bool place = in_place || deref || (assigns && i == 1) || (c.kind == CXCursor_ArraySubscriptExpr && i == 1) ||
                     (c.kind == CXCursor_VarDecl &&
                      (sq_respeller_is_signed(x, c) || sq_address_type(x->r, c).kind == CXType_Pointer));
        found = leads_to_place(x, child[i], decl, place);
    }
    return found;
}

static bool span_of(const sq_respeller *x, CXCursor c, size_t *from, size_t *to)
{
    return sq_scop_span(x->r, c, from, to) && *from < *to;
}

/* True if the stages follow each other in the text, each with a place of its own. */
static bool are_apart(const sq_respeller *x, const struct sq_staged *v)
{
    size_t end = 0, from, to;
    for (int i = 0; i < v->n; i++) {
        if (!span_of(x, v->stmt[i], &from, &to) || from < end)
            return false;
        end = to;
    }
    return true;
}

/* The rest of the block from statement `at` on, where the first stage may be. False: the variable is none. */
static bool find_stages(const sq_respeller *x, const CXCursor *stmt, int n, int at, struct sq_staged *v)
{
    int i = at;
    for (v->n = 0; i < n && v->n < MOST_STAGES; i++) {
        CXCursor value;
        bool first = i == at, declares = first && stmt[i].kind == CXCursor_DeclStmt;
        const char *sign = first && !declares ? assigns(x, stmt[i], v->decl, &value) : "+";
        if (!sign || (!*sign && mentions(x, value, v->decl)) || (first && !declares && *sign))
            return false; /* it has no value before */
        if (declares || is_stage(x, stmt[i], v->decl))
            v->stmt[v->n++] = stmt[i];
        else if (mentions(x, stmt[i], v->decl))
            break;
    }
    bool changes = false, leads = false;
    for (; i < n && !changes; i++) {
        changes = sq_respeller_changes(x, stmt[i], v->decl);
        leads |= leads_to_place(x, stmt[i], v->decl, false);
    }
    return !changes && leads && are_apart(x, v);
}

static const char *type_text(const sq_respeller *x, CXCursor decl)
{
    return sq_clang_string(x->r, x->r->cl->clang_getTypeSpelling(sq_address_type(x->r, decl)));
}

static void add(sq_respeller *x, struct sq_staged *v)
{
    const char *name = sq_cursor_spelling(x->r, v->decl);
    for (int i = 0; i < v->n; i++) {
        v->name[i] = i + 1 < v->n ? sq_respeller_name(x) : name;
        sq_respeller_says(x, v->name[i], name);
    }
    x->staged = sq_arena_grow(x->r->arena, x->staged, x->nstaged, &x->staged_room, sizeof *x->staged);
    x->staged[x->nstaged++] = *v;
    x->here->has_stages = true;
}

static bool is_variable(const sq_respeller *x, CXCursor c)
{
    size_t at, from, to, end;
    enum CX_StorageClass storage = x->r->cl->clang_Cursor_getStorageClass(c);
    return c.kind == CXCursor_VarDecl && sq_respeller_is_signed(x, c) && storage != CX_SC_Static &&
           storage != CX_SC_Extern && sq_scop_span(x->r, c, &at, &end) &&
           sq_scop_span(x->r, x->around, &from, &to) && at >= from && at < to;
}

/* Variables that statement `at` declares, and the later ones change. */
static void find_declared(sq_respeller *x, const CXCursor *stmt, int n, int at)
{
    int ndecls;
    CXCursor value, *decl = children(x, stmt[at], &ndecls);
    for (int i = 0; i < ndecls; i++) {
        struct sq_staged v = {.decl = decl[i]};
        if (is_variable(x, decl[i]) && sq_cursor_initial(x->r, decl[i], &value) && is_plain(x, value) &&
            find_stages(x, stmt, n, at, &v) && v.n > 1)
            add(x, &v);
    }
}

static int count(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n, all = c.kind == CXCursor_DeclRefExpr && same(x, x->r->cl->clang_getCursorReferenced(c), decl);
    CXCursor *child = children(x, c, &n);
    for (int i = 0; i < n; i++)
        all += count(x, child[i], decl);
    return all;
}

/* A variable that is declared somewhere above, and mentioned in this block from statement `at` on alone. */
static void find_assigned(sq_respeller *x, const CXCursor *stmt, int n, int at)
{
    int nside, here = 0;
    CXCursor value, *side = children(x, stmt[at], &nside);
    if (stmt[at].kind != CXCursor_BinaryOperator || nside != 2)
        return;
    struct sq_staged v = {.decl = x->r->cl->clang_getCursorReferenced(sq_cursor_strip(x->r, side[0]))};
    if (!is_variable(x, v.decl) || sq_cursor_initial(x->r, v.decl, &value))
        return;
    for (int i = at; i < n; i++)
        here += count(x, stmt[i], v.decl);
    for (int i = 0; i < at; i++) {
        int ndecls;
        CXCursor *decl = children(x, stmt[i], &ndecls);
        for (int k = 0; stmt[i].kind == CXCursor_DeclStmt && k < ndecls; k++)
            if (same(x, decl[k], v.decl)) {
                v.bare = stmt[i];
                v.has_bare = true;
            }
    }
    if (here == count(x, x->around, v.decl) && find_stages(x, stmt, n, at, &v))
        add(x, &v);
}

static void find_in(sq_respeller *x, const CXCursor *stmt, int n)
{
    for (int i = 0; i < n; i++) {
        int ninner;
        CXCursor *inner = children(x, stmt[i], &ninner);
        if (stmt[i].kind == CXCursor_DeclStmt)
            find_declared(x, stmt, n, i);
        else if (sq_cursor_is_expression(stmt[i]))
            find_assigned(x, stmt, n, i);
        else if (stmt[i].kind == CXCursor_CompoundStmt)
            find_in(x, inner, ninner);
        else
            for (int k = 0; k < ninner; k++) /* a body without braces has no second statement */
                if (!sq_cursor_is_expression(inner[k]))
                    find_in(x, &inner[k], 1);
    }
}

void sq_stages_find(sq_respeller *x)
{
    x->nstaged = 0;
    if (!x->leaves_rows)
        find_in(x, x->stmt, x->nstmts);
}

/* ---- their text ---- */

bool sq_stage_is(const sq_respeller *x, CXCursor stmt)
{
    bool is = false;
    for (int i = 0; i < x->nstaged && !is; i++) {
        is = x->staged[i].has_bare && same(x, x->staged[i].bare, stmt);
        for (int k = 0; k < x->staged[i].n && !is; k++)
            is = same(x, x->staged[i].stmt[k], stmt);
    }
    return is;
}

static const struct sq_staged *staged_of(const sq_respeller *x, CXCursor decl)
{
    for (int i = 0; i < x->nstaged; i++)
        if (same(x, x->staged[i].decl, decl))
            return &x->staged[i];
    return NULL;
}

/* What a stage makes of the value that has the name `before`. */
static void put_value(const sq_respeller *x, sq_spelling *s, CXCursor c, CXCursor decl, const char *before)
{
    int n;
    CXCursor value, *part = children(x, c, &n);
    if (c.kind == CXCursor_CompoundStmt) {
        put_value(x, s, part[0], decl, before);
        return;
    }
    if (c.kind != CXCursor_IfStmt) {
        const char *sign = assigns(x, c, decl, &value);
        if (*sign)
            sq_text_printf(&s->out, "%s %c ", before, *sign);
        if (strlen(sign) == 2)
            sq_text_puts(&s->out, "1");
        else
            sq_spelling_expression(s, value, *sign ? SQ_BINDS_PRODUCT : SQ_BINDS_CHOICE);
        return;
    }
    sq_spelling_expression(s, part[0], SQ_BINDS_CHOICE + 1);
    for (int i = 1; i < 3; i++) {
        sq_text_puts(&s->out, i == 1 ? " ? (" : " : (");
        if (i < n)
            put_value(x, s, part[i], decl, before);
        else
            sq_text_puts(&s->out, before);
        sq_text_puts(&s->out, ")");
    }
}

/* A stage behind the first value. */
static bool put_stage(const sq_respeller *x, sq_spelling *s, CXCursor c)
{
    for (int i = 0; i < x->nstaged; i++)
        for (int k = 0; k < x->staged[i].n; k++) {
            const struct sq_staged *v = &x->staged[i];
            if (!same(x, v->stmt[k], c))
                continue;
            sq_text_printf(&s->out, "%s %s = ", type_text(x, v->decl), v->name[k]);
            put_value(x, s, c, v->decl, k > 0 ? v->name[k - 1] : "");
            sq_text_puts(&s->out, c.kind == CXCursor_IfStmt ? "; " : "");
            return true;
        }
    return false;
}

/* The name as it is in the stage that mentions it. */
static bool put_name(const sq_respeller *x, sq_spelling *s, CXCursor c)
{
    const struct sq_staged *v = staged_of(x, x->r->cl->clang_getCursorReferenced(c));
    size_t at, end, from, to;
    if (!v || !sq_scop_span(x->r, c, &at, &end))
        return false;
    for (int k = 0; k < v->n; k++)
        if (span_of(x, v->stmt[k], &from, &to) && at >= from && at < to) {
            sq_text_puts(&s->out, v->name[k > 0 ? k - 1 : 0]); /* int a = x, b = a */
            return true;
        }
    return false;
}

static bool put_declared(const sq_respeller *x, sq_spelling *s, CXCursor decl)
{
    CXCursor value;
    const struct sq_staged *v = staged_of(x, decl);
    if (!v)
        return false;
    if (!sq_cursor_initial(x->r, decl, &value))
        return v->has_bare; /* the last stage declares it */
    sq_text_printf(&s->out, "%s %s = ", type_text(x, decl), v->name[0]);
    sq_spelling_expression(s, value, SQ_BINDS_ASSIGN);
    sq_text_puts(&s->out, "; ");
    return true;
}

bool sq_stage_put(const sq_respeller *x, sq_spelling *s, CXCursor c)
{
    if (x->nstaged == 0)
        return false;
    if (c.kind == CXCursor_DeclRefExpr)
        return put_name(x, s, c);
    return c.kind == CXCursor_VarDecl ? put_declared(x, s, c) : put_stage(x, s, c);
}
