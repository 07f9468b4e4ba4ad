/* block(i0, j0): distributes the iterations of loops over the blocks of a grid. group:8 takes eight
 * rows of the two innermost at a time, for the cache that blocks share. thread(i:16, j:16):
 * distributes those of inner loops over the threads of a block, with this number for each loop;
 * without a number as many as the enclosing tile has iterations. The target's limits on blocks and
 * threads are checked when text is made. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

enum { MOST_THREADS = 1024 /* for one loop */, MOST_ROWS = 1 << 16 /* for a group */ };

static int deal(sq_schedule *s, sq_group *g, const sq_call *call, sq_loop_kind runs,
                const char **why, sq_culprit *at)
{
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        at->arg = i;
        int l = sq_arg_loop(s, g, a, why, at);
        if (l < 0)
            return -1;
        if (g->loop[l].runs != SQ_LOOP_SERIAL)
            return sq_edit_refuse(s, why, at, i, "'%s' is shared already", g->loop[l].name);
        g->loop[l].runs = runs;
        g->loop[l].threads = a->has_value ? (int)a->value : 0;
    }
    return 0;
}

static bool is_group(const sq_arg *a)
{
    return a->has_value && !a->section && strcmp(a->name, "group") == 0;
}

/* The second innermost loop of the blocks has the rows. */
static int group_rows(sq_schedule *s, sq_group *g, const sq_arg *a, int arg, const char **why,
                      sq_culprit *at)
{
    int row = -1, last = -1;
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].runs == SQ_LOOP_BLOCKS) {
            row = last;
            last = l;
        }
    if (a->value < 2 || a->value > MOST_ROWS)
        return sq_edit_refuse(s, why, at, arg, "a group has 2 to %d rows of tiles: group:8",
                              MOST_ROWS);
    if (row < 0)
        return sq_edit_refuse(s, why, at, arg,
                              "a group has rows and columns of tiles, so blocks share two loops: "
                              "block(i0, j0, group:%lld)",
                              (long long)a->value);
    g->loop[row].rows = a->value;
    return 0;
}

int sq_apply_block(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    sq_call loops = *call;
    const sq_arg *group = NULL;
    if (call->nargs > 0 && is_group(&call->arg[call->nargs - 1]))
        group = &call->arg[--loops.nargs];
    for (int i = 0; i < loops.nargs; i++)
        if (call->arg[i].has_value || call->arg[i].section)
            return sq_edit_refuse(s, why, at, i,
                                  "a loop's name is all that fits here; group:8 comes last");
    if (loops.nargs == 0)
        return sq_edit_refuse(s, why, at, -1, "name the loops: block(i0, j0)");
    if (deal(s, g, &loops, SQ_LOOP_BLOCKS, why, at))
        return -1;
    return group ? group_rows(s, g, group, loops.nargs, why, at) : 0;
}

int sq_apply_thread(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        if (a->section || (a->has_value && (a->value < 1 || a->value > MOST_THREADS)))
            return sq_edit_refuse(s, why, at, i, "'%s' takes 1 to %d threads, as in %s:16", a->name,
                                  MOST_THREADS, a->name);
    }
    if (call->nargs == 0)
        return sq_edit_refuse(s, why, at, -1, "name the loops: thread(i:16, j:16)");
    return deal(s, g, call, SQ_LOOP_LANES, why, at);
}
