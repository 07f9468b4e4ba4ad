/* Flow: what the sides of an if do to variables, read off the text before they become statements: which scalars get
 * their values on both sides, so that what they held before is dead, and whether an assignment changes what the
 * condition reads while others still depend on it. */
#include "frontend/scop_build.h"

/* ---- what one statement does to one scalar ---- */

/* PASSES: it may assign but need not; what is read is a value it has assigned itself. */
typedef enum flow { PASSES, ASSIGNS, READS } flow;

static flow of_statement(const sq_builder *b, CXCursor c, CXCursor decl);

static flow of_sequence(const sq_builder *b, const CXCursor *c, int n, CXCursor decl)
{
    flow f = PASSES;
    for (int i = 0; i < n && f == PASSES; i++)
        f = of_statement(b, c[i], decl);
    return f;
}

static flow of_if(const sq_builder *b, const CXCursor *part, int n, CXCursor decl)
{
    if (sq_scop_mentions(b, part[0], decl))
        return READS;
    flow yes = of_statement(b, part[1], decl), no = n > 2 ? of_statement(b, part[2], decl) : PASSES;
    if (yes == READS || no == READS)
        return READS;
    return yes == ASSIGNS && no == ASSIGNS ? ASSIGNS : PASSES;
}

/* x = e; the value may be an assignment again, x = y = e. */
static flow of_assignment(const sq_builder *b, CXCursor left, CXCursor right, CXCursor decl)
{
    bool is_own = left.kind == CXCursor_DeclRefExpr &&
                  b->r.cl->clang_equalCursors(b->r.cl->clang_getCursorReferenced(left), decl);
    flow inner = of_statement(b, right, decl);
    if (inner == READS || (!is_own && sq_scop_mentions(b, left, decl)))
        return READS;
    return is_own ? ASSIGNS : inner;
}

static flow of_statement(const sq_builder *b, CXCursor c, CXCursor decl)
{
    int n;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    if (c.kind == CXCursor_CompoundStmt || c.kind == CXCursor_DeclStmt || sq_cursor_is_comma(&b->r, c))
        return of_sequence(b, part, n, decl);
    if (c.kind == CXCursor_IfStmt && n > 1)
        return of_if(b, part, n, decl);
    if (sq_cursor_is_assignment(&b->r, c) && n == 2)
        return of_assignment(b, sq_cursor_strip(&b->r, part[0]), part[1], decl);
    return sq_scop_mentions(b, c, decl) ? READS : PASSES;
}

/* ---- values that are dead ---- */

static void add_dead(sq_builder *b, CXCursor decl, const sq_choice *under)
{
    enum { MOST = sizeof b->dead / sizeof *b->dead };
    if (b->ndead < MOST)
        b->dead[b->ndead++] = (sq_dead){decl, under};
}

/* NULL in a kernel, which nothing is around. */
static const sq_use *use_of(const sq_builder *b, CXCursor decl)
{
    return b->scop ? sq_scop_use(b, decl) : NULL;
}

static int mentions_in_all(const sq_builder *b, CXCursor decl)
{
    int all = b->scop ? 0 : sq_scop_mentions(b, b->function, decl);
    for (int i = 0; b->scop && i < b->scop->nstmts; i++)
        all += sq_scop_mentions(b, b->scop->stmt[i], decl);
    return all;
}

/* True if nothing but this part of the kernel mentions the scalar. */
static bool is_only_in(const sq_builder *b, CXCursor part, CXCursor decl)
{
    const sq_use *u = use_of(b, decl);
    return (!u || sq_scop_is_own(u)) && mentions_in_all(b, decl) == sq_scop_mentions(b, part, decl);
}

/* A scalar that no pointer reads meanwhile. */
static bool is_scalar(const sq_builder *b, CXCursor decl)
{
    const sq_symbol *s = sq_symbol_find(b, decl);
    const sq_use *u = use_of(b, decl);
    return s && s->kind == SQ_SYM_ARRAY && s->array->ndim == 0 && (!u || (u->in_function && !u->addressed));
}

/* Of a variable that only one side mentions its value is dead whether the ifs around hold or not; of one that both
 * sides assign, it is where this if is reached. */
static void consider(sq_builder *b, CXCursor decl, CXCursor side, const CXCursor *other, const sq_choice *choice)
{
    if (!is_scalar(b, decl) || sq_flow_dead(b, decl) || of_statement(b, side, decl) != ASSIGNS)
        return;
    if (is_only_in(b, side, decl))
        add_dead(b, decl, NULL);
    else if (other && of_statement(b, *other, decl) == ASSIGNS)
        add_dead(b, decl, choice);
}

static void find_dead(sq_builder *b, CXCursor c, CXCursor side, const CXCursor *other, const sq_choice *choice)
{
    int n;
    CXCursor decl, *part = sq_cursor_children(&b->r, c, &n);
    for (int i = 0; i < n; i++)
        find_dead(b, part[i], side, other, choice);
    if (sq_scop_assigned_by(b, c, &decl))
        consider(b, decl, side, other, choice);
}

void sq_flow_find_dead(sq_builder *b, CXCursor side, const CXCursor *other, const sq_choice *choice)
{
    find_dead(b, side, side, other, choice);
}

void sq_flow_declared(sq_builder *b, CXCursor block)
{
    int n, m;
    CXCursor *child = sq_cursor_children(&b->r, block, &n);
    for (int i = 0; i < n; i++) {
        CXCursor *decl = sq_cursor_children(&b->r, child[i], &m);
        for (int j = 0; j < m && child[i].kind == CXCursor_DeclStmt; j++)
            if (decl[j].kind == CXCursor_VarDecl && of_statement(b, block, decl[j]) == ASSIGNS)
                add_dead(b, decl[j], NULL);
    }
}

const sq_dead *sq_flow_dead(const sq_builder *b, CXCursor decl)
{
    for (int i = 0; i < b->ndead; i++)
        if (!b->r.cl->clang_Cursor_isNull(decl) && b->r.cl->clang_equalCursors(b->dead[i].decl, decl))
            return &b->dead[i];
    return NULL;
}

void sq_flow_revive(sq_builder *b, CXCursor decl)
{
    for (int i = 0; i < b->ndead; i++)
        if (b->r.cl->clang_equalCursors(b->dead[i].decl, decl))
            b->dead[i].decl = b->r.cl->clang_getNullCursor();
}

/* ---- conditions that change ---- */

typedef struct change {
    const sq_array *array;
    bool is_read;
} change;

static void find_read(sq_expr *e, void *user)
{
    change *r = user;
    r->is_read |= e->op == SQ_OP_READ && sq_arrays_overlap(e->access->array, r->array);
}

bool sq_flow_reads(const sq_expr *condition, const sq_array *array)
{
    change r = {array, false};
    sq_expr_walk((sq_expr *)condition, find_read, &r);
    return r.is_read;
}

/* True if the place written is one of an array that the condition reads. */
static bool changes(const sq_builder *b, CXCursor left, const sq_expr *condition)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, left, &n);
    const sq_symbol *s = left.kind == CXCursor_DeclRefExpr
                             ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(left))
                             : NULL;
    bool found = s && s->kind == SQ_SYM_ARRAY && sq_flow_reads(condition, s->array);
    for (int i = 0; i < n && !found; i++)
        found = changes(b, child[i], condition);
    return found;
}

/* In the order in which assignments are made: what stands inside of one comes before it. */
static bool spoils(const sq_builder *b, CXCursor c, const sq_expr *condition, bool *changed)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    for (int i = 0; i < n; i++)
        if (spoils(b, part[i], condition, changed))
            return true;
    bool is_assignment = sq_cursor_assigns(&b->r, c) && n > 0;
    if (*changed && (is_assignment || (c.kind == CXCursor_VarDecl && n > 0)))
        return true;
    *changed |= is_assignment && changes(b, part[0], condition);
    return false;
}

bool sq_flow_spoils(const sq_builder *b, const sq_expr *condition, const CXCursor *side, int n)
{
    bool changed = false;
    for (int i = 0; i < n; i++)
        if (spoils(b, side[i], condition, &changed))
            return true;
    return false;
}
