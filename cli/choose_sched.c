/* Choose, .sched files: the schedules of a kernel that `tune` wrote. Entries for several sizes of a kernel whose sizes
 * stay parameters are schedules of one function. */
#include "cli/at.h"
#include "cli/choose.h"
#include "transforms/transform.h"
#include <string.h>

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
    const char *target = task->target->name, *threads = task->tasks ? "tasks" : "openmp";
    sq_warning(task->d, e->loc,
               "tuned for target %s, and this is compiled for target %s,%s: "
               "no loop of it is parallel",
               target, target, threads);
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
    int bad = sq_script_apply_on(task->now[i]->schedule, sq_task_script_in_place(task, e), path, task->machine,
                                 task->arena, task->d);
    sq_diags_source(task->d, path, text, strlen(text)); /* the whole file again, for carets */
    if (!bad && !sq_target_has_all(task->target, task->now[i]->schedule)) {
        say_lacks(task, e);
        return 0;
    }
    if (!bad) {
        task->now[i]->origin = e->unmeasured ? SQ_FROM_PREDICTED : SQ_FROM_TUNED;
        task->now[i]->tuned = path;
        task->now[i]->where = e->where;
        if (foreign)
            sq_warning(task->d, e->loc,
                       "made for another version of '%s'; used, because it is legal", k->name);
        if (task->openmp && !e->openmp && !sq_schedule_shared(task->now[i]->schedule))
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

/* True if it was tuned where each of the constants has its value. */
static bool is_at_constants(const sq_kernel *k, const sq_sched_entry *e)
{
    bool is = true;
    for (int s = 0; s < k->nsizes; s++)
        for (int x = 0; k->size[s]->kept && x < e->nsizes; x++)
            is &= strcmp(e->size[x].name, k->size[s]->name) != 0 || e->size[x].value == k->size[s]->value;
    return is;
}

/* Calls with the distance 1 take a function of their own, and what was tuned is the one for any distances. */
static void say_strides(sq_task *task, int i, const sq_sched_file *f)
{
    const sq_kernel *k = task->unit->kernel[i];
    const sq_sched_entry *e[SQ_MOST_VARIANTS];
    int n = sq_sched_find_all(f, task->units[0]->kernel[i], sq_task_asked(task), e, SQ_MOST_VARIANTS);
    const char *fix = "";
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->kept)
            fix = sq_arena_printf(task->arena, "%s%s%s=%lld", fix, *fix ? "," : "", k->size[s]->name,
                                  (long long)k->size[s]->value);
    for (int x = 0; x < n && x < SQ_MOST_VARIANTS; x++)
        if (is_at_constants(k, e[x])) {
            sq_warning(task->d, e[x]->loc, "'%s' was tuned for any distances; calls with %s do without it", k->name,
                       fix);
            sq_help(task->d, SQ_NOWHERE, "they have a function of their own: tune it with --fix=%s", fix);
            return;
        }
}

/* Tuned, but not for this: silence would look like success. */
static void say_unfit(sq_task *task, int i, const sq_sched_file *f)
{
    const char *name = task->unit->kernel[i]->name;
    if (task->set > 0 && !task->o->fix.nsets) { /* for the distance 1 */
        say_strides(task, i, f);
        return;
    }
    for (int e = 0; e < f->n && !task->o->schedule; e++)
        if (strcmp(f->entry[e].kernel, name) == 0) {
            sq_warning(task->d, f->entry[e].loc, "'%s' was tuned %s: not used", name,
                       made_for(task, task->unit->kernel[i], &f->entry[e]));
            help_unfit(task, task->unit->kernel[i], &f->entry[e]);
            return;
        }
}

/* One function for all sizes with one schedule, tuned at several: which one is no matter of course. */
static void say_several(sq_task *task, const sq_kernel *k, const sq_sched_entry *e, int n)
{
    sq_warning(task->d, e->loc,
               "'%s' was tuned at %d vectors of sizes, which stay parameters: the schedule for %s "
               "serves all of them",
               k->name, n, sizes_of(task, e));
    sq_help(task->d, SQ_NOWHERE,
            "--at=%s, or another of the file's, chooses; --fix=... compiles for given sizes",
            sizes_of(task, e));
}

/* All that fit as well as the best does; their number. */
static int find_all(sq_task *task, const sq_kernel *k, const sq_sched_file *f, const sq_sched_entry **e)
{
    int n = sq_sched_find_all(f, k, sq_task_asked(task), e, SQ_MOST_VARIANTS);
    if (n < 2)
        return n;
    if (sq_variants_allowed(task))
        return sq_variants_limit(task, k, e[0]->loc, n);
    say_several(task, k, e[0], n);
    return 1;
}

static int add_entry(const sq_sched_entry **e, int n, const sq_sched_entry *found)
{
    for (int i = 0; i < n; i++)
        if (e[i] == found)
            return n;
    e[n] = found;
    return n + 1;
}

/* vector: the one that there is no entry for. */
static int refuse_sizes(sq_task *task, const sq_kernel *k, const char *path, const sq_sched_entry *first, int vector)
{
    sq_error(task->d, SQ_FAULT_REFUSED, sq_at_loc(task->o, vector), "%s has no schedule of '%s' for these sizes", path,
             k->name);
    if (sq_at_has_others(task, k, vector))
        sq_help(task->d, SQ_NOWHERE,
                "--at=%2$s has all sizes of '%1$s'; another --at with these and no others is for it instead", k->name,
                task->o->at.item[vector]);
    sq_help(task->d, SQ_NOWHERE, "the first one there is for %s", sizes_of(task, first));
    return -1;
}

/* Those that were tuned at the sizes of --at; their number, or -1 after adding an error. Vectors that name sizes of
 * other kernels are passed over. What --at asks of compile is there or is refused; where bench measures at others, too,
 * calls take the nearest of all. */
static int find_asked(sq_task *task, const sq_kernel *k, const sq_sched_file *f, const char *path,
                      const sq_sched_entry **e)
{
    const sq_list *list = &task->o->at;
    const sq_sched_entry *first = sq_sched_find(f, k, sq_task_asked(task));
    bool strict = strcmp(task->o->command, "compile") == 0;
    int64_t row[SQ_MAX_SIZES];
    int n = 0, lacks = -1;
    for (int i = 0; i < list->n && first; i++) {
        sq_sizes at = {0};
        if (sq_sizes_parse(list->item[i], &at, task->arena, sq_at_loc(task->o, i), task->d) != 0)
            return -1;
        if (sq_at_is_passed_over(task, k, i))
            continue;
        const sq_sched_entry *found = sq_sched_find_at(f, k, sq_task_asked(task), at.fix, at.n);
        if (!found && lacks < 0 && sq_choose_row(k, &at, NULL, row))
            lacks = i;
        if (found && n == SQ_MOST_VARIANTS)
            return sq_variants_refuse(task, k, list->n);
        n = found ? add_entry(e, n, found) : n;
    }
    if (first && strict && (lacks >= 0 || n == 0))
        return refuse_sizes(task, k, path, first, lacks >= 0 ? lacks : list->n - 1);
    if (sq_measures_at(task->o->command))
        return lacks >= 0 ? 0 : n;
    return n > 1 && !sq_variants_allowed(task) ? sq_variants_refuse(task, k, n) : n;
}

/* The entries to take: those for the sizes of --at, where that chooses, else all. */
static int find_entries(sq_task *task, const sq_kernel *k, const sq_sched_file *f, const char *path,
                        const sq_sched_entry **e)
{
    int n = task->o->at.n && sq_chooses_at(task->o->command) ? find_asked(task, k, f, path, e) : 0;
    return n ? n : find_all(task, k, f, e);
}

/* The sizes that the entry is for, in the kernel's order; NULL: for all. */
static const int64_t *point_of(const sq_sched_entry *e, const sq_kernel *k, int64_t *row)
{
    for (int s = 0; s < k->nsizes; s++) {
        int i = 0;
        while (i < e->nsizes && strcmp(e->size[i].name, k->size[s]->name) != 0)
            i++;
        if (i == e->nsizes)
            return NULL;
        row[s] = e->size[i].value;
    }
    return row;
}

int sq_choose_sched(sq_task *task, int i, const char *path, const char *text)
{
    const sq_kernel *k = task->unit->kernel[i];
    const sq_sched_file *f = parse_sched(task, path, text);
    if (!f)
        return -1;
    if (strcmp(f->machine, task->machine->isa) != 0)
        return other_class(task, i, path, f);
    const sq_sched_entry *e[SQ_MOST_VARIANTS];
    int n = find_entries(task, k, f, path, e), taken = 0;
    for (int x = 0; x < n; x++) {
        int64_t row[SQ_MAX_SIZES];
        sq_variants_add(task, i, point_of(e[x], k, row));
        int one = apply_entry(task, i, e[x], path, text);
        if (one < 0)
            return -1;
        if (one == 0)
            sq_variants_drop(task, i);
        taken += one;
    }
    if (n == 0)
        say_unfit(task, i, f);
    return n < 0 ? -1 : taken > 0;
}
