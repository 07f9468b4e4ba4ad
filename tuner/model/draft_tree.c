/* Draft, tree: the cost of loops as they are; see draft_tree.h. */
#include "tuner/model/draft_tree.h"
#include <string.h>

/* A walk from the root of a tree to a statement, which makes the plan of its loops. */
typedef struct walk {
    const sq_stmt *stmt;
    int index; /* in the group */
    sq_plan *plan;
    const sq_member *last; /* the innermost loop */
} walk;

static bool has_loop(const sq_plan *q, int d, bool block)
{
    for (int l = 0; l < q->nloops; l++)
        if (q->loop[l].dim == d && q->loop[l].block == block)
            return true;
    return false;
}

/* Adds the loop of a member, of the dimension that it counts. Skewed loops count one that others count as well. */
static void add_loop(walk *w, const sq_tree *t, const sq_member *m)
{
    sq_plan *q = w->plan;
    int d = sq_row_counted(w->stmt, &m->row[w->index]);
    bool block = t->kind == SQ_TREE_TILE;
    if (d < 0 || has_loop(q, d, block) || q->nloops == SQ_MAX_LOOPS)
        return;
    q->loop[q->nloops++] = (sq_plan_loop){d, block ? m->size : 1, block, m->parallel};
    if (block)
        q->block[d] = m->size;
    else
        w->last = m;
}

static void descend(walk *w, const sq_tree *t)
{
    while (t->kind != SQ_TREE_LEAF) {
        for (int i = 0; i < t->nmembers; i++)
            add_loop(w, t, &t->member[i]);
        const sq_tree *next = t->child[0];
        for (int i = 0; i < t->nchildren; i++)
            if (sq_tree_holds(t->child[i], w->index))
                next = t->child[i];
        t = next;
    }
}

/* True if compilers put the innermost loop into vectors: all that moves with it lies side by side. */
static bool in_vectors(const sq_shape *h, int d, const sq_member *m)
{
    bool side_by_side = m->vector || m->lanes_sum;
    for (int i = 0; i < h->noperands && side_by_side; i++) {
        int64_t step = sq_operand_step(&h->operand[i], d);
        side_by_side = step == 0 || step == 1;
    }
    return side_by_side;
}

/* Adds the loops of a reduction, which its statement runs completely, inside of the tree's. */
static void add_sum(sq_plan *q)
{
    const sq_shape *h = q->shape;
    for (int d = h->nfree; d < h->ndim; d++)
        if (q->serial < 0 || h->extent[d] > h->extent[q->serial])
            q->serial = d;
    for (int d = h->nfree; d < h->ndim; d++)
        if (d != q->serial)
            q->loop[q->nloops++] = (sq_plan_loop){.dim = d, .step = 1};
}

/* Fills the plan of loops as they are. False if the statement has none. */
static bool plan_loops(const sq_draft_context *c, const sq_tree *root, const sq_shape *h, int stmt,
                       sq_plan *q)
{
    walk w = {h->group->stmt[0], stmt, q, NULL};
    *q = (sq_plan){
        .shape = h, .row = -1, .row2 = -1, .serial = -1, .lanes = 1, .unroll = 1, .split = 1};
    for (int d = 0; d < h->ndim; d++)
        q->points[d] = 1;
    descend(&w, root);
    if (!w.last)
        return false;
    int d = sq_row_counted(w.stmt, &w.last->row[stmt]);
    add_sum(q);
    q->vector = d;
    if (in_vectors(h, d, w.last) && q->serial < 0)
        q->lanes = c->target->vector_bytes / h->bytes;
    q->points[d] = q->lanes;
    q->waits = !w.last->free && !w.last->vector && !w.last->lanes_sum;
    for (int l = 0; l < q->nloops; l++)
        if (!q->loop[l].block)
            q->loop[l].step = q->points[q->loop[l].dim];
    return true;
}

double sq_draft_loops_cost(const sq_draft_context *c, const sq_kernel *k, const sq_group *g,
                           const sq_tree *root, int stmt)
{
    sq_shape h;
    sq_plan q;
    sq_shape_of(k, sq_group_new(k, g->stmt[stmt], c->arena), c->sizes, c->arena, &h);
    sq_shape_settle(k, c->sizes, &h);
    return plan_loops(c, root, &h, stmt, &q) ? sq_draft_cost(&q, c->machine, c->target, c->threads)
                                             : 0;
}
