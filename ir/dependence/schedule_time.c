/* Time: when each instance runs, at the level of tiles. The tuple is
 *     [fusion, shared loops, group in the fusion, other loops, padding, statement in group]
 * A loop's value is the origin of the tile that holds the instance: counted from the dimension's
 * least value where the step divides the enclosing loop's of the same dimension, else from that
 * loop's value. The finishing instance of a reduction, and all instances of statements fused to it,
 * run at the last value of the reduction's loops. */
#include "ir/dependence/legal.h"
#include "ir/kernel/touch.h"
#include "ir/schedule/tree.h"
#include "ir/kernel/piece.h"
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

/* Returns the number of loops, or of textual time components, of the longest group. */
int sq_time_depth(const sq_schedule *s)
{
    int n = 0;
    for (int i = 0; i < s->ngroups; i++) {
        const sq_group *g = s->group[i];
        int depth = g->kind == SQ_GROUP_WRITTEN ? s->kernel->textual_dims
                    : g->kind == SQ_GROUP_TREE  ? sq_tree_depth(g->plan->tree)
                                                : g->nloops;
        n = depth > n ? depth : n;
    }
    return n;
}

/* Returns the last value of a reduction dimension. If the reduction is empty any value serves: an
 * expression of a single piece is extended, one of several pieces is completed with the minimum. */
static isl_pw_aff *last_value(const sq_schedule *s, const sq_group *g, int d)
{
    isl_set *set = isl_set_intersect_params(isl_set_copy(g->stmt[0]->updates),
                                            isl_set_copy(s->kernel->context));
    isl_pw_aff *hi = isl_set_dim_max(set, d);
    if (isl_pw_aff_n_piece(hi) != 1)
        return isl_pw_aff_union_max(hi, isl_pw_aff_from_aff(sq_group_lower(s, g, d)));
    return isl_pw_aff_from_aff(sq_only_piece(hi));
}

/* Returns base + step*floor((x - base)/step) */
static isl_pw_aff *tile_origin(isl_pw_aff *x, isl_pw_aff *base, int64_t step)
{
    if (step == 1) {
        isl_pw_aff_free(base);
        return x;
    }
    isl_ctx *ctx = isl_pw_aff_get_ctx(x);
    isl_val *n = isl_val_int_from_si(ctx, (long)step);
    isl_pw_aff *t = isl_pw_aff_sub(x, isl_pw_aff_copy(base));
    t = isl_pw_aff_floor(isl_pw_aff_scale_down_val(t, isl_val_copy(n)));
    return isl_pw_aff_add(base, isl_pw_aff_scale_val(t, n));
}

/* Returns the coordinate that the dimension's loops count: that of the instance, or its reduction's
 * last. */
static isl_pw_aff *coordinate(const sq_schedule *s, const sq_group *g, int d, isl_space *instance)
{
    int n = (int)isl_space_dim(instance, isl_dim_set);
    isl_pw_aff *x;
    if (d < n) {
        isl_local_space *ls = isl_local_space_from_space(isl_space_copy(instance));
        x = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)d));
    } else {
        x = isl_pw_aff_insert_domain(last_value(s, g, d), isl_space_copy(instance));
    }
    return x;
}

static isl_pw_aff *loop_value(const sq_schedule *s, const sq_group *g, int l, isl_space *instance)
{
    const sq_loop *loop = &g->loop[l];
    int out = sq_loop_around(g, l);
    isl_pw_aff *x = coordinate(s, g, loop->dim, instance), *base;
    if (out >= 0 && g->loop[out].step % loop->step != 0)
        base = loop_value(s, g, out, instance);
    else
        base = isl_pw_aff_insert_domain(isl_pw_aff_from_aff(sq_group_lower(s, g, loop->dim)),
                                        isl_space_copy(instance));
    /* points of one thread are not contiguous: the tile's origin does not determine which thread
     * has one */
    bool interleaved = loop->runs == SQ_LOOP_LANES && sq_group_interleaved(g, loop->dim);
    return tile_origin(x, base, interleaved ? 1 : loop->step);
}

isl_map *sq_loop_time(const sq_schedule *s, const sq_group *g, const sq_stmt *stmt, bool update,
                      int l)
{
    isl_space *instance = isl_set_get_space(update ? stmt->updates : stmt->domain);
    isl_pw_aff *v = loop_value(s, g, l, instance);
    isl_space_free(instance);
    return isl_map_from_pw_aff(v);
}

/* Returns { instance -> [value] } */
static isl_map *constant_time(const sq_stmt *stmt, bool update, int value)
{
    isl_space *instance = isl_set_get_space(update ? stmt->updates : stmt->domain);
    isl_local_space *ls = isl_local_space_from_space(instance);
    isl_aff *v = isl_aff_zero_on_domain(ls);
    return isl_map_from_aff(isl_aff_add_constant_si(v, value));
}

/* Returns the written order of an instance. */
static isl_map *written_time(const sq_stmt *stmt, bool update)
{
    isl_map *t = isl_map_copy(stmt->textual);
    if (!update)
        return isl_map_reset_tuple_id(t, isl_dim_out);
    t = isl_map_apply_range(sq_stmt_drop(stmt), t);
    return isl_map_reset_tuple_id(t, isl_dim_out);
}

isl_map *sq_group_time(const sq_schedule *s, const sq_group *g, int index, bool update, int depth)
{
    const sq_stmt *stmt = g->stmt[index];
    isl_map *t = NULL;
    int n = g->nloops;
    if (g->kind == SQ_GROUP_WRITTEN) {
        t = written_time(stmt, update);
        n = (int)isl_map_dim(t, isl_dim_out);
    }
    if (g->kind == SQ_GROUP_TREE) {
        t = sq_tree_time(s->kernel, g->plan->tree, stmt, index, depth);
        t = update ? isl_map_apply_range(sq_stmt_drop(stmt), t) : t;
        n = depth;
    }
    for (int l = 0; l < g->nloops && g->kind == SQ_GROUP_TILED; l++) {
        isl_map *v = sq_loop_time(s, g, stmt, update, l);
        t = t ? isl_map_flat_range_product(t, v) : v;
    }
    for (int i = n; i < depth; i++) {
        isl_map *zero = constant_time(stmt, update, 0);
        t = t ? isl_map_flat_range_product(t, zero) : zero;
    }
    isl_map *place = constant_time(stmt, update, g->kind == SQ_GROUP_TILED ? index : 0);
    return t ? isl_map_flat_range_product(t, place) : place;
}
