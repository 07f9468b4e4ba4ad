/* Draft, auto: first choices for statements that no register tile serves: C loops that are no
 * perfect nest, and nests that carry what they compute. auto() orders them; tiles are worth their
 * bounds once the arrays in use do not fit the second cache. Where the model expects much more of it, products among
 * them get register tiles, or the loops stay as written. Where no other order is found they run as written, too, and
 * the emitted text says so. */
#include "codegen/instructions.h"
#include "ir/kernel/shared_loops.h"
#include "transforms/distribute.h"
#include "transforms/forward.h"
#include "transforms/transform.h"
#include "tuner/model/draft_loops.h"
#include "tuner/model/draft_tree.h"
#include <math.h>

enum {
    MOST_SKEWED = 10,     /* statements: orders of more of them take isl too long to find by skewing */
    LEAST_LANES = 2,      /* points of a tile that vectors compute */
    MOST_DISTRIBUTED = 7  /* statements that are tried in loops of their own */
};
static const double least_gain = 0.7; /* of an order to that of auto(), of which the model knows less */

void sq_draft_forward(sq_schedule *s, sq_arena *a, sq_text *script)
{
    sq_forwarded *list;
    const char *call;
    sq_forward_find(s, a, &list, &call);
    if (*call && sq_script_try(s, call, a))
        sq_text_printf(script, "%s ", call);
}

/* True if the statements of C loops may be computed together, tile by tile: one pass in vectors
 * then does what loops shared point by point, or a pass for each, would. */
static bool in_one_tile(const sq_schedule *s, const sq_group *g, const char *apart, sq_arena *a)
{
    bool same = g->kind == SQ_GROUP_WRITTEN && g->nstmts > 1 && g->nstmts <= SQ_MAX_ARGS;
    const char *script = sq_arena_printf(a, "%s fuse(", apart);
    for (int i = 0; i < g->nstmts && same; i++) {
        const sq_stmt *x = g->stmt[i];
        same = x->ndim == g->stmt[0]->nfree && !x->updates && !x->nindex && sq_draft_all_in_lanes(x) &&
               !sq_draft_wants_loop(x);
        script = sq_arena_printf(a, "%s%s%s", script, i ? ", " : "", x->name);
    }
    if (!same || g->stmt[0]->ndim == 0)
        return false;
    const char *inner = g->stmt[0]->dim[g->stmt[0]->ndim - 1];
    script = sq_arena_printf(a, "%s) micro(%s:%d)", script, inner, LEAST_LANES);
    return sq_script_try(sq_schedule_copy(s, a), script, a);
}

/* The statements of a group that write scalars of their own: what they write needs no memory where
 * all of the group is one tile. "expand(S0, S1) ", or "" where there is none. */
static const char *expansion(const sq_group *g, sq_arena *a)
{
    const char *call = "";
    for (int i = 0; i < g->nstmts; i++) {
        const sq_array *t = g->stmt[i]->write->array;
        if (t->role == SQ_LOCAL && t->ndim == 0)
            call = sq_arena_printf(a, "%s%s%s", call, *call ? ", " : "expand(", g->stmt[i]->name);
    }
    return *call ? sq_arena_printf(a, "%s) ", call) : "";
}

/* What gives the statements of a group nests of their own, where that pays; NULL where not. */
static const char *distribution(const sq_schedule *s, const sq_group *g, sq_arena *a)
{
    const char *call = sq_arena_printf(a, "distribute(%s)", g->stmt[0]->name);
    if (sq_distribute_pays(s->kernel, g) || in_one_tile(s, g, call, a))
        return call;
    const char *expand = expansion(g, a);
    call = sq_arena_printf(a, "%s%s", expand, call);
    return *expand && in_one_tile(s, g, call, a) ? call : NULL;
}

void sq_draft_distribute(sq_schedule *s, sq_arena *a, sq_text *script)
{
    for (int g = 0; g < s->ngroups;) {
        const char *call = s->kernel->deps ? distribution(s, s->group[g], a) : NULL;
        if (call && sq_script_try(s, call, a)) {
            sq_text_printf(script, "%s ", call);
            g = 0; /* its statements have other groups now */
        } else {
            g++;
        }
    }
}

/* "auto(…)" for a group, with `more` before what tiles of that machine (NULL: none) and threads
 * add. */
static const char *call_of(const sq_schedule *s, const sq_group *g, const char *more,
                           const sq_machine *tiles, int threads, sq_arena *a)
{
    const char *own = s->ngroups > 1 ? sq_arena_printf(a, "%s: ", g->stmt[0]->name) : "";
    const char *sizes = tiles ? sq_arena_printf(a, ", tile:%d, tile:%d", tiles->cost->tree_rows,
                                                tiles->cost->tree_along)
                              : "";
    return sq_arena_printf(a, "%sauto(%s%s%s)", own, more, sizes, threads > 1 ? ", parallel" : "");
}

/* Statements with an innermost loop of their own that may be vectors. */
static int in_lanes(const sq_tree *t)
{
    const sq_member *last = t->nmembers ? &t->member[t->nmembers - 1] : NULL;
    int n = 0;
    if (t->kind == SQ_TREE_BAND && t->nstmts == 1 && (last->vector || last->lanes_sum))
        return 1;
    for (int c = 0; c < t->nchildren; c++)
        n += in_lanes(t->child[c]);
    return n;
}

static const sq_tree *tree_of(const sq_schedule *s, int group)
{
    const sq_group *g = s->group[group];
    return g->kind == SQ_GROUP_TREE ? g->plan->tree : NULL;
}

/* Fusion that keeps values in cache costs more than it saves where it takes lanes away: separately,
 * more statements may be vectors. The call for that, or NULL. */
static const char *apart(const sq_schedule *before, const sq_schedule *fused, int group,
                         const sq_machine *tiles, int threads, sq_arena *a)
{
    const sq_tree *t = tree_of(fused, group);
    const sq_group *g = before->group[group];
    if (!t || g->nstmts > MOST_DISTRIBUTED || in_lanes(t) == g->nstmts)
        return NULL;
    sq_schedule *s = sq_schedule_copy(before, a);
    const char *call = call_of(s, g, "fuse:min", tiles, threads, a);
    if (!sq_script_try(s, call, a) || !tree_of(s, group))
        return NULL;
    const sq_tree *u = tree_of(s, group);
    return in_lanes(u) > in_lanes(t) && sq_tree_shared(u) == sq_tree_shared(t) ? call : NULL;
}

/* One pass for threads over what streams: all loops as they are written. */
static bool keeps_all(sq_schedule *s, const sq_group *g, int threads, sq_arena *a, sq_text *script)
{
    int loops = sq_draft_depth(g->stmt[0]);
    const char *call = call_of(s, g, sq_arena_printf(a, "keep:%d", loops), NULL, threads, a);
    bool found = loops > 1 && sq_draft_goes_along(s->kernel, g, loops) && sq_script_try(s, call, a);
    if (found)
        sq_text_printf(script, "%s ", call);
    return found;
}

/* The first that is found, or the same statements separately; NULL: none is. Skewing many statements at once
 * against the loop around them is more work than it is worth. */
static const char *first_order(const sq_draft_context *c, const sq_schedule *s, int group)
{
    static const char *const serial[] = {"fuse:smart", "fuse:smart, keep:1", "fuse:min, keep:1"};
    static const char *const shared[] = {"fuse:smart", "fuse:min, keep:1", "fuse:smart, keep:1"};
    const char *const *more = c->threads > 1 ? shared : serial; /* shifts cost loops for threads */
    const sq_group *g = s->group[group];
    const sq_machine *tiles = sq_draft_large(s->kernel, g, c->machine, c->sizes) ? c->machine : NULL;
    for (int i = g->nstmts > MOST_SKEWED; i < 3; i++) {
        const char *call = call_of(s, g, more[i], tiles, c->threads, c->arena);
        sq_schedule *fused = sq_schedule_copy(s, c->arena);
        if (!sq_script_try(fused, call, c->arena))
            continue;
        const char *other = i == 0 ? apart(s, fused, group, tiles, c->threads, c->arena) : NULL;
        return other ? other : call;
    }
    return NULL;
}

/* Prices the order that a call makes; "": as written. False if it, or its tiles, are refused, or if threads share no
 * loop where they have to. */
static bool price(const sq_draft_context *c, const sq_schedule *s, int group, const char *call, bool is_shared,
                  sq_draft_order *o)
{
    sq_schedule *trial = sq_schedule_copy(s, c->arena);
    *o = (sq_draft_order){.calls = call, .marks = "", .seconds = INFINITY};
    if ((*call && !sq_script_try(trial, call, c->arena)) || !sq_draft_order_price(c, trial, group, o))
        return false;
    return (!*o->marks || sq_script_try(trial, o->marks, c->arena)) && (!is_shared || sq_schedule_shared(trial));
}

/* True if each statement has the loops that it was written in, shared with others or not. */
static bool are_as_written(const sq_group *g, const sq_tree *t)
{
    for (int i = 0; i < g->nstmts; i++) {
        int next = 0;
        for (const sq_tree *x = t; x->kind != SQ_TREE_LEAF;) {
            for (int m = 0; m < x->nmembers; m++)
                if (x->kind == SQ_TREE_TILE || sq_row_counted(g->stmt[i], &x->member[m].row[i]) != next++)
                    return false;
            const sq_tree *inside = NULL;
            for (int c = 0; c < x->nchildren && !inside; c++)
                inside = sq_tree_holds(x->child[c], i) ? x->child[c] : NULL;
            if (!inside)
                return false;
            x = inside;
        }
    }
    return true;
}

/* True if an order does nothing but give statements loops of their own, and these execute more than the loops that they
 * were written in: each loads again, and asks again, what they share. */
static bool only_repeats(const sq_draft_context *c, const sq_schedule *s, int group, const char *call)
{
    sq_schedule *trial = sq_schedule_copy(s, c->arena);
    if (c->threads > 1 || !sq_script_try(trial, call, c->arena) || !tree_of(trial, group) ||
        !are_as_written(s->group[group], tree_of(trial, group)))
        return false;
    double together = sq_instructions_of(s, group, c->target, c->arena),
           own = sq_instructions_of(trial, group, c->target, c->arena);
    return together > 0 && together < own;
}

/* Returns the number of outer loops, two or more, that all statements of a group share; 0: there are less. */
static int shared_loops(const sq_group *g)
{
    int n = sq_draft_depth(g->stmt[0]) - 1;
    for (int i = 1; i < g->nstmts; i++)
        for (; n > 0; n--) {
            const sq_stmt *a = g->stmt[0], *b = g->stmt[i];
            bool same = n < sq_draft_depth(b) && sq_stmts_share_loops(a, b, n);
            for (int d = 0; d < n && same; d++)
                same = sq_stmt_place_inside(a, d) == sq_stmt_place_inside(b, d);
            if (same)
                break;
        }
    return g->nstmts > 1 && n > 1 ? n : 0;
}

/* The order for a group: that of auto(), unless the loops as they are written, or those around each statement by
 * itself, with register tiles or without, take much less by the model. *found: there is another one than as written. */
static sq_draft_order best_order(const sq_draft_context *c, const sq_schedule *s, int group, bool *found)
{
    const sq_group *g = s->group[group];
    const char *first = first_order(c, s, group);
    const char *call[4] = {"", call_of(s, g, "fuse:min, keep:1", NULL, c->threads, c->arena)};
    int n = 2, shared = shared_loops(g);
    if (c->threads > 1) /* threads share the loops of all, or those of register tiles */
        call[n++] = call_of(s, g, "fuse:min, keep:1", NULL, 1, c->arena);
    if (shared)
        call[n++] = call_of(s, g, sq_arena_printf(c->arena, "fuse:min, keep:%d", shared), NULL, c->threads, c->arena);
    sq_draft_order best = {first ? first : "", "", INFINITY}, other;
    *found = first != NULL;
    if (!sq_draft_has_product(g)) {
        if (first && g->nstmts > 1 && only_repeats(c, s, group, first))
            best.calls = "";
        return best;
    }
    bool is_shared = c->threads > 1 && first; /* other orders are no choice that leave all to one thread */
    double limit = first && price(c, s, group, first, false, &best) ? best.seconds * least_gain : INFINITY;
    for (int i = 0; i < n; i++)
        if (price(c, s, group, call[i], is_shared, &other) && other.seconds < fmin(limit, best.seconds))
            best = other;
    return best;
}

static void choose(const sq_draft_context *c, sq_schedule *s, int group, sq_text *script)
{
    bool found;
    if (c->threads > 1 && keeps_all(s, s->group[group], c->threads, c->arena, script))
        return;
    sq_draft_order o = best_order(c, s, group, &found);
    const char *calls = sq_arena_printf(c->arena, "%s%s%s", o.calls, *o.calls && *o.marks ? " " : "", o.marks);
    if (*calls && (sq_script_try(s, calls, c->arena) || sq_script_try(s, calls = o.calls, c->arena)))
        sq_text_printf(script, "%s ", calls);
    else
        s->group[group]->note = sq_arena_strdup(c->arena, found ? "by the model no other order is faster"
                                                                : "no other order was found within the limits");
}

void sq_draft_auto(sq_schedule *s, const sq_machine *m, const sq_target *t, int threads, sq_arena *a,
                   sq_text *script)
{
    int64_t sizes[64];
    const sq_draft_context c = {m, t, threads, sizes, a};
    if (!s->kernel->deps)
        return;
    sq_nominal_sizes(s->kernel, sizes);
    for (int g = 0; g < s->ngroups; g++)
        if (sq_draft_by_loops(s->kernel, s->group[g], threads) &&
            !sq_draft_streams(s->kernel, s->group[g], threads))
            choose(&c, s, g, script);
}
