/* Dot, find: see dot.h. */
#include "ir/kernel/piece.h"
#include "transforms/dot.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

/* ---- factors ---- */

/* Returns an element that is cast to int32_t. */
static const sq_access *element(const sq_expr *e)
{
    bool is = e->op == SQ_OP_CAST && e->type == SQ_I32 && e->arg[0]->op == SQ_OP_READ;
    const sq_access *a = is ? e->arg[0]->access : NULL;
    return a && !a->indirect && !a->where ? a : NULL;
}

/* Returns the only subscript that contains the dimension, if it is the dimension itself; -1. */
static int subscript_of(const sq_access *a, int dim)
{
    int found = -1;
    for (int d = 0; d < a->array->ndim; d++) {
        isl_aff *sub = isl_multi_aff_get_aff(a->map, d);
        bool has = isl_aff_involves_dims(sub, isl_dim_in, (unsigned)dim, 1) == isl_bool_true;
        isl_local_space *ls = isl_local_space_from_space(isl_aff_get_domain_space(sub));
        isl_aff *own = isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)dim);
        bool alone = has && isl_aff_plain_is_equal(sub, own) == isl_bool_true;
        isl_aff_free(sub);
        isl_aff_free(own);
        if (has && (!alone || found >= 0))
            return -1;
        found = has ? d : found;
    }
    return found;
}

static bool is_small(sq_type t, int parts)
{
    return parts == 4 ? t == SQ_I8 || t == SQ_U8 : t == SQ_I16;
}

/* Returns the number of the result's dimensions that the factor moves with: how often the other
 * one's sums are needed. */
static int free_dims(const sq_stmt *s, const sq_access *a)
{
    int n = 0;
    for (int d = 0; d < s->nfree; d++)
        n += sq_access_moves(a, d);
    return n;
}

/* Chooses the unsigned factor, and the one whose sign bits are flipped. If both have the same
 * signedness, the one that moves with more dimensions: the corrections are sums over the other
 * one. */
static void give_signs(sq_dot *x, const sq_access *a, const sq_access *b)
{
    bool same = a->array->type == b->array->type, swap = b->array->type == SQ_U8 && !same;
    bool more = free_dims(x->of, a) > free_dims(x->of, b);
    bool negative = a->array->type == SQ_I8;
    if (same && x->parts == 4)
        swap = more != negative;
    x->factor[0].read = swap ? b : a;
    x->factor[1].read = swap ? a : b;
    x->factor[0].turns = same && x->parts == 4 && negative;
    x->factor[1].turns = same && x->parts == 4 && !negative;
}

/* ---- the range ---- */

/* Returns the last value of the dimension plus 1, over the sizes, if it begins at 0 and its range
 * does not depend on other dimensions; else NULL. __isl_give */
static isl_aff *end_of(const sq_stmt *s, int dim)
{
    isl_set *all = isl_set_copy(dim < s->nfree ? s->domain : s->updates);
    isl_aff *lo = sq_only_piece(isl_set_dim_min(isl_set_copy(all), dim)),
            *last = sq_only_piece(isl_pw_aff_coalesce(isl_set_dim_max(all, dim)));
    isl_aff *zero = lo ? isl_aff_sub(isl_aff_copy(lo), isl_aff_copy(lo)) : NULL;
    bool from_0 = zero && isl_aff_plain_is_equal(lo, zero) == isl_bool_true && sq_stmt_rectangular(s, dim);
    isl_aff_free(lo);
    isl_aff_free(zero);
    return from_0 && last ? isl_aff_add_constant_si(last, 1) : isl_aff_free(last);
}

/* True if the dimension runs from 0 to the end of both arrays. */
static bool runs_through(const sq_dot *x)
{
    isl_aff *end = end_of(x->of, x->dim);
    bool all = end != NULL;
    isl_pw_aff *all_of = isl_pw_aff_from_aff(end);
    for (int f = 0; f < 2 && all; f++) {
        isl_pw_aff *extent = isl_pw_aff_from_aff(isl_aff_copy(x->factor[f].read->array->extent[x->factor[f].sub]));
        all = isl_pw_aff_is_equal(all_of, extent) == isl_bool_true;
        isl_pw_aff_free(extent);
    }
    isl_pw_aff_free(all_of);
    return all;
}

/* True if some element of the result has products of two words that are both outside of their
 * arrays: beyond the end of the sum these are not zero. */
static bool meets_outside(const sq_dot *x)
{
    bool both = sq_stmt_multiple(x->of, x->dim, x->k->context) % x->parts != 0;
    for (int f = 0; f < 2; f++) {
        const sq_access *a = x->factor[f].read;
        both = both && a->edge == SQ_EDGE_PAD && !sq_number_is_zero(a->outside);
    }
    return both;
}

/* True if all ranges are rectangular: then the sums over one factor are the same for all elements
 * of the result that it does not move with. */
static bool is_box(const sq_dot *x)
{
    bool box = true;
    for (int d = 0; d < x->of->ndim && box; d++) {
        isl_aff *end = end_of(x->of, d);
        box = end != NULL;
        isl_aff_free(end);
    }
    return box;
}

const char *sq_dot_find(const sq_kernel *k, const sq_stmt *s, int dim, sq_dot *x)
{
    *x = (sq_dot){.k = k, .of = s, .dim = dim};
    if (sq_stmt_has_words(s))
        return "multiplies words already";
    if (!s->updates || s->reduce != SQ_OP_ADD || s->body->op != SQ_OP_MUL || s->body->type != SQ_I32)
        return "is no sum of products in int32_t";
    const sq_access *a = element(s->body->arg[0]), *b = element(s->body->arg[1]);
    x->parts = a && sq_type_bytes(a->array->type) == 1 ? 4 : 2;
    if (!a || !b || !is_small(a->array->type, x->parts) || !is_small(b->array->type, x->parts))
        return "multiplies something else than two elements of 8 bits, or of int16_t";
    if (s->written_loops)
        return "stands in C loops; words are made for statements that run as a whole";
    if (a->array == s->write->array || b->array == s->write->array)
        return "writes what it multiplies";
    give_signs(x, a, b);
    for (int f = 0; f < 2; f++) {
        x->factor[f].sub = subscript_of(x->factor[f].read, dim);
        if (x->factor[f].sub < 0)
            return "reads elements that no single subscript counts along that dimension";
    }
    if (!runs_through(x))
        return "does not sum over the whole extent of both arrays: words of the last elements would have others";
    if (meets_outside(x))
        return "reads both factors with something else than 0 outside, as the words in which it ends would have, too";
    bool turns = x->factor[0].turns || x->factor[1].turns;
    return turns && !is_box(x)
               ? "sums over ranges that differ between its elements, and needs a factor of uint8_t and one of int8_t"
               : NULL;
}

const char *sq_dot_refuses_place(const sq_dot *x, int factor)
{
    const sq_dot_factor *f = &x->factor[factor];
    const sq_array *a = f->read->array;
    if (f->sub != a->ndim - 1)
        return "has other elements between those of a word";
    if (sq_stmt_multiple(x->of, x->dim, x->k->context) % x->parts)
        return "may end within a word; fix the size, or assume(K % 4 == 0)";
    if (a->role != SQ_IN || a->alias)
        return "may be written meanwhile";
    return f->read->edge == SQ_EDGE_NONE ? NULL : "is read outside of its bounds";
}

bool sq_dot_any(const sq_kernel *k)
{
    sq_dot x;
    for (int i = 0; i < k->nstmts; i++)
        for (int d = k->stmt[i]->nfree; d < k->stmt[i]->ndim; d++)
            if (!sq_dot_find(k, k->stmt[i], d, &x) && x.parts == 4)
                return true;
    return false;
}
