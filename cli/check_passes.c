/* squall check --passes: see check_passes.h. */
#include "cli/check_passes.h"
#include "cli/task.h"
#include "codegen/interpreted.h"
#include <stdio.h>

/* With the schedule in hand. */
static int check_kernel(sq_task *task, int i, void *user)
{
    (void)user;
    const sq_kernel *k = task->unit->kernel[i];
    const sq_interpreted_options how = {
        .target = task->target, .threads = task->openmp, .npasses = sq_npasses, .pass = sq_passes};
    sq_interpreted r;
    if (sq_interpreted_check(task->now[i]->schedule, k, &how, &r, task->d) != 0)
        return -1;
    printf("%s%s: lower", k->name, sq_variants_label(task, i));
    for (int p = 0; p < sq_npasses; p++)
        printf(", %s", sq_passes[p].name);
    printf(": as described at %d rows of sizes, with parallel loops in three orders\n", r.rows);
    return 0;
}

int sq_check_passes(const sq_settings *o, sq_diags *d)
{
    sq_task task;
    if (o->json || o->text.n || o->targets)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "passes"),
                        "--passes runs the code for one target, without --%s",
                        o->json     ? "json"
                        : o->text.n ? "text"
                                    : "targets");
    int rc = sq_task_open(&task, o, d);
    if (rc == 0)
        rc = sq_task_run_named(&task, "apply");
    for (int i = 0; rc == 0 && i < task.unit->nkernels; i++)
        rc = sq_variants_each(&task, i, check_kernel, NULL);
    sq_task_close(&task);
    return rc;
}
