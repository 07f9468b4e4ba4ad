/* Online, scheduling: every statement of the tiles is a group of its own that shares the loops over
 * rows and tiles with the previous one; the rescaling and the new maximum are fused with the
 * maximum. */
#include "transforms/online.h"
#include <string.h>

/* Orders the loops: those over rows, that over tiles, then the statement's own. */
static void order_loops(const sq_online_tiles *m, sq_group *g)
{
    const sq_stmt *most = m->most;
    int from[SQ_MAX_LOOPS], n = 0;
    bool listed[SQ_MAX_LOOPS] = {false};
    for (int r = 0; r <= most->nfree; r++) {
        int l = sq_group_loop(g, r < most->nfree ? most->dim[r] : m->loop);
        listed[l] = true;
        from[n++] = l;
    }
    for (int l = 0; l < g->nloops; l++)
        if (!listed[l])
            from[n++] = l;
    sq_loops_permute(g, from);
    g->own_order = true;
}

const sq_schedule *sq_online_schedule(const sq_kernel *k, const sq_online_tiles *m)
{
    sq_schedule *naive = sq_schedule_new(k, k->arena), *s = SQ_NEW(k->arena, sq_schedule);
    if (!naive)
        return NULL;
    *s = *naive;
    s->group = SQ_NEW_ARRAY(k->arena, sq_group *, k->nstmts + 1);
    s->ngroups = 0;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *st = k->stmt[i];
        bool tiles = i >= m->first && i < m->last;
        sq_group *last = s->ngroups ? s->group[s->ngroups - 1] : NULL;
        if (tiles && i > m->first && st->nfree == st->ndim &&
            st->ndim == m->most->nfree + 1) { /* scale and keep are fused with the maximum */
            last->stmt[last->nstmts++] = st;
            continue;
        }
        sq_group *g = s->group[s->ngroups++] = sq_group_new(k, st, k->arena);
        if (!tiles)
            continue;
        order_loops(m, g);
        g->shared = i > m->first ? m->most->nfree + 1 : 0;
    }
    return s;
}
