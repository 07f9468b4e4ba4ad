/* Form: affine forms over the universe and what is known of the sizes: made, and asked. */
#include "frontend/build.h"
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

isl_aff *sq_affine_zero(const sq_builder *b)
{
    return isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)));
}

isl_aff *sq_affine_of_var(const sq_builder *b, int var)
{
    return isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)),
                                 isl_dim_set, (unsigned)var);
}

isl_aff *sq_affine_constant(const sq_builder *b, int64_t value)
{
    isl_val *v = isl_val_int_from_si(b->k->ctx, value);
    return isl_aff_val_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)), v);
}

void sq_context_add(sq_builder *b, isl_set *set)
{
    set = isl_set_params(set);
    b->k->shapes = isl_set_intersect(b->k->shapes, isl_set_copy(set));
    b->k->context = isl_set_intersect(b->k->context, set);
}

void sq_context_assume(sq_builder *b, isl_set *set)
{
    sq_kernel *k = b->k;
    isl_set **more = SQ_NEW_ARRAY(k->arena, isl_set *, k->nassumes + 1);
    if (k->nassumes)
        memcpy(more, k->assume, (size_t)k->nassumes * sizeof *more);
    set = isl_set_params(set);
    k->assume = more;
    k->assume[k->nassumes++] = isl_set_copy(set);
    k->context = isl_set_intersect(k->context, set);
}

bool sq_affine_involves(const sq_builder *b, isl_aff *a, int var)
{
    (void)b;
    return isl_aff_involves_dims(a, isl_dim_in, (unsigned)var, 1) == isl_bool_true;
}

uint64_t sq_affine_vars(const sq_builder *b, isl_aff *a)
{
    uint64_t set = 0;
    for (int v = 0; v < b->nvars; v++)
        if (sq_affine_involves(b, a, v))
            set |= UINT64_C(1) << v;
    return set;
}

int sq_affine_bare(const sq_builder *b, isl_aff *a)
{
    for (int v = 0; v < b->nvars; v++) {
        if (!sq_affine_involves(b, a, v))
            continue;
        isl_aff *rest = isl_aff_sub(isl_aff_copy(a), sq_affine_of_var(b, v));
        bool bare = isl_aff_plain_is_zero(rest) == isl_bool_true;
        isl_aff_free(rest);
        return bare ? v : -1;
    }
    return -1;
}
