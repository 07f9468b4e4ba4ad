/* merge(y, x): merges dimensions that are adjacent in every array; removes those of one value.
 * merge.h has the conditions. */
#include "ir/dependence/rewrite.h"
#include "support/nearest.h"
#include "transforms/edit.h"
#include "transforms/merge.h"
#include "transforms/rows.h"
#include <string.h>

typedef struct merger {
    const sq_schedule *s;
    const sq_kernel *k;
    const sq_call *call;
    const sq_stmt *only; /* NULL: all statements that have these dimensions */
    int first;           /* first argument that names a dimension */
    const char **why;
    sq_culprit *at;
} merger;

static int dim_named(const sq_stmt *s, const char *name)
{
    for (int d = 0; d < s->ndim; d++)
        if (strcmp(s->dim[d], name) == 0)
            return d;
    return -1;
}

static bool has_all(const merger *n, const sq_stmt *s)
{
    bool all = !n->only || n->only == s;
    for (int i = n->first; i < n->call->nargs; i++)
        all = all && dim_named(s, n->call->arg[i].name) >= 0;
    return all;
}

/* Returns the names, each once, in the form of the call; NULL after refusing. */
static const char *read_call(merger *n)
{
    const sq_call *c = n->call;
    const char *text = "merge(";
    n->only = c->nargs ? sq_kernel_stmt(n->k, c->arg[0].name) : NULL;
    n->first = n->only != NULL;
    bool form = c->nargs > n->first;
    for (int i = 0; i < c->nargs; i++) {
        form = form && !c->arg[i].has_value && !c->arg[i].section && !c->arg[i].word[0] &&
               c->arg[i].name[0];
        text = sq_arena_printf(n->k->arena, "%s%s%s", text, i ? ", " : "", c->arg[i].name);
        for (int j = 0; j < i; j++)
            if (strcmp(c->arg[i].name, c->arg[j].name) == 0) {
                sq_edit_refuse(n->s, n->why, n->at, i, "'%s' is named twice", c->arg[i].name);
                return NULL;
            }
    }
    if (form)
        return sq_arena_printf(n->k->arena, "%s)", text);
    sq_edit_refuse(n->s, n->why, n->at, -1,
                   "name dimensions that lie side by side, the slowest first: merge(y, x); or, "
                   "for one statement, merge(S0, y, x)");
    return NULL;
}

/* No statement has all of them: lists the existing ones. */
static int refuse_names(merger *n)
{
    for (int i = n->first; i < n->call->nargs; i++) {
        const char *name = n->call->arg[i].name, *near[1024];
        bool found = false;
        size_t m = 0;
        for (int s = 0; s < n->k->nstmts; s++)
            for (int d = 0; d < n->k->stmt[s]->ndim && (!n->only || n->only == n->k->stmt[s]);
                 d++) {
                found |= strcmp(n->k->stmt[s]->dim[d], name) == 0;
                if (m < sizeof near / sizeof *near)
                    near[m++] = n->k->stmt[s]->dim[d];
            }
        if (found)
            continue;
        n->at->meant = sq_nearest(name, near, m);
        return sq_edit_refuse(n->s, n->why, n->at, i, "'%s' is no dimension of %s", name,
                              n->only ? n->only->name : "any statement");
    }
    return sq_edit_refuse(n->s, n->why, n->at, n->first,
                          "no statement has all of these dimensions");
}

/* Requests the call's dimensions of one statement: those of one value are removed, the others
 * merged. */
static int ask(merger *n, sq_merge *m, int stmt)
{
    int before = -1, names = n->call->nargs - n->first;
    sq_merge_stmt *s = &m->stmt[stmt];
    for (int i = n->first; i < n->call->nargs; i++) {
        int d = dim_named(s->of, n->call->arg[i].name);
        const char *why;
        s->gone[d] = sq_merge_single(m, stmt, d, &s->value[d], &why);
        if (s->gone[d])
            continue;
        if (names == 1)
            return sq_edit_refuse(n->s, n->why, n->at, i,
                                  "'%s' of %s %s; alone, only a dimension of one value vanishes: "
                                  "merge(y, x) joins two",
                                  s->of->dim[d], s->of->name, why);
        if (before >= 0)
            sq_merge_ask(m, stmt, before, d);
        before = d;
    }
    return 0;
}

/* Refuses if a request cannot be satisfied. */
static int settled(merger *n, const sq_merge *m, int stmt)
{
    const sq_merge_stmt *s = &m->stmt[stmt];
    int before = -1;
    for (int i = n->first; i < n->call->nargs; i++) {
        int d = dim_named(s->of, n->call->arg[i].name);
        if (s->gone[d])
            continue;
        if (before >= 0 && s->next[before] != d)
            return sq_edit_refuse(n->s, n->why, n->at, i, "%s",
                                  s->why[before] ? s->why[before] : "they are not adjacent");
        before = d;
    }
    return 0;
}

static sq_merge *find(merger *n)
{
    sq_merge *m = sq_merge_new(n->k);
    int found = 0, rc = 0;
    for (int i = 0; i < n->k->nstmts && rc == 0; i++)
        if (has_all(n, n->k->stmt[i])) {
            found++;
            rc = ask(n, m, i);
        }
    if (rc == 0 && !found)
        rc = refuse_names(n);
    if (rc == 0)
        sq_merge_settle(m);
    for (int i = 0; i < n->k->nstmts && rc == 0; i++)
        if (has_all(n, n->k->stmt[i]))
            rc = settled(n, m, i);
    return rc ? NULL : m;
}

static const sq_schedule *make(merger *n, const char *text)
{
    const char *why = NULL;
    sq_merge *m = find(n);
    sq_kernel *made = m ? sq_merge_make(m, &why) : NULL;
    if (m && !made)
        sq_edit_refuse(n->s, n->why, n->at, -1, "%s", why);
    if (!made)
        return NULL;
    const sq_schedule *start = sq_schedule_new(made, made->arena);
    return sq_rewritten_end(n->k, made, start, text, n->why) ? NULL : start;
}

int sq_apply_merge(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    merger n = {.s = s, .k = s->kernel, .call = call, .why = why, .at = at};
    if (!sq_schedule_untouched(s))
        return sq_edit_refuse(s, why, at, -1,
                              "merge changes the dimensions that the other calls are about; write "
                              "it before them");
    const char *text = read_call(&n);
    if (!text)
        return -1;
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    start = start ? start : make(&n, text);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
