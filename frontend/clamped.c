/* Clamped: elements whose subscripts choose, A[x < 0 ? 0 : x], where the condition is one of indices and sizes. The
 * choice goes around the element, x < 0 ? A[0] : A[x], once for each: what is read on each side is one place for each
 * instance. */
#include "frontend/scop_build.h"

enum { MOST_CHOICES = 6 };

static bool is_affine(sq_builder *b, CXCursor condition)
{
    size_t mark = sq_diags_mark(b->r.d);
    isl_set *set = sq_condition_read(b, condition);
    sq_diags_rewind(b->r.d, mark);
    isl_set_free(set);
    return set != NULL;
}

/* The first choice of a subscript, from outside, that no side has been taken of; what stands on a side that was not
 * taken does not count. */
static bool find(sq_builder *b, CXCursor c, CXCursor *choice)
{
    int n;
    bool holds;
    CXCursor value, *child = sq_cursor_children(&b->r, c, &n);
    if (b->scop && c.kind == CXCursor_DeclRefExpr &&
        sq_scop_meaning(b, b->r.cl->clang_getCursorReferenced(c), &value))
        return find(b, value, choice);
    if (c.kind == CXCursor_ConditionalOperator && n == 3) {
        if (sq_clamped_side(b, c, &holds))
            return find(b, child[holds ? 1 : 2], choice);
        *choice = c;
        return is_affine(b, child[0]);
    }
    for (int i = 0; i < n; i++)
        if (find(b, child[i], choice))
            return true;
    return false;
}

/* The element where the condition holds, or does not; NULL after an error. */
static sq_expr *read_side(sq_builder *b, CXCursor c, CXCursor choice, const sq_expr *condition, bool holds)
{
    isl_set *outer = sq_where_enter(b, condition, holds);
    b->nconditions--; /* the instances that read it are known */
    b->clamped[b->nclamped].at = choice;
    b->clamped[b->nclamped++].holds = holds;
    sq_expr *e = sq_clamped_read(b, c);
    b->nclamped--;
    b->nconditions++;
    sq_where_leave(b, outer);
    return e;
}

sq_expr *sq_clamped_read(sq_builder *b, CXCursor c)
{
    CXCursor choice;
    int n;
    if (b->nclamped == MOST_CHOICES || !find(b, c, &choice))
        return sq_element_read(b, c, SQ_EDGE_NONE);
    CXCursor *part = sq_cursor_children(&b->r, choice, &n);
    sq_reading in = {0};
    sq_expr *condition = sq_value_read(b, part[0], &in);
    sq_expr *x = condition ? read_side(b, c, choice, condition, true) : NULL;
    sq_expr *y = x ? read_side(b, c, choice, condition, false) : NULL;
    return y ? sq_expr_choice(b, condition, x, y, x->loc) : NULL;
}
