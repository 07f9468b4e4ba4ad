/* Fusion: groups that share their outer loops, as made by `fuse(S0, S1 at i0)`: in each iteration
 * of the shared loops they run in sequence, so that what one leaves in the cache is reused by the
 * next. Each keeps its own register tile and inner loops. */
#include "ir/schedule/schedule.h"
#include <isl/set.h>
#include <isl/space.h>

int sq_fusion_head(const sq_schedule *s, int group)
{
    while (group > 0 && s->group[group]->shared > 0)
        group--;
    return group;
}

int sq_fusion_length(const sq_schedule *s, int head)
{
    int n = 1;
    while (head + n < s->ngroups && s->group[head + n]->shared > 0)
        n++;
    return n;
}

int sq_fusion_shared(const sq_schedule *s, int head)
{
    return sq_fusion_length(s, head) > 1 ? s->group[head + 1]->shared : 0;
}

int sq_group_shared_dims(const sq_group *g, int shared, int *dim)
{
    int n = 0;
    for (int l = 0; l < shared; l++) {
        bool seen = false;
        for (int i = 0; i < n; i++)
            seen |= dim[i] == g->loop[l].dim;
        if (!seen)
            dim[n++] = g->loop[l].dim;
    }
    return n;
}

/* Returns { set -> [the given dimensions of it] } */
static isl_map *pick(isl_set *set, const int *dim, int n)
{
    isl_space *from = isl_set_get_space(set), *to = isl_space_params(isl_space_copy(from));
    to = isl_space_add_dims(isl_space_set_from_params(to), isl_dim_set, (unsigned)n);
    isl_map *map = isl_map_universe(isl_space_map_from_domain_and_range(from, to));
    for (int i = 0; i < n; i++)
        map = isl_map_equate(map, isl_dim_in, dim[i], isl_dim_out, i);
    return map;
}

isl_set *sq_fusion_domain(const sq_schedule *s, int head)
{
    int shared = sq_fusion_shared(s, head), length = sq_fusion_length(s, head), dim[SQ_MAX_DIMS];
    isl_set *all = NULL;
    for (int i = 0; i < length; i++) {
        const sq_group *g = s->group[head + i];
        int n = sq_group_shared_dims(g, shared, dim);
        isl_set *set = isl_set_reset_tuple_id(isl_set_copy(g->stmt[0]->domain));
        set = isl_set_intersect_params(set, isl_set_copy(s->kernel->context));
        isl_map *to = pick(set, dim, n);
        set = isl_set_apply(set, to);
        all = all ? isl_set_union(all, set) : set;
    }
    return isl_set_coalesce(all);
}
