/* Nest legality: the loops that a statement of a tree has by itself, inside of one iteration of the loops around. A
 * dependence of the statement on itself is that of the nest's elements: its instances are updates of elements where
 * the nest sums them up, and each element is read and written at once. */
#include "ir/dependence/deps.h"
#include "ir/dependence/legal.h"
#include "ir/kernel/touch.h"
#include "ir/schedule/tree.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

typedef struct check {
    const sq_tree_nest *n;
    const sq_schedule *s;
    const sq_group *g;
    const sq_stmt *stmt;
    const char **why;
} check;

/* Returns { S[free] of the tree -> S[free] of the nest }, in one iteration of the loops around: their values are
 * parameters. */
static isl_map *to_nest(const check *c, isl_space *from /* __isl_take */)
{
    isl_space *to = isl_set_get_space(c->stmt->domain);
    from = isl_space_align_params(from, isl_space_copy(to));
    to = isl_space_align_params(to, isl_space_copy(from));
    isl_map *m = isl_map_universe(isl_space_map_from_domain_and_range(from, to));
    for (int d = 0; d < c->stmt->nfree; d++)
        m = isl_map_equate(m, isl_dim_in, c->n->dim[d], isl_dim_out, d);
    for (int i = 0; i < c->n->nouter; i++) {
        int p = isl_map_find_dim_by_name(m, isl_dim_param, c->s->kernel->outer[i]);
        m = isl_map_equate(m, isl_dim_in, c->n->outer[i], isl_dim_param, p);
    }
    return m;
}

/* Returns the dependence between elements of the nest. Takes nothing. */
static isl_map *of_elements(const check *c, isl_map *dep, bool update)
{
    isl_map *to = to_nest(c, isl_space_domain(isl_map_get_space(dep)));
    isl_map *m = isl_map_apply_domain(isl_map_copy(dep), isl_map_copy(to));
    m = isl_map_apply_range(m, to);
    if (c->n->is_sum && update)
        m = isl_map_subtract(m, isl_map_identity(isl_map_get_space(m)));
    return m;
}

/* Returns { instance -> [the nest's loops] } */
static isl_map *time_of(const check *c, bool update)
{
    isl_map *t = sq_group_time(c->s, c->g, 0, update, c->g->nloops);
    return isl_map_project_out(t, isl_dim_out, (unsigned)c->g->nloops, 1);
}

/* Returns an example of pairs of elements, as instances of the tree's statement. */
static const char *example(const check *c, isl_map *pairs)
{
    isl_map *back = isl_map_reverse(to_nest(c, isl_set_get_space(c->n->of->domain)));
    isl_map *m = isl_map_apply_range(isl_map_apply_domain(isl_map_copy(pairs), isl_map_copy(back)), back);
    m = isl_map_intersect_domain(m, isl_set_copy(c->n->of->domain));
    m = isl_map_intersect_range(m, isl_set_copy(c->n->of->domain));
    for (int i = 0; i < c->n->nouter; i++) {
        int p = isl_map_find_dim_by_name(m, isl_dim_param, c->s->kernel->outer[i]);
        m = isl_map_project_out(m, isl_dim_param, (unsigned)p, 1);
    }
    const char *text = sq_deps_example(c->s->kernel->whole, m);
    isl_map_free(m);
    return text;
}

/* Takes pairs of elements, of which there must be none. */
static int none(const check *c, isl_map *pairs, const char *loop)
{
    sq_arena *arena = c->s->kernel->arena;
    isl_bool empty = pairs ? isl_map_is_empty(pairs) : isl_bool_error;
    if (empty == isl_bool_false && loop)
        *c->why = sq_arena_printf(arena, "loop '%s' carries a dependence: for example %s", loop, example(c, pairs));
    else if (empty == isl_bool_false)
        *c->why = sq_arena_printf(
            arena, "a dependence would be broken: for example %s, which would run later or in the same register tile",
            example(c, pairs));
    isl_map_free(pairs);
    return empty == isl_bool_true ? 0 : -1;
}

/* Checks that an element is complete before another one that depends on it begins. */
static int in_order(const check *c, isl_map *dep)
{
    isl_map *finish = time_of(c, false);
    isl_map *early = isl_map_lex_ge_map(isl_map_copy(finish), isl_map_copy(finish));
    if (none(c, isl_map_intersect(isl_map_copy(dep), early), NULL)) {
        isl_map_free(finish);
        return -1;
    }
    if (!c->stmt->updates) {
        isl_map_free(finish);
        return 0;
    }
    isl_map *drop = sq_stmt_drop(c->stmt), *updates = isl_map_reverse(isl_map_copy(drop));
    early = isl_map_intersect(isl_map_apply_range(isl_map_copy(dep), updates),
                              isl_map_lex_ge_map(finish, time_of(c, true)));
    return none(c, isl_map_apply_range(early, drop), NULL);
}

/* Checks that no parallel loop carries it. */
static int carries_none(const check *c, isl_map *dep)
{
    isl_map *same = isl_map_copy(dep);
    int bad = 0;
    for (int l = 0; l < c->g->nloops && !bad; l++) {
        isl_map *t = sq_loop_time(c->s, c->g, c->stmt, false, l);
        if (c->g->loop[l].runs != SQ_LOOP_SERIAL) {
            isl_map *apart = isl_map_union(isl_map_lex_lt_map(isl_map_copy(t), isl_map_copy(t)),
                                           isl_map_lex_gt_map(isl_map_copy(t), isl_map_copy(t)));
            bad = none(c, isl_map_intersect(isl_map_copy(same), apart), c->g->loop[l].name);
        }
        same = isl_map_intersect(same, isl_map_apply_range(isl_map_copy(t), isl_map_reverse(isl_map_copy(t))));
        isl_map_free(t);
    }
    isl_map_free(same);
    return bad;
}

int sq_tree_nest_respects(const sq_tree_nest *n, isl_map *given, bool update, const char **why)
{
    const sq_group *g = n->schedule->group[0];
    const check c = {n, n->schedule, g, g->stmt[0], why};
    isl_map *dep = of_elements(&c, given, update);
    int bad = in_order(&c, dep) || carries_none(&c, dep) ? -1 : 0;
    isl_map_free(dep);
    return bad;
}

int sq_tree_nest_form(const sq_tree_nest *n, const char **why)
{
    return sq_schedule_legal(n->schedule, why);
}
