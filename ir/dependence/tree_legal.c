/* Tree legality: a walk from the root with the dependences that no outer node has satisfied yet. A
 * sequence satisfies those whose ends are in different children; a loop those that it carries; at a
 * leaf none may be left. Tiles satisfy none, because their points follow inside, but no dependence
 * may go back along any of their loops: then whole tiles can run in that order. */
#include "ir/dependence/deps.h"
#include "ir/dependence/legal.h"
#include "ir/dependence/tree_pairs.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include "ir/schedule/tree.h"
#include <isl/set.h>
#include <isl/space.h>
#include <string.h>

enum { MOST_OPERATIONS = 2000000 }; /* limit on isl's operations, for one tree */

typedef struct walk {
    const sq_kernel *k;
    const sq_group *g;
    const sq_tree_deps *deps;
    sq_tree_memo *memo;
    sq_arena *arena;
    bool probe;        /* record for each member what it carries */
    const sq_tree *at; /* for sq_tree_edges, with its member and edge */
    int at_member;
    bool *edge;
    bool in_tiles;   /* below a TILE */
    const char *why; /* NULL while nothing is wrong, or when isl failed */
} walk;

/* A dependence, as far as it is not satisfied: pairs of instances, one at least. */
typedef struct open {
    const sq_tree_dep *dep;
    sq_tree_pairs *pairs;
} open;

typedef struct opens {
    int n;
    open *o;
} opens;

static opens new_opens(const walk *w, int n)
{
    return (opens){0, SQ_NEW_ARRAY(w->arena, open, n + 1)};
}

/* False if isl failed: there are no pairs then. */
static bool keep(opens *l, const sq_tree_dep *dep, sq_tree_pairs *pairs)
{
    if (pairs && !pairs->none)
        l->o[l->n++] = (open){dep, pairs};
    return pairs;
}

static int wrong(walk *w, isl_map *pairs, const char *what, const char *how)
{
    w->why = sq_arena_printf(w->k->arena, "%s: for example %s%s", what,
                             sq_deps_example(w->k, pairs), how);
    return -1;
}

/* Returns 0 if the set of pairs is empty; -1 if it is not, or isl failed. */
static int none(walk *w, const sq_tree_pairs *pairs, const char *what, const char *how)
{
    return !pairs ? -1 : pairs->none ? 0 : wrong(w, pairs->map, what, how);
}

static const char early[] = "a dependence would be broken";
static const char later[] = ", which would run later";

/* ---- loops ---- */

static sq_tree_pairs *part(const walk *w, const sq_member *m, const open *o, sq_tree_side side)
{
    return sq_tree_pairs_part(w->memo, o->pairs, o->dep, m, side);
}

static bool is_private(const sq_member *m, const sq_array *a)
{
    for (int i = 0; i < m->nprivate; i++)
        if (m->private[i] == a)
            return true;
    return false;
}

/* Finds the pairs whose ends are in different iterations, in two sets: for updates either end may be the earlier one,
 * else the second set is NULL. False if isl failed. */
static bool parted(const walk *w, const sq_member *m, const open *o, sq_tree_pairs *set[2])
{
    set[0] = part(w, m, o, SQ_TREE_AHEAD);
    set[1] = o->dep->update ? part(w, m, o, SQ_TREE_BACK) : NULL;
    return set[0] && (set[1] || !o->dep->update);
}

/* Checks that there are none such. 0 if so; -1 if not, or isl failed. */
static int none_parted(walk *w, const sq_member *m, const open *o, const char *what)
{
    sq_tree_pairs *set[2];
    if (!parted(w, m, o, set))
        return -1;
    return none(w, set[0], what, "") || (set[1] && none(w, set[1], what, "")) ? -1 : 0;
}

/* Checks that the loop carries no dependence that forbids running its iterations in parallel or as
 * lanes. 0 if so; -1 if not, with the reason in w. */
static int carries(walk *w, const sq_member *m, const open *o)
{
    bool lanes = m->vector && !m->parallel;
    if ((!m->parallel && !lanes) || (lanes && m->lanes_sum && o->dep->update))
        return 0;
    return none_parted(w, m, o, "a loop that is to run side by side carries a dependence");
}

/* Checks that iterations may alternate in the loop inside: see sq_jam. Updates of one sum may anyway. */
static int alternate(walk *w, const sq_tree *t, int i, const open *o)
{
    const sq_member *m = &t->member[i];
    if (m->jam == SQ_JAM_NONE || o->dep->update)
        return 0;
    if (m->jam == SQ_JAM_ALL)
        return none_parted(w, m, o, "iterations that are to alternate depend on each other");
    if (t->kind != SQ_TREE_BAND || i + 1 == t->nmembers)
        return -1;
    open ahead = {o->dep, part(w, m, o, SQ_TREE_AHEAD)};
    return ahead.pairs ? none(w, part(w, m + 1, &ahead, SQ_TREE_BACK), early, later) : -1;
}

static int note_free(const walk *w, sq_member *m, const open *o)
{
    sq_tree_pairs *set[2];
    if (!parted(w, m, o, set))
        return -1;
    bool none = set[0]->none && (!set[1] || set[1]->none);
    m->free &= none || o->dep->reuse;
    m->free_sums &= none || o->dep->update;
    return 0;
}

/* True if a statement below the node has loops of its own, which are those of all threads, and touches the array. */
static bool in_nest(const walk *w, const sq_tree *t, const sq_array *a)
{
    bool found = t->nest && sq_stmt_touches(w->g->stmt[t->stmt[0]], a);
    for (int i = 0; i < t->nchildren && !found; i++)
        found = in_nest(w, t->child[i], a);
    return found;
}

static bool is_below(const walk *w, const sq_tree *t, const sq_array *a)
{
    int users = 0, below = 0;
    for (int i = 0; i < w->g->nstmts; i++)
        users += sq_stmt_touches(w->g->stmt[i], a);
    for (int i = 0; i < t->nstmts; i++)
        below += sq_stmt_touches(w->g->stmt[t->stmt[i]], a);
    return users == below;
}

/* Checks that all dependences through the temporary stay within one iteration of the member's loop
 * and of all loops around it: then a private copy suffices. 0 if so; -1 if not. */
static int copies_serve(walk *w, const sq_tree *t, int i, const opens *now)
{
    const sq_member *m = &t->member[i];
    if (m->nprivate == 0)
        return 0;
    if (w->in_tiles || t->wavefront || (t->kind == SQ_TREE_TILE && i > 0))
        return -1;
    for (int d = 0; d < w->deps->n; d++) {
        const sq_tree_dep *dep = &w->deps->dep[d];
        if (dep->reuse || !is_private(m, dep->array))
            continue;
        isl_bool inside = isl_bool_false;
        for (int j = 0; j < now->n; j++)
            if (now->o[j].dep == dep) {
                const sq_tree_pairs *stay = part(w, m, &now->o[j], SQ_TREE_STAY);
                inside = stay ? isl_map_is_subset(dep->map, stay->map) : isl_bool_error;
            }
        if (inside != isl_bool_true)
            return -1;
    }
    for (int p = 0; p < m->nprivate; p++)
        if (in_nest(w, t, m->private[p])) {
            w->why = sq_arena_printf(w->k->arena,
                                     "each iteration of a loop that threads share has '%s' of its own, which a "
                                     "statement with a register tile cannot use",
                                     m->private[p]->name);
            return -1;
        } else if (!is_below(w, t, m->private[p])) {
            return -1;
        }
    return 0;
}

/* Checks one member against all open dependences; *rest has those that stay open inside. */
static int member(walk *w, const sq_tree *t, int i, const opens *now, opens *rest)
{
    sq_member *m = &t->member[i];
    bool tile = t->kind == SQ_TREE_TILE;
    *rest = new_opens(w, now->n);
    if (w->probe)
        m->free = m->free_sums = true;
    if (copies_serve(w, t, i, now))
        return -1;
    for (int j = 0; j < now->n; j++) {
        const open *o = &now->o[j];
        bool by_copies = (m->parallel || m->jam) && o->dep->reuse && is_private(m, o->dep->array);
        bool ordered = !by_copies && (!o->dep->update || t->wavefront);
        if (ordered && none(w, part(w, m, o, SQ_TREE_BACK), early, later))
            return -1;
        if (!by_copies && carries(w, m, o))
            return -1;
        if (!by_copies && alternate(w, t, i, o))
            return -1;
        if (w->probe && note_free(w, m, o))
            return -1;
        if (!keep(rest, o->dep, tile && !by_copies ? o->pairs : part(w, m, o, SQ_TREE_STAY)))
            return -1;
    }
    return 0;
}

/* ---- nodes ---- */

static int node(walk *w, const sq_tree *t, const opens *open_now);

/* The loops of a wavefront except the first are parallel by themselves: two distinct tiles on
 * one front differ forwards along one member and backwards along the other, which no dependence
 * does. */
static sq_tree without_threads(const walk *w, const sq_tree *t)
{
    sq_tree c = *t;
    if (w->probe || !t->wavefront)
        return c;
    c.member = SQ_NEW_ARRAY(w->arena, sq_member, t->nmembers);
    memcpy(c.member, t->member, (size_t)t->nmembers * sizeof *c.member);
    for (int i = 0; i < c.nmembers; i++)
        c.member[i].parallel = t->member[i].parallel && i != 1;
    return c;
}

static void note_edges(const walk *w, const opens *now)
{
    for (int i = 0; i < now->n; i++)
        w->edge[now->o[i].dep->from * w->g->nstmts + now->o[i].dep->to] = true;
}

static int loops(walk *w, const sq_tree *given, const opens *open_now)
{
    sq_tree t = without_threads(w, given);
    opens now = *open_now, rest = {0};
    int bad = 0;
    for (int i = 0; i < t.nmembers && !bad; i++) {
        if (given == w->at && i == w->at_member)
            note_edges(w, &now);
        bad = member(w, &t, i, &now, &rest);
        now = rest;
    }
    bool outside = w->in_tiles;
    w->in_tiles |= t.kind == SQ_TREE_TILE;
    bad = bad || node(w, t.child[0], &now);
    w->in_tiles = outside;
    return bad;
}

static int child_of(const sq_tree *t, int stmt)
{
    for (int c = 0; c < t->nchildren; c++)
        for (int i = 0; i < t->child[c]->nstmts; i++)
            if (t->child[c]->stmt[i] == stmt)
                return c;
    return -1;
}

static int sequence(walk *w, const sq_tree *t, const opens *open_now)
{
    for (int j = 0; j < open_now->n; j++) {
        const sq_tree_dep *d = open_now->o[j].dep;
        if (!d->update && child_of(t, d->from) > child_of(t, d->to))
            return wrong(w, open_now->o[j].pairs->map, early, later);
    }
    for (int c = 0; c < t->nchildren; c++) {
        opens inside = new_opens(w, open_now->n);
        for (int j = 0; j < open_now->n; j++) {
            const open *o = &open_now->o[j];
            if (child_of(t, o->dep->from) == c && child_of(t, o->dep->to) == c)
                inside.o[inside.n++] = *o;
        }
        if (node(w, t->child[c], &inside))
            return -1;
    }
    return 0;
}

/* Checks the loops that the statement of a leaf has by itself. */
static int nest(walk *w, const sq_tree *t, const opens *open_now)
{
    if (sq_tree_nest_form(t->nest, &w->why))
        return -1;
    for (int j = 0; j < open_now->n; j++)
        if (sq_tree_nest_respects(t->nest, open_now->o[j].pairs->map, open_now->o[j].dep->update, &w->why))
            return -1;
    return 0;
}

static int leaf(walk *w, const sq_tree *t, const opens *open_now)
{
    if (t->nstmts != 1)
        return -1;
    if (t->nest)
        return nest(w, t, open_now);
    for (int j = 0; j < open_now->n; j++)
        if (none(w, open_now->o[j].pairs, early, ", which would run at the same time"))
            return -1;
    return 0;
}

static int node(walk *w, const sq_tree *t, const opens *open_now)
{
    switch (t->kind) {
    case SQ_TREE_SEQUENCE:
        return sequence(w, t, open_now);
    case SQ_TREE_LEAF:
        return leaf(w, t, open_now);
    default:
        return loops(w, t, open_now);
    }
}

static int from_root(walk *w, const sq_tree *t)
{
    opens all = new_opens(w, w->deps->n);
    for (int i = 0; i < w->deps->n; i++)
        keep(&all, &w->deps->dep[i], sq_tree_pairs_all(w->memo, i));
    return node(w, t, &all);
}

static int whole(walk *w, const sq_tree *t, const char **why)
{
    sq_tree_memo *own = w->memo ? NULL : sq_tree_memo_new(w->k, w->g, w->deps);
    w->memo = w->memo ? w->memo : own;
    w->arena = sq_arena_new();
    int bad = w->memo ? from_root(w, t) : -1;
    sq_arena_free(w->arena);
    sq_tree_memo_free(own);
    if (bad)
        *why = w->why;
    return bad;
}

int sq_tree_respects(const sq_kernel *k, const sq_group *g, const sq_tree *t, const sq_tree_deps *deps,
                     sq_tree_memo *memo, const char **why)
{
    walk w = {.k = k, .g = g, .deps = deps, .memo = memo};
    return whole(&w, t, why);
}

int sq_tree_probe(const sq_kernel *k, const sq_group *g, sq_tree *t, const sq_tree_deps *deps, sq_tree_memo *memo,
                  const char **why)
{
    walk w = {.k = k, .g = g, .deps = deps, .memo = memo, .probe = true};
    return whole(&w, t, why);
}

int sq_tree_edges(const sq_kernel *k, const sq_group *g, const sq_tree *t, const sq_tree *at, int member,
                  const sq_tree_deps *deps, sq_tree_memo *memo, bool *edge)
{
    const char *why = NULL;
    walk w = {.k = k, .g = g, .deps = deps, .memo = memo, .at = at, .at_member = member, .edge = edge};
    return whole(&w, t, &why);
}

int sq_tree_legal(const sq_kernel *k, const sq_group *g, const sq_tree *t, const char **why)
{
    const char *text = NULL, *found = NULL;
    if (!k->deps)
        return 0;
    const sq_tree_deps *deps = sq_tree_deps_of(k, g, &text);
    int bad = -1;
    if (deps) {
        sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
        bad = sq_tree_respects(k, g, t, deps, NULL, &found);
        if (sq_quota_end(q, &text) && bad == 0)
            bad = -1; /* all results since then are void */
    }
    if (bad)
        *why = found ? found
                     : sq_arena_printf(k->arena,
                                       "whether the dependences are respected could not be "
                                       "determined: %s",
                                       text);
    return bad;
}
