/* Order: checks that a schedule respects the dependences. Most are satisfied by form: between
 * groups only their order matters, a group of C loops keeps its own order, the finishing instance
 * of a reduction runs at the last of its updates by construction, the order of updates is a rule on
 * form. The rest, dependences inside of a tiled group, is checked by isl: no target at or before
 * its source's time, and none that differs from its source in a parallel loop while the loops
 * outside agree. */
#include "ir/dependence/deps.h"
#include "ir/dependence/legal.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include <isl/set.h>
#include <isl/space.h>
#include <string.h>

enum { MOST_OPERATIONS = 2000000 }; /* limit on isl's operations, for one schedule: a fraction of a second */

typedef struct place {
    const sq_stmt *stmt;
    bool update;
    int group, index;
} place;

typedef struct where {
    int group, index; /* group -1: in none */
} where;

typedef struct check {
    const sq_schedule *s;
    where *of; /* per statement of the kernel, and for no statement */
    const char *why;
} check;

static where place_of(const sq_schedule *s, const sq_stmt *stmt)
{
    for (int i = 0; i < s->ngroups; i++)
        for (int j = 0; j < s->group[i]->nstmts; j++)
            if (s->group[i]->stmt[j] == stmt)
                return (where){i, j};
    return (where){.group = -1};
}

static where *places(const sq_schedule *s, sq_arena *arena)
{
    int n = s->kernel->nstmts;
    where *of = SQ_NEW_ARRAY(arena, where, n + 1);
    for (int i = 0; i < n; i++)
        of[i] = place_of(s, s->kernel->stmt[i]);
    of[n] = (where){.group = -1};
    return of;
}

/* Returns the part of dep that form does not satisfy. Dependences with the same free dimensions are
 * satisfied between the updates and the finish of one element, and between fused statements in
 * textual order: the later one has the same loops' values, or the last of a reduction's, and comes
 * later in the tile. */
static isl_map *unsettled(const sq_kernel *k, isl_map *dep, const place *from, const place *to)
{
    bool own = from->stmt == to->stmt && from->update && !to->update;
    if (from->stmt == to->stmt && from->update && to->update)
        return isl_map_empty(isl_map_get_space(dep)); /* sq_group_disordered checks it */
    if (!own && from->index >= to->index)
        return isl_map_copy(dep);
    if (own && !from->stmt->written_loops && !sq_kernel_overlaps(k))
        return isl_map_empty(isl_map_get_space(dep));
    isl_map *settled = isl_map_universe(isl_map_get_space(dep));
    for (int d = 0; d < from->stmt->nfree; d++)
        settled = isl_map_equate(settled, isl_dim_in, d, isl_dim_out, d);
    /* Most are satisfied completely, which is tested without the cost of a subtraction. */
    isl_map *whole = isl_map_intersect(isl_map_copy(dep), isl_map_copy(settled));
    bool nothing_left = isl_map_plain_is_equal(whole, dep) == isl_bool_true;
    isl_map_free(whole);
    if (!nothing_left)
        return isl_map_subtract(isl_map_copy(dep), settled);
    isl_map_free(settled);
    return isl_map_empty(isl_map_get_space(dep));
}

/* Sets "<what>: for example <two instances><how>" */
static isl_stat wrong(check *c, isl_map *pairs, const char *what, const char *how)
{
    c->why = sq_arena_printf(c->s->kernel->arena, "%s: for example %s%s", what,
                             sq_deps_example(c->s->kernel, pairs), how);
    isl_map_free(pairs);
    return isl_stat_error;
}

static isl_stat fails(check *c, isl_map *pairs)
{
    c->why = NULL;
    isl_map_free(pairs);
    return isl_stat_error;
}

/* Takes the pairs that violate a rule: there must be none. `loop`: the loop that carries them,
 * NULL: they run in the wrong order. */
static isl_stat expect_none(check *c, isl_map *pairs, const char *loop, const char *how)
{
    isl_bool fine = isl_map_is_empty(pairs);
    if (fine == isl_bool_error)
        return fails(c, pairs);
    if (fine == isl_bool_false)
        return wrong(
            c, pairs,
            loop ? sq_arena_printf(c->s->kernel->arena, "loop '%s' carries a dependence", loop)
                 : "a dependence would be broken",
            how);
    isl_map_free(pairs);
    return isl_stat_ok;
}

/* Returns the tile of an instance: its time without the statement. Points of one tile, also of
 * fused statements, may run in any order: a full tile runs statement by statement, a partial one
 * point by point. */
static isl_map *tile_time(check *c, const place *p)
{
    const sq_group *g = c->s->group[p->group];
    isl_map *t = sq_group_time(c->s, g, p->index, p->update, g->nloops);
    return isl_map_project_out(t, isl_dim_out, (unsigned)g->nloops, 1);
}

/* Checks that targets run in a strictly later tile. */
static isl_stat in_order(check *c, isl_map *dep, const place *from, const place *to)
{
    isl_map *t = tile_time(c, from), *u = tile_time(c, to);
    isl_map *early = isl_map_intersect(isl_map_copy(dep), isl_map_lex_ge_map(t, u));
    return expect_none(c, early, NULL, ", which would run later or in the same register tile");
}

/* Returns the pairs in different iterations of loop l and the same iteration of all loops outside.
 * Both sides are in one group, or in two that share loop l. */
static isl_map *carried(check *c, isl_map *dep, const place *from, const place *to, int l)
{
    const sq_group *g = c->s->group[from->group], *h = c->s->group[to->group];
    isl_map *pairs = isl_map_copy(dep);
    for (int i = 0; i <= l; i++) {
        isl_map *t = sq_loop_time(c->s, g, from->stmt, from->update, i);
        isl_map *u = sq_loop_time(c->s, h, to->stmt, to->update, i);
        isl_map *keep =
            i < l ? isl_map_apply_range(t, isl_map_reverse(u)) : isl_map_lex_lt_map(t, u);
        pairs = isl_map_intersect(pairs, keep);
    }
    return pairs;
}

static isl_stat threads(check *c, isl_map *dep, const place *from, const place *to, int nloops)
{
    const sq_group *g = c->s->group[from->group];
    for (int l = 0; l < nloops; l++) {
        if (g->loop[l].runs == SQ_LOOP_SERIAL)
            continue;
        isl_map *pairs = carried(c, dep, from, to, l);
        if (expect_none(c, pairs, g->loop[l].name, "") != isl_stat_ok)
            return isl_stat_error;
    }
    return isl_stat_ok;
}

/* Returns { instance -> [values of the first n loops] } */
static isl_map *outer_time(check *c, const place *p, int n)
{
    isl_map *t = NULL;
    for (int l = 0; l < n; l++) {
        isl_map *v = sq_loop_time(c->s, c->s->group[p->group], p->stmt, p->update, l);
        t = t ? isl_map_flat_range_product(t, v) : v;
    }
    return t;
}

/* For groups of one fusion: a target in an earlier iteration of the shared loops, or in the same
 * one and an earlier group, runs too early. */
static isl_stat within_fusion(check *c, isl_map *dep, const place *from, const place *to,
                              int shared)
{
    isl_map *t = outer_time(c, from, shared), *u = outer_time(c, to, shared);
    isl_map *soon = from->group > to->group ? isl_map_lex_ge_map(t, u) : isl_map_lex_gt_map(t, u);
    soon = isl_map_intersect(isl_map_copy(dep), soon);
    if (expect_none(c, soon, NULL, ", which would run later") != isl_stat_ok)
        return isl_stat_error;
    return threads(c, dep, from, to, shared);
}

static isl_stat between_groups(check *c, isl_map *dep, const place *from, const place *to)
{
    int head = sq_fusion_head(c->s, from->group);
    if (head == sq_fusion_head(c->s, to->group))
        return within_fusion(c, dep, from, to, sq_fusion_shared(c->s, head));
    if (from->group < to->group)
        return isl_stat_ok;
    return wrong(c, isl_map_copy(dep), "a dependence would be broken", ", which would run later");
}

/* Points with an empty reduction run after all others of the group, within an iteration of the
 * loops that it shares: no other point may depend on one of them. */
static isl_stat unreduced_in_order(check *c, isl_map *dep, const place *from, const place *to)
{
    const sq_stmt *first = c->s->group[from->group]->stmt[0];
    int head = sq_fusion_head(c->s, from->group);
    bool reduces = first->updates && !(from->update && from->stmt == first);
    isl_set *none = reduces ? sq_stmt_unreduced(c->s->kernel, first) : NULL;
    if (!none)
        return isl_stat_ok;
    isl_set *first_ones = isl_set_set_tuple_name(isl_set_copy(none), from->stmt->name);
    isl_map *late = isl_map_intersect_domain(isl_map_copy(dep), first_ones);
    none = isl_set_set_tuple_name(none, to->stmt->name);
    if (to->update)
        isl_set_free(none);
    else
        late = isl_map_subtract_range(late, none);
    if (sq_fusion_length(c->s, head) > 1) {
        int shared = sq_fusion_shared(c->s, head);
        isl_map *then = isl_map_reverse(outer_time(c, to, shared));
        late = isl_map_intersect(late, isl_map_apply_range(outer_time(c, from, shared), then));
    }
    return expect_none(c, late, NULL, ", which would run before: the first has nothing to reduce");
}

/* True if a group is one statement of C loops, whose instances run one by one in the order of the text. */
static bool runs_as_written(const sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    bool same = g->nstmts == 1 && s->written_loops && !s->updates && !s->nindex && g->nloops == s->ndim &&
                g->micro.vector < 0;
    for (int d = 0; d < s->ndim && same; d++)
        same = g->loop[d].dim == d && g->loop[d].step == 1 && g->loop[d].runs == SQ_LOOP_SERIAL &&
               g->micro.points[d] <= 1;
    return same;
}

/* Checks dep, between two places of the schedule. */
static isl_stat respected(check *c, isl_map *dep, place from, place to)
{
    isl_stat r = isl_stat_ok;
    if (from.group != to.group) {
        r = between_groups(c, dep, &from, &to);
    } else if (c->s->group[from.group]->kind == SQ_GROUP_TILED && !runs_as_written(c->s->group[from.group])) {
        isl_map *rest = unsettled(c->s->kernel, dep, &from, &to);
        if (isl_map_plain_is_empty(rest) != isl_bool_true &&
            ((r = in_order(c, rest, &from, &to)) == isl_stat_ok))
            r = threads(c, rest, &from, &to, c->s->group[from.group]->nloops);
        if (r == isl_stat_ok)
            r = unreduced_in_order(c, rest, &from, &to);
        isl_map_free(rest);
    }
    isl_map_free(dep);
    return r;
}

static isl_stat look(check *c, const sq_deps_pair *p)
{
    where a = c->of[p->from_index], b = c->of[p->to_index];
    place from = {p->from, p->from_update, a.group, a.index};
    place to = {p->to, p->to_update, b.group, b.index};
    if (from.group < 0 || to.group < 0)
        return fails(c, NULL);
    isl_stat r = respected(c, isl_map_copy(p->map), from, to);
    /* Partial sums pass through the element: all uses of its old value must precede the first
     * one. */
    bool own = from.stmt == to.stmt && from.update;
    if (r != isl_stat_ok || own || to.update || to.index > 0 ||
        !sq_group_partial_sums(c->s->group[to.group]))
        return r;
    to.update = true;
    isl_map *updates = isl_map_reverse(sq_stmt_finish(c->s->kernel, to.stmt));
    return respected(c, isl_map_apply_range(isl_map_copy(p->map), updates), from, to);
}

static isl_stat look_at_all(check *c)
{
    const sq_deps_pair *pair;
    sq_arena *arena = sq_arena_new();
    int n = sq_deps_pairs(c->s->kernel, &pair);
    isl_stat r = isl_stat_ok;
    c->of = places(c->s, arena);
    for (int i = 0; i < n && r == isl_stat_ok; i++)
        r = look(c, &pair[i]);
    sq_arena_free(arena);
    return r;
}

/* Checks that all dependences are respected, and none is carried by a parallel loop; without
 * computed dependences there is nothing to check. */
int sq_order_legal(const sq_schedule *s, const char **why)
{
    check c = {.s = s};
    const char *text = NULL;
    if (!s->kernel->deps)
        return 0;
    sq_quota q = sq_quota_begin(
        s->kernel->ctx, sq_quota_share(s->kernel, sq_quota_share(s->kernel, MOST_OPERATIONS)));
    isl_stat all = look_at_all(&c);
    bool undecided = sq_quota_end(q, &text);
    if (all == isl_stat_ok && !undecided)
        return 0;
    if (c.why)
        *why = c.why;
    else
        sq_illegal(s, why, "whether the dependences are respected could not be determined: %s", text);
    return -1;
}
