/* Clamped: elements whose subscripts choose, A[x < 0 ? 0 : x] or A[max2(x, 0)], where the condition is one of indices
 * and sizes. The choice goes around the element, x < 0 ? A[0] : A[x], once for each: what is read on each side is one
 * place for each instance. A[x % n], where n is a size and x less than 3*n, chooses
 * x < n ? A[x] : x < 2*n ? A[x - n] : A[x - 2*n]. */
#include "frontend/scop_build.h"
#include <isl/aff.h>
#include <isl/val.h>
#include <string.h>

enum { MOST_CHOICES = 6 };

static bool is_affine(sq_builder *b, CXCursor condition)
{
    size_t mark = sq_diags_mark(b->r.d);
    isl_set *set = sq_condition_read(b, condition);
    sq_diags_rewind(b->r.d, mark);
    isl_set_free(set);
    return set != NULL;
}

/* True of x % n with a size n. */
static bool is_ring(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *side = sq_cursor_children(&b->r, c, &n);
    if (!b->scop || c.kind != CXCursor_BinaryOperator || n != 2 ||
        b->r.cl->clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Rem)
        return false;
    size_t mark = sq_diags_mark(b->r.d);
    sq_affine_of of = b->affine_of;
    isl_pw_aff *x = sq_piecewise_read(b, side[0]), *by = x ? sq_piecewise_read(b, side[1]) : NULL;
    bool is = by && isl_pw_aff_is_cst(by) == isl_bool_false &&
              isl_pw_aff_involves_dims(by, isl_dim_in, 0, (unsigned)b->nvars) == isl_bool_false;
    b->affine_of = of;
    sq_diags_rewind(b->r.d, mark);
    isl_pw_aff_free(x);
    isl_pw_aff_free(by);
    return is;
}

static bool is_piecewise(sq_builder *b, CXCursor c)
{
    size_t mark = sq_diags_mark(b->r.d);
    sq_affine_of of = b->affine_of;
    isl_pw_aff *x = sq_piecewise_read(b, c);
    b->affine_of = of;
    sq_diags_rewind(b->r.d, mark);
    isl_pw_aff_free(x);
    return x != NULL;
}

/* True of min2(x, y) and max2(x, y). */
static bool is_extreme(sq_builder *b, CXCursor c, bool *least)
{
    const char *name = c.kind == CXCursor_CallExpr ? sq_cursor_spelling(&b->r, c) : "";
    *least = strcmp(name, "min2") == 0;
    return *least || strcmp(name, "max2") == 0;
}

/* The first choice of a subscript, from outside, that no side has been taken of; what stands on a side that was not
 * taken does not count. */
static bool find(sq_builder *b, CXCursor c, CXCursor *choice)
{
    int n;
    bool holds, least;
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
    if (is_extreme(b, c, &least)) {
        CXCursor x = b->r.cl->clang_Cursor_getArgument(c, 0), y = b->r.cl->clang_Cursor_getArgument(c, 1);
        if (sq_clamped_side(b, c, &holds))
            return find(b, holds ? x : y, choice);
        *choice = c;
        return is_piecewise(b, x) && is_piecewise(b, y);
    }
    for (int i = 0; i < n; i++)
        if (find(b, child[i], choice))
            return true;
    if (!is_ring(b, c) || sq_clamped_turns(b, c) >= 0)
        return false;
    *choice = c;
    return true;
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

/* Where x is no number from 0 to 3*n, or n is none above 0. */
static isl_set *beyond_turns(sq_builder *b, const CXCursor *side)
{
    isl_pw_aff *x = sq_piecewise_read(b, side[0]), *n = sq_piecewise_read(b, side[1]);
    isl_pw_aff *zero = isl_pw_aff_from_aff(sq_affine_zero(b));
    isl_val *most = isl_val_int_from_si(b->k->ctx, SQ_MOST_TURNS + 1);
    isl_set *bad = isl_pw_aff_lt_set(isl_pw_aff_copy(x), isl_pw_aff_copy(zero));
    bad = isl_set_union(bad, isl_pw_aff_le_set(isl_pw_aff_copy(n), zero));
    return isl_set_union(bad, isl_pw_aff_ge_set(x, isl_pw_aff_scale_val(n, most)));
}

/* x < n, or what of x % n comes behind it; NULL after an error. */
static sq_expr *ring_condition(sq_builder *b, CXCursor c, const CXCursor *side, sq_reading *in)
{
    int behind = 0;
    const char *sizes;
    for (int i = 0; i < b->nclamped; i++)
        behind += b->r.cl->clang_equalCursors(b->clamped[i].at, c) != 0;
    isl_set *bad = beyond_turns(b, side);
    if (sq_sizes_exclude(b, bad, &sizes)) {
        sq_refuse(b, c, "this rest is by a size, and what it is of has to be from 0 to less than three times that%s%s",
                  *sizes ? "; it is not for " : "", sizes);
        return NULL;
    }
    sq_expr *x = sq_value_read(b, side[0], in), *end = x ? sq_value_read(b, side[1], in) : NULL;
    if (!end)
        return NULL;
    sq_expr *times = sq_expr_constant(b, end->type, behind + 1, behind + 1, end->loc);
    end = behind ? sq_expr_binary(b, SQ_OP_MUL, end, times, end->loc) : end;
    sq_expr *less = sq_expr_binary(b, SQ_OP_LT, x, end, x->loc);
    less->type = SQ_I32;
    return less;
}

/* True where the first of two is the one; NULL after an error. */
static sq_expr *extreme_condition(sq_builder *b, CXCursor c, bool least, sq_reading *in)
{
    sq_expr *x = sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, 0), in);
    sq_expr *y = x ? sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, 1), in) : NULL;
    if (!y)
        return NULL;
    sq_expr *less = sq_expr_binary(b, SQ_OP_LT, least ? x : y, least ? y : x, x->loc);
    less->type = SQ_I32;
    return less;
}

/* As clampedge, where that is what the choices are; NULL, without an error: they are others. */
static sq_expr *read_at_edge(sq_builder *b, CXCursor c)
{
    sq_access edge = {.fits_above = 0};
    bool is = sq_clamped_at_edge(b, c, &edge);
    sq_expr *e = is ? sq_element_read(b, c, SQ_EDGE_CLAMP) : NULL;
    b->nclamped = 0;
    if (e) {
        e->access->edge = SQ_EDGE_CLAMP;
        e->access->fits_above = edge.fits_above;
        e->access->fits_below = edge.fits_below;
    }
    return e;
}

sq_expr *sq_clamped_read(sq_builder *b, CXCursor c)
{
    sq_expr *at_edge = b->nclamped == 0 ? read_at_edge(b, c) : NULL;
    if (at_edge)
        return at_edge;
    CXCursor choice;
    int n;
    bool least;
    if (b->nclamped == MOST_CHOICES || !find(b, c, &choice))
        return sq_element_read(b, c, SQ_EDGE_NONE);
    CXCursor *part = sq_cursor_children(&b->r, choice, &n);
    sq_reading in = {0};
    sq_expr *condition = choice.kind == CXCursor_ConditionalOperator ? sq_value_read(b, part[0], &in)
                         : is_extreme(b, choice, &least)           ? extreme_condition(b, choice, least, &in)
                                                                   : ring_condition(b, choice, part, &in);
    sq_expr *x = condition ? read_side(b, c, choice, condition, true) : NULL;
    sq_expr *y = x ? read_side(b, c, choice, condition, false) : NULL;
    return y ? sq_expr_choice(b, condition, x, y, x->loc) : NULL;
}
