/* Sets: constants with several values, --fix=S=1|2. The description is read once with each combination of them; what
 * is written has functions for all, of which a call takes those with its values. Kernels whose elements lie a distance
 * apart that is known at run time are read once more with the distance 1, which a call with any other does without. */
#include "cli/task.h"
#include <stdio.h>
#include <string.h>

static int refuse(sq_task *task, const char *why, const char *help)
{
    const sq_size_set *x = &task->o->fix.set[0];
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "fix"), "--fix gives '%s' several values, and %s",
             x->name, why);
    sq_help(task->d, SQ_NOWHERE, "%s, as --fix=%s=%lld", help, x->name, (long long)x->value[0]);
    return -1;
}

static const char one[] = "give it one value";

static int refuse_many(sq_task *task)
{
    const char *most = sq_arena_printf(task->arena, "of all such sizes accepted are up to %d combinations",
                                       SQ_MOST_SETS);
    return refuse(task, most, "give fewer");
}

/* Commands that do without, and what is no function with parameters. */
static int check(sq_task *task)
{
    static const char *const takes[] = {"compile", "check", "explain", "show"};
    const char *command = task->o->command;
    bool known = false;
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        known |= strcmp(command, takes[i]) == 0;
    if (!known)
        return refuse(task, sq_arena_printf(task->arena, "`squall %s` is for one at a time", command), one);
    if (task->regions)
        return refuse(task, "the functions of regions are for one", one);
    if (task->target->grid)
        return refuse(task, "a file for CUDA is for one", one);
    return task->nsets > SQ_MOST_SETS ? refuse_many(task) : 0;
}

/* "S=1,D=2": the values of combination number `set`, in fix[]. */
static const char *values_of(const sq_task *task, int set, sq_fix *fix)
{
    const sq_sizes *sizes = &task->o->fix;
    const char *text = "";
    for (int i = sizes->nsets - 1; i >= 0; i--) {
        const sq_size_set *x = &sizes->set[i];
        fix[i] = (sq_fix){x->name, x->value[set % x->n]};
        set /= x->n;
    }
    for (int i = 0; i < sizes->nsets; i++)
        text = sq_arena_printf(task->arena, "%s%s%s=%lld", text, i ? "," : "", fix[i].name, (long long)fix[i].value);
    return text;
}

/* ---- strides ---- */

/* Commands that make all functions of a kernel: what a schedule is given for, written or measured is one. */
static bool may_add(const sq_task *task)
{
    static const char *const adds[] = {"compile", "check", "explain"};
    const sq_settings *o = task->o;
    bool known = false;
    for (size_t i = 0; i < sizeof adds / sizeof *adds; i++)
        known |= strcmp(o->command, adds[i]) == 0;
    known &= !o->emit || !strstr(o->emit, "sched");
    return known && !o->fix.nsets && !o->script.n && !o->schedule && !o->require_tuned &&
           task->target && !task->target->grid;
}

static bool is_named(const sq_fix *fix, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(fix[i].name, name) == 0)
            return true;
    return false;
}

/* The strides of all kernels, each with the value 1 in its own; their number. Those that run point by point gain
 * nothing, and what is packed serves calls with any strides: one layout. */
static int find_strides(const sq_unit *u, sq_fix *fix, const char **kernel)
{
    int n = 0;
    for (int i = 0; i < u->nkernels; i++) {
        sq_size *stride[SQ_MAX_SIZES];
        if (u->kernel[i]->plain)
            return 0;
        int of = sq_kernel_overlaps(u->kernel[i]) ? 0 : sq_kernel_strides(u->kernel[i], stride);
        for (int s = 0; s < of; s++) {
            kernel[n] = u->kernel[i]->name;
            fix[n++] = (sq_fix){stride[s]->name, 1};
        }
    }
    return n;
}

/* Calls with neighbouring elements take the function for any distances then, one element at a time. */
static void say_unread(sq_task *task, const sq_fix *stride, int n, const sq_diags *unread)
{
    const char *all = "";
    const sq_diag *why = NULL;
    for (int i = 0; i < n; i++)
        if (!is_named(stride, i, stride[i].name))
            all = sq_arena_printf(task->arena, "%s%s%s=1", all, i ? "," : "", stride[i].name);
    for (size_t i = 0; !why && sq_diags_at(unread, i); i++)
        if (sq_diags_at(unread, i)->severity == SQ_ERROR)
            why = sq_diags_at(unread, i);
    sq_note(task->d, why ? why->loc : SQ_NOWHERE, "there is no function for %s, whose loops would have vectors: %s",
            all, why ? why->message : "it cannot be read so");
}

/* Elements at a distance that is known at run time are 1 apart in most calls, and vectors then: a second set has that
 * distance as a constant, beside the first one, which serves all others. */
static void add_unit_strides(sq_task *task)
{
    const sq_sizes *given = &task->o->fix;
    const sq_unit *general = task->units[0];
    sq_fix *fix = SQ_NEW_ARRAY(task->arena, sq_fix, given->n + SQ_MAX_SIZES * general->nkernels + 1);
    if (given->n)
        memcpy(fix, given->fix, (size_t)given->n * sizeof *fix);
    const char **kernel = SQ_NEW_ARRAY(task->arena, const char *, SQ_MAX_SIZES * general->nkernels + 1);
    int n = find_strides(general, fix + given->n, kernel);
    if (n == 0)
        return;
    sq_parse_options o = *task->parse;
    o.fix = fix;
    o.nfix = given->n + n;
    o.nkept = n;
    o.kept_of = kernel;
    sq_diags *unread = sq_diags_new();
    sq_unit *u = sq_parse(task->ctx, task->path, task->text, task->ntext, &o, unread);
    if (u)
        task->units[task->nsets++] = u;
    else
        say_unread(task, fix + given->n, n, unread);
    sq_diags_free(unread);
}

static sq_unit *parse_set(sq_task *task, int set, const sq_parse_options *given)
{
    const sq_sizes *sizes = &task->o->fix;
    sq_fix *fix = SQ_NEW_ARRAY(task->arena, sq_fix, sizes->n + sizes->nsets + 1);
    sq_parse_options o = *given;
    if (sizes->n)
        memcpy(fix, sizes->fix, (size_t)sizes->n * sizeof *fix);
    const char *values = values_of(task, set, fix + sizes->n);
    o.fix = fix;
    o.nfix = sizes->n + sizes->nsets;
    o.nkept = sizes->nsets;
    sq_unit *u = sq_parse(task->ctx, task->path, task->text, task->ntext, &o, task->d);
    if (!u && sizes->nsets)
        sq_note(task->d, SQ_NOWHERE, "with %s", values);
    return u;
}

sq_unit *sq_sets_parse_fixed(sq_task *task, const sq_fix *fix, int n)
{
    sq_diags *unread = sq_diags_new();
    sq_parse_options o = *task->parse;
    o.fix = fix;
    o.nfix = n;
    sq_unit *u = sq_parse(task->ctx, task->path, task->text, task->ntext, &o, unread);
    sq_diags_free(unread);
    return u;
}

int sq_sets_alone(const sq_settings *o, sq_diags *d, sq_command_fn *run)
{
    sq_task task = {.o = o, .d = d, .arena = sq_arena_new(), .nsets = 1};
    const sq_sizes *sizes = &o->fix;
    int rc = 0;
    for (int i = 0; i < sizes->nsets && task.nsets <= SQ_MOST_SETS; i++)
        task.nsets *= sizes->set[i].n;
    if (o->json || o->html)
        rc = refuse(&task, sq_arena_printf(task.arena, "--%s is of one at a time", o->json ? "json" : "html"), one);
    else if (task.nsets > SQ_MOST_SETS)
        rc = refuse_many(&task);
    for (int set = 0; set < task.nsets && rc == 0; set++) {
        sq_settings own = *o;
        sq_fix *fix = SQ_NEW_ARRAY(task.arena, sq_fix, sizes->n + sizes->nsets + 1);
        if (sizes->n)
            memcpy(fix, sizes->fix, (size_t)sizes->n * sizeof *fix);
        values_of(&task, set, fix + sizes->n);
        own.fix = (sq_sizes){.n = sizes->n + sizes->nsets, .fix = fix};
        own.budget /= task.nsets;
        rc = run(&own, d);
        fflush(stdout); /* what was found before one that takes long */
    }
    sq_arena_free(task.arena);
    return rc;
}

int sq_sets_parse(sq_task *task, const sq_parse_options *o)
{
    const sq_sizes *sizes = &task->o->fix;
    size_t mark = sq_diags_mark(task->d);
    task->nsets = 1;
    for (int i = 0; i < sizes->nsets && task->nsets <= SQ_MOST_SETS; i++)
        task->nsets *= sizes->set[i].n;
    if (sizes->nsets && check(task) != 0)
        return -1;
    sq_parse_options *kept = SQ_NEW(task->arena, sq_parse_options);
    *kept = *o;
    task->parse = kept;
    task->units = SQ_NEW_ARRAY(task->arena, sq_unit *, task->nsets + 1);
    for (int set = 0; set < task->nsets; set++) {
        task->units[set] = parse_set(task, set, o);
        if (!task->units[set])
            return -1;
    }
    if (sizes->nsets)
        sq_diags_sort(task->d, mark);
    if (may_add(task))
        add_unit_strides(task);
    task->now = SQ_NEW_ARRAY(task->arena, sq_task_variant *, task->units[0]->nkernels);
    sq_sets_select(task, 0);
    return 0;
}

void sq_sets_select(sq_task *task, int set)
{
    task->set = set;
    task->unit = task->units[set];
    for (int i = 0; task->variants && i < task->unit->nkernels; i++)
        task->now[i] = &sq_variants_of(task, i)->of[0];
}

int sq_sets_each(sq_task *task, int (*pass)(sq_task *task, void *user), void *user)
{
    size_t mark = sq_diags_mark(task->d);
    for (int set = 0; set < task->nsets; set++) {
        sq_sets_select(task, set);
        int rc = pass(task, user);
        if (rc != 0)
            return rc;
    }
    if (task->nsets > 1)
        sq_diags_sort(task->d, mark);
    sq_sets_select(task, 0);
    return 0;
}

bool sq_sets_repeat(const sq_task *task, int i)
{
    const sq_kernel *k = task->unit->kernel[i];
    for (int set = 0; set < task->set; set++) {
        const sq_kernel *other = task->units[set]->kernel[i];
        bool same = true;
        for (int s = 0; s < k->nsizes; s++)
            same &= !k->size[s]->kept || k->size[s]->value == other->size[s]->value;
        if (same)
            return true;
    }
    return false;
}
