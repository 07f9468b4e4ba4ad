/* Simulated task: see simulated_task.h. */
#include "cli/simulated_task.h"
#include <string.h>

enum { SHORT = 16 };

static int open_task(sq_simulated_task *s, const sq_measure *m)
{
    const sq_sizes *given = &m->settings.fix;
    sq_settings *o = &s->settings;
    *o = m->settings;
    o->fix = (sq_sizes){.fix = SQ_NEW_ARRAY(m->task.arena, sq_fix, given->n + 1)};
    for (int i = 0; i < given->n; i++)
        if (given->fix[i].value <= SHORT)
            o->fix.fix[o->fix.n++] = given->fix[i];
    return sq_task_open(&s->task, o, m->task.d) == 0 ? sq_task_run_named(&s->task, "deps") : -1;
}

int sq_simulated_task_kernel(sq_simulated_task *s, sq_measure *m, const sq_kernel *k, const sq_kernel **to)
{
    *to = m->runner != &sq_runner_model ? NULL : k;
    if (!*to || m->settings.fix.n == 0)
        return 0;
    if (!s->task.path && open_task(s, m) != 0)
        return -1;
    for (int i = 0; i < s->task.unit->nkernels; i++)
        if (strcmp(s->task.unit->kernel[i]->name, k->name) == 0) {
            *to = s->task.unit->kernel[i];
            return 0;
        }
    return -1;
}

void sq_simulated_task_close(sq_simulated_task *s)
{
    if (s->task.path)
        sq_task_close(&s->task);
}
