/* Turns: loops of a region that no for counts, while (n--), while (i < n) { …; i++; } and do { … } while (--n),
 * become such a for in the copy that clang reads. Where n, counted down, is named for nothing else, the for has a
 * variable of its own: how often the loop turns is what n is before. */
#include "frontend/calls_inside.h"
#include <string.h>

/* The variable that a condition counts or compares. */
typedef struct counted {
    CXCursor decl;
    const char *name;
    size_t declared; /* where */
} counted;

static CXCursor *children(const sq_call_finder *f, CXCursor c, int *n)
{
    return sq_cursor_children(f->r, c, n);
}

/* An integer of the function's own. */
static bool read_variable(const sq_call_finder *f, CXCursor c, counted *to)
{
    const sq_clang *cl = f->r->cl;
    size_t end, function, last;
    c = sq_cursor_strip(f->r, c);
    to->decl = cl->clang_getCursorReferenced(c);
    CXType t = cl->clang_getCanonicalType(cl->clang_getCursorType(to->decl));
    bool integer = t.kind == CXType_Int || t.kind == CXType_Long || t.kind == CXType_UInt || t.kind == CXType_ULong ||
                   t.kind == CXType_Short || t.kind == CXType_UShort;
    to->name = sq_cursor_spelling(f->r, to->decl);
    return c.kind == CXCursor_DeclRefExpr && integer && !cl->clang_isVolatileQualifiedType(t) &&
           (to->decl.kind == CXCursor_VarDecl || to->decl.kind == CXCursor_ParmDecl) &&
           cl->clang_Cursor_getStorageClass(to->decl) != CX_SC_Static &&
           cl->clang_Cursor_getStorageClass(to->decl) != CX_SC_Extern &&
           sq_scop_span(f->r, to->decl, &to->declared, &end) && sq_scop_span(f->r, f->around, &function, &last) &&
           to->declared > function && end < last;
}

/* ---- where else it is named ---- */

typedef struct naming {
    const sq_call_finder *f;
    CXCursor decl;
    int inside;     /* the region */
    bool elsewhere; /* behind it, or where a jump or a loop around it leads behind it; or its address is taken */
} naming;

static bool is_loop(CXCursor c)
{
    return c.kind == CXCursor_ForStmt || c.kind == CXCursor_WhileStmt || c.kind == CXCursor_DoStmt;
}

static bool is_name_of(const sq_call_finder *f, CXCursor c, CXCursor decl)
{
    return c.kind == CXCursor_DeclRefExpr &&
           f->r->cl->clang_equalCursors(f->r->cl->clang_getCursorReferenced(c), decl);
}

static void look_for_names(naming *x, CXCursor c)
{
    int n;
    size_t from = 0, to = 0, declared, end;
    CXCursor *child = children(x->f, c, &n);
    const sq_region_text *region = &x->f->region;
    bool known = sq_scop_span(x->f->r, c, &from, &to), is = is_name_of(x->f, c, x->decl);
    x->inside += is && known && from >= region->from && to <= region->to;
    x->elsewhere |= (is && (!known || from >= region->to)) || c.kind == CXCursor_LabelStmt;
    x->elsewhere |= sq_cursor_is_unary(x->f->r, c, CXUnaryOperator_AddrOf) && n == 1 &&
                    is_name_of(x->f, sq_cursor_strip(x->f->r, child[0]), x->decl);
    if (is_loop(c) && known && from < region->from && to > region->to)
        x->elsewhere |= !sq_scop_span(x->f->r, x->decl, &declared, &end) || declared < from;
    for (int i = 0; i < n; i++)
        look_for_names(x, child[i]);
}

/* True if the region names the variable that often, nothing comes to read what the loop leaves in it, and each loop of
 * the region around this one declares it anew. */
static bool is_spent(const sq_call_finder *f, const counted *v, int times)
{
    naming x = {.f = f, .decl = v->decl};
    look_for_names(&x, f->around);
    return x.inside == times && !x.elsewhere && v->declared >= f->loop;
}

/* ---- conditions ---- */

static bool is_zero(const sq_call_finder *f, CXCursor c)
{
    int64_t value;
    return sq_cursor_evaluated(f->r, c, &value) && value == 0;
}

/* n-- or --n, which the condition compares with 0, or asks for; *before: --n. Also n alone, where nothing steps. */
typedef struct condition {
    counted of;
    bool steps, before;
    bool includes; /* >= 0 */
} condition;

static bool read_condition(const sq_call_finder *f, CXCursor c, condition *to)
{
    int n;
    c = sq_cursor_strip(f->r, c);
    CXCursor *side = children(f, c, &n);
    enum CXBinaryOperatorKind op = f->r->cl->clang_getCursorBinaryOperatorKind(c);
    if (c.kind == CXCursor_BinaryOperator && n == 2) {
        bool compares = op == CXBinaryOperator_GT || op == CXBinaryOperator_NE || op == CXBinaryOperator_GE;
        to->includes = op == CXBinaryOperator_GE;
        if (!compares || !is_zero(f, side[1]))
            return false;
        c = sq_cursor_strip(f->r, side[0]);
        side = children(f, c, &n);
    }
    to->before = sq_cursor_is_unary(f->r, c, CXUnaryOperator_PreDec);
    to->steps = to->before || sq_cursor_is_unary(f->r, c, CXUnaryOperator_PostDec);
    return read_variable(f, to->steps ? side[0] : c, &to->of);
}

/* True if the statement steps the variable by one, *up or down. */
static bool is_step(const sq_call_finder *f, CXCursor c, const counted *v, bool *up)
{
    int n;
    int64_t by;
    counted other;
    CXCursor *side = children(f, c, &n);
    *up = sq_cursor_is_unary(f->r, c, CXUnaryOperator_PostInc) || sq_cursor_is_unary(f->r, c, CXUnaryOperator_PreInc);
    bool one = *up || sq_cursor_is_unary(f->r, c, CXUnaryOperator_PostDec) ||
               sq_cursor_is_unary(f->r, c, CXUnaryOperator_PreDec);
    if (c.kind == CXCursor_CompoundAssignOperator && n == 2 && sq_cursor_evaluated(f->r, side[1], &by)) {
        enum CXBinaryOperatorKind op = f->r->cl->clang_getCursorBinaryOperatorKind(c);
        *up = op == CXBinaryOperator_AddAssign;
        one = by == 1 && (*up || op == CXBinaryOperator_SubAssign);
    }
    return one && read_variable(f, side[0], &other) && f->r->cl->clang_equalCursors(other.decl, v->decl);
}

/* The last statement of a loop's body. */
static bool last_of(const sq_call_finder *f, CXCursor body, CXCursor *last)
{
    int n;
    CXCursor *stmt = children(f, body, &n);
    if (body.kind != CXCursor_CompoundStmt || n == 0)
        return false;
    *last = stmt[n - 1];
    return true;
}

static bool continues(const sq_call_finder *f, CXCursor c)
{
    int n;
    CXCursor *child = children(f, c, &n);
    bool found = c.kind == CXCursor_ContinueStmt;
    for (int i = 0; i < n && !found && !is_loop(c); i++)
        found = continues(f, child[i]);
    return found;
}

/* ---- the for ---- */

const char *sq_call_turn_name(const sq_call_finder *f)
{
    const char *name = "turn";
    while (sq_call_is_taken(f, name))
        name = sq_arena_printf(f->r->arena, "%s_", name);
    return name;
}

static const char *type_of(const sq_call_finder *f, const counted *v)
{
    switch (f->r->cl->clang_getCanonicalType(f->r->cl->clang_getCursorType(v->decl)).kind) {
    case CXType_Long:
        return "long";
    case CXType_UInt:
        return "unsigned";
    case CXType_ULong:
        return "unsigned long";
    default:
        return "int";
    }
}

static bool is_unsigned(const sq_call_finder *f, const counted *v)
{
    return type_of(f, v)[0] == 'u';
}

/* It turns n + more times. */
static const char *for_text(const sq_call_finder *f, const counted *v, int more)
{
    const char *turn = sq_call_turn_name(f);
    return sq_arena_printf(f->r->arena, "for (%s %s = 0; %s < %s%s; %s++)", type_of(f, v), turn, turn, v->name,
                           more < 0 ? " - 1" : more > 0 ? " + 1" : "", turn);
}

/* while (n--), while (--n > 0), for (; n--;). Of an int below 0 the first one has no end that C defines. */
static bool read_counted_down(const sq_call_finder *f, CXCursor cond, sq_turns *to)
{
    condition c = {0};
    if (!read_condition(f, cond, &c) || !c.steps || !is_spent(f, &c.of, 1))
        return false;
    bool all = !c.before || c.includes, wraps = is_unsigned(f, &c.of) && (c.before || c.includes);
    to->head = for_text(f, &c.of, all ? 0 : -1);
    return !wraps && !(c.includes && !c.before);
}

/* while (n > 0) { …; n--; } and while (i < n) { …; i++; } */
static bool read_step_behind(const sq_call_finder *f, CXCursor cond, sq_turns *to)
{
    condition c = {0};
    size_t from, end;
    CXCursor last;
    bool up;
    int n;
    CXCursor *side = children(f, sq_cursor_strip(f->r, cond), &n);
    if (!last_of(f, to->body, &last) || continues(f, to->body) ||
        !sq_scop_span(f->r, last, &to->step_from, &to->step_to))
        return false;
    if (read_condition(f, cond, &c) && !c.steps && !c.includes && is_step(f, last, &c.of, &up) && !up &&
        is_spent(f, &c.of, 2)) {
        to->head = for_text(f, &c.of, 0);
        return true;
    }
    if (n != 2 || !read_variable(f, side[0], &c.of) || !is_step(f, last, &c.of, &up) || !up ||
        !sq_scop_span(f->r, cond, &from, &end))
        return false;
    to->head = sq_arena_printf(f->r->arena, "for (; %.*s; %s++)", (int)(end - from), f->text + from, c.of.name);
    return memchr(f->text + from, '\n', end - from) == NULL && memchr(f->text + from, '\\', end - from) == NULL;
}

/* do { … } while (--n), and n--, which turns once more: for calls that turn at least once. */
static bool read_do(const sq_call_finder *f, CXCursor cond, size_t from, size_t end, sq_turns *to)
{
    condition c = {0};
    size_t first, last;
    if (!read_condition(f, cond, &c) || !c.steps || c.includes || !is_spent(f, &c.of, 1) ||
        !sq_scop_span(f->r, to->body, &first, &last))
        return false;
    last = sq_call_with_semicolon(f, last);
    to->head_from = from;
    to->head_to = f->text[first] == '{' ? first + 1 : first;
    to->tail_from = f->text[last - 1] == '}' ? last - 1 : sq_scop_token(f->text, last, end);
    to->tail_to = sq_call_with_semicolon(f, end);
    to->head = sq_arena_printf(f->r->arena, "%s {", for_text(f, &c.of, c.before ? 0 : 1));
    to->tail = sq_arena_printf(f->r->arena, "} " SQ_CALLS_ASSERT "(%s >= %d);", c.of.name, c.before);
    return true;
}

/* How many semicolons of a for's head stand before the place. */
static int parts_before(const sq_call_finder *f, size_t from, size_t at)
{
    int n = 0;
    for (; from < at; from++)
        n += f->text[from] == ';';
    return n;
}

/* for (; n--;) and for (; n > 0; n--); n: how many parts it has, its body included. */
static bool read_for(const sq_call_finder *f, const CXCursor *part, int n, sq_turns *to)
{
    bool up;
    condition c = {0};
    if (n == 2)
        return read_counted_down(f, part[0], to);
    if (n != 3 || !read_condition(f, part[0], &c) || c.steps || c.includes || !is_step(f, part[1], &c.of, &up) || up ||
        !is_spent(f, &c.of, 2))
        return false;
    to->head = for_text(f, &c.of, 0);
    return true;
}

bool sq_turns_read(const sq_call_finder *f, CXCursor stmt, sq_turns *to)
{
    int n;
    size_t from, end, first, last;
    CXCursor *part = children(f, stmt, &n);
    *to = (sq_turns){0};
    if (!is_loop(stmt) || n < 2 || !sq_scop_span(f->r, stmt, &from, &end))
        return false;
    to->body = part[stmt.kind == CXCursor_DoStmt ? 0 : n - 1];
    if (stmt.kind == CXCursor_DoStmt)
        return read_do(f, part[1], from, end, to);
    if (!sq_scop_span(f->r, to->body, &to->head_to, &last) || !sq_scop_span(f->r, part[0], &first, &last))
        return false;
    to->head_from = from;
    if (stmt.kind == CXCursor_WhileStmt)
        return read_counted_down(f, part[0], to) || read_step_behind(f, part[0], to);
    return parts_before(f, from, first) == 1 && read_for(f, part, n, to);
}
