/* Shared loops: see shared_loops.h. */
#include "ir/kernel/shared_loops.h"
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

/* Returns the time of a statement's loops up to depth n, over the values of these loops. */
static isl_map *time_of_loops(const sq_stmt *s, int n)
{
    isl_map *t = isl_map_copy(s->textual);
    unsigned out = (unsigned)isl_map_dim(t, isl_dim_out);
    t = isl_map_project_out(t, isl_dim_out, 2 * (unsigned)n, out - 2 * (unsigned)n);
    t = isl_map_reset_tuple_id(t, isl_dim_in);
    return isl_map_project_out(t, isl_dim_in, (unsigned)n, (unsigned)(s->nfree - n));
}

bool sq_stmts_share_loops(const sq_stmt *a, const sq_stmt *b, int n)
{
    isl_map *x = time_of_loops(a, n), *y = time_of_loops(b, n);
    bool same = isl_map_is_equal(x, y) == isl_bool_true && isl_map_is_injective(x) == isl_bool_true;
    isl_map_free(x);
    isl_map_free(y);
    return same;
}

int sq_stmt_place_inside(const sq_stmt *s, int n)
{
    isl_val *v = isl_map_plain_get_val_if_fixed(s->textual, isl_dim_out, 2 * (unsigned)n);
    int at = isl_val_is_int(v) == isl_bool_true ? (int)isl_val_get_num_si(v) : -1;
    isl_val_free(v);
    return at;
}

/* Returns the iterations of the n outer loops in which the statement runs. */
static isl_set *iterations(const sq_kernel *k, const sq_stmt *s, int n)
{
    isl_set *set = isl_set_project_out(isl_set_copy(s->domain), isl_dim_set, (unsigned)n, (unsigned)(s->nfree - n));
    return isl_set_intersect_params(isl_set_reset_tuple_id(set), isl_set_copy(k->context));
}

bool sq_stmt_always_has(const sq_kernel *k, const sq_stmt *then, const sq_stmt *first, int n)
{
    isl_set *all = iterations(k, then, n), *from = iterations(k, first, n);
    bool always = isl_set_is_subset(all, from) == isl_bool_true;
    isl_set_free(all);
    isl_set_free(from);
    return always;
}
