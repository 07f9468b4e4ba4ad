/* Auto: what is made of the bands found: see auto.h. */
#include "transforms/auto.h"
#include "ir/quota.h"
#include <string.h>

enum { MOST_OPERATIONS = 40000000 }; /* of isl, for one tree: some seconds */

typedef struct maker {
    const sq_kernel *k;
    const sq_group *g;
    const sq_auto *how;
    sq_arena *arena;
    sq_tree_deps deps;
    sq_tree *root;
} maker;

static bool respects(const maker *m)
{
    const char *why = NULL;
    return sq_tree_respects(m->k, m->g, m->root, &m->deps, &why) == 0;
}

static bool only_leaves(const sq_tree *t)
{
    if (t->kind == SQ_TREE_LEAF)
        return true;
    bool leaves = t->kind == SQ_TREE_SEQUENCE;
    for (int i = 0; i < t->nchildren && leaves; i++)
        leaves = t->child[i]->kind == SQ_TREE_LEAF;
    return leaves;
}

/* ---- every statement with an innermost loop of its own ---- */

/* The band without its last member, and inside it, statement by statement, a loop of that. */
static sq_tree *distributed(const maker *m, const sq_tree *b)
{
    const sq_tree *seq = b->child[0];
    int last = b->nmembers - 1;
    sq_tree *s = sq_tree_new(m->arena, SQ_TREE_SEQUENCE, seq->nchildren, b->stmt, b->nstmts);
    for (int i = 0; i < seq->nchildren; i++) {
        sq_tree *leaf = seq->child[i];
        sq_tree *one = sq_tree_new(m->arena, SQ_TREE_BAND, 1, leaf->stmt, leaf->nstmts);
        one->nmembers = 1;
        one->member = SQ_NEW_ARRAY(m->arena, sq_member, 1);
        one->member[0] = b->member[last];
        one->child[0] = leaf;
        s->child[i] = one;
    }
    if (last == 0)
        return s;
    sq_tree *outer = sq_tree_new(m->arena, SQ_TREE_BAND, 1, b->stmt, b->nstmts);
    *outer = *b;
    outer->nmembers = last;
    outer->child = SQ_NEW_ARRAY(m->arena, sq_tree *, 1);
    outer->child[0] = s;
    return outer;
}

/* Leaves in the order of the text, where nothing speaks against it. */
static void sort_leaves(maker *m, sq_tree *t)
{
    sq_tree **found = SQ_NEW_ARRAY(m->arena, sq_tree *, t->nchildren);
    memcpy(found, t->child, (size_t)t->nchildren * sizeof *found);
    for (int i = 1; i < t->nchildren; i++)
        for (int j = i; j > 0 && t->child[j - 1]->stmt[0] > t->child[j]->stmt[0]; j--) {
            sq_tree *swap = t->child[j];
            t->child[j] = t->child[j - 1];
            t->child[j - 1] = swap;
        }
    if (memcmp(found, t->child, (size_t)t->nchildren * sizeof *found) != 0 && !respects(m))
        memcpy(t->child, found, (size_t)t->nchildren * sizeof *found);
}

static void distribute(maker *m, sq_tree **place)
{
    sq_tree *t = *place;
    for (int i = 0; i < t->nchildren; i++)
        distribute(m, &t->child[i]);
    if (t->kind != SQ_TREE_BAND || t->nstmts < 2 || !only_leaves(t->child[0]))
        return;
    sort_leaves(m, t->child[0]);
    *place = distributed(m, t);
    if (!respects(m))
        *place = t;
}

/* ---- tiles ---- */

static int64_t tile_size(const sq_auto *how, int member)
{
    return how->tile[member < how->ntiles ? member : how->ntiles - 1];
}

/* Tiles of a band pay where more than one of its loops goes round in them. */
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
        b->member[i] = (sq_member){.row = t->member[i].row, .size = tile_size(m->how, i)};
    b->child[0] = t;
    *place = b;
    if (!respects(m))
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

/* Copies of all temporaries whose memory is used again below the node. */
static void copies(const maker *m, const sq_tree *t, sq_member *x)
{
    x->private = SQ_NEW_ARRAY(m->arena, const sq_array *, m->deps.n + 1);
    for (int i = 0; i < m->deps.n; i++) {
        const sq_tree_dep *d = &m->deps.dep[i];
        bool below = false;
        for (int j = 0; j < t->nstmts; j++)
            below |= t->stmt[j] == d->from;
        if (d->reuse && below && !in_list(x, d->array))
            x->private[x->nprivate++] = d->array;
    }
}

static bool make_parallel(maker *m, sq_tree *t, int i)
{
    sq_member *x = &t->member[i];
    x->parallel = true;
    if (respects(m))
        return true;
    copies(m, t, x);
    if (x->nprivate && respects(m))
        return true;
    x->parallel = false;
    x->nprivate = 0;
    return false;
}

static bool make_wavefront(maker *m, sq_tree *t)
{
    if (t->kind != SQ_TREE_TILE || t->nmembers < 2)
        return false;
    t->wavefront = t->member[1].parallel = true;
    if (respects(m))
        return true;
    t->wavefront = t->member[1].parallel = false;
    return false;
}

/* The outermost loop that threads can share, on every way down. */
static void share(maker *m, sq_tree *t)
{
    for (int i = 0; i < t->nmembers; i++)
        if (t->member[i].free && make_parallel(m, t, i))
            return;
    if (make_wavefront(m, t))
        return;
    for (int i = 0; i < t->nchildren; i++)
        share(m, t->child[i]);
}

/* ---- vectors ---- */

/* Innermost loops of one statement that carry nothing, or only its sums. */
static void vectors(const maker *m, sq_tree *t)
{
    for (int i = 0; i < t->nchildren; i++)
        vectors(m, t->child[i]);
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

/* ---- all of it ---- */

static bool build(maker *m, bool with_reuse)
{
    const char *why = NULL;
    m->root = sq_auto_bands(m->k, m->g, m->how, with_reuse, &m->deps, m->arena);
    if (!m->root)
        return false;
    sq_auto_sink(m->g, m->root);
    if (!respects(m))
        return false;
    if (m->how->ntiles)
        tile(m, &m->root);
    distribute(m, &m->root);
    if (sq_tree_probe(m->k, m->g, m->root, &m->deps, &why))
        return false;
    if (m->how->parallel)
        share(m, m->root);
    vectors(m, m->root);
    return respects(m);
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
    sq_quota q = sq_quota_begin(k->ctx, MOST_OPERATIONS);
    bool ok = sq_tree_deps_find(k, g, arena, &m.deps);
    bool found = ok && ((any_reuse(&m.deps) && build(&m, false)) || build(&m, true));
    sq_tree_deps_free(&m.deps);
    bool failed = sq_quota_end(q, &text);
    if (found)
        return m.root;
    *why =
        sq_arena_printf(k->arena, "no order was found%s%s", failed ? ": " : "", failed ? text : "");
    return NULL;
}
