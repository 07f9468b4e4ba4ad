/* Schedule -> canonical script: the same schedule always gives the same text, and the text applied
 * to the naive schedule gives the schedule again. Calls come in the order
 *     fuse, micro(), tile, order, pack, micro, vectorize, unroll, split, hold, parallel, block,
 *     thread, share, epilogue
 * and only where they differ from the defaults; `fuse(… at loop)` comes last, when its loops exist. */
#include "ir/schedule/schedule.h"
#include "ir/schedule/tree.h"
#include "support/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_point_loop(const sq_group *g, int l)
{
    return strcmp(g->loop[l].name, g->dim[g->loop[l].dim]) == 0;
}

/* Prints the comma between the items of a list. */
static void comma(sq_text *to, int *n)
{
    if ((*n)++ > 0)
        sq_text_puts(to, ", ");
}

/* Prints the blank between two calls, nothing before the first of a line. */
static void call(sq_text *to, const char *name)
{
    if (to->n > 0 && to->s[to->n - 1] != '\n')
        sq_text_puts(to, " ");
    sq_text_printf(to, "%s(", name);
}

/* Returns the number that tile() appended to the dimension's name. */
static int number_of(const sq_group *g, int l)
{
    return atoi(g->loop[l].name + strlen(g->dim[g->loop[l].dim]));
}

/* Returns the tile loop to list in the place of l. tile() numbers the loops of a dimension in the
 * order of its arguments, so they are listed by number, even if order() has permuted them. */
static int listed_at(const sq_group *g, int l)
{
    int before = 0;
    for (int i = 0; i < l; i++)
        before += g->loop[i].dim == g->loop[l].dim && !is_point_loop(g, i);
    for (int i = 0; i < g->nloops; i++) {
        int smaller = 0;
        for (int j = 0; j < g->nloops; j++)
            smaller += g->loop[j].dim == g->loop[l].dim && !is_point_loop(g, j) &&
                       number_of(g, j) < number_of(g, i);
        if (g->loop[i].dim == g->loop[l].dim && !is_point_loop(g, i) && smaller == before)
            return i;
    }
    return l;
}

/* Tiles that a statement of a tree has from auto() are there before. */
static void print_tiles(const sq_group *g, const sq_group *naive, sq_text *to)
{
    int n = 0;
    for (int l = 0; l < g->nloops; l++) {
        const sq_loop *listed = &g->loop[listed_at(g, l)];
        if (is_point_loop(g, l) || sq_group_loop(naive, listed->name) >= 0)
            continue;
        if (n == 0)
            call(to, "tile");
        comma(to, &n);
        sq_text_printf(to, "%s:%lld", g->dim[listed->dim], (long long)listed->step);
    }
    if (n)
        sq_text_puts(to, ")");
}

/* True if the order is the default one after tile and micro: the tile loops, then the points in
 * order of dimension. */
static bool order_follows(const sq_group *g)
{
    int last = -1;
    for (int l = 0; l < g->nloops; l++) {
        bool point = is_point_loop(g, l);
        if ((!point && (last >= 0 || listed_at(g, l) != l)) || (point && g->loop[l].dim < last))
            return false;
        if (point)
            last = g->loop[l].dim;
    }
    return true;
}

static bool same_names(const sq_group *a, const sq_group *b)
{
    bool same = a->nloops == b->nloops;
    for (int l = 0; l < a->nloops && same; l++)
        same = strcmp(a->loop[l].name, b->loop[l].name) == 0;
    return same;
}

/* After rewriting, shared loops have an order of their own; otherwise tile and micro determine
 * it. */
static void print_order(const sq_group *g, const sq_group *naive, sq_text *to)
{
    int n = 0;
    if (naive->own_order ? same_names(g, naive) : order_follows(g))
        return;
    call(to, "order");
    for (int l = 0; l < g->nloops; l++) {
        comma(to, &n);
        sq_text_puts(to, g->loop[l].name);
    }
    sq_text_puts(to, ")");
}

static void print_panel(const sq_group *g, int dim, int64_t block, sq_text *to)
{
    char joined[96];
    int d = -1;
    int64_t b = 0;
    snprintf(joined, sizeof joined, "%s%lld", g->dim[dim], (long long)block);
    bool is_unambiguous = sq_group_panel(g, joined, &d, &b) && d == dim && b == block;
    sq_text_printf(to, is_unambiguous ? " %s%lld" : " %s:%lld", g->dim[dim], (long long)block);
}

static void print_packs(const sq_group *g, sq_text *to)
{
    for (int i = 0; i < g->npacks; i++) {
        const sq_pack *p = &g->pack[i];
        if (p->shared)
            continue;
        call(to, "pack");
        sq_text_printf(to, "%s at %s", p->array->name, p->loop < 0 ? "top" : g->loop[p->loop].name);
        if (p->npanels)
            sq_text_puts(to, " as");
        for (int k = 0; k < p->npanels; k++)
            print_panel(g, p->panel[k].dim, p->panel[k].block, to);
        sq_text_puts(to, ")");
    }
}

/* True if the tile holds reduction dimension d completely, even if it is a single point. */
static bool held_whole(const sq_group *g, int d)
{
    return d >= g->nfree && d != g->micro.serial && sq_group_inner_loop(g, d) < 0;
}

/* True if micro differs from that of the naive schedule, apart from the vector that micro alone
 * implies. */
static bool micro_differs(const sq_group *g, const sq_group *naive)
{
    for (int d = 0; d < g->ndim; d++) {
        int64_t points = d == g->micro.serial ? 1 : g->micro.points[d]; /* vectorize prints them */
        if (points != naive->micro.points[d] || held_whole(g, d) != held_whole(naive, d))
            return true;
    }
    return g->micro.serial != naive->micro.serial;
}

/* Returns the dimension that micro vectorizes by default: the last listed one that can be. A vector
 * dimension is listed last, so that vectorize is seldom needed. */
static int last_listed(const sq_group *g)
{
    int last = -1;
    for (int d = 0; d < g->nfree; d++)
        if (g->micro.points[d] > 1 && (last < 0 || last != g->micro.vector))
            last = d;
    return last;
}

static void print_micro(const sq_group *g, sq_text *to)
{
    int n = 0, last = last_listed(g);
    call(to, "micro");
    for (int d = 0; d < g->ndim; d++) {
        if (d == last || d == g->micro.serial || (g->micro.points[d] == 1 && !held_whole(g, d)))
            continue;
        comma(to, &n);
        sq_text_printf(to, "%s:%lld", g->dim[d], (long long)g->micro.points[d]);
    }
    if (last >= 0) {
        comma(to, &n);
        sq_text_printf(to, "%s:%lld", g->dim[last], (long long)g->micro.points[last]);
    }
    if (g->micro.serial >= 0)
        sq_text_printf(to, "%s| %s", n ? " " : "", g->dim[g->micro.serial]);
    sq_text_puts(to, ")");
}

/* Prints the matrix instruction, or vectorize if micro alone would choose otherwise. */
static void print_vector(const sq_group *g, bool micro_printed, sq_text *to)
{
    const sq_micro *m = &g->micro;
    const sq_tensor *x = &m->tensor;
    if (x->m > 0) {
        call(to, "tensorize");
        sq_text_printf(to, "%s:%d, %s:%d, %s:%d)", g->dim[x->rows], x->m, g->dim[x->columns], x->n,
                       g->dim[m->serial], x->k);
        return;
    }
    int last = micro_printed ? last_listed(g) : -1;
    int lanes = last >= 0 ? sq_group_lanes(g, m->points[last]) : 1;
    int vector = lanes > 1 ? last : -1;
    if (m->vector == vector && (vector < 0 || m->lanes == lanes))
        return;
    call(to, "vectorize");
    if (m->vector < 0)
        sq_text_printf(to, "%s:1)", g->dim[vector]);
    else
        sq_text_printf(to, "%s:%d)", g->dim[m->vector], m->lanes);
}

/* Prints the loops of one kind in one call. */
static void print_runs(const sq_group *g, sq_loop_kind runs, const char *name, sq_text *to)
{
    int n = 0;
    int64_t rows = 0;
    for (int l = 0; l < g->nloops; l++) {
        if (g->loop[l].runs != runs)
            continue;
        rows = g->loop[l].rows ? g->loop[l].rows : rows;
        if (n == 0)
            call(to, name);
        comma(to, &n);
        sq_text_puts(to, g->loop[l].name);
        if (g->loop[l].threads > 0)
            sq_text_printf(to, ":%d", g->loop[l].threads);
    }
    if (rows)
        sq_text_printf(to, ", group:%lld", (long long)rows);
    if (n)
        sq_text_puts(to, ")");
}

/* True if one call makes both copies: at one loop, with the same padding and stages. */
static bool together(const sq_pack *a, const sq_pack *b)
{
    return a->shared && b->shared && a->loop == b->loop && a->pad == b->pad &&
           a->stages == b->stages;
}

static void print_shares(const sq_group *g, sq_text *to)
{
    for (int i = 0; i < g->npacks; i++) {
        const sq_pack *p = &g->pack[i];
        if (!p->shared || (i > 0 && together(p, p - 1)))
            continue;
        call(to, "share");
        sq_text_puts(to, p->array->name);
        for (int k = i + 1; k < g->npacks && together(p, &g->pack[k]); k++)
            sq_text_printf(to, ", %s", g->pack[k].array->name);
        sq_text_printf(to, " at %s", p->loop < 0 ? "top" : g->loop[p->loop].name);
        if (p->pad)
            sq_text_printf(to, ", pad:%d", p->pad);
        if (p->stages > 1)
            sq_text_printf(to, ", stages:%d", p->stages);
        sq_text_puts(to, ")");
    }
}

static void print_rest(const sq_group *g, sq_text *to)
{
    const sq_micro *m = &g->micro;
    const char *names[] = {"", "first", "last"};
    struct {
        const char *name;
        int n;
    } steps[] = {{"unroll", m->unroll}, {"split", m->split}};
    for (int i = 0; i < 2; i++) {
        if (steps[i].n <= 1 || m->serial < 0)
            continue;
        call(to, steps[i].name);
        sq_text_printf(to, "%s:%d)", g->dim[m->serial], steps[i].n);
    }
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].held) {
            call(to, "hold");
            sq_text_printf(to, "%s)", g->loop[l].name);
        }
    print_runs(g, SQ_LOOP_THREADS, "parallel", to);
    print_runs(g, SQ_LOOP_BLOCKS, "block", to);
    print_runs(g, SQ_LOOP_LANES, "thread", to);
    print_shares(g, to);
    if (g->epilogue != SQ_EPILOGUE_AUTO) {
        call(to, "epilogue");
        sq_text_printf(to, "%s)", names[g->epilogue]);
    }
}

static void put_calls(const sq_group *g, sq_text *to)
{
    if (*g->plan->calls)
        sq_text_printf(to, "%s%s", to->n > 0 && to->s[to->n - 1] != '\n' ? " " : "", g->plan->calls);
}

/* Prints auto(all, …) or auto(S0, S1, …), without either if the kernel has one group anyway, and what changed
 * single loops of its tree. */
static void print_auto(const sq_schedule *s, const sq_group *g, const sq_schedule *naive,
                       sq_text *to)
{
    const sq_auto *how = &g->plan->how;
    int n = 0;
    bool all = g->nstmts == s->kernel->nstmts;
    if (g->plan->written) {
        put_calls(g, to);
        return;
    }
    call(to, "auto");
    if (all && naive->ngroups > 1) {
        comma(to, &n);
        sq_text_puts(to, "all");
    }
    for (int i = 0; i < g->nstmts && !all; i++) {
        comma(to, &n);
        sq_text_puts(to, g->stmt[i]->name);
    }
    comma(to, &n);
    sq_text_printf(to, "fuse:%s", sq_fuse_strategy_name(how->fuse));
    if (how->keep)
        sq_text_printf(to, ", keep:%d", how->keep);
    for (int i = 0; i < how->ntiles; i++)
        sq_text_printf(to, ", tile:%lld", (long long)how->tile[i]);
    if (how->grid)
        sq_text_printf(to, ", grid:%d", how->grid);
    sq_text_puts(to, how->parallel ? ", parallel)" : ")");
    put_calls(g, to);
}

static const sq_group *naive_of(const sq_schedule *naive, const sq_stmt *stmt)
{
    for (int i = 0; i < naive->ngroups; i++)
        if (naive->group[i]->stmt[0] == stmt)
            return naive->group[i];
    return NULL;
}

static void print_fused(const sq_group *g, const sq_group *naive, sq_text *to)
{
    int n = 0;
    if (g->nstmts < 2 || g->kind != SQ_GROUP_TILED || (naive && naive->nstmts == g->nstmts))
        return;
    call(to, "fuse");
    for (int i = 0; i < g->nstmts; i++) {
        comma(to, &n);
        sq_text_puts(to, g->stmt[i]->name);
    }
    sq_text_puts(to, ")");
}

/* Prints groups that share loops, from the first of them on. */
static void print_run(const sq_schedule *s, const sq_schedule *naive, int head, sq_text *to)
{
    int n = 0, length = sq_fusion_length(s, head);
    if (s->group[head]->shared > 0 || length == 1)
        return;
    const sq_group *second = naive_of(naive, s->group[head + 1]->stmt[0]);
    if (second && second->shared > 0)
        return; /* made by rewriting */
    sq_text_puts(to, to->n > 0 ? "\nfuse(" : "fuse(");
    for (int i = 0; i < length; i++) {
        comma(to, &n);
        sq_text_puts(to, s->group[head + i]->stmt[0]->name);
    }
    sq_text_printf(to, " at %s)", s->group[head]->loop[sq_fusion_shared(s, head) - 1].name);
}

/* True if a reduction has a loop that the naive schedule has in the tile: micro() then comes first,
 * which makes the loop, so that the other calls can name it. */
static bool gives_back(const sq_group *g, const sq_group *naive)
{
    for (int d = naive->nfree; d < naive->ndim; d++)
        if (sq_group_loop(naive, naive->dim[d]) < 0 && sq_group_loop(g, g->dim[d]) >= 0)
            return true;
    return false;
}

/* Returns a group with a loop for every dimension, and none in the tile. */
static sq_group emptied(const sq_group *naive)
{
    sq_group x = *naive;
    x.micro.serial = -1;
    x.nloops = 0;
    for (int d = 0; d < x.ndim; d++) {
        x.micro.points[d] = 1;
        x.loop[x.nloops++] = (sq_loop){.name = x.dim[d], .dim = d, .step = 1};
    }
    return x;
}

static void print_group(const sq_group *g, const sq_group *naive, sq_text *to)
{
    sq_group empty;
    if (gives_back(g, naive)) {
        sq_text_puts(to, "micro()");
        empty = emptied(naive);
        naive = &empty;
    }
    bool micro = micro_differs(g, naive);
    print_tiles(g, naive, to);
    print_order(g, naive, to);
    print_packs(g, to);
    if (micro)
        print_micro(g, to);
    print_vector(g, micro, to);
    print_rest(g, to);
}

/* Prints what has changed the loops that single statements have by themselves. */
static void put_nests(const sq_group *g, sq_text *to)
{
    for (int i = 0; i < g->nstmts; i++) {
        const sq_tree_nest *n = sq_tree_nest_of(g->plan->tree, i);
        sq_text line = {0};
        if (n)
            print_group(n->schedule->group[0], n->schedule->start->group[0], &line);
        if (n && line.n == 0) /* it is as it starts, which some call has to say */
            print_micro(n->schedule->group[0], &line);
        if (line.n > 0)
            sq_text_printf(to, "%s%s: %s", to->n > 0 ? "\n" : "", g->stmt[i]->name, sq_text_str(&line));
        sq_text_free(&line);
    }
}

void sq_group_print_marks(const sq_group *g, sq_text *to)
{
    put_calls(g, to);
    put_nests(g, to);
}

static void print_all(const sq_schedule *s, const sq_schedule *naive, sq_text *to)
{
    for (int i = 0; i < s->ngroups; i++)
        if (s->group[i]->kind == SQ_GROUP_TREE)
            print_auto(s, s->group[i], naive, to);
        else
            print_fused(s->group[i], naive_of(naive, s->group[i]->stmt[0]), to);
    for (int i = 0; i < s->ngroups; i++) {
        const sq_group *g = s->group[i], *before = naive_of(naive, g->stmt[0]);
        sq_text line = {0};
        if (g->kind == SQ_GROUP_TREE)
            put_nests(g, to);
        if (!before || g->kind != SQ_GROUP_TILED)
            continue;
        print_group(g, before, &line);
        if (line.n > 0 && to->n > 0)
            sq_text_puts(to, s->ngroups > 1 ? "\n" : " ");
        if (line.n > 0 && s->ngroups > 1)
            sq_text_printf(to, "%s: ", g->stmt[0]->name);
        sq_text_puts(to, sq_text_str(&line));
        sq_text_free(&line);
    }
    for (int i = 0; i < s->ngroups; i++)
        print_run(s, naive, i, to);
}

/* Prints the canonical script: on one line for one group, else a line for fuse and one per group,
 * each starting with a statement's name. */
void sq_schedule_print(const sq_schedule *s, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const sq_schedule *naive = s->start ? s->start : sq_schedule_new(s->kernel, arena);
    sq_text script = {0};
    if (s->rewritten)
        sq_text_puts(&script, s->rewritten);
    if (naive)
        print_all(s, naive, &script);
    sq_text_puts(to, sq_text_str(&script));
    sq_text_free(&script);
    sq_arena_free(arena);
}
