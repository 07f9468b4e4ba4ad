/* Points: Q[i], the instances inside the first i loops, over sizes and loop variables; see
 * lower.c. */
#include "codegen/nest/lower_inside.h"
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

isl_set *sq_lowering_context(const sq_lowering *w, int loops)
{
    isl_set *c = isl_set_params(isl_set_copy(w->points[loops]));
    return isl_set_intersect_params(c, isl_set_copy(w->kernel->context));
}

/* Returns the parameter of that name. */
static isl_aff *variable(isl_local_space *ls, const char *name)
{
    int at = isl_local_space_find_dim_by_name(ls, isl_dim_param, name);
    return isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_param, (unsigned)at);
}

/* Returns the origin of loop i's tiles. */
static isl_aff *base_of(const sq_lowering *w, int i, isl_local_space *ls)
{
    const sq_group *g = w->group, *f = w->frame ? w->frame->nest->group : NULL;
    int e = sq_loop_around(g, i);
    if (e >= 0)
        return variable(ls, g->loop[e].name);
    if (f && i < f->nloops) /* shared loops have the frame's origin */
        return sq_group_lower(w->schedule, f, f->loop[i].dim);
    return sq_group_lower(w->schedule, g, g->loop[i].dim);
}

isl_set *sq_lowering_grid(const sq_lowering *w, int i, isl_space *space)
{
    const sq_loop *l = &w->group->loop[i];
    isl_local_space *ls = isl_local_space_from_space(space);
    isl_aff *v = variable(ls, l->name), *base = base_of(w, i, ls);
    isl_local_space_free(ls);
    isl_pw_aff *past = isl_pw_aff_sub(isl_pw_aff_from_aff(v), isl_pw_aff_from_aff(base));
    past = isl_pw_aff_mod_val(past, isl_val_int_from_si(w->kernel->ctx, (long)l->step));
    return isl_pw_aff_zero_set(past);
}

/* Divisions make isl several times slower, and rarely imply more than steps_of_tile does; they stay
 * where they do: if an extent is known to be a multiple of the step, or a dimension has holes. */
static bool exact_grid(const sq_lowering *w, int i)
{
    return w->holes || isl_set_dim(w->kernel->context, isl_dim_param) == 0 ||
           (sq_loop_around(w->group, i) < 0 &&
            sq_stmt_extent(w->group->stmt[0], w->group->loop[i].dim) >= 0);
}

/* Returns a >= b, each over its own parameters. */
static isl_set *not_before(isl_aff *a /* __isl_take */, isl_aff *b /* __isl_take */)
{
    return isl_pw_aff_ge_set(isl_pw_aff_from_aff(a), isl_pw_aff_from_aff(b));
}

/* True if no point of dimension d is below base. */
static bool starts_at(const sq_lowering *w, int d, isl_aff *base)
{
    isl_space *space = isl_set_get_space(w->points[0]);
    isl_aff *x = isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(space)),
                                       isl_dim_set, (unsigned)d);
    isl_pw_aff *from = isl_pw_aff_insert_domain(isl_pw_aff_from_aff(isl_aff_copy(base)), space);
    isl_set *below = isl_pw_aff_lt_set(isl_pw_aff_from_aff(x), from);
    bool none = isl_set_is_disjoint(below, w->points[0]) == isl_bool_true;
    isl_set_free(below);
    return none;
}

/* Returns the properties of the grid without divisions: loop i's variable is between the first and
 * the last full step of the loop around it. At values that loops take Q is the same. */
static isl_set *steps_of_tile(const sq_lowering *w, int i, isl_space *space /* __isl_take */)
{
    const sq_loop *l = &w->group->loop[i];
    int e = sq_loop_around(w->group, i);
    isl_set *steps = isl_set_universe(isl_space_copy(space));
    isl_local_space *ls = isl_local_space_from_space(space);
    isl_aff *base = base_of(w, i, ls);
    if (e >= 0 || starts_at(w, l->dim, base))
        steps = isl_set_intersect(steps, not_before(variable(ls, l->name), isl_aff_copy(base)));
    if (e >= 0) {
        int64_t way = (w->group->loop[e].step - 1) / l->step * l->step;
        isl_aff *last = isl_aff_add_constant_si(isl_aff_copy(base), (int)way);
        steps = isl_set_intersect(steps, not_before(last, variable(ls, l->name)));
    }
    isl_aff_free(base);
    isl_local_space_free(ls);
    return steps;
}

/* Returns Q[i+1] from Q[i]: adds loop i's variable as a parameter: v = base + step*q, v <= x < v +
 * step. */
static isl_set *enter(const sq_lowering *w, int i)
{
    const sq_loop *l = &w->group->loop[i];
    isl_set *tile = isl_set_universe(isl_set_get_space(w->points[i]));
    tile = isl_set_add_dims(tile, isl_dim_param, 1); /* added by name: names are never parsed as text */
    int at = (int)isl_set_dim(tile, isl_dim_param) - 1;
    tile = isl_set_set_dim_name(tile, isl_dim_param, (unsigned)at, l->name);
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(tile));
    isl_aff *v = isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_param, (unsigned)at);
    isl_aff *x = isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)l->dim);
    isl_aff *end = isl_aff_add_constant_val(isl_aff_copy(v),
                                            isl_val_int_from_si(w->kernel->ctx, (long)l->step));
    tile = isl_set_intersect(tile, isl_aff_ge_set(isl_aff_copy(x), v));
    tile = isl_set_intersect(tile, isl_aff_lt_set(x, end));
    isl_space *sizes = isl_space_params(isl_set_get_space(tile));
    if (l->step > 1)
        tile = isl_set_intersect_params(tile, exact_grid(w, i) ? sq_lowering_grid(w, i, sizes)
                                                               : steps_of_tile(w, i, sizes));
    else
        isl_space_free(sizes);
    return isl_set_coalesce(isl_set_intersect(isl_set_copy(w->points[i]), tile));
}

/* Returns Q[loops], made on first use. */
isl_set *sq_lowering_points(sq_lowering *w, int loops)
{
    for (int i = 0; i < loops; i++)
        if (!w->points[i + 1])
            w->points[i + 1] = enter(w, i);
    return w->points[loops];
}

/* Returns the instances at which a read leaves its array, over all dimensions of the group. */
static isl_set *leaves(const sq_lowering *w, const sq_access *a)
{
    isl_set *out = isl_set_complement(sq_array_bounds(w->kernel, a->array));
    /* CUDA text may rename the array */
    out = isl_set_set_tuple_id(out, isl_multi_aff_get_tuple_id(a->map, isl_dim_out));
    out = isl_set_preimage_multi_aff(out, isl_multi_aff_copy(a->map));
    int n = (int)isl_set_dim(out, isl_dim_set);
    out = isl_set_reset_tuple_id(out); /* reads of the value lack the dimensions of the sum */
    return isl_set_add_dims(out, isl_dim_set, (unsigned)(w->group->ndim - n));
}

isl_set *sq_lowering_outside(sq_lowering *w)
{
    isl_set *out = NULL;
    for (int i = 0; i < w->nest->nrefs; i++) {
        const sq_ref *r = w->nest->ref[i];
        if (r->access->edge == SQ_EDGE_NONE || r->buffer)
            continue;
        isl_set *here = leaves(w, r->access);
        out = out ? isl_set_coalesce(isl_set_union(out, here)) : here;
    }
    if (!out)
        return NULL;
    isl_set *tile = isl_set_reset_tuple_id(isl_set_copy(sq_lowering_points(w, w->group->nloops)));
    out = isl_set_coalesce(isl_set_params(isl_set_intersect(tile, out)));
    return isl_set_is_empty(out) == isl_bool_true ? isl_set_free(out) : out;
}
