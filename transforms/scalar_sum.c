/* Scalar sum: sums that C loops keep in a local scalar,
 *
 *     acc = start;
 *     for (k …) acc += term;
 *     X[i][j] = value of acc;
 *
 * where the three statements share all loops but those of the sum and no other statement uses the
 * scalar. They become one statement, X[i][j] = value of start + sum(term, k): see distribute.h. */
#include "ir/dependence/deps.h"
#include "transforms/distribute.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

static bool is_assignment(const sq_stmt *s)
{
    return s->written_loops && s->textual && !s->updates && !s->nindex;
}

static bool reads(const sq_stmt *s, const sq_array *a)
{
    return sq_expr_reads(s->value, a);
}

/* Finds the statement of the group that initializes the scalar, and the one that reads the sum, if
 * they and u->stmt are the only ones that access it. */
static bool find_ends(const sq_kernel *k, const sq_group *g, const sq_update *u,
                      const sq_stmt **start, const sq_stmt **end)
{
    const sq_array *a = u->stmt->write->array;
    int all = 0;
    *start = *end = NULL;
    for (int i = 0; i < k->nstmts; i++)
        all += sq_stmt_touches(k->stmt[i], a);
    for (int i = 0; i < g->nstmts; i++) {
        const sq_stmt *s = g->stmt[i];
        if (s == u->stmt || !sq_stmt_touches(s, a) || !is_assignment(s))
            continue;
        if (s->write->array == a && !reads(s, a))
            *start = s;
        else if (s->write->array != a)
            *end = s;
    }
    return all == 3 && *start && *end;
}

/* ---- equal loops ---- */

static isl_set *without_name(isl_set *set, const sq_kernel *k)
{
    return isl_set_intersect_params(isl_set_reset_tuple_id(set), isl_set_copy(k->context));
}

/* Returns the time of a statement's loops up to depth n, over the values of these loops. */
static isl_map *time_of_loops(const sq_stmt *s, int n)
{
    isl_map *t = isl_map_copy(s->textual);
    unsigned out = (unsigned)isl_map_dim(t, isl_dim_out);
    t = isl_map_project_out(t, isl_dim_out, 2 * (unsigned)n, out - 2 * (unsigned)n);
    t = isl_map_reset_tuple_id(t, isl_dim_in);
    return isl_map_project_out(t, isl_dim_in, (unsigned)n, (unsigned)(s->nfree - n));
}

static bool same_loops(const sq_stmt *a, const sq_stmt *b, int n)
{
    isl_map *x = time_of_loops(a, n), *y = time_of_loops(b, n);
    bool same = isl_map_is_equal(x, y) == isl_bool_true && isl_map_is_injective(x) == isl_bool_true;
    isl_map_free(x);
    isl_map_free(y);
    return same;
}

/* Returns the position of the statement, or of its loop, inside of its n outer loops. */
static int place_inside(const sq_stmt *s, int n)
{
    isl_val *v = isl_map_plain_get_val_if_fixed(s->textual, isl_dim_out, 2 * (unsigned)n);
    int at = isl_val_is_int(v) == isl_bool_true ? (int)isl_val_get_num_si(v) : -1;
    isl_val_free(v);
    return at;
}

/* True if each iteration of the shared loops starts the sum and then ends it. */
static bool complete(const sq_kernel *k, const sq_stmt *start, const sq_stmt *s, const sq_stmt *end)
{
    int n = end->nfree, first = place_inside(start, n), last = place_inside(end, n),
        at = place_inside(s, n);
    if (start->nfree != n || s->nfree <= n || first < 0 || at <= first || last <= at ||
        !same_loops(start, end, n) || !same_loops(s, end, n))
        return false;
    isl_set *from = without_name(isl_set_copy(start->domain), k),
            *to = without_name(isl_set_copy(end->domain), k),
            *all = isl_set_project_out(isl_set_copy(s->domain), isl_dim_set, (unsigned)n,
                                       (unsigned)(s->nfree - n));
    all = without_name(all, k);
    bool fine =
        isl_set_is_equal(from, to) == isl_bool_true && isl_set_is_subset(all, to) == isl_bool_true;
    isl_set_free(from);
    isl_set_free(to);
    isl_set_free(all);
    return fine;
}

/* ---- elements ---- */

/* Returns the element of a reference to the written array, over dimensions without a name. */
static isl_map *element(const sq_kernel *k, const sq_stmt *s, const sq_access *a)
{
    isl_map *m = isl_map_from_multi_aff(isl_multi_aff_copy(a->map));
    m = isl_map_intersect_domain(m, isl_set_copy(s->domain));
    m = isl_map_reset_tuple_id(m, isl_dim_in);
    return isl_map_intersect_params(m, isl_set_copy(k->context));
}

/* True if s, from the array that end writes, reads only the element of its own iteration. */
static bool reads_own(const sq_kernel *k, const sq_stmt *s, const sq_stmt *end)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    isl_map *own = element(k, end, end->write);
    bool fine = true;
    for (int i = 0; i < n && fine; i++) {
        if (read[i]->array != end->write->array)
            continue;
        isl_map *m = element(k, s, read[i]);
        fine = read[i]->edge == SQ_EDGE_NONE && isl_map_is_equal(m, own) == isl_bool_true;
        isl_map_free(m);
    }
    isl_map_free(own);
    return fine;
}

static bool is_injective(const sq_kernel *k, const sq_stmt *s)
{
    isl_map *m = element(k, s, s->write);
    bool fine = isl_map_is_injective(m) == isl_bool_true;
    isl_map_free(m);
    return fine;
}

typedef struct count {
    const sq_array *array;
    int n;
} count;

static void count_read(sq_expr *e, void *user)
{
    count *c = user;
    c->n += e->op == SQ_OP_READ && e->access->array == c->array;
}

bool sq_update_in_scalar(const sq_kernel *k, const sq_group *g, sq_update *u)
{
    const sq_stmt *s = u->stmt, *start, *end;
    const sq_array *a = s->write->array;
    if (a->ndim > 0 || a->role != SQ_LOCAL || !find_ends(k, g, u, &start, &end))
        return false;
    count ends = {a, 0};
    sq_expr_walk(end->value, count_read, &ends);
    if (ends.n != 1 || start->value->type != a->type || sq_expr_reads(u->term, end->write->array) ||
        !complete(k, start, s, end) || !is_injective(k, end) || !reads_own(k, start, end) ||
        !reads_own(k, end, end))
        return false;
    u->start = start;
    u->end = end;
    u->nfree = end->nfree;
    for (int d = 0; d < s->ndim; d++)
        u->dim[d] = d;
    return true;
}
