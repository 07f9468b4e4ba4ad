/* Auto: transforms the bands that were found: see auto.h. */
#include "ir/dependence/tree_pairs.h"
#include "transforms/auto_inside.h"
#include "ir/kernel/quota.h"
#include <string.h>

enum { MOST_OPERATIONS = 4000000 }; /* limit on isl's operations, for one tree */

typedef sq_auto_maker maker;

bool sq_auto_respects(const maker *m)
{
    const char *why = NULL;
    return sq_tree_respects(m->k, m->g, m->root, m->deps, m->memo, &why) == 0;
}

bool sq_auto_only_leaves(const sq_tree *t)
{
    if (t->kind == SQ_TREE_LEAF)
        return true;
    bool leaves = t->kind == SQ_TREE_SEQUENCE;
    for (int i = 0; i < t->nchildren && leaves; i++)
        leaves = t->child[i]->kind == SQ_TREE_LEAF;
    return leaves;
}

/* ---- statements with innermost loops of their own ---- */

static sq_tree *leaf_of(const sq_tree *b, int stmt)
{
    const sq_tree *seq = b->child[0];
    for (int i = 0; i < seq->nchildren; i++)
        if (seq->child[i]->stmt[0] == stmt)
            return seq->child[i];
    return NULL;
}

/* Computes which statements must follow which inside the band's loops before one, transitively. */
static bool *reachable(maker *m, const sq_tree *b, int at)
{
    int n = m->g->nstmts;
    bool *edge = SQ_NEW_ARRAY(m->arena, bool, n *n);
    if (sq_tree_edges(m->k, m->g, m->root, b, at, m->deps, m->memo, edge))
        return NULL;
    for (int v = 0; v < n; v++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && edge[i * n + v]; j++)
                edge[i * n + j] |= edge[v * n + j];
    return edge;
}

/* Returns the first statement without untaken predecessors, except those of its own cycle. */
static int next_ready(const sq_tree *b, const bool *after, const bool *taken, int n)
{
    for (int i = 0; i < b->nstmts; i++) {
        int s = b->stmt[i];
        bool ready = !taken[s];
        for (int j = 0; j < b->nstmts && ready; j++) {
            int u = b->stmt[j];
            ready = taken[u] || u == s || !after[u * n + s] || after[s * n + u];
        }
        if (ready)
            return s;
    }
    return b->stmt[0]; /* impossible: cycles are taken whole */
}

int sq_auto_components(maker *m, const sq_tree *b, int at, int *list, int *size)
{
    int n = m->g->nstmts, count = 0, done = 0;
    const bool *after = reachable(m, b, at);
    if (!after)
        return 1;
    bool *taken = SQ_NEW_ARRAY(m->arena, bool, n);
    while (done < b->nstmts) {
        int first = next_ready(b, after, taken, n);
        for (int i = 0; i < b->nstmts; i++) {
            int s = b->stmt[i];
            bool with = s == first || (after[first * n + s] && after[s * n + first]);
            if (taken[s] || !with)
                continue;
            taken[s] = true;
            list[done++] = s;
            size[count]++;
        }
        count++;
    }
    return count;
}

sq_tree *sq_auto_own_loops(const maker *m, const sq_tree *b, int from, const int *stmt, int n)
{
    sq_tree *one = sq_tree_new(m->arena, SQ_TREE_BAND, 1, stmt, n);
    one->nmembers = b->nmembers - from;
    one->permutable = b->permutable;
    one->member = SQ_NEW_ARRAY(m->arena, sq_member, one->nmembers);
    memcpy(one->member, &b->member[from], (size_t)one->nmembers * sizeof *one->member);
    one->child[0] = leaf_of(b, stmt[0]);
    if (n == 1)
        return one;
    sq_tree *seq = sq_tree_new(m->arena, SQ_TREE_SEQUENCE, n, stmt, n);
    for (int i = 0; i < n; i++)
        seq->child[i] = leaf_of(b, stmt[i]);
    one->child[0] = seq;
    return one;
}

/* Returns the band without its last member, and inside it one loop of that member for each
 * component. NULL if all statements are one component. */
static sq_tree *distributed(maker *m, const sq_tree *b)
{
    int *list = SQ_NEW_ARRAY(m->arena, int, b->nstmts);
    int *size = SQ_NEW_ARRAY(m->arena, int, b->nstmts), last = b->nmembers - 1;
    int count = sq_auto_components(m, b, last, list, size);
    if (count == 1)
        return NULL;
    sq_tree *s = sq_tree_new(m->arena, SQ_TREE_SEQUENCE, count, b->stmt, b->nstmts);
    for (int i = 0; i < count; list += size[i++])
        s->child[i] = sq_auto_own_loops(m, b, last, list, size[i]);
    if (last == 0)
        return s;
    sq_tree *outer = sq_tree_new(m->arena, SQ_TREE_BAND, 1, b->stmt, b->nstmts);
    outer->member = b->member;
    outer->nmembers = last;
    outer->permutable = b->permutable;
    outer->child[0] = s;
    return outer;
}

/* Distributes innermost loops; but not the inner one of several that are kept as written. */
static void distribute(maker *m, sq_tree **place, int outside)
{
    sq_tree *t = *place;
    for (int i = 0; i < t->nchildren; i++)
        distribute(m, &t->child[i], outside + t->nmembers);
    if (t->kind != SQ_TREE_BAND || t->nstmts < 2 || !sq_auto_only_leaves(t->child[0]) ||
        (m->how->keep > 1 && outside + t->nmembers <= m->how->keep))
        return;
    sq_tree *result = distributed(m, t);
    if (!result)
        return;
    *place = result;
    if (!sq_auto_respects(m))
        *place = t;
}

/* ---- tiles ---- */

/* The last size is the innermost loop's; the others are used for the outer ones in turn. */
static int64_t tile_size(const sq_auto *how, int member, int nmembers)
{
    int last = how->ntiles - 1;
    if (member == nmembers - 1 || last == 0)
        return how->tile[last];
    return how->tile[member < last ? member : last - 1];
}

/* Tiles a band if more than one of its loops has iterations inside of a tile. */
static void tile(maker *m, sq_tree **place)
{
    sq_tree *t = *place;
    for (int i = 0; i < t->nchildren; i++)
        tile(m, &t->child[i]);
    if (t->kind != SQ_TREE_BAND || !t->permutable || t->nmembers < 2)
        return;
    sq_tree *b = sq_tree_new(m->arena, SQ_TREE_TILE, 1, t->stmt, t->nstmts);
    b->nmembers = t->nmembers;
    b->member = SQ_NEW_ARRAY(m->arena, sq_member, t->nmembers);
    for (int i = 0; i < t->nmembers; i++)
        b->member[i] =
            (sq_member){.row = t->member[i].row, .size = tile_size(m->how, i, t->nmembers)};
    b->child[0] = t;
    *place = b;
    if (!sq_auto_respects(m))
        *place = t;
}

/* ---- threads ---- */

static bool in_list(const sq_member *x, const sq_array *a)
{
    for (int i = 0; i < x->nprivate; i++)
        if (x->private[i] == a)
            return true;
    return false;
}

void sq_auto_own(const maker *m, const sq_tree *t, sq_member *x)
{
    x->private = SQ_NEW_ARRAY(m->arena, const sq_array *, m->deps->n + 1);
    for (int i = 0; i < m->deps->n; i++) {
        const sq_tree_dep *d = &m->deps->dep[i];
        bool below = false;
        for (int j = 0; j < t->nstmts; j++)
            below |= t->stmt[j] == d->from;
        if (d->reuse && below && !in_list(x, d->array))
            x->private[x->nprivate++] = d->array;
    }
}

bool sq_auto_share(maker *m, sq_tree *t, int i)
{
    sq_member *x = &t->member[i];
    x->parallel = true;
    if (sq_auto_respects(m))
        return true;
    sq_auto_own(m, t, x);
    if (x->nprivate && sq_auto_respects(m))
        return true;
    x->parallel = false;
    x->nprivate = 0;
    return false;
}

bool sq_auto_wavefront(maker *m, sq_tree *t)
{
    if (t->kind != SQ_TREE_TILE || t->nmembers < 2)
        return false;
    t->wavefront = t->member[1].parallel = true;
    if (sq_auto_respects(m)) {
        if (!sq_auto_front_is_simple(m, t))
            m->why = "the loop over the wavefront of its tiles cannot be written down: its bounds "
                     "fall into too many cases; fewer tile sizes, or ones that divide each other, "
                     "take less";
        return true;
    }
    t->wavefront = t->member[1].parallel = false;
    return false;
}

/* Makes the outermost possible loop parallel, on every path down; but not an innermost one inside
 * of others, whose work is too small, and which is better vectorized. */
static void share(maker *m, sq_tree *t, int outside)
{
    for (int i = 0; i < t->nmembers; i++) {
        bool innermost =
            t->kind == SQ_TREE_BAND && i == t->nmembers - 1 && sq_auto_only_leaves(t->child[0]);
        if (t->member[i].free && (!innermost || outside + i == 0) && sq_auto_share(m, t, i))
            return;
    }
    if (sq_auto_wavefront(m, t))
        return;
    for (int i = 0; i < t->nchildren; i++)
        share(m, t->child[i], outside + t->nmembers);
}

/* ---- vectors ---- */

void sq_auto_vectors(const maker *m, sq_tree *t)
{
    for (int i = 0; i < t->nchildren; i++)
        sq_auto_vectors(m, t->child[i]);
    if (t->kind != SQ_TREE_BAND || t->child[0]->kind != SQ_TREE_LEAF)
        return;
    sq_member *last = &t->member[t->nmembers - 1];
    const sq_stmt *s = m->g->stmt[t->stmt[0]];
    bool sums = last->free_sums && sq_stmt_sum(s);
    if (s->updates || !(last->free || sums))
        return;
    last->vector = last->free && last->free_sums;
    if (!last->vector && sums)
        last->vector = last->lanes_sum = true;
}

/* ---- the whole ---- */

static bool build(maker *m, bool with_reuse)
{
    const char *why = NULL;
    m->why = NULL;
    m->root = sq_auto_bands(m->k, m->g, m->how, with_reuse, m->deps, m->arena, &m->why);
    if (!m->root)
        return false;
    sq_auto_sink(m->g, m->root);
    if (!sq_auto_respects(m))
        return false;
    if (m->how->ntiles)
        tile(m, &m->root);
    if (m->how->grid)
        sq_auto_free_inner(m, &m->root);
    distribute(m, &m->root, 0);
    if (sq_tree_probe(m->k, m->g, m->root, m->deps, m->memo, &why))
        return false;
    if (m->how->parallel)
        share(m, m->root, 0);
    if (m->how->grid)
        sq_auto_deal(m);
    else {
        sq_auto_vectors(m, m->root);
        sq_auto_jam(m, m->root, NULL);
    }
    return !m->why && sq_auto_respects(m);
}

static bool any_reuse(const sq_tree_deps *deps)
{
    for (int i = 0; i < deps->n; i++)
        if (deps->dep[i].reuse)
            return true;
    return false;
}

const sq_tree *sq_auto_tree(const sq_kernel *k, const sq_group *g, const sq_auto *how,
                            sq_arena *arena, const char **why)
{
    maker m = {.k = k, .g = g, .how = how, .arena = arena};
    const char *text = NULL;
    int most = sq_auto_keepable(k, g);
    if (how->keep > most) {
        *why = sq_arena_printf(k->arena, "keep:%d, but all statements share %d loops", how->keep,
                               most);
        return NULL;
    }
    const sq_tree_deps *deps = sq_tree_deps_of(k, g, &text);
    if (!deps) {
        *why = sq_arena_printf(k->arena, "no order was found: %s", text);
        return NULL;
    }
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    m.deps = deps;
    m.memo = sq_tree_memo_new(k, g, deps);
    bool found = m.memo && ((any_reuse(deps) && build(&m, false)) || build(&m, true));
    sq_tree_memo_free(m.memo);
    bool failed = sq_quota_end(q, &text);
    if (found)
        return m.root;
    text = m.why ? m.why : failed ? text : NULL;
    *why = sq_arena_printf(k->arena, "no order was found%s%s", text ? ": " : "", text ? text : "");
    return NULL;
}
