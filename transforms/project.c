/* Project: see project.h. */
#include "transforms/project.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

isl_space *sq_projected_space(const sq_kernel *made, const char *name, int dims)
{
    isl_space *space = isl_space_set_from_params(isl_set_get_space(made->context));
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)dims);
    return isl_space_set_tuple_name(space, isl_dim_set, name);
}

isl_multi_aff *sq_projected_subscripts(const sq_projection *p, int n, isl_space *from)
{
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    isl_space *to = isl_space_set_from_params(isl_space_params(isl_space_copy(from)));
    to = isl_space_add_dims(to, isl_dim_set, (unsigned)n);
    isl_multi_aff *map = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, to));
    for (int i = 0; i < n; i++)
        map = isl_multi_aff_set_aff(map, i,
                                    isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)p->dim[i]));
    isl_local_space_free(ls);
    return map;
}

isl_set *sq_projected_set(const sq_kernel *made, const sq_projection *p, isl_set *of, const char *name)
{
    isl_multi_aff *kept = sq_projected_subscripts(p, p->n, isl_set_get_space(of));
    isl_set *s = isl_set_apply(isl_set_copy(of), isl_map_from_multi_aff(kept));
    s = isl_set_align_params(s, isl_set_get_space(made->context));
    return isl_set_set_tuple_name(isl_set_coalesce(s), name);
}

isl_multi_aff *sq_projected_instance(const sq_kernel *made, const sq_projection *p, const char *name, isl_set *of)
{
    isl_space *from = sq_projected_space(made, name, p->n);
    isl_space *to = isl_space_align_params(isl_set_get_space(of), isl_space_copy(from));
    from = isl_space_align_params(from, isl_space_copy(to));
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    isl_multi_aff *map = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, to));
    for (int i = 0; i < p->n; i++)
        map = isl_multi_aff_set_aff(map, p->dim[i],
                                    isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)i));
    isl_local_space_free(ls);
    return map;
}
