/* share(A, B at loop, pad:4, stages:2): the threads of a block cooperatively copy what they all
 * read of arrays to shared memory, at the head of the loop's body; with stages the copies of coming
 * iterations run asynchronously meanwhile. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

enum { MOST_PAD = 64, MOST_STAGES = 8 };

static int take_option(sq_schedule *s, const sq_arg *a, int i, sq_pack *p, const char **why,
                       sq_culprit *at)
{
    if (strcmp(a->name, "pad") == 0 && a->has_value && a->value >= 0 && a->value <= MOST_PAD)
        p->pad = (int)a->value;
    else if (strcmp(a->name, "stages") == 0 && a->has_value && a->value >= 1 &&
             a->value <= MOST_STAGES)
        p->stages = (int)a->value;
    else
        return sq_edit_refuse(s, why, at, i,
                              "after the loop there are pad:4, 0 to %d elements, and stages:2, 1 "
                              "to %d copies",
                              MOST_PAD, MOST_STAGES);
    return 0;
}

/* Adds another copy like p, of the argument's array. */
static int add(sq_schedule *s, sq_group *g, const sq_call *call, int i, sq_pack p, const char **why,
               sq_culprit *at)
{
    p.array = sq_edit_array(s, call, i, why, at);
    if (!p.array)
        return -1;
    if (g->npacks == SQ_MAX_PACKS)
        return sq_edit_refuse(s, why, at, i, "more than %d copies", SQ_MAX_PACKS);
    g->pack[g->npacks++] = p;
    return 0;
}

int sq_apply_share(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    sq_pack like = {.shared = true};
    int n = 0;
    while (n < call->nargs && call->arg[n].section != 't')
        n++;
    if (n == 0 || n == call->nargs || call->arg[n].has_value)
        return sq_edit_refuse(s, why, at, -1, "write share(A, B at loop)");
    at->arg = n;
    like.loop = sq_arg_loop(s, g, &call->arg[n], why, at);
    if (like.loop < 0)
        return -1;
    for (int i = n + 1; i < call->nargs; i++)
        if (take_option(s, &call->arg[i], i, &like, why, at))
            return -1;
    for (int i = 0; i < n; i++)
        if (add(s, g, call, i, like, why, at))
            return -1;
    return 0;
}
