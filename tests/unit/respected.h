/* Respected: the time of a schedule's instances, whole, and whether dependences are respected by
 * it, asked of all of them at once. */
#ifndef SQ_TESTS_UNIT_RESPECTED_H
#define SQ_TESTS_UNIT_RESPECTED_H
#include "ir/dependence/deps.h"
#include "ir/dependence/legal.h"
#include <isl/map.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

typedef struct question {
    const sq_kernel *k;
    isl_union_map *time;
    bool allow_equal;
    const char *why;
} question;

static inline isl_map *time_of(const question *q, isl_map *dep, enum isl_dim_type side)
{
    isl_space *in = isl_map_get_space(dep);
    in = side == isl_dim_in ? isl_space_domain(in) : isl_space_range(in);
    isl_union_set *set = isl_union_set_from_set(isl_set_universe(in));
    isl_union_map *m = isl_union_map_intersect_domain(isl_union_map_copy(q->time), set);
    return isl_map_from_union_map(m);
}

static inline isl_stat respects(isl_map *dep, void *user)
{
    question *q = user;
    isl_map *from = time_of(q, dep, isl_dim_in), *to = time_of(q, dep, isl_dim_out);
    isl_map *wrong = q->allow_equal ? isl_map_lex_gt_map(from, to) : isl_map_lex_ge_map(from, to);
    wrong = isl_map_intersect(wrong, dep);
    isl_bool fine = isl_map_is_empty(wrong);
    if (fine == isl_bool_false)
        q->why =
            sq_arena_printf(q->k->arena, "%s, which would run %s", sq_deps_example(q->k, wrong),
                            q->allow_equal ? "later" : "later or at the same time");
    isl_map_free(wrong);
    return fine == isl_bool_true ? isl_stat_ok : isl_stat_error;
}

/* The first dependence that `time` (tuples as in kernel.h -> one common time vector) does not
 * respect, i.e. whose target is not strictly later; with allow_equal, not later or equal. On
 * violation fills *why with a sentence about a concrete instance pair ("with N=2: S0[i=1, j=0]
 * needs S0[i=0, j=0], which would run later"), in the kernel's arena. Returns 0 respected,
 * 1 violated, -1 isl failure. */
static inline int deps_respected(const sq_kernel *k, isl_union_map *time, bool allow_equal,
                                 const char **why)
{
    question q = {.k = k, .time = time, .allow_equal = allow_equal};
    isl_stat all = isl_union_map_foreach_map(k->deps, respects, &q);
    if (all == isl_stat_ok)
        return 0;
    *why = q.why;
    return q.why ? 1 : -1;
}

static inline isl_map *whole_time(const sq_schedule *s, int group, int index, bool update,
                                  int depth)
{
    const sq_group *g = s->group[group];
    int head = sq_fusion_head(s, group), shared = sq_fusion_shared(s, head);
    isl_map *t = sq_group_time(s, g, index, update, depth);
    t = isl_map_insert_dims(t, isl_dim_out, (unsigned)shared, 1);
    t = isl_map_fix_si(t, isl_dim_out, (unsigned)shared, group - head);
    t = isl_map_insert_dims(t, isl_dim_out, 0, 1);
    return isl_map_fix_si(t, isl_dim_out, 0, head);
}

/* Time of every instance of the kernel, { S[…] -> [run, shared loops…, group in it, loops…, stmt] }
 * and the same for S_u, at the level of tiles: all points of one register tile have one time.
 * __isl_give; NULL on failure.
 */
static inline isl_union_map *schedule_time(const sq_schedule *s)
{
    int depth = sq_time_depth(s);
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(s->kernel->context));
    for (int i = 0; i < s->ngroups; i++)
        for (int j = 0; j < s->group[i]->nstmts; j++) {
            const sq_stmt *stmt = s->group[i]->stmt[j];
            isl_map *t = isl_map_intersect_domain(whole_time(s, i, j, false, depth),
                                                  isl_set_copy(stmt->domain));
            all = isl_union_map_union(all, isl_union_map_from_map(t));
            if (!stmt->updates)
                continue;
            t = isl_map_intersect_domain(whole_time(s, i, j, true, depth),
                                         isl_set_copy(stmt->updates));
            all = isl_union_map_union(all, isl_union_map_from_map(t));
        }
    return all;
}
#endif
