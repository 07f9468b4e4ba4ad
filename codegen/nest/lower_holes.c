/* Holes: a loop runs from the minimum to the maximum of the values that have points inside. Values
 * in between may have none: `if (i % 2)`, `i < 2 || i > 4`. Such iterations are skipped by a
 * condition, so that everything inside of it may assume that there are points. */
#include "codegen/nest/lower_inside.h"
#include "codegen/code/from_isl.h"
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

/* Remainders of divisions, equalities and coefficients other than 1 leave gaps when a dimension is
 * projected out: for 3 c = b the values of b. */
static isl_stat look_at_constraint(__isl_take isl_constraint *c, void *user)
{
    bool *gaps = user;
    *gaps |= isl_constraint_dim(c, isl_dim_div) > 0;
    for (int d = 0; d < (int)isl_constraint_dim(c, isl_dim_set); d++) {
        isl_val *v = isl_val_abs(isl_constraint_get_coefficient_val(c, isl_dim_set, d));
        bool equal = isl_constraint_is_equality(c) == isl_bool_true;
        *gaps |=
            isl_val_is_zero(v) != isl_bool_true && (equal || isl_val_is_one(v) != isl_bool_true);
        isl_val_free(v);
    }
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat look_at_piece(__isl_take isl_basic_set *b, void *user)
{
    isl_basic_set_foreach_constraint(b, look_at_constraint, user);
    isl_basic_set_free(b);
    return isl_stat_ok;
}

bool sq_has_holes(isl_set *s)
{
    bool gaps = isl_set_n_basic_set(s) > 1;
    isl_set_foreach_basic_set(s, look_at_piece, &gaps);
    return gaps;
}

isl_set *sq_without_holes(isl_set *one)
{
    isl_space *space = isl_set_get_space(one);
    isl_set *low = isl_set_lexmin(isl_set_copy(one)), *high = isl_set_lexmax(one);
    isl_set *above = isl_set_apply(low, isl_map_lex_le(isl_space_copy(space)));
    return isl_set_intersect(above, isl_set_apply(high, isl_map_lex_ge(space)));
}

/* Returns the values of loop i, as a set of parameters: from the tile that contains the minimum to
 * the maximum, in steps from the base. */
static isl_set *values_run(sq_lowering *w, int i, isl_space *space /* __isl_take */)
{
    const sq_loop *l = &w->group->loop[i];
    isl_set *points = sq_lowering_points(w, i);
    isl_pw_aff *lo = sq_range_end(points, l->dim, false), *hi = sq_range_end(points, l->dim, true);
    int at = isl_space_find_dim_by_name(space, isl_dim_param, l->name);
    isl_local_space *ls = isl_local_space_from_space(space);
    isl_pw_aff *v = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_param, (unsigned)at));
    isl_val *back = isl_val_int_from_si(w->kernel->ctx, 1 - (long)l->step);
    isl_set *run = isl_pw_aff_ge_set(isl_pw_aff_copy(v), isl_pw_aff_add_constant_val(lo, back));
    run = isl_set_intersect(run, isl_pw_aff_le_set(v, hi));
    return isl_set_intersect(run, sq_lowering_grid(w, i, isl_set_get_space(run)));
}

const sq_code_expr *sq_lowering_hole(sq_lowering *w, int i)
{
    sq_lowering_points(w, i + 1);
    isl_set *inside = sq_lowering_context(w, i + 1);
    isl_set *known = values_run(w, i, isl_set_get_space(inside));
    known = isl_set_intersect(known, sq_lowering_context(w, i));
    const sq_code_expr *some_inside = NULL;
    if (isl_set_is_subset(known, inside) != isl_bool_true) {
        isl_set *some = isl_set_gist(isl_set_coalesce(isl_set_copy(inside)), isl_set_copy(known));
        some_inside = sq_code_from_set(w->code, some, known);
    }
    isl_set_free(inside);
    isl_set_free(known);
    return some_inside;
}
