/* Merge, make: the kernel whose statements and arrays have fewer dimensions; see merge.h. A merged
 * dimension takes the position of its slowest one. */
#include "ir/dependence/rewrite.h"
#include "transforms/merge.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

typedef struct maker {
    const sq_merge *m;
    const sq_kernel *k;
    sq_kernel *made;
    const char *why;
    /* of the statement that is being copied */
    const sq_merge_stmt *stmt;
    int place[SQ_MAX_DIMS]; /* position of a dimension among the new ones; -1: has none of its own */
    int ndim, nfree;        /* of the new statement */
    /* maps new instances to old ones; of merged dimensions the slowest has the merged value, and
     * the others are 0: users of these do not take them from it */
    isl_multi_aff *by;
} maker;

/* ---- products of sizes ---- */

static const char *size_name(const sq_kernel *k, int i)
{
    return i < k->nsizes ? k->size[i]->name : k->product[i - k->nsizes]->name;
}

static int size_named(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nsizes + k->nproducts; i++)
        if (strcmp(size_name(k, i), name) == 0)
            return i;
    return -1;
}

/* Returns the number of the product of two sizes, or products; adds it if there is none. */
static int product_of(sq_kernel *k, const sq_kernel *old, int a, int b)
{
    int x = a < b ? a : b, y = a < b ? b : a;
    for (int i = 0; i < k->nproducts; i++)
        if (k->product[i]->factor[0] == x && k->product[i]->factor[1] == y)
            return k->nsizes + i;
    sq_product *p = SQ_NEW(k->arena, sq_product);
    const char *stem = sq_arena_printf(k->arena, "%s_%s", size_name(k, x), size_name(k, y));
    *p = (sq_product){.name = sq_rewritten_name(k, old, stem, ""), .factor = {x, y}};
    sq_product **more = SQ_NEW_ARRAY(k->arena, sq_product *, k->nproducts + 1);
    if (k->nproducts)
        memcpy(more, k->product, (size_t)k->nproducts * sizeof *more);
    more[k->nproducts] = p;
    k->product = more;
    return k->nsizes + k->nproducts++;
}

/* Returns the parameters of all sets of the kernel from now on. __isl_give */
static isl_space *params_of(const sq_kernel *k)
{
    isl_space *space = isl_set_get_space(k->context);
    for (int i = 0; i < k->nproducts; i++) {
        unsigned n = (unsigned)isl_space_dim(space, isl_dim_param);
        if (isl_space_find_dim_by_name(space, isl_dim_param, k->product[i]->name) >= 0)
            continue;
        space = isl_space_add_dims(space, isl_dim_param, 1);
        space = isl_space_set_dim_name(space, isl_dim_param, n, k->product[i]->name);
    }
    return space;
}

/* Returns c * parameter of that name, over the parameters. */
static isl_aff *term(const sq_kernel *k, const char *name, isl_val *c /* __isl_take */)
{
    isl_space *space = params_of(k);
    int at = isl_space_find_dim_by_name(space, isl_dim_param, name);
    isl_aff *a = isl_aff_zero_on_domain_space(space);
    return isl_aff_set_coefficient_val(a, isl_dim_param, at, c);
}

static isl_aff *aligned(const sq_kernel *k, isl_aff *a /* __isl_take */)
{
    return isl_aff_align_params(a, params_of(k));
}

static isl_aff *sum(const sq_kernel *k, isl_aff *a /* __isl_take */, isl_aff *b /* __isl_take */)
{
    return isl_aff_add(aligned(k, a), aligned(k, b));
}

/* Returns every term of a times size i of b with coefficient c. */
static isl_aff *times_size(maker *n, isl_aff *a, int i, isl_val *c)
{
    sq_kernel *k = n->made;
    isl_val *constant = isl_val_mul(isl_aff_get_constant_val(a), isl_val_copy(c));
    isl_aff *all = term(k, size_name(k, i), constant);
    for (int p = 0; p < (int)isl_aff_dim(a, isl_dim_param); p++) {
        isl_val *v = isl_aff_get_coefficient_val(a, isl_dim_param, p);
        if (isl_val_is_zero(v) == isl_bool_true) {
            isl_val_free(v);
            continue;
        }
        int s = size_named(k, isl_aff_get_dim_name(a, isl_dim_param, (unsigned)p));
        int both = product_of(k, n->k, s, i);
        isl_aff *one = term(k, size_name(k, both), isl_val_mul(v, isl_val_copy(c)));
        all = sum(k, all, one);
    }
    return all;
}

/* Returns the product of two expressions over the sizes; NULL if one has a division, and the other
 * is not constant. */
static isl_aff *times(maker *n, isl_aff *a /* __isl_take */, isl_aff *b /* __isl_take */)
{
    if (isl_aff_is_cst(a) == isl_bool_true || isl_aff_is_cst(b) == isl_bool_true)
        return isl_aff_mul(aligned(n->made, a), aligned(n->made, b));
    isl_aff *all = NULL;
    if (isl_aff_dim(a, isl_dim_div) == 0 && isl_aff_dim(b, isl_dim_div) == 0) {
        isl_val *c = isl_aff_get_constant_val(b);
        all = isl_aff_scale_val(isl_aff_copy(a), c);
        for (int p = 0; p < (int)isl_aff_dim(b, isl_dim_param); p++) {
            c = isl_aff_get_coefficient_val(b, isl_dim_param, p);
            int i = size_named(n->made, isl_aff_get_dim_name(b, isl_dim_param, (unsigned)p));
            if (isl_val_is_zero(c) != isl_bool_true)
                all = sum(n->made, all, times_size(n, a, i, c));
            isl_val_free(c);
        }
    } else {
        n->why = "an extent divides a size, and its product with another one has no name";
    }
    isl_aff_free(a);
    isl_aff_free(b);
    return all;
}

/* ---- constraints on products ---- */

/* Returns the minimum of a size or product, as far as the context implies one; -1: it may be
 * negative. */
static int64_t least_of(const sq_kernel *k, const char *name)
{
    int p = isl_set_find_dim_by_name(k->context, isl_dim_param, name);
    isl_set *all =
        isl_set_move_dims(isl_set_copy(k->context), isl_dim_set, 0, isl_dim_param, (unsigned)p, 1);
    isl_val *v = isl_set_dim_min_val(isl_set_project_out_all_params(all), 0);
    int64_t least = isl_val_is_int(v) == isl_bool_true ? isl_val_get_num_si(v) : -1;
    isl_val_free(v);
    return least;
}

/* Adds (a - least a) * (b - least b) >= 0, for nonnegative factors. */
static void describe(sq_kernel *k, const sq_product *p)
{
    const char *a = size_name(k, p->factor[0]), *b = size_name(k, p->factor[1]);
    int64_t x = least_of(k, a), y = least_of(k, b);
    k->context = isl_set_align_params(k->context, params_of(k));
    if (x < 0 || y < 0)
        return;
    isl_aff *over = term(k, p->name, isl_val_one(k->ctx));
    over = isl_aff_sub(over, term(k, a, isl_val_int_from_si(k->ctx, (long)y)));
    over = isl_aff_sub(over, term(k, b, isl_val_int_from_si(k->ctx, (long)x)));
    over = isl_aff_add_constant_val(over, isl_val_int_from_si(k->ctx, (long)(x * y)));
    isl_aff *own = term(k, p->name, isl_val_one(k->ctx)),
            *zero = isl_aff_sub(isl_aff_copy(own), isl_aff_copy(own));
    k->context = isl_set_intersect(k->context, isl_aff_ge_set(over, isl_aff_copy(zero)));
    k->context = isl_set_intersect(k->context, isl_aff_ge_set(own, zero));
}

/* ---- arrays ---- */

static sq_array *made_array(maker *n, const sq_merge_array *of)
{
    sq_array *a = SQ_NEW(n->made->arena, sq_array);
    *a = *of->of;
    a->seen = of->of->seen ? of->of->seen : of->of;
    a->ndim = 0;
    a->extent = SQ_NEW_ARRAY(n->made->arena, isl_aff *, of->of->ndim + 1);
    bool joins = false;
    for (int d = 0; d < of->of->ndim && !n->why; d++) {
        if (of->gone[d])
            continue;
        isl_aff *own = isl_aff_copy(of->of->extent[d]);
        if (joins)
            a->extent[a->ndim - 1] = times(n, a->extent[a->ndim - 1], own);
        else
            a->extent[a->ndim++] = aligned(n->made, own);
        joins = of->joined[d];
    }
    return a;
}

static sq_array *array_for(const maker *n, const sq_array *old)
{
    for (int i = 0; i < n->k->narrays; i++)
        if (n->k->array[i] == old)
            return n->made->array[i];
    return NULL;
}

static void make_arrays(maker *n)
{
    sq_param *param = SQ_NEW_ARRAY(n->made->arena, sq_param, n->k->nparams + 1);
    for (int i = 0; i < n->k->narrays && !n->why; i++)
        n->made->array[i] = made_array(n, &n->m->array[i]);
    for (int i = 0; i < n->k->nparams; i++) {
        param[i] = n->k->param[i];
        if (param[i].array)
            param[i].array = array_for(n, param[i].array);
    }
    n->made->param = param;
}

/* ---- dimensions ---- */

static bool is_joined_to(const sq_merge_stmt *s, int d)
{
    for (int p = 0; p < s->of->ndim; p++)
        if (s->next[p] == d)
            return true;
    return false;
}

static void place_dims(maker *n)
{
    const sq_merge_stmt *s = n->stmt;
    n->ndim = n->nfree = 0;
    for (int d = 0; d < s->of->ndim; d++) {
        bool own = !s->gone[d] && !is_joined_to(s, d);
        n->place[d] = own ? n->ndim++ : -1;
        n->nfree += own && d < s->of->nfree;
    }
}

/* Returns "y_x": the names of what is merged. */
static const char *name_of(const maker *n, int d)
{
    const sq_merge_stmt *s = n->stmt;
    const char *name = s->of->dim[d];
    if (s->next[d] < 0)
        return name;
    for (int q = s->next[d]; q >= 0; q = s->next[q])
        name = sq_arena_printf(n->made->arena, "%s_%s", name, s->of->dim[q]);
    const char *stem = name;
    for (int more = 2, e = 0; e < s->of->ndim; e++) {
        bool taken = strcmp(s->of->dim[e], name) == 0 || sq_kernel_array(n->k, name) ||
                     size_named(n->made, name) >= 0;
        for (int p = 0; p < n->k->nparams; p++)
            taken |= strcmp(sq_param_name(&n->k->param[p]), name) == 0;
        if (taken) {
            name = sq_arena_printf(n->made->arena, "%s%d", stem, more++);
            e = -1;
        }
    }
    return name;
}

/* Returns a tuple with the parameters of `like`. */
static isl_space *tuple(isl_space *like /* __isl_take */, const char *name, int dims)
{
    isl_space *space = isl_space_set_from_params(isl_space_params(like));
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)dims);
    return isl_space_set_tuple_name(space, isl_dim_set, name);
}

/* Returns { new instance -> old one } over `old`, with its parameters; the new one has `dims`
 * dimensions. */
static isl_multi_aff *old_instance(const maker *n, isl_set *old /* __isl_keep */, const char *name,
                                   int dims)
{
    isl_space *to = isl_set_get_space(old), *from = tuple(isl_space_copy(to), name, dims);
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    isl_multi_aff *m = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, to));
    for (int d = 0; d < (int)isl_multi_aff_dim(m, isl_dim_out); d++) {
        isl_aff *a = isl_aff_zero_on_domain(isl_local_space_copy(ls));
        if (n->place[d] >= 0)
            a = isl_aff_set_coefficient_si(a, isl_dim_in, n->place[d], 1);
        else if (n->stmt->gone[d])
            a = isl_aff_set_constant_si(a, (int)n->stmt->value[d]);
        m = isl_multi_aff_set_aff(m, d, a);
    }
    isl_local_space_free(ls);
    return m;
}

/* ---- instances ---- */

/* Returns the number of elements that the dimensions merged into d have together. */
static isl_aff *width_of(maker *n, int d)
{
    isl_aff *width = aligned(n->made, isl_aff_zero_on_domain_space(params_of(n->made)));
    width = isl_aff_set_constant_si(width, 1);
    for (int q = n->stmt->next[d]; q >= 0 && width; q = n->stmt->next[q]) {
        isl_aff *lo, *end;
        if (!sq_merge_range(n->m, n->stmt->of, q, &lo, &end))
            sq_bug(__func__, "%s joins", n->stmt->of->dim[q]);
        isl_aff_free(lo);
        width = times(n, width, end);
    }
    return width;
}

static isl_set *between(isl_set *s, int d, isl_aff *lo /* __isl_take */, isl_aff *end)
{
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(s));
    isl_pw_aff *x = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)d));
    isl_pw_aff *from = isl_pw_aff_from_aff(lo), *to = isl_pw_aff_from_aff(end);
    from = isl_pw_aff_insert_domain(from, isl_set_get_space(s));
    to = isl_pw_aff_insert_domain(to, isl_set_get_space(s));
    s = isl_set_intersect(s, isl_pw_aff_ge_set(isl_pw_aff_copy(x), from));
    return isl_set_intersect(s, isl_pw_aff_lt_set(x, to));
}

/* Returns the sizes at which none of the merged ranges is empty. Other constraints on sizes must
 * stay with the instances; this one is implied by the new ranges. */
static isl_set *some_of_all(const maker *n, int dims)
{
    const sq_merge_stmt *s = n->stmt;
    isl_set *some = isl_set_universe(params_of(n->made));
    for (int d = 0; d < dims; d++) {
        isl_aff *lo, *end;
        if ((s->next[d] >= 0 || is_joined_to(s, d)) && sq_merge_range(n->m, s->of, d, &lo, &end))
            some = isl_set_intersect(some, isl_aff_lt_set(lo, end));
    }
    return some;
}

/* Returns the instances with the new dimensions: those of the others, times a range of each merged
 * one. */
static isl_set *instances(maker *n, isl_set *old /* __isl_keep */, const char *name)
{
    const sq_merge_stmt *s = n->stmt;
    int dims = (int)isl_set_dim(old, isl_dim_set);
    isl_set *all = isl_set_align_params(isl_set_copy(old), params_of(n->made));
    for (int d = 0; d < dims; d++)
        if (s->next[d] >= 0 || is_joined_to(s, d))
            all = isl_set_eliminate(all, isl_dim_set, (unsigned)d, 1);
    all = isl_set_gist_params(all, some_of_all(n, dims));
    for (int d = 0; d < dims && !n->why; d++) {
        isl_aff *lo, *end, *width = s->next[d] >= 0 && n->place[d] >= 0 ? width_of(n, d) : NULL;
        if (!width || !sq_merge_range(n->m, s->of, d, &lo, &end))
            continue;
        lo = times(n, lo, isl_aff_copy(width));
        end = times(n, end, width);
        if (lo && end)
            all = between(isl_set_align_params(all, params_of(n->made)), d, lo, end);
    }
    for (int d = dims - 1; d >= 0; d--)
        if (n->place[d] < 0)
            all = isl_set_project_out(all, isl_dim_set, (unsigned)d, 1);
    return isl_set_set_tuple_name(isl_set_coalesce(all), name);
}

/* ---- accesses ---- */

static sq_access *access_of(const maker *n, const sq_access *old)
{
    const sq_merge_array *shape = NULL;
    sq_access *a = sq_access_copied(n->made, old, n->by);
    a->array = array_for(n, old->array);
    for (int i = 0; i < n->k->narrays; i++)
        shape = n->m->array[i].of == old->array ? &n->m->array[i] : shape;
    isl_space *space = isl_space_domain(isl_multi_aff_get_space(a->map));
    isl_space *to = tuple(isl_space_copy(space), a->array->name, a->array->ndim);
    isl_multi_aff *map = isl_multi_aff_zero(isl_space_map_from_domain_and_range(space, to));
    bool joined = false; /* the previous subscript is the merged dimension and replaces both */
    a->indirect = 0;
    for (int d = 0, e = 0; d < old->array->ndim; d++) {
        if (shape->gone[d])
            continue;
        if (!joined) {
            a->indirect |= (old->indirect >> d & 1) << e;
            map = isl_multi_aff_set_aff(map, e++, isl_multi_aff_get_aff(a->map, d));
        }
        joined = shape->joined[d];
    }
    isl_multi_aff_free(a->map);
    a->map = map;
    return a;
}

static sq_expr *instead(const sq_expr *e, void *user)
{
    const maker *n = user;
    sq_expr *read = SQ_NEW(n->made->arena, sq_expr);
    *read = *e;
    for (int i = 0; i < e->nargs; i++)
        read->arg[i] = sq_expr_copied(n->made, e->arg[i], n->by, instead, user);
    read->access = access_of(n, e->access);
    return read;
}

/* ---- statements ---- */

static bool is_stmt_changed(const sq_merge_stmt *s)
{
    for (int d = 0; d < s->of->ndim; d++)
        if (s->gone[d] || s->next[d] >= 0)
            return true;
    return false;
}

static void name_dims(maker *n, sq_stmt *c)
{
    const sq_stmt *of = n->stmt->of;
    c->ndim = n->ndim;
    c->nfree = n->nfree;
    c->dim = SQ_NEW_ARRAY(n->made->arena, const char *, of->ndim + 1);
    c->counted = of->counted ? SQ_NEW_ARRAY(n->made->arena, isl_aff *, of->ndim + 1) : NULL;
    for (int d = 0; d < of->ndim; d++) {
        if (n->place[d] < 0)
            continue;
        c->dim[n->place[d]] = name_of(n, d);
        if (of->counted && of->counted[d])
            c->counted[n->place[d]] =
                isl_aff_pullback_multi_aff(isl_aff_copy(of->counted[d]), isl_multi_aff_copy(n->by));
    }
}

static sq_stmt *made_stmt(maker *n)
{
    const sq_stmt *of = n->stmt->of;
    const char *update = of->updates ? sq_stmt_update_name(n->made, of) : NULL;
    bool changed = is_stmt_changed(n->stmt);
    sq_stmt *c = SQ_NEW(n->made->arena, sq_stmt);
    *c = *of;
    place_dims(n);
    c->written_loops = of->written_loops && !changed; /* its instances need no order */
    c->textual = c->written_loops ? isl_map_copy(of->textual) : NULL;
    c->domain = changed ? instances(n, of->domain, of->name) : isl_set_copy(of->domain);
    c->updates = !update   ? NULL
                 : changed ? instances(n, of->updates, update)
                           : isl_set_copy(of->updates);
    n->by = old_instance(n, of->domain, of->name, n->nfree);
    c->write = access_of(n, of->write);
    c->value = sq_expr_copied(n->made, of->value, n->by, instead, n);
    if (update) {
        isl_multi_aff_free(n->by);
        n->by = old_instance(n, of->updates, update, n->ndim);
        c->body = sq_expr_copied(n->made, of->body, n->by, instead, n);
    }
    name_dims(n, c);
    n->by = isl_multi_aff_free(n->by);
    return c;
}

/* ---- one space of parameters ---- */

static void align_access(const sq_kernel *k, sq_access *a)
{
    a->map = isl_multi_aff_align_params(a->map, params_of(k));
    a->where = a->where ? isl_set_align_params(a->where, params_of(k)) : NULL;
}

static void align_node(sq_expr *e, void *user)
{
    if (e->access)
        align_access(user, e->access);
    if (e->index)
        e->index = aligned(user, e->index);
}

static void align_stmt(sq_kernel *k, sq_stmt *s)
{
    s->domain = isl_set_align_params(s->domain, params_of(k));
    s->updates = s->updates ? isl_set_align_params(s->updates, params_of(k)) : NULL;
    s->textual = s->textual ? isl_map_align_params(s->textual, params_of(k)) : NULL;
    for (int d = 0; s->counted && d < s->ndim; d++)
        if (s->counted[d])
            s->counted[d] = aligned(k, s->counted[d]);
    align_access(k, s->write);
    sq_expr_walk(s->value, align_node, k);
    sq_expr_walk(s->body, align_node, k);
}

/* Products that were added late become parameters of everything. */
static void align(sq_kernel *k)
{
    for (int i = 0; i < k->nproducts; i++)
        describe(k, k->product[i]);
    for (int i = 0; i < k->narrays; i++)
        for (int d = 0; d < k->array[i]->ndim; d++)
            k->array[i]->extent[d] = aligned(k, k->array[i]->extent[d]);
    for (int i = 0; i < k->nstmts; i++)
        align_stmt(k, k->stmt[i]);
}

sq_kernel *sq_merge_make(const sq_merge *m, const char **why)
{
    sq_kernel *made = sq_rewritten_begin(m->k, m->k->nstmts);
    maker *n = SQ_NEW(m->arena, maker);
    *n = (maker){.m = m, .k = m->k, .made = made};
    if (!made) {
        *why = "the dependences are not known";
        return NULL;
    }
    make_arrays(n);
    for (int i = 0; i < m->k->nstmts && !n->why; i++) {
        n->stmt = &m->stmt[i];
        made->stmt[i] = made_stmt(n); /* counted only once it exists */
        made->nstmts++;
    }
    *why = n->why;
    if (!n->why)
        align(made);
    return n->why ? NULL : made;
}
