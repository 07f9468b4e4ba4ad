/* Sections: --targets. One description is read once; schedules are chosen and text is written for
 * each target, best first, as for a task whose only target it is. */
#include "cli/views.h"
#include "codegen/file/dispatch.h"
#include "codegen/file/function.h"
#include <string.h>

/* ---- the list ---- */

/* Where a word of the value stands, if it is in one word with the option. */
static sq_loc loc_of(const sq_task *task, const char *word, size_t n)
{
    const char *value = task->o->targets;
    sq_loc loc = sq_settings_loc(task->o, "targets");
    int front = (int)strlen("--targets=");
    if (loc.line && loc.len == front + (int)strlen(value)) {
        loc.col += front + (int)(word - value);
        loc.len = n ? (int)n : 1;
    }
    return loc;
}

static int refuse(sq_task *task, sq_loc loc, const char *what, const char *help)
{
    sq_error(task->d, SQ_FAULT_USAGE, loc, "%s", what);
    sq_help(task->d, SQ_NOWHERE, "%s", help);
    return -1;
}

/* One word of the list: a target, or an option of all of them. */
static int take_word(sq_task *task, const char *word, sq_loc loc, const sq_target **target, int *n)
{
    static const char example[] = "for example --targets=generic,avx2,avx512,openmp";
    if (!*word)
        return refuse(task, loc, "a name is missing in the list of targets", example);
    if (strcmp(word, "openmp") == 0 || strcmp(word, "tasks") == 0 || strcmp(word, "serial") == 0)
        return sq_task_threads(task, word, loc);
    if (strncmp(word, "arch=", 5) == 0)
        return refuse(task, loc, "an architecture belongs to a target that runs on a device",
                      "--targets is for processors; write --target=cuda,arch=... for a file of its "
                      "own");
    const sq_target *t = sq_task_target_named(task, word, loc);
    if (!t)
        return -1;
    if (t->grid)
        return refuse(
            task, loc,
            sq_arena_printf(task->arena,
                            "'%s' is no target of a processor, which a "
                            "program could choose when it runs",
                            word),
            sq_arena_printf(task->arena, "write --target=%s for a file of its own", word));
    for (int i = 0; i < *n; i++)
        if (target[i] == t)
            return sq_error(task->d, SQ_FAULT_USAGE, loc, "target '%s' is in the list twice",
                            t->name);
    if (*n == SQ_MOST_TARGETS)
        return sq_error(task->d, SQ_FAULT_USAGE, loc, "more than %d targets", SQ_MOST_TARGETS);
    target[(*n)++] = t;
    return 0;
}

static int read_list(sq_task *task, const sq_target **target, int *n)
{
    for (const char *p = task->o->targets;; p++) {
        size_t length = strcspn(p, ",");
        const char *word = sq_arena_strndup(task->arena, p, length);
        if (take_word(task, word, loc_of(task, p, length), target, n) != 0)
            return -1;
        p += length;
        if (!*p)
            break;
    }
    return *n ? 0
              : refuse(task, sq_settings_loc(task->o, "targets"), "the list names no target",
                       "for example --targets=generic,avx2,avx512,openmp");
}

/* A processor that has none of the others runs it. */
static int need_generic(sq_task *task, const sq_target *const *target, int n)
{
    for (int i = 0; i < n; i++)
        if (target[i] == &sq_targets[0])
            return 0;
    return refuse(task, sq_settings_loc(task->o, "targets"), "no target of the list is for every processor",
                  sq_arena_printf(task->arena, "add one: --targets=%s,%s", task->o->targets, sq_targets[0].name));
}

/* Options that are for one target. */
static int refuse_options(sq_task *task)
{
    const sq_settings *o = task->o;
    static const char *const one[] = {"target", "machine"};
    const char *value[] = {o->target, o->machine};
    for (int i = 0; i < 2; i++)
        if (value[i] && sq_settings_loc(o, one[i]).line)
            return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(o, one[i]),
                            "--%s is for one target, and --targets=%s asks for several", one[i],
                            o->targets);
    return 0;
}

int sq_sections_list(sq_task *task, const sq_target **target, int *n)
{
    *n = 0;
    return refuse_options(task) != 0 ? -1 : read_list(task, target, n);
}

int sq_sections_read(sq_task *task)
{
    const sq_target *target[SQ_MOST_TARGETS];
    int n;
    if (sq_sections_list(task, target, &n) != 0 || need_generic(task, target, n) != 0)
        return -1;
    sq_dispatch_sort(target, n);
    task->nsections = n;
    task->section = SQ_NEW_ARRAY(task->arena, sq_section, n);
    for (int i = 0; i < n; i++)
        task->section[i] =
            (sq_section){.target = target[i], .machine = sq_machine_class(target[i]->machine)};
    task->target = target[0];
    task->machine = task->section[0].machine;
    return 0;
}

/* ---- one after the other ---- */

/* A file beside the source is another one for each class. */
static void select_section(sq_task *task, const sq_section *v)
{
    task->target = v->target;
    task->machine = v->machine;
    task->variants = v->variants;
    task->schedule_text = NULL;
    task->sched = NULL;
    if (task->unit)
        sq_sets_select(task, 0);
}

int sq_sections_each(sq_task *task, int (*pass)(sq_task *task, void *user), void *user)
{
    if (!task->nsections)
        return pass(task, user);
    for (int i = 0; i < task->nsections; i++) {
        sq_section *v = &task->section[i];
        select_section(task, v);
        int rc = pass(task, user);
        v->variants = task->variants;
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* ---- names ---- */

/* "gemm_avx2" and what begins with "gemm_avx2_". */
static bool is_function_of(const char *name, const sq_kernel *k, const char *suffix)
{
    size_t n = strlen(k->name), m = strlen(suffix);
    if (strncmp(name, k->name, n) != 0 || name[n] != '_' || strncmp(name + n + 1, suffix, m) != 0)
        return false;
    return !name[n + 1 + m] || name[n + 1 + m] == '_';
}

static int refuse_name(sq_task *task, const sq_kernel *k, const sq_kernel *of)
{
    return sq_error(
        task->d, SQ_FAULT_INPUT, k->loc,
        "'%s' is also the name of a function that --targets gives kernel '%s'; call one "
        "of them something else",
        k->name, of->name);
}

int sq_sections_check_names(sq_task *task)
{
    const sq_unit *u = task->unit;
    for (int i = 0; i < u->nkernels; i++)
        for (int j = 0; j < u->nkernels; j++) {
            const sq_kernel *k = u->kernel[i], *of = u->kernel[j];
            bool same = strcmp(k->name, sq_arena_printf(task->arena, "%s_isa", of->name)) == 0;
            for (int v = 0; v < task->nsections; v++)
                same |= is_function_of(k->name, of, task->section[v].target->name);
            if (same && task->nsections)
                return refuse_name(task, k, of);
        }
    return 0;
}

/* ---- the text ---- */

/* While the sections are written. */
typedef struct writer {
    sq_dispatch dispatch;
    sq_emit_options options;
    sq_memory *memory; /* of each kernel, whichever target is used */
    int section, failed;
} writer;

static int write_section(sq_task *task, void *user)
{
    writer *w = user;
    sq_emit_options *o = &w->options;
    sq_memory memory;
    o->target = task->target;
    o->memory = &memory;
    sq_dispatch_begin(task->target, &task->source);
    for (int i = 0; i < task->unit->nkernels; i++) {
        o->function = sq_dispatch_name(sq_task_function(task, i), task->target, task->arena);
        o->helpers =
            sq_arena_printf(task->arena, "%s%s_", sq_task_helpers(task, i), task->target->name);
        memory = (sq_memory){0};
        w->failed = i;
        if (sq_variants_emit(task, i, o, &task->source) != 0)
            return -1;
        sq_memory_join(&w->memory[i], &memory, w->section == 0);
    }
    sq_dispatch_end(task->target, &task->source);
    w->section++;
    return 0;
}

/* Those of a target that has several of the kernel; NULL: none has. */
static const sq_ways *ways_of(sq_task *task, int i)
{
    const sq_ways *found = NULL;
    for (int v = 0; v < task->nsections && !found; v++) {
        select_section(task, &task->section[v]);
        if (sq_variants_any(task, i))
            found = sq_variants_ways(task, i, sq_task_function(task, i));
    }
    return found;
}

/* K and what belongs to it, behind the sections; the header. */
static int write_entries(sq_task *task, writer *w, const char *provenance)
{
    sq_dispatch_choice(&w->dispatch, &task->source);
    for (int i = 0; i < task->unit->nkernels; i++) {
        const sq_kernel *k = task->unit->kernel[i];
        const char *function = sq_task_function(task, i);
        sq_emit_options o = {.target = task->target,
                             .function = function,
                             .openmp = task->openmp,
                             .tasks = task->tasks,
                             .has_codes = task->o->errors,
                             .provenance = i == 0 ? provenance : NULL,
                             .abi = i == 0 ? sq_task_macro(task, "ABI") : NULL,
                             .api = w->dispatch.api,
                             .visibility = i == 0 ? sq_task_visibility(task, true) : SQ_VISIBILITY_FLAGS,
                             .memory = &w->memory[i],
                             .more = sq_task_views_declared(task, i),
                             .described = sq_task_described(task, i),
                             .dispatch = &w->dispatch,
                             .ways = ways_of(task, i)};
        sq_dispatch_kernel(&w->dispatch, k, function, task->header_include != NULL, &task->source);
        if (sq_emit_header(k, &o, sq_task_guard(task, i), &task->header) != 0)
            return -1;
    }
    sq_task_views_put(task);
    return 0;
}

int sq_sections_emit(sq_task *task)
{
    const char *provenance = sq_task_provenance(task);
    writer w = {.dispatch = {.n = task->nsections,
                             .first = sq_task_function(task, 0),
                             .api = sq_task_api(task),
                             .tasks = task->tasks,
                             .has_codes = task->o->errors,
                             .is_local = task->o->is_static,
                             .is_named = task->o->target_names},
                .options = {.openmp = task->openmp,
                            .tasks = task->tasks,
                            .has_codes = task->o->errors,
                            .is_verified = task->o->verify,
                            .pass_times = task->pass_times,
                            .header = task->header_include,
                            .api = sq_task_api(task),
                            .is_section = true,
                            .is_local = !task->o->target_names},
                .memory = SQ_NEW_ARRAY(task->arena, sq_memory, task->unit->nkernels)};
    for (int i = 0; i < task->nsections; i++)
        w.dispatch.target[i] = task->section[i].target;
    sq_text_clear(&task->source);
    sq_text_clear(&task->header);
    sq_print_provenance(task->o->single_header && !task->o->is_static ? NULL : provenance,
                     &task->source);
    sq_visibility_define(w.dispatch.api, sq_task_visibility(task, false), &task->source);
    if (sq_sections_each(task, write_section, &w) != 0 || write_entries(task, &w, provenance) != 0)
        return w.failed;
    return -1;
}
