/* narrow(S0): computes the sum of S0 in the narrowest integers that hold it. narrow_sum.h has the conditions. */
#include "ir/dependence/rewrite.h"
#include "transforms/edit.h"
#include "transforms/narrow_sum.h"
#include "transforms/rows.h"

static const sq_schedule *make(const sq_schedule *s, const sq_call *call, const char *text, const char **why,
                                sq_culprit *at)
{
    const sq_kernel *k = s->kernel;
    sq_narrow_sum *x = SQ_NEW_ARRAY(k->arena, sq_narrow_sum, call->nargs);
    for (int i = 0; i < call->nargs; i++) {
        const sq_stmt *of = sq_kernel_stmt(k, call->arg[i].name);
        const char *reason = of ? sq_narrow_sum_find(k, of, &x[i]) : NULL;
        if (!of)
            sq_edit_no_stmt(s, call, i, why, at);
        else if (reason)
            sq_edit_refuse(s, why, at, i, "%s %s", of->name, reason);
        if (!of || reason)
            return NULL;
    }
    sq_kernel *made = sq_narrow_sum_make(k, x, call->nargs);
    if (!made) {
        sq_edit_refuse(s, why, at, -1, "the dependences are not known");
        return NULL;
    }
    const sq_schedule *start = sq_schedule_new(made, made->arena);
    return sq_rewritten_end(k, made, start, text, why) ? NULL : start;
}

int sq_apply_narrow(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    const char *text = sq_edit_list(s, call, why, at);
    if (!text)
        return -1;
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    start = start ? start : make(s, call, text, why, at);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
