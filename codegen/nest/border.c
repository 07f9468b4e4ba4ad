/* Border: see border.h. */
#include "codegen/nest/border.h"
#include "codegen/nest/lower_inside.h"
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

/* ---- which groups ---- */

/* True if a pack serves reads of the array: the copy has the elements beyond its edges. */
static bool is_packed(const sq_group *g, const sq_access *a)
{
    for (int p = 0; p < g->npacks; p++)
        if (sq_pack_serves(&g->pack[p], a))
            return true;
    return false;
}

/* True if a read of the value gets what is written at the same point. */
static bool is_same_point(const sq_access *read, const sq_access *write)
{
    isl_multi_aff *a = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(read->map), isl_dim_in);
    isl_multi_aff *b = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(write->map), isl_dim_in);
    bool same = isl_multi_aff_plain_is_equal(a, b) == isl_bool_true;
    isl_multi_aff_free(a);
    isl_multi_aff_free(b);
    return same;
}

/* True if no instance reads what another one writes, and some read leaves its array, of which there is no copy. */
static bool has_border(const sq_group *g)
{
    bool any = false;
    for (int i = 0; i < g->nstmts; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(g->stmt[i], read, in_body);
        for (int r = 0; r < n; r++) {
            if (read[r]->edge != SQ_EDGE_NONE && (read[r]->indirect || is_packed(g, read[r])))
                return false;
            any |= read[r]->edge != SQ_EDGE_NONE;
            for (int w = 0; w < g->nstmts; w++) {
                const sq_access *write = g->stmt[w]->write;
                if (read[r]->array == write->array && (in_body[r] || !is_same_point(read[r], write)))
                    return false;
            }
        }
    }
    return any;
}

/* True if tiles of several points run over the group, alone. */
static bool is_tiled(const sq_group *g)
{
    bool several = false;
    for (int d = 0; d < g->nfree; d++)
        several |= g->micro.points[d] > 1;
    return g->kind == SQ_GROUP_TILED && several && g->shared == 0 && sq_group_held(g) == g->nloops;
}

/* ---- sets ---- */

/* Returns the free points of a statement at which a read leaves its array. */
static isl_set *leaving(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool in_body)
{
    isl_set *out = isl_set_complement(sq_array_bounds(k, a->array));
    out = isl_set_set_tuple_id(out, isl_multi_aff_get_tuple_id(a->map, isl_dim_out));
    out = isl_set_preimage_multi_aff(out, isl_multi_aff_copy(a->map));
    out = isl_set_reset_tuple_id(out);
    if (!in_body)
        return out;
    out = isl_set_intersect(out, isl_set_reset_tuple_id(isl_set_copy(s->updates)));
    return isl_set_project_out(out, isl_dim_set, (unsigned)s->nfree, (unsigned)(s->ndim - s->nfree));
}

/* Returns the points of the group at which all reads of all statements are inside. */
static isl_set *points_inside(const sq_kernel *k, const sq_group *g)
{
    isl_set *in = isl_set_reset_tuple_id(isl_set_copy(g->stmt[0]->domain));
    in = isl_set_intersect_params(in, isl_set_copy(k->context));
    for (int i = 0; i < g->nstmts; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(g->stmt[i], read, in_body);
        for (int r = 0; r < n; r++)
            if (read[r]->edge != SQ_EDGE_NONE)
                in = isl_set_coalesce(isl_set_subtract(in, leaving(k, g->stmt[i], read[r], in_body[r])));
    }
    return isl_set_remove_redundancies(in);
}

static isl_stat is_of_one(__isl_take isl_constraint *c, void *user)
{
    bool *box = user;
    int used = 0;
    for (int d = 0; d < (int)isl_constraint_dim(c, isl_dim_set); d++)
        used += isl_constraint_involves_dims(c, isl_dim_set, (unsigned)d, 1) == isl_bool_true;
    *box &= used <= 1 && isl_constraint_dim(c, isl_dim_div) == 0;
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat look_at_piece(__isl_take isl_basic_set *b, void *user)
{
    isl_basic_set_foreach_constraint(b, is_of_one, user);
    isl_basic_set_free(b);
    return isl_stat_ok;
}

/* True if the set is one product of ranges, which has points. */
static bool is_box(isl_set *s /* __isl_keep */)
{
    bool box = isl_set_n_basic_set(s) == 1 && isl_set_is_empty(s) == isl_bool_false;
    isl_set_foreach_basic_set(s, look_at_piece, &box);
    return box;
}

/* ---- the groups ---- */

/* Returns a copy of the statement at these points only. */
static sq_stmt *at_points(const sq_stmt *of, isl_set *points /* __isl_keep */, sq_arena *arena)
{
    sq_stmt *s = SQ_NEW(arena, sq_stmt);
    *s = *of;
    isl_set *here = isl_set_copy(points);
    if (of->updates) {
        isl_set *all = isl_set_add_dims(isl_set_copy(points), isl_dim_set, (unsigned)(of->ndim - of->nfree));
        all = isl_set_set_tuple_id(all, isl_set_get_tuple_id(of->updates));
        s->updates = isl_set_intersect(isl_set_copy(of->updates), all);
    }
    here = isl_set_set_tuple_id(here, isl_set_get_tuple_id(of->domain));
    s->domain = isl_set_intersect(isl_set_copy(of->domain), here);
    return s;
}

static sq_group *group_at(const sq_schedule *of, const sq_group *g, isl_set *points, sq_arena *arena)
{
    sq_group *c = sq_group_copy(of, g, arena);
    for (int i = 0; i < g->nstmts; i++)
        c->stmt[i] = at_points(g->stmt[i], points, arena);
    return c;
}

/* Makes the group run point by point. */
static void without_tiles(sq_group *g, sq_arena *arena)
{
    g->nloops = g->npacks = 0;
    g->by_points = true;
    g->micro = (sq_micro){.vector = -1, .lanes = 1, .serial = -1, .unroll = 1, .split = 1};
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        g->micro.points[d] = 1;
    g->note = sq_arena_strdup(arena, "where reads leave their arrays");
}

bool sq_border_split(const sq_schedule *s, const sq_group *g, const sq_target *t, sq_arena *arena, sq_border *b)
{
    if ((t && t->grid) || !is_tiled(g) || !has_border(g))
        return false;
    isl_set *inside = points_inside(s->kernel, g);
    isl_set *all = isl_set_reset_tuple_id(isl_set_copy(g->stmt[0]->domain));
    isl_set *border = isl_set_coalesce(isl_set_subtract(all, isl_set_copy(inside)));
    bool splits = is_box(inside) && isl_set_is_empty(border) == isl_bool_false;
    if (splits) {
        b->inside = group_at(s, g, inside, arena);
        b->border = group_at(s, g, border, arena);
        without_tiles(b->border, arena);
    }
    isl_set_free(inside);
    isl_set_free(border);
    return splits;
}

static void free_sets(sq_group *g)
{
    for (int i = 0; i < g->nstmts; i++) {
        isl_set_free(g->stmt[i]->domain);
        isl_set_free(g->stmt[i]->updates);
    }
}

void sq_border_free(sq_border *b)
{
    free_sets(b->inside);
    free_sets(b->border);
}
