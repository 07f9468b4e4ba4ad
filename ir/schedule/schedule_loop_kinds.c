/* Loop kinds: how the loops of a group run, and what follows if threads of a block share the
 * register tile's vector dimension. */
#include "ir/dependence/tensor.h"
#include "ir/schedule/tree.h"

const char *sq_loop_kind_name(sq_loop_kind r)
{
    static const char *const name[] = {"", ", parallel", ", blocks", ", threads"};
    return name[r];
}

bool sq_schedule_shared(const sq_schedule *s)
{
    bool shared = false;
    for (int i = 0; i < s->ngroups && !shared; i++) {
        const sq_group *g = s->group[i];
        shared = g->kind == SQ_GROUP_TREE && sq_tree_shared(g->plan->tree);
        for (int l = 0; l < g->nloops; l++)
            shared |= g->loop[l].runs == SQ_LOOP_THREADS;
    }
    return shared;
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
    if (sq_group_is_tensor(g))
        return m->vector >= 0 ? SQ_TENSOR_COLUMNS : m->lanes;
    int l = m->vector >= 0 && m->vector < g->nfree ? sq_group_inner_loop(g, m->vector) : -1;
    bool interleaved = l >= 0 && g->loop[l].runs == SQ_LOOP_LANES &&
                       m->points[m->vector] > m->lanes && sq_loop_covers(g, l);
    return interleaved ? m->lanes * sq_loop_threads(g, l) : m->lanes;
}

bool sq_group_interleaved(const sq_group *g, int d)
{
    return sq_tensor_has(g, d) || (d == g->micro.vector && sq_group_spread(g) > g->micro.lanes);
}

/* A lane has one of 8 rows, and two of 8 columns. */
int64_t sq_group_own(const sq_group *g, int d)
{
    int64_t points = g->micro.points[d];
    return !sq_tensor_has(g, d) ? points : d == g->micro.tensor.rows ? points / 8 : points / 4;
}

int64_t sq_group_place(const sq_group *g, int d, int64_t n)
{
    return !sq_tensor_has(g, d) ? n : d == g->micro.tensor.rows ? 8 * n : n / 2 * 8 + n % 2;
}

int64_t sq_group_reach(const sq_group *g, int d)
{
    const sq_micro *m = &g->micro;
    if (sq_tensor_has(g, d))
        return sq_group_place(g, d, sq_group_own(g, d) - 1) + 1;
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
        if (g->loop[l].runs == SQ_LOOP_LANES && g->loop[l].dim >= g->nfree) {
            if (loop)
                *loop = l;
            return (int)sq_loop_threads(g, l);
        }
    return 1;
}

int sq_group_team_beside(const sq_group *g)
{
    int beside = 1, shared = -1, n = sq_group_team(g, &shared);
    for (int l = 0; l < g->nloops; l++)
        if (l != shared && g->loop[l].runs == SQ_LOOP_LANES)
            beside *= (int)sq_loop_threads(g, l);
    return shared < 0 || n == SQ_WARP ? 1 : beside;
}

bool sq_pack_outside(const sq_group *g, const sq_pack *p, int l)
{
    return l <= p->loop && !(p->shared && g->loop[l].runs == SQ_LOOP_LANES);
}
