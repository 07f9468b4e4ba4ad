/* Legal loop kinds: which loops threads, blocks and the threads of a block may share, by form.
 * legal_deps.c checks that they carry no dependence. */
#include "ir/dependence/legal.h"
#include "ir/dependence/tensor.h"

/* Inside the tile threads of a block may share a reduction, of which each has a partial sum. */
static int reduces_nothing(const sq_schedule *s, const sq_group *g, const char **why)
{
    int held = sq_group_held(g);
    for (int l = 0; l < g->nloops; l++) {
        bool lanes = g->loop[l].runs == SQ_LOOP_LANES;
        if (g->loop[l].runs == SQ_LOOP_SERIAL || g->loop[l].dim < g->nfree || (lanes && l >= held))
            continue;
        return sq_illegal(s, why,
                          "'%s' runs over the reduction dimension '%s': threads would "
                          "add to the same elements at once%s",
                          g->loop[l].name, g->dim[g->loop[l].dim],
                          lanes ? sq_arena_printf(s->kernel->arena,
                                                  "; hold(%s) gives each a part of the sum, and "
                                                  "they put the parts together",
                                                  g->loop[l].name)
                                : "");
    }
    return 0;
}

/* True if threads of a block share loops that the group shares with others. */
static bool in_threads(const sq_schedule *s, const sq_group *g)
{
    int at = 0;
    while (s->group[at] != g)
        at++;
    int shared = sq_fusion_shared(s, sq_fusion_head(s, at));
    for (int l = 0; l < shared; l++)
        if (g->loop[l].runs == SQ_LOOP_LANES)
            return true;
    return false;
}

/* Checks the loops outside of the one that a team shares. Either a warp has each sum, or whole
 * warps are along these loops and the partial sums of a sum are in different warps, all of which
 * reach the block's barriers. */
static int beside_team(const sq_schedule *s, const sq_group *g, int shared, int n, const char **why)
{
    int beside = sq_group_team_beside(g);
    const char *name = g->loop[shared].name;
    for (int l = 0; l < g->nloops; l++) {
        if (l == shared || g->loop[l].runs != SQ_LOOP_LANES)
            continue;
        if (l > shared)
            return sq_illegal(s, why,
                              "threads share the reduction's loop '%s' and '%s' inside of it; one "
                              "of the two",
                              name, g->loop[l].name);
        if (n != SQ_WARP && (beside % SQ_WARP || !sq_loop_covers(g, l)))
            return sq_illegal(s, why,
                              "'%s' has %d threads and '%s' has some, too: then a warp has each "
                              "sum, thread(%s:32), or whole warps lie along a tile of '%s'",
                              name, n, g->loop[l].name, name, g->loop[l].name);
    }
    for (int d = 0; d < g->ndim && beside > 1; d++)
        if (g->micro.points[d] > 1)
            return sq_illegal(s, why,
                              "threads of several warps share the reduction's loop '%s': each has "
                              "one sum, and no more points of '%s'",
                              name, g->dim[d]);
    return 0;
}

/* Threads that share a reduction combine their partial sums by shuffles within warps, and through
 * memory between warps, with a barrier of the whole block. */
static int team(const sq_schedule *s, const sq_group *g, const char **why)
{
    int shared = -1, n = sq_group_team(g, &shared);
    if (shared < 0)
        return 0;
    const char *name = g->loop[shared].name;
    if (g->stmt[0]->ordered)
        return sq_illegal(s, why,
                          "fp strict keeps the order of a reduction, so no threads share '%s', "
                          "each with a part of the sum",
                          name);
    if (sq_group_team_beside(g) == 1 && (n < SQ_WARP || n > 1024 || (n & (n - 1))))
        return sq_illegal(s, why,
                          "%d threads share the reduction's loop '%s'; 32, 64, … 1024 can: whole "
                          "warps exchange their parts",
                          n, name);
    if (beside_team(s, g, shared, n, why) < 0)
        return -1;
    if (sq_group_partial_sums(g))
        return sq_illegal(s, why,
                          "'%s' is shared by threads, but partial sums pass through memory: "
                          "hold the outermost loop of the reduction",
                          name);
    for (int i = 0; i < g->npacks; i++)
        if (g->pack[i].shared)
            return sq_illegal(s, why,
                              "threads share the reduction's loop '%s', so they cannot copy %s "
                              "together in it",
                              name, g->pack[i].array->name);
    if (in_threads(s, g))
        return sq_illegal(s, why,
                          "'%s' is shared by threads inside of a loop that threads share with "
                          "other statements, where the block cannot meet",
                          name);
    return 0;
}

/* Checks one loop against those outside of it. */
static int inside_of(const sq_schedule *s, const sq_group *g, int in, int out, const char **why)
{
    const sq_loop *a = &g->loop[out], *b = &g->loop[in];
    bool grid = a->runs >= SQ_LOOP_BLOCKS || b->runs >= SQ_LOOP_BLOCKS;
    if (grid && (a->runs == SQ_LOOP_THREADS || b->runs == SQ_LOOP_THREADS))
        return sq_illegal(s, why, "parallel is for processors; a grid has block and thread");
    if (b->runs == SQ_LOOP_BLOCKS && a->runs == SQ_LOOP_LANES)
        return sq_illegal(s, why,
                          "'%s' is shared by blocks, so it must run outside '%s', which the "
                          "threads of one block share",
                          b->name, a->name);
    if (b->runs == SQ_LOOP_BLOCKS && a->dim == b->dim)
        return sq_illegal(s, why,
                          "'%s' counts from '%s': blocks share only the outermost loop of a "
                          "dimension",
                          b->name, a->name);
    return 0;
}

/* All loops between loops that threads of a block share must be such loops: others would run in
 * some of the threads only, and the rest could not wait for them. */
static int threads_adjacent(const sq_schedule *s, const sq_group *g, const char **why)
{
    int last = -1;
    for (int l = 0; l < g->nloops; l++) {
        if (g->loop[l].runs != SQ_LOOP_LANES)
            continue;
        if (last >= 0 && last != l - 1)
            return sq_illegal(
                s, why,
                "'%s' runs between '%s' and '%s', which the threads of a block share: "
                "put it outside or inside of both",
                g->loop[l - 1].name, g->loop[last].name, g->loop[l].name);
        last = l;
    }
    return 0;
}

/* Blocks take their tiles from one number: their loops must be adjacent. */
static int blocks_adjacent(const sq_schedule *s, const sq_group *g, const char **why)
{
    int last = -1;
    for (int l = 0; l < g->nloops; l++) {
        if (g->loop[l].runs != SQ_LOOP_BLOCKS)
            continue;
        if (last >= 0 && last != l - 1)
            return sq_illegal(s, why,
                              "'%s' runs between '%s' and '%s', which blocks share: put it outside "
                              "or inside of both",
                              g->loop[l - 1].name, g->loop[last].name, g->loop[l].name);
        last = l;
    }
    return 0;
}

/* Groups consist of rows and columns of tiles: the two innermost loops of blocks. */
static int blocks_grouped(const sq_schedule *s, const sq_group *g, const char **why)
{
    for (int l = 0; l < g->nloops; l++) {
        bool next = l + 1 < g->nloops && g->loop[l + 1].runs == SQ_LOOP_BLOCKS,
             more = l + 2 < g->nloops && g->loop[l + 2].runs == SQ_LOOP_BLOCKS;
        if (g->loop[l].rows && (!next || more))
            return sq_illegal(s, why,
                              "blocks take the tiles of '%s' in groups of %lld, so one more loop "
                              "of blocks, and no other, must follow it",
                              g->loop[l].name, (long long)g->loop[l].rows);
    }
    return 0;
}

static int threads_known(const sq_schedule *s, const sq_group *g, const char **why)
{
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].runs == SQ_LOOP_LANES && sq_loop_threads(g, l) == 0)
            return sq_illegal(s, why, "say how many threads share '%s': thread(%s:32)",
                              g->loop[l].name, g->loop[l].name);
    return 0;
}

static int holds_sums(const sq_schedule *s, const sq_group *g, const char **why)
{
    int held = sq_group_held(g);
    for (int l = held; l < g->nloops; l++)
        if (g->loop[l].dim < g->nfree)
            return sq_illegal(s, why,
                              "'%s' cannot run inside the tile: %s, which is no reduction's loop",
                              g->loop[held].name,
                              l == held ? "it runs over a free dimension"
                                        : sq_arena_printf(s->kernel->arena, "inside of it is '%s'",
                                                          g->loop[l].name));
    return 0;
}

int sq_loop_kinds_legal(const sq_schedule *s, const sq_group *g, const char **why)
{
    if (reduces_nothing(s, g, why))
        return -1;
    for (int in = 0; in < g->nloops; in++)
        for (int out = 0; out < in; out++)
            if (inside_of(s, g, in, out, why))
                return -1;
    return threads_adjacent(s, g, why) || blocks_adjacent(s, g, why) || blocks_grouped(s, g, why) ||
                   threads_known(s, g, why) || holds_sums(s, g, why) || team(s, g, why)
               ? -1
               : 0;
}

/* Copies for coming iterations are asynchronous: elements without conversion, of sizes the device
 * copies, at a serial loop. All copies of a loop have stages, or none. */
static int stages_fit(const sq_schedule *s, const sq_group *g, const sq_pack *p, const char **why)
{
    int bytes = sq_type_bytes(p->array->type);
    const sq_loop *l = &g->loop[p->loop];
    if (l->runs != SQ_LOOP_SERIAL)
        return sq_illegal(
            s, why, "the copy of %s has stages, for coming iterations of '%s', which %s share",
            p->array->name, l->name, l->runs == SQ_LOOP_BLOCKS ? "blocks" : "threads");
    if (!sq_tensor_reads(g, p->array) &&
        ((bytes != 4 && bytes != 8) || sq_type_stored(p->array->type)))
        return sq_illegal(s, why,
                          "%s has elements of %d bytes; copies with stages are of 4 or 8, as "
                          "they are",
                          p->array->name, bytes);
    for (int i = 0; i < g->npacks; i++)
        if (g->pack[i].shared && g->pack[i].loop == p->loop && g->pack[i].stages != p->stages)
            return sq_illegal(s, why, "copies at '%s' go together, so %s has as many stages as %s",
                              l->name, g->pack[i].array->name, p->array->name);
    return 0;
}

/* Every thread takes part in a copy, so none may have left its loops, or run them again. */
int sq_share_legal(const sq_schedule *s, const sq_group *g, const sq_pack *p, const char **why)
{
    bool any = false;
    if (!p->shared)
        return 0;
    for (int l = 0; l < g->nloops; l++) {
        any |= g->loop[l].runs == SQ_LOOP_LANES;
        if (l <= p->loop && g->loop[l].runs == SQ_LOOP_LANES && !sq_loop_covers(g, l))
            return sq_illegal(s, why,
                              "all threads copy %s together, but they do not all run '%s' once: "
                              "its threads must cover the tile around it",
                              p->array->name, g->loop[l].name);
        if (l > p->loop && g->loop[l].runs == SQ_LOOP_BLOCKS)
            return sq_illegal(s, why,
                              "'%s' is shared by blocks: the copy of %s belongs inside of it",
                              g->loop[l].name, p->array->name);
    }
    if (!any)
        return sq_illegal(s, why, "no loop is shared by the threads of a block: thread(loop)");
    if (p->stages > 1 && stages_fit(s, g, p, why))
        return -1;
    int lanes = -1; /* the innermost loop of threads around the copy */
    for (int l = 0; l <= p->loop; l++)
        lanes = g->loop[l].runs == SQ_LOOP_LANES ? l : lanes;
    if (lanes < 0)
        return 0;
    if (g->loop[p->loop].dim < g->nfree)
        return sq_illegal(s, why,
                          "the copy of %s belongs outside of '%s', which the threads of a block "
                          "share",
                          p->array->name, g->loop[lanes].name);
    if (p->loop < sq_group_held(g))
        return sq_illegal(s, why,
                          "the copy of %s is made inside the threads' loops, so the sums have to "
                          "stay in registers: hold(%s)",
                          p->array->name, g->loop[p->loop].name);
    return 0;
}
