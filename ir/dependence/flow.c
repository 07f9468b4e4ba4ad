/* Flow: see flow.h. Textual order is expressed as a time,
 *
 *     [unit, textual time of C loops or zeros, 0 for an update, 1 for the finishing instance]
 *
 * where consecutive statements of C loops share a unit, as in the naive nest. */
#include "ir/dependence/flow.h"
#include "ir/kernel/touch.h"
#include <isl/flow.h>
#include <isl/space.h>

/* ---- time ---- */

static int unit_of(const sq_kernel *k, const sq_stmt *s)
{
    int unit = 0;
    for (int i = 0; k->stmt[i] != s; i++)
        unit += !k->stmt[i]->written_loops || !k->stmt[i + 1]->written_loops;
    return unit;
}

/* Returns { instance -> zeros } */
static isl_map *no_time(const sq_kernel *k, isl_set *instances /* __isl_take */)
{
    isl_map *m = isl_map_from_domain(instances);
    m = isl_map_add_dims(m, isl_dim_out, (unsigned)k->textual_dims);
    for (int d = 0; d < k->textual_dims; d++)
        m = isl_map_fix_si(m, isl_dim_out, (unsigned)d, 0);
    return m;
}

static isl_map *time_of(const sq_kernel *k, const sq_stmt *s, bool update)
{
    isl_set *instances = sq_stmt_instances(k, s, update);
    isl_map *m = NULL;
    if (s->written_loops) {
        m = isl_map_copy(s->textual);
        m = update ? isl_map_apply_range(sq_stmt_drop(s), m) : m;
        m = isl_map_intersect_domain(m, instances);
    } else {
        m = no_time(k, instances);
    }
    unsigned n = (unsigned)isl_map_dim(m, isl_dim_out);
    m = isl_map_insert_dims(m, isl_dim_out, n, 1);
    m = isl_map_fix_si(m, isl_dim_out, n, !update);
    m = isl_map_insert_dims(m, isl_dim_out, 0, 1);
    return isl_map_fix_si(m, isl_dim_out, 0, unit_of(k, s));
}

/* ---- sources ---- */

isl_map *sq_flow_from(const sq_kernel *k, const sq_stmt *p, const sq_stmt *c, const sq_access *read,
                      bool update)
{
    isl_map *sink = sq_touch_rel(k, c, read, update), *own = sq_touch_rel(k, p, p->write, false);
    isl_space *to = isl_space_domain(isl_map_get_space(own));
    isl_space *space = isl_space_domain(isl_map_get_space(sink));
    isl_union_map *time = isl_union_map_from_map(time_of(k, c, update));
    isl_union_map *writes = isl_union_map_from_map(own);
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *w = k->stmt[i];
        if (w->write->array != read->array)
            continue;
        time = isl_union_map_union(time, isl_union_map_from_map(time_of(k, w, false)));
        if (w != p)
            writes = isl_union_map_union(
                writes, isl_union_map_from_map(sq_touch_rel(k, w, w->write, false)));
    }
    isl_union_access_info *info = isl_union_access_info_from_sink(isl_union_map_from_map(sink));
    info = isl_union_access_info_set_must_source(info, writes);
    info = isl_union_access_info_set_schedule_map(info, time);
    isl_union_flow *flow = isl_union_access_info_compute_flow(info);
    isl_union_map *found = isl_union_flow_get_must_dependence(flow);
    isl_union_flow_free(flow);
    space = isl_space_align_params(space, isl_union_map_get_space(found));
    to = isl_space_align_params(to, isl_space_copy(space));
    isl_map *from =
        isl_union_map_extract_map(found, isl_space_map_from_domain_and_range(to, space));
    isl_union_map_free(found);
    return isl_map_coalesce(isl_map_reverse(from));
}

/* ---- overwritten elements ---- */

/* Returns { instance of c -> instance of w } that access one element, or all pairs if arrays may
 * overlap. */
static isl_map *same_element(isl_map *reads /* __isl_take */, isl_map *writes /* __isl_take */,
                             bool all)
{
    if (all)
        return isl_map_from_domain_and_range(isl_map_domain(reads), isl_map_domain(writes));
    return isl_map_apply_range(reads, isl_map_reverse(writes));
}

/* Returns the pairs of instances of one statement that are unordered: a point of an index statement
 * may be written before another is read. Each point reads before it writes, unless it reduces. */
static isl_map *unordered(const sq_stmt *c, bool update, isl_map *pairs /* __isl_take */)
{
    int loops = c->written_loops ? c->nfree - c->nindex : 0;
    isl_map *own = update ? sq_stmt_drop(c) : isl_set_identity(isl_set_copy(c->domain));
    for (int d = 0; d < loops; d++)
        pairs = isl_map_equate(pairs, isl_dim_in, d, isl_dim_out, d);
    if (update) {
        isl_map_free(own);
        return pairs;
    }
    return isl_map_subtract(pairs, own);
}

isl_map *sq_flow_overwritten(const sq_kernel *k, const sq_stmt *p, const sq_access *read,
                             isl_multi_aff *from, const sq_stmt *c, bool update, const sq_stmt *w)
{
    isl_map *source = isl_map_from_multi_aff(isl_multi_aff_copy(from));
    source = isl_map_intersect_domain(source, sq_stmt_instances(k, c, update));
    isl_map *reads = isl_map_apply_range(isl_map_copy(source), sq_touch_rel(k, p, read, false));
    isl_map *pairs =
        same_element(reads, sq_touch_rel(k, w, w->write, false), w->write->array != read->array);
    isl_map *time = time_of(k, w, false);
    isl_map *loose = w == c ? unordered(c, update, isl_map_copy(pairs))
                            : isl_map_empty(isl_map_get_space(pairs));
    pairs = isl_map_intersect(pairs, isl_map_lex_gt_map(time_of(k, c, update), isl_map_copy(time)));
    if (isl_map_is_empty(pairs) == isl_bool_true) { /* as of most: what comes before need not be known */
        isl_map_free(source);
        isl_map_free(time);
        return isl_map_union(pairs, loose);
    }
    isl_map *since = isl_map_lex_le_map(isl_map_apply_range(source, time_of(k, p, false)), time);
    return isl_map_union(isl_map_intersect(pairs, since), loose);
}

isl_set *sq_flow_last(const sq_kernel *k, const sq_stmt *p)
{
    isl_set *last = sq_stmt_instances(k, p, false);
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *w = k->stmt[i];
        if (w == p || w->write->array != p->write->array)
            continue;
        isl_map *again = same_element(sq_touch_rel(k, p, p->write, false),
                                      sq_touch_rel(k, w, w->write, false), false);
        again = isl_map_intersect(again,
                                  isl_map_lex_lt_map(time_of(k, p, false), time_of(k, w, false)));
        last = isl_set_subtract(last, isl_map_domain(again));
    }
    return last;
}
