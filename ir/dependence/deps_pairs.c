/* Pairs: the maps of k->deps with the statements of their tuples, looked up once, since each of a
 * thousand schedules that are tried uses them. */
#include "ir/dependence/deps.h"
#include <isl/map.h>
#include <isl/union_map.h>

struct sq_deps_pairs {
    int n; /* -1: not looked up yet */
    sq_deps_pair *pair;
};

typedef struct lookup {
    const sq_kernel *k;
    struct sq_deps_pairs *to;
} lookup;

static const sq_stmt *side(const sq_kernel *k, isl_map *map /* __isl_keep */,
                           enum isl_dim_type which, int *index, bool *update)
{
    const sq_stmt *s = sq_deps_stmt(k, isl_map_get_tuple_name(map, which), update);
    *index = 0;
    while (*index < k->nstmts && k->stmt[*index] != s)
        ++*index;
    return s;
}

static isl_stat add(isl_map *map /* __isl_take */, void *user)
{
    lookup *l = user;
    sq_deps_pair p = {.map = map};
    p.from = side(l->k, map, isl_dim_in, &p.from_index, &p.from_update);
    p.to = side(l->k, map, isl_dim_out, &p.to_index, &p.to_update);
    l->to->pair[l->to->n++] = p;
    return isl_stat_ok;
}

int sq_deps_pairs(const sq_kernel *k, const sq_deps_pair **pair)
{
    struct sq_deps_pairs *of = k->pairs;
    if (of->n < 0) {
        int n = (int)isl_union_map_n_map(k->deps);
        of->pair = SQ_NEW_ARRAY(k->arena, sq_deps_pair, n + 1);
        of->n = 0;
        isl_union_map_foreach_map(k->deps, add, &(lookup){k, of});
    }
    *pair = of->pair;
    return of->n;
}

void sq_deps_pairs_drop(sq_kernel *k)
{
    for (int i = 0; k->pairs && i < k->pairs->n; i++)
        isl_map_free(k->pairs->pair[i].map);
    k->pairs = SQ_NEW(k->arena, struct sq_deps_pairs);
    k->pairs->n = -1;
}
