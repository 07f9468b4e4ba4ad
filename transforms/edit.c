/* Edit: see edit.h. Besides the loop list itself, packs refer to loop numbers; every change of the
 * list goes through here, so that these are updated. */
#include "transforms/edit.h"
#include "ir/dependence/rewrite.h"
#include "support/nearest.h"
#include "support/text.h"
#include <stdarg.h>
#include <string.h>

bool sq_loops_insert(sq_group *g, int at, const sq_loop *loop)
{
    if (g->nloops == SQ_MAX_LOOPS)
        return false;
    memmove(&g->loop[at + 1], &g->loop[at], (size_t)(g->nloops - at) * sizeof *g->loop);
    g->loop[at] = *loop;
    g->nloops++;
    for (int p = 0; p < g->npacks; p++)
        if (g->pack[p].loop >= at)
            g->pack[p].loop++;
    return true;
}

void sq_loops_remove(sq_group *g, int at)
{
    memmove(&g->loop[at], &g->loop[at + 1], (size_t)(g->nloops - at - 1) * sizeof *g->loop);
    g->nloops--;
    for (int p = 0; p < g->npacks; p++)
        if (g->pack[p].loop > at)
            g->pack[p].loop--;
}

void sq_loops_permute(sq_group *g, const int *from)
{
    sq_loop old[SQ_MAX_LOOPS];
    int to[SQ_MAX_LOOPS];
    memcpy(old, g->loop, sizeof old);
    for (int i = 0; i < g->nloops; i++) {
        g->loop[i] = old[from[i]];
        to[from[i]] = i;
    }
    for (int p = 0; p < g->npacks; p++)
        if (g->pack[p].loop >= 0)
            g->pack[p].loop = to[g->pack[p].loop];
}

int sq_loops_point(const sq_group *g, int dim)
{
    return sq_group_loop(g, g->dim[dim]);
}

int sq_loops_band(const sq_group *g, int first)
{
    for (int i = 0; i < g->nloops; i++)
        if (g->loop[i].dim >= first && sq_loops_point(g, g->loop[i].dim) == i)
            return i;
    return g->nloops;
}

/* True if it is a loop that a statement of a tree shares with others. */
static bool is_around(const sq_kernel *k, const char *name)
{
    const sq_stmt *s = k->whole ? sq_kernel_stmt(k->whole, k->stmt[0]->name) : NULL;
    bool found = false;
    for (int d = 0; s && d < s->ndim; d++)
        found |= strcmp(s->dim[d], name) == 0;
    return found;
}

/* Returns the first statement of another group that has a loop or a dimension of that name; NULL. */
static const char *elsewhere(const sq_schedule *s, const sq_group *g, const char *name)
{
    for (int i = 0; i < s->ngroups; i++)
        if (s->group[i] != g && (sq_group_loop(s->group[i], name) >= 0 || sq_group_dim(s->group[i], name) >= 0))
            return s->group[i]->stmt[0]->name;
    return NULL;
}

/* Returns "'x' is no <what> here", with all names if none is near. A call without a statement is one on the first
 * group, which who writes it may not know: of several groups, g (NULL: of none) has its name. */
static const char *unknown(const sq_schedule *s, const sq_group *g, const char *what, const char *name,
                           const char *const *names, int n, sq_culprit *at)
{
    sq_text t = {0};
    bool around = is_around(s->kernel, name), several = g && s->ngroups > 1;
    const char *other = several ? elsewhere(s, g, name) : NULL;
    if (around)
        sq_text_printf(&t, "'%s' is a loop that %s shares with other statements", name, s->kernel->stmt[0]->name);
    else if (several)
        sq_text_printf(&t, "'%s' is no %s of %s", name, what, g->stmt[0]->name);
    else
        sq_text_printf(&t, "'%s' is no %s here", name, what);
    at->meant = around || other ? NULL : sq_nearest(name, names, (size_t)n);
    for (int i = 0; i < n && !at->meant; i++)
        sq_text_printf(&t, "%s%s", i ? ", " : several ? ", which has " : "; there are ", names[i]);
    if (other && !around)
        sq_text_printf(&t, "; for %s write %s: before the call", other, other);
    return sq_text_take(&t, s->kernel->arena);
}

int sq_arg_dim(const sq_schedule *s, const sq_group *g, const sq_arg *a, const char **why,
               sq_culprit *at)
{
    int d = sq_group_dim(g, a->name);
    if (d < 0)
        *why = unknown(s, g, "dimension", a->name, g->dim, g->ndim, at);
    return d;
}

int sq_arg_loop(const sq_schedule *s, const sq_group *g, const sq_arg *a, const char **why,
                sq_culprit *at)
{
    const char *names[SQ_MAX_LOOPS];
    int l = sq_group_loop(g, a->name), d = sq_group_dim(g, a->name);
    for (int i = 0; i < g->nloops; i++)
        names[i] = g->loop[i].name;
    if (l < 0 && d >= 0)
        *why = sq_arena_printf(s->kernel->arena, "'%s' has no loop of its own: %s", a->name,
                               g->micro.serial == d ? "it is the serial loop inside the tile"
                                                    : "the tile unrolls it whole");
    else if (l < 0)
        *why = unknown(s, g, "loop", a->name, names, g->nloops, at);
    return l;
}

sq_array *sq_edit_array(const sq_schedule *s, const sq_call *call, int arg, const char **why,
                        sq_culprit *at)
{
    const sq_kernel *k = s->kernel;
    sq_array *found = sq_kernel_array(k, call->arg[arg].name);
    const char **names = SQ_NEW_ARRAY(k->arena, const char *, k->narrays + 1);
    for (int i = 0; i < k->narrays; i++)
        names[i] = k->array[i]->name;
    if (!found) {
        *why = unknown(s, NULL, "array", call->arg[arg].name, names, k->narrays, at);
        at->arg = arg;
    }
    return found;
}

int sq_edit_refuse(const sq_schedule *s, const char **why, sq_culprit *at, int arg, const char *format,
                   ...)
{
    va_list args;
    va_start(args, format);
    *why = sq_arena_vprintf(s->kernel->arena, format, args);
    va_end(args);
    at->arg = arg;
    return -1;
}

bool sq_edit_gone(const sq_schedule *s, const char *name)
{
    const sq_kernel *was = s->kernel->described;
    return was && sq_kernel_stmt(was, name) && !sq_kernel_stmt(s->kernel, name);
}

int sq_edit_no_stmt(const sq_schedule *s, const sq_call *call, int arg, const char **why, sq_culprit *at)
{
    const char *names[256];
    int n = 0;
    for (; n < s->kernel->nstmts && n < 256; n++)
        names[n] = s->kernel->stmt[n]->name;
    if (sq_edit_gone(s, call->arg[arg].name))
        return sq_edit_refuse(s, why, at, arg, "'%s' is no statement%s", call->arg[arg].name,
                              SQ_EDIT_GONE);
    at->meant = sq_nearest(call->arg[arg].name, names, (size_t)n);
    return sq_edit_refuse(s, why, at, arg, "'%s' is no statement", call->arg[arg].name);
}

const char *sq_edit_list(const sq_schedule *s, const sq_call *call, const char **why, sq_culprit *at)
{
    const char *text = sq_arena_printf(s->kernel->arena, "%s(", call->name);
    bool names = call->nargs > 0;
    for (int i = 0; i < call->nargs && names; i++) {
        const sq_arg *a = &call->arg[i];
        at->arg = i;
        names = !a->has_value && !a->section && a->name[0];
        text = sq_arena_printf(s->kernel->arena, "%s%s%s", text, i ? ", " : "", a->name);
    }
    if (!names)
        sq_edit_refuse(s, why, at, at->arg, "name statements: %s(S0)", call->name);
    else if (!sq_schedule_untouched(s))
        sq_edit_refuse(s, why, at, -1,
                       "%s changes the statements that the other calls are about; write it before "
                       "them",
                       call->name);
    else
        return sq_arena_printf(s->kernel->arena, "%s)", text);
    return NULL;
}
