/* Clamped edge: A[min2(max2(y - 1, 0), H - 1)][x] is clampedge(A[y - 1][x]): where all subscripts that choose move a
 * place to the nearest one in the array, and do nothing else, no instances have to be told apart. The other subscripts
 * stay in bounds, as elsewhere. */
#include "frontend/build.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <string.h>

/* True if the text has an index in it. */
static bool varies(sq_builder *b, CXCursor c)
{
    size_t mark = sq_diags_mark(b->r.d);
    isl_pw_aff *x = sq_piecewise_read(b, c);
    bool is = x && isl_pw_aff_involves_dims(x, isl_dim_in, 0, (unsigned)b->nvars) == isl_bool_true;
    sq_diags_rewind(b->r.d, mark);
    isl_pw_aff_free(x);
    return is;
}

/* The two sides of a choice; false: c is none. */
static bool sides(const sq_builder *b, CXCursor c, CXCursor side[2])
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    const char *name = c.kind == CXCursor_CallExpr ? sq_cursor_spelling(&b->r, c) : "";
    if (c.kind == CXCursor_ConditionalOperator && n == 3) {
        side[0] = part[1], side[1] = part[2];
        return true;
    }
    if (strcmp(name, "min2") != 0 && strcmp(name, "max2") != 0)
        return false;
    side[0] = b->r.cl->clang_Cursor_getArgument(c, 0), side[1] = b->r.cl->clang_Cursor_getArgument(c, 1);
    return true;
}

/* Takes the side of each choice that an index is in. */
static bool take_sides(sq_builder *b, CXCursor c)
{
    CXCursor side[2];
    c = sq_cursor_strip(&b->r, c);
    if (!sides(b, c, side))
        return true;
    bool first = varies(b, side[0]), second = varies(b, side[1]);
    if (first == second || b->nclamped == SQ_MOST_CLAMPED)
        return false;
    b->clamped[b->nclamped].at = c;
    b->clamped[b->nclamped++].holds = first;
    return take_sides(b, side[second]);
}

/* The place moved to the nearest one that has one above it, or below. Takes it. */
static isl_pw_aff *moved(isl_pw_aff *place, isl_aff *extent, bool above, bool below)
{
    isl_aff *zero = isl_aff_zero_on_domain(isl_aff_get_domain_local_space(extent));
    isl_aff *last = isl_aff_add_constant_si(isl_aff_copy(extent), -1);
    if (above)
        place = isl_pw_aff_min(place, isl_pw_aff_from_aff(isl_aff_copy(last)));
    if (below)
        place = isl_pw_aff_max(place, isl_pw_aff_from_aff(isl_aff_copy(zero)));
    isl_aff_free(zero);
    isl_aff_free(last);
    return place;
}

/* True if a subscript is the moved place wherever the array has elements. */
static bool is_moved(isl_pw_aff *whole, isl_pw_aff *place, isl_aff *extent, bool above, bool below)
{
    isl_aff *zero = isl_aff_zero_on_domain(isl_aff_get_domain_local_space(extent));
    isl_set *filled = isl_aff_gt_set(isl_aff_copy(extent), zero);
    isl_set *equal = isl_pw_aff_eq_set(isl_pw_aff_copy(whole), moved(isl_pw_aff_copy(place), extent, above, below));
    bool is = isl_set_is_empty(filled) == isl_bool_false && isl_set_is_subset(filled, equal) == isl_bool_true;
    isl_set_free(filled);
    isl_set_free(equal);
    return is;
}

/* True of a subscript with choices, whose sides are taken from here on, that moves a place to the nearest one; *above
 * and *below: from there. */
static bool is_edge(sq_builder *b, CXCursor subscript, isl_aff *extent, bool *above, bool *below)
{
    size_t mark = sq_diags_mark(b->r.d);
    isl_pw_aff *whole = sq_piecewise_read(b, subscript);
    isl_pw_aff *place = whole && take_sides(b, subscript) ? sq_piecewise_read(b, subscript) : NULL;
    bool is = false;
    sq_diags_rewind(b->r.d, mark);
    for (int from = 1; from < 4 && place && isl_pw_aff_isa_aff(place) == isl_bool_true && !is; from++) {
        *above = from & 1, *below = from & 2;
        is = is_moved(whole, place, extent, *above, *below);
    }
    isl_pw_aff_free(whole);
    isl_pw_aff_free(place);
    return is;
}

/* The subscripts of A[i][j], *n of them, at most SQ_MAX_DIM; the array's symbol, NULL if it is another element. */
static sq_symbol *unwind(const sq_builder *b, CXCursor c, CXCursor *subscript, int *n)
{
    CXCursor found[SQ_MAX_DIM];
    int children;
    for (*n = 0, c = sq_cursor_strip(&b->r, c); c.kind == CXCursor_ArraySubscriptExpr && *n < SQ_MAX_DIM;) {
        CXCursor *part = sq_cursor_children(&b->r, c, &children);
        found[(*n)++] = part[1];
        c = sq_cursor_strip(&b->r, part[0]);
    }
    for (int d = 0; d < *n; d++)
        subscript[d] = found[*n - 1 - d];
    sq_symbol *s = c.kind == CXCursor_DeclRefExpr ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(c)) : NULL;
    return s && s->kind == SQ_SYM_ARRAY && s->array->ndim == *n ? s : NULL;
}

static bool is_affine(sq_builder *b, CXCursor c)
{
    size_t mark = sq_diags_mark(b->r.d);
    isl_pw_aff *x = sq_piecewise_read(b, c);
    bool is = x && isl_pw_aff_isa_aff(x) == isl_bool_true;
    sq_diags_rewind(b->r.d, mark);
    isl_pw_aff_free(x);
    return is;
}

bool sq_clamped_at_edge(sq_builder *b, CXCursor c, sq_access *a)
{
    int n;
    CXCursor subscript[SQ_MAX_DIM], side[2];
    const sq_symbol *s = unwind(b, c, subscript, &n);
    bool fits = s != NULL, any = false, above, below;
    for (int d = 0; d < n && fits; d++) {
        bool chooses = sides(b, sq_cursor_strip(&b->r, subscript[d]), side);
        any |= chooses;
        above = below = false;
        bool known = s->extent[d] && !(s->open && d == 0);
        fits = chooses ? known && is_edge(b, subscript[d], s->extent[d], &above, &below) : is_affine(b, subscript[d]);
        a->fits_above |= above ? 0 : 1u << d;
        a->fits_below |= below ? 0 : 1u << d;
    }
    return fits && any;
}
