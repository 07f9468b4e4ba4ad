/* Assign, reading: the text of assignments, x = e, x op= e, x++, declarations with a value, both sides of an
 * if that assign to one element. */
#include "frontend/assign.h"
#include <isl/space.h>

typedef sq_assignment assignment;

static const struct {
    enum CXBinaryOperatorKind kind;
    sq_op op;
} assignments[] = {
    {CXBinaryOperator_Assign, SQ_OP_CONST},      {CXBinaryOperator_AddAssign, SQ_OP_ADD},
    {CXBinaryOperator_SubAssign, SQ_OP_SUB},     {CXBinaryOperator_MulAssign, SQ_OP_MUL},
    {CXBinaryOperator_DivAssign, SQ_OP_DIV},     {CXBinaryOperator_RemAssign, SQ_OP_MOD},
    {CXBinaryOperator_AndAssign, SQ_OP_BIT_AND}, {CXBinaryOperator_OrAssign, SQ_OP_BIT_OR},
    {CXBinaryOperator_XorAssign, SQ_OP_BIT_XOR}, {CXBinaryOperator_ShlAssign, SQ_OP_SHL},
    {CXBinaryOperator_ShrAssign, SQ_OP_SHR},
};
enum { NASSIGNMENTS = sizeof assignments / sizeof *assignments };

static int compound_op(enum CXBinaryOperatorKind kind, sq_op *op)
{
    for (int i = 0; i < NASSIGNMENTS; i++)
        if (assignments[i].kind == kind) {
            *op = assignments[i].op;
            return 0;
        }
    return -1;
}

/* In `x = y = e` that y = e stands on the right. */
bool sq_assign_is_chain(const sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    CXCursor right = n == 2 ? sq_cursor_strip(&b->r, arg[1]) : c;
    return right.kind == CXCursor_CompoundAssignOperator || (n == 2 && sq_cursor_is_assignment(&b->r, right));
}

/* The inner assignment of a chain as a statement before the outer one, which reads what was
 * written; *value becomes that. */
static int read_inner(sq_builder *b, CXCursor *value)
{
    int n;
    CXCursor inner = sq_cursor_strip(&b->r, *value);
    *value = sq_cursor_children(&b->r, inner, &n)[0];
    int rc = sq_assign_read(b, inner);
    b->counter[b->nloops]++;
    return rc;
}

int sq_assign_read(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    assignment a = {.loc = sq_cursor_loc(&b->r, c)};
    if (n != 2 || compound_op(b->r.cl->clang_getCursorBinaryOperatorKind(c), &a.op))
        return sq_refuse(
            b, c, "this assignment is not accepted; accepted are = and the op= of C's operators");
    if (sq_assign_is_chain(b, c) && read_inner(b, &arg[1]))
        return -1;
    a.write = sq_access_read(b, arg[0], &a.target);
    if (!a.write) {
        sq_floors_forget(b);
        return -1;
    }
    a.in.value = sq_value_read(b, arg[1], &a.in);
    int rc = a.in.value ? sq_assignment_add(b, &a) : -1;
    sq_floors_forget(b);
    return rc;
}

/* The assignment that is all of a branch; false: it is another statement. */
static bool is_one_assignment(sq_builder *b, CXCursor c, CXCursor *left, CXCursor *right)
{
    int n;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (c.kind == CXCursor_CompoundStmt)
        return n == 1 && is_one_assignment(b, child[0], left, right);
    if (!sq_cursor_is_assignment(&b->r, c) || n != 2 || sq_assign_is_chain(b, c))
        return false;
    *left = child[0];
    *right = child[1];
    return true;
}

static sq_expr *read_side(sq_builder *b, const sq_choice *c, bool holds, CXCursor text,
                          const sq_array *to, sq_reading *in)
{
    isl_set *outer = sq_where_enter(b, c->condition, holds);
    sq_expr *e = sq_value_read(b, text, in);
    sq_where_leave(b, outer);
    return e ? sq_expr_cast(b, to->type, e) : NULL;
}

int sq_assign_either(sq_builder *b, const sq_choice *c, CXCursor yes, CXCursor no)
{
    CXCursor left[2], right[2];
    sq_symbol *other;
    assignment a = {.loc = sq_cursor_loc(&b->r, yes), .op = SQ_OP_CONST};
    if (!is_one_assignment(b, yes, &left[0], &right[0]) ||
        !is_one_assignment(b, no, &left[1], &right[1]))
        return 1;
    size_t mark = sq_diags_mark(b->r.d);
    a.write = sq_access_read(b, left[0], &a.target);
    const sq_access *second = a.write ? sq_access_read(b, left[1], &other) : NULL;
    bool same = second && a.write->array == second->array &&
                isl_multi_aff_plain_is_equal(a.write->map, second->map) == isl_bool_true;
    sq_floors_forget(b);
    if (!same) {
        sq_diags_rewind(b->r.d, mark); /* said again where each is read */
        return 1;
    }
    a.write = sq_access_read(b, left[0], &a.target);
    sq_expr *x = read_side(b, c, true, right[0], a.write->array, &a.in),
            *y = x ? read_side(b, c, false, right[1], a.write->array, &a.in) : NULL;
    if (y)
        a.in.value = sq_expr_choice(b, sq_expr_copy(b, c->condition), x, y, a.loc);
    int rc = y ? sq_assignment_add(b, &a) : -1;
    sq_floors_forget(b);
    b->counter[b->nloops]++;
    return rc;
}

int sq_assign_step(sq_builder *b, CXCursor c)
{
    int n;
    enum CXUnaryOperatorKind kind = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    bool up = kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PostInc;
    assignment a = {.loc = sq_cursor_loc(&b->r, c), .op = up ? SQ_OP_ADD : SQ_OP_SUB};
    a.write = sq_access_read(b, sq_cursor_children(&b->r, c, &n)[0], &a.target);
    a.in.value = sq_expr_constant(b, SQ_I32, 0, 1, a.loc);
    int rc = a.write ? sq_assignment_add(b, &a) : -1;
    sq_floors_forget(b);
    return rc;
}

/* An element by number, of a scalar none. */
static sq_access *element(sq_builder *b, sq_array *array, const int64_t *at, sq_loc loc)
{
    isl_space *space = isl_space_set_from_params(isl_space_params(isl_space_copy(b->universe)));
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)array->ndim);
    space = isl_space_set_tuple_name(space, isl_dim_set, array->name);
    space = isl_space_map_from_domain_and_range(isl_space_copy(b->universe), space);
    isl_aff_list *list = isl_aff_list_alloc(b->k->ctx, array->ndim);
    for (int d = 0; d < array->ndim; d++)
        list = isl_aff_list_add(list, sq_affine_constant(b, at[d]));
    sq_access *a = SQ_NEW(b->k->arena, sq_access);
    *a = (sq_access){.array = array, .loc = loc, .map = isl_multi_aff_from_aff_list(space, list)};
    sq_builder_own(b, a, NULL, NULL);
    return a;
}

int sq_assign_initial(sq_builder *b, CXCursor decl, CXCursor value, const int64_t *at)
{
    assignment a = {
        .loc = sq_cursor_loc(&b->r, decl), .is_initial = true, .target = sq_symbol_find(b, decl)};
    a.write = element(b, a.target->array, at, a.loc);
    if (b->r.cl->clang_Cursor_isNull(value))
        a.in.value = sq_expr_constant(b, SQ_I32, 0, 0, a.loc);
    else
        a.in.value = sq_value_read(b, value, &a.in);
    int rc = a.in.value ? sq_assignment_add(b, &a) : -1;
    sq_floors_forget(b);
    b->counter[b->nloops]++;
    return rc;
}

sq_expr *sq_assign_held(sq_builder *b, const char *stem, sq_expr *value, const sq_reading *in)
{
    assignment a = {.loc = value->loc, .is_initial = true, .in = *in};
    a.target = sq_symbol_temporary(b, stem, value->type, NULL, value->loc);
    a.write = element(b, a.target->array, NULL, a.loc);
    a.in.value = value;
    sq_expr *held = sq_expr_read(b, element(b, a.target->array, NULL, a.loc), a.loc);
    int rc = sq_assignment_add(b, &a); /* which makes a.write the statement's own */
    sq_floors_forget(b);
    b->counter[b->nloops]++;
    return rc == 0 ? held : NULL;
}
