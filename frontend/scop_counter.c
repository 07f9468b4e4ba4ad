/* Scop counter: variables that go on from loop to loop of a nest, `out[k++] = …`. Every turn of a loop counts as far
 * as any other, so what such a name means is a polynomial of the loops' variables and sizes (poly.c), and what counts
 * it is no statement. It begins before the region, with a constant or any value, which is a size then, or with a
 * constant in the block that counts it, which may be the body of a loop; and it has to count in loops up from 0,
 * whatever values are, by a constant or a number of the caller's, `ix += incx`. */
#include "frontend/scop_build.h"

static bool is_of(const sq_builder *b, CXCursor c, CXCursor decl)
{
    return c.kind == CXCursor_DeclRefExpr && b->r.cl->clang_equalCursors(b->r.cl->clang_getCursorReferenced(c), decl);
}

bool sq_counter_bound(const sq_builder *b, CXCursor loop, CXCursor *variable, CXCursor *bound, int64_t *by)
{
    const sq_clang *cl = b->r.cl;
    int n, sides;
    CXCursor *part = sq_cursor_children(&b->r, loop, &n);
    if (loop.kind != CXCursor_ForStmt || n != 4 || !sq_scop_begins_at_0(b, loop) ||
        cl->clang_getCursorBinaryOperatorKind(part[1]) != CXBinaryOperator_LT)
        return false;
    CXCursor *side = sq_cursor_children(&b->r, part[1], &sides);
    CXCursor left = sides == 2 ? sq_cursor_strip(&b->r, side[0]) : loop;
    if (left.kind != CXCursor_DeclRefExpr)
        return false;
    *variable = cl->clang_getCursorReferenced(left);
    *bound = side[1];
    return sq_scop_step_of(b, sq_beside_own(b, loop, 2), *variable, by) && *by > 0;
}

/* `k++` or `k--`, *by what that adds. */
static bool is_post_step(const sq_builder *b, CXCursor c, CXCursor decl, int64_t *by)
{
    enum CXUnaryOperatorKind kind = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    return (kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec) && sq_scop_step_of(b, c, decl, by);
}

/* How many of an expression's operands, the first ones, are evaluated whenever it is; of sizeof none. */
static int sure_operands(const sq_builder *b, CXCursor c, int n)
{
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    bool joins = c.kind == CXCursor_BinaryOperator && (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr);
    return c.kind == CXCursor_ConditionalOperator || c.kind == CXCursor_UnaryExpr ? 0 : joins && n > 1 ? 1 : n;
}

/* True if the expression counts the variable as often as it is evaluated. */
static bool has_subscript(const sq_builder *b, CXCursor c, CXCursor decl, int64_t *by)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool found = is_post_step(b, sq_cursor_strip(&b->r, c), decl, by);
    n = sure_operands(b, c, n);
    for (int i = 0; i < n && !found; i++)
        found = has_subscript(b, child[i], decl, by);
    return found;
}

bool sq_counter_counts(const sq_builder *b, CXCursor stmt, CXCursor decl, int64_t *by)
{
    bool assigns = stmt.kind == CXCursor_BinaryOperator || stmt.kind == CXCursor_CompoundAssignOperator;
    return sq_scop_step_of(b, stmt, decl, by) ||
           (assigns && sq_scop_mentions(b, stmt, decl) == 1 && has_subscript(b, stmt, decl, by));
}

/* True if the statement is the variable's declaration, or one of several in it; so may be a part of a head. */
static bool declares(const sq_builder *b, CXCursor stmt, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, stmt, &n);
    bool found = b->r.cl->clang_equalCursors(stmt, decl);
    for (int i = 0; stmt.kind == CXCursor_DeclStmt && i < n && !found; i++)
        found = b->r.cl->clang_equalCursors(child[i], decl);
    return found;
}

static bool is_first(const sq_builder *b, CXCursor value, sq_first *to)
{
    CXCursor name = sq_cursor_strip(&b->r, value);
    *to = (sq_first){0};
    if (sq_cursor_evaluated(&b->r, value, &to->value))
        return true;
    to->size = b->r.cl->clang_getCursorReferenced(name);
    to->is_size = name.kind == CXCursor_DeclRefExpr && sq_scop_is_kept(b, to->size);
    return to->is_size;
}

bool sq_counter_sets(const sq_builder *b, CXCursor stmt, CXCursor decl, sq_first *first)
{
    int n;
    CXCursor initial, *side = sq_cursor_children(&b->r, stmt, &n);
    if (declares(b, stmt, decl))
        return sq_scop_mentions(b, stmt, decl) == 0 && sq_cursor_initial(&b->r, decl, &initial) &&
               is_first(b, initial, first);
    return sq_cursor_is_assignment(&b->r, stmt) && n == 2 && is_of(b, sq_cursor_strip(&b->r, side[0]), decl) &&
           is_first(b, side[1], first);
}

static bool names(const sq_builder *b, CXCursor stmt, CXCursor decl)
{
    return sq_scop_mentions(b, stmt, decl) > 0 || declares(b, stmt, decl);
}

/* The one part of a loop, an if or a block that names the variable, as statements; false: there is none, or several. */
static bool go_inside(const sq_builder *b, CXCursor stmt, CXCursor decl, sq_counter *k)
{
    int n, in = -1;
    CXCursor *part = sq_cursor_children(&b->r, stmt, &n);
    if (stmt.kind == CXCursor_CompoundStmt) {
        k->stmt = part;
        k->nstmts = n;
        return true;
    }
    for (int i = 0; i < n; i++) {
        if (in >= 0 && names(b, part[i], decl))
            return false;
        in = in < 0 && names(b, part[i], decl) ? i : in;
    }
    bool is_body = stmt.kind == CXCursor_ForStmt ? in == n - 1 : stmt.kind == CXCursor_IfStmt && in > 0;
    if (!is_body)
        return false;
    k->stmt = &part[in];
    k->nstmts = 1;
    return true;
}

/* True if the statement gives the variable its first value: k = 0; and for (i = 0, k = 0; … */
static bool begins(const sq_builder *b, CXCursor stmt, CXCursor decl)
{
    sq_first first;
    return sq_counter_sets(b, stmt, decl, &first) || sq_beside_starts(b, stmt, decl, &first);
}

/* The innermost statements that all names of the variable stand in, if the first one of them that names it gives it a
 * value. */
static bool find_block(const sq_builder *b, sq_counter *k)
{
    for (;;) {
        int first = 0, last = k->nstmts - 1;
        while (first < k->nstmts && !names(b, k->stmt[first], k->decl))
            first++;
        while (last > first && !names(b, k->stmt[last], k->decl))
            last--;
        if (first >= k->nstmts || begins(b, k->stmt[first], k->decl))
            return first < k->nstmts;
        if (first < last || !go_inside(b, k->stmt[first], k->decl, k))
            return false;
    }
}

static bool is_regular(const sq_builder *b, CXCursor c, CXCursor decl);

static bool is_regular_loop(const sq_builder *b, CXCursor loop, CXCursor decl)
{
    int n;
    int64_t by;
    CXCursor variable, bound, *part = sq_cursor_children(&b->r, loop, &n);
    return loop.kind == CXCursor_ForStmt && sq_counter_bound(b, loop, &variable, &bound, &by) &&
           sq_beside_is_regular(b, loop, decl) && is_regular(b, part[n - 1], decl);
}

/* True if all that counts the variable in the statement does so in every turn of the loops around. */
static bool is_regular(const sq_builder *b, CXCursor c, CXCursor decl)
{
    int n;
    int64_t by;
    sq_first first;
    CXCursor number, *child = sq_cursor_children(&b->r, c, &n);
    if (sq_scop_assignments(b, c, decl) == 0)
        return true;
    if (sq_counter_counts(b, c, decl, &by) || sq_scop_adds(b, c, decl, &number))
        return true;
    if (c.kind == CXCursor_ForStmt)
        return !sq_beside_starts(b, c, decl, &first) && is_regular_loop(b, c, decl);
    bool all = c.kind == CXCursor_CompoundStmt;
    for (int i = 0; i < n && all; i++)
        all = is_regular(b, child[i], decl);
    return all;
}

static bool is_counted(const sq_builder *b, const sq_counter *k)
{
    sq_first first;
    bool all = true;
    for (int i = 0; i < k->nstmts && all; i++)
        all = sq_counter_sets(b, k->stmt[i], k->decl, &first) || is_regular(b, k->stmt[i], k->decl) ||
              is_regular_loop(b, k->stmt[i], k->decl);
    return all;
}

/* Adds the variable if loops count it; it begins with k.start, or in its block. */
static bool add(sq_builder *b, sq_counter k, bool begins)
{
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(k.decl));
    k.stmt = b->scop->stmt;
    k.nstmts = b->scop->nstmts;
    if ((type != SQ_I32 && type != SQ_I64) || (!begins && !find_block(b, &k)) || !is_counted(b, &k))
        return false;
    k.next = b->scop->counters;
    b->scop->counters = SQ_NEW(b->r.arena, sq_counter);
    *b->scop->counters = k;
    return true;
}

static void look_at(sq_builder *b, sq_use *u)
{
    CXCursor initial;
    sq_counter k = {.decl = u->decl};
    bool own = u->assigned && !u->is_loop && !u->is_stepped && !u->live && !u->addressed && u->in_function &&
               !u->is_static && !u->member;
    bool begins = own && !u->repeats && !u->moved && sq_cursor_initial(&b->r, u->decl, &initial) &&
                  sq_cursor_evaluated(&b->r, initial, &k.start);
    bool added = own && add(b, k, begins);
    if (own && !added && !u->repeats) {
        k.is_given = true;
        added = add(b, k, true);
    }
    if (added)
        u->assigned = false;
}

void sq_scop_counters(sq_builder *b)
{
    const sq_scop *s = b->scop;
    for (int i = 0; i < s->nuses; i++)
        look_at(b, &b->scop->use[i]);
    for (int i = 0; i < s->nassigned; i++)
        if (b->r.cl->clang_Cursor_getStorageClass(s->assigned[i]) < CX_SC_Extern) /* those are refused */
            add(b, (sq_counter){.decl = s->assigned[i]}, false);
}

static void mark_sizes(sq_builder *b, CXCursor c)
{
    int n;
    sq_first first;
    CXCursor number, *child = sq_cursor_children(&b->r, c, &n);
    for (const sq_counter *k = b->scop->counters; k; k = k->next) {
        sq_symbol *s = sq_scop_adds(b, c, k->decl, &number)
                           ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(number))
                       : sq_counter_sets(b, c, k->decl, &first) && first.is_size ? sq_symbol_find(b, first.size)
                                                                                 : NULL;
        if (s)
            s->shape = true;
    }
    for (int i = 0; i < n; i++)
        mark_sizes(b, child[i]);
}

void sq_counter_sizes(sq_builder *b)
{
    for (int i = 0; i < b->scop->nstmts && b->scop->counters; i++)
        mark_sizes(b, b->scop->stmt[i]);
}

const sq_counter *sq_counter_find(const sq_builder *b, CXCursor decl)
{
    const sq_counter *k = b->scop ? b->scop->counters : NULL;
    while (k && !b->r.cl->clang_equalCursors(k->decl, decl))
        k = k->next;
    return k;
}

/* True if the text gives the variable another value than one that it goes on to. */
static bool is_set(const sq_builder *b, CXCursor c, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool set = sq_cursor_is_assignment(&b->r, c) && n == 2 && is_of(b, sq_cursor_strip(&b->r, child[0]), decl);
    for (int i = 0; i < n && !set; i++)
        set = is_set(b, child[i], decl);
    return set;
}

/* From before the region, unless a loop around that goes on from what the region leaves; or in its block. */
static bool has_beginning(const sq_builder *b, CXCursor decl)
{
    bool set = false;
    for (int i = 0; i < b->scop->nstmts && !set; i++)
        set = is_set(b, b->scop->stmt[i], decl);
    CXCursor initial;
    int64_t start;
    const sq_use *u = sq_scop_use(b, decl);
    sq_counter k = {.decl = decl, .nstmts = b->scop->nstmts, .stmt = b->scop->stmt};
    return (u && !u->repeats && !set) ||
           (sq_cursor_initial(&b->r, decl, &initial) && sq_cursor_evaluated(&b->r, initial, &start)) ||
           find_block(b, &k);
}

static const char *why_not(const sq_builder *b, CXCursor decl)
{
    const sq_use *u = sq_scop_use(b, decl);
    if (u && u->member)
        return "and is a member of a struct; count a variable of its own";
    if (u && u->live)
        return "and is read after the region";
    if (!has_beginning(b, decl))
        return "and does not begin with a constant or what ints that the region does not change give, where it is "
               "declared or before the loops that count it";
    return "but not in every turn of loops that count up from 0";
}

const char *sq_counter_refused(const sq_builder *b, CXCursor c)
{
    CXCursor decl = c;
    if (c.kind != CXCursor_VarDecl && !sq_scop_variable(b, c, &decl))
        return "what is counted here is no variable";
    return sq_arena_printf(b->r.arena, "'%s' is counted here %s", sq_scop_text(b, decl), why_not(b, decl));
}
