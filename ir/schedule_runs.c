/* Runs: who runs the loops of a group, and what follows from threads of a block that share the
 * register tile's vector dimension. */
#include "ir/schedule.h"

const char *sq_runs_name(sq_runs r)
{
    static const char *const name[] = {"", ", parallel", ", blocks", ", threads"};
    return name[r];
}

int sq_loop_around(const sq_group *g, int l)
{
    for (int out = l - 1; out >= 0; out--)
        if (g->loop[out].dim == g->loop[l].dim)
            return out;
    return -1;
}

int64_t sq_loop_threads(const sq_group *g, int l)
{
    int out = sq_loop_around(g, l);
    if (g->loop[l].threads > 0)
        return g->loop[l].threads;
    if (out < 0 || g->loop[out].step % g->loop[l].step)
        return 0;
    return g->loop[out].step / g->loop[l].step;
}

bool sq_loop_covers(const sq_group *g, int l)
{
    int out = sq_loop_around(g, l);
    return out >= 0 && sq_loop_threads(g, l) * g->loop[l].step == g->loop[out].step;
}

int64_t sq_group_spread(const sq_group *g)
{
    const sq_micro *m = &g->micro;
    int l = m->vector >= 0 && m->vector < g->nfree ? sq_group_inner_loop(g, m->vector) : -1;
    bool apart = l >= 0 && g->loop[l].runs == SQ_RUNS_LANES && m->points[m->vector] > m->lanes &&
                 sq_loop_covers(g, l);
    return apart ? m->lanes * sq_loop_threads(g, l) : m->lanes;
}

int64_t sq_group_reach(const sq_group *g, int d)
{
    const sq_micro *m = &g->micro;
    if (d != m->vector || m->lanes < 1 || m->points[d] <= m->lanes)
        return m->points[d];
    return (m->points[d] / m->lanes - 1) * sq_group_spread(g) + m->lanes;
}

int sq_group_held(const sq_group *g)
{
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].held)
            return l;
    return g->nloops;
}

int sq_group_team(const sq_group *g, int *loop)
{
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].runs == SQ_RUNS_LANES && g->loop[l].dim >= g->nfree) {
            if (loop)
                *loop = l;
            return (int)sq_loop_threads(g, l);
        }
    return 1;
}

bool sq_pack_outside(const sq_group *g, const sq_pack *p, int l)
{
    return l <= p->loop && !(p->shared && g->loop[l].runs == SQ_RUNS_LANES);
}
