/* Choose: which schedule a kernel is compiled with. First match wins:
 *
 *     -e SCRIPT                what the user wrote on the command line
 *     --schedule=FILE          a script, or a .sched file, whose entry must fit
 *     K.<class>.sched          beside the source, as tune writes it, where an entry fits
 *     otherwise                the draft model's first choice
 *
 * A .sched entry made for another version of the kernel ("foreign") is used as long as it is legal,
 * and that is said once. */
#include "cli/task.h"
#include "support/file.h"
#include "transforms/transform.h"
#include "tuner/draft.h"
#include "tuner/sched_file.h"
#include <stdlib.h>
#include <string.h>

/* The -e options, joined by blanks. */
static const char *joined_script(sq_task *j)
{
    const char *script = "";
    for (int i = 0; i < j->o->script.n; i++)
        script = sq_arena_printf(j->arena, "%s%s%s", script, i ? " " : "", j->o->script.item[i]);
    return script;
}

/* A script without names of kernels means one kernel. */
static int only_kernel(sq_task *j, const char *option)
{
    if (j->unit->nkernels == 1)
        return 0;
    sq_error(j->d, SQ_FAULT_USAGE, sq_settings_loc(j->o, option),
             "a script is for one kernel and %s has %d", j->path, j->unit->nkernels);
    sq_help(j->d, SQ_NOWHERE, "name one with --kernel=NAME");
    return -1;
}

static int apply(sq_task *j, int i, const char *script, const char *name, sq_origin origin)
{
    sq_diags_source(j->d, name, script, strlen(script));
    j->origin[i] = origin;
    return sq_script_apply(j->schedule[i], script, name, j->arena, j->d);
}

/* A copy of the file in the arena; NULL after adding an error. */
static const char *read_script(sq_task *j, const char *path)
{
    size_t n = 0;
    char *text = sq_file_read(j->d, path, &n);
    const char *copy = text ? sq_arena_strndup(j->arena, text, n) : NULL;
    free(text);
    return copy;
}

/* The entry's script with its lines where they are in the file, so that messages point there. */
static const char *script_in_place(sq_task *j, const sq_sched_entry *e)
{
    int above = e->loc.line > 1 ? e->loc.line - 1 : 0;
    char *script = SQ_NEW_ARRAY(j->arena, char, (size_t)above + strlen(e->script) + 1);
    memset(script, '\n', (size_t)above);
    strcpy(script + above, e->script);
    return script;
}

/* 1: applied; 0: a foreign entry that is not legal here, dropped; -1: errors added. */
static int apply_entry(sq_task *j, int i, const sq_sched_entry *e, const char *path,
                       const char *text)
{
    const sq_kernel *k = j->unit->kernel[i];
    sq_hash source = sq_hash_bytes(j->text, j->ntext);
    bool foreign = sq_sched_foreign(e, k, source.hex);
    size_t mark = sq_diags_mark(j->d);
    int bad = sq_script_apply(j->schedule[i], script_in_place(j, e), path, j->arena, j->d);
    sq_diags_source(j->d, path, text, strlen(text)); /* the whole file again, for carets */
    if (!bad) {
        j->origin[i] = SQ_FROM_TUNED;
        j->tuned[i] = path;
        if (foreign)
            sq_warning(j->d, e->loc, "made for another version of '%s'; used, because it is legal",
                       k->name);
        return 1;
    }
    if (!foreign)
        return -1;
    const char *why = sq_arena_strdup(j->arena, sq_diags_message(j->d, mark));
    sq_diags_rewind(j->d, mark);
    sq_warning(j->d, e->loc, "made for another version of '%s', and not legal for this one", k->name);
    sq_note(j->d, SQ_NOWHERE, "%s", why);
    j->schedule[i] = sq_schedule_new(k, j->arena);
    return 0;
}

/* The same three answers; 0 also when no entry fits. */
static int apply_sched(sq_task *j, int i, const char *path, const char *text)
{
    sq_sched_file *f = sq_sched_parse(path, text, strlen(text), j->arena, j->d);
    if (!f)
        return -1;
    const sq_sched_entry *e = sq_sched_find(f, j->unit->kernel[i], j->openmp);
    return e ? apply_entry(j, i, e, path, text) : 0;
}

static bool is_sched(const char *text)
{
    return strncmp(text, "squall-sched", 12) == 0;
}

/* --schedule=FILE was given for a reason: an entry that does not fit is refused. */
static int apply_given(sq_task *j, int i, const char *path)
{
    const char *text = read_script(j, path);
    if (!text)
        return -1;
    if (!is_sched(text))
        return only_kernel(j, "schedule") ? -1 : apply(j, i, text, path, SQ_FROM_FILE);
    int found = apply_sched(j, i, path, text);
    if (found == 0)
        return sq_error(j->d, SQ_FAULT_REFUSED, (sq_loc){.file = path},
                        "no entry fits kernel '%s' at these sizes", j->unit->kernel[i]->name);
    return found < 0 ? -1 : 0;
}

/* The file beside the source may be absent, or have no entry that fits. */
static int apply_beside(sq_task *j, int i)
{
    if (strcmp(j->path, "<stdin>") == 0)
        return 0;
    const char *path = sq_sched_path(j->arena, j->path, j->machine->isa, NULL);
    if (!sq_file_exists(path))
        return 0;
    const char *text = read_script(j, path);
    return text ? apply_sched(j, i, path, text) : -1;
}

/* The draft model's first choice, which needs no data. A class does not know its cores; a handful
 * makes the model part the loops. */
static void draft(sq_task *j, int i)
{
    int threads = !j->openmp ? 1 : j->machine->cores > 1 ? j->machine->cores : 4;
    sq_text script = {0};
    j->origin[i] = SQ_FROM_DRAFT;
    if (sq_draft_schedule(j->schedule[i], j->machine, j->target, threads, j->arena, &script) != 0)
        sq_warning(j->d, j->unit->kernel[i]->loc,
                   "no first choice of the model is legal for '%s': compiled in the order written",
                   j->unit->kernel[i]->name);
    sq_text_free(&script);
}

static int choose(sq_task *j, int i)
{
    const sq_settings *o = j->o;
    if (o->script.n)
        return only_kernel(j, "script") ? -1
                                        : apply(j, i, joined_script(j), "-e", SQ_FROM_SCRIPT);
    if (o->schedule)
        return apply_given(j, i, o->schedule);
    int found = apply_beside(j, i);
    if (found == 0)
        draft(j, i);
    return found < 0 ? -1 : 0;
}

/* --require-tuned: a schedule that a person or a measurement chose. */
static int require_tuned(sq_task *j, int i)
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
static void say(sq_task *j, int i)
{
    static const char *const origin[] = {"untuned default", "-e", "file", "tuned"};
    const char *name = j->unit->kernel[i]->name, *file = j->tuned[i];
    if (j->o->verbose > 0)
        sq_note(j->d, SQ_NOWHERE, "%s: schedule: %s%s%s", name, origin[j->origin[i]],
                file ? ", " : "", file ? file : "");
}

int sq_task_schedule(sq_task *j)
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
