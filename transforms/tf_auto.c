/* auto(…): schedules many statements together by their dependences: statements are fused, skewed
 * and shifted as needed, and get tiles and threads. Without statements it applies to the current
 * group; `all` means all of the kernel. The result is one group of kind SQ_GROUP_TREE. */
#include "support/nearest.h"
#include "support/text.h"
#include "transforms/auto.h"
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

static const char form[] =
    "write auto([statements,] [fuse:max|min|smart,] [keep:loops,] [tile:points, …] "
    "[parallel|grid:threads])";

typedef struct reader {
    sq_schedule *s;
    sq_auto how;
    bool *in; /* per statement of the kernel */
    int n;    /* their number */
    const char **why;
    sq_culprit *at;
} reader;

static int statement_named(const sq_schedule *s, const char *name)
{
    for (int i = 0; i < s->kernel->nstmts; i++)
        if (strcmp(s->kernel->stmt[i]->name, name) == 0)
            return i;
    return -1;
}

static int unknown(reader *r, const sq_arg *a, int i)
{
    static const char *const words[] = {"fuse", "keep", "tile", "parallel", "grid", "all"};
    const char *names[128];
    size_t n = 0;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        names[n++] = words[w];
    for (int k = 0; k < r->s->kernel->nstmts && n < 128; k++)
        names[n++] = r->s->kernel->stmt[k]->name;
    r->at->meant = sq_nearest(a->name, names, n);
    return sq_edit_refuse(r->s, r->why, r->at, i, "'%s' is no statement and no option; %s", a->name, form);
}

static int take_fusion(reader *r, const sq_arg *a, int i)
{
    for (int f = 0; f <= SQ_FUSE_MIN; f++)
        if (strcmp(a->word, sq_fuse_strategy_name((sq_fuse_strategy)f)) == 0) {
            r->how.fuse = (sq_fuse_strategy)f;
            return 0;
        }
    return sq_edit_refuse(r->s, r->why, r->at, i, "fuse is one of smart, max, min");
}

static int take_grid(reader *r, const sq_arg *a, int i)
{
    if (!a->has_value || a->value < 1 || a->value > SQ_MOST_GRID_THREADS)
        return sq_edit_refuse(r->s, r->why, r->at, i, "a block has 1 to %d threads: grid:128",
                              SQ_MOST_GRID_THREADS);
    r->how.grid = (int)a->value;
    return 0;
}

static int take_option(reader *r, const sq_arg *a, int i)
{
    if (strcmp(a->name, "fuse") == 0)
        return take_fusion(r, a, i);
    if (strcmp(a->name, "grid") == 0)
        return take_grid(r, a, i);
    if (strcmp(a->name, "parallel") == 0 && !a->has_value && !a->word[0]) {
        r->how.parallel = true;
        return 0;
    }
    bool keep = strcmp(a->name, "keep") == 0;
    if (!keep && strcmp(a->name, "tile") != 0)
        return unknown(r, a, i);
    if (!a->has_value || (!keep && a->value < 1))
        return sq_edit_refuse(r->s, r->why, r->at, i,
                              keep ? "say how many loops are kept as written: keep:1"
                                   : "a tile has at least one point: tile:32");
    if (keep) {
        r->how.keep = (int)a->value;
    } else if (r->how.ntiles == SQ_MAX_AUTO_TILES) {
        return sq_edit_refuse(r->s, r->why, r->at, i, "%d tile sizes at most", SQ_MAX_AUTO_TILES);
    } else {
        r->how.tile[r->how.ntiles++] = a->value;
    }
    return 0;
}

static void take_group(reader *r, const sq_group *g)
{
    for (int i = 0; i < g->nstmts; i++) {
        int n = statement_named(r->s, g->stmt[i]->name);
        r->n += !r->in[n];
        r->in[n] = true;
    }
}

static int group_of(const sq_schedule *s, int stmt)
{
    for (int i = 0; i < s->ngroups; i++)
        for (int j = 0; j < s->group[i]->nstmts; j++)
            if (s->group[i]->stmt[j] == s->kernel->stmt[stmt])
                return i;
    return -1;
}

static int take_args(reader *r, const sq_call *call)
{
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        int stmt = statement_named(r->s, a->name);
        bool bare = !a->has_value && !a->word[0];
        if (a->section || !a->name[0])
            return sq_edit_refuse(r->s, r->why, r->at, i, "%s", form);
        if (bare && strcmp(a->name, "all") == 0) {
            for (int g = 0; g < r->s->ngroups; g++)
                take_group(r, r->s->group[g]);
        } else if (bare && stmt >= 0) {
            take_group(r, r->s->group[group_of(r->s, stmt)]);
        } else if (take_option(r, a, i)) {
            return -1;
        }
    }
    return 0;
}

/* Returns the calls that have changed the loops of a group, as a script; "" without any. An auto() before is none of
 * them: this one replaces it. */
static const char *calls_on(const sq_schedule *s, sq_group *g, sq_text *to)
{
    sq_schedule only = *s;
    only.ngroups = 1;
    only.group = &g;
    only.rewritten = NULL;
    if (g->kind == SQ_GROUP_TREE)
        sq_group_print_marks(g, to);
    else
        sq_schedule_print(&only, to);
    return sq_text_str(to);
}

/* auto() makes new loops, so that calls about the old ones would have no effect: refused. 0; -1. */
static int loses_none(reader *r)
{
    int bad = 0;
    for (int i = 0; i < r->s->ngroups && !bad; i++) {
        sq_group *g = r->s->group[i];
        sq_text text = {0};
        const char *calls = r->in[statement_named(r->s, g->stmt[0]->name)] ? calls_on(r->s, g, &text) : "";
        if (*calls)
            bad = sq_edit_refuse(r->s, r->why, r->at, -1,
                                 "it makes new loops for %s, in which `%s` before it would be lost; write auto "
                                 "first, and what is about its loops after it",
                                 g->stmt[0]->name, calls);
        sq_text_free(&text);
    }
    return bad;
}

/* Joins the groups of the statements, in the place of the first one. */
static sq_group *join(reader *r)
{
    sq_schedule *s = r->s;
    const sq_kernel *k = s->kernel;
    sq_group *into = NULL;
    int n = 0;
    for (int i = 0; i < s->ngroups; i++) {
        sq_group *g = s->group[i];
        bool ours = r->in[statement_named(s, g->stmt[0]->name)];
        if (!ours || !into)
            s->group[n++] = g;
        if (ours && !into)
            into = g;
    }
    s->ngroups = n;
    into->nstmts = 0;
    for (int i = 0; i < k->nstmts; i++)
        if (r->in[i])
            into->stmt[into->nstmts++] = k->stmt[i];
    return into;
}

/* Discards the loops of the first group. */
static void as_tree(sq_group *g, const sq_tree_plan *plan)
{
    g->kind = SQ_GROUP_TREE;
    g->plan = plan;
    g->ndim = g->stmt[0]->ndim;
    g->nfree = g->stmt[0]->nfree;
    for (int d = 0; d < g->ndim; d++)
        g->dim[d] = g->stmt[0]->dim[d];
    g->nloops = g->npacks = g->shared = 0;
    g->epilogue = SQ_EPILOGUE_AUTO;
    g->micro = (sq_micro){.vector = -1, .lanes = 1, .serial = -1, .unroll = 1, .split = 1};
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        g->micro.points[d] = 1;
}

static bool shares_loops(const sq_schedule *s)
{
    for (int i = 0; i < s->ngroups; i++)
        if (s->group[i]->shared)
            return true;
    return false;
}

int sq_apply_auto(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const sq_kernel *k = s->kernel;
    reader r = {.s = s, .why = why, .at = at, .in = SQ_NEW_ARRAY(k->arena, bool, k->nstmts + 1)};
    if (take_args(&r, call))
        return -1;
    if (r.n == 0)
        take_group(&r, g);
    if (r.how.parallel && r.how.grid)
        return sq_edit_refuse(s, why, at, -1,
                              "parallel is for a processor's threads and grid for blocks of them; "
                              "one of the two");
    if (shares_loops(s))
        return sq_edit_refuse(s, why, at, -1,
                              "groups share loops (fuse … at); auto comes before that");
    if (!k->deps)
        return sq_edit_refuse(s, why, at, -1, "the dependences are not known");
    if (loses_none(&r))
        return -1;
    sq_group *into = join(&r);
    sq_tree_plan *plan = SQ_NEW(k->arena, sq_tree_plan);
    plan->how = r.how;
    plan->calls = "";
    plan->tree = sq_auto_tree(k, into, &r.how, k->arena, why);
    if (!plan->tree)
        return -1;
    as_tree(into, plan);
    return 0;
}
