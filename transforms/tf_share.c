/* share(A, B at loop, pad:4): the threads of a block together copy what they all read of arrays to
 * memory that they share, at the head of the loop's body. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

enum { MOST_PAD = 64 };

static int take_pad(sq_schedule *s, const sq_arg *a, int i, int *pad, const char **why, int *at)
{
    if (strcmp(a->name, "pad") != 0 || !a->has_value || a->value < 0 || a->value > MOST_PAD)
        return sq_edit_refuse(s, why, at, i, "after the loop there is pad:4, 0 to %d elements",
                              MOST_PAD);
    *pad = (int)a->value;
    return 0;
}

static int add(sq_schedule *s, sq_group *g, const sq_call *call, int i, int loop, int pad,
               const char **why, int *at)
{
    sq_pack p = {.loop = loop, .shared = true, .pad = pad};
    p.array = sq_kernel_array(s->kernel, call->arg[i].name);
    if (!p.array)
        return sq_edit_refuse(s, why, at, i, "'%s' is no array", call->arg[i].name);
    if (g->npacks == SQ_MAX_PACKS)
        return sq_edit_refuse(s, why, at, i, "more than %d copies", SQ_MAX_PACKS);
    g->pack[g->npacks++] = p;
    return 0;
}

int sq_apply_share(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, int *at)
{
    int n = 0, pad = 0;
    while (n < call->nargs && call->arg[n].section != 't')
        n++;
    if (n == 0 || n == call->nargs || call->arg[n].has_value)
        return sq_edit_refuse(s, why, at, -1, "write share(A, B at loop)");
    *at = n;
    int loop = sq_arg_loop(s, g, &call->arg[n], why);
    if (loop < 0)
        return -1;
    for (int i = n + 1; i < call->nargs; i++)
        if (take_pad(s, &call->arg[i], i, &pad, why, at))
            return -1;
    for (int i = 0; i < n; i++)
        if (add(s, g, call, i, loop, pad, why, at))
            return -1;
    return 0;
}
