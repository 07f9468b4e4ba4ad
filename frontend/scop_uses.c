/* Scop uses: which variables of the C around it a region mentions, and who else mentions them. A
 * variable that only the region uses is its own; one that a loop of the region counts and that is
 * read afterwards would need a value that the tuned code does not have. */
#include "frontend/members.h"
#include "frontend/scop_build.h"
#include <string.h>

static bool is_function_scope(const sq_builder *b, CXCursor decl)
{
    size_t from, to, first, last;
    return sq_scop_span(&b->r, b->scop->function, &first, &last) &&
           sq_scop_span(&b->r, decl, &from, &to) && from >= first && to <= last;
}

static bool has_initial(const sq_builder *b, CXCursor decl)
{
    CXCursor value;
    return !sq_scop_is_array(b, decl) && sq_cursor_initial(&b->r, decl, &value);
}

sq_use *sq_scop_add_use(sq_builder *b, CXCursor decl)
{
    sq_use *u = sq_scop_use(b, decl);
    if (u)
        return u;
    enum CX_StorageClass storage = b->r.cl->clang_Cursor_getStorageClass(decl);
    const char *name = sq_cursor_spelling(&b->r, decl);
    const sq_struct_member *member = sq_member_named(&b->r, name);
    return sq_scop_put_use(b, &(sq_use){.decl = decl,
                                        .name = name,
                                        .member = member,
                                        .in_function = !member && is_function_scope(b, decl),
                                        .is_static = storage == CX_SC_Static || storage == CX_SC_Extern,
                                        .has_initial = decl.kind == CXCursor_ParmDecl || has_initial(b, decl)});
}

/* ---- inside -------------------------------------------------------------------------------- */

/* The variable that `for (i = …` begins with; false for one that the for declares. */
static bool counted_by(const sq_builder *b, CXCursor c, CXCursor *decl)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    return c.kind == CXCursor_ForStmt && n > 0 && part[0].kind == CXCursor_BinaryOperator &&
           sq_scop_assigned_by(b, sq_beside_own(b, c, 0), decl);
}

static void note_assigned(sq_builder *b, CXCursor decl)
{
    sq_scop *s = b->scop;
    CXCursor *more = SQ_NEW_ARRAY(b->r.arena, CXCursor, s->nassigned + 1);
    if (s->nassigned)
        memcpy(more, s->assigned, (size_t)s->nassigned * sizeof *more);
    more[s->nassigned++] = decl;
    s->assigned = more;
}

static void note_inside(sq_builder *b, CXCursor decl, bool assigned, bool is_loop)
{
    if (decl.kind != CXCursor_VarDecl && decl.kind != CXCursor_ParmDecl)
        return;
    if (sq_scop_inside(b, decl)) {
        if ((assigned || is_loop) && !sq_scop_is_assigned(b, decl))
            note_assigned(b, decl);
        return;
    }
    sq_use *u = sq_scop_add_use(b, decl);
    u->assigned |= assigned;
    u->is_loop |= is_loop;
}

/* own: in the head of a for its variable, whose `i = 0` and `i++` are the loop's; elsewhere NULL. */
static void collect(sq_builder *b, CXCursor c, const CXCursor *own)
{
    int n;
    CXCursor decl, variable, *child = sq_cursor_children(&b->r, c, &n);
    bool is_for = counted_by(b, c, &variable);
    if (is_for)
        note_inside(b, variable, false, true);
    if (c.kind == CXCursor_DeclRefExpr)
        note_inside(b, b->r.cl->clang_getCursorReferenced(c), false, false);
    if (sq_scop_assigned_by(b, c, &decl) && !(own && b->r.cl->clang_equalCursors(decl, *own)))
        note_inside(b, decl, true, false);
    for (int i = 0; i < n; i++)
        collect(b, child[i], is_for && i < n - 1 ? &variable : sq_cursor_is_comma(&b->r, c) ? own : NULL);
}

/* ---- outside ------------------------------------------------------------------------------- */

enum { MOST_COVERED = 32 };

/* A walk over the function around the region. */
typedef struct walk {
    sq_builder *b;
    bool again; /* a loop around the region, or a goto: what stands before it runs after it, too */
    int ncovered;
    CXCursor covered[MOST_COVERED]; /* counted by the loops around, which set them */
} walk;

static bool is_covered(const walk *w, CXCursor decl)
{
    for (int i = 0; i < w->ncovered; i++)
        if (w->b->r.cl->clang_equalCursors(w->covered[i], decl))
            return true;
    return false;
}

static void note_outside(const walk *w, CXCursor c)
{
    sq_builder *b = w->b;
    CXCursor decl = b->r.cl->clang_getCursorReferenced(c);
    sq_use *u = sq_scop_use(b, decl);
    size_t from = 0, to;
    if (!u)
        return;
    u->named = true;
    if (is_covered(w, decl))
        return;
    bool known = sq_scop_span(&b->r, c, &from, &to);
    bool after = !known || from >= b->scop->region->text.to || w->again;
    if (after && !u->live)
        u->seen_at = sq_cursor_loc(&b->r, c);
    u->seen = true;
    u->live |= after;
}

static void note_effects(const walk *w, CXCursor c)
{
    sq_builder *b = w->b;
    CXCursor decl;
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    sq_use *u = sq_scop_assigned_by(b, c, &decl) ? sq_scop_use(b, decl) : NULL;
    if (u)
        u->moved = true;
    if (c.kind == CXCursor_UnaryOperator && n == 1 && sq_scop_variable(b, child[0], &decl) &&
        b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_AddrOf &&
        (u = sq_scop_use(b, decl)))
        u->addressed = true;
}

/* A loop around the region, which begins at `from`: what is declared before it keeps its value from turn to turn. */
static void note_repeated(sq_builder *b, size_t from)
{
    for (int i = 0; i < b->scop->nuses; i++) {
        size_t declared, end;
        sq_use *u = &b->scop->use[i];
        u->repeats |= !sq_scop_span(&b->r, u->decl, &declared, &end) || declared < from;
    }
}

static void look(walk *w, CXCursor c)
{
    sq_builder *b = w->b;
    const sq_region_text *t = &b->scop->region->text;
    size_t from = 0, to = 0;
    int n;
    CXCursor decl, *child = sq_cursor_children(&b->r, c, &n);
    bool known = sq_scop_span(&b->r, c, &from, &to);
    if (known && from >= t->from && to <= t->to)
        return;
    bool around = known && from < t->from && to > t->to, again = w->again;
    bool loops =
        c.kind == CXCursor_ForStmt || c.kind == CXCursor_WhileStmt || c.kind == CXCursor_DoStmt;
    w->again |= around && loops;
    if (around && loops)
        note_repeated(b, from);
    if (c.kind == CXCursor_DeclRefExpr)
        note_outside(w, c);
    note_effects(w, c);
    int ncovered = w->ncovered;
    if (!around && ncovered < MOST_COVERED && counted_by(b, c, &decl))
        w->covered[w->ncovered++] = decl;
    for (int i = 0; i < n; i++)
        look(w, child[i]);
    w->ncovered = ncovered;
    w->again = again;
}

static bool has_goto(const sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool found = c.kind == CXCursor_LabelStmt || c.kind == CXCursor_GotoStmt ||
                 c.kind == CXCursor_IndirectGotoStmt;
    for (int i = 0; i < n && !found; i++)
        found = has_goto(b, child[i]);
    return found;
}

/* What a region declares in the block around it can be seen behind it. */
static int check_declared(sq_builder *b, CXCursor c)
{
    int n, rc = 0;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    size_t from, to;
    if (sq_scop_span(&b->r, c, &from, &to) && from >= b->scop->region->text.to &&
        c.kind == CXCursor_DeclRefExpr) {
        CXCursor decl = b->r.cl->clang_getCursorReferenced(c);
        if (sq_scop_inside(b, decl))
            return sq_refuse(b, c,
                             "'%s' is declared inside the region and used behind it; declare it "
                             "before the region",
                             sq_cursor_spelling(&b->r, decl));
    }
    for (int i = 0; i < n && !rc; i++)
        rc = check_declared(b, child[i]);
    return rc;
}

/* ---- together ------------------------------------------------------------------------------ */

static int check_loop(sq_builder *b, const sq_use *u)
{
    if (u->in_function && !u->live && !u->is_static)
        return 0;
    if (!u->in_function || u->is_static) {
        sq_refuse(b, u->decl, "'%s' counts a loop of the region and lives longer than the call",
                  u->name);
    } else {
        sq_error(b->r.d, SQ_FAULT_INPUT, u->seen_at,
                 "'%s' counts a loop of the region before, which leaves no value behind", u->name);
        sq_note(b->r.d, b->scop->loc, "the region");
    }
    sq_help(b->r.d, SQ_NOWHERE, "give the loop a variable of its own, for (int %s = …)", u->name);
    return -1;
}

/* Declared twice, or once here and once there: parameters need names of their own. */
static int check_names(sq_builder *b)
{
    sq_scop *s = b->scop;
    int rc = 0;
    for (int i = 0; i < s->nuses; i++)
        rc |= sq_declared_name(b, s->use[i].decl);
    if (rc)
        return -1;
    for (int i = 0; i < s->nuses; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(s->use[i].name, s->use[j].name) == 0)
                return sq_error(b->r.d, SQ_FAULT_INPUT, s->loc,
                                "this region uses two declarations of '%s'; give them different "
                                "names, or leave one of them out",
                                s->use[i].name);
    return 0;
}

static bool is_volatile(const sq_builder *b, CXCursor decl)
{
    const sq_clang *cl = b->r.cl;
    return cl->clang_isVolatileQualifiedType(
        cl->clang_getCanonicalType(cl->clang_getCursorType(decl)));
}

static bool has_symbol(const sq_builder *b, const sq_use *u)
{
    const sq_counter *counter = u->is_given ? NULL : sq_counter_find(b, u->decl);
    return counter ? counter->is_given : !sq_null_only(b, u);
}

/* Not whether a pointer is given, whose name is that of the pointer, nor what a counter begins with. */
static bool is_found_by_name(const sq_builder *b, const sq_use *u)
{
    return !u->is_given && !sq_counter_find(b, u->decl);
}

/* Symbols for all but the variables of loops, which block.c keeps. */
static int make_symbols(sq_builder *b)
{
    sq_scop *s = b->scop;
    int rc = check_names(b);
    for (int i = 0; i < s->nuses; i++)
        if (is_volatile(b, s->use[i].decl))
            rc = sq_scop_refuse_volatile(b, &s->use[i]);
        else if (s->use[i].is_loop)
            rc |= check_loop(b, &s->use[i]);
        else if (has_symbol(b, &s->use[i]))
            s->use[i].symbol = sq_symbol_add(b, is_found_by_name(b, &s->use[i]) ? s->use[i].decl
                                                                                : b->r.cl->clang_getNullCursor());
    for (int i = 0; i < s->nstmts && !rc; i++)
        rc = sq_symbols_scan(b, s->stmt[i]);
    sq_counter_sizes(b);
    for (int i = 0; i < s->nuses; i++)
        if (s->use[i].symbol && s->use[i].is_stepped) {
            s->use[i].symbol->shape = true;
            s->use[i].symbol->by = s->use[i].by;
        }
    for (int i = 0; i < s->nuses && !rc; i++)
        sq_scop_array_sizes(b, s->use[i].decl);
    return rc;
}

int sq_scop_uses(sq_builder *b)
{
    sq_scop *s = b->scop;
    int n;
    CXCursor *child = sq_cursor_children(&b->r, s->function, &n);
    if (check_declared(b, s->function))
        return -1;
    for (int i = 0; i < s->nstmts; i++)
        collect(b, s->stmt[i], NULL);
    sq_null_uses(b);
    for (int i = 0; i < s->nuses; i++)
        sq_scop_array_sizes(b, s->use[i].decl);
    walk w = {.b = b, .again = has_goto(b, child[n - 1])};
    if (w.again)
        note_repeated(b, SIZE_MAX);
    look(&w, child[n - 1]);
    sq_scop_inductions(b);
    sq_scop_counters(b);
    return make_symbols(b);
}
