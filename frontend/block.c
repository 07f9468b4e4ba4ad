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

static isl_aff *read_owned(sq_builder *b, CXCursor c)
{
    isl_aff *a = sq_affine_read(b, c);
    if (a)
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
    isl_aff *lo = read_owned(b, cl->clang_Cursor_getArgument(c, 1));
    isl_aff *hi = lo ? read_owned(b, cl->clang_Cursor_getArgument(c, 2)) : NULL;
    if (!hi)
        return -1;
    if (sq_affine_involves(b, lo, v) || sq_affine_involves(b, hi, v))
        return sq_refuse(b, c, "the range of '%s' mentions '%s' itself", b->var[v].name,
                         b->var[v].name);
    b->var[v].active = true;
    b->var[v].lo = lo;
    b->var[v].hi = hi;
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
    sq_context_add(b, set);
    return 0;
}

static int read_call(sq_builder *b, CXCursor c)
{
    const char *name = sq_cursor_spelling(&b->r, c);
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

static int refuse_loop(sq_builder *b, CXCursor at, const char *what)
{
    return sq_refuse(b, at,
                     "%s is not accepted; accepted are loops that count up by one, "
                     "for (int i = lo; i < hi; i++), with affine lo and hi",
                     what);
}

/* Which variable a name stands for; -1 if it is none. */
static int variable_of(sq_builder *b, CXCursor c)
{
    c = sq_cursor_strip(&b->r, c);
    return c.kind == CXCursor_DeclRefExpr ? sq_var_find(b, b->r.cl->clang_getCursorReferenced(c))
                                          : -1;
}

/* `int i = lo` or `i = lo`; the variable, -1 after an error. */
static int read_start(sq_builder *b, CXCursor c, isl_aff **lo)
{
    int n, m, v = -1;
    CXCursor *child = sq_cursor_children(&b->r, c, &n), from = c;
    if (c.kind == CXCursor_DeclStmt && n == 1) {
        v = sq_var_find(b, child[0]);
        CXCursor *part = sq_cursor_children(&b->r, child[0], &m);
        if (m == 0 || !is_expression(part[m - 1]))
            return refuse_loop(b, c, "this start of a loop");
        from = part[m - 1];
    } else if (c.kind == CXCursor_BinaryOperator && n == 2 &&
               b->r.cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign) {
        v = variable_of(b, child[0]);
        from = child[1];
    }
    if (v < 0 || !b->var[v].is_loop)
        return refuse_loop(b, c, "this start of a loop");
    if (b->var[v].active)
        return sq_refuse(b, c, "'%s' already counts a loop around this one", b->var[v].name);
    b->affine_what = "start of the loop";
    *lo = read_owned(b, from);
    return *lo ? v : -1;
}

/* `i < hi`, `i <= hi`, or turned around; hi is made exclusive. */
static int read_end(sq_builder *b, CXCursor c, int v, isl_aff **hi)
{
    int n, side = 1;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    if (c.kind == CXCursor_BinaryOperator && n == 2 && variable_of(b, arg[1]) == v &&
        (op == CXBinaryOperator_GT || op == CXBinaryOperator_GE)) {
        side = 0;
        op = op == CXBinaryOperator_GT ? CXBinaryOperator_LT : CXBinaryOperator_LE;
    }
    if (c.kind != CXCursor_BinaryOperator || n != 2 || variable_of(b, arg[1 - side]) != v ||
        (op != CXBinaryOperator_LT && op != CXBinaryOperator_LE))
        return refuse_loop(b, c, "this end of a loop");
    b->affine_what = "end of the loop";
    isl_aff *a = sq_affine_read(b, arg[side]);
    if (!a)
        return -1;
    *hi = op == CXBinaryOperator_LE ? isl_aff_add_constant_si(a, 1) : a;
    sq_builder_own(b, NULL, NULL, *hi);
    if (sq_affine_involves(b, *hi, v))
        return sq_refuse(b, c, "the end of the loop mentions '%s' itself", b->var[v].name);
    return 0;
}

/* i++, ++i, i += 1 */
static int read_step(sq_builder *b, CXCursor c, int v)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXUnaryOperatorKind op = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    if (c.kind == CXCursor_UnaryOperator && variable_of(b, arg[0]) == v &&
        (op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PreInc))
        return 0;
    if (c.kind == CXCursor_CompoundAssignOperator && n == 2 && variable_of(b, arg[0]) == v &&
        b->r.cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_AddAssign) {
        b->affine_what = "step of the loop";
        isl_aff *a = read_owned(b, arg[1]);
        if (!a)
            return -1;
        if (isl_aff_is_cst(a) == isl_bool_true) {
            isl_val *step = isl_aff_get_constant_val(a);
            bool one = isl_val_is_one(step) == isl_bool_true;
            isl_val_free(step);
            if (one)
                return 0;
        }
    }
    return refuse_loop(b, c, "this step of a loop");
}

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
    return c.kind == CXCursor_BinaryOperator || c.kind == CXCursor_CompoundAssignOperator;
}

static int read_for(sq_builder *b, CXCursor c)
{
    int n;
    isl_aff *lo = NULL, *hi = NULL;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    if (n != 4)
        return refuse_loop(b, c, "a for with an empty part");
    if (b->nloops == SQ_MAX_DEPTH)
        return sq_refuse(b, c, "loops are nested deeper than %d", SQ_MAX_DEPTH);
    if (b->nloops == 0)
        b->sole = is_sole(b, c);
    int v = read_start(b, part[0], &lo);
    if (v < 0 || read_end(b, part[1], v, &hi) || read_step(b, part[2], v))
        return -1;
    sq_var *var = &b->var[v];
    var->active = true;
    var->lo = lo;
    var->hi = hi;
    var->range = sq_cursor_loc(&b->r, part[0]);
    b->loop[b->nloops++] = v;
    b->counter[b->nloops] = 0;
    int rc = read_statement(b, part[3]);
    b->nloops--;
    b->counter[b->nloops]++;
    var->active = false;
    return rc;
}

static int read_if(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    if (n != 2)
        return sq_refuse(b, c,
                         "an if with else is not accepted; write a second if with the "
                         "opposite condition");
    b->affine_what = "condition";
    isl_set *set = sq_condition_read(b, part[0]), *outer = b->guard;
    sq_loc outer_loc = b->guard_loc;
    if (!set)
        return -1;
    b->guard_loc = sq_cursor_loc(&b->r, part[0]);
    b->guard = outer ? isl_set_intersect(set, isl_set_copy(outer)) : set;
    int rc = read_statement(b, part[1]);
    isl_set_free(b->guard);
    b->guard = outer;
    b->guard_loc = outer_loc;
    return rc;
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
    return sq_refuse(b, c,
                     "this is no statement of a kernel; accepted are assignments to array "
                     "elements, range, assume, for, if and declarations");
}

int sq_block_read(sq_builder *b, CXCursor body)
{
    return read_compound(b, body);
}
