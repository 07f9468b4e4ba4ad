/* Apply: applies a script's calls to a schedule, all or none. Legality is checked for the finished
 * script: `tile`, `micro`, `order` and `pack` may come in any order, though an intermediate
 * schedule (a cache tile without its register tile) may be illegal. Only if the result is illegal
 * does blame.c search for the call that caused it. */
#include "ir/schedule/tree.h"
#include "support/nearest.h"
#include "transforms/edit.h"
#include "transforms/script.h"
#include "transforms/tree_nest.h"
#include <string.h>

static int unknown_stmt(const sq_schedule *s, const char *name, sq_loc loc, sq_diags *d)
{
    const char *names[128];
    size_t n = 0;
    for (int i = 0; i < s->kernel->nstmts && n < sizeof names / sizeof *names; i++)
        names[n++] = s->kernel->stmt[i]->name;
    bool gone = sq_edit_gone(s, name);
    sq_error(d, SQ_FAULT_INPUT, loc, "there is no statement '%s'%s", name, gone ? SQ_EDIT_GONE : "");
    sq_suggest(d, name, gone ? NULL : sq_nearest(name, names, n));
    return -1;
}

static sq_group *group_of(const sq_schedule *s, const char *name)
{
    for (int i = 0; i < s->ngroups; i++)
        for (int j = 0; j < s->group[i]->nstmts; j++)
            if (strcmp(s->group[i]->stmt[j]->name, name) == 0)
                return s->group[i];
    return NULL;
}

int sq_call_refuse(const sq_call *call, int at, const char *why, sq_diags *d)
{
    sq_loc loc = at >= 0 && at < call->nargs ? call->arg[at].loc : call->loc;
    return sq_refusal(d, loc, call->name, why);
}

/* Returns the value of an argument's product for the group; -1 after an error. */
static int64_t product(const sq_group *g, const sq_call *call, int at, sq_diags *d)
{
    int64_t value = 1;
    for (const sq_factor *f = call->arg[at].product; f; f = f->next) {
        int64_t number = f->is_lanes ? f->number / sq_group_bytes(g) : f->number;
        number = f->is_lanes && number < 1 ? 1 : number; /* without vectors there is one lane */
        if (f->divides && (number == 0 || value % number))
            return sq_call_refuse(call, at, "this is no whole number here", d);
        value = f->divides ? value / number : value * number;
        if (value > INT32_MAX)
            return sq_call_refuse(call, at, "this is too large", d);
    }
    return value;
}

static int refuse_two(const sq_schedule *s, const sq_call *call, int at, const char *first, sq_diags *d)
{
    const char *why =
        sq_arena_printf(s->kernel->arena, "%s and %s are computed in loops of their own; a call is about one", first,
                        call->arg[at].stmt);
    return sq_call_refuse(call, at, why, d);
}

/* Returns the group of a call: that of the statements before dots, `S1.i`, else of the last `S1:`. NULL after
 * an error. */
static sq_group *find_group(const sq_schedule *s, const sq_step *step, sq_diags *d)
{
    const sq_call *call = &step->call;
    const sq_arg *first = NULL;
    sq_group *g = NULL;
    for (int i = 0; i < call->nargs; i++) {
        const sq_arg *a = &call->arg[i];
        sq_group *own = a->stmt ? group_of(s, a->stmt) : NULL;
        if (!a->stmt)
            continue;
        if (!own)
            return unknown_stmt(s, a->stmt, a->loc, d), NULL;
        if (first && own != g)
            return refuse_two(s, call, i, first->stmt, d), NULL;
        first = first ? first : a;
        g = own;
    }
    if (g)
        return g;
    if (!step->group[0] && s->ngroups == 0)
        return sq_call_refuse(call, -1, "no statement of the kernel is left to schedule", d), NULL;
    g = step->group[0] ? group_of(s, step->group) : s->group[0];
    if (!g)
        unknown_stmt(s, step->group, step->group_loc, d);
    return g;
}

/* Returns the calls that loops of several statements take. */
static const char *bands(sq_arena *arena)
{
    const char *list = "auto, parallel";
    for (const sq_transform *t = sq_transforms; t->name; t++)
        if (t->about == SQ_ABOUT_BANDS)
            list = sq_arena_printf(arena, "%s, %s", list, t->name);
    return list;
}

/* Refuses what a call cannot change: loops without a register tile, statements before dots where the call names
 * its statements itself. 0; -1 if refused. */
static int check_kind(const sq_schedule *s, const sq_group *g, const sq_step *step, const sq_transform *t,
                      sq_diags *d)
{
    const sq_call *call = &step->call;
    const char *name = step->group[0] ? step->group : g->stmt[0]->name, *why = NULL;
    for (int i = 0; i < call->nargs && t->about == SQ_ABOUT_STATEMENTS; i++) {
        if (!call->arg[i].stmt)
            continue;
        why = sq_arena_printf(s->kernel->arena, "%s names statements by arguments of their own; write %s", call->name,
                              call->arg[i].name);
        return sq_call_refuse(call, i, why, d);
    }
    if (t->about != SQ_ABOUT_TILES || g->kind == SQ_GROUP_TILED)
        return 0;
    why = sq_arena_printf(s->kernel->arena,
                          "the loops of %s are %s, which take %s; distribute(%s), or distribute(%s at %s) inside a "
                          "loop, makes a nest of each statement of C loops, which takes %s as well",
                          name, g->kind == SQ_GROUP_TREE && !g->plan->written ? "auto's" : "C loops of several levels",
                          bands(s->kernel->arena), name, name, g->stmt[0]->ndim ? g->stmt[0]->dim[0] : "t", call->name);
    return sq_call_refuse(call, -1, why, d);
}

/* Returns the statement of a tree whose loops a call is about; -1 after a refusal. */
static int one_statement(const sq_schedule *s, const sq_group *g, const sq_step *step, sq_diags *d)
{
    const char *name = step->group[0] ? step->group : NULL;
    for (int i = 0; i < step->call.nargs; i++)
        name = step->call.arg[i].stmt ? step->call.arg[i].stmt : name;
    for (int i = 0; i < g->nstmts; i++)
        if (name ? strcmp(g->stmt[i]->name, name) == 0 : g->nstmts == 1)
            return i;
    const char *why = sq_arena_printf(s->kernel->arena,
                                      "these are loops of several statements: name the one whose own loops are "
                                      "meant, as in %s(%s.%s…) or `%s: %s(…)`",
                                      step->call.name, g->stmt[0]->name, g->stmt[0]->ndim ? g->stmt[0]->dim[0] : "i",
                                      g->stmt[0]->name, step->call.name);
    return sq_call_refuse(&step->call, -1, why, d);
}

/* Names the dimension of a statement, `S1.i`, as its group does: by that of the group's first statement. */
static void rename_dim(const sq_group *g, sq_arg *a)
{
    for (int i = 0; i < g->nstmts && a->stmt && g->kind == SQ_GROUP_TILED; i++)
        for (int d = 0; d < g->stmt[i]->ndim && d < g->ndim; d++)
            if (strcmp(g->stmt[i]->name, a->stmt) == 0 && strcmp(g->stmt[i]->dim[d], a->name) == 0) {
                a->name = g->dim[d];
                return;
            }
}

/* Resolves a call for the group: products become numbers, and `j:16` behind `as` becomes j16. */
static int resolve(const sq_schedule *s, const sq_group *g, sq_call *call, sq_diags *d)
{
    for (int i = 0; i < call->nargs; i++) {
        sq_arg *a = &call->arg[i];
        rename_dim(g, a);
        if (a->product && (a->value = product(g, call, i, d)) < 0)
            return -1;
        if (a->product && a->section == 's') {
            a->name = sq_arena_printf(s->kernel->arena, "%s%lld", a->name, (long long)a->value);
            a->has_value = false;
        }
    }
    return 0;
}

/* Moves to the loops that one statement of a tree has by itself, where the call is about these. 0; -1 if refused. */
static int enter(sq_schedule **s, sq_group **g, const sq_step *step, const sq_transform *t, sq_diags *d)
{
    const char *why = "it does not fit this kernel";
    if (t->about != SQ_ABOUT_BANDS || (*g)->kind == SQ_GROUP_TILED)
        return 0;
    int stmt = one_statement(*s, *g, step, d);
    sq_schedule *own = stmt < 0 ? NULL : sq_tree_nest_open(*s, *g, stmt, &why);
    if (!own)
        return stmt < 0 ? -1 : sq_call_refuse(&step->call, -1, why, d);
    *s = own;
    *g = own->group[0];
    return 0;
}

int sq_step_apply(sq_schedule *s, const sq_step *step, sq_diags *d)
{
    sq_call call = step->call;
    const char *why = "it does not fit this kernel";
    sq_culprit at = {-1, NULL};
    const sq_transform *t = sq_transform_get(call.name);
    sq_group *g = find_group(s, step, d);
    if (!g || check_kind(s, g, step, t, d) || enter(&s, &g, step, t, d) || resolve(s, g, &call, d))
        return -1;
    bool one_of_several = t->about == SQ_ABOUT_LOOPS && g->kind != SQ_GROUP_TILED && step->group[0];
    for (int i = 0; i < call.nargs && one_of_several; i++)
        call.arg[i].stmt = call.arg[i].stmt ? call.arg[i].stmt : step->group;
    if (t->apply(s, g, &call, &why, &at) == 0)
        return 0;
    sq_call_refuse(&call, at.arg, why, d);
    sq_suggest(d, at.meant ? call.arg[at.arg].name : "", at.meant);
    return -1;
}

/* Returns the legality check's objection. */
static const char *illegal(const sq_schedule *s, void *unused)
{
    const char *why = "the schedule is illegal";
    (void)unused;
    return sq_schedule_legal(s, &why) ? why : NULL;
}

/* With `quiet` the refusal has no location: finding one requires a check after every call. */
static int apply_all(sq_schedule *s, const sq_step *steps, bool quiet, sq_arena *arena,
                     sq_arena *scratch, sq_diags *d)
{
    const char *why = NULL;
    sq_schedule *copy = sq_schedule_copy(s, arena);
    for (const sq_step *step = steps; step; step = step->next)
        if (sq_step_apply(copy, step, d))
            return -1;
    if (steps && sq_schedule_legal(copy, &why))
        return quiet || sq_steps_blame(s, steps, illegal, NULL, scratch, d)
                   ? -1
                   : sq_error(d, SQ_FAULT_REFUSED, SQ_NOWHERE, "%s", why);
    *s = *copy;
    return 0;
}

static int run(sq_schedule *s, const char *script, const char *file, const sq_machine *machine, bool quiet,
               sq_arena *arena, sq_diags *d)
{
    sq_step *steps = NULL;
    sq_arena *scratch = sq_arena_new();
    sq_diags_source(d, file, script, strlen(script));
    int result = sq_script_parse(script, file, machine, scratch, &steps, d);
    if (result == 0)
        result = apply_all(s, steps, quiet, arena, scratch, d);
    sq_arena_free(scratch);
    return result;
}

int sq_script_apply(sq_schedule *s, const char *script, const char *file, sq_arena *arena,
                    sq_diags *d)
{
    return run(s, script, file, NULL, false, arena, d);
}

int sq_script_apply_on(sq_schedule *s, const char *script, const char *file, const sq_machine *machine,
                       sq_arena *arena, sq_diags *d)
{
    return run(s, script, file, machine, false, arena, d);
}

bool sq_script_try(sq_schedule *s, const char *script, sq_arena *arena)
{
    sq_diags *unread = sq_diags_new();
    bool ok = run(s, script, "try", NULL, true, arena, unread) == 0;
    sq_diags_free(unread);
    return ok;
}
