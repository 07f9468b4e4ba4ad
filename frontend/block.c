/* Blocks: the body of a kernel, statement by statement. Keeps track of what surrounds the text
 * being read: C loops, conditions, ranges in force, the textual position in every open loop. */
#include "frontend/calls.h"
#include "frontend/report.h"
#include "frontend/scop_build.h"
#include <isl/space.h>
#include <string.h>

enum { MOST_LISTED = 64 };

static int read_statement(sq_builder *b, CXCursor c);

/* ---- declarations, range, assume --------------------------------------------------------- */

typedef struct pieces {
    isl_set *reached; /* instances that the text being read has */
    isl_aff *form;
    int n;
} pieces;

static isl_stat take_reached(isl_set *set, isl_aff *form, void *user)
{
    pieces *p = user;
    set = isl_set_intersect(set, isl_set_copy(p->reached));
    if (isl_set_is_empty(set) != isl_bool_true) {
        p->n++;
        isl_aff_free(p->form);
        p->form = isl_aff_copy(form);
    }
    isl_set_free(set);
    isl_aff_free(form);
    return isl_stat_ok;
}

/* Of i / 2 one piece is left where the loops and ifs around it say that i is not negative. NULL: there are several. */
static isl_aff *one_form(const sq_builder *b, isl_pw_aff *form)
{
    pieces p = {.reached = sq_known(b, isl_set_universe(isl_space_copy(b->universe)))};
    isl_pw_aff_foreach_piece(form, take_reached, &p);
    isl_set_free(p.reached);
    return p.n == 1 ? p.form : isl_aff_free(p.form);
}

/* The value of `const int n = …` where that is affine, in a region also of `int n = …` that nothing
 * else assigns; NULL, without an error, where not. */
static isl_aff *const_form(sq_builder *b, CXCursor decl, CXCursor value)
{
    CXType t = b->r.cl->clang_getCursorType(decl);
    int type = sq_type_read(b, t);
    bool fixed =
        b->r.cl->clang_isConstQualifiedType(t) || (b->scop && sq_scop_meaning(b, decl, &value));
    if (!fixed || (type != SQ_I32 && type != SQ_I64 && (b->scop || type != SQ_U64)))
        return NULL;
    sq_reading in = {0};
    sq_expr *e = sq_value_read(b, value, &in);
    sq_floors_forget(b);
    isl_pw_aff *form = e ? sq_expr_affine(b, e) : NULL;
    if (form && isl_pw_aff_isa_aff(form) == isl_bool_true)
        return isl_pw_aff_as_aff(form);
    isl_aff *piece = form && b->scop ? one_form(b, form) : NULL;
    isl_pw_aff_free(form);
    return piece;
}

/* `{1, 2}` for dimension d of a local array; elements that are not listed are 0. */
static int read_list(sq_builder *b, CXCursor decl, CXCursor list, int d, int64_t *at)
{
    int n = 0, rc = 0;
    bool none = b->r.cl->clang_Cursor_isNull(list);
    CXCursor *value = none ? NULL : sq_cursor_children(&b->r, list, &n);
    const sq_array *a = sq_symbol_find(b, decl)->array;
    int64_t extent = d < a->ndim ? sq_array_extent(a, d) : -1;
    if ((!none && list.kind != CXCursor_InitListExpr) || extent < n || extent > MOST_LISTED)
        return sq_refuse(b, none ? decl : list,
                         "this list is not accepted; accepted is one with a value, or a list in "
                         "braces, for each of at most %d elements of a constant size",
                         MOST_LISTED);
    for (at[d] = 0; at[d] < extent && rc == 0; at[d]++) {
        CXCursor here = at[d] < n ? value[at[d]] : b->r.cl->clang_getNullCursor();
        rc = d + 1 < a->ndim ? read_list(b, decl, here, d + 1, at)
                             : sq_assign_initial(b, decl, here, at);
    }
    return rc;
}

/* What computes nothing: types, and enumerators, which are constants. */
static bool is_type(CXCursor decl)
{
    return decl.kind == CXCursor_EnumDecl || decl.kind == CXCursor_StructDecl ||
           decl.kind == CXCursor_UnionDecl || decl.kind == CXCursor_TypedefDecl ||
           decl.kind == CXCursor_StaticAssert;
}

static int read_declaration(sq_builder *b, CXCursor decl)
{
    int v = sq_var_find(b, decl);
    CXCursor value;
    bool initial = sq_cursor_initial(&b->r, decl, &value);
    if (is_type(decl))
        return 0;
    if (decl.kind != CXCursor_VarDecl)
        return sq_refuse(b, decl,
                         "this declaration is not accepted in a kernel; accepted are "
                         "idx, loop variables, and local arrays and scalars");
    if (v >= 0 && initial)
        return sq_refuse(b, decl,
                         "'%s' has an initial value; an index gets its values from the "
                         "arrays, from range(%s, lo, hi) or from its for",
                         b->var[v].name, b->var[v].name);
    if (v >= 0)
        return 0;
    if (sq_counter_find(b, decl))
        return sq_declared_name(b, decl) || sq_declared_qualifiers(b, decl) ? -1 : 0;
    isl_aff *form = initial ? const_form(b, decl, value) : NULL;
    if (form && sq_declared_qualifiers(b, decl)) {
        isl_aff_free(form);
        return -1;
    }
    if (form)
        return sq_symbols_form(b, decl, form);
    if (sq_symbols_local(b, decl))
        return -1;
    int64_t at[SQ_MAX_DIM];
    if (initial && value.kind == CXCursor_InitListExpr)
        return read_list(b, decl, value, 0, at);
    sq_array *a = sq_symbol_find(b, decl)->array;
    bool scalar = a->ndim == 0;
    a->is_named = initial && b->scop && sq_scop_meaning(b, decl, &value);
    return scalar && initial ? sq_assign_initial(b, decl, value, at) : 0;
}

static bool involves(isl_pw_aff *a, int v)
{
    return isl_pw_aff_involves_dims(a, isl_dim_in, (unsigned)v, 1) != isl_bool_false;
}

/* The bound where it is one expression; the builder owns it. */
static isl_aff *one_piece(sq_builder *b, isl_pw_aff *bound)
{
    if (isl_pw_aff_isa_aff(bound) != isl_bool_true)
        return NULL;
    isl_aff *a = isl_pw_aff_as_aff(isl_pw_aff_copy(bound));
    sq_builder_own(b, NULL, NULL, a);
    return a;
}

static int read_range(sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    CXCursor what = sq_cursor_strip(&b->r, cl->clang_Cursor_getArgument(c, 0));
    int v = what.kind == CXCursor_DeclRefExpr ? sq_var_find(b, cl->clang_getCursorReferenced(what))
                                              : -1;
    if (v < 0 || b->var[v].is_loop) {
        b->is_known = false;
        return sq_refuse(b, what, "range is for a variable declared with idx");
    }
    b->affine_of = SQ_AFFINE_RANGE;
    isl_pw_aff *lo = sq_piecewise_read(b, cl->clang_Cursor_getArgument(c, 1));
    isl_pw_aff *hi = lo ? sq_piecewise_read(b, cl->clang_Cursor_getArgument(c, 2)) : NULL;
    b->var[v].failed = !hi || involves(lo, v) || involves(hi, v);
    if (!hi) {
        isl_pw_aff_free(lo);
        return -1;
    }
    if (b->var[v].failed) {
        isl_pw_aff_free(lo);
        isl_pw_aff_free(hi);
        return sq_refuse(b, c, "the range of '%s' mentions '%s' itself", b->var[v].name,
                         b->var[v].name);
    }
    isl_pw_aff *at = isl_pw_aff_from_aff(sq_affine_of_var(b, v));
    b->var[v].lo = one_piece(b, lo);
    b->var[v].hi = one_piece(b, hi);
    isl_set *within = isl_pw_aff_ge_set(isl_pw_aff_copy(at), lo);
    within = isl_set_intersect(within, isl_pw_aff_lt_set(at, hi));
    b->var[v].active = true;
    b->var[v].within = sq_builder_own_set(b, isl_set_coalesce(within));
    b->var[v].range = sq_cursor_loc(&b->r, c);
    return 0;
}

/* Parts joined by && are promises of their own: what depends on one does not depend on the others. */
static int read_promise(sq_builder *b, CXCursor call, CXCursor c)
{
    int n;
    CXCursor inner = sq_cursor_strip(&b->r, c), *side = sq_cursor_children(&b->r, inner, &n);
    if (inner.kind == CXCursor_BinaryOperator && n == 2 &&
        b->r.cl->clang_getCursorBinaryOperatorKind(inner) == CXBinaryOperator_LAnd)
        return read_promise(b, call, side[0]) || read_promise(b, call, side[1]) ? -1 : 0;
    if (sq_elements_is(b, inner))
        return sq_elements_assume(b, inner);
    isl_set *set = sq_condition_read(b, c);
    if (!set && sq_indirect_is(b, c))
        sq_help(b->r.d, SQ_NOWHERE,
                "of all elements of an array, assume(I[i] >= 0 && I[i] < n) says between what they are");
    if (!set)
        return -1;
    bool vars = isl_set_involves_dims(set, isl_dim_set, 0, (unsigned)b->nvars) != isl_bool_false;
    if (vars) {
        isl_set_free(set);
        return sq_refuse(b, call, "assume is about sizes; it cannot mention an index");
    }
    sq_context_assume(b, set);
    return 0;
}

static int read_assume(sq_builder *b, CXCursor c)
{
    b->affine_of = SQ_AFFINE_CONDITION;
    int rc = read_promise(b, c, b->r.cl->clang_Cursor_getArgument(c, 0));
    b->is_known &= rc == 0;
    return rc;
}

/* assert(…) of a region: the sizes are those for which it never fails. What depends on values may. */
static int read_assert(sq_builder *b, CXCursor c)
{
    b->affine_of = SQ_AFFINE_CONDITION;
    isl_set *holds = sq_condition_read(b, b->r.cl->clang_Cursor_getArgument(c, 0));
    if (!holds) {
        sq_help(b->r.d, SQ_NOWHERE, "an assert of values is accepted with -DNDEBUG, which the build has to give, too");
        return -1;
    }
    isl_set *fails = isl_set_params(sq_known(b, isl_set_complement(holds)));
    b->k->context = isl_set_coalesce(isl_set_subtract(b->k->context, fails));
    return 0;
}

static int refuse_region_call(sq_builder *b, CXCursor c, const char *name)
{
    sq_refuse(b, c,
              "a call of '%s' is no statement of a region; accepted are assignments, "
              "for, if and declarations",
              name);
    if (strcmp(name, "memset") == 0)
        sq_help(b->r.d, SQ_NOWHERE, "write the loop, for (int i = 0; i < n; i++) a[i] = 0;");
    if (strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0)
        sq_help(b->r.d, SQ_NOWHERE, "write the loop, for (int i = 0; i < n; i++) a[i] = b[i];");
    sq_call_why(b, name);
    return -1;
}

static int read_call(sq_builder *b, CXCursor c)
{
    const char *name = sq_cursor_spelling(&b->r, c);
    if (b->scop)
        return strcmp(name, SQ_CALLS_ASSERT) == 0 ? read_assert(b, c) : refuse_region_call(b, c, name);
    if (strcmp(name, "range") == 0)
        return read_range(b, c);
    if (strcmp(name, "assume") == 0)
        return read_assume(b, c);
    b->is_known = false;
    return sq_refuse(b, c,
                     "a call of '%s' is no statement of a kernel; accepted are range and "
                     "assume, and assignments",
                     name);
}

/* ---- loops and conditions ----------------------------------------------------------------- */

/* True if a loop holds nothing but one assignment, through loops, ifs and braces. */
static bool is_sole(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (c.kind == CXCursor_ForStmt)
        return n == 4 && is_sole(b, child[3]);
    if (c.kind == CXCursor_IfStmt)
        return n == 2 && is_sole(b, child[1]);
    if (c.kind == CXCursor_CompoundStmt)
        return n == 1 && is_sole(b, child[0]);
    return (c.kind == CXCursor_BinaryOperator || c.kind == CXCursor_CompoundAssignOperator ||
            c.kind == CXCursor_UnaryOperator) &&
           !sq_cursor_is_comma(&b->r, c) && !sq_assign_is_chain(b, c);
}

/* Of a loop or an if that is not read, what stands inside can be wrong by itself. */
static int look_inside(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    for (int i = 0; i < n; i++)
        sq_control_look(b, child[i]);
    return -1;
}

static int read_for(sq_builder *b, CXCursor c)
{
    CXCursor body;
    if (b->nloops == 0)
        b->sole = is_sole(b, c);
    if (sq_loop_open(b, c, &body))
        return look_inside(b, c);
    b->counter[b->nloops] = 0;
    int rc = read_statement(b, body);
    sq_loop_close(b);
    b->counter[b->nloops]++;
    return rc;
}

/* What stands under a condition; takes the set, which says where it holds. */
static int read_under(sq_builder *b, CXCursor c, isl_set *holds, sq_loc condition)
{
    isl_set *outer = b->guard;
    sq_loc outer_loc = b->guard_loc;
    b->guard_loc = condition;
    b->guard = outer ? isl_set_intersect(isl_set_copy(outer), holds) : holds;
    int rc = read_statement(b, c);
    isl_set_free(b->guard);
    b->guard = outer;
    b->guard_loc = outer_loc;
    return rc;
}

/* One side of an if whose condition depends on values; `other` is read after it, or NULL. What of the condition does
 * not, as in i > 1 && a[i] > 0, guards the side as the condition of any if does. */
static int read_side(sq_builder *b, CXCursor c, const CXCursor *other, sq_choice *choice, bool holds)
{
    isl_set *outer = sq_where_enter(b, choice->where, holds), *guard = b->guard;
    int ndead = b->ndead;
    if (b->where && !choice->is_window)
        b->guard = guard ? isl_set_intersect(isl_set_copy(guard), isl_set_copy(b->where)) : isl_set_copy(b->where);
    sq_flow_find_dead(b, c, other, choice);
    choice->holds = holds;
    b->choice = choice;
    int rc = read_statement(b, c);
    b->choice = choice->outer;
    b->ndead = ndead;
    if (b->guard != guard)
        isl_set_free(b->guard);
    b->guard = guard;
    sq_where_leave(b, outer);
    return rc;
}

/* Both sides, statement by statement. A condition that they change is held in a temporary, by a statement whose value
 * is a copy: what the condition says of indices is asked further on. */
static int read_sides(sq_builder *b, const CXCursor *part, int n, sq_choice *choice, const sq_reading *in)
{
    if (sq_flow_spoils(b, choice->condition, part + 1, n - 1))
        choice->condition = sq_assign_held(b, "condition", sq_expr_copy(b, choice->condition), in);
    if (!choice->condition)
        return -1;
    int rc = read_side(b, part[1], n > 2 ? &part[2] : NULL, choice, true);
    return n > 2 ? read_side(b, part[2], NULL, choice, false) | rc : rc;
}

static int read_choice(sq_builder *b, CXCursor c, const CXCursor *part, int n, bool is_window)
{
    sq_reading in = {0};
    sq_choice choice = {.outer = b->choice, .is_window = is_window, .loc = sq_cursor_loc(&b->r, part[0])};
    choice.condition = choice.where = sq_condition_value(b, part[0], &in);
    if (!choice.condition) {
        sq_choice_help(b);
        return look_inside(b, c);
    }
    int rc = n > 2 ? sq_assign_either(b, &choice, part[1], part[2]) : 1;
    return rc == 1 ? read_sides(b, part, n, &choice, &in) : rc;
}

static int read_if(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    b->affine_of = SQ_AFFINE_CONDITION;
    size_t mark = sq_diags_mark(b->r.d);
    b->arithmetic = SQ_NO_ARITHMETIC;
    isl_set *holds = sq_condition_read(b, part[0]);
    if (!holds) {
        bool by_value = sq_diags_message(b->r.d, mark) && !b->arithmetic;
        if (by_value && (b->scop || b->nloops > 0)) { /* index statements choose between values */
            sq_diags_rewind(b->r.d, mark);
            return read_choice(b, c, part, n, false);
        }
        if (by_value)
            sq_choice_help(b);
        return look_inside(b, c);
    }
    if (b->scop && n == 2 && sq_choice_is_window(b, part[1], holds)) {
        isl_set_free(holds);
        return read_choice(b, c, part, n, true);
    }
    sq_loc at = sq_cursor_loc(&b->r, part[0]);
    isl_set *fails = n > 2 ? isl_set_complement(isl_set_copy(holds)) : NULL;
    int rc = read_under(b, part[1], holds, at);
    return fails ? read_under(b, part[2], fails, at) | rc : rc;
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* Ranges given in a block end with it. */
static int read_compound(sq_builder *b, CXCursor c)
{
    int n, rc = 0;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    sq_var *saved = SQ_NEW_ARRAY(b->r.arena, sq_var, SQ_MAX_VARS);
    memcpy(saved, b->var, sizeof b->var);
    if (b->choice)
        sq_flow_declared(b, c);
    for (int i = 0; i < n; i++)
        rc |= read_statement(b, child[i]);
    memcpy(b->var, saved, sizeof b->var);
    return rc;
}

static int read_declarations(sq_builder *b, CXCursor c)
{
    int n, rc = 0;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    for (int i = 0; i < n; i++)
        rc |= read_declaration(b, child[i]);
    b->is_known &= rc == 0;
    return rc;
}

static int read_assignment(sq_builder *b, CXCursor c)
{
    sq_builder_at(b, c);
    if (sq_scop_steps(b, c))
        return 0;
    int rc = c.kind == CXCursor_UnaryOperator ? sq_assign_step(b, c) : sq_assign_read(b, c);
    b->counter[b->nloops]++;
    return rc;
}

/* The statement behind attributes: `#pragma GCC unroll 4` is one to C. */
static CXCursor without_attributes(const sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool is_statement = n > 0 && child[n - 1].kind >= CXCursor_FirstStmt &&
                        child[n - 1].kind < CXCursor_TranslationUnit;
    return c.kind == CXCursor_UnexposedStmt && is_statement ? child[n - 1] : c;
}

/* What clang has an error in is not read; of loops and ifs what stands inside is looked at. */
static bool is_hurt(sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    if (!b->is_hurt || c.kind == CXCursor_ForStmt || c.kind == CXCursor_IfStmt ||
        c.kind == CXCursor_CompoundStmt)
        return false;
    CXSourceRange all = cl->clang_getCursorExtent(c);
    int first = sq_place_loc(&b->r, cl->clang_getRangeStart(all)).line;
    int last = sq_place_loc(&b->r, cl->clang_getRangeEnd(all)).line;
    return sq_report_count(&b->r, first, last) > 0;
}

/* do { … } while (0), as macros of several statements are written. */
static bool runs_once(const sq_builder *b, CXCursor c)
{
    int n;
    int64_t again;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    return b->scop && n == 2 && sq_cursor_evaluated(&b->r, part[1], &again) && again == 0;
}

static int read_statement(sq_builder *b, CXCursor c)
{
    int n;
    if (b->is_full || is_hurt(b, c))
        return -1;
    c = without_attributes(b, sq_cursor_strip(&b->r, c));
    switch (c.kind) {
    case CXCursor_DeclStmt:
        return read_declarations(b, c);
    case CXCursor_CallExpr:
        return read_call(b, c);
    case CXCursor_ForStmt:
        return read_for(b, c);
    case CXCursor_IfStmt:
        return read_if(b, c);
    case CXCursor_CompoundStmt:
        return read_compound(b, c);
    case CXCursor_DoStmt:
        if (runs_once(b, c))
            return read_statement(b, sq_cursor_children(&b->r, c, &n)[0]);
        break;
    case CXCursor_NullStmt:
        return 0;
    case CXCursor_CompoundAssignOperator:
        return read_assignment(b, c);
    case CXCursor_UnaryOperator:
        if (sq_cursor_assigns(&b->r, c))
            return read_assignment(b, c);
        break;
    case CXCursor_BinaryOperator:
        if (sq_cursor_assigns(&b->r, c))
            return read_assignment(b, c);
        if (b->scop && sq_cursor_is_comma(&b->r, c))
            return read_compound(b, c);
        break;
    default:
        break;
    }
    return sq_control_refuse(b, c);
}

int sq_block_read(sq_builder *b, CXCursor body)
{
    return read_compound(b, body);
}

int sq_block_statements(sq_builder *b, const CXCursor *stmt, int n)
{
    int rc = 0;
    for (int i = 0; i < n; i++)
        rc |= read_statement(b, stmt[i]);
    return rc;
}
