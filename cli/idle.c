/* Idle: see idle.h. What threads might share is asked of the loops as they are written. */
#include "cli/idle.h"
#include "ir/dependence/explain.h"
#include "ir/dependence/tensor.h"
#include <string.h>

/* True if the statement is one of names, such as "S0, S1". */
static bool is_named(const char *names, const char *stmt)
{
    size_t n = strlen(stmt);
    for (const char *p = names; p && *p; p = strstr(p, ", "), p = p ? p + 2 : NULL)
        if (strncmp(p, stmt, n) == 0 && (!p[n] || p[n] == ','))
            return true;
    return false;
}

/* The first loop around a statement of the launch whose iterations are independent. */
static const sq_loop_facts *free_loop(const sq_loop_facts *loops, int n, const char *names,
                                      const sq_stmt **stmt)
{
    for (int l = 0; l < n; l++)
        for (int s = 0; s < loops[l].nstmts; s++)
            if (!loops[l].sum && loops[l].parallel.can && is_named(names, loops[l].stmt[s]->name)) {
                *stmt = loops[l].stmt[s];
                return &loops[l];
            }
    return NULL;
}

static const sq_stmt *first_named(const sq_kernel *k, const char *names)
{
    for (int s = 0; s < k->nstmts; s++)
        if (is_named(names, k->stmt[s]->name))
            return k->stmt[s];
    return NULL;
}

static void warn(sq_task *task, const sq_kernel *k, const sq_compiled_kernel *x)
{
    sq_loop_facts *loops = NULL;
    int n = sq_explain_loops(k, task->arena, &loops);
    const sq_stmt *stmt = first_named(k, x->stmts);
    const sq_loop_facts *l = free_loop(loops, n, x->stmts, &stmt);
    sq_loc loc = stmt ? stmt->loc : k->loc;
    if (l)
        sq_warning(task->d, loc,
                   "'%s' has %d thread%s a block for %s, less than a warp, though threads may "
                   "share loop '%s'",
                   x->name, x->threads, x->threads == 1 ? "" : "s", x->stmts, l->name);
    else
        sq_warning(task->d, loc,
                   "'%s' runs %s on %d thread%s: no loop around has independent iterations",
                   x->name, x->stmts, x->threads, x->threads == 1 ? "" : "s");
    sq_help(task->d, SQ_NOWHERE,
            l ? "`squall explain %s` says what each loop allows, for a schedule by hand: -e SCRIPT"
              : "`squall explain %s` says what each loop carries",
            sq_task_path(task, task->path));
}

void sq_idle_warn(sq_task *task, int i, const sq_compiled *c)
{
    for (int x = 0; x < c->nlaunches; x++) {
        bool again = false;
        for (int y = 0; y < x; y++)
            again |= c->launch[y].threads < SQ_WARP &&
                     strcmp(c->launch[y].stmts, c->launch[x].stmts) == 0;
        if (c->launch[x].threads < SQ_WARP && c->launch[x].loops && !again)
            warn(task, task->unit->kernel[i], &c->launch[x]);
    }
}

void sq_idle_warn_schedule(sq_task *task, int i, const sq_schedule *s)
{
    sq_compiled c = {0};
    sq_emit_options o = {.target = task->target, .is_untested = true, .compiled = &c};
    sq_text unread = {0};
    sq_diags *d = sq_diags_new();
    if (task->target->grid && sq_emit_source(s, &o, &unread, d) == 0)
        sq_idle_warn(task, i, &c);
    sq_text_free(&unread);
    sq_diags_free(d);
}
