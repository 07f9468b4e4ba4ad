/* Border: see border.h. */
#include "codegen/nest/border.h"
#include "ir/dependence/inside.h"
#include <string.h>

/* True if a pack serves what the group reads beyond an edge: the copy has it. */
static bool packs_edges(const sq_group *g)
{
    for (int i = 0; i < g->nstmts; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(g->stmt[i], read, NULL);
        for (int r = 0; r < n; r++)
            for (int p = 0; p < g->npacks; p++)
                if (read[r]->edge != SQ_EDGE_NONE && sq_pack_serves(&g->pack[p], read[r]))
                    return true;
    }
    return false;
}

/* True if it reads copies that callers keep: of those there is one layout, and what is read at the border is in it. */
static bool packs_stored(const sq_group *g)
{
    for (int p = 0; p < g->npacks; p++)
        if (g->pack[p].array->is_packed)
            return true;
    return false;
}

/* True if tiles of several points run over the group, alone. */
static bool is_tiled(const sq_group *g)
{
    bool several = false;
    for (int d = 0; d < g->nfree; d++)
        several |= g->micro.points[d] > 1;
    return g->kind == SQ_GROUP_TILED && several && g->shared == 0 && sq_group_held(g) == g->nloops;
}

static sq_group *group_of(const sq_schedule *s, const sq_group *g, const sq_stmt *const *stmt, sq_arena *arena)
{
    sq_group *c = sq_group_copy(s, g, arena);
    memcpy(c->stmt, stmt, (size_t)g->nstmts * sizeof *stmt);
    return c;
}

static bool is_read(const sq_group *g, const sq_pack *p)
{
    bool read = false;
    for (int i = 0; i < g->nstmts; i++) {
        sq_access *all[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(g->stmt[i], all, NULL);
        for (int r = 0; r < n; r++)
            read |= sq_pack_serves(p, all[r]);
    }
    return read;
}

/* Drops copies of what is read at the border only. */
static void without_unread(sq_group *g)
{
    int n = 0;
    for (int i = 0; i < g->npacks; i++)
        if (is_read(g, &g->pack[i]))
            g->pack[n++] = g->pack[i];
    g->npacks = n;
}

/* Makes the group run point by point. */
static void without_tiles(sq_group *g, sq_arena *arena)
{
    g->nloops = g->npacks = 0;
    g->by_points = true;
    g->micro = (sq_micro){.vector = -1, .lanes = 1, .serial = -1, .unroll = 1, .split = 1};
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        g->micro.points[d] = 1;
    g->note = sq_arena_strdup(arena, "where reads leave their arrays");
}

bool sq_border_split(const sq_schedule *s, const sq_group *g, const sq_target *t, sq_arena *arena, sq_border *b)
{
    if ((t && t->grid) || !is_tiled(g) || packs_edges(g) || packs_stored(g))
        return false;
    const sq_inside *of = sq_inside_of(s->kernel, g->stmt, g->nstmts);
    if (!of)
        return false;
    b->inside = group_of(s, g, of->inside, arena);
    b->border = group_of(s, g, of->border, arena);
    without_unread(b->inside);
    without_tiles(b->border, arena);
    return true;
}
