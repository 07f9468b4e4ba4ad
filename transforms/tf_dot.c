/* dot(S0, k, B): computes the sum of products of S0 along k by products of words, four bytes or two
 * 16-bit elements at a time, which preceding statements pack; those of B are read in place. dot.h
 * has the conditions. */
#include "ir/dependence/rewrite.h"
#include "transforms/dot.h"
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

/* Returns the dimension that the call names; -1 after refusing. */
static int find_dim(const sq_schedule *s, const sq_stmt *of, const char *name, const char **why, sq_culprit *at)
{
    const char *all = "";
    for (int d = of->nfree; d < of->ndim; d++) {
        if (strcmp(of->dim[d], name) == 0)
            return d;
        all = sq_arena_printf(s->kernel->arena, "%s%s%s", all, *all ? ", " : "", of->dim[d]);
    }
    return sq_edit_refuse(s, why, at, 1, *all ? "'%s' is no index that %s sums over: %s" : "'%s' is no index that "
                          "%s sums over; it has none%s", name, of->name, all);
}

/* Marks the factors that are read in place. */
static int take_places(const sq_schedule *s, const sq_call *call, sq_dot *x, const char **why, sq_culprit *at)
{
    for (int i = 2; i < call->nargs; i++) {
        const char *name = call->arg[i].name, *reason = NULL;
        bool found = false;
        for (int f = 0; f < 2; f++) {
            if (strcmp(x->factor[f].read->array->name, name) != 0)
                continue;
            if (x->factor[f].in_place && !found)
                return sq_edit_refuse(s, why, at, i, "%s is named twice", name);
            found = x->factor[f].in_place = true;
            reason = reason ? reason : sq_dot_refuses_place(x, f);
        }
        if (!found)
            return sq_edit_refuse(s, why, at, i, "'%s' is no factor of %s: %s and %s are", name, x->of->name,
                                  x->factor[0].read->array->name, x->factor[1].read->array->name);
        if (reason)
            return sq_edit_refuse(s, why, at, i, "%s %s", name, reason);
    }
    return 0;
}

static const sq_schedule *make(const sq_schedule *s, const sq_stmt *of, int dim, const sq_call *call, const char *text,
                               const char **why, sq_culprit *at)
{
    sq_dot x;
    const char *reason = sq_dot_find(s->kernel, of, dim, &x);
    if (reason) {
        sq_edit_refuse(s, why, at, 0, "%s %s", of->name, reason);
        return NULL;
    }
    if (take_places(s, call, &x, why, at))
        return NULL;
    sq_kernel *made = sq_dot_make(&x);
    if (!made) {
        sq_edit_refuse(s, why, at, -1, "the dependences are not known");
        return NULL;
    }
    const sq_schedule *start = sq_schedule_new(made, made->arena);
    return sq_rewritten_end(s->kernel, made, start, text, why) ? NULL : start;
}

int sq_apply_dot(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const sq_arg *a = call->arg;
    (void)g;
    if (!sq_schedule_untouched(s))
        return sq_edit_refuse(s, why, at, -1,
                              "dot makes statements of the ones that the other calls are about; write it before them");
    bool form = call->nargs >= 2;
    for (int i = 0; i < call->nargs; i++)
        form = form && !a[i].has_value && !a[i].section && !a[i].word[0] && a[i].name[0];
    if (!form)
        return sq_edit_refuse(s, why, at, -1,
                              "name a sum of products, the index that words lie along, and arrays that are read as "
                              "words where they lie: dot(S0, k), dot(S0, k, B)");
    const sq_stmt *of = sq_kernel_stmt(s->kernel, a[0].name);
    if (!of)
        return sq_edit_no_stmt(s, call, 0, why, at);
    int dim = find_dim(s, of, a[1].name, why, at);
    if (dim < 0)
        return -1;
    const char *text = sq_arena_printf(s->kernel->arena, "dot(%s, %s", of->name, of->dim[dim]);
    for (int i = 2; i < call->nargs; i++)
        text = sq_arena_printf(s->kernel->arena, "%s, %s", text, a[i].name);
    text = sq_arena_printf(s->kernel->arena, "%s)", text);
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    start = start ? start : make(s, of, dim, call, text, why, at);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
