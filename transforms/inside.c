/* Inside: a statement inside of loops that it shares with others; see tree_nest.h. Its sets and subscripts have the
 * variables of these loops as parameters, like sizes. */
#include "ir/dependence/deps.h"
#include "ir/dependence/rewrite.h"
#include "transforms/distribute.h"
#include "transforms/tree_nest.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>

typedef struct inside {
    const sq_stmt *of;
    int n, dim[SQ_MAX_DIMS];  /* the dimensions that are left, in their new order */
    const char *const *outer; /* per dimension of the statement: the name of its parameter */
} inside;

static int place_of(const inside *x, int d)
{
    for (int i = 0; i < x->n; i++)
        if (x->dim[i] == d)
            return i;
    return -1;
}

/* Returns a space of instances with the parameters added. */
static isl_space *with_outer(const inside *x, isl_space *space /* __isl_take */)
{
    for (int d = 0; d < x->of->nfree; d++) {
        if (place_of(x, d) >= 0)
            continue;
        unsigned at = (unsigned)isl_space_dim(space, isl_dim_param);
        space = isl_space_add_dims(space, isl_dim_param, 1);
        space = isl_space_set_dim_name(space, isl_dim_param, at, x->outer[d]);
    }
    return space;
}

/* Returns { name[the first n of the dimensions left] -> the instance in `of` } */
static isl_multi_aff *instance(const inside *x, isl_set *of /* __isl_keep */, const char *name, int n)
{
    isl_space *old = with_outer(x, isl_set_get_space(of));
    isl_space *from = isl_space_set_from_params(isl_space_params(isl_space_copy(old)));
    from = isl_space_set_tuple_name(isl_space_add_dims(from, isl_dim_set, (unsigned)n), isl_dim_set, name);
    for (int i = 0; i < n; i++)
        from = isl_space_set_dim_name(from, isl_dim_set, (unsigned)i, x->of->dim[x->dim[i]]);
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    int all = (int)isl_space_dim(old, isl_dim_set);
    isl_multi_aff *m = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, old));
    for (int d = 0; d < all; d++) {
        int at = place_of(x, d);
        int p = at >= 0 ? at : isl_local_space_find_dim_by_name(ls, isl_dim_param, x->outer[d]);
        isl_aff *value = isl_aff_var_on_domain(isl_local_space_copy(ls), at >= 0 ? isl_dim_set : isl_dim_param,
                                               (unsigned)p);
        m = isl_multi_aff_set_aff(m, d, value);
    }
    isl_local_space_free(ls);
    return m;
}

static void put_counted(const sq_kernel *k, const inside *x, isl_multi_aff *by, sq_stmt *c)
{
    c->counted = SQ_NEW_ARRAY(k->arena, isl_aff *, c->ndim + 1);
    for (int d = 0; d < c->ndim; d++)
        if (x->of->counted[x->dim[d]])
            c->counted[d] = sq_aff_moved(x->of->counted[x->dim[d]], by);
}

sq_stmt *sq_stmt_inside(const sq_kernel *k, const sq_stmt *s, const int *own, int n, const char *const *outer)
{
    inside x = {.of = s, .n = n, .outer = outer};
    sq_stmt *c = SQ_NEW(k->arena, sq_stmt);
    *c = *s;
    for (int i = 0; i < n; i++)
        x.dim[i] = own[i];
    for (int d = s->nfree; d < s->ndim; d++)
        x.dim[x.n++] = d;
    c->nfree = n;
    c->ndim = x.n;
    c->dim = SQ_NEW_ARRAY(k->arena, const char *, x.n + 1);
    for (int i = 0; i < x.n; i++)
        c->dim[i] = s->dim[x.dim[i]];
    isl_multi_aff *free = instance(&x, s->domain, s->name, n);
    isl_multi_aff *all = s->updates ? instance(&x, s->updates, sq_stmt_update_name(k, s), x.n) : free;
    c->domain = isl_set_preimage_multi_aff(isl_set_copy(s->domain), isl_multi_aff_copy(free));
    if (s->updates)
        c->updates = isl_set_preimage_multi_aff(isl_set_copy(s->updates), isl_multi_aff_copy(all));
    if (s->counted)
        put_counted(k, &x, all, c);
    c->written_loops = false;
    c->nindex = 0;
    c->textual = NULL;
    c->narrow = NULL;
    c->write = sq_access_copied(k, s->write, free);
    c->body = sq_expr_copied(k, s->body, all, NULL, NULL);
    c->value = sq_expr_copied(k, s->value, free, NULL, NULL);
    if (s->updates)
        isl_multi_aff_free(all);
    isl_multi_aff_free(free);
    return c;
}

/* Splits the dimensions into those that move the element, and the rest. False if there is no rest. */
static bool split_dims(const sq_stmt *s, sq_update *u)
{
    int n = 0;
    for (int d = 0; d < s->ndim; d++)
        if (sq_access_moves(s->write, d))
            u->dim[n++] = d;
    u->nfree = n;
    for (int d = 0; d < s->ndim; d++)
        if (!sq_access_moves(s->write, d))
            u->dim[n++] = d;
    return u->nfree < s->ndim;
}

sq_stmt *sq_stmt_summed(const sq_kernel *k, const sq_stmt *s)
{
    sq_update u = {.stmt = s};
    bool in_order = k->fp == SQ_FP_STRICT && sq_type_real(s->write->array->type);
    if (in_order || s->updates || s->is_maybe || sq_kernel_overlaps(k) || s->write->indirect || !split_dims(s, &u) ||
        !sq_update_split(s, &u))
        return NULL;
    return sq_update_reduction(k, &u);
}
