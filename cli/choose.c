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
#include "ir/schedule/tree.h"
#include "support/file.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include "tuner/store/sched_file.h"
#include <stdlib.h>
#include <string.h>

const char *sq_origin_name(sq_origin origin)
{
    static const char *const name[SQ_NORIGINS] = {"first choice of the model, untuned",
                                                  "given with -e",
                                                  "given with --schedule",
                                                  "tuned",
                                                  "chosen by the model, not measured",
                                                  "the order written, untuned"};
    return name[origin];
}

/* The -e options, joined by blanks. */
static const char *joined_script(sq_task *task)
{
    const char *script = "";
    for (int i = 0; i < task->o->script.n; i++)
        script =
            sq_arena_printf(task->arena, "%s%s%s", script, i ? " " : "", task->o->script.item[i]);
    return script;
}

/* A script without names of kernels means one kernel. */
static int only_kernel(sq_task *task, const char *option)
{
    if (task->unit->nkernels == 1)
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, option),
             "a script is for one kernel and %s has %d", task->path, task->unit->nkernels);
    sq_help(task->d, SQ_NOWHERE, "name one with --kernel=NAME");
    return -1;
}

static int apply(sq_task *task, int i, const char *script, const char *name, sq_origin origin)
{
    sq_diags_source(task->d, name, script, strlen(script));
    task->origin[i] = origin;
    return sq_script_apply_on(task->schedule[i], script, name, task->machine, task->arena, task->d);
}

/* The text of --schedule, or of the file beside the source, which no option named: read once for
 * all kernels. NULL after adding an error. */
static const char *read_schedule(sq_task *task, const char *path, bool named)
{
    size_t n = 0;
    if (task->schedule_text)
        return task->schedule_text;
    char *text = named ? sq_file_read(task->d, path, &n) : sq_file_read_regular(task->d, path, &n);
    if (text)
        task->schedule_text = sq_arena_strndup(task->arena, text, n);
    free(text);
    return task->schedule_text;
}

/* The same, parsed once. */
static const sq_sched_file *parse_sched(sq_task *task, const char *path, const char *text)
{
    if (!task->sched)
        task->sched = sq_sched_parse(path, text, strlen(text), task->arena, task->d);
    return task->sched;
}

/* The entry's script with its lines where they are in the file, so that messages point there. */
const char *sq_task_script_in_place(const sq_task *task, const sq_sched_entry *e)
{
    int above = e->loc.line > 1 ? e->loc.line - 1 : 0;
    char *script = SQ_NEW_ARRAY(task->arena, char, (size_t)above + strlen(e->script) + 1);
    memset(script, '\n', (size_t)above);
    strcpy(script + above, e->script);
    return script;
}

static void say_serial(sq_task *task, const sq_sched_entry *e)
{
    const char *target = task->target->name;
    sq_warning(task->d, e->loc,
               "tuned for target %s, and this is compiled for target %s,openmp: "
               "no loop of it is parallel",
               target, target);
    sq_help(task->d, SQ_NOWHERE, "tune with `squall tune --target=%s,openmp`", target);
}

/* Tuned on a processor of the class that has more than this target. */
static void say_lacks(sq_task *task, const sq_sched_entry *e)
{
    sq_warning(task->d, e->loc,
               "'%s' was tuned for processors with products of words, which target '%s' has not: not used", e->kernel,
               task->target->name);
    for (const sq_target *t = sq_targets; t->name; t++)
        if (t->less && strcmp(t->less, task->target->name) == 0)
            sq_help(task->d, SQ_NOWHERE, "--target=%s has them", t->name);
}

/* 1: applied; 0: a foreign entry that is not legal here, dropped; -1: errors added. */
static int apply_entry(sq_task *task, int i, const sq_sched_entry *e, const char *path,
                       const char *text)
{
    const sq_kernel *k = task->unit->kernel[i];
    sq_hash source = sq_hash_bytes(task->text, task->ntext);
    bool foreign = sq_sched_foreign(e, k, source.hex);
    size_t mark = sq_diags_mark(task->d);
    int bad = sq_script_apply_on(task->schedule[i], sq_task_script_in_place(task, e), path, task->machine,
                                 task->arena, task->d);
    sq_diags_source(task->d, path, text, strlen(text)); /* the whole file again, for carets */
    if (!bad && !sq_target_has_all(task->target, task->schedule[i])) {
        say_lacks(task, e);
        task->schedule[i] = sq_schedule_new(k, task->arena);
        return 0;
    }
    if (!bad) {
        task->origin[i] = e->unmeasured ? SQ_FROM_PREDICTED : SQ_FROM_TUNED;
        task->tuned[i] = path;
        if (foreign)
            sq_warning(task->d, e->loc,
                       "made for another version of '%s'; used, because it is legal", k->name);
        if (task->openmp && !e->openmp && !strstr(e->script, "parallel"))
            say_serial(task, e);
        return 1;
    }
    if (!foreign) {
        sq_sched_note_newer(task->sched->minor, task->d);
        return -1;
    }
    const char *why = sq_arena_strdup(task->arena, sq_diags_message(task->d, mark));
    sq_diags_rewind(task->d, mark);
    sq_warning(task->d, e->loc, "made for another version of '%s', and not legal for this one",
               k->name);
    sq_note(task->d, SQ_NOWHERE, "%s", why);
    task->schedule[i] = sq_schedule_new(k, task->arena);
    return 0;
}

/* Times taken on another class of machine say nothing here. --schedule was given for a reason: an
 * error; a file beside the source is passed over, said once for all kernels. */
static int other_class(sq_task *task, int i, const char *path, const sq_sched_file *f)
{
    sq_loc loc = {.file = path};
    if (!task->o->schedule) {
        if (i == 0)
            sq_warning(task->d, loc, "holds schedules for class %s, and %s was asked for: not used",
                       f->machine, task->machine->isa);
        if (i == 0)
            sq_help(task->d, SQ_NOWHERE,
                    "--machine=%s compiles for that class, `squall tune` writes the file for %s",
                    f->machine, task->machine->isa);
        return 0;
    }
    sq_error(task->d, SQ_FAULT_REFUSED, loc, "holds schedules for class %s, and %s was asked for",
             f->machine, task->machine->isa);
    sq_help(task->d, SQ_NOWHERE, "--machine=%s compiles for that class", f->machine);
    return -1;
}

/* "M=512,N=512" */
static const char *sizes_of(sq_task *task, const sq_sched_entry *e)
{
    const char *text = "";
    for (int s = 0; s < e->nsizes; s++)
        text = sq_arena_printf(task->arena, "%s%s%s=%lld", text, s ? "," : "", e->size[s].name,
                               (long long)e->size[s].value);
    return text;
}

/* Constant sizes when it was tuned, parameters now. */
static void help_unfit(sq_task *task, const sq_kernel *k, const sq_sched_entry *e)
{
    const char *fix = sizes_of(task, e);
    bool symbolic = false;
    for (int s = 0; s < k->nsizes; s++)
        symbolic |= !k->size[s]->fixed;
    if (symbolic && *fix)
        sq_help(task->d, SQ_NOWHERE,
                "if it was tuned with --fix=%s, give that here, too; `tune --at` tunes sizes that "
                "stay parameters",
                fix);
}

/* What a schedule was tuned for, where that is not this. The text of a description that it was tuned
 * for with --fix is the same. */
static const char *made_for(const sq_task *task, const sq_kernel *k, const sq_sched_entry *e)
{
    sq_hash source = sq_hash_bytes(task->text, task->ntext);
    bool constant = true;
    for (int s = 0; s < k->nsizes; s++)
        constant &= k->size[s]->fixed;
    return constant ? "for other sizes"
           : strcmp(source.hex, e->source_hash) == 0
               ? "for constant sizes, or with other options"
               : "before its description was changed, or for constant sizes";
}

sq_sched_for sq_task_asked(const sq_task *task)
{
    return (sq_sched_for){.openmp = task->openmp, .words = task->target->less != NULL};
}

/* Tuned, but not for this: silence would look like success. */
static void say_unfit(sq_task *task, int i, const sq_sched_file *f)
{
    const char *name = task->unit->kernel[i]->name;
    for (int e = 0; e < f->n && !task->o->schedule; e++)
        if (strcmp(f->entry[e].kernel, name) == 0) {
            sq_warning(task->d, f->entry[e].loc, "'%s' was tuned %s: not used", name,
                       made_for(task, task->unit->kernel[i], &f->entry[e]));
            help_unfit(task, task->unit->kernel[i], &f->entry[e]);
            return;
        }
}

/* One function for all sizes, tuned at several: which of the schedules it has is no matter of
 * course. */
static void say_several(sq_task *task, const sq_kernel *k, const sq_sched_file *f,
                        const sq_sched_entry *e)
{
    int n = sq_sched_count_equal(f, k, sq_task_asked(task), e);
    if (n < 2 || task->o->at.n)
        return;
    sq_warning(task->d, e->loc,
               "'%s' was tuned at %d vectors of sizes, which stay parameters: the schedule for %s "
               "serves all of them",
               k->name, n, sizes_of(task, e));
    sq_help(task->d, SQ_NOWHERE,
            "--at=%s, or another of the file's, chooses; --fix=... compiles for given sizes",
            sizes_of(task, e));
}

/* The entry to take; --at names the sizes that it was tuned at. 0, or -1 after adding an error:
 * what --at asks of compile is there or is refused. */
static int find_entry(sq_task *task, const sq_kernel *k, const sq_sched_file *f, const char *path,
                      const sq_sched_entry **e)
{
    const sq_list *list = &task->o->at;
    sq_loc loc = sq_settings_loc(task->o, "at");
    *e = sq_sched_find(f, k, sq_task_asked(task));
    for (int i = 0; i < list->n && *e; i++) {
        sq_sizes at = {0};
        if (sq_sizes_parse(list->item[i], &at, task->arena, loc, task->d) != 0)
            return -1;
        const sq_sched_entry *found = sq_sched_find_at(f, k, sq_task_asked(task), at.fix, at.n);
        if (found) {
            *e = found;
            return 0;
        }
    }
    if (!*e || !list->n || strcmp(task->o->command, "compile") != 0)
        return 0;
    sq_error(task->d, SQ_FAULT_REFUSED, loc, "%s has no schedule of '%s' for these sizes", path,
             k->name);
    sq_help(task->d, SQ_NOWHERE, "the first one there is for %s", sizes_of(task, *e));
    return -1;
}

/* The same three results; 0 also when no entry fits. */
static int apply_sched(sq_task *task, int i, const char *path, const char *text)
{
    const sq_sched_file *f = parse_sched(task, path, text);
    if (!f)
        return -1;
    if (strcmp(f->machine, task->machine->isa) != 0)
        return other_class(task, i, path, f);
    const sq_sched_entry *e;
    if (find_entry(task, task->unit->kernel[i], f, path, &e) != 0)
        return -1;
    if (e)
        say_several(task, task->unit->kernel[i], f, e);
    if (e)
        return apply_entry(task, i, e, path, text);
    say_unfit(task, i, f);
    return 0;
}

static bool is_sched(const char *text)
{
    return strncmp(text, "squall-sched", 12) == 0;
}

/* Threads that somebody asked for and no loop has. */
static void warn_of_serial(sq_task *task, const sq_schedule *s)
{
    for (int g = 0; g < s->ngroups; g++) {
        const sq_group *x = s->group[g];
        const sq_auto *how = x->kind == SQ_GROUP_TREE ? &x->plan->how : NULL;
        if (!how || !(how->parallel || how->grid) || sq_tree_shared(x->plan->tree))
            continue;
        sq_warning(task->d, x->stmt[0]->loc, "auto(%s): threads can share no loop around '%s'",
                   how->grid ? "grid" : "parallel", x->stmt[0]->name);
        sq_help(
            task->d, SQ_NOWHERE,
            "`squall explain %s` says what each loop carries; an innermost loop inside others is "
            "left to vector lanes",
            task->path);
    }
}

/* A script that a person wrote: on the command line, or in a file that is no .sched file. */
static int apply_written(sq_task *task, int i, const char *text, const char *option,
                         const char *name, sq_origin from)
{
    if (only_kernel(task, option) || apply(task, i, text, name, from) < 0)
        return -1;
    task->written = text;
    task->written_name = name;
    warn_of_serial(task, task->schedule[i]);
    return 0;
}

/* --schedule=FILE was given for a reason: an entry that does not fit is refused. */
static int apply_given(sq_task *task, int i, const char *path)
{
    const char *text = read_schedule(task, path, true);
    if (!text)
        return -1;
    if (!is_sched(text))
        return apply_written(task, i, text, "schedule", path, SQ_FROM_FILE);
    int found = apply_sched(task, i, path, text);
    if (found == 0)
        return sq_error(task->d, SQ_FAULT_REFUSED, (sq_loc){.file = path},
                        "no entry fits kernel '%s' at these sizes", task->unit->kernel[i]->name);
    return found < 0 ? -1 : 0;
}

/* "avx2", "cuda,arch=sm_90" */
static const char *target_words(const sq_task *task, const sq_target *t)
{
    return t->grid ? sq_arena_printf(task->arena, "%s,arch=%s", t->name, t->grid->arch) : t->name;
}

static bool is_section_target(const sq_task *task, const sq_target *t)
{
    for (int i = 0; i < task->nsections; i++)
        if (task->section[i].target == t)
            return true;
    return false;
}

/* Tuned for another target than this text is for: the time it took is lost, and nobody would know.
 * Nobody takes a processor for a device, though, and one description may be built for both. */
static void say_elsewhere(sq_task *task)
{
    const char *here = target_words(task, task->target), *there;
    const char *class = task->machine->isa, *threads = task->openmp ? ",openmp" : "";
    for (const sq_target *t = sq_targets; t->name; t++) {
        const char *path = sq_sched_path(task->arena, task->path, t->machine, NULL);
        if (t->less || strcmp(t->machine, class) == 0 || !t->grid != !task->target->grid ||
            is_section_target(task, t) || !sq_file_exists(path))
            continue;
        there = target_words(task, t);
        sq_warning(task->d, (sq_loc){.file = path},
                   "tuned for target %s, and this is compiled for target %s: not used", there,
                   here);
        sq_help(task->d, SQ_NOWHERE,
                "compile with --target=%s%s, or tune with `squall tune --target=%s%s`", there,
                threads, here, threads);
        return;
    }
}

/* The file beside the source may be absent, or have no entry that fits. */
static int apply_beside(sq_task *task, int i)
{
    if (strcmp(task->path, "<stdin>") == 0)
        return 0;
    const char *path = sq_sched_path(task->arena, task->path, task->machine->isa, NULL);
    if (!sq_file_exists(path)) {
        if (i == 0)
            say_elsewhere(task);
        return 0;
    }
    const char *text = read_schedule(task, path, false);
    return text ? apply_sched(task, i, path, text) : -1;
}

/* A class does not know its cores; a handful makes the model part the loops. */
int sq_task_untuned(const sq_task *task, sq_schedule *s, sq_text *script, sq_diags *d)
{
    const sq_machine *class =
        task->machine->device ? task->machine : sq_machine_class(task->machine->isa);
    int threads = !task->openmp ? 1 : class->cores > 1 ? class->cores : 4;
    return sq_draft_schedule(s, class, task->target, threads, task->arena, script, d);
}

/* The sizes of a kernel in its order; false if the vector has no value for one of them. */
static bool size_row(const sq_kernel *k, const sq_sizes *at, int64_t *row)
{
    for (int i = 0; i < k->nsizes; i++) {
        int f = 0;
        while (f < at->n && strcmp(at->fix[f].name, k->size[i]->name) != 0)
            f++;
        if (f == at->n && !k->size[i]->fixed)
            return false;
        row[i] = k->size[i]->fixed ? k->size[i]->value : at->fix[f].value;
    }
    return true;
}

static void put_tuned_first(sq_kernel *k, const int64_t *row)
{
    int64_t(*rows)[SQ_MAX_SIZES] = sq_arena_array(k->arena, (size_t)k->ntune + 1, sizeof *rows);
    memcpy(rows[0], row, sizeof rows[0]);
    if (k->ntune)
        memcpy(rows + 1, k->tune, (size_t)k->ntune * sizeof *rows);
    k->tune = rows;
    k->ntune++;
}

/* True for commands to which --at says what to choose a schedule for, not what to measure or run. */
static bool chooses_at(const char *command)
{
    return strcmp(command, "compile") == 0 || strcmp(command, "show") == 0 || strcmp(command, "explain") == 0;
}

/* --at: the first vector with all sizes of the kernel is what the model is asked about, as if a line
 * `#pragma squall tune` said so. 0, or -1 after adding an error. */
static int take_sizes(sq_task *task, sq_kernel *k)
{
    const sq_list *list = &task->o->at;
    sq_loc loc = sq_settings_loc(task->o, "at");
    if (!list->n || !chooses_at(task->o->command))
        return 0;
    for (int i = 0; i < list->n; i++) {
        int64_t row[SQ_MAX_SIZES] = {0};
        sq_sizes at = {0};
        if (sq_sizes_parse(list->item[i], &at, task->arena, loc, task->d) != 0)
            return -1;
        if (size_row(k, &at, row)) {
            put_tuned_first(k, row);
            return 0;
        }
    }
    return sq_error(task->d, SQ_FAULT_USAGE, loc, "--at names not all sizes of '%s'", k->name);
}

/* -1 after adding an error. */
static int draft(sq_task *task, int i)
{
    sq_text script = {0};
    if (take_sizes(task, task->unit->kernel[i]) != 0)
        return -1;
    task->origin[i] = SQ_FROM_DRAFT;
    if (sq_task_untuned(task, task->schedule[i], &script, task->d) != 0)
        task->origin[i] = SQ_FROM_NOTHING;
    sq_text_free(&script);
    if (task->origin[i] != SQ_FROM_NOTHING || sq_kernel_overlaps(task->unit->kernel[i]))
        return 0;
    sq_warning(task->d, task->unit->kernel[i]->loc,
               "no first choice of the model is legal for '%s': compiled in the order written",
               task->unit->kernel[i]->name);
    sq_help(task->d, SQ_NOWHERE,
            "it is right and may be slow; `squall explain %s` says what each loop allows, for a "
            "schedule by hand: -e SCRIPT",
            sq_task_path(task, task->path));
    return 0;
}

bool sq_task_falls_back(sq_task *task, int i, size_t mark)
{
    const sq_kernel *k = task->unit->kernel[i];
    if (task->origin[i] != SQ_FROM_DRAFT || sq_diags_fault(task->d) != SQ_FAULT_REFUSED)
        return false;
    const char *why = sq_arena_strdup(task->arena, sq_diags_message(task->d, mark));
    sq_diags_rewind(task->d, mark);
    sq_warning(task->d, k->loc, "'%s' is compiled in the order written", k->name);
    sq_note(task->d, SQ_NOWHERE, "the first choice of the model cannot be emitted: %s", why);
    task->schedule[i] = sq_schedule_new(k, task->arena);
    task->origin[i] = SQ_FROM_NOTHING;
    return true;
}

static int choose(sq_task *task, int i)
{
    const sq_settings *o = task->o;
    if (o->script.n)
        return apply_written(task, i, joined_script(task), "script", "-e", SQ_FROM_SCRIPT);
    if (o->schedule)
        return apply_given(task, i, o->schedule);
    int found = apply_beside(task, i);
    if (found == 0)
        return draft(task, i);
    return found < 0 ? -1 : 0;
}

/* --require-tuned: a schedule that a person or a measurement chose. */
static int require_tuned(sq_task *task, int i)
{
    sq_origin from = task->origin[i];
    bool chosen = from != SQ_FROM_DRAFT && from != SQ_FROM_NOTHING && from != SQ_FROM_PREDICTED;
    if (!task->o->require_tuned || chosen)
        return 0;
    sq_error(task->d, SQ_FAULT_REFUSED, task->unit->kernel[i]->loc,
             "no tuned schedule of kernel '%s' fits class %s%s", task->unit->kernel[i]->name,
             task->machine->name,
             from == SQ_FROM_PREDICTED
                 ? ": the one there is was chosen by the model and not measured"
                 : "");
    sq_help(task->d, SQ_NOWHERE,
            "`squall tune %s --target=%s%s` makes one, on a machine of that class; without "
            "--require-tuned the model chooses",
            sq_task_path(task, task->path), target_words(task, task->target),
            task->openmp ? ",openmp" : "");
    return -1;
}

/* -v: which schedule was taken. */
static void say(sq_task *task, int i)
{
    const char *name = task->unit->kernel[i]->name, *file = task->tuned[i];
    if (task->o->verbose > 0)
        sq_note(task->d, SQ_NOWHERE, "%s%s%s: schedule: %s%s%s", name,
                task->nsections ? " for " : "", task->nsections ? task->target->name : "",
                sq_origin_name(task->origin[i]), file ? ", " : "", file ? file : "");
}

/* Text for this machine's processor asks for no more than its schedules need: others of the class run it, too. */
static void ask_less(sq_task *task)
{
    const char *less = task->target->less, *named = task->o->target;
    const sq_target *t = less ? sq_target_get(less) : NULL;
    if (!t || task->nsections || (named && strncmp(named, "host", 4) != 0))
        return;
    for (int i = 0; i < task->unit->nkernels; i++)
        for (int s = 0; s < task->schedule[i]->kernel->nstmts; s++)
            if (sq_stmt_has_words(task->schedule[i]->kernel->stmt[s]))
                return;
    task->target = t;
}

int sq_task_schedule(sq_task *task)
{
    int n = task->unit->nkernels;
    task->schedule = SQ_NEW_ARRAY(task->arena, sq_schedule *, n);
    task->origin = SQ_NEW_ARRAY(task->arena, sq_origin, n);
    task->tuned = SQ_NEW_ARRAY(task->arena, const char *, n);
    for (int i = 0; i < n; i++) {
        task->schedule[i] = sq_schedule_new(task->unit->kernel[i], task->arena);
        if (choose(task, i) != 0 || require_tuned(task, i) != 0)
            return -1;
        say(task, i);
    }
    ask_less(task);
    return 0;
}
