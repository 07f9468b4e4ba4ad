/* Task: opens a description, runs stages. */
#include "cli/dumps.h"
#include "frontend/scop.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/nearest.h"
#include "support/version.h"
#include <isl/options.h>
#include <stdlib.h>
#include <string.h>

/* A line `// squall >= 0.4` in the description: it was written for that version or a later one. */
static int check_version(sq_task *task)
{
    int line = 1, have[3] = {0};
    sscanf(SQ_VERSION, "%d.%d.%d", &have[0], &have[1], &have[2]);
    for (const char *p = task->text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL, line++) {
        int want[3] = {0}, used = 0;
        char head[64] =
            ""; /* of the line: sscanf would measure all that follows, once for each line */
        memcpy(head, p, strnlen(p, sizeof head - 1));
        if (sscanf(head, "// squall >= %d%n.%d%n.%d%n", &want[0], &used, &want[1], &used, &want[2],
                   &used) < 1)
            continue;
        int i = 0;
        while (i < 2 && want[i] == have[i])
            i++;
        if (want[i] > have[i]) {
            sq_diags_source(task->d, task->path, task->text, task->ntext);
            return sq_error(task->d, SQ_FAULT_NEWER, (sq_loc){task->path, line, 1, used},
                            "this needs a newer squall; here is " SQ_VERSION);
        }
    }
    return 0;
}

static int begin(sq_task *task, const sq_settings *o, sq_diags *d)
{
    *task = (sq_task){.o = o, .d = d, .arena = sq_arena_new(), .ctx = isl_ctx_alloc()};
    isl_options_set_on_error(task->ctx, ISL_ON_ERROR_CONTINUE);
    return sq_task_target(task);
}

/* Of the text that was read: what there is to say before libclang sees it. */
static int check_text(sq_task *task)
{
    const sq_settings *o = task->o;
    task->regions = task->text && sq_scop_present(task->text, task->ntext);
    if (task->regions && task->target->grid)
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(o, "target"),
                        "%s holds regions of ordinary C, whose arrays lie in the memory of the "
                        "host: they are not for target '%s'; write a kernel, whose function takes "
                        "arrays of the device",
                        task->path, task->target->name);
    if (task->regions && task->nsections)
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(o, "targets"),
                        "%s holds regions of C, which are compiled for one target; write a kernel "
                        "for several",
                        task->path);
    return task->text ? check_version(task) : -1;
}

/* A second file that looks like M=512 belongs to an option before it: sizes have commas between them. */
static int refuse_files(const sq_settings *o, sq_diags *d)
{
    if (o->files.n == 0)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "no description given; `squall help %s` shows how",
                        o->command);
    const char *extra = o->files.item[1];
    sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "one description at a time: '%s' is one too many", extra);
    if (strchr(extra, '='))
        sq_help(d, SQ_NOWHERE, "sizes of one option are separated by commas: --at=M=512,N=512");
    return -1;
}

int sq_task_open(sq_task *task, const sq_settings *o, sq_diags *d)
{
    if (begin(task, o, d) != 0)
        return -1;
    if (o->files.n != 1)
        return refuse_files(o, d);
    const char *path = o->files.item[0];
    task->path = strcmp(path, "-") == 0 ? "<stdin>" : path;
    task->text = sq_file_read(d, path, &task->ntext);
    return check_text(task);
}

int sq_task_open_text(sq_task *task, const sq_settings *o, const char *path, const char *text,
                      size_t n, sq_diags *d)
{
    if (begin(task, o, d) != 0)
        return -1;
    task->path = path;
    task->text = sq_allocated(malloc(n + 1));
    memcpy(task->text, text, n);
    task->text[n] = 0;
    task->ntext = n;
    return check_text(task);
}

int sq_stage_find(sq_task *task, const char *name, const char *option)
{
    const char *names[SQ_NSTAGES];
    for (int i = 0; i < SQ_NSTAGES; i++) {
        names[i] = sq_stages[i].name;
        if (strcmp(name, sq_stages[i].name) == 0)
            return i;
    }
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, option), "there is no stage '%s'",
             name);
    const char *nearest = sq_nearest(name, names, SQ_NSTAGES);
    sq_suggest(task->d, name, nearest);
    if (!nearest)
        sq_help(task->d, SQ_NOWHERE, "the stages are: parse scop deps apply lower code emit");
    return -1;
}

int sq_task_run(sq_task *task, int last, sq_text *dumps)
{
    for (int i = task->done; i <= last; i++) {
        const sq_stage *s = &sq_stages[i];
        double start = sq_terminal_seconds();
        int bad = s->run ? s->run(task) : 0;
        task->seconds[i] = sq_terminal_seconds() - start;
        if (bad || sq_diags_errors(task->d) > 0)
            return -1;
        task->done = i + 1;
        if (!dumps || !sq_dumps_has(task, s->name))
            continue;
        sq_text_line(dumps, "# %s: %s", s->name, s->doc);
        if (s->dump(task, dumps) != 0)
            return -1;
    }
    return 0;
}

int sq_task_run_named(sq_task *task, const char *last)
{
    int stage = sq_stage_find(task, last, "stop-after");
    return stage < 0 ? -1 : sq_task_run(task, stage, NULL);
}

void sq_task_close(sq_task *task)
{
    sq_text_free(&task->source);
    sq_text_free(&task->header);
    sq_text_free(&task->script);
    for (int i = 0; task->units && i < task->nsets; i++)
        sq_unit_free(task->units[i]);
    free(task->text);
    if (task->ctx)
        isl_ctx_free(task->ctx);
    sq_arena_free(task->arena);
}
