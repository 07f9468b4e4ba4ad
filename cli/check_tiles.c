/* Check tiles: see check_tiles.h. */
#include "cli/check_tiles.h"
#include "ir/schedule/tree.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add(sq_tiles *t, int64_t tile, const char *name)
{
    for (int i = 0; i < t->n; i++)
        if (t->tile[i] == tile)
            return;
    if (tile < 2 || t->n == SQ_MAX_TILES)
        return;
    t->tile[t->n] = tile;
    t->name[t->n++] = name;
}

static void of_tree(const sq_group *g, int64_t vector_bytes, sq_tiles *t)
{
    const sq_auto *how = &g->plan->how;
    t->unit = larger(1, vector_bytes / larger(1, sq_group_bytes(g)));
    for (int i = 0; i < how->ntiles; i++)
        add(t, how->tile[i], "auto");
}

void sq_tiles_of(const sq_group *g, int d, int64_t vector_bytes, sq_tiles *t)
{
    const sq_micro *u = &g->micro;
    *t = (sq_tiles){.unit = 1};
    if (g->plan) {
        of_tree(g, vector_bytes, t);
        return;
    }
    if (g->kind != SQ_GROUP_TILED || d >= g->ndim)
        return;
    t->unit = larger(1, u->points[d]);
    if (u->vector == d)
        t->unit = larger(t->unit, u->lanes);
    if (u->serial == d)
        t->unit = larger(t->unit, (int64_t)u->unroll * u->split);
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].dim == d)
            add(t, g->loop[l].step, g->loop[l].name);
    for (int i = 0; i < g->npacks; i++)
        for (int b = 0; b < g->pack[i].npanels; b++)
            if (g->pack[i].panel[b].dim == d)
                add(t, g->pack[i].panel[b].block, g->dim[d]);
}
