/* Choose: which schedule a kernel is compiled with. First match wins:
 *
 *     -e SCRIPT           what the user wrote on the command line
 *     --schedule=FILE     a script in a file
 *     otherwise           every statement in written order
 */
#include "cli/job.h"
#include "support/file.h"
#include "transforms/transform.h"
#include <stdlib.h>
#include <string.h>

/* The -e options, joined by blanks. */
static const char *joined_script(sq_job *j)
{
    const char *script = "";
    for (int i = 0; i < j->o->script.n; i++)
        script = sq_arena_printf(j->arena, "%s%s%s", script, i ? " " : "", j->o->script.item[i]);
    return script;
}

/* A script without names of kernels means one kernel. */
static int only_kernel(sq_job *j, const char *option)
{
    if (j->unit->nkernels == 1)
        return 0;
    sq_error(j->d, SQ_FAULT_USAGE, sq_settings_loc(j->o, option),
             "a script is for one kernel and %s has %d", j->path, j->unit->nkernels);
    sq_help(j->d, SQ_NOWHERE, "name one with --kernel=NAME");
    return -1;
}

static int apply(sq_job *j, int i, const char *script, const char *name, sq_origin origin)
{
    sq_diags_source(j->d, name, script, strlen(script));
    j->origin[i] = origin;
    return sq_script_apply(j->schedule[i], script, name, j->arena, j->d);
}

/* A copy of the file in the arena; NULL after adding an error. */
static const char *read_script(sq_job *j, const char *path)
{
    size_t n = 0;
    char *text = sq_file_read(j->d, path, &n);
    const char *copy = text ? sq_arena_strndup(j->arena, text, n) : NULL;
    free(text);
    return copy;
}

static int choose(sq_job *j, int i)
{
    const sq_settings *o = j->o;
    if (o->script.n)
        return only_kernel(j, "script") ? -1
                                        : apply(j, i, joined_script(j), "-e", SQ_FROM_SCRIPT);
    if (o->schedule) {
        const char *script = read_script(j, o->schedule);
        if (!script || only_kernel(j, "schedule") != 0)
            return -1;
        return apply(j, i, script, o->schedule, SQ_FROM_FILE);
    }
    return 0;
}

/* --require-tuned: a schedule that a person or a measurement chose. */
static int require_tuned(sq_job *j, int i)
{
    if (!j->o->require_tuned || j->origin[i] != SQ_FROM_DRAFT)
        return 0;
    sq_error(j->d, SQ_FAULT_REFUSED, j->unit->kernel[i]->loc,
             "no tuned schedule of kernel '%s' fits class %s", j->unit->kernel[i]->name,
             j->machine->name);
    sq_help(j->d, SQ_NOWHERE, "`squall tune %s` makes one", j->path);
    return -1;
}

/* -v: which schedule was taken. */
static void say(sq_job *j, int i)
{
    static const char *const origin[] = {"untuned default", "-e", "file", "tuned"};
    const char *name = j->unit->kernel[i]->name, *file = j->tuned[i];
    if (j->o->verbose > 0)
        sq_note(j->d, SQ_NOWHERE, "%s: schedule: %s%s%s", name, origin[j->origin[i]],
                file ? ", " : "", file ? file : "");
}

int sq_job_schedule(sq_job *j)
{
    int n = j->unit->nkernels;
    j->schedule = SQ_NEW_ARRAY(j->arena, sq_schedule *, n);
    j->origin = SQ_NEW_ARRAY(j->arena, sq_origin, n);
    j->tuned = SQ_NEW_ARRAY(j->arena, const char *, n);
    for (int i = 0; i < n; i++) {
        j->schedule[i] = sq_schedule_new(j->unit->kernel[i], j->arena);
        if (choose(j, i) != 0 || require_tuned(j, i) != 0)
            return -1;
        say(j, i);
    }
    return 0;
}
