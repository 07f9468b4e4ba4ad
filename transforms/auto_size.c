/* Auto, size: estimates the time of isl's scheduler for one problem. Its operations are steps
 * through a table, so their number alone does not bound the time: the size of the table matters.
 * Its rows follow from the constraints on the pairs, its columns from the unknown coefficients, and
 * a table is solved and extended for every nested loop. */
#include "transforms/auto.h"
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/union_map.h>
#include <string.h>

static isl_stat count_piece(isl_basic_map *piece /* __isl_take */, void *user)
{
    double *conditions = user;
    *conditions += (double)isl_basic_map_n_constraint(piece);
    isl_basic_map_free(piece);
    return isl_stat_ok;
}

/* Constraints on pairs by their statements, and which statements depend on which, transitively:
 * [from * n + to]. */
typedef struct pair_table {
    const sq_group *g;
    double *conditions;
    bool *after;
} pair_table;

static int number_of(const sq_group *g, const char *name)
{
    int i = 0;
    while (i < g->nstmts && strcmp(g->stmt[i]->name, name) != 0)
        i++;
    return i;
}

static isl_stat count_map(isl_map *m, void *user)
{
    pair_table *t = user;
    int n = t->g->nstmts, from = number_of(t->g, isl_map_get_tuple_name(m, isl_dim_in));
    int to = number_of(t->g, isl_map_get_tuple_name(m, isl_dim_out));
    isl_stat r = isl_stat_error;
    if (from < n && to < n) {
        r = isl_map_foreach_basic_map(m, count_piece, &t->conditions[from * n + to]);
        t->after[from * n + to] = true;
    }
    isl_map_free(m);
    return r;
}

static void close_over_steps(bool *after, int n)
{
    for (int v = 0; v < n; v++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && after[i * n + v]; j++)
                after[i * n + j] |= after[v * n + j];
}

/* Returns the size of the problem for the statements in `with`. */
static double size_of(const sq_kernel *k, const pair_table *t, const bool *with)
{
    double conditions = 0, coefficients = 0, deepest = 0;
    int n = t->g->nstmts;
    for (int i = 0; i < n; i++) {
        if (!with[i])
            continue;
        double loops = t->g->stmt[i]->nfree;
        coefficients += 1 + k->nsizes + loops;
        deepest = loops > deepest ? loops : deepest;
        for (int j = 0; j < n; j++)
            conditions += with[j] ? t->conditions[i * n + j] : 0;
    }
    return conditions * coefficients * deepest * deepest;
}

double sq_auto_size(const sq_kernel *k, const sq_group *g, isl_union_map *pairs, bool whole)
{
    size_t n = (size_t)g->nstmts;
    sq_arena *arena = sq_arena_new();
    pair_table t = {g, SQ_NEW_ARRAY(arena, double, n *n), SQ_NEW_ARRAY(arena, bool, n *n)};
    bool *with = SQ_NEW_ARRAY(arena, bool, n);
    double most = 0;
    isl_union_map_foreach_map(pairs, count_map, &t);
    close_over_steps(t.after, (int)n);
    for (size_t first = 0; first < n; first++) {
        for (size_t i = 0; i < n; i++)
            with[i] = whole || i == first || (t.after[first * n + i] && t.after[i * n + first]);
        double size = size_of(k, &t, with);
        most = size > most ? size : most;
        first = whole ? n : first;
    }
    sq_arena_free(arena);
    return most;
}
