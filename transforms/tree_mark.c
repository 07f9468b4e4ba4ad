/* Tree marks: see tree_mark.h. Trees are shared between schedules, so a mark is set in a copy. */
#include "transforms/tree_mark.h"
#include "ir/kernel/quota.h"
#include "support/nearest.h"
#include "transforms/auto_inside.h"
#include "transforms/edit.h"
#include <string.h>

enum { MOST_NAMES = 64, MOST_OPERATIONS = 2000000 /* limit on isl's operations, for one mark */ };

/* ---- names ---- */

/* A loop of a tree, as a statement sees it. */
typedef struct spot {
    sq_tree *node; /* NULL: there is none */
    int member;    /* of a leaf's nest: its loop */
} spot;

/* A search for a loop on the way to a statement. */
typedef struct search {
    const sq_group *g;
    int stmt;
    const char *name;
    sq_arena *arena;
    spot found;
    const char *names[MOST_NAMES]; /* of the loops on the way */
    int n;
} search;

static void look(search *x, sq_tree *t)
{
    const sq_stmt *s = x->g->stmt[x->stmt];
    for (int m = 0; m < t->nmembers; m++) {
        int d = sq_row_counted(s, &t->member[m].row[x->stmt]);
        if (d < 0)
            continue;
        const char *name = sq_arena_printf(x->arena, "%s%s", s->dim[d], t->kind == SQ_TREE_TILE ? "0" : "");
        if (!x->found.node && strcmp(name, x->name) == 0)
            x->found = (spot){t, m};
        if (x->n < MOST_NAMES)
            x->names[x->n++] = name;
    }
    for (int l = 0; t->nest && l < t->nest->schedule->group[0]->nloops; l++) {
        const char *name = t->nest->schedule->group[0]->loop[l].name;
        if (!x->found.node && strcmp(name, x->name) == 0)
            x->found = (spot){t, l};
        if (x->n < MOST_NAMES)
            x->names[x->n++] = name;
    }
    for (int i = 0; i < t->nchildren; i++)
        if (sq_tree_holds(t->child[i], x->stmt))
            look(x, t->child[i]);
}

static bool is_named(const search *x, const char *name)
{
    bool found = false;
    for (int i = 0; i < x->n; i++)
        found |= strcmp(x->names[i], name) == 0;
    return found;
}

/* Finds the loop of the statement that an argument names, or of the first one that has such a loop; *stmt: that
 * statement. Without a node after *why is set. */
static spot find_loop(const sq_kernel *k, const sq_group *g, sq_tree *root, const sq_arg *a, int *stmt,
                      const char **why, sq_culprit *at)
{
    sq_arena *arena = k->arena;
    search all = {.g = g};
    const char *list = "";
    for (int i = 0; i < g->nstmts; i++) {
        search x = {.g = g, .stmt = i, .name = a->name, .arena = arena};
        if (a->stmt && strcmp(g->stmt[i]->name, a->stmt) != 0)
            continue;
        look(&x, root);
        *stmt = i;
        if (x.found.node)
            return x.found;
        for (int j = 0; j < x.n; j++)
            if (!is_named(&all, x.names[j]) && all.n < MOST_NAMES) {
                list = sq_arena_printf(arena, "%s%s%s", list, all.n ? ", " : "; there are ", x.names[j]);
                all.names[all.n++] = x.names[j];
            }
    }
    at->meant = sq_nearest(a->name, all.names, (size_t)all.n);
    *why = sq_arena_printf(arena, "'%s' is no loop here%s", a->name, at->meant ? "" : list);
    return (spot){NULL, 0};
}

/* ---- trees ---- */

/* True if threads share a loop around the node, or of it or inside of it. */
static bool is_shared(const sq_tree *t, const sq_tree *node)
{
    if (t == node)
        return sq_tree_shared(t);
    bool below = false, shared = false;
    for (int i = 0; i < t->nchildren; i++)
        if (sq_tree_holds(t->child[i], node->stmt[0])) {
            below = true;
            shared = is_shared(t->child[i], node);
        }
    for (int m = 0; m < t->nmembers && below; m++)
        shared |= t->member[m].parallel;
    return shared;
}

/* Starts from what the group has: a copy of its tree, or that of C loops as they are written. 0; -1 with *why. */
static int start(sq_auto_maker *m, sq_tree_plan *plan, const char **why)
{
    if (m->g->plan) {
        *plan = *m->g->plan;
        m->root = sq_tree_copy(plan->tree, m->arena);
        return 0;
    }
    *plan = (sq_tree_plan){.written = true, .calls = ""};
    m->root = sq_tree_written(m->k, m->g, m->arena);
    if (!m->root || sq_tree_probe(m->k, m->g, m->root, m->deps, m->memo, why)) {
        *why = *why ? *why : "its loops do not count as those of a tree do";
        return -1;
    }
    sq_auto_vectors(m, m->root);
    return 0;
}

/* Lets threads share a loop of a nest: of a copy, which becomes the leaf's. */
static void share_in_nest(sq_auto_maker *m, spot x)
{
    sq_tree_nest *n = SQ_NEW(m->arena, sq_tree_nest);
    sq_schedule *s = sq_schedule_copy(x.node->nest->schedule, m->arena);
    *n = *x.node->nest;
    n->schedule = s;
    s->group[0]->loop[x.member].runs = SQ_LOOP_THREADS;
    x.node->nest = n;
}

/* Shares one loop. 0; -1 with *why. */
static int share(sq_auto_maker *m, spot x, const char **why)
{
    const sq_tree_nest *before = x.node->nest;
    if (is_shared(m->root, x.node)) {
        *why = "threads share a loop around it or inside of it already";
        return -1;
    }
    if (before) {
        share_in_nest(m, x);
        return sq_tree_respects(m->k, m->g, m->root, m->deps, m->memo, why);
    }
    if (sq_auto_share(m, x.node, x.member))
        return 0;
    x.node->member[x.member].parallel = true;
    sq_tree_respects(m->k, m->g, m->root, m->deps, m->memo, why);
    return -1;
}

/* Marks the loop in a tree of its own, which becomes the group's. 0; -1 with *why. */
static int mark(sq_auto_maker *m, sq_tree_plan *plan, const sq_arg *a, const char **why, sq_culprit *at)
{
    int stmt = 0;
    if (start(m, plan, why))
        return -1;
    if (plan->how.grid) {
        *why = "blocks of a grid share the loops of auto(grid) already";
        return -1;
    }
    spot x = find_loop(m->k, m->g, m->root, a, &stmt, why, at);
    if (!x.node || share(m, x, why))
        return -1;
    plan->tree = m->root;
    if (x.node->nest) /* the nest prints its own */
        return 0;
    plan->calls = sq_arena_printf(m->arena, "%s%sparallel(%s.%s)", plan->calls, *plan->calls ? " " : "",
                                  m->g->stmt[stmt]->name, a->name);
    return 0;
}

sq_tree *sq_tree_own(const sq_kernel *k, const sq_group *g, sq_tree_plan *plan, const char **why)
{
    const char *text = NULL, *found = NULL;
    sq_auto_maker m = {.k = k, .g = g, .how = &plan->how, .arena = k->arena};
    m.deps = k->deps ? sq_tree_deps_of(k, g, &text) : NULL;
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    bool failed = !m.deps || start(&m, plan, &found);
    failed |= sq_quota_end(q, &text);
    if (!failed && !plan->how.grid)
        return m.root;
    *why = failed ? found ? found : text ? text : "the dependences are not known"
                  : "blocks of a grid share the loops of auto(grid), and none of them has a register tile";
    return NULL;
}

/* True if it is the call about a loop of the nest: "parallel(S1.i)". */
static bool is_about(const char *call, const sq_stmt *s, const sq_schedule *nest)
{
    size_t n = strlen("parallel("), name = strlen(s->name);
    bool found = false;
    if (strncmp(call + n, s->name, name) != 0 || call[n + name] != '.')
        return false;
    for (int l = 0; l < nest->group[0]->nloops; l++) {
        const char *loop = nest->group[0]->loop[l].name;
        size_t length = strlen(loop);
        found |= strncmp(call + n + name + 1, loop, length) == 0 && call[n + name + 1 + length] == ')';
    }
    return found;
}

const char *sq_tree_calls_without(const sq_kernel *k, const char *calls, const sq_stmt *s, const sq_schedule *nest)
{
    const char *left = "";
    while (*calls) {
        size_t n = strcspn(calls, " ");
        if (!is_about(calls, s, nest))
            left = sq_arena_printf(k->arena, "%s%s%.*s", left, *left ? " " : "", (int)n, calls);
        calls += n + (calls[n] == ' ');
    }
    return left;
}

int sq_tree_parallel(sq_schedule *s, sq_group *g, const sq_arg *a, const char **why, sq_culprit *at)
{
    const sq_kernel *k = s->kernel;
    const char *text = NULL, *found = NULL;
    sq_tree_plan *plan = SQ_NEW(k->arena, sq_tree_plan);
    sq_auto_maker m = {.k = k, .g = g, .how = &plan->how, .arena = k->arena};
    m.deps = k->deps ? sq_tree_deps_of(k, g, &text) : NULL;
    if (!m.deps) {
        *why = text ? text : "the dependences are not known";
        return -1;
    }
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    int bad = mark(&m, plan, a, &found, at);
    if (sq_quota_end(q, &text) || bad) {
        *why = found ? found
                     : sq_arena_printf(k->arena, "whether it carries a dependence could not be determined: %s", text);
        return -1;
    }
    g->kind = SQ_GROUP_TREE;
    g->plan = plan;
    return 0;
}
