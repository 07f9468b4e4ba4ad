/* Task: opens a description, settles target and machine, runs stages. */
#include "cli/task.h"
#include "support/file.h"
#include "support/nearest.h"
#include "support/version.h"
#include <isl/options.h>
#include <stdlib.h>
#include <string.h>

/* The first of the words in `text` parted by commas. */
static const char *first_word(const char *text, sq_arena *arena)
{
    return sq_arena_strndup(arena, text, strcspn(text, ","));
}

static int unknown_target(sq_task *j, const char *name, sq_loc loc)
{
    const char *names[32];
    size_t n = 0;
    for (const sq_target *t = sq_targets; t->name && n < 32; t++)
        names[n++] = t->name;
    sq_error(j->d, SQ_FAULT_USAGE, loc, "there is no target '%s'", name);
    const char *nearest = sq_nearest(name, names, n);
    if (nearest)
        sq_help(j->d, SQ_NOWHERE, "did you mean '%s'?", nearest);
    else
        sq_help(j->d, SQ_NOWHERE, "`squall show targets` lists them");
    return -1;
}

/* "avx2,openmp": the name, then options. `c` is the portable target, `host` this processor's. */
static int settle_target(sq_task *j, const char *text)
{
    sq_loc loc = sq_settings_loc(j->o, "target");
    const char *name = first_word(text, j->arena);
    if (strcmp(name, "openmp") == 0) {
        name = "c";
        text = sq_arena_printf(j->arena, "c,%s", text);
    }
    if (strcmp(name, "host") == 0)
        j->target = sq_target_get(sq_machine_host_isa());
    else
        j->target = sq_target_get(strcmp(name, "c") == 0 ? "generic" : name);
    if (!j->target)
        return unknown_target(j, name, loc);
    for (const char *p = strchr(text, ','); p; p = strchr(p + 1, ',')) {
        const char *word = first_word(p + 1, j->arena);
        if (strcmp(word, "openmp") == 0)
            j->openmp = true;
        else if (strcmp(word, "serial") != 0)
            return sq_error(j->d, SQ_FAULT_USAGE, loc,
                            "'%s' is no option of a target; there are: openmp serial", word);
    }
    return 0;
}

/* A class by its name, or this machine's. */
static int settle_machine(sq_task *j, const char *name)
{
    if (strcmp(name, "c") == 0)
        name = "generic";
    j->machine = sq_machine_class(strcmp(name, "host") == 0 ? sq_machine_host_isa() : name);
    if (!j->machine)
        return sq_error(j->d, SQ_FAULT_USAGE, sq_settings_loc(j->o, "machine"),
                        "there is no machine class '%s'; there are: host generic avx2 avx512 neon",
                        name);
    return 0;
}

/* Neither given: portable text for the generic class, the same whoever generates it. One given
 * decides the other. */
int sq_task_target(sq_task *j)
{
    const char *target = j->o->target, *machine = j->o->machine;
    if (machine && settle_machine(j, machine) != 0)
        return -1;
    if (settle_target(j, target ? target : machine ? j->machine->isa : "c") != 0)
        return -1;
    return machine ? 0 : settle_machine(j, j->target->name);
}

/* A line `// squall >= 0.4` in the description: it was written for that version or a later one. */
static int check_version(sq_task *j)
{
    int line = 1, have[3] = {0};
    sscanf(SQ_VERSION, "%d.%d.%d", &have[0], &have[1], &have[2]);
    for (const char *p = j->text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL, line++) {
        int want[3] = {0}, used = 0;
        if (sscanf(p, "// squall >= %d%n.%d%n.%d%n", &want[0], &used, &want[1], &used, &want[2],
                   &used) < 1)
            continue;
        int i = 0;
        while (i < 2 && want[i] == have[i])
            i++;
        if (want[i] > have[i]) {
            sq_diags_source(j->d, j->path, j->text, j->ntext);
            return sq_error(j->d, SQ_FAULT_NEWER, (sq_loc){j->path, line, 1, used},
                            "this needs a newer squall; here is " SQ_VERSION);
        }
    }
    return 0;
}

int sq_task_open(sq_task *j, const sq_settings *o, sq_diags *d)
{
    *j = (sq_task){.o = o, .d = d, .arena = sq_arena_new(), .ctx = isl_ctx_alloc()};
    isl_options_set_on_error(j->ctx, ISL_ON_ERROR_CONTINUE);
    if (sq_task_target(j) != 0)
        return -1;
    if (o->files.n != 1)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        o->files.n ? "one description at a time: '%s' is one too many"
                                   : "no description given%s; `squall help %s` shows how",
                        o->files.n ? o->files.item[1] : "", o->command);
    const char *path = o->files.item[0];
    j->path = strcmp(path, "-") == 0 ? "<stdin>" : path;
    j->text = sq_file_read(d, path, &j->ntext);
    return j->text ? check_version(j) : -1;
}

int sq_stage_find(sq_task *j, const char *name, const char *option)
{
    const char *names[SQ_NSTAGES];
    for (int i = 0; i < SQ_NSTAGES; i++) {
        names[i] = sq_stages[i].name;
        if (strcmp(name, sq_stages[i].name) == 0)
            return i;
    }
    sq_error(j->d, SQ_FAULT_USAGE, sq_settings_loc(j->o, option), "there is no stage '%s'", name);
    const char *nearest = sq_nearest(name, names, SQ_NSTAGES);
    if (nearest)
        sq_help(j->d, SQ_NOWHERE, "did you mean '%s'?", nearest);
    else
        sq_help(j->d, SQ_NOWHERE, "the stages are: parse scop deps apply lower emit");
    return -1;
}

/* Is the stage named in --dump? */
static bool dumped(const sq_task *j, const char *stage)
{
    size_t n = strlen(stage);
    for (const char *p = j->o->dump; p && *p; p += strcspn(p, ","), p += *p == ',') {
        size_t k = strcspn(p, ",");
        if ((k == n && strncmp(p, stage, n) == 0) || (k == 3 && strncmp(p, "all", 3) == 0))
            return true;
    }
    return false;
}

int sq_task_run(sq_task *j, int last, sq_text *dumps)
{
    for (int i = 0; i <= last; i++) {
        const sq_stage *s = &sq_stages[i];
        double start = sq_terminal_seconds();
        int bad = s->run ? s->run(j) : 0;
        j->seconds[i] = sq_terminal_seconds() - start;
        if (bad || sq_diags_errors(j->d) > 0)
            return -1;
        if (!dumps || !dumped(j, s->name))
            continue;
        sq_text_line(dumps, "# %s: %s", s->name, s->doc);
        if (s->dump(j, dumps) != 0)
            return -1;
    }
    return 0;
}

int sq_task_run_named(sq_task *j, const char *last)
{
    int stage = sq_stage_find(j, last, "stop-after");
    return stage < 0 ? -1 : sq_task_run(j, stage, NULL);
}

void sq_task_close(sq_task *j)
{
    sq_text_free(&j->source);
    sq_text_free(&j->header);
    sq_text_free(&j->script);
    sq_unit_free(j->unit);
    free(j->text);
    if (j->ctx)
        isl_ctx_free(j->ctx);
    sq_arena_free(j->arena);
}
