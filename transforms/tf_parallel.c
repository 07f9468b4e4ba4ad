/* parallel(loop): threads share the iterations of a loop, one per group; of a tree one on each way to a
 * statement. A loop that statements share is one loop: it becomes parallel in all of them. The caller checks
 * legality, i.e. that the loop carries no dependence and runs over no reduction. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include "transforms/tree_mark.h"
#include <string.h>

/* Returns the loop of the group, other than l, that threads share already, or NULL. */
static const char *parallel_name(const sq_group *g, int l)
{
    for (int i = 0; i < g->nloops; i++)
        if (g->loop[i].runs == SQ_LOOP_THREADS && i != l)
            return g->loop[i].name;
    return NULL;
}

/* True if the loops are one: while a script changes statements one after the other, those that share it may differ. */
static bool is_same_loop(const sq_loop *a, const sq_loop *b)
{
    return strcmp(a->name, b->name) == 0 && a->step == b->step;
}

int sq_apply_parallel(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const sq_arg *a = &call->arg[0];
    if (call->nargs != 1 || a->has_value || a->section)
        return sq_edit_refuse(s, why, at, call->nargs > 1 ? 1 : -1, "write parallel(loop)");
    at->arg = 0;
    if (g->kind != SQ_GROUP_TILED)
        return sq_tree_parallel(s, g, a, why, at);
    int l = sq_arg_loop(s, g, a, why, at);
    if (l < 0)
        return -1;
    const char *other = parallel_name(g, l);
    if (other)
        return sq_edit_refuse(s, why, at, 0, "threads share the loop '%s' already", other);
    int own = 0;
    while (s->group[own] != g)
        own++;
    int head = sq_fusion_head(s, own), end = head + sq_fusion_length(s, head);
    for (int i = head; i < end && l < sq_fusion_shared(s, head); i++)
        if (is_same_loop(&s->group[i]->loop[l], &g->loop[l]) && !parallel_name(s->group[i], l))
            s->group[i]->loop[l].runs = SQ_LOOP_THREADS;
    g->loop[l].runs = SQ_LOOP_THREADS;
    return 0;
}
