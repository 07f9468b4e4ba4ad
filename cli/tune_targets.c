/* Tune targets: see tune_targets.h. */
#include "cli/tune_targets.h"
#include "cli/task.h"
#include "codegen/file/dispatch.h"
#include "support/interrupt.h"
#include "tuner/device/machine_host.h"
#include <math.h>
#include <stdio.h>

bool sq_tune_targets_asked(const sq_settings *o)
{
    return o->targets && (sq_settings_loc(o, "targets").line || !o->target);
}

/* What each target writes is a whole. */
static int refuse_options(const sq_settings *o, sq_diags *d)
{
    const char *option = o->html ? "html" : o->network ? "network" : NULL;
    if (!option)
        return 0;
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, option), "--%s is for one target, and --targets=%s asks for several",
             option, o->targets);
    sq_help(d, SQ_NOWHERE, "write --target=%s, once for each", sq_targets[0].name);
    return -1;
}

/* Those of the list that run here, and do not. */
static const char *names(const sq_task *task, const sq_target *const *target, int n, bool run)
{
    const char *all = "";
    for (int i = 0; i < n; i++)
        if (sq_target_runs_here(target[i]) == run)
            all = sq_arena_printf(task->arena, "%s%s%s", all, *all ? "," : "", target[i]->name);
    return all;
}

static int refuse_others(const sq_task *task, const sq_target *const *target, int n)
{
    const char *here = names(task, target, n, true), *others = names(task, target, n, false);
    if (!*others)
        return 0;
    sq_error(task->d, SQ_FAULT_WORLD, sq_settings_loc(task->o, "targets"),
             "this processor (%s) cannot run %s of --targets", sq_machine_host_isa(), others);
    if (*here)
        sq_help(task->d, SQ_NOWHERE, "tune here for --targets=%s%s, and for the others on a machine that has them",
                here, task->openmp ? ",openmp" : "");
    return -1;
}

int sq_tune_targets(const sq_settings *o, double budget,
                    int (*tune)(const sq_settings *o, const sq_tune_share *share, sq_diags *d), sq_diags *d)
{
    sq_task task = {.o = o, .d = d, .arena = o->arena};
    const sq_target *target[SQ_MOST_TARGETS];
    int n = 0, rc = 0;
    if (refuse_options(o, d) != 0 || sq_sections_list(&task, target, &n) != 0 || refuse_others(&task, target, n) != 0)
        return -1;
    sq_tune_share share = {.began = sq_terminal_seconds(), .budget = budget};
    for (int i = 0; i < n && rc == 0 && !sq_interrupt_signal(); i++) {
        sq_settings own = *o;
        own.targets = NULL;
        own.target = sq_arena_printf(o->arena, "%s%s", target[i]->name, task.tasks    ? ",tasks"
                                                                        : task.openmp ? ",openmp"
                                                                                      : "");
        share.after = n - 1 - i;
        own.budget = budget > 0 ? fmax(0.1, (share.began + budget - sq_terminal_seconds()) / (n - i)) : 0;
        rc = tune(&own, &share, d);
        fflush(stdout); /* --json: what was found before one that takes long */
    }
    return rc;
}
