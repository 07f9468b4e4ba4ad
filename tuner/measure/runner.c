/* Runners: the table, and the names of statuses. */
#include "tuner/measure/runner.h"
#include <string.h>

static const char *const names[SQ_NSTATUSES] = {"ok",      "infeasible", "build_failed", "crashed",
                                                "timeout", "wrong",      "lost"};

const sq_runner *const sq_runners[] = {&sq_runner_local, &sq_runner_device, &sq_runner_model, NULL};

const char *sq_status_name(sq_status s)
{
    return (unsigned)s < SQ_NSTATUSES ? names[s] : "unknown";
}

sq_status sq_status_get(const char *name)
{
    for (int s = 0; s < SQ_NSTATUSES; s++)
        if (strcmp(names[s], name) == 0)
            return (sq_status)s;
    return SQ_NSTATUSES;
}

const sq_runner *sq_runner_get(const char *name)
{
    for (const sq_runner *const *r = sq_runners; *r; r++)
        if (strcmp((*r)->name, name) == 0)
            return *r;
    return NULL;
}

void sq_candidate_workspace(const sq_kernel *k, sq_text *to)
{
    sq_text_printf(to, "#define " SQ_CANDIDATE_WORKSPACE "%s\n", sq_kernel_has_locals(k) ? " NULL," : "");
}
