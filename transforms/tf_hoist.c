/* hoist(S0, A, B): computes what S0 has of A and B, and fewer loops move, once for the others, by statements before S0;
 * without arrays, all such parts. hoist.h has the conditions. */
#include "ir/dependence/rewrite.h"
#include "transforms/edit.h"
#include "transforms/hoist.h"
#include "transforms/rows.h"
#include <string.h>

/* Keeps the parts that read the arrays that the call names. */
static int take_named(const sq_schedule *s, const sq_call *call, sq_hoist *x, const char **why, sq_culprit *at)
{
    int n = 0;
    bool kept[SQ_MOST_HOISTED] = {false};
    for (int i = 1; i < call->nargs; i++) {
        const sq_array *a = sq_edit_array(s, call, i, why, at);
        bool found = false;
        for (int p = 0; p < x->n && a; p++) {
            bool own = sq_expr_reads(x->part[p].value, a);
            found |= own;
            kept[p] |= own;
        }
        if (a && !found)
            sq_edit_refuse(s, why, at, i, "%s has nothing of '%s' that only some of its loops move", x->of->name,
                           a->name);
        if (!found)
            return -1;
    }
    for (int p = 0; p < x->n; p++)
        if (kept[p] || call->nargs == 1)
            x->part[n++] = x->part[p];
    x->n = n;
    return 0;
}

static int group_of(const sq_schedule *s, const sq_stmt *of)
{
    for (int g = 0; g < s->ngroups; g++)
        for (int i = 0; i < s->group[g]->nstmts; i++)
            if (s->group[g]->stmt[i] == of)
                return g;
    return 0;
}

/* Refuses a statement that shares C loops with others: what they write there may change what it reads. */
static int refuse_shared(const sq_schedule *s, const sq_stmt *of, const char **why, sq_culprit *at)
{
    int g = group_of(s, of);
    if (sq_fusion_length(s, sq_fusion_head(s, g)) > 1)
        return sq_edit_refuse(s, why, at, 0, "%s shares the loops that distribute has kept with other statements",
                              of->name);
    if (s->group[g]->nstmts > 1)
        return sq_edit_refuse(s, why, at, 0, "%s shares C loops with other statements: write distribute(%s) before",
                              of->name, of->name);
    return 0;
}

static const sq_schedule *make(const sq_schedule *s, const sq_hoist *x, const char *text, const char **why,
                               sq_culprit *at)
{
    const char *reason;
    sq_kernel *made = sq_hoist_make(x, &reason);
    if (!made) {
        sq_edit_refuse(s, why, at, 0, "%s %s", x->of->name, reason);
        return NULL;
    }
    const sq_schedule *start = sq_schedule_new(made, made->arena);
    return sq_rewritten_end(s->kernel, made, start, text, why) ? NULL : start;
}

int sq_apply_hoist(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    sq_hoist x;
    const char *text = sq_edit_list(s, call, why, at);
    if (!text)
        return -1;
    const sq_stmt *of = sq_kernel_stmt(s->kernel, call->arg[0].name);
    if (!of)
        return sq_edit_no_stmt(s, call, 0, why, at);
    if (refuse_shared(s, of, why, at))
        return -1;
    sq_hoist_find(s->kernel, of, &x);
    if (x.n == 0)
        return sq_edit_refuse(s, why, at, 0,
                              "%s has no operation on elements of other arrays that only some of its loops move",
                              of->name);
    if (take_named(s, call, &x, why, at))
        return -1;
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    start = start ? start : make(s, &x, text, why, at);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
