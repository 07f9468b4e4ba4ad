/* Reduction: the statement that an update of C loops becomes: a sum, and its value. See distribute.h. */
#include "ir/dependence/deps.h"
#include "ir/dependence/rewrite.h"
#include "transforms/distribute.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>

/* Returns { name[first n of the new dimensions] -> the old instance }; missing dimensions are 0. */
static isl_multi_aff *old_instance(const sq_update *u, const char *name, int n)
{
    const sq_stmt *s = u->stmt;
    isl_space *old = isl_set_get_space(s->domain);
    isl_space *from = isl_space_set_from_params(isl_space_params(isl_space_copy(old)));
    from = isl_space_add_dims(from, isl_dim_set, (unsigned)n);
    for (int d = 0; d < n; d++)
        from = isl_space_set_dim_name(from, isl_dim_set, (unsigned)d, s->dim[u->dim[d]]);
    from = isl_space_set_tuple_name(from, isl_dim_set, name);
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    isl_multi_aff *m = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, old));
    for (int d = 0; d < n; d++)
        m = isl_multi_aff_set_aff(
            m, u->dim[d],
            isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)d));
    isl_local_space_free(ls);
    return m;
}

/* Returns { new free dimensions -> the same instance of s }; `old` has them as its domain. */
static isl_multi_aff *same_instance(const sq_update *u, const sq_stmt *s, isl_multi_aff *old)
{
    isl_space *from = isl_multi_aff_get_domain_space(old);
    isl_space *space = isl_space_map_from_domain_and_range(from, isl_set_get_space(s->domain));
    isl_multi_aff *same = isl_multi_aff_zero(space);
    isl_local_space *ls = isl_local_space_from_space(isl_multi_aff_get_domain_space(old));
    for (int d = 0; d < u->nfree; d++)
        same = isl_multi_aff_set_aff(
            same, d, isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)d));
    isl_local_space_free(ls);
    return same;
}

/* Returns the element's value before the first update, over the new statement's free dimensions. */
static sq_expr *before(const sq_kernel *k, const sq_update *u, isl_multi_aff *old)
{
    if (!u->start)
        return sq_expr_copied(k, u->old, old, NULL, NULL);
    isl_multi_aff *same = same_instance(u, u->start, old);
    sq_expr *e = sq_expr_copied(k, u->start->value, same, NULL, NULL);
    isl_multi_aff_free(same);
    return e;
}

/* Returns the element after the last update. */
static sq_expr *sum_of(const sq_kernel *k, const sq_update *u, isl_multi_aff *old)
{
    sq_loc loc = u->stmt->loc;
    sq_type type = u->term->type;
    sq_expr *sum = sq_expr_node(k, SQ_OP_REDUCED, type, loc, 0, NULL);
    if (sq_update_from_zero(u))
        return sum;
    sq_expr *first = before(k, u, old), *arg[2] = {u->keeps_old ? sum : first, u->keeps_old ? first : sum};
    return sq_expr_node(k, u->op, type, loc, 2, arg);
}

typedef struct sum {
    const sq_array *scalar;
    sq_expr *value;
} sum;

static sq_expr *instead(const sq_expr *read, void *user)
{
    const sum *s = user;
    return read->access->array == s->scalar ? s->value : NULL;
}

/* Sets what the new statement writes, and where. */
static void put_value(const sq_kernel *k, const sq_update *u, isl_multi_aff *old, sq_stmt *r)
{
    sum s = {u->stmt->write->array, sum_of(k, u, old)};
    if (!u->end) {
        r->write = sq_access_copied(k, u->stmt->write, old);
        r->value = s.value;
        return;
    }
    isl_multi_aff *same = same_instance(u, u->end, old);
    r->write = sq_access_copied(k, u->end->write, same);
    r->value = sq_expr_copied(k, u->end->value, same, instead, &s);
    isl_multi_aff_free(same);
}

/* Returns the finishing instances: all that are initialized, or those with an update. */
static isl_set *finishing(const sq_update *u, const sq_stmt *r)
{
    isl_set *set = u->start
                       ? isl_set_copy(u->start->domain)
                       : isl_set_project_out(isl_set_copy(r->updates), isl_dim_set,
                                             (unsigned)r->nfree, (unsigned)(r->ndim - r->nfree));
    for (int d = 0; d < r->nfree; d++)
        set = isl_set_set_dim_name(set, isl_dim_set, (unsigned)d, r->dim[d]);
    return isl_set_coalesce(isl_set_set_tuple_name(set, r->name));
}

sq_stmt *sq_update_reduction(const sq_kernel *k, const sq_update *u)
{
    const sq_stmt *s = u->stmt;
    sq_stmt *r = SQ_NEW(k->arena, sq_stmt);
    *r = (sq_stmt){.name = s->name,
                   .ndim = s->ndim,
                   .nfree = u->nfree,
                   .reduce = u->op == SQ_OP_SUB ? SQ_OP_ADD : u->op,
                   .ordered = k->fp == SQ_FP_STRICT && sq_type_real(u->term->type),
                   .keeps_old = u->keeps_old,
                   .loc = s->loc};
    isl_multi_aff *all = old_instance(u, sq_stmt_update_name(k, s), s->ndim);
    isl_multi_aff *free = old_instance(u, s->name, u->nfree);
    r->dim = SQ_NEW_ARRAY(k->arena, const char *, s->ndim);
    r->counted = SQ_NEW_ARRAY(k->arena, isl_aff *, s->ndim);
    for (int d = 0; d < s->ndim; d++) {
        isl_aff *counted = s->counted ? s->counted[u->dim[d]] : NULL;
        r->dim[d] = s->dim[u->dim[d]];
        if (counted)
            r->counted[d] =
                isl_aff_pullback_multi_aff(isl_aff_copy(counted), isl_multi_aff_copy(all));
    }
    r->updates = isl_set_preimage_multi_aff(isl_set_copy(s->domain), isl_multi_aff_copy(all));
    r->domain = finishing(u, r);
    r->body = sq_expr_copied(k, u->term, all, NULL, NULL);
    put_value(k, u, free, r);
    isl_multi_aff_free(all);
    isl_multi_aff_free(free);
    return r;
}
