/* online(S1, j:128): runs the maximum S1 and the sums of exp(x - maximum) tile by tile of j, with a
 * running maximum and sums that are rescaled when it grows; a row of x or of its exponentials never
 * exists as a whole. See online.h. */
#include "transforms/online.h"
#include "ir/dependence/rewrite.h"
#include "transforms/rows.h"
#include <string.h>

static int find_maximum(sq_online *o, const sq_call *call)
{
    o->most = sq_kernel_stmt(o->k, call->arg[0].name);
    return o->most ? 0 : sq_edit_no_stmt(o->s, call, 0, o->why, o->at);
}

static int read_args(sq_online *o, const sq_call *call)
{
    const sq_arg *a = call->arg;
    if (call->nargs != 2 || a[0].has_value || a[0].section || a[1].section || !a[0].name[0])
        return sq_edit_refuse(o->s, o->why, o->at, -1,
                              "name a maximum and the tile of its index: online(S1, j:128)");
    if (find_maximum(o, call))
        return -1;
    const sq_stmt *m = o->most;
    o->tile = a[1].value;
    if (m->ndim == m->nfree + 1 && strcmp(a[1].name, m->dim[m->nfree]) != 0)
        return sq_edit_refuse(o->s, o->why, o->at, 1, "%s is the maximum over '%s', not '%s'",
                              m->name, m->dim[m->nfree], a[1].name);
    if (!a[1].has_value || a[1].value < 1 || a[1].value > 1 << 20)
        return sq_edit_refuse(o->s, o->why, o->at, 1,
                              "a tile of '%s' needs a number of points: %s:128", a[1].name,
                              a[1].name);
    return 0;
}

int sq_apply_online(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    sq_online *o = SQ_NEW(s->kernel->arena, sq_online);
    *o = (sq_online){.s = s, .k = s->kernel, .exp = SQ_OP_CONST, .why = why, .at = at};
    if (read_args(o, call))
        return -1;
    if (o->k->fp != SQ_FP_FAST)
        return sq_edit_refuse(
            s, why, at, -1,
            "this changes the order of the sums and rescales them, which `%s` does "
            "not allow: #pragma squall fp fast",
            sq_fp_name(o->k->fp));
    if (!sq_schedule_untouched(s))
        return sq_edit_refuse(s, why, at, -1,
                              "online changes the statements that the other calls are about; write "
                              "it before them");
    if (sq_online_maximum(o)) /* another statement needs an index to write as well */
        return -1;
    const char *text = sq_arena_printf(s->kernel->arena, "online(%s, %s:%lld)", o->most->name,
                                       o->most->dim[o->most->nfree], (long long)o->tile);
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    if (!start && sq_online_find(o) == 0)
        start = sq_online_make(o, text);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
