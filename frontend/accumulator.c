/* Accumulator: the scalar of a sum over elements of the array that it is stored to, as in factorisations in place,
 *
 *     sum = A[i][j];
 *     for (k …) sum -= A[i][k] * A[k][j];
 *     A[i][j] = sum;
 *
 * The element takes its place, if nothing else touches that between the first and the last of these statements: then
 * the loops are those of an update, which have schedules that a scalar's have not. */
#include "frontend/build.h"
#include "ir/kernel/shared_loops.h"
#include "ir/kernel/touch.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

/* The statements that touch the scalar, in the order written, are stmt[0..n-1]; in the kernel they are
 * stmt[from..to]. The last one stores it. */
typedef struct accumulator {
    const sq_kernel *k;
    const sq_array *scalar;
    sq_stmt **stmt;
    int n, from, to;
} accumulator;

static const sq_access *element(const accumulator *a)
{
    return a->stmt[a->n - 1]->write;
}

static bool is_assignment(const sq_stmt *s)
{
    return s->written_loops && !s->updates && !s->nindex && !s->is_maybe;
}

static bool find(accumulator *a)
{
    a->from = -1;
    for (int i = 0; i < a->k->nstmts; i++) {
        if (!sq_stmt_touches(a->k->stmt[i], a->scalar))
            continue;
        a->from = a->from < 0 ? i : a->from;
        a->to = i;
        a->stmt[a->n++] = a->k->stmt[i];
    }
    if (a->n < 3)
        return false;
    bool fine = true;
    for (int i = 0; i < a->n; i++)
        fine &= is_assignment(a->stmt[i]) && (a->stmt[i]->write->array == a->scalar) == (i + 1 < a->n) &&
                sq_expr_reads(a->stmt[i]->value, a->scalar) == (i > 0);
    return fine && element(a)->array->type == a->scalar->type && element(a)->array->ndim > 0 && !element(a)->indirect;
}

/* True if the loops around the last statement are around all, and each of their iterations runs all of it. */
static bool is_whole(const accumulator *a)
{
    const sq_stmt *first = a->stmt[0], *last = a->stmt[a->n - 1];
    int n = last->nfree, before = -1;
    if (first->nfree != n || !sq_stmt_always_has(a->k, first, last, n))
        return false;
    for (int i = 0; i < a->n; i++) {
        const sq_stmt *s = a->stmt[i];
        int at = s->nfree < n ? -1 : sq_stmt_place_inside(s, n);
        if (at <= before || !sq_stmts_share_loops(first, s, n) || !sq_stmt_always_has(a->k, s, first, n))
            return false;
        before = at;
    }
    return true;
}

/* Returns the element as an access of a statement inside of the same loops. __isl_give */
static isl_multi_aff *element_of(const accumulator *a, const sq_stmt *s)
{
    int n = a->stmt[a->n - 1]->nfree;
    isl_space *inner = isl_set_get_space(s->domain);
    isl_multi_aff *outer = isl_multi_aff_project_out_map(inner, isl_dim_set, (unsigned)n, (unsigned)(s->nfree - n));
    isl_multi_aff *to = isl_multi_aff_copy(element(a)->map);
    outer = isl_multi_aff_set_tuple_id(outer, isl_dim_out, isl_multi_aff_get_tuple_id(to, isl_dim_in));
    return isl_multi_aff_pullback_multi_aff(to, outer);
}

/* True if no access of the statement, but the last one's write, is to the element of its own iteration. */
static bool leaves_alone(const accumulator *a, const sq_stmt *s)
{
    sq_access *access[SQ_MAX_STMT_READS + 1];
    int n = sq_stmt_all_reads(s, access, NULL);
    bool fine = true;
    access[n++] = s->write;
    for (int i = 0; i < n && fine; i++) {
        if (access[i] == element(a) || access[i]->array != element(a)->array)
            continue;
        if (access[i]->indirect || s->updates)
            return false;
        isl_map *own = isl_map_from_multi_aff(element_of(a, s));
        isl_map *touched = sq_touch_rel(a->k, s, access[i], false);
        own = isl_map_intersect_params(own, isl_set_copy(a->k->context));
        fine = isl_map_is_disjoint(own, touched) == isl_bool_true;
        isl_map_free(own);
        isl_map_free(touched);
    }
    return fine;
}

/* True if the updates read other elements of the array: a sum of anything else is found as it is. So is one in a single
 * loop, whose iterations need each other: lanes hold parts of it. */
static bool is_in_place(const accumulator *a)
{
    bool any = false;
    if (a->stmt[a->n - 1]->nfree < 2)
        return false;
    for (int i = 1; i + 1 < a->n; i++)
        any |= sq_stmt_reads_array(a->stmt[i], element(a)->array);
    return any;
}

/* The first statement may read the element; from it to the last all others leave it alone. */
static bool is_free(const accumulator *a)
{
    const sq_stmt *last = a->stmt[a->n - 1];
    bool fine = !sq_kernel_overlaps(a->k);
    for (int i = a->from + 1; i <= a->to && fine; i++) {
        const sq_stmt *s = a->k->stmt[i];
        fine = s->written_loops && s->nfree - s->nindex >= last->nfree && sq_stmts_share_loops(last, s, last->nfree) &&
               leaves_alone(a, s);
    }
    return fine;
}

/* ---- the element in its place ---- */

static void replace(const accumulator *a, const sq_stmt *s, sq_access *access)
{
    if (access->array != a->scalar)
        return;
    isl_multi_aff_free(access->map);
    access->map = element_of(a, s);
    access->array = element(a)->array;
}

static void replace_all(const accumulator *a)
{
    for (int i = 0; i < a->n; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(a->stmt[i], read, NULL);
        for (int j = 0; j < n; j++)
            replace(a, a->stmt[i], read[j]);
        replace(a, a->stmt[i], a->stmt[i]->write);
    }
}

/* True for `A[i][j] = A[i][j];`, which is left of a statement that only loads or stores. */
static bool is_idle(const sq_stmt *s)
{
    const sq_access *read = s->value->op == SQ_OP_READ ? s->value->access : NULL;
    return read && read->array == s->write->array && !read->edge && !read->indirect &&
           isl_multi_aff_plain_is_equal(read->map, s->write->map) == isl_bool_true;
}

static void drop_idle(sq_kernel *k, int at)
{
    if (!is_idle(k->stmt[at]))
        return;
    sq_stmt_free(k->stmt[at]);
    for (k->nstmts--; at < k->nstmts; at++)
        k->stmt[at] = k->stmt[at + 1];
}

static void drop_array(sq_kernel *k, int at)
{
    for (k->narrays--; at < k->narrays; at++)
        k->array[at] = k->array[at + 1];
}

void sq_accumulators_settle(sq_kernel *k)
{
    for (int i = k->narrays - 1; i >= 0; i--) {
        accumulator a = {.k = k, .scalar = k->array[i]};
        if (a.scalar->ndim || a.scalar->role != SQ_LOCAL || a.scalar->is_named)
            continue;
        a.stmt = SQ_NEW_ARRAY(k->arena, sq_stmt *, k->nstmts + 1);
        if (!find(&a) || !is_in_place(&a) || !is_whole(&a) || !is_free(&a))
            continue;
        replace_all(&a);
        drop_idle(k, a.to);
        drop_idle(k, a.from);
        drop_array(k, i);
    }
}
