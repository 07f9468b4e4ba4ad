/* Witness: see witness.h. Sizes become the leading dimensions of one set, whose lexicographic
 * minimum is an example that a person can check by hand. */
#include "ir/dependence/witness.h"
#include "support/text.h"
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

/* Returns "with M=1, N=2: " from the leading coordinates. */
static const char *sizes_text(const sq_kernel *k, isl_set *set, int n, const int64_t *v)
{
    sq_text t = {0};
    for (int i = 0; i < n; i++)
        sq_text_printf(&t, "%s%s=%lld", i ? ", " : "with ",
                       isl_set_get_dim_name(set, isl_dim_param, (unsigned)i), (long long)v[i]);
    if (n)
        sq_text_puts(&t, ": ");
    return sq_text_take(&t, k->arena);
}

static isl_set *sizes_first(isl_set *set, int nparam)
{
    set = isl_set_flatten(isl_set_reset_tuple_id(set));
    return isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, (unsigned)nparam);
}

static void take_point(sq_witness *w, isl_point *p, int64_t *all, int n)
{
    for (int i = 0; i < n; i++) {
        isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, i);
        all[i] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    w->value = all;
}

/* Sizes without a lower bound have no minimum: they are restricted to be nonnegative if possible,
 * else to be not far below 0. */
static isl_set *with_natural_sizes(isl_set *set, int nparam)
{
    static const int least[] = {0, -1, -16, -1024, INT32_MIN};
    for (int b = 0; b < 5; b++) {
        isl_set *natural = isl_set_copy(set);
        for (int i = 0; i < nparam; i++)
            natural = isl_set_lower_bound_si(natural, isl_dim_param, (unsigned)i, least[b]);
        bool some = isl_set_is_empty(natural) == isl_bool_false;
        isl_set_free(some ? set : natural);
        if (some)
            return natural;
    }
    return set;
}

bool sq_witness_find(const sq_kernel *k, isl_set *set, sq_witness *w)
{
    set = isl_set_intersect_params(set, isl_set_copy(k->context));
    int nparam = (int)isl_set_dim(set, isl_dim_param);
    set = with_natural_sizes(set, nparam);
    isl_set *least = isl_set_lexmin(sizes_first(isl_set_copy(set), nparam));
    isl_point *p = isl_set_sample_point(least);
    if (!p || isl_point_is_void(p) != isl_bool_false) {
        isl_point_free(p);
        isl_set_free(set);
        return false;
    }
    isl_set *flat = isl_set_from_point(isl_point_copy(p));
    int n = (int)isl_set_dim(flat, isl_dim_set);
    isl_set_free(flat);
    take_point(w, p, SQ_NEW_ARRAY(k->arena, int64_t, n), n);
    w->sizes = sizes_text(k, set, nparam, w->value);
    w->size = w->value;
    w->value += nparam;
    w->n = n - nparam;
    isl_point_free(p);
    isl_set_free(set);
    return true;
}

/* Returns the value of an affine form at the point `v` of its domain, for these sizes. */
static int64_t value_at(const sq_kernel *k, isl_aff *a, const int64_t *sizes, const int64_t *v)
{
    isl_point *p = isl_point_zero(isl_aff_get_domain_space(a));
    int nparam = (int)isl_aff_dim(a, isl_dim_param), n = (int)isl_aff_dim(a, isl_dim_in);
    for (int i = 0; i < nparam; i++)
        p = isl_point_set_coordinate_val(p, isl_dim_param, i,
                                         isl_val_int_from_si(k->ctx, sizes[i]));
    for (int i = 0; i < n; i++)
        p = isl_point_set_coordinate_val(p, isl_dim_set, i, isl_val_int_from_si(k->ctx, v[i]));
    isl_val *value = isl_aff_eval(isl_aff_copy(a), p);
    int64_t number = isl_val_get_num_si(value);
    isl_val_free(value);
    return number;
}

const char *sq_witness_instance(const sq_kernel *k, const sq_stmt *s, bool with_reduction,
                                const sq_witness *w, int from)
{
    sq_text t = {0};
    const int64_t *v = w->value + from;
    int n = with_reduction ? s->ndim : s->nfree;
    sq_text_printf(&t, "%s%s", s->name, n ? "[" : "");
    for (int d = 0; d < n; d++) {
        isl_aff *counted = s->counted && n == s->ndim ? s->counted[d] : NULL;
        sq_text_printf(&t, "%s%s=%lld", d ? ", " : "", s->dim[d],
                       (long long)(counted ? value_at(k, counted, w->size, v) : v[d]));
    }
    sq_text_puts(&t, n ? "]" : "");
    return sq_text_take(&t, k->arena);
}

const char *sq_witness_element(const sq_kernel *k, const sq_array *a, const int64_t *v)
{
    sq_text t = {0};
    sq_text_puts(&t, a->name);
    for (int d = 0; d < a->ndim; d++)
        sq_text_printf(&t, "[%lld]", (long long)v[d]);
    return sq_text_take(&t, k->arena);
}
