/* Walks: pointers that a loop moves by as much in each turn, *dst++ = *src++. In turn x - a of for (x = a; …; x++)
 * such a pointer is what it was before the loop, and as many steps on as all turns before and the statements before in
 * this one have done. In a nest, whose loops count from 0, each turn of a loop around has done all turns of the loop in
 * it, and what it moves the pointer by behind that: y * w + x of for (y…) for (x = 0; x < w; x++) *dst++ = …. The
 * pointer is the region's own, declared in the block of the loop, or nobody reads it afterwards. */
#include "frontend/respelling_inside.h"

enum { MOST_STEP = 1 << 16 };

static bool is_variable(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    c = sq_cursor_strip(x->r, c);
    return c.kind == CXCursor_DeclRefExpr && sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), decl);
}

static bool is_post(const sq_respeller *x, CXCursor c)
{
    return sq_cursor_is_unary(x->r, c, CXUnaryOperator_PostInc) || sq_cursor_is_unary(x->r, c, CXUnaryOperator_PostDec);
}

/* p++, --p, p += 3: by how much it moves a variable. */
static bool step_here(const sq_respeller *x, CXCursor c, CXCursor *decl, int64_t *by)
{
    const sq_clang *cl = x->r->cl;
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    if (n == 0 || sq_cursor_is_assignment(x->r, c) || !sq_cursor_assigns(x->r, c))
        return false;
    CXCursor to = sq_cursor_strip(x->r, child[0]);
    *decl = cl->clang_getCursorReferenced(to);
    if (to.kind != CXCursor_DeclRefExpr)
        return false;
    enum CXUnaryOperatorKind unary = cl->clang_getCursorUnaryOperatorKind(c);
    enum CXBinaryOperatorKind binary = cl->clang_getCursorBinaryOperatorKind(c);
    bool down = unary == CXUnaryOperator_PostDec || unary == CXUnaryOperator_PreDec ||
                binary == CXBinaryOperator_SubAssign;
    *by = 1;
    if (c.kind == CXCursor_CompoundAssignOperator &&
        ((!down && binary != CXBinaryOperator_AddAssign) || n != 2 || !sq_cursor_evaluated(x->r, child[1], by) ||
         *by > MOST_STEP || *by < -MOST_STEP))
        return false;
    *by = down ? -*by : *by;
    return true;
}

/* The walk of a pointer; NULL: it has none. */
static const sq_moving_pointer *walk_of(const sq_respeller *x, CXCursor decl)
{
    for (int i = 0; i < x->nwalks; i++)
        if (sq_cursor_same(x->r, x->walk[i].decl, decl))
            return &x->walk[i];
    return NULL;
}

bool sq_walk_step(const sq_respeller *x, CXCursor c, int64_t *by)
{
    CXCursor decl;
    c = sq_cursor_strip(x->r, c);
    for (int i = 0; i < x->nwalks; i++)
        for (int k = 0; k < x->walk[i].nsteps; k++)
            if (sq_cursor_same(x->r, x->walk[i].steps[k], c))
                return true;
    return step_here(x, c, &decl, by) && walk_of(x, decl);
}

/* ---- counting ---- */

static int mentions(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    int found = c.kind == CXCursor_DeclRefExpr && sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), decl);
    for (int i = 0; i < n; i++)
        found += mentions(x, child[i], decl);
    return found;
}

static int changes(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    int found = sq_respeller_changes_here(x, c, decl);
    for (int i = 0; i < n; i++)
        found += changes(x, child[i], decl);
    return found;
}

/* ---- one turn ---- */

/* The children of c that are computed whenever c is, *n of them: no operand of sizeof, and no type of a cast. */
static CXCursor *computed(const sq_respeller *x, CXCursor c, int *n)
{
    CXCursor *child = sq_cursor_children(x->r, c, n);
    enum CXBinaryOperatorKind k = x->r->cl->clang_getCursorBinaryOperatorKind(c);
    bool maybe = c.kind == CXCursor_ConditionalOperator || k == CXBinaryOperator_LAnd || k == CXBinaryOperator_LOr;
    bool cast = c.kind == CXCursor_CStyleCastExpr && *n > 0;
    bool hides = c.kind == CXCursor_UnexposedExpr && !(*n == 1 && sq_cursor_covers(x->r, child[0], c));
    switch (c.kind) {
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_CallExpr:
    case CXCursor_UnaryOperator:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ConditionalOperator:
    case CXCursor_CStyleCastExpr:
        child += cast ? *n - 1 : 0;
        *n = hides ? 0 : maybe || cast ? 1 : *n;
        return child;
    default:
        *n = 0;
        return child;
    }
}

/* A step by `*` of it: *p++, and p++->w; computed whenever the expression is. */
static bool step_inside(const sq_respeller *x, CXCursor c, CXCursor decl, int64_t *by)
{
    int n;
    CXCursor moved, *child = computed(x, c, &n);
    bool follows = sq_cursor_is_unary(x->r, c, CXUnaryOperator_Deref) || c.kind == CXCursor_MemberRefExpr;
    if (follows && n == 1 && step_here(x, sq_cursor_strip(x->r, child[0]), &moved, by))
        return sq_cursor_same(x->r, moved, decl);
    bool found = false;
    for (int i = 0; i < n && !found; i++)
        found = step_inside(x, child[i], decl, by);
    return found;
}

/* By how much a part of a turn moves the pointer, of which it changes something and mentions it once; false if that
 * cannot be said. */
static bool step_of(const sq_respeller *x, CXCursor c, CXCursor decl, int64_t *by)
{
    CXCursor moved;
    if (step_here(x, sq_cursor_strip(x->r, c), &moved, by))
        return sq_cursor_same(x->r, moved, decl);
    return (sq_cursor_is_expression(c) || sq_cursor_initial(x->r, c, &c)) && step_inside(x, c, decl, by);
}

/* A turn of a loop as far as it is read. */
typedef struct turn {
    const sq_respeller *x;
    sq_moving_pointer *w;
    int64_t steps; /* that it has done */
    bool may_end;  /* `continue` stands before what is read now */
    int room;
} turn;

static bool has_continue(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool has = c.kind == CXCursor_ContinueStmt;
    for (int i = 0; i < n && !has; i++)
        has = has_continue(x, child[i]);
    return has;
}

/* Takes the places of c that mention the pointer; how many there are. */
static int add_uses(turn *t, CXCursor c)
{
    int n;
    const sq_respeller *x = t->x;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    int found = c.kind == CXCursor_DeclRefExpr &&
                sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), t->w->decl);
    if (found) {
        t->w->use = sq_arena_grow(x->r->arena, t->w->use, t->w->nuses, &t->room, sizeof *t->w->use);
        t->w->use[t->w->nuses++] = (sq_walk_use){c, t->steps};
    }
    for (int i = 0; i < n; i++)
        found += add_uses(t, child[i]);
    return found;
}

/* True if all of c is done before anything behind its parts: a block, a comma, variables with initial values. */
static bool is_sequence(const sq_respeller *x, CXCursor c)
{
    return c.kind == CXCursor_CompoundStmt || c.kind == CXCursor_DeclStmt || sq_cursor_is_comma(x->r, c);
}

/* Reads what a turn does in the order in which it does that; false if how far it moves the pointer cannot be said. */
static bool read_part(turn *t, CXCursor c)
{
    int n;
    int64_t by = 0;
    CXCursor *child = sq_cursor_children(t->x->r, c, &n);
    bool reads = true;
    if (is_sequence(t->x, c)) {
        for (int i = 0; i < n && reads; i++)
            reads = read_part(t, child[i]);
        return reads;
    }
    int changed = changes(t->x, c, t->w->decl), uses = add_uses(t, c);
    reads = changed == 0 || (changed == 1 && uses == 1 && !t->may_end && step_of(t->x, c, t->w->decl, &by));
    t->steps += by;
    t->may_end |= has_continue(t->x, c);
    return reads;
}

/* The same of the end of a turn, i++, p++, where the loop's variable has moved on: it may move the pointer, no more. */
static bool read_end(turn *t, CXCursor c)
{
    int n;
    int64_t by;
    CXCursor moved, *child = sq_cursor_children(t->x->r, c, &n);
    if (sq_cursor_is_comma(t->x->r, c) && n == 2)
        return read_end(t, child[0]) && read_end(t, child[1]);
    int uses = add_uses(t, c);
    if (uses == 0)
        return true;
    if (uses != 1 || !step_here(t->x, sq_cursor_strip(t->x->r, c), &moved, &by) ||
        !sq_cursor_same(t->x->r, moved, t->w->decl))
        return false;
    t->steps += by;
    return true;
}

/* ---- what a turn moves it by ---- */

/* p += stride, whole statements and operands of commas: *by: the operand. -1: it is p -= stride; 0: c is neither. */
static int variable_step(const sq_respeller *x, CXCursor c, CXCursor decl, CXCursor *by)
{
    int n;
    c = sq_cursor_strip(x->r, c);
    CXCursor *side = sq_cursor_children(x->r, c, &n);
    enum CXBinaryOperatorKind op = x->r->cl->clang_getCursorBinaryOperatorKind(c);
    if (c.kind != CXCursor_CompoundAssignOperator || n != 2 || !is_variable(x, side[0], decl) ||
        mentions(x, side[1], decl) > 0)
        return 0;
    *by = side[1];
    return op == CXBinaryOperator_AddAssign ? 1 : op == CXBinaryOperator_SubAssign ? -1 : 0;
}

/* True if all that c does with the pointer is to move it; adds by how much. */
static bool only_moves(turn *t, CXCursor c, sq_address_level *l)
{
    int n;
    int64_t by;
    const sq_respeller *x = t->x;
    CXCursor moved, operand, *child = sq_cursor_children(x->r, c, &n), step = sq_cursor_strip(x->r, c);
    if (mentions(x, c, t->w->decl) == 0)
        return true;
    if (sq_cursor_is_comma(x->r, c) && n == 2)
        return only_moves(t, child[0], l) && only_moves(t, child[1], l);
    if (step_here(x, step, &moved, &by)) {
        l->constant += by;
        return sq_cursor_same(x->r, moved, t->w->decl) && mentions(x, c, moved) == 1;
    }
    int sign = variable_step(x, step, t->w->decl, &operand);
    if (sign == 0 || t->w->nsteps == SQ_WALK_STEPS || l->n == SQ_LEVEL_STEPS)
        return false;
    t->w->steps[t->w->nsteps++] = step;
    l->down[l->n] = sign < 0;
    l->by[l->n++] = operand;
    return true;
}

/* The same of statements behind all uses of the pointer. */
static bool all_move(turn *t, const CXCursor *stmt, int n, sq_address_level *l)
{
    bool fits = true;
    for (int i = 0; i < n && fits; i++) {
        fits = !(t->may_end && mentions(t->x, stmt[i], t->w->decl) > 0) && only_moves(t, stmt[i], l);
        t->may_end |= has_continue(t->x, stmt[i]);
    }
    return fits;
}

/* ---- loops ---- */

/* True if c, or an operand of the commas that it is, alone changes the variable, by as much. */
static bool counts(const sq_respeller *x, CXCursor c, CXCursor decl, int64_t *by)
{
    int n;
    CXCursor moved, *side = sq_cursor_children(x->r, c, &n);
    if (sq_cursor_is_comma(x->r, c) && n == 2)
        return changes(x, side[1], decl) == 0 ? counts(x, side[0], decl, by)
                                              : changes(x, side[0], decl) == 0 && counts(x, side[1], decl, by);
    return step_here(x, sq_cursor_strip(x->r, c), &moved, by) && sq_cursor_same(x->r, moved, decl) &&
           mentions(x, c, decl) == 1;
}

/* for (x = a; x < b; x++): the variable and its first value, and 1 or -1. */
static bool read_head(const sq_respeller *x, const CXCursor *part, sq_moving_pointer *w)
{
    int n;
    int64_t by;
    CXCursor decl, *side = sq_cursor_children(x->r, part[0], &n), *test = NULL;
    if (part[0].kind == CXCursor_DeclStmt) {
        if (n != 1 || !sq_cursor_initial(x->r, side[0], &w->start))
            return false;
        decl = side[0];
    } else {
        if (!sq_cursor_is_assignment(x->r, part[0]) || n != 2)
            return false;
        decl = x->r->cl->clang_getCursorReferenced(sq_cursor_strip(x->r, side[0]));
        w->start = side[1];
    }
    test = sq_cursor_children(x->r, part[1], &n);
    if (part[1].kind != CXCursor_BinaryOperator || n != 2 || !is_variable(x, test[0], decl) ||
        !counts(x, part[2], decl, &by) || (by != 1 && by != -1) || changes(x, part[3], decl) > 0)
        return false;
    w->turn = sq_cursor_strip(x->r, test[0]);
    w->sign = by;
    return true;
}

/* Where nothing that the value mentions changes in the loop. */
static bool is_kept(const sq_respeller *x, CXCursor value, CXCursor loop)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, value, &n);
    bool kept = value.kind != CXCursor_CallExpr && value.kind != CXCursor_ArraySubscriptExpr;
    if (value.kind == CXCursor_DeclRefExpr)
        kept = changes(x, loop, x->r->cl->clang_getCursorReferenced(value)) == 0;
    for (int i = 0; i < n && kept; i++)
        kept = is_kept(x, child[i], loop);
    return kept;
}

/* The steps of one turn, and those before each use; 0: they cannot be said. */
static int64_t turn_of(const sq_respeller *x, const CXCursor *part, sq_moving_pointer *w)
{
    turn t = {.x = x, .w = w};
    bool reads = mentions(x, part[0], w->decl) + mentions(x, part[1], w->decl) == 0 && read_part(&t, part[3]) &&
                 read_end(&t, part[2]);
    return reads ? t.steps : 0;
}

/* ---- nests ---- */

/* x < w of a loop that counts up from 0: the number of its turns, where it has any. */
static bool count_of(const sq_respeller *x, const CXCursor *part, const sq_moving_pointer *w, CXCursor *count)
{
    int n;
    int64_t first;
    CXCursor *side = sq_cursor_children(x->r, part[1], &n);
    bool up = x->r->cl->clang_getCursorBinaryOperatorKind(part[1]) == CXBinaryOperator_LT && w->sign > 0;
    if (n != 2 || !up || !sq_cursor_evaluated(x->r, w->start, &first) || first != 0)
        return false;
    *count = side[1];
    return true;
}

/* The loop in the body of another, maybe in a block, that moves the pointer; everything before it mentions that not at
 * all. *next: what stands behind it, *n statements. */
static bool inner_loop(turn *t, CXCursor body, CXCursor *loop, const CXCursor **next, int *n)
{
    int all, i = 0;
    CXCursor *stmt = sq_cursor_children(t->x->r, body, &all);
    *n = 0;
    *loop = body;
    if (body.kind != CXCursor_CompoundStmt)
        return body.kind == CXCursor_ForStmt && changes(t->x, body, t->w->decl) > 0;
    while (i < all && mentions(t->x, stmt[i], t->w->decl) == 0)
        t->may_end |= has_continue(t->x, stmt[i++]);
    if (i == all || stmt[i].kind != CXCursor_ForStmt || changes(t->x, stmt[i], t->w->decl) == 0)
        return false;
    *loop = stmt[i];
    *next = stmt + i + 1;
    *n = all - i - 1;
    return true;
}

/* How many of the statements come before those that only move the pointer. */
static int uses_end(const turn *t, const CXCursor *stmt, int n)
{
    for (; n > 0; n--) {
        sq_moving_pointer w = *t->w;
        sq_address_level ignored = {0};
        turn at = {.x = t->x, .w = &w};
        if (!only_moves(&at, stmt[n - 1], &ignored))
            break;
    }
    return n;
}

/* A turn of the innermost loop, which all uses are in: steps by constants, and behind all uses by others. */
static bool read_innermost(turn *t, const CXCursor *part, sq_address_level *l)
{
    int n = 1;
    bool reads = true;
    const CXCursor *stmt = &part[3];
    if (part[3].kind == CXCursor_CompoundStmt)
        stmt = sq_cursor_children(t->x->r, part[3], &n);
    int used = uses_end(t, stmt, n);
    t->may_end = false;
    for (int i = 0; i < used && reads; i++)
        reads = read_part(t, stmt[i]);
    l->constant = t->steps;
    return reads && all_move(t, stmt + used, n - used, l) && only_moves(t, part[2], l);
}

/* What a turn of the loop moves the pointer by, and turns of those in it; NULL: that cannot be said. */
static sq_address_level *read_nest(turn *t, CXCursor loop, int depth)
{
    enum { DEEPEST = 4 };
    int n, behind = 0;
    const sq_respeller *x = t->x;
    const CXCursor *next = NULL;
    sq_moving_pointer head = {0};
    sq_address_level *l = SQ_NEW(x->r->arena, sq_address_level);
    CXCursor in, *part = sq_cursor_children(x->r, loop, &n);
    if (n != 4 || depth == DEEPEST || mentions(x, part[0], t->w->decl) + mentions(x, part[1], t->w->decl) > 0 ||
        !read_head(x, part, &head) || !count_of(x, part, &head, &l->count))
        return NULL;
    l->turn = head.turn;
    if (!inner_loop(t, part[3], &in, &next, &behind))
        return read_innermost(t, part, l) ? l : NULL;
    l->inner = t->may_end ? NULL : read_nest(t, in, depth + 1);
    t->may_end = false;
    return l->inner && all_move(t, next, behind, l) && only_moves(t, part[2], l) ? l : NULL;
}

static bool is_same_in(const sq_respeller *x, CXCursor value, CXCursor loop)
{
    return is_kept(x, value, loop) && !sq_row_is_hidden(x, value, loop);
}

/* True if what a nest moves the pointer by is the same wherever in the nest that is read. */
static bool is_steady(const sq_respeller *x, const sq_address_level *l, CXCursor loop)
{
    bool steady = true;
    for (; l && steady; l = l->inner) {
        steady = !sq_row_is_hidden(x, l->turn, loop) && is_same_in(x, l->count, loop);
        for (int i = 0; i < l->n && steady; i++)
            steady = is_same_in(x, l->by[i], loop);
    }
    return steady;
}

/* Takes the walk of a pointer that a nest moves; false: it has none. */
static bool take_nest(const sq_respeller *x, CXCursor loop, sq_moving_pointer *w)
{
    turn t = {.x = x, .w = w};
    *w = (sq_moving_pointer){.decl = w->decl, .is_own = w->is_own};
    w->nest = read_nest(&t, loop, 0);
    return w->nest && w->nuses > 0 && is_steady(x, w->nest, loop);
}

/* How often the function mentions it behind the region. */
static int mentions_behind(const sq_respeller *x, CXCursor c, CXCursor decl)
{
    int n;
    size_t from, to;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    int found = c.kind == CXCursor_DeclRefExpr && sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(c), decl) &&
                !(sq_scop_span(x->r, c, &from, &to) && from < x->f.region.to);
    for (int i = 0; i < n; i++)
        found += mentions_behind(x, child[i], decl);
    return found;
}

/* True if no loop around the region, and no goto, comes to it again. */
static bool runs_once(const sq_respeller *x, CXCursor c)
{
    int n;
    size_t from, to;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool around = sq_scop_span(x->r, c, &from, &to) && from < x->f.region.from && to > x->f.region.from;
    bool loop = c.kind == CXCursor_ForStmt || c.kind == CXCursor_WhileStmt || c.kind == CXCursor_DoStmt;
    bool once = !(around && loop) && c.kind != CXCursor_GotoStmt && c.kind != CXCursor_IndirectGotoStmt;
    for (int i = 0; i < n && once; i++)
        once = runs_once(x, child[i]);
    return once;
}

bool sq_walk_is_done_with(const sq_respeller *x, CXCursor decl)
{
    size_t from, to;
    bool local = decl.kind == CXCursor_ParmDecl || decl.kind == CXCursor_VarDecl;
    return local && runs_once(x, x->around) && x->r->cl->clang_getCursorLinkage(decl) == CXLinkage_NoLinkage &&
           x->r->cl->clang_Cursor_getStorageClass(decl) != CX_SC_Static && sq_scop_span(x->r, decl, &from, &to) &&
           to <= x->f.region.from && mentions_behind(x, x->around, decl) == 0 &&
           !sq_respeller_takes_address(x, x->around, decl);
}

/* Takes a pointer that statement k of a block, a loop, moves. */
static void take(sq_respeller *x, const CXCursor *stmt, int n, int k, CXCursor decl)
{
    int parts;
    CXCursor value, *part = sq_cursor_children(x->r, stmt[k], &parts);
    sq_moving_pointer w = {.decl = decl, .is_own = false};
    int outside = 0, all = 0;
    for (int i = 0; i < k; i++)
        for (int m, d = 0; stmt[i].kind == CXCursor_DeclStmt && d < (sq_cursor_children(x->r, stmt[i], &m), m); d++)
            w.is_own |= sq_cursor_same(x->r, sq_cursor_children(x->r, stmt[i], &m)[d], decl);
    for (int i = k + 1; i < n; i++)
        outside += mentions(x, stmt[i], decl);
    for (int i = 0; i < x->nstmts; i++)
        all += changes(x, x->stmt[i], decl);
    bool fits = outside == 0 && all == changes(x, stmt[k], decl) &&
                (w.is_own ? sq_cursor_initial(x->r, decl, &value) && sq_row_is_steady(x, value, stmt, n)
                          : stmt == x->stmt && sq_walk_is_done_with(x, decl));
    if (!fits || parts != 4 || !read_head(x, part, &w) || !is_kept(x, w.start, stmt[k]) ||
        sq_row_is_hidden(x, w.start, stmt[k]) || sq_row_is_hidden(x, w.turn, stmt[k]))
        return;
    w.step = turn_of(x, part, &w);
    bool falls = !w.is_own && w.step < 0; /* no array has elements before it begins */
    if ((w.step == 0 && !take_nest(x, stmt[k], &w)) || falls)
        return;
    x->walk = sq_arena_grow(x->r->arena, x->walk, x->nwalks, &x->walk_room, sizeof *x->walk);
    x->walk[x->nwalks++] = w;
}

/* Pointers that something in a loop moves, each once. */
typedef struct moved {
    int n, room;
    CXCursor *decl;
} moved;

static void find_moved(const sq_respeller *x, CXCursor c, moved *to)
{
    int n;
    int64_t by;
    CXCursor decl, operand, *child = sq_cursor_children(x->r, c, &n);
    bool moves_it = step_here(x, c, &decl, &by);
    if (!moves_it && n > 0 && c.kind == CXCursor_CompoundAssignOperator) {
        decl = x->r->cl->clang_getCursorReferenced(sq_cursor_strip(x->r, child[0]));
        moves_it = variable_step(x, c, decl, &operand) != 0;
    }
    bool known = !moves_it || sq_address_type(x->r, decl).kind != CXType_Pointer ||
                 walk_of(x, decl);
    for (int i = 0; i < to->n && !known; i++)
        known = sq_cursor_same(x->r, to->decl[i], decl);
    if (!known) {
        to->decl = sq_arena_grow(x->r->arena, to->decl, to->n, &to->room, sizeof *to->decl);
        to->decl[to->n++] = decl;
    }
    for (int i = 0; i < n; i++)
        find_moved(x, child[i], to);
}

/* Takes what statement k of a block, a loop, moves. */
static void take_moved(sq_respeller *x, const CXCursor *stmt, int n, int k)
{
    moved all = {0};
    find_moved(x, stmt[k], &all);
    for (int i = 0; i < all.n; i++)
        take(x, stmt, n, k, all.decl[i]);
}

void sq_walks_find(sq_respeller *x)
{
    x->nwalks = 0;
    sq_respeller_each_loop(x, take_moved);
}

/* ---- where it is ---- */

/* Where the loop mentions its pointer there; NULL: the place is before the loop. */
static const sq_walk_use *use_at(const sq_respeller *x, const sq_moving_pointer *w, CXCursor name)
{
    for (int i = 0; i < w->nuses; i++)
        if (sq_cursor_same(x->r, w->use[i].at, name))
            return &w->use[i];
    return NULL;
}

const sq_moving_pointer *sq_walk_of(const sq_respeller *x, CXCursor c, bool *inside, int64_t *ahead)
{
    int n;
    int64_t by;
    c = sq_cursor_strip(x->r, c);
    CXCursor decl, *child = sq_cursor_children(x->r, c, &n), name = c;
    bool steps = step_here(x, c, &decl, &by);
    if (steps)
        name = sq_cursor_strip(x->r, child[0]);
    else if (c.kind == CXCursor_DeclRefExpr)
        decl = x->r->cl->clang_getCursorReferenced(c);
    else
        return NULL;
    const sq_moving_pointer *w = walk_of(x, decl);
    const sq_walk_use *use = w ? use_at(x, w, name) : NULL;
    *inside = use != NULL;
    *ahead = use ? use->ahead + (steps && !is_post(x, c) ? by : 0) : 0;
    return w;
}
