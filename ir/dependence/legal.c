/* Legality: checks that a schedule may be run. First the rules on form, group by group, which are
 * cheap: loops of one dimension nested by size, full vectors, a tile of limited size, no threads on
 * a reduction, partial sums that the output can hold, copies of arrays that are not written
 * meanwhile. Then the dependences (legal_deps.c), where a wrong order is shown by two instances. */
#include "ir/dependence/legal.h"
#include "ir/dependence/tensor.h"
#include "ir/schedule/tree.h"
#include <isl/val.h>
#include <string.h>

/* Limits on the vectors that a tile accumulates in, and on the operations it is unrolled to: far
 * beyond any register file, but what a compiler still handles in a second. */
enum { MOST_VECTORS = 256, MOST_OPERATIONS = 4096 };

/* Checks loops of one dimension, outer to inner: steps must not grow, and the loop over points,
 * which has the dimension's own name, is the innermost. */
static int loops_nested(const sq_schedule *s, const sq_group *g, const char **why)
{
    for (int in = 0; in < g->nloops; in++)
        for (int out = 0; out < in; out++) {
            const sq_loop *a = &g->loop[out], *b = &g->loop[in];
            if (a->dim != b->dim)
                continue;
            if (b->step > a->step)
                return sq_illegal(s, why,
                                  "'%s' runs inside '%s' but advances further: by %lld "
                                  "points, not at most %lld",
                                  b->name, a->name, (long long)b->step, (long long)a->step);
            if (strcmp(a->name, g->dim[a->dim]) == 0)
                return sq_illegal(s, why, "'%s' must run outside '%s', whose tiles it is to hold",
                                  b->name, a->name);
        }
    return 0;
}

/* True if the tile has more than one point of a dimension. */
static bool in_tile(const sq_group *g, int d)
{
    return g->micro.points[d] > 1;
}

static int whole_vectors(const sq_schedule *s, const sq_group *g, const char **why)
{
    const sq_micro *m = &g->micro;
    if (m->vector < 0)
        return 0;
    if (!in_tile(g, m->vector))
        return sq_illegal(s, why,
                          "'%s' has one point in the register tile, so no vector lies "
                          "along it: micro(%s:%d)",
                          g->dim[m->vector], g->dim[m->vector], m->lanes);
    if (m->points[m->vector] % m->lanes)
        return sq_illegal(s, why, "%lld points of '%s' are no whole number of vectors of %d",
                          (long long)m->points[m->vector], g->dim[m->vector], m->lanes);
    return 0;
}

static int bearable_size(const sq_schedule *s, const sq_group *g, const char **why)
{
    const sq_micro *m = &g->micro;
    double vectors = 1, operations = m->unroll;
    for (int d = 0; d < g->ndim; d++) {
        double n = (double)sq_group_own(g, d) / (d == m->vector ? m->lanes : 1);
        operations *= n;
        vectors *= d < g->nfree ? n : 1;
    }
    if (vectors > MOST_VECTORS)
        return sq_illegal(s, why, "the register tile would hold %.0f %s; %d at most", vectors,
                          m->vector >= 0 ? "vectors" : "values", MOST_VECTORS);
    if (operations > MOST_OPERATIONS)
        return sq_illegal(s, why,
                          "the register tile would be written out as %.0f operations; "
                          "%d at most",
                          operations, MOST_OPERATIONS);
    return 0;
}

static int accumulators(const sq_schedule *s, const sq_group *g, const char **why)
{
    const sq_micro *m = &g->micro;
    if (m->unroll % m->split)
        return sq_illegal(s, why, "%d written-out steps cannot be dealt evenly to %d accumulators",
                          m->unroll, m->split);
    return 0;
}

/* True if the group writes the array, or one that may overlap it. */
static bool writes(const sq_group *g, const sq_array *a)
{
    for (int i = 0; i < g->nstmts; i++)
        if (sq_arrays_overlap(g->stmt[i]->write->array, a))
            return true;
    return false;
}

/* Panels are filled and read completely: a tile has a whole number of them, a reduction dimension
 * that it unrolls is in one or more, and the loops inside the copy advance by whole panels. */
static int panel_fits(const sq_schedule *s, const sq_group *g, const sq_pack *p, int i,
                      const char **why)
{
    int d = p->panel[i].dim;
    int64_t block = p->panel[i].block, points = g->micro.points[d];
    const char *name = g->dim[d];
    if (points % block)
        return sq_illegal(s, why,
                          "panels of %lld along '%s' need a register tile of a multiple of "
                          "%lld points of it, not %lld",
                          (long long)block, name, (long long)block, (long long)points);
    if (g->micro.vector == d && block % g->micro.lanes)
        return sq_illegal(s, why, "panels of %lld along '%s' cut vectors of %d lanes",
                          (long long)block, name, g->micro.lanes);
    for (int l = p->loop + 1; l < g->nloops; l++)
        if (g->loop[l].dim == d && g->loop[l].step % block)
            return sq_illegal(s, why,
                              "'%s' advances by %lld points, no whole number of panels of "
                              "%lld",
                              g->loop[l].name, (long long)g->loop[l].step, (long long)block);
    return 0;
}

static bool uses_dim(const sq_access *a, int d)
{
    return d < (int)isl_multi_aff_dim(a->map, isl_dim_in) &&
           sq_access_moves(a, d);
}

/* The buffer's size must be constant: every dimension that a served read uses has a constant extent
 * or a loop around the copy. */
static int bounded(const sq_schedule *s, const sq_group *g, const sq_pack *p, const sq_access *read,
                   const char **why)
{
    for (int d = 0; d < g->ndim; d++) {
        bool around = false;
        for (int l = 0; l <= p->loop; l++)
            around = around || (g->loop[l].dim == d && sq_pack_outside(g, p, l));
        if (!around && uses_dim(read, d) && sq_stmt_extent(g->stmt[0], d) < 0)
            return sq_illegal(s, why,
                              "the copy of %s has no known size: all of '%s' lies inside; "
                              "tile '%s' and put its loop outside the copy, or fix the size",
                              p->array->name, g->dim[d], g->dim[d]);
    }
    return 0;
}

/* Returns a dimension in the subscripts of only one of two reads; -1: none, so that no panel can
 * distinguish them. */
static int telling_dim(const sq_group *g, const sq_access *first, const sq_access *read)
{
    for (int d = 0; d < g->ndim; d++)
        if (uses_dim(first, d) != uses_dim(read, d))
            return d;
    return -1;
}

static int like_first(const sq_schedule *s, const sq_group *g, const sq_pack *p,
                      const sq_access *first, const sq_access *read, const char **why)
{
    int n = (int)isl_multi_aff_dim(first->map, isl_dim_in);
    int m = (int)isl_multi_aff_dim(read->map, isl_dim_in);
    if (first == read || sq_access_alike(first, read, n < m ? n : m))
        return 0;
    int d = p->shared ? -1 : telling_dim(g, first, read); /* share has no panels */
    return sq_illegal(s, why,
                      "%s reads %s through unlike subscripts, and one copy serves only "
                      "those that differ by constants: %s%s%s",
                      g->stmt[0]->name, read->array->name,
                      d < 0 ? "make two statements of it, or leave the array where it is"
                            : "name a dimension of the ones meant, as in `as ",
                      d < 0 ? "" : g->dim[d], d < 0 ? "" : "16`");
}

/* True if any statement still reads or writes the array. */
static bool touched(const sq_schedule *s, const sq_array *a)
{
    for (int i = 0; i < s->kernel->nstmts; i++)
        if (sq_stmt_touches(s->kernel->stmt[i], a))
            return true;
    return false;
}

/* A copy made at a loop inside the tile is available to the sum, but not to its value after those
 * loops: without an iteration the copy was not made. */
static int outlives(const sq_schedule *s, const sq_group *g, const sq_pack *p, bool in_sum,
                    const char **why)
{
    int held = sq_group_held(g);
    if (in_sum || p->loop < held)
        return 0;
    return sq_illegal(
        s, why,
        "%s is read outside of the sum, too, when '%s' and the copies in it are over: "
        "copy it outside of '%s', or not at all",
        p->array->name, g->loop[held].name, g->loop[held].name);
}

/* Checks the reads that a copy serves: there must be some, with constant extents, equal
 * coefficients, none of them served by an earlier copy. */
static int served(const sq_schedule *s, const sq_group *g, int pack, const char **why)
{
    const sq_pack *p = &g->pack[pack];
    const sq_access *first = NULL;
    for (int i = 0; i < g->nstmts; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(g->stmt[i], read, in_body);
        for (int r = 0; r < n; r++) {
            if (!sq_pack_serves(p, read[r]))
                continue;
            first = first ? first : read[r];
            for (int q = 0; q < pack; q++)
                if (sq_pack_serves(&g->pack[q], read[r]))
                    return sq_illegal(s, why, "%s is packed twice for the same reads",
                                      p->array->name);
            if (bounded(s, g, p, read[r], why) || like_first(s, g, p, first, read[r], why) ||
                outlives(s, g, p, in_body[r], why))
                return -1;
        }
    }
    if (!first && s->rewritten && !touched(s, p->array))
        return sq_illegal(
            s, why,
            "nothing is left of %s to be read: a call before, as inline or dot, put what it held elsewhere, so there "
            "is nothing to copy",
            p->array->name);
    if (!first)
        return sq_illegal(s, why,
                          "%s reads no element of %s that such a copy could serve: a "
                          "blocked dimension must stand alone in a subscript",
                          g->stmt[0]->name, p->array->name);
    return 0;
}

static int copies(const sq_schedule *s, const sq_group *g, const char **why)
{
    for (int i = 0; i < g->npacks; i++) {
        const sq_pack *p = &g->pack[i];
        if (p->array->ndim == 0)
            return sq_illegal(s, why, "%s is a single value, of which no copy is made",
                              p->array->name);
        if (p->array->words_of)
            return sq_illegal(s, why, "%s is read where %s lies; leave %s out of dot, and its words can be packed",
                              p->array->name, p->array->words_of->name, p->array->words_of->name);
        if (sq_array_described(p->array)->lacks_zero)
            return sq_illegal(s, why,
                              "a copy of %s is filled up with 0, which is promised to be none of its elements, and "
                              "there need be no such place; leave %s out of pack",
                              p->array->name, p->array->name);
        if (p->array->is_ragged)
            return sq_illegal(s, why,
                              "C does not say how large %s is, and a copy would take elements "
                              "that the region may never read",
                              p->array->name);
        if (writes(g, p->array))
            return sq_illegal(s, why,
                              "%s is written in the same loops, so a copy of it would be "
                              "out of date",
                              p->array->name);
        if (served(s, g, i, why) || sq_share_legal(s, g, p, why) || sq_packed_legal(s, g, p, why))
            return -1;
        for (int k = 0; k < p->npanels; k++)
            if (panel_fits(s, g, p, k, why))
                return -1;
    }
    return 0;
}

static int form(const sq_schedule *s, const sq_group *g, const char **why)
{
    const char *sums = sq_group_unstorable(g);
    if (loops_nested(s, g, why) || whole_vectors(s, g, why) || bearable_size(s, g, why) ||
        accumulators(s, g, why) || sq_loop_kinds_legal(s, g, why) || copies(s, g, why) ||
        sq_tensor_legal(s, g, why))
        return -1;
    if (!sums)
        sums = sq_group_disordered(g);
    if (sums)
        return sq_illegal(s, why, "%s", sums);
    return 0;
}

/* Checks form first, then dependences; see schedule.h. */
int sq_schedule_legal(const sq_schedule *s, const char **why)
{
    for (int i = 0; i < s->ngroups; i++)
        if ((s->group[i]->kind == SQ_GROUP_TILED && form(s, s->group[i], why)) ||
            sq_fusion_legal(s, i, why) ||
            (s->group[i]->kind == SQ_GROUP_TREE &&
             sq_tree_legal(s->kernel, s->group[i], s->group[i]->plan->tree, why)))
            return -1;
    return sq_order_legal(s, why);
}
