/* Legality of fusions: groups may share loops only if these have the same free dimensions and
 * origins in all of them, and if no copy is made outside. legal_deps.c checks that the order
 * respects the dependences. */
#include "ir/dependence/legal.h"
#include <isl/aff.h>
#include <string.h>

static int same_loop(const sq_schedule *s, const sq_group *a, const sq_group *b, int l,
                     const char **why)
{
    const sq_loop *x = &a->loop[l], *y = &b->loop[l];
    const char *p = a->stmt[0]->name, *q = b->stmt[0]->name;
    if (strcmp(x->name, y->name) != 0 || strcmp(a->dim[x->dim], b->dim[y->dim]) != 0)
        return sq_illegal(s, why,
                          "%s and %s cannot share loops: the loop at depth %d is '%s' in one and "
                          "'%s' in the other",
                          p, q, l + 1, x->name, y->name);
    if (x->dim >= a->nfree || y->dim >= b->nfree)
        return sq_illegal(s, why, "'%s' is a reduction's loop in %s, which cannot be shared",
                          x->name, x->dim >= a->nfree ? p : q);
    if (x->step != y->step)
        return sq_illegal(s, why, "loop '%s' advances by %lld points in %s and by %lld in %s",
                          x->name, (long long)x->step, p, (long long)y->step, q);
    if (x->runs != y->runs || x->threads != y->threads)
        return sq_illegal(s, why, "the shared loop '%s' is parallel in %s only", x->name,
                          x->runs != SQ_LOOP_SERIAL ? p : q);
    if (x->rows != y->rows)
        return sq_illegal(s, why, "blocks take the tiles of '%s' in groups of %lld in %s alone",
                          x->name, (long long)(x->rows ? x->rows : y->rows), x->rows ? p : q);
    return 0;
}

static int copies_inside(const sq_schedule *s, const sq_group *g, int shared, const char **why)
{
    for (int i = 0; i < g->npacks; i++)
        if (g->pack[i].loop < shared - 1)
            return sq_illegal(s, why,
                              "the copy of %s lies outside of the shared loop '%s'; put it at '%s' "
                              "or further inside",
                              g->pack[i].array->name, g->loop[shared - 1].name,
                              g->loop[shared - 1].name);
    return 0;
}

/* Blocks take their tiles from one number: their loops must not be inside and outside of a shared
 * loop. */
static int blocks_inside(const sq_schedule *s, const sq_group *g, int shared, const char **why)
{
    const sq_loop *x = &g->loop[shared - 1], *in = &g->loop[shared];
    if (g->nloops == shared || x->runs != SQ_LOOP_BLOCKS || in->runs != SQ_LOOP_BLOCKS)
        return 0;
    return sq_illegal(s, why,
                      "blocks share '%s', and '%s' inside of it in %s alone: share both loops, or "
                      "give blocks only the outer one",
                      x->name, in->name, g->stmt[0]->name);
}

/* Tiles of a shared loop start at the minimum of its dimension, which must be the same one in both
 * groups. */
static int same_start(const sq_schedule *s, const sq_group *a, const sq_group *g, int l,
                      const char **why)
{
    if (a->loop[l].step == 1)
        return 0;
    isl_aff *x = sq_group_lower(s, a, a->loop[l].dim), *y = sq_group_lower(s, g, g->loop[l].dim);
    isl_bool same = isl_aff_plain_is_equal(x, y);
    isl_aff_free(x);
    isl_aff_free(y);
    if (same == isl_bool_true)
        return 0;
    return sq_illegal(s, why, "'%s' starts at different values in %s and %s", a->loop[l].name,
                      a->stmt[0]->name, g->stmt[0]->name);
}

int sq_fusion_legal(const sq_schedule *s, int group, const char **why)
{
    int head = sq_fusion_head(s, group), shared = sq_fusion_shared(s, head);
    const sq_group *a = s->group[head], *g = s->group[group];
    if (shared == 0)
        return 0;
    if (g->kind != SQ_GROUP_TILED || g->nloops < shared || (g != a && g->shared != shared))
        return sq_illegal(s, why, "%s has not the %d loops that are to be shared", g->stmt[0]->name,
                          shared);
    for (int l = 0; l < shared && g != a; l++)
        if (same_loop(s, a, g, l, why) || same_start(s, a, g, l, why))
            return -1;
    return blocks_inside(s, g, shared, why) || copies_inside(s, g, shared, why) ? -1 : 0;
}
