/* Recompute: see recompute.h. A point that runs again reads the same values if no element that it
 * reads has been written since; then it writes what is there already. */
#include "ir/dependence/recompute.h"
#include "ir/kernel/touch.h"
#include <isl/map.h>
#include <isl/space.h>

/* Returns { free point -> element }, points without the statement's name. __isl_give */
static isl_map *touched(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool in_body)
{
    bool update = in_body && s->updates;
    isl_map *m = sq_touch_rel(k, s, a, update);
    if (update)
        m = isl_map_apply_domain(m, sq_stmt_drop(s));
    return isl_map_reset_tuple_id(m, isl_dim_in);
}

/* True if two points share an element, one accessing it as a does and one as b does; with `distinct`
 * only distinct points count. */
static bool share(isl_map *a /* __isl_take */, isl_map *b /* __isl_take */, bool disjoint)
{
    isl_map *pairs = isl_map_apply_range(a, isl_map_reverse(b));
    if (disjoint)
        pairs = isl_map_subtract(pairs, isl_map_identity(isl_map_get_space(pairs)));
    bool none = isl_map_is_empty(pairs) == isl_bool_true;
    isl_map_free(pairs);
    return !none;
}

/* True if statement r's read sees anything that statement w writes, except at the same point after
 * the write. */
static bool sees_other(const sq_kernel *k, const sq_group *g, int w, int r, const sq_access *read,
                       bool in_body)
{
    const sq_access *write = g->stmt[w]->write;
    if (!sq_arrays_overlap(write->array, read->array))
        return false;
    return write->array != read->array || share(touched(k, g->stmt[w], write, false),
                                                touched(k, g->stmt[r], read, in_body), w < r);
}

static bool writes_disjoint(const sq_kernel *k, const sq_stmt *s, const sq_stmt *t)
{
    const sq_access *a = s->write, *b = t->write;
    if (!sq_arrays_overlap(a->array, b->array))
        return true;
    return a->array == b->array && !share(touched(k, s, a, false), touched(k, t, b, false), true);
}

static bool reads_no_other(const sq_kernel *k, const sq_group *g, int r)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(g->stmt[r], read, in_body);
    bool disjoint = true;
    for (int i = 0; i < n && disjoint; i++)
        for (int w = 0; w < g->nstmts && disjoint; w++)
            disjoint = !sees_other(k, g, w, r, read[i], in_body[i]);
    return disjoint;
}

bool sq_group_recomputes(const sq_kernel *k, const sq_group *g)
{
    bool can = true;
    for (int s = 0; s < g->nstmts && can; s++) {
        can = g->stmt[s]->nfree == g->nfree && reads_no_other(k, g, s);
        for (int t = s; t < g->nstmts && can; t++)
            can = writes_disjoint(k, g->stmt[s], g->stmt[t]);
    }
    return can;
}
