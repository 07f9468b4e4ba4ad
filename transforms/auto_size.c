/* Auto, size: how long isl's scheduler takes for one problem. Its operations are steps through a
 * table, so their number alone bounds no time: what counts is the table. Its rows follow from the
 * conditions on the pairs, its columns from the coefficients that are asked for, and a table is
 * solved and made wider for every loop inside another. */
#include "transforms/auto.h"
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/union_map.h>

static isl_stat count_piece(isl_basic_map *piece /* __isl_take */, void *user)
{
    double *conditions = user;
    *conditions += (double)isl_basic_map_n_constraint(piece);
    isl_basic_map_free(piece);
    return isl_stat_ok;
}

static isl_stat count_map(isl_map *m /* __isl_take */, void *user)
{
    isl_stat r = isl_map_foreach_basic_map(m, count_piece, user);
    isl_map_free(m);
    return r;
}

double sq_auto_size(const sq_kernel *k, const sq_group *g, isl_union_map *pairs)
{
    double conditions = 0, coefficients = 0, deepest = 0;
    isl_union_map_foreach_map(pairs, count_map, &conditions);
    for (int i = 0; i < g->nstmts; i++) {
        double n = g->stmt[i]->nfree;
        coefficients += 1 + k->nsizes + n;
        deepest = n > deepest ? n : deepest;
    }
    return conditions * coefficients * deepest * deepest;
}
