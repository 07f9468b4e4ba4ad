/* Flat, carry: rows that a subscript always leaves, as the one of a[i*n + n - 1] does that would be [i + 1][-1],
 * are counted in the dimension around it. */
#include "frontend/scop_build.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>

/* The instances that the text being read is evaluated for, as far as that is known. */
static isl_set *instances(const sq_builder *b)
{
    isl_set *all = isl_set_universe(isl_space_copy(b->universe));
    all = isl_set_intersect_params(all, isl_set_copy(b->k->context));
    for (int l = 0; l < b->nloops; l++)
        all = isl_set_intersect(all, isl_set_copy(b->var[b->loop[l]].within));
    if (b->guard)
        all = isl_set_intersect(all, isl_set_copy(b->guard));
    if (b->where)
        all = isl_set_intersect(all, isl_set_copy(b->where));
    return all;
}

/* True if a is below `end` for none of these instances. */
static bool never_below(isl_set *all /* __isl_keep */, isl_aff *a, isl_aff *end /* __isl_take */)
{
    isl_set *below = isl_aff_lt_set(isl_aff_copy(a), end);
    below = isl_set_intersect(below, isl_set_copy(all));
    bool never = isl_set_is_empty(below) == isl_bool_true;
    isl_set_free(below);
    return never;
}

void sq_flat_carry(sq_builder *b, const sq_flat *f, isl_aff **sub)
{
    enum { MOST_ROWS = 4 };
    isl_set *all = instances(b);
    bool any = isl_set_is_empty(all) == isl_bool_false;
    for (int d = f->ndim - 1; d > 0 && any; d--) {
        isl_aff *row = sq_flat_extent(b, f, d), *one = sq_affine_constant(b, 1);
        int up = 0, down = 0;
        while (up < MOST_ROWS && never_below(all, sub[d], isl_aff_copy(row))) {
            sub[d] = isl_aff_sub(sub[d], isl_aff_copy(row));
            sub[d - 1] = isl_aff_add(sub[d - 1], isl_aff_copy(one));
            up++;
        }
        for (isl_aff *last; !up && down < MOST_ROWS; down++) {
            last = isl_aff_sub(isl_aff_neg(isl_aff_copy(sub[d])), isl_aff_copy(one));
            bool below = never_below(all, last, sq_affine_zero(b));
            isl_aff_free(last);
            if (!below)
                break;
            sub[d] = isl_aff_add(sub[d], isl_aff_copy(row));
            sub[d - 1] = isl_aff_sub(sub[d - 1], isl_aff_copy(one));
        }
        isl_aff_free(row);
        isl_aff_free(one);
    }
    isl_set_free(all);
}
