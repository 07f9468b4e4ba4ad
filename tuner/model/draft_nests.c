/* Draft, nests: the statements of trees that register tiles may serve; see draft_tree.h. */
#include "ir/kernel/quota.h"
#include "transforms/transform.h"
#include "transforms/tree_mark.h"
#include "transforms/tree_nest.h"
#include "tuner/model/draft_tree.h"
#include <math.h>

enum {
    MOST_PRICED = 16,         /* statements whose loops are priced */
    MOST_OPERATIONS = 2000000 /* limit on isl's operations, for one nest */
};
static const double least_share = 0.03; /* of the time of all loops: what takes less is left as it is */

bool sq_draft_nest_respects(const sq_kernel *k, const sq_group *g, const sq_draft_nest *n,
                            const sq_schedule *own)
{
    const char *why = NULL;
    const sq_tree_deps *deps = sq_tree_deps_of(k, g, &why);
    sq_tree_nest trial = *n->nest;
    trial.schedule = own;
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    bool bad = !deps || sq_tree_nest_form(&trial, &why);
    for (int i = 0; i < (deps ? deps->n : 0) && !bad; i++) {
        const sq_tree_dep *d = &deps->dep[i];
        bad = d->from == n->stmt && d->to == n->stmt &&
              sq_tree_nest_respects(&trial, d->map, d->update, &why);
    }
    return !sq_quota_end(q, &why) && !bad;
}

/* Marks the dimensions of which two points at once break a dependence. */
static void find_single(const sq_draft_context *c, const sq_kernel *k, const sq_group *g,
                        sq_draft_nest *n)
{
    const sq_group *own = n->nest->schedule->group[0];
    for (int d = 0; d < own->nfree; d++) {
        sq_schedule *trial = sq_schedule_copy(n->nest->schedule, c->arena);
        const char *sum = own->ndim > own->nfree
                              ? sq_arena_printf(c->arena, " | %s", own->dim[own->ndim - 1])
                              : "";
        const char *call = sq_arena_printf(c->arena, "micro(%s:2%s)", own->dim[d], sum);
        n->single[d] =
            !sq_script_try(trial, call, c->arena) || !sq_draft_nest_respects(k, g, n, trial);
    }
}

/* True if a statement uses an element in several of its iterations that lie along a dimension, as products do. */
static bool multiplies(const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    for (int i = 0; i < n; i++) {
        int moves = 0;
        for (int d = 0; d < s->ndim; d++)
            moves += sq_access_moves(read[i], d);
        if (moves > 0 && moves < s->ndim)
            return true;
    }
    return false;
}

/* True if a statement reads an array at several places, as stencils do. */
static bool slides(const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (read[i]->array == read[j]->array)
                return true;
    return false;
}

bool sq_draft_has_product(const sq_group *g)
{
    bool any = false;
    for (int i = 0; i < g->nstmts; i++)
        any |= multiplies(g->stmt[i]);
    return any && g->kind == SQ_GROUP_WRITTEN && g->nstmts <= MOST_PRICED;
}

static bool uses_again(const sq_stmt *s)
{
    return multiplies(s) || slides(s);
}

/* Opens the nest of a statement in a copy of the schedule. False if it has no loops by itself, or no tile serves it. */
static bool open_nest(const sq_draft_context *c, const sq_schedule *s, int group, int stmt,
                      sq_draft_nest *n)
{
    const char *why = NULL;
    sq_schedule *copy = sq_schedule_copy(s, c->arena);
    sq_group *g = copy->group[group];
    *n = (sq_draft_nest){.stmt = stmt};
    sq_schedule *own = sq_tree_nest_open(copy, g, stmt, &why);
    if (!own || sq_draft_by_loops(own->kernel, own->group[0], c->threads))
        return false;
    n->nest = sq_tree_nest_of(g->plan->tree, stmt);
    find_single(c, s->kernel, s->group[group], n);
    return true;
}

/* Returns the tree of a group, or that of its C loops as they are written; NULL: there is none. */
static const sq_tree *tree_of(const sq_kernel *k, const sq_group *g)
{
    const char *why = NULL;
    sq_tree_plan plan;
    if (g->kind == SQ_GROUP_TREE)
        return g->plan->tree;
    return g->kind == SQ_GROUP_WRITTEN ? sq_tree_own(k, g, &plan, &why) : NULL;
}

/* Adds up the seconds of the group's statements in its loops as they are, cost[] (NULL: nobody asks). INFINITY if these
 * are no tree. */
static double all_loops(const sq_draft_context *c, const sq_schedule *s, int group, double *cost)
{
    const sq_group *g = s->group[group];
    const sq_tree *root = tree_of(s->kernel, g);
    double all = root ? 0 : INFINITY;
    for (int i = 0; i < g->nstmts && root; i++) {
        double own = sq_draft_loops_cost(c, s->kernel, g, root, i);
        all += own;
        if (cost)
            cost[i] = own;
    }
    return all;
}

double sq_draft_order_loops(const sq_draft_context *c, const sq_schedule *s, int group)
{
    return all_loops(c, s, group, NULL);
}

int sq_draft_nests_find(const sq_draft_context *c, const sq_schedule *s, int group, sq_draft_nest nest[SQ_MOST_NESTS],
                        double *loops)
{
    const sq_group *g = s->group[group];
    double *cost = SQ_NEW_ARRAY(c->arena, double, g->nstmts + 1);
    int n = 0;
    *loops = all_loops(c, s, group, cost);
    for (int i = 0; i < g->nstmts && isfinite(*loops) && n < SQ_MOST_NESTS; i++) {
        if (cost[i] < least_share * *loops || !uses_again(g->stmt[i]) || !open_nest(c, s, group, i, &nest[n]))
            continue;
        nest[n++].loops = cost[i];
    }
    return n;
}
