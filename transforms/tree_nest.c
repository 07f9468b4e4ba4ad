/* Tree nest: see tree_nest.h. A statement has by itself the loops from the first on that no other statement is in.
 * The loops around fix the dimensions that they count; the others are those of the nest, whose loops start in the
 * tree's order. */
#include "transforms/tree_nest.h"
#include "ir/dependence/rewrite.h"
#include "ir/kernel/narrow.h"
#include "transforms/edit.h"
#include "transforms/tree_mark.h"
#include <isl/set.h>
#include <stdlib.h>
#include <string.h>

typedef struct maker {
    const sq_kernel *k;
    const sq_group *g;
    int index; /* of the statement in the group */
    const sq_stmt *stmt;
    sq_tree *leaf;
    sq_tree **place; /* of the node from which on the loops are the statement's own */
    int nouter, outer[SQ_MAX_DIMS], nown, own[SQ_MAX_DIMS];
    bool is_fixed[SQ_MAX_DIMS];
    const char **why;
} maker;

static int refuse(maker *m, const char *what)
{
    *m->why = sq_arena_printf(m->k->arena, "%s: %s", m->stmt->name, what);
    return -1;
}

/* ---- dimensions ---- */

/* Returns the number of dimensions that the row moves and that are not fixed; *which: the last of them. */
static int open_dims(const maker *m, const sq_row *r, int *which)
{
    int n = 0;
    for (int d = 0; d < m->stmt->nfree; d++)
        if (r->dim[d] && !m->is_fixed[d])
            *which = d, n++;
    return n;
}

/* A loop around fixes the only dimension of its row that others do not fix. True if it does. */
static bool fix(maker *m, const sq_tree *t)
{
    bool any = false;
    for (int i = 0; i < t->nmembers && t->kind == SQ_TREE_BAND; i++) {
        const sq_row *r = &t->member[i].row[m->index];
        int d = -1;
        if (open_dims(m, r, &d) != 1 || llabs(r->dim[d]) != 1)
            continue;
        m->is_fixed[d] = any = true;
        m->outer[m->nouter++] = d;
    }
    return any;
}

/* Checks that the loops of a node around move fixed dimensions alone. 0; -1 if refused. */
static int moves_fixed(maker *m, const sq_tree *t)
{
    const sq_group *g = m->g;
    for (int i = 0; i < t->nmembers; i++) {
        int d = -1, other = t->stmt[0] == m->index && t->nstmts > 1 ? t->stmt[1] : t->stmt[0];
        if (!open_dims(m, &t->member[i].row[m->index], &d))
            continue;
        return refuse(m, sq_arena_printf(m->k->arena,
                                         "it shares %s over '%s' with %s, which %s; a statement's own loops are "
                                         "inside of whole iterations of those that it shares: auto(fuse:min, …) "
                                         "shares fewer",
                                         t->kind == SQ_TREE_TILE ? "tiles" : "a loop", m->stmt->dim[d],
                                         g->stmt[other]->name,
                                         t->kind == SQ_TREE_TILE ? "the loops inside would leave"
                                                                 : "fixes no single dimension"));
    }
    return 0;
}

/* Walks down to the first node without other statements, and fixes what the loops around count. 0; -1. */
static int find_outer(maker *m, sq_tree **root)
{
    bool any = true;
    m->place = root;
    while (any) {
        any = false;
        for (m->place = root; (*m->place)->nstmts > 1;) {
            sq_tree *t = *m->place;
            any |= fix(m, t);
            for (int c = 0; c < t->nchildren; c++)
                if (sq_tree_holds(t->child[c], m->index))
                    m->place = &t->child[c];
        }
    }
    for (sq_tree **at = root; at != m->place;) {
        sq_tree *t = *at;
        if (moves_fixed(m, t))
            return -1;
        for (int c = 0; c < t->nchildren; c++)
            if (sq_tree_holds(t->child[c], m->index))
                at = &t->child[c];
    }
    return 0;
}

static void add_own(maker *m, int d)
{
    for (int i = 0; i < m->nown; i++)
        if (m->own[i] == d)
            return;
    if (!m->is_fixed[d])
        m->own[m->nown++] = d;
}

/* Finds the dimensions of the nest, in the order of its loops. 0; -1 if refused. */
static int find_own(maker *m)
{
    for (m->leaf = *m->place; m->leaf->kind != SQ_TREE_LEAF; m->leaf = m->leaf->child[0]) {
        const sq_tree *t = m->leaf;
        for (int i = 0; i < t->nmembers; i++) {
            int d = -1, n = open_dims(m, &t->member[i].row[m->index], &d);
            if (t->wavefront || (t->member[i].parallel && t->member[i].nprivate) || (t->kind == SQ_TREE_TILE && n != 1))
                return refuse(m, t->wavefront ? "its tiles run along a wavefront; leave `parallel` out of auto"
                                 : t->kind == SQ_TREE_TILE
                                     ? "its tiles are skewed, which a nest's are not; leave `tile` out of auto"
                                     : "threads share its loop with copies of a temporary; a nest has none");
            for (d = 0; d < m->stmt->nfree && n; d++)
                if (t->member[i].row[m->index].dim[d])
                    add_own(m, d);
        }
    }
    for (int d = 0; d < m->stmt->nfree; d++)
        add_own(m, d);
    return m->nown || m->stmt->updates
               ? 0
               : refuse(m, "all of its loops are shared with other statements, so that it has none for a register "
                           "tile; distribute or auto(fuse:min, …) gives it loops of its own");
}

/* ---- the nest ---- */

static const char **outer_names(const maker *m)
{
    const char **name = SQ_NEW_ARRAY(m->k->arena, const char *, m->stmt->nfree + 1);
    for (int d = 0; d < m->stmt->nfree; d++)
        name[d] = sq_arena_printf(m->k->arena, "@at_%s", m->stmt->dim[d]);
    return name;
}

/* Makes the kernel of the statement alone. */
static sq_kernel *kernel_of(const maker *m)
{
    const char **name = outer_names(m);
    sq_kernel *n = sq_rewritten_begin(m->k, 1);
    sq_stmt *s = sq_stmt_inside(m->k, m->stmt, m->own, m->nown, name), *sum = sq_stmt_summed(m->k, s);
    if (sum)
        sq_stmt_free(s);
    n->stmt[n->nstmts++] = sum ? sum : s;
    n->stmt[0]->position = m->stmt->position;
    n->whole = m->k;
    n->nouter = m->nouter;
    n->outer = SQ_NEW_ARRAY(m->k->arena, const char *, m->nouter + 1);
    for (int i = 0; i < m->nouter; i++)
        n->outer[i] = name[m->outer[i]];
    isl_set *some = isl_set_params(isl_set_copy(n->stmt[0]->domain));
    n->context = isl_set_coalesce(isl_set_intersect(n->context, some));
    sq_kernel_narrow(n);
    return n;
}

/* Returns the place in the tree's order of the first loop that counts a dimension of the nest. */
static int order_of(const maker *m, const char *dim)
{
    int at = 0;
    for (const sq_tree *t = *m->place; t->kind != SQ_TREE_LEAF; t = t->child[0])
        for (int i = 0; i < t->nmembers && t->kind == SQ_TREE_BAND; i++, at++)
            for (int d = 0; d < m->stmt->nfree; d++)
                if (t->member[i].row[m->index].dim[d] && !m->is_fixed[d] && strcmp(m->stmt->dim[d], dim) == 0)
                    return at;
    return SQ_MAX_DIMS + at;
}

/* Puts the loops in the order of the tree's. */
static void sort_loops(const maker *m, sq_group *g)
{
    for (int l = 1; l < g->nloops; l++)
        for (int i = l; i > 0 && order_of(m, g->loop[i].name) < order_of(m, g->loop[i - 1].name); i--) {
            sq_loop x = g->loop[i];
            g->loop[i] = g->loop[i - 1];
            g->loop[i - 1] = x;
        }
}

/* Adds the tiles that auto() has given the statement's own loops, and what threads share. False without room. */
static bool add_tiles(const maker *m, sq_group *g)
{
    int at = 0;
    bool room = true;
    for (const sq_tree *t = *m->place; t->kind != SQ_TREE_LEAF; t = t->child[0])
        for (int i = 0; i < t->nmembers; i++) {
            int d = -1;
            open_dims(m, &t->member[i].row[m->index], &d);
            int dim = d < 0 ? -1 : sq_group_dim(g, m->stmt->dim[d]);
            if (dim < 0 || t->kind != SQ_TREE_TILE)
                continue;
            int n = 0;
            const char *name = NULL;
            do
                name = sq_arena_printf(m->k->arena, "%s%d", g->dim[dim], n++);
            while (sq_group_loop(g, name) >= 0 || sq_group_dim(g, name) >= 0);
            sq_loop loop = {.name = name, .dim = dim, .step = t->member[i].size};
            room &= (sq_loops_point(g, dim) >= 0 || g->micro.serial == dim) && sq_loops_insert(g, at++, &loop);
        }
    return room;
}

/* Returns the text by which the kernel keeps the nest: what it depends on. */
static const char *key(const maker *m)
{
    const char *text = sq_arena_printf(m->k->arena, "inside(%s", m->stmt->name);
    for (int i = 0; i < m->nouter; i++)
        text = sq_arena_printf(m->k->arena, "%s %s", text, m->stmt->dim[m->outer[i]]);
    for (const sq_tree *t = *m->place; t->kind != SQ_TREE_LEAF; t = t->child[0])
        for (int i = 0; i < t->nmembers; i++) {
            int d = -1;
            open_dims(m, &t->member[i].row[m->index], &d);
            text = sq_arena_printf(m->k->arena, "%s, %s:%lld", text, d < 0 ? "" : m->stmt->dim[d],
                                   t->kind == SQ_TREE_TILE ? (long long)t->member[i].size : 0);
        }
    return text;
}

/* True if the loops are others than those of the dimensions, in order. */
static bool is_unusual(const sq_group *g)
{
    bool other = false;
    for (int l = 0; l < g->nloops; l++)
        other |= g->loop[l].step > 1 || (l > 0 && g->loop[l].dim < g->loop[l - 1].dim);
    return other;
}

/* Returns the loops as they start. NULL if refused. */
static const sq_schedule *start_of(maker *m)
{
    const char *name = key(m);
    const sq_schedule *start = sq_rewritten_find(m->k, name);
    if (start)
        return start;
    sq_kernel *n = kernel_of(m);
    sq_schedule *s = sq_schedule_new(n, m->k->arena);
    sort_loops(m, s->group[0]);
    if (!add_tiles(m, s->group[0])) {
        refuse(m, "it has too many loops");
        return NULL;
    }
    s->group[0]->own_order = is_unusual(s->group[0]);
    sq_rewritten_keep(m->k, n, s, name);
    return s;
}

/* Lets threads share the loops that they share in the tree. Tiles come first, in its order. */
static void share_loops(const maker *m, sq_group *g)
{
    int ntiles = 0;
    for (const sq_tree *t = *m->place; t->kind != SQ_TREE_LEAF; t = t->child[0])
        for (int i = 0; i < t->nmembers; i++) {
            int d = -1;
            open_dims(m, &t->member[i].row[m->index], &d);
            int l = t->kind == SQ_TREE_TILE ? ntiles++ : d < 0 ? -1 : sq_group_loop(g, m->stmt->dim[d]);
            if (t->member[i].parallel && l >= 0)
                g->loop[l].runs = SQ_LOOP_THREADS;
        }
}

/* Loops around a nest have their iterations one by one, with the scalars that all of them have. */
static void stop_rows(const maker *m, sq_tree *root)
{
    for (sq_tree *t = root; t != *m->place;) {
        for (int i = 0; i < t->nmembers; i++) {
            t->member[i].jam = SQ_JAM_NONE;
            t->member[i].nprivate = t->member[i].parallel ? t->member[i].nprivate : 0;
        }
        sq_tree *inside = NULL;
        for (int c = 0; c < t->nchildren; c++)
            if (sq_tree_holds(t->child[c], m->index))
                inside = t->child[c];
        t = inside;
    }
}

/* Makes the nest and puts it in the place of the loops. 0; -1 if refused. */
static int make(maker *m, sq_tree **root)
{
    if (m->k->whole || m->stmt->nfree > SQ_MAX_DIMS || m->stmt->ndim > SQ_MAX_DIMS)
        return refuse(m, "it has too many dimensions");
    if (!sq_tree_holds(*root, m->index))
        return refuse(m, "it never runs, whatever the sizes are, and has no loops");
    if (find_outer(m, root) || find_own(m))
        return -1;
    const sq_schedule *start = start_of(m);
    if (!start)
        return -1;
    sq_schedule *s = sq_schedule_copy(start, m->k->arena);
    s->start = start;
    share_loops(m, s->group[0]);
    sq_tree_nest *n = SQ_NEW(m->k->arena, sq_tree_nest);
    *n = (sq_tree_nest){.schedule = s, .of = m->stmt, .nouter = m->nouter, .nown = m->nown};
    memcpy(n->outer, m->outer, sizeof n->outer);
    memcpy(n->own, m->own, sizeof n->own);
    n->is_sum = s->group[0]->stmt[0]->updates && !m->stmt->updates;
    const sq_stmt *own = s->group[0]->stmt[0];
    for (int d = 0; d < own->nfree; d++)
        for (int i = 0; i < m->stmt->nfree; i++)
            if (strcmp(m->stmt->dim[i], own->dim[d]) == 0)
                n->dim[d] = i;
    m->leaf->nest = n;
    stop_rows(m, *root);
    *m->place = m->leaf;
    return 0;
}

/* Returns the leaf of a statement. */
static sq_tree *leaf_of(sq_tree *t, int stmt)
{
    while (t->kind != SQ_TREE_LEAF)
        for (int c = 0; c < t->nchildren; c++)
            if (sq_tree_holds(t->child[c], stmt)) {
                t = t->child[c];
                break;
            }
    return t;
}

sq_schedule *sq_tree_nest_open(sq_schedule *s, sq_group *g, int stmt, const char **why)
{
    const sq_kernel *k = s->kernel;
    sq_tree_plan *plan = SQ_NEW(k->arena, sq_tree_plan);
    sq_tree *root = sq_tree_own(k, g, plan, why);
    maker m = {.k = k, .g = g, .index = stmt, .stmt = g->stmt[stmt], .why = why};
    if (!root)
        return NULL;
    if (!sq_tree_nest_of(root, stmt) && make(&m, &root))
        return NULL;
    sq_tree *leaf = leaf_of(root, stmt);
    sq_tree_nest *n = SQ_NEW(k->arena, sq_tree_nest);
    sq_schedule *own = sq_schedule_copy(leaf->nest->schedule, k->arena);
    *n = *leaf->nest;
    n->schedule = own;
    leaf->nest = n;
    plan->tree = root;
    plan->calls = sq_tree_calls_without(k, plan->calls, m.stmt, own);
    g->kind = SQ_GROUP_TREE;
    g->plan = plan;
    return own;
}
