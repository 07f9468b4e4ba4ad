/* Elements: assume(I[i] >= 0 && I[i] < n) says between what all elements of an array of integers are. Nothing tests it:
 * the caller promises it, and the proofs of subscripts that are values use it (indirect.c). */
#include "frontend/build.h"
#include "ir/kernel/narrow.h"
#include <isl/aff.h>
#include <isl/val.h>

/* One comparison: element < bound, <= bound, > bound or >= bound. */
typedef struct promise {
    CXCursor element, bound;
    bool is_upper, is_strict;
    sq_symbol *symbol;
} promise;

bool sq_elements_is(sq_builder *b, CXCursor c)
{
    if (c.kind != CXCursor_BinaryOperator)
        return false;
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    return op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE && sq_indirect_is(b, c);
}

static bool is_element(const sq_builder *b, CXCursor c)
{
    return sq_cursor_strip(&b->r, c).kind == CXCursor_ArraySubscriptExpr;
}

/* Which side is the element, and what the operator makes of the other one. */
static int read_sides(sq_builder *b, CXCursor c, promise *p)
{
    int n;
    CXCursor *side = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    int at = is_element(b, side[0]) ? 0 : 1;
    p->element = side[at];
    p->bound = side[1 - at];
    p->is_strict = op == CXBinaryOperator_LT || op == CXBinaryOperator_GT;
    p->is_upper = (op == CXBinaryOperator_LT || op == CXBinaryOperator_LE) == (at == 0);
    if (!is_element(b, p->element) || op > CXBinaryOperator_GE)
        return sq_refuse(b, c,
                         "of the elements of an array an assume says one bound at a time; accepted are an element "
                         "alone on one side of < <= > >=, as in I[i] >= 0 && I[i] < n");
    if (sq_indirect_is(b, p->bound))
        return sq_refuse(b, p->bound,
                         "this bound of elements reads an array; accepted are sums of sizes with constant factors");
    return 0;
}

static int read_array(sq_builder *b, CXCursor at, promise *p)
{
    p->symbol = at.kind == CXCursor_DeclRefExpr ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(at)) : NULL;
    if (p->symbol && p->symbol->kind == SQ_SYM_NONE)
        return -1;
    if (!p->symbol || p->symbol->kind != SQ_SYM_ARRAY)
        return sq_refuse(b, at, "this is no array of the kernel; accepted are its parameters");
    const sq_array *a = p->symbol->array;
    if (sq_type_real(a->type))
        return sq_refuse(b, p->element, "the elements of '%s' are %s; an assume says bounds of integers alone", a->name,
                         sq_type_name(a->type));
    if (!p->symbol->is_const)
        return sq_refuse(b, p->element,
                         "'%s' is %s; an assume says bounds of the elements of const parameters alone, which stay as "
                         "the caller filled them",
                         a->name, a->role == SQ_LOCAL ? "a temporary" : "not const");
    return 0;
}

/* An idx by its name, without a range in force, that is no earlier subscript. */
static int read_subscript(sq_builder *b, CXCursor c, const promise *p, int d, uint64_t *seen)
{
    CXCursor at = sq_cursor_strip(&b->r, c);
    int v = at.kind == CXCursor_DeclRefExpr ? sq_var_find(b, b->r.cl->clang_getCursorReferenced(at)) : -1;
    const char *why = v < 0 || b->var[v].is_loop           ? "is no index alone"
                      : b->var[v].active || b->var[v].failed ? "has a range"
                      : *seen >> v & 1                       ? "is the index of another subscript, too"
                                                             : NULL;
    if (!why) {
        *seen |= UINT64_C(1) << v;
        return 0;
    }
    return sq_refuse(b, c,
                     "subscript %d of '%s' %s; an assume is about all elements of an array: accepted are variables "
                     "declared with idx, another one in each subscript",
                     d + 1, p->symbol->array->name, why);
}

/* I[i][j]: the array, and that the subscripts run over all of it. */
static int read_element(sq_builder *b, promise *p)
{
    int n, ndim = 0;
    CXCursor at = sq_cursor_strip(&b->r, p->element), reversed[SQ_MAX_DIM];
    while (at.kind == CXCursor_ArraySubscriptExpr && ndim < SQ_MAX_DIM) {
        CXCursor *child = sq_cursor_children(&b->r, at, &n);
        reversed[ndim++] = child[1];
        at = sq_cursor_strip(&b->r, child[0]);
    }
    if (read_array(b, at, p))
        return -1;
    const sq_array *a = p->symbol->array;
    if (a->ndim != ndim)
        return sq_refuse(b, p->element, "'%s' has %d dimensions, here are %d subscripts; write all of them", a->name,
                         a->ndim, ndim);
    uint64_t seen = 0;
    for (int d = 0; d < ndim; d++)
        if (read_subscript(b, reversed[ndim - 1 - d], p, d, &seen))
            return -1;
    return 0;
}

/* One expression over the sizes, for those that are known to be possible; NULL after adding an error. */
static isl_aff *read_bound(sq_builder *b, const promise *p)
{
    b->affine_of = SQ_AFFINE_CONDITION;
    isl_pw_aff *form = sq_piecewise_read(b, p->bound);
    if (!form)
        return NULL;
    bool of_sizes = isl_pw_aff_involves_dims(form, isl_dim_in, 0, (unsigned)b->nvars) == isl_bool_false;
    isl_aff *bound = of_sizes ? sq_affine_sole(b, isl_pw_aff_copy(form)) : NULL;
    isl_pw_aff_free(form);
    if (!bound)
        sq_refuse(b, p->bound, "this bound of elements %s; accepted are sums of sizes with constant factors",
                  of_sizes ? "chooses between expressions" : "mentions an index");
    return bound ? isl_aff_project_domain_on_params(bound) : NULL;
}

int sq_elements_assume(sq_builder *b, CXCursor c)
{
    promise p;
    if (b->nloops || b->guard || b->choice)
        return sq_refuse(b, c, "an assume about the elements of an array stands outside of loops and ifs");
    if (read_sides(b, c, &p) || read_element(b, &p))
        return -1;
    sq_array *a = p.symbol->array;
    isl_aff **end = p.is_upper ? &a->most : &a->least;
    if (*end)
        return sq_refuse(b, c, "the elements of '%s' have a %s bound already; accepted is one", a->name,
                         p.is_upper ? "upper" : "lower");
    isl_aff *bound = read_bound(b, &p);
    if (bound && p.is_strict)
        bound = isl_aff_add_constant_si(bound, p.is_upper ? -1 : 1);
    *end = bound;
    return bound ? 0 : -1;
}

/* The greater or the lesser of a bound and an end of the elements' type. */
static isl_pw_aff *end_of(const sq_array *a, isl_aff *bound, int64_t of_type, bool upper)
{
    isl_aff *like = isl_aff_copy(a->extent[0]);
    isl_val *v = isl_val_int_from_si(isl_aff_get_ctx(like), (long)of_type);
    isl_pw_aff *end = isl_pw_aff_from_aff(isl_aff_val_on_domain(isl_aff_get_domain_local_space(like), v));
    isl_aff_free(like);
    if (!bound)
        return end;
    isl_pw_aff *own = isl_pw_aff_from_aff(isl_aff_copy(bound));
    return upper ? isl_pw_aff_min(own, end) : isl_pw_aff_max(own, end);
}

/* Sizes at which the array has elements. */
static isl_set *sizes_with_elements(const sq_builder *b, const sq_array *a)
{
    isl_set *some = isl_set_universe(isl_set_get_space(b->k->context));
    for (int d = 0; d < a->ndim; d++)
        some = isl_set_intersect(some, isl_set_params(isl_pw_aff_pos_set(
                                           isl_pw_aff_from_aff(isl_aff_copy(a->extent[d])))));
    return some;
}

/* No array can have elements for which there is no number: such sizes are refused, whatever else is assumed. */
static void settle_array(sq_builder *b, sq_array *a)
{
    sq_kernel *k = b->k;
    sq_range type = sq_type_range(a->type);
    if (sq_type_unsigned(a->type))
        type.lo = 0;
    isl_pw_aff *least = end_of(a, a->least, type.lo, false), *most = end_of(a, a->most, type.hi, true);
    isl_pw_aff *zero = end_of(a, NULL, 0, false);
    isl_set *some = sizes_with_elements(b, a);
    isl_set *lacks = isl_set_params(isl_pw_aff_gt_set(isl_pw_aff_copy(least), isl_pw_aff_copy(zero)));
    lacks = isl_set_union(lacks, isl_set_params(isl_pw_aff_lt_set(isl_pw_aff_copy(most), zero)));
    isl_set *none = isl_set_params(isl_pw_aff_lt_set(most, least));
    none = isl_set_coalesce(isl_set_intersect(none, isl_set_copy(some)));
    k->beyond = k->beyond ? isl_set_union(k->beyond, isl_set_copy(none)) : isl_set_copy(none);
    if (isl_set_is_disjoint(none, k->context) == isl_bool_true)
        isl_set_free(none);
    else
        sq_context_assume(b, isl_set_complement(none));
    lacks = isl_set_intersect(isl_set_intersect(lacks, some), isl_set_copy(k->context));
    a->lacks_zero = isl_set_is_empty(lacks) != isl_bool_true;
    isl_set_free(lacks);
}

void sq_elements_settle(sq_builder *b)
{
    for (int i = 0; i < b->k->narrays; i++)
        if (b->k->array[i]->least || b->k->array[i]->most)
            settle_array(b, b->k->array[i]);
}
