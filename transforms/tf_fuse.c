/* fuse(S0, S1, … at i0): consecutive groups share loop i0 and all outside of it; each keeps its
 * inner loops and its register tile.
 *
 * fuse(S0, S1, …): statements over the same free dimensions are computed together, each register
 * tile of the first directly followed by that of the next, under the first one's loops. All but the
 * first are element-wise. Statements between them in the text must not depend on the order: the\n *
 * caller checks the dependences. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

static int group_of(const sq_schedule *s, const char *name)
{
    for (int i = 0; i < s->ngroups; i++)
        for (int j = 0; j < s->group[i]->nstmts; j++)
            if (strcmp(s->group[i]->stmt[j]->name, name) == 0)
                return i;
    return -1;
}

/* True if the free instances of two statements are the same, except for the name. */
static bool same_domain(const sq_stmt *a, const sq_stmt *b)
{
    if (a->nfree != b->nfree)
        return false;
    isl_set *x = isl_set_reset_tuple_id(isl_set_copy(a->domain));
    isl_set *y = isl_set_reset_tuple_id(isl_set_copy(b->domain));
    isl_bool same = isl_set_is_equal(x, y);
    isl_set_free(x);
    isl_set_free(y);
    return same == isl_bool_true;
}

static int join(sq_schedule *s, sq_group *g, int from, const sq_call *call, int arg,
                const char **why, sq_culprit *at)
{
    sq_group *other = s->group[from];
    const char *name = call->arg[arg].name;
    if (other == g)
        return sq_edit_refuse(s, why, at, arg, "'%s' is there already", name);
    if (other->kind != SQ_GROUP_TILED || g->kind != SQ_GROUP_TILED)
        return sq_edit_refuse(s, why, at, arg, "C loops that are no perfect nest run as written");
    for (int i = 0; i < other->nstmts; i++) {
        const sq_stmt *b = other->stmt[i];
        if (b->updates)
            return sq_edit_refuse(s, why, at, arg,
                                  "%s has a reduction; only the first of fused "
                                  "statements may",
                                  b->name);
        if (!same_domain(g->stmt[0], b))
            return sq_edit_refuse(s, why, at, arg, "%s and %s run over different free dimensions",
                                  g->stmt[0]->name, b->name);
        g->stmt[g->nstmts++] = b;
    }
    memmove(&s->group[from], &s->group[from + 1],
            (size_t)(s->ngroups - from - 1) * sizeof *s->group);
    s->ngroups--;
    return 0;
}

/* Makes group number `group` share its first `shared` loops with the previous one. */
static int share(sq_schedule *s, int group, int before, int shared, int arg, const char **why,
                 sq_culprit *at)
{
    if (group != before + 1)
        return sq_edit_refuse(s, why, at, arg,
                              "%s does not come next after %s; name the statements in the order "
                              "in which they run, none left out",
                              s->group[group]->stmt[0]->name, s->group[before]->stmt[0]->name);
    if (s->group[group]->kind != SQ_GROUP_TILED || s->group[group]->shared > 0)
        return sq_edit_refuse(s, why, at, arg,
                              s->group[group]->shared > 0
                                  ? "%s shares loops already"
                                  : "%s belongs to C loops that are no perfect nest",
                              s->group[group]->stmt[0]->name);
    s->group[group]->shared = shared;
    return 0;
}

/* Applies fuse(S0, S1, … at loop) */
static int share_loops(sq_schedule *s, const sq_call *call, int n, const char **why, sq_culprit *at)
{
    const sq_arg *loop = &call->arg[n];
    int before = group_of(s, call->arg[0].name);
    if (n < 2 || call->nargs != n + 1 || loop->has_value)
        return sq_edit_refuse(s, why, at, -1,
                              "name the statements, then one loop: fuse(S0, S1 at i0)");
    if (before < 0)
        return sq_edit_no_stmt(s, call, 0, why, at);
    if (s->group[before]->kind != SQ_GROUP_TILED)
        return sq_edit_refuse(s, why, at, 0, "%s belongs to C loops that are no perfect nest",
                              call->arg[0].name);
    int l = sq_arg_loop(s, s->group[before], loop, why, at);
    if (l < 0) {
        at->arg = n;
        return -1;
    }
    for (int i = 1; i < n; i++) {
        int group = group_of(s, call->arg[i].name);
        if (group < 0)
            return sq_edit_no_stmt(s, call, i, why, at);
        if (share(s, group, before, l + 1, i, why, at))
            return -1;
        before = group;
    }
    return 0;
}

/* Returns the index of the first argument after `at`; nargs without one. */
static int statements(const sq_call *call)
{
    int n = 0;
    while (n < call->nargs && call->arg[n].section != 't')
        n++;
    return n;
}

int sq_apply_fuse(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    if (call->nargs < 2)
        return sq_edit_refuse(s, why, at, -1, "name the statements to fuse: fuse(S0, S1)");
    if (statements(call) < call->nargs)
        return share_loops(s, call, statements(call), why, at);
    int first = group_of(s, call->arg[0].name);
    if (first < 0)
        return sq_edit_no_stmt(s, call, 0, why, at);
    sq_group *into = s->group[first];
    for (int i = 1; i < call->nargs; i++) {
        int from = group_of(s, call->arg[i].name);
        if (from < 0)
            return sq_edit_no_stmt(s, call, i, why, at);
        if (call->arg[i].has_value || call->arg[i].section)
            return sq_edit_refuse(s, why, at, i, "a statement's name is all that fits here");
        if (join(s, into, from, call, i, why, at))
            return -1;
    }
    return 0;
}
