/* Loops: for statements that count a variable from an affine start by a constant step, up or down,
 * for as long as an affine condition holds.
 * Whatever its direction and step, the dimension of a loop counts up by one, so that its values in
 * order are the order of execution: of `for (i = lo; …; i += s)` it is t = 0, 1, …, and the name i
 * means lo + s*t. Loops that count up by one are their own dimension.
 * A loop ends when its condition is false for the first time; values beyond that are not reached,
 * even if the condition would hold again. */
#include "frontend/scop_build.h"
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

enum { MOST_STEP = 1 << 20 };

static int refuse_loop(sq_builder *b, CXCursor at, const char *what)
{
    return sq_refuse(
        b, at,
        "%s is not accepted; accepted are loops that count one variable by a constant, "
        "as in for (int i = lo; i < hi; i++) or for (i = hi; i > lo; i -= 2)",
        what);
}

/* Which variable a name stands for; -1 if it is none. */
static int variable_of(sq_builder *b, CXCursor c)
{
    c = sq_cursor_strip(&b->r, c);
    return c.kind == CXCursor_DeclRefExpr ? sq_var_find(b, b->r.cl->clang_getCursorReferenced(c))
                                          : -1;
}

/* ---- start --------------------------------------------------------------------------------- */

static int refuse_index(sq_builder *b, CXCursor at, const char *name)
{
    sq_refuse(b, at, "'%s' is an index, which runs over all its values without a loop", name);
    sq_help(b->r.d, SQ_NOWHERE, "leave the for out, or count with a variable: for (int %s = …",
            name);
    return -1;
}

/* The others end, or round, where an integer goes on. */
static bool is_counter(const sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    switch (cl->clang_getCanonicalType(cl->clang_getCursorType(c)).kind) {
    case CXType_Bool:
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float16:
        return false;
    default:
        return true;
    }
}

static bool is_pointer(const sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    return cl->clang_getCanonicalType(cl->clang_getCursorType(c)).kind == CXType_Pointer;
}

static int refuse_pointer(sq_builder *b, CXCursor at, const char *name)
{
    sq_refuse(b, at, "'%s' counts a loop and is a pointer; accepted are the types of integers",
              name);
    sq_help(b->r.d, SQ_NOWHERE,
            "write for (int i = 0; i < n; i++), with a[i] in the place of *%s where it begins at a",
            name);
    return -1;
}

/* `int i = lo` or `i = lo`; the variable, -1 after an error. */
static int read_start(sq_builder *b, CXCursor c, isl_pw_aff **lo)
{
    int n, v = -1;
    CXCursor *child = sq_cursor_children(&b->r, c, &n), from = c;
    if ((c.kind == CXCursor_DeclStmt && n == 1) || c.kind == CXCursor_VarDecl) {
        child = c.kind == CXCursor_VarDecl ? &c : child;
        v = sq_var_find(b, child[0]);
        if (!sq_cursor_initial(&b->r, child[0], &from))
            return refuse_loop(b, c, "this start of a loop");
    } else if (sq_cursor_is_assignment(&b->r, c) && n == 2) {
        v = variable_of(b, child[0]);
        from = child[1];
    }
    if (v >= 0 && is_pointer(b, child[0]))
        return refuse_pointer(b, c, b->var[v].name);
    if (v >= 0 && !is_counter(b, child[0]))
        return sq_refuse(b, c,
                         "'%s' counts a loop and is no integer; accepted are the types of integers",
                         b->var[v].name);
    if (v >= 0 && !b->var[v].is_loop)
        return refuse_index(b, c, b->var[v].name);
    if (v < 0)
        return refuse_loop(b, c, "this start of a loop");
    if (b->var[v].active)
        return sq_refuse(b, c, "'%s' already counts a loop around this one", b->var[v].name);
    b->affine_of = SQ_AFFINE_START;
    *lo = sq_piecewise_read(b, from);
    return *lo ? v : -1;
}

/* ---- step ---------------------------------------------------------------------------------- */

/* A constant; 0 if it is none, without an error. */
static int64_t constant_of(sq_builder *b, CXCursor c)
{
    size_t mark = sq_diags_mark(b->r.d);
    b->affine_of = SQ_AFFINE_STEP;
    isl_pw_aff *a = sq_piecewise_read(b, sq_cursor_strip(&b->r, c));
    sq_diags_rewind(b->r.d, mark);
    int64_t value = 0;
    if (a)
        sq_affine_is_number(a, &value);
    isl_pw_aff_free(a);
    return value;
}

/* Of `i = i + c`, `i = c + i`, `i = i - c`. */
static int64_t assigned_step(sq_builder *b, CXCursor c, int v)
{
    int n;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = c.kind == CXCursor_BinaryOperator
                                       ? b->r.cl->clang_getCursorBinaryOperatorKind(c)
                                       : CXBinaryOperator_Invalid;
    if (op == CXBinaryOperator_Add && variable_of(b, arg[0]) == v)
        return constant_of(b, arg[1]);
    if (op == CXBinaryOperator_Add && variable_of(b, arg[1]) == v)
        return constant_of(b, arg[0]);
    return op == CXBinaryOperator_Sub && variable_of(b, arg[0]) == v ? -constant_of(b, arg[1]) : 0;
}

/* What one turn adds to the variable; 0 after an error. */
static int64_t read_step(sq_builder *b, CXCursor c, int v)
{
    int n;
    int64_t step = 0;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    bool own = n > 0 && variable_of(b, arg[0]) == v;
    enum CXUnaryOperatorKind unary = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    enum CXBinaryOperatorKind binary = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    if (own && c.kind == CXCursor_UnaryOperator) {
        bool up = unary == CXUnaryOperator_PostInc || unary == CXUnaryOperator_PreInc;
        bool down = unary == CXUnaryOperator_PostDec || unary == CXUnaryOperator_PreDec;
        step = up - down;
    } else if (own && n == 2 && c.kind == CXCursor_CompoundAssignOperator) {
        int64_t by = constant_of(b, arg[1]);
        step = binary == CXBinaryOperator_AddAssign   ? by
               : binary == CXBinaryOperator_SubAssign ? -by
                                                      : 0;
    } else if (own && n == 2 && binary == CXBinaryOperator_Assign) {
        step = assigned_step(b, arg[1], v);
    }
    if (step == 0 || llabs(step) > MOST_STEP)
        refuse_loop(b, c, "this step of a loop");
    if (step == 0 && own && b->scop && n == 2)
        sq_help(b->r.d, SQ_NOWHERE, "a step is a number, or a name for one by #define or enum");
    return llabs(step) > MOST_STEP ? 0 : step;
}

/* ---- the dimension ------------------------------------------------------------------------- */

/* Of several cases, those that can be met here: the remainder of what cannot be negative is one.
 * Takes lo. */
static isl_pw_aff *cases_met(sq_builder *b, isl_pw_aff *lo)
{
    isl_set *known = sq_known(b, isl_set_universe(isl_space_copy(b->universe)));
    lo = isl_pw_aff_coalesce(isl_pw_aff_intersect_domain(lo, isl_set_copy(known)));
    return isl_pw_aff_gist(lo, known);
}

/* Settles what the variable means and returns where its dimension starts. Takes lo. */
static isl_set *count(sq_builder *b, CXCursor start, int v, isl_pw_aff *lo, int64_t step)
{
    isl_aff *t = sq_affine_of_var(b, v);
    sq_var *var = &b->var[v];
    var->value = NULL;
    if (step == 1)
        return isl_pw_aff_ge_set(isl_pw_aff_from_aff(t), lo);
    if (isl_pw_aff_isa_aff(lo) != isl_bool_true)
        lo = cases_met(b, lo);
    if (isl_pw_aff_isa_aff(lo) == isl_bool_true) {
        isl_val *by = isl_val_int_from_si(b->k->ctx, step);
        var->value = isl_aff_add(isl_pw_aff_as_aff(lo), isl_aff_scale_val(isl_aff_copy(t), by));
        sq_builder_own(b, NULL, NULL, var->value);
        return isl_aff_ge_set(t, sq_affine_zero(b));
    }
    if (step == -1) {
        var->value = isl_aff_neg(isl_aff_copy(t));
        sq_builder_own(b, NULL, NULL, var->value);
        return isl_pw_aff_ge_set(isl_pw_aff_from_aff(t), isl_pw_aff_neg(lo));
    }
    isl_pw_aff_free(lo);
    isl_aff_free(t);
    sq_refuse(b, start,
              "a loop with a step must start at one affine expression; write the choice as an if "
              "around two loops");
    return NULL;
}

/* { x -> x' : x'[v] >= x[v], the others equal }, or x'[v] = x[v] + 1. */
static isl_map *later(const sq_builder *b, int v, bool next)
{
    isl_map *m = isl_map_universe(isl_space_map_from_set(isl_space_copy(b->universe)));
    for (int d = 0; d < b->nvars; d++)
        if (d != v)
            m = isl_map_equate(m, isl_dim_in, d, isl_dim_out, d);
    isl_constraint *c =
        next ? isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(m)))
             : isl_constraint_alloc_inequality(isl_local_space_from_space(isl_map_get_space(m)));
    c = isl_constraint_set_coefficient_si(c, isl_dim_out, v, 1);
    c = isl_constraint_set_coefficient_si(c, isl_dim_in, v, -1);
    if (next)
        c = isl_constraint_set_constant_si(c, -1);
    return isl_map_add_constraint(m, c);
}

static int refuse_endless(sq_builder *b, CXCursor c, int v, bool ever, const char *sizes)
{
    if (!ever) {
        sq_refuse(b, c, "this loop does not end: its condition stays true as '%s' changes",
                  b->var[v].name);
        return -1;
    }
    sq_refuse(b, c, "this loop does not always end: '%s' may pass where its condition is false%s%s",
              b->var[v].name, *sizes ? ", for example with " : "", sizes);
    sq_help(b->r.d, SQ_NOWHERE,
            b->scop ? "write < or > instead of !="
                    : "write < or > instead of !=, or exclude such sizes with assume(...)");
    return -1;
}

/* That the condition becomes false at some time, `ended`: what is left where sizes have to be
 * excluded. Takes reached; NULL after an error. */
static isl_set *that_end(sq_builder *b, CXCursor c, int v, isl_set *from /* __isl_keep */,
                         isl_set *ended /* __isl_keep */, isl_set *reached)
{
    const char *sizes;
    isl_set *start = isl_set_eliminate(isl_set_copy(from), isl_dim_set, (unsigned)v, 1);
    isl_set *end = isl_set_eliminate(isl_set_copy(ended), isl_dim_set, (unsigned)v, 1);
    isl_set *ever = sq_known(b, isl_set_copy(end));
    bool ends = isl_set_is_empty(ever) == isl_bool_false;
    isl_set_free(ever);
    if (sq_sizes_exclude(b, isl_set_subtract(start, isl_set_copy(end)), &sizes)) {
        isl_set_free(end);
        isl_set_free(reached);
        refuse_endless(b, c, v, ends, sizes);
        return NULL;
    }
    return isl_set_intersect(reached, end);
}

/* What the condition says of unsigned values, where it is evaluated: until it is false for the
 * first time. -1 after an error. */
static int settle(sq_builder *b, int v, isl_set *from /* __isl_keep */,
                  isl_set *after_end /* __isl_keep */)
{
    if (!b->wraps)
        return 0;
    isl_set *never = isl_set_apply(isl_set_copy(after_end), later(b, v, false));
    return sq_unsigned_settle(b, v, isl_set_subtract(isl_set_copy(from), never));
}

static bool has_end(isl_set *turns /* __isl_keep */, int v)
{
    return isl_set_is_empty(turns) != isl_bool_false ||
           isl_set_dim_has_upper_bound(turns, isl_dim_set, (unsigned)v) == isl_bool_true;
}

/* The turns of a loop that starts in `from` and goes on while `holds`, as c says. Takes both; NULL
 * after an error. */
static isl_set *turns(sq_builder *b, CXCursor c, int v, isl_set *from, isl_set *holds)
{
    isl_set *reached = isl_set_coalesce(isl_set_intersect(isl_set_copy(from), holds));
    isl_set *ended = isl_set_subtract(isl_set_copy(from), isl_set_copy(reached));
    isl_set *after = isl_set_apply(isl_set_copy(ended), later(b, v, true));
    isl_set *again = isl_set_intersect(isl_set_copy(after), isl_set_copy(reached));
    bool once = isl_set_is_empty(again) == isl_bool_true, fits = settle(b, v, from, after) == 0;
    isl_set_free(again);
    isl_set_free(after);
    if (!once) {
        isl_set_free(reached);
        reached = isl_set_apply(isl_set_copy(ended), later(b, v, false));
        reached = isl_set_subtract(isl_set_copy(from), reached);
    }
    bool ends = has_end(reached, v);
    if (fits && !ends)
        reached = that_end(b, c, v, from, ended, reached);
    isl_set_free(ended);
    isl_set_free(from);
    if (!fits || !reached)
        return isl_set_free(reached);
    if (once && ends)
        return reached;
    isl_set *known = sq_known(b, isl_set_universe(isl_space_copy(b->universe)));
    return isl_set_coalesce(isl_set_gist(reached, known));
}

/* The variable is active while the condition is read: it may stand anywhere in it. */
static isl_set *read_turns(sq_builder *b, CXCursor c, int v, isl_set *from)
{
    b->affine_of = SQ_AFFINE_END;
    b->var[v].active = true;
    b->var[v].within = from;
    isl_set *holds = sq_condition_read(b, c);
    b->var[v].within = NULL;
    b->var[v].active = false;
    if (!holds) {
        isl_set_free(from);
        sq_unsigned_settle(b, v, NULL);
        return NULL;
    }
    return turns(b, c, v, from, holds);
}

/* ---- for (i = n; i-- > 0;) ----------------------------------------------------------------- */

/* `i--` of a variable of a loop; -1 if it is none. */
static int counted_down(sq_builder *b, CXCursor c)
{
    int n;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    bool is = c.kind == CXCursor_UnaryOperator && n == 1 &&
              b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_PostDec;
    return is ? variable_of(b, arg[0]) : -1;
}

/* Which variable a condition `i-- > end`, `i-- != end` or `i--` counts; -1: none. A null *end
 * stands for 0. */
static int counting_condition(sq_builder *b, CXCursor c, CXCursor *end, bool *differs)
{
    int n, v = counted_down(b, c);
    *end = b->r.cl->clang_getNullCursor();
    *differs = true;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    if (v >= 0 || c.kind != CXCursor_BinaryOperator || n != 2)
        return v;
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    *end = arg[1];
    *differs = op == CXBinaryOperator_NE;
    return *differs || op == CXBinaryOperator_GT ? counted_down(b, arg[0]) : -1;
}

/* The value before the step is compared; in the body the variable is one less. NULL after an
 * error. */
static isl_set *read_counting(sq_builder *b, CXCursor c, int v, isl_set *from, CXCursor end,
                              bool differs)
{
    bool none = b->r.cl->clang_Cursor_isNull(end);
    b->affine_of = SQ_AFFINE_END;
    isl_pw_aff *last = none ? isl_pw_aff_from_aff(sq_affine_zero(b)) : sq_piecewise_read(b, end);
    if (!last) {
        isl_set_free(from);
        return NULL;
    }
    isl_aff *value = b->var[v].value ? isl_aff_copy(b->var[v].value) : sq_affine_of_var(b, v);
    isl_pw_aff *before = isl_pw_aff_from_aff(isl_aff_add_constant_si(value, 1));
    return turns(b, c, v, from,
                 differs ? isl_pw_aff_ne_set(before, last) : isl_pw_aff_gt_set(before, last));
}

static isl_set *open_counting(sq_builder *b, CXCursor *part, int *v)
{
    CXCursor end;
    bool differs;
    isl_pw_aff *lo = NULL;
    isl_pw_aff *one = isl_pw_aff_from_aff(sq_affine_constant(b, 1));
    *v = read_start(b, part[0], &lo);
    bool same = counting_condition(b, part[1], &end, &differs) == *v;
    if (*v >= 0 && !same)
        refuse_loop(b, part[1], "another variable");
    if (*v < 0 || !same) {
        isl_pw_aff_free(lo);
        isl_pw_aff_free(one);
        return NULL;
    }
    isl_set *from = count(b, part[0], *v, isl_pw_aff_sub(lo, one), -1);
    return from ? read_counting(b, part[1], *v, from, end, differs) : NULL;
}

/* ---- a loop -------------------------------------------------------------------------------- */

/* What the head does beside counting the loop's own variable has to be that of counters. */
static int check_beside(sq_builder *b, CXCursor loop)
{
    CXCursor own, decl, at[SQ_MOST_BESIDE];
    for (int part = 0; part <= 2; part += 2) {
        int n = sq_beside_operands(b, loop, part, &own, at);
        for (int i = 0; i < n; i++) {
            bool declares = at[i].kind == CXCursor_VarDecl;
            decl = at[i];
            if (!declares && !sq_scop_assigned_by(b, sq_cursor_strip(&b->r, at[i]), &decl))
                return refuse_loop(b, at[i], part ? "this step of a loop" : "this start of a loop");
            if (sq_counter_find(b, decl))
                continue;
            sq_refuse(b, at[i], "%s", sq_counter_refused(b, decl));
            sq_help(b->r.d, SQ_NOWHERE,
                    "beside its own variable a loop from 0 counts others, for (i = 0, k = 0; i < n; i++, k += m)");
            return -1;
        }
    }
    return 0;
}

static isl_set *open_plain(sq_builder *b, CXCursor c, CXCursor *part, int *v)
{
    isl_pw_aff *lo = NULL;
    if (b->scop && check_beside(b, c))
        return NULL;
    *v = read_start(b, b->scop ? sq_beside_own(b, c, 0) : part[0], &lo);
    int64_t step = *v < 0 ? 0 : read_step(b, b->scop ? sq_beside_own(b, c, 2) : part[2], *v);
    if (step == 0) {
        isl_pw_aff_free(lo);
        return NULL;
    }
    isl_set *from = count(b, part[0], *v, lo, step);
    return from ? read_turns(b, part[1], *v, from) : NULL;
}

/* How many loops have the variable in their heads. */
static int loops_of(const sq_builder *b, CXCursor c, CXCursor decl)
{
    int n, all = c.kind == CXCursor_ForStmt && sq_scop_in_head(b, c, decl);
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    for (int i = 0; i < n; i++)
        all += loops_of(b, child[i], decl);
    return all;
}

/* True if another loop of the region counts the variable that the condition of a loop without a start compares. */
static bool is_shared(const sq_builder *b, CXCursor condition, CXCursor *decl)
{
    int n, all = 0;
    CXCursor *side = sq_cursor_children(&b->r, condition, &n);
    CXCursor name = n == 2 ? sq_cursor_strip(&b->r, side[0]) : condition;
    while (name.kind == CXCursor_BinaryOperator) { /* i + 3 < n */
        side = sq_cursor_children(&b->r, name, &n);
        name = sq_cursor_strip(&b->r, side[0]);
    }
    *decl = b->r.cl->clang_getCursorReferenced(name);
    for (int i = 0; b->scop && name.kind == CXCursor_DeclRefExpr && i < b->scop->nstmts; i++)
        all += loops_of(b, b->scop->stmt[i], *decl);
    return all > 1;
}

/* n: how many parts c has, its body included. */
static int refuse_empty_part(sq_builder *b, CXCursor c, const CXCursor *part, int n)
{
    CXCursor decl;
    if (n != 3 || part[0].kind != CXCursor_BinaryOperator || !is_shared(b, part[0], &decl))
        return refuse_loop(b, c, "a for with an empty part");
    const char *name = sq_scop_text(b, decl);
    sq_refuse(b, c,
              "this loop goes on from where another one has left '%s'; accepted are loops that give their variable its "
              "first value, alone change it, or follow that loop, where nothing else reads what they leave in it",
              name);
    sq_help(b->r.d, SQ_NOWHERE,
            "of a loop that is unrolled by hand and one for the rest, write one, for (%s = 0; %s < n; %s++): squall "
            "unrolls loops itself",
            name, name, name);
    return -1;
}

int sq_loop_open(sq_builder *b, CXCursor c, CXCursor *body)
{
    int n, v;
    bool differs;
    CXCursor end, *part = sq_cursor_children(&b->r, c, &n);
    bool counting = n == 3 && counting_condition(b, part[1], &end, &differs) >= 0;
    if (n != 4 && !counting)
        return refuse_empty_part(b, c, part, n);
    if (b->nloops == SQ_MAX_DEPTH)
        return sq_refuse(b, c, "loops are nested deeper than %d", SQ_MAX_DEPTH);
    isl_set *within = counting ? open_counting(b, part, &v) : open_plain(b, c, part, &v);
    if (!within)
        return -1;
    b->var[v].active = true;
    b->var[v].within = sq_builder_own_set(b, within);
    b->var[v].range = sq_cursor_loc(&b->r, part[0]);
    b->loop[b->nloops++] = v;
    *body = part[n - 1];
    return 0;
}

void sq_loop_close(sq_builder *b)
{
    sq_var *v = &b->var[b->loop[--b->nloops]];
    v->active = false;
    v->value = NULL;
}
