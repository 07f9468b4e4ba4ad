/* squall check --targets: what is written for each of them is checked, one after the other, as with
 * --target. The text that selects one at run time has no sizes and no values. */
#include "cli/check_targets.h"
#include "cli/task.h"
#include <stdio.h>
#include <string.h>

static int refuse(const sq_settings *o, const char *option, sq_diags *d)
{
    return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, option),
                    "--%s is for one target, and --targets=%s asks for several", option,
                    o->targets);
}

/* One of them; 0 where this processor lacks it, which is said. */
static int check_one(const sq_settings *o, const sq_task *list, const sq_target *t, sq_diags *d)
{
    sq_settings own = *o;
    own.targets = NULL;
    own.target = sq_arena_printf(list->arena, "%s%s", t->name, list->tasks ? ",tasks" : list->openmp ? ",openmp" : "");
    if (sq_target_runs_here(t))
        return sq_cmd_check(&own, d);
    sq_warning(d, sq_settings_loc(o, "targets"),
               "target '%s' is not checked: this processor does not run it", t->name);
    return 0;
}

int sq_check_targets(const sq_settings *o, sq_diags *d)
{
    if (o->json || o->text.n)
        return refuse(o, o->json ? "json" : "text", d);
    sq_task list = {.o = o, .d = d, .arena = sq_arena_new()};
    int rc = sq_task_target(&list);
    for (int i = 0; i < list.nsections && rc == 0; i++) {
        rc = check_one(o, &list, list.section[i].target, d);
        fflush(stdout); /* what was found before a target that takes long */
    }
    sq_arena_free(list.arena);
    return rc;
}
