/* parts(S0, k:4096): the sum, product, maximum or minimum of S0 is computed in parts of 4096 values
 * of k each, by a statement of its own that stores them in an array, and S0 combines them:
 *
 *     S0_parts:  X_parts[p][i] = sum(x(i, 4096*p + k), k)      0 <= k < 4096
 *     S0:        X[i] = value of sum(X_parts[p][i], p)
 *
 * Thus blocks, threads of a CPU or lanes can share the reduction of one element. The number of
 * parts depends on the sizes only. */
#include "ir/dependence/rewrite.h"
#include "transforms/edit.h"
#include "transforms/rows.h"
#include "ir/kernel/piece.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

enum { MOST_LENGTH = 1 << 30 };

typedef struct parter {
    const sq_schedule *s;
    const sq_kernel *k, *made;
    const sq_stmt *of;
    int dim; /* the reduction dimension */
    int64_t length;
    isl_aff *lower, *count; /* minimum of the dimension; number of parts: over the sizes */
    const char *name, *index;
    sq_array *array;
    const char **why;
    sq_culprit *at;
} parter;

/* ---- legality ---- */

static int refuse(const parter *n, const char *text)
{
    return sq_edit_refuse(n->s, n->why, n->at, 0, "%s %s", n->of->name, text);
}

/* Returns the indices of the reduction, for people. */
static const char *reduced_names(const parter *n)
{
    const char *all = "";
    for (int d = n->of->nfree; d < n->of->ndim; d++)
        all = sq_arena_printf(n->k->arena, "%s%s%s", all, *all ? ", " : "", n->of->dim[d]);
    return all;
}

static int find_dim(parter *n, const sq_arg *a)
{
    n->dim = -1;
    for (int d = n->of->nfree; d < n->of->ndim; d++)
        n->dim = strcmp(n->of->dim[d], a->name) == 0 ? d : n->dim;
    if (n->dim < 0)
        return sq_edit_refuse(n->s, n->why, n->at, 1, "'%s' is no index that %s reduces over: %s",
                              a->name, n->of->name, reduced_names(n));
    n->length = a->value;
    if (!a->has_value || a->value < 1 || a->value > MOST_LENGTH)
        return sq_edit_refuse(n->s, n->why, n->at, 1, "a part has 1 to %d values of '%s': %s:4096",
                              MOST_LENGTH, a->name, a->name);
    return 0;
}

static int legal(const parter *n)
{
    if (n->of->ordered)
        return refuse(n, "keeps the order of its reduction under fp strict, and parts are summed "
                         "each by itself: #pragma squall fp reassoc");
    if (n->of->written_loops)
        return refuse(n, "stands in C loops; parts are of statements that run as a whole");
    if (sq_kernel_overlaps(n->k))
        return refuse(n, "needs arrays that do not overlap; this kernel has some that are `alias`");
    if (sq_expr_reads(n->of->body, n->of->write->array))
        return sq_edit_refuse(
            n->s, n->why, n->at, 0,
            "%s reduces over elements of %s, which it writes itself, so its parts "
            "have to wait for each other",
            n->of->name, n->of->write->array->name);
    if (n->of->ndim + 1 > SQ_MAX_DIMS)
        return refuse(n, "has too many dimensions");
    return 0;
}

/* Returns the minimum or maximum of the dimension; NULL if it is not a single expression. */
static isl_aff *range_end(const parter *n, bool upper)
{
    isl_set *set =
        isl_set_intersect_params(isl_set_copy(n->of->updates), isl_set_copy(n->k->context));
    isl_pw_aff *end = upper ? isl_set_dim_max(set, n->dim) : isl_set_dim_min(set, n->dim);
    return sq_only_piece(isl_pw_aff_coalesce(end));
}

/* Computes (upper - lower) / length + 1 */
static int count_parts(parter *n)
{
    n->lower = range_end(n, false);
    isl_aff *upper = range_end(n, true);
    if (!n->lower || !upper) {
        isl_aff_free(upper);
        return sq_edit_refuse(n->s, n->why, n->at, 1,
                              "where '%s' begins and ends is no single expression of the sizes",
                              n->of->dim[n->dim]);
    }
    isl_val *length = isl_val_int_from_si(n->k->ctx, (long)n->length);
    isl_aff *last = isl_aff_sub(upper, isl_aff_copy(n->lower));
    last = isl_aff_floor(isl_aff_scale_down_val(last, length));
    n->count = isl_aff_add_constant_si(last, 1);
    return 0;
}

/* ---- spaces ---- */

static isl_space *tuple(const parter *n, const char *name, int dims)
{
    isl_space *space = isl_space_set_from_params(isl_set_get_space(n->made->context));
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)dims);
    return isl_space_set_tuple_name(space, isl_dim_set, name);
}

/* Returns { from[…] -> to[from's dimensions src[0], src[1], …] }; takes both spaces. */
static isl_multi_aff *picks(isl_space *from, isl_space *to, const int *src)
{
    to = isl_space_align_params(to, isl_space_copy(from));
    from = isl_space_align_params(from, isl_space_copy(to));
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    isl_multi_aff *m = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, to));
    for (int d = 0; d < (int)isl_multi_aff_dim(m, isl_dim_out); d++)
        m = isl_multi_aff_set_aff(
            m, d, isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)src[d]));
    isl_local_space_free(ls);
    return m;
}

/* Returns { name[p, first dimensions of the old one] -> the old instance }: k is lower + length*p +
 * k. */
static isl_multi_aff *old_instance(const parter *n, const char *name, isl_set *old)
{
    int src[SQ_MAX_DIMS], dims = (int)isl_set_dim(old, isl_dim_set);
    for (int d = 0; d < dims; d++)
        src[d] = d + 1;
    isl_space *from = tuple(n, name, dims + 1);
    isl_multi_aff *m = picks(isl_space_copy(from), isl_set_get_space(old), src);
    if (n->dim < dims) {
        isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
        isl_aff *k = isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)n->dim + 1);
        k = isl_aff_set_coefficient_val(k, isl_dim_in, 0,
                                        isl_val_int_from_si(n->k->ctx, (long)n->length));
        isl_pw_aff *lower = isl_pw_aff_from_aff(isl_aff_copy(n->lower));
        lower = isl_pw_aff_insert_domain(lower, isl_space_copy(from));
        m = isl_multi_aff_set_aff(m, n->dim, isl_aff_add(k, sq_only_piece(lower)));
    }
    isl_space_free(from);
    return m;
}

/* Returns the parts from the first on, and the values inside of each. */
static isl_set *of_parts(const parter *n, isl_set *updates)
{
    isl_set *s = isl_set_lower_bound_si(updates, isl_dim_set, 0, 0);
    s = isl_set_lower_bound_si(s, isl_dim_set, (unsigned)n->dim + 1, 0);
    s = isl_set_upper_bound_val(s, isl_dim_set, (unsigned)n->dim + 1,
                                isl_val_int_from_si(n->k->ctx, (long)n->length - 1));
    return isl_set_coalesce(isl_set_remove_redundancies(isl_set_detect_equalities(s)));
}

/* ---- the array of parts ---- */

static sq_array *new_array(parter *n, sq_kernel *made)
{
    const sq_array *like = n->of->write->array;
    sq_array *a = SQ_NEW(made->arena, sq_array);
    *a = (sq_array){.name = sq_rewritten_name(made, n->k, like->name, "_parts"),
                    .type = n->of->body->type,
                    .role = SQ_LOCAL,
                    .ndim = like->ndim + 1,
                    .loc = like->loc};
    a->extent = SQ_NEW_ARRAY(made->arena, isl_aff *, a->ndim);
    a->extent[0] = isl_aff_copy(n->count);
    for (int d = 0; d < like->ndim; d++)
        a->extent[d + 1] = isl_aff_copy(like->extent[d]);
    made->array[made->narrays++] = a;
    return a;
}

/* Returns the element of a part, for instances in which the part is dimension p and the old free
 * ones start at `first`. */
static sq_access *at_part(const parter *n, const char *name, int dims, int p, int first)
{
    int src[SQ_MAX_DIMS];
    for (int d = 0; d < n->of->nfree; d++)
        src[d] = first + d;
    isl_multi_aff *old = picks(tuple(n, name, dims), isl_set_get_space(n->of->domain), src);
    isl_multi_aff *element =
        isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(n->of->write->map), old);
    isl_local_space *ls = isl_local_space_from_space(tuple(n, name, dims));
    isl_multi_aff *part =
        isl_multi_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)p));
    element = isl_multi_aff_reset_tuple_id(element, isl_dim_out);
    element = isl_multi_aff_flat_range_product(part, element);
    sq_access *a = SQ_NEW(n->made->arena, sq_access);
    *a = (sq_access){.array = n->array,
                     .map = isl_multi_aff_set_tuple_name(element, isl_dim_out, n->array->name),
                     .edge = SQ_EDGE_NONE,
                     .loc = n->of->write->loc};
    return a;
}

/* ---- statements ---- */

static sq_stmt *new_stmt(const parter *n, const char *name, int ndim, int nfree)
{
    sq_stmt *s = SQ_NEW(n->made->arena, sq_stmt);
    *s = (sq_stmt){.name = name,
                   .ndim = ndim,
                   .nfree = nfree,
                   .reduce = n->of->reduce,
                   .keeps_old = n->of->keeps_old,
                   .loc = n->of->loc,
                   .dim = SQ_NEW_ARRAY(n->made->arena, const char *, ndim)};
    return s;
}

static sq_stmt *parts_of(const parter *n)
{
    const sq_stmt *of = n->of;
    sq_stmt *s = new_stmt(n, n->name, of->ndim + 1, of->nfree + 1);
    s->dim[0] = n->index;
    for (int d = 0; d < of->ndim; d++)
        s->dim[d + 1] = of->dim[d];
    isl_multi_aff *old = old_instance(n, sq_stmt_update_name(n->made, s), of->updates);
    s->updates =
        of_parts(n, isl_set_preimage_multi_aff(isl_set_copy(of->updates), isl_multi_aff_copy(old)));
    s->domain = isl_set_project_out(isl_set_reset_tuple_id(isl_set_copy(s->updates)), isl_dim_set,
                                    (unsigned)s->nfree, (unsigned)(s->ndim - s->nfree));
    s->domain = isl_set_set_tuple_name(isl_set_coalesce(s->domain), s->name);
    s->body = sq_expr_copied(n->made, of->body, old, NULL, NULL);
    s->write = at_part(n, s->name, s->nfree, 0, 1);
    s->value = sq_expr_node(n->made, SQ_OP_REDUCED, of->body->type, of->loc, 0, NULL);
    isl_multi_aff_free(old);
    return s;
}

static sq_stmt *whole(const parter *n, const sq_stmt *parts)
{
    const sq_stmt *of = n->of;
    sq_stmt *s = new_stmt(n, of->name, of->nfree + 1, of->nfree);
    const char *update = sq_stmt_update_name(n->made, s);
    int src[SQ_MAX_DIMS] = {of->nfree};
    for (int d = 0; d < of->nfree; d++) {
        s->dim[d] = of->dim[d];
        src[d + 1] = d;
    }
    s->dim[of->nfree] = n->index;
    isl_multi_aff *turned = picks(tuple(n, update, s->ndim), isl_set_get_space(parts->domain), src);
    s->updates = isl_set_preimage_multi_aff(isl_set_copy(parts->domain), turned);
    s->domain = isl_set_copy(of->domain);
    s->write = sq_access_copied(n->made, of->write, NULL);
    s->value = sq_expr_copied(n->made, of->value, NULL, NULL, NULL);
    s->body = sq_expr_node(n->made, SQ_OP_READ, n->array->type, of->loc, 0, NULL);
    s->body->access = at_part(n, update, s->ndim, of->nfree, 0);
    return s;
}

/* ---- the new kernel ---- */

/* Returns the name of the parts' index: one that the statement does not have; others may. */
static const char *index_name(const parter *n)
{
    const char *stem = n->of->dim[n->dim], *name = sq_arena_printf(n->k->arena, "%s_part", stem);
    int more = 1;
    for (int d = 0; d < n->of->ndim; d++)
        if (strcmp(n->of->dim[d], name) == 0) {
            name = sq_arena_printf(n->k->arena, "%s_part%d", stem, ++more);
            d = -1;
        }
    return name;
}

static const sq_schedule *make(parter *n, const char *call)
{
    sq_kernel *k = sq_rewritten_begin(n->k, n->k->nstmts + 1);
    if (!k) {
        sq_edit_refuse(n->s, n->why, n->at, -1, "the dependences are not known");
        return NULL;
    }
    n->made = k;
    n->name = sq_rewritten_name(k, n->k, n->of->name, "_parts");
    n->index = index_name(n);
    n->array = new_array(n, k);
    for (int i = 0; i < n->k->nstmts; i++) {
        if (n->k->stmt[i] != n->of) {
            k->stmt[k->nstmts++] = sq_stmt_copied(k, n->k->stmt[i], NULL, NULL);
            continue;
        }
        sq_stmt *parts = parts_of(n);
        k->stmt[k->nstmts++] = parts;
        k->stmt[k->nstmts++] = whole(n, parts);
    }
    const sq_schedule *start = sq_schedule_new(k, k->arena);
    return sq_rewritten_end(n->k, k, start, call, n->why) ? NULL : start;
}

static int read_args(parter *n, const sq_call *call)
{
    const sq_arg *a = call->arg;
    if (call->nargs != 2 || a[0].has_value || a[0].section || a[1].section || !a[0].name[0] ||
        !a[1].name[0])
        return sq_edit_refuse(n->s, n->why, n->at, -1,
                              "name a reduction and the length of its parts: parts(S0, k:4096)");
    n->of = sq_kernel_stmt(n->k, a[0].name);
    if (!n->of)
        return sq_edit_no_stmt(n->s, call, 0, n->why, n->at);
    if (!n->of->updates)
        return refuse(n, "has no sum, product, maximum or minimum to take in parts");
    return find_dim(n, &a[1]);
}

int sq_apply_parts(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    parter *n = SQ_NEW(s->kernel->arena, parter);
    *n = (parter){.s = s, .k = s->kernel, .why = why, .at = at};
    if (!sq_schedule_untouched(s))
        return sq_edit_refuse(s, why, at, -1,
                              "parts changes the statements that the other calls are about; write "
                              "it before them");
    if (read_args(n, call) || legal(n))
        return -1;
    const char *text = sq_arena_printf(s->kernel->arena, "parts(%s, %s:%lld)", n->of->name,
                                       n->of->dim[n->dim], (long long)n->length);
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    if (!start && count_parts(n) == 0)
        start = make(n, text);
    isl_aff_free(n->lower);
    isl_aff_free(n->count);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
