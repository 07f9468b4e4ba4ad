/* Lower, box: tests whether a domain is a product of ranges, whose bounds follow without sets
 * (box.h). The range of a reduction may end earlier at some values of loops outside of its own, as
 * that of the last part of a sum does: inside of those loops it is an ordinary range. */
#include "codegen/nest/lower_inside.h"
#include "ir/kernel/ranges.h"
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>

/* Properties of a constraint, for each dimension. */
typedef struct form {
    const sq_group *group;
    bool ok;
    bool *ragged; /* per dimension: its end depends on others */
} form;

/* Returns the first loop over d, or the first that runs inside the tile. */
static int first_loop(const sq_group *g, int d)
{
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].dim == d)
            return l;
    return g->nloops;
}

/* True if d has a single loop, of step 1, outside of loop l. */
static bool is_around(const sq_group *g, int d, int l)
{
    int own = first_loop(g, d);
    return own < l && g->loop[own].step == 1 && sq_group_inner_loop(g, d) == own;
}

/* True if blocks, threads of a block or sums in registers need a product of ranges; otherwise sets
 * are more precise. */
static bool asks(const sq_group *g)
{
    bool any = sq_group_held(g) < g->nloops;
    for (int l = 0; l < g->nloops; l++)
        any |= g->loop[l].runs >= SQ_LOOP_BLOCKS;
    return any;
}

/* True if it is an upper bound of one reduction dimension that depends only on loops around its
 * own. */
static bool ends_one(const form *f, isl_constraint *c)
{
    const sq_group *g = f->group;
    int reduced = -1;
    for (int d = g->nfree; d < (int)isl_constraint_dim(c, isl_dim_set); d++)
        if (isl_constraint_involves_dims(c, isl_dim_set, (unsigned)d, 1) == isl_bool_true) {
            if (reduced >= 0)
                return false;
            reduced = d;
        }
    if (reduced < 0 || !asks(g) || isl_constraint_is_equality(c) == isl_bool_true)
        return false;
    isl_val *v = isl_constraint_get_coefficient_val(c, isl_dim_set, reduced);
    bool upper = isl_val_is_negone(v) == isl_bool_true;
    isl_val_free(v);
    for (int d = 0; d < g->nfree && upper; d++)
        if (isl_constraint_involves_dims(c, isl_dim_set, (unsigned)d, 1) == isl_bool_true)
            upper = is_around(g, d, first_loop(g, reduced));
    if (upper)
        f->ragged[reduced] = true;
    return upper;
}

static isl_stat one_constraint(__isl_take isl_constraint *c, void *user)
{
    form *f = user;
    if (isl_constraint_dim(c, isl_dim_div) > 0 || (sq_constraint_dims(c) > 1 && !ends_one(f, c)))
        f->ok = false;
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat one_piece(__isl_take isl_basic_set *b, void *user)
{
    isl_basic_set_foreach_constraint(b, one_constraint, user);
    isl_basic_set_free(b);
    return isl_stat_ok;
}

static bool is_product(const sq_group *g, isl_set *s, bool *ragged)
{
    form f = {g, isl_set_n_basic_set(s) == 1, ragged};
    isl_set_foreach_basic_set(s, one_piece, &f);
    return f.ok;
}

/* Returns the points; if a product of ranges is needed, without assumptions on sizes only, such as
 * that one is a multiple of 8. Otherwise sets use such assumptions to drop redundant conditions. */
static isl_set *points_of(const sq_lowering *w)
{
    isl_set *points = isl_set_copy(w->points[0]);
    return asks(w->group) ? isl_set_gist_params(points, isl_set_copy(w->kernel->context)) : points;
}

/* True if the reduction is nonempty at every point of a product of ranges of the free
 * dimensions. */
static bool is_nowhere_empty(const sq_lowering *w)
{
    const sq_group *g = w->group;
    isl_set *some = isl_set_project_out(points_of(w), isl_dim_set, (unsigned)g->nfree,
                                        (unsigned)(g->ndim - g->nfree));
    bool ragged[SQ_MAX_DIMS] = {false};
    some = isl_set_coalesce(isl_set_remove_redundancies(some));
    bool fine = is_product(g, some, ragged);
    isl_set_free(some);
    return fine;
}

bool sq_lowering_is_box(sq_lowering *w)
{
    isl_set *points = points_of(w);
    bool ok = is_product(w->group, points, w->ragged), any = false;
    isl_set_free(points);
    for (int d = 0; d < w->group->ndim; d++)
        any |= w->ragged[d];
    ok = ok && (!any || is_nowhere_empty(w));
    for (int d = 0; d < w->group->ndim; d++)
        w->ragged[d] &= ok;
    return ok;
}

int sq_lowering_ragged_from(const sq_lowering *w, int d)
{
    return w->ragged[d] ? first_loop(w->group, d) : 0;
}
