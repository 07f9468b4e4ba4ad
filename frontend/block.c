/* Blocks: the body of a kernel, statement by statement. Keeps track of what surrounds the text
 * being read: C loops, conditions, ranges in force, the textual position in every open loop. */
#include "frontend/build.h"
#include <isl/space.h>
#include <string.h>

static int read_statement(sq_builder *b, CXCursor c);

/* ---- declarations, range, assume --------------------------------------------------------- */

static bool is_expression(CXCursor c)
{
    return c.kind >= CXCursor_FirstExpr && c.kind <= CXCursor_LastExpr;
}

static int read_declaration(sq_builder *b, CXCursor decl)
{
    int n, v = sq_var_find(b, decl);
    CXCursor *child = sq_cursor_children(&b->r, decl, &n);
    bool initial = n > 0 && is_expression(child[n - 1]);
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
    if (sq_symbols_local(b, decl))
        return -1;
    bool scalar = sq_symbol_find(b, decl)->array->ndim == 0;
    return scalar && initial ? sq_assign_initial(b, decl, child[n - 1]) : 0;
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
    if (v < 0 || b->var[v].is_loop)
        return sq_refuse(b, what, "range is for a variable declared with idx");
    b->affine_what = "range";
    isl_pw_aff *lo = sq_piecewise_read(b, cl->clang_Cursor_getArgument(c, 1));
    isl_pw_aff *hi = lo ? sq_piecewise_read(b, cl->clang_Cursor_getArgument(c, 2)) : NULL;
    if (!hi) {
        isl_pw_aff_free(lo);
        return -1;
    }
    if (involves(lo, v) || involves(hi, v)) {
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

static int read_assume(sq_builder *b, CXCursor c)
{
    b->affine_what = "condition";
    isl_set *set = sq_condition_read(b, b->r.cl->clang_Cursor_getArgument(c, 0));
    if (!set)
        return -1;
    bool vars = isl_set_involves_dims(set, isl_dim_set, 0, (unsigned)b->nvars) != isl_bool_false;
    if (vars) {
        isl_set_free(set);
        return sq_refuse(b, c, "assume is about sizes; it cannot mention an index");
    }
    sq_context_assume(b, set);
    return 0;
}

static int read_call(sq_builder *b, CXCursor c)
{
    const char *name = sq_cursor_spelling(&b->r, c);
    if (b->scop)
        return sq_refuse(b, c,
                         "a call of '%s' is no statement of a region; accepted are assignments, "
                         "for, if and declarations",
                         name);
    if (strcmp(name, "range") == 0)
        return read_range(b, c);
    if (strcmp(name, "assume") == 0)
        return read_assume(b, c);
    return sq_refuse(b, c,
                     "a call of '%s' is no statement of a kernel; accepted are range and "
                     "assume, and assignments",
                     name);
}

/* ---- loops and conditions ----------------------------------------------------------------- */

/* Does a loop hold nothing but one assignment, through loops, ifs and braces? */
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
    return (c.kind == CXCursor_BinaryOperator || c.kind == CXCursor_CompoundAssignOperator) &&
           !sq_assign_is_chain(b, c);
}

static int read_for(sq_builder *b, CXCursor c)
{
    CXCursor body;
    if (b->nloops == 0)
        b->sole = is_sole(b, c);
    if (sq_loop_open(b, c, &body))
        return -1;
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

static int read_if(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    b->affine_what = "condition";
    isl_set *holds = sq_condition_read(b, part[0]);
    if (!holds) {
        sq_help(b->r.d, SQ_NOWHERE,
                "what depends on values is a choice between values: A[i] = B[i] > 0 ? x : A[i]");
        return -1;
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
    return rc;
}

static int read_assignment(sq_builder *b, CXCursor c)
{
    int rc = sq_assign_read(b, c);
    b->counter[b->nloops]++;
    return rc;
}

static int read_statement(sq_builder *b, CXCursor c)
{
    c = sq_cursor_strip(&b->r, c);
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
    case CXCursor_NullStmt:
        return 0;
    case CXCursor_CompoundAssignOperator:
        return read_assignment(b, c);
    case CXCursor_BinaryOperator:
        if (b->r.cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign)
            return read_assignment(b, c);
        break;
    default:
        break;
    }
    if (b->scop)
        return sq_refuse(b, c,
                         "this is no statement of a region; accepted are assignments, for, if and "
                         "declarations");
    return sq_refuse(b, c,
                     "this is no statement of a kernel; accepted are assignments to array "
                     "elements, range, assume, for, if and declarations");
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
