/* Scalar sum: sums that C loops keep in a local scalar,
 *
 *     acc = start;
 *     for (k …) acc += term;
 *     X[i][j] = value of acc;
 *
 * where the three statements share all loops but those of the sum and no other statement uses the
 * scalar. They become one statement, X[i][j] = value of start + sum(term, k): see distribute.h. */
#include "ir/dependence/deps.h"
#include "ir/kernel/shared_loops.h"
#include "transforms/distribute.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

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

/* True if each iteration of the shared loops starts the sum and then ends it. */
static bool complete(const sq_kernel *k, const sq_stmt *start, const sq_stmt *s, const sq_stmt *end)
{
    int n = end->nfree, first = sq_stmt_place_inside(start, n), last = sq_stmt_place_inside(end, n),
        at = sq_stmt_place_inside(s, n);
    return start->nfree == n && s->nfree > n && first >= 0 && at > first && last > at &&
           sq_stmts_share_loops(start, end, n) && sq_stmts_share_loops(s, end, n) &&
           sq_stmt_always_has(k, end, start, n) && sq_stmt_always_has(k, start, end, n) &&
           sq_stmt_always_has(k, s, end, n);
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
