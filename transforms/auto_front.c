/* Auto, fronts: whether the bounds of the loop over a wavefront of tiles can be computed.
 *
 * The number of a front is the sum of two quotients of skewed loops. Their set may have many basic
 * sets, each with quotients of quotients, and isl computes the stride of them all. That can take
 * minutes, since the cost of its operations grows with the numbers in its table. The same is
 * computed here beforehand, with a bound on the basic sets and on the operations: two seconds at
 * most. Fronts in PolyBench have up to 17 basic sets and take 40,000 operations; those of a stencil
 * in one dimension by 32 and 32 have 30 and take 133,000. */
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include "transforms/auto_inside.h"
#include <isl/map.h>
#include <isl/set.h>
#include <string.h>

enum { MOST_PIECES = 32, MOST_OPERATIONS = 180000 };

/* Returns { [front] } of a statement, as the basic sets that isl computes. __isl_give */
static isl_set *fronts_of(const sq_auto_maker *m, const sq_tree *t, int index)
{
    const sq_stmt *s = m->g->stmt[index];
    isl_map *front = isl_map_from_pw_aff(sq_tree_value(m->k, t, 0, s, index));
    return isl_set_compute_divs(isl_set_apply(sq_stmt_instances(m->k, s, false), front));
}

/* Returns the fronts of all statements; NULL: too many basic sets, or isl exceeded its limit.
 * __isl_give */
static isl_set *all_fronts(const sq_auto_maker *m, const sq_tree *t)
{
    isl_set *all = NULL;
    for (int i = 0; i < t->nstmts; i++) {
        isl_set *own = fronts_of(m, t, t->stmt[i]);
        all = i ? isl_set_union(all, own) : own;
        if (all && isl_set_n_basic_set(all) <= MOST_PIECES)
            continue;
        isl_set_free(all);
        return NULL;
    }
    return all;
}

static bool ask(const sq_auto_maker *m, const sq_tree *t)
{
    unsigned long around = sq_quota_narrow(m->k->ctx, sq_quota_share(m->k, MOST_OPERATIONS));
    isl_set *all = all_fronts(m, t);
    isl_basic_set *hull = all ? isl_set_affine_hull(all) : NULL;
    bool simple = hull != NULL;
    isl_basic_set_free(hull);
    return !sq_quota_widen(m->k->ctx, around) && simple;
}

static bool is_same(const sq_tree *a, const sq_tree *b)
{
    bool same = a->nstmts == b->nstmts &&
                memcmp(a->stmt, b->stmt, (size_t)a->nstmts * sizeof *a->stmt) == 0;
    for (int i = 0; i < 2 && same; i++) {
        same = a->member[i].size == b->member[i].size;
        for (int s = 0; s < a->nstmts && same; s++)
            same = memcmp(&a->member[i].row[a->stmt[s]], &b->member[i].row[a->stmt[s]],
                          sizeof(sq_row)) == 0;
    }
    return same;
}

/* Returns a copy of what the result depends on, which lives as long as the kernel. */
static const sq_tree *kept(const sq_auto_maker *m, const sq_tree *t)
{
    sq_arena *arena = m->k->arena;
    sq_tree *c = sq_tree_new(arena, SQ_TREE_TILE, 0, t->stmt, t->nstmts);
    c->nmembers = 2;
    c->member = SQ_NEW_ARRAY(arena, sq_member, 2);
    for (int i = 0; i < 2; i++) {
        sq_row *row = SQ_NEW_ARRAY(arena, sq_row, m->g->nstmts);
        memcpy(row, t->member[i].row, (size_t)m->g->nstmts * sizeof *row);
        c->member[i] = (sq_member){.row = row, .size = t->member[i].size};
    }
    return c;
}

bool sq_auto_front_is_simple(const sq_auto_maker *m, const sq_tree *t)
{
    for (const sq_tree_front *f = *m->deps->fronts; f; f = f->next)
        if (is_same(f->tile, t))
            return f->simple;
    sq_tree_front *f = SQ_NEW(m->k->arena, sq_tree_front);
    *f = (sq_tree_front){kept(m, t), ask(m, t), *m->deps->fronts};
    *m->deps->fronts = f;
    return f->simple;
}
