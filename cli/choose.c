/* Choose: which schedule a kernel is compiled with. First match wins:
 *
 *     -e SCRIPT                what the user wrote on the command line
 *     --schedule=FILE          a script, or a .sched file, whose entry must fit
 *     K.<class>.sched          beside the source, as tune writes it, where an entry fits
 *     otherwise                the draft model's first choice
 *
 * A .sched entry made for another version of the kernel ("foreign") is used as long as it is legal,
 * and that is said once. */
#include "cli/choose.h"
#include "cli/at.h"
#include "ir/dependence/rewrite.h"
#include "ir/schedule/tree.h"
#include "support/file.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include "tuner/store/sched_file.h"
#include <stdlib.h>
#include <string.h>

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
    sq_variants_add(task, i, NULL)->origin = origin;
    return sq_script_apply_on(task->now[i]->schedule, script, name, task->machine, task->arena, task->d);
}

/* What stands behind a null character would be ignored without a word. */
static int refuse_null(sq_task *task, const char *path, const char *text, size_t n)
{
    const char *nul = memchr(text, 0, n);
    if (!nul)
        return 0;
    int line = 1;
    const char *start = text;
    for (const char *c = text; c < nul; c++)
        if (*c == '\n') {
            start = c + 1;
            line++;
        }
    sq_loc at = {.file = sq_arena_strdup(task->arena, path), .line = line, .col = (int)(nul - start) + 1};
    return sq_error(task->d, SQ_FAULT_INPUT, at, "a null character: schedules are text");
}

/* The text of --schedule, or of the file beside the source, which no option named: read once for
 * all kernels. NULL after adding an error. */
static const char *read_schedule(sq_task *task, const char *path, bool named)
{
    size_t n = 0;
    if (task->schedule_text)
        return task->schedule_text;
    char *text = named ? sq_file_read(task->d, path, &n) : sq_file_read_regular(task->d, path, &n);
    if (text && refuse_null(task, path, text, n) == 0)
        task->schedule_text = sq_arena_strndup(task->arena, text, n);
    free(text);
    return task->schedule_text;
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
    warn_of_serial(task, task->now[i]->schedule);
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
    int found = sq_choose_sched(task, i, path, text);
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
    return text ? sq_choose_sched(task, i, path, text) : -1;
}

/* A class does not know its cores; a handful makes the model part the loops. */
int sq_task_untuned(const sq_task *task, sq_schedule *s, sq_text *script, sq_diags *d)
{
    const sq_machine *class =
        task->machine->device ? task->machine : sq_machine_class(task->machine->isa);
    int threads = !task->openmp ? 1 : class->cores > 1 ? class->cores : 4;
    return sq_draft_schedule(s, class, task->target, threads, task->arena, script, d);
}

bool sq_choose_row(const sq_kernel *k, const sq_sizes *at, const int64_t *rest, int64_t *row)
{
    for (int i = 0; i < k->nsizes; i++) {
        int f = 0;
        while (f < at->n && strcmp(at->fix[f].name, k->size[i]->name) != 0)
            f++;
        if (f == at->n && !k->size[i]->fixed && !rest)
            return false;
        row[i] = k->size[i]->fixed ? k->size[i]->value : f < at->n ? at->fix[f].value : rest[i];
    }
    return true;
}

bool sq_chooses_at(const char *command)
{
    static const char *const those[] = {"compile", "show", "explain", "bench"};
    bool any = false;
    for (size_t i = 0; i < sizeof those / sizeof *those; i++)
        any |= strcmp(command, those[i]) == 0;
    return any;
}

bool sq_measures_at(const char *command)
{
    return strcmp(command, "bench") == 0;
}

/* Sizes to choose for. */
typedef struct sizes_list {
    int n;
    int64_t (*row)[SQ_MAX_SIZES];
} sizes_list;

/* --at: all vectors with all sizes of the kernel are what the model is asked about, as if lines
 * `#pragma squall tune` said so. What bench measures at may lack sizes that such a line has; each vector is a
 * measurement of its own there, also of what has one schedule for all. 0, or -1 after adding an error. */
static int read_at(sq_task *task, const sq_kernel *k, sizes_list *to)
{
    const sq_list *list = &task->o->at;
    bool measures = sq_measures_at(task->o->command);
    const int64_t *rest = measures && k->ntune ? k->tune[0] : NULL;
    sq_loc loc = sq_settings_loc(task->o, "at");
    to->row = sq_arena_array(task->arena, (size_t)(list->n + k->ntune) + 1, sizeof *to->row);
    for (int i = 0; i < list->n; i++) {
        sq_sizes at = {0};
        if (sq_sizes_parse(list->item[i], &at, task->arena, loc, task->d) != 0)
            return -1;
        if (sq_at_is_passed_over(task, k, i))
            continue;
        sq_at_use use = sq_at_row(task->unit, k, &at, rest, to->row[to->n]);
        to->n += use == SQ_AT_WHOLE;
        if (use == SQ_AT_LACKS && !measures) /* bench says which size it lacks */
            return sq_at_refuse(task, k);
    }
    if (to->n == 0 && !measures)
        return sq_at_refuse(task, k);
    return to->n > 1 && (to->n > SQ_MOST_VARIANTS || (!measures && !sq_variants_allowed(task)))
               ? sq_variants_refuse(task, k, to->n)
               : 0;
}

/* True if they are the kernel's first: they were chosen for another target before. */
static bool are_first(const sq_kernel *k, const sizes_list *x)
{
    bool same = k->ntune >= x->n;
    for (int i = 0; i < x->n && same; i++)
        same = memcmp(k->tune[i], x->row[i], (size_t)k->nsizes * sizeof **x->row) == 0;
    return same;
}

/* Those of --at, else of the lines in the description. -1 after adding an error. */
static int list_sizes(sq_task *task, sq_kernel *k, sizes_list *to)
{
    if (task->o->at.n && sq_chooses_at(task->o->command)) {
        if (read_at(task, k, to) != 0)
            return -1;
        if (to->n == 0 || are_first(k, to))
            return 0;
        if (k->ntune)
            memcpy(to->row + to->n, k->tune, (size_t)k->ntune * sizeof *k->tune);
        sq_rewritten_tune(k, to->row, to->n + k->ntune);
        k->nasked += to->n; /* entries of .sched files for the next target are of the description */
        return 0;
    }
    *to = (sizes_list){k->ntune, k->tune};
    to->n = sq_variants_limit(task, k, k->loc, to->n);
    if (to->n > 1 && !sq_variants_allowed(task)) {
        sq_note(task->d, k->loc, "'%s' has one schedule for all sizes: the first `#pragma squall tune` counts",
                k->name);
        to->n = 1;
    }
    return 0;
}

sq_schedule *sq_choose_untuned(sq_task *task, sq_kernel *k, int64_t (*row)[SQ_MAX_SIZES], bool *fails, sq_diags *d)
{
    int64_t(*rows)[SQ_MAX_SIZES] = k->tune;
    int nrows = k->ntune;
    sq_text script = {0};
    sq_schedule *s = sq_schedule_new(k, task->arena);
    sq_rewritten_tune(k, row, row != NULL);
    *fails = sq_task_untuned(task, s, &script, d) != 0;
    sq_rewritten_tune(k, rows, nrows);
    sq_text_free(&script);
    return s;
}

static bool is_symbolic(const sq_kernel *k)
{
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed)
            return true;
    return false;
}

/* The model had to guess the sizes, and chooses otherwise for small ones: whoever compiles by hand has to know, once. A
 * build that is content with it is left in peace. */
static void say_guessed(sq_task *task, sq_kernel *k, const sq_schedule *guessed)
{
    enum { SMALL = 32 };
    int64_t row[1][SQ_MAX_SIZES];
    const char *at = "";
    bool fails;
    bool again = task->set > 0 || (task->nsections && task->target != task->section[0].target);
    bool asks = task->o->verbose > 0 || sq_terminal_is(stderr);
    if (again || !asks || strcmp(task->o->command, "compile") != 0)
        return;
    for (int i = 0; i < k->nsizes; i++) {
        row[0][i] = k->size[i]->fixed ? k->size[i]->value : k->size[i]->is_truth ? 1 : SMALL;
        if (!k->size[i]->fixed && !k->size[i]->is_truth)
            at = sq_arena_printf(task->arena, "%s%s%s=...", at, *at ? "," : "", k->size[i]->name);
    }
    if (sq_same_script(sq_choose_untuned(task, k, row, &fails, task->d), guessed) || fails)
        return;
    sq_note(task->d, k->loc, "the schedule of '%s' is for sizes of some hundreds, since nothing says which matter",
            k->name);
    sq_help(task->d, SQ_NOWHERE, "--at=%s says so, once for each that matters, or a line `#pragma squall tune`", at);
}

/* Nothing says which sizes matter, and the schedule of the guess hoists: a pass over an array, which takes up to four
 * times what it saves where the array is large and its elements are used a few times in a call. For each size that this
 * depends on there is then a schedule for few uses of a large array, if that hoists less; a call takes the nearest
 * (codegen/file/ways.h): from 181 uses on it hoists arrays of 1024^2, from 45 on those of 512^2. */
static void add_unhoisted(sq_task *task, int i)
{
    enum { FEW = 16, LARGE = 2 };
    sq_kernel *k = task->unit->kernel[i];
    sq_task_variant *first = task->now[i];
    const sq_schedule *guessed = first->schedule;
    int64_t nominal[SQ_MAX_SIZES], row[1][SQ_MAX_SIZES];
    sq_nominal_sizes(k, nominal);
    for (int s = 0; s < k->nsizes && sq_draft_hoisted(guessed) && sq_variants_allowed(task); s++) {
        bool full = sq_variants_of(task, i)->n == SQ_MOST_VARIANTS;
        bool fails = full || k->size[s]->fixed || k->size[s]->is_truth || !sq_draft_hoist_involves(guessed, s);
        for (int of = 0; of < k->nsizes; of++)
            row[0][of] = nominal[of] * (k->size[of]->fixed || k->size[of]->is_truth ? 1 : LARGE);
        row[0][s] = FEW;
        sq_schedule *few = fails ? NULL : sq_choose_untuned(task, k, row, &fails, task->d);
        if (fails || sq_draft_hoisted(few) >= sq_draft_hoisted(guessed))
            continue;
        sq_task_variant *to = sq_variants_add(task, i, row[0]);
        to->schedule = few;
        to->origin = SQ_FROM_DRAFT;
        sq_variants_point(task, i, first, nominal);
    }
    task->now[i] = first;
}

/* -1 after adding an error. */
static int draft(sq_task *task, int i)
{
    sq_kernel *k = task->unit->kernel[i];
    sizes_list sizes = {0};
    bool fails = false, any = false;
    if (list_sizes(task, k, &sizes) != 0)
        return -1;
    int n = is_symbolic(k) && sizes.n > 1 ? sizes.n : 1;
    for (int v = 0; v < n; v++) {
        sq_task_variant *to = sq_variants_add(task, i, n > 1 ? sizes.row[v] : NULL);
        to->schedule = sq_choose_untuned(task, k, sizes.n ? &sizes.row[v] : NULL, &fails, task->d);
        to->origin = fails ? SQ_FROM_NOTHING : SQ_FROM_DRAFT;
        any |= fails;
    }
    if (sizes.n == 0 && !any && is_symbolic(k)) {
        task->is_guessed = true;
        add_unhoisted(task, i);
        say_guessed(task, k, task->now[i]->schedule);
    }
    if (!any || sq_kernel_overlaps(k))
        return 0;
    sq_warning(task->d, k->loc, "no first choice of the model is legal for '%s': compiled in the order written",
               k->name);
    sq_help(task->d, SQ_NOWHERE,
            "it is right and may be slow; `squall explain %s` says what each loop allows, for a "
            "schedule by hand: -e SCRIPT",
            sq_task_path(task, task->path));
    return 0;
}

bool sq_task_falls_back(sq_task *task, int i, size_t mark)
{
    const sq_kernel *k = task->unit->kernel[i];
    if (task->now[i]->origin != SQ_FROM_DRAFT || sq_diags_fault(task->d) != SQ_FAULT_REFUSED)
        return false;
    const char *why = sq_arena_strdup(task->arena, sq_diags_message(task->d, mark));
    sq_diags_rewind(task->d, mark);
    sq_warning(task->d, k->loc, "'%s' is compiled in the order written", k->name);
    sq_note(task->d, SQ_NOWHERE, "the first choice of the model cannot be emitted: %s", why);
    task->now[i]->schedule = sq_schedule_new(k, task->arena);
    task->now[i]->origin = SQ_FROM_NOTHING;
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
static int require_tuned(sq_task *task, int i, void *user)
{
    (void)user;
    sq_origin from = task->now[i]->origin;
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
static int say_origin(sq_task *task, int i, void *user)
{
    const char *name = task->unit->kernel[i]->name, *file = task->now[i]->tuned;
    (void)user;
    if (task->o->verbose > 0)
        sq_note(task->d, SQ_NOWHERE, "%s%s%s%s: schedule: %s%s%s", name, sq_variants_label(task, i),
                task->nsections ? " for " : "", task->nsections ? task->target->name : "",
                sq_origin_name(task->now[i]->origin), file ? ", " : "", file ? file : "");
    return 0;
}

static int add_label(sq_task *task, int i, void *user)
{
    const char **all = user;
    *all = sq_arena_printf(task->arena, "%s%s%s", *all, **all ? "," : "", sq_variants_label(task, i));
    return 0;
}

/* Several in one function: which, and what decides. */
static void say_several(sq_task *task, int i)
{
    const char *all = "";
    bool is_asked = task->o->at.n || task->unit->kernel[i]->ntune || task->now[i]->origin != SQ_FROM_DRAFT ||
                    task->o->fix.nsets > 0 || task->o->verbose > 0;
    if (!sq_variants_any(task, i) || !is_asked || strcmp(task->o->command, "compile") != 0)
        return;
    const sq_ways *w = sq_variants_ways(task, i, task->unit->kernel[i]->name);
    sq_variants_each(task, i, add_label, &all);
    sq_note(task->d, SQ_NOWHERE, "'%s'%s%s has %d schedules,%s: a call takes the %s%s",
            task->unit->kernel[i]->name, task->nsections ? " for " : "", task->nsections ? task->target->name : "",
            w->n, all, sq_ways_compare(w) ? "nearest" : "one",
            sq_ways_ask(w) ? " with its constants" : "");
}

/* True if the schedule of a kernel in hand asks for products of words. */
static int has_words(sq_task *task, int i, void *user)
{
    (void)user;
    const sq_kernel *k = task->now[i]->schedule->kernel;
    for (int s = 0; s < k->nstmts; s++)
        if (sq_stmt_has_words(k->stmt[s]))
            return 1;
    return 0;
}

/* Text for this machine's processor asks for no more than its schedules need: others of the class run it, too. */
static void ask_less(sq_task *task)
{
    const char *less = task->target->less, *named = task->o->target;
    const sq_target *t = less ? sq_target_get(less) : NULL;
    bool any = false;
    if (!t || task->nsections || (named && strncmp(named, "host", 4) != 0))
        return;
    for (int i = 0; i < task->unit->nkernels; i++)
        any |= sq_variants_each(task, i, has_words, NULL) != 0;
    sq_sets_select(task, 0);
    task->target = any ? task->target : t;
}

static int choose_all(sq_task *task, void *user)
{
    (void)user;
    for (int i = 0; i < task->unit->nkernels; i++)
        if (choose(task, i) != 0)
            return -1;
    return 0;
}

int sq_task_schedule(sq_task *task)
{
    sq_variants_open(task);
    if (sq_sets_each(task, choose_all, NULL) != 0)
        return -1;
    sq_variants_settle(task);
    for (int i = 0; i < task->unit->nkernels; i++) {
        if (sq_variants_each(task, i, require_tuned, NULL) != 0)
            return -1;
        sq_variants_each(task, i, say_origin, NULL);
        say_several(task, i);
    }
    ask_less(task);
    return 0;
}
