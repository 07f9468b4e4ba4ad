/* Grid, held: register tiles whose sums stay in registers across loops, and are combined among
 * threads. */
#include "codegen/lower/grid_inside.h"

static bool masks(const sq_nest *n, int d)
{
    return n->count[d].number && n->count[d].kind != SQ_COUNT_FULL;
}

/* Returns the condition that all points along a dimension exist. */
static const sq_code_expr *is_full(const sq_kernel_walk *w, const sq_nest *n, int d)
{
    const char *count = sq_arena_printf(w->arena, "@n_%s", n->group->dim[d]);
    return sq_code_compare(w->code, SQ_CODE_EQ, sq_grid_name(w, count),
                           sq_grid_number(w, sq_group_reach(n->group, d)));
}

/* Returns the condition that the points of all threads of the block exist. All threads compute the
 * same value, so that a barrier may follow. NULL: they always exist. */
static const sq_code_expr *full_for_all(const sq_kernel_walk *w, const sq_nest *n)
{
    const sq_code_expr *all = n->whole;
    for (int d = 0; d < n->group->ndim; d++) {
        bool dealt = false;
        for (int l = 0; l < n->group->nloops; l++)
            dealt |= n->group->loop[l].dim == d && n->group->loop[l].runs == SQ_LOOP_LANES;
        if (masks(n, d) && !dealt)
            all = sq_code_and(w->code, all, is_full(w, n, d));
    }
    return all;
}

/* Receives the statements of a tile as they are made. */
static void append(void *walk, sq_code *x)
{
    sq_grid_append(walk, x);
}

/* Appends the loops around the steps of a variant, between the start and the end of its sums. Steps run
 * under a guard (NULL: always). */
static sq_tile *append_steps(sq_kernel_walk *w, const sq_nest *n, const sq_node *x, const sq_variant *v,
                             const sq_code_expr *guard, const sq_code_expr *around)
{
    const sq_tile_sink sink = {.put = append, .to = w};
    sq_tile *t = sq_tile_open(n, v, w->target, guard, &sink);
    w->held = t;
    w->guard = guard;
    if (around)
        sq_grid_open_if(w, around);
    sq_grid_nodes(w, n, x->body);
    if (around)
        sq_grid_close(w);
    w->held = NULL;
    sq_tile_end(t);
    return t;
}

/* Appends the loops once, for threads that have partial sums in several warps: all reach the
 * barriers where these are combined, including threads without points. */
static void append_beside(sq_kernel_walk *w, const sq_nest *n, const sq_node *x, const sq_variant *v)
{
    int beside = sq_group_team_beside(n->group);
    sq_tile *t = append_steps(w, n, x, v, NULL, n->active);
    sq_tile_team_beside(t, sq_group_team(n->group, NULL), beside);
    sq_grid_open_if(w, sq_code_and(w->code, sq_grid_below(w, sq_grid_thread(w), sq_grid_number(w, beside)), n->active));
    sq_tile_close(t, v);
    sq_grid_close(w);
    sq_tile_free(t);
}

/* Opens the condition that this thread has the sums of a team; returns the number of conditions. */
static int open_first(sq_kernel_walk *w, const sq_group *g, int team)
{
    enum { WARP = 32 };
    bool more = sq_grid_threads_from(g, 0) > team;
    const sq_code_expr *thread = sq_grid_thread(w);
    if (team > 1)
        sq_grid_open_if(w, sq_code_compare(w->code, SQ_CODE_EQ, more ? sq_grid_rest(w, thread, WARP) : thread,
                                           sq_grid_number(w, 0)));
    return team > 1;
}

/* Appends the loops once, for points of one variant; `whole`: for those of another one unless that
 * holds. */
static void append_variant(sq_kernel_walk *w, const sq_nest *n, const sq_node *x, const sq_variant *v,
                           const sq_code_expr *whole, const sq_variant *part, const sq_code_expr *guard)
{
    sq_tile *t = append_steps(w, n, x, v, guard, NULL);
    int team = sq_group_team(n->group, NULL), opened;
    sq_tile_team(t, team);
    opened = open_first(w, n->group, team);
    if (part || guard) {
        sq_grid_open_if(w, part ? whole : guard);
        opened++;
    }
    sq_tile_close(t, v);
    if (part) {
        sq_grid_else(w);
        sq_grid_open_if(w, n->active);
        sq_tile_close(t, part);
        sq_grid_close(w);
    }
    sq_grid_close_all(w, opened);
    sq_tile_free(t);
}

/* Appends the variants of a tile whose points may be missing: `whole` is the condition that all exist. */
static void append_both(sq_kernel_walk *w, const sq_nest *n, const sq_node *x, const sq_variant *all,
                        const sq_code_expr *whole, bool meets)
{
    const sq_variant part = sq_lower_variant(n, true);
    if (meets && sq_tile_reads_shared(n) && !sq_tile_resumes(n)) {
        append_variant(w, n, x, all, whole, &part, NULL);
        return;
    }
    sq_grid_open_if(w, whole);
    append_variant(w, n, x, all, NULL, NULL, NULL);
    sq_grid_else(w);
    append_variant(w, n, x, &part, NULL, NULL, meets ? n->active : NULL);
    sq_grid_close(w);
}

void sq_grid_held(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    const sq_variant all = sq_lower_variant(n, false);
    bool meets = sq_node_meets(x->body);
    sq_code *block = sq_code_new(w->code, SQ_CODE_BLOCK);
    block->part = sq_lower_inlined(n, w->target);
    sq_grid_open(w, block);
    if (x->meets) {
        append_beside(w, n, x, &all);
    } else {
        const sq_code_expr *own = sq_lower_counts(n, -1, &w->scope->list),
                           *whole = meets ? full_for_all(w, n) : own;
        if (whole)
            append_both(w, n, x, &all, whole, meets);
        else
            append_variant(w, n, x, &all, NULL, NULL, NULL);
    }
    sq_grid_close(w);
}
