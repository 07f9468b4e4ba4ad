/* Stages: the whole compiler on one screen.
 *
 *     text -> parse -> scop -> deps -> apply -> lower -> code -> emit -> text
 *
 * Each stage fills its group of the task and leaves the others alone. One loop over this table
 * (sq_task_run) gives --dump, --stop-after and --time. */
#include "cli/at.h"
#include "cli/dumps.h"
#include "cli/idle.h"
#include "cli/naming.h"
#include "cli/region.h"
#include "cli/views.h"
#include "cli/watch.h"
#include "codegen/passes/passes.h"
#include "ir/dependence/deps.h"
#include "transforms/transform.h"
#include <isl/union_set.h>
#include <stdlib.h>
#include <string.h>

static int run_parse(sq_task *task)
{
    const sq_settings *o = task->o;
    sq_list args = {0};
    args.item = SQ_NEW_ARRAY(task->arena, const char *,
                             o->include.n + o->define.n + o->undefine.n + o->clang.n + 1);
    for (int i = 0; i < o->include.n; i++)
        args.item[args.n++] = sq_arena_printf(task->arena, "-I%s", o->include.item[i]);
    for (int i = 0; i < o->define.n; i++)
        args.item[args.n++] = sq_arena_printf(task->arena, "-D%s", o->define.item[i]);
    for (int i = 0; i < o->undefine.n; i++)
        args.item[args.n++] = sq_arena_printf(task->arena, "-U%s", o->undefine.item[i]);
    if (o->standard)
        args.item[args.n++] = sq_arena_printf(task->arena, "-std=%s", o->standard);
    for (int i = 0; i < o->clang.n; i++)
        args.item[args.n++] = o->clang.item[i];
    sq_parse_options options = {.nargs = args.n,
                                .args = args.item,
                                .kernel = o->kernel,
                                .kernel_loc = sq_settings_loc(o, "kernel"),
                                .is_plain = task->target && task->target->grid};
    sq_diags_source(task->d, task->path, task->text, task->ntext);
    sq_watch_begin(task);
    int rc = sq_sets_parse(task, &options);
    sq_watch_end();
    return rc;
}

static int dump_parse(sq_task *task, sq_text *to)
{
    for (int i = 0; i < task->unit->nkernels; i++)
        sq_kernel_dump(task->unit->kernel[i], to);
    return 0;
}

/* Behind --prefix a good name may be another's. */
static int check_functions(sq_task *task)
{
    int bad = 0;
    for (int i = 0; i < task->unit->nkernels && task->o->prefix; i++) {
        const char *name = sq_task_function(task, i), *why = sq_function_name_refused(name);
        if (why)
            bad = sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "prefix"),
                           "'%s' would be the function of kernel '%s', and %s", name,
                           task->unit->kernel[i]->name, why);
    }
    return bad;
}

/* Where a packed form was asked for by its name. */
static int check_packed(const sq_task *task)
{
    int bad = 0;
    for (int i = 0; i < task->unit->nkernels && task->target->grid; i++) {
        const sq_kernel *k = task->unit->kernel[i];
        if (k->plain)
            bad = sq_error(task->d, SQ_FAULT_INPUT, k->loc,
                           "'%s': packed arrays are for processors; --kernel=%s takes arrays as they are", k->name,
                           k->plain);
    }
    return bad;
}

static int check_kernels(sq_task *task, void *user)
{
    int bad = 0;
    (void)user;
    for (int i = 0; i < task->unit->nkernels; i++) {
        bool again = sq_prepacked_again(task->unit, i);
        size_t mark = sq_diags_mark(task->d);
        bad |= sq_kernel_check(task->unit->kernel[i], task->d);
        if (again)
            sq_diags_rewind(task->d, mark);
    }
    return bad;
}

static int run_scop(sq_task *task)
{
    int bad = sq_sections_check_names(task) | check_functions(task) | check_packed(task) | sq_naming_check(task);
    bad |= sq_sets_each(task, check_kernels, NULL);
    return bad ? bad : sq_at_check(task);
}

static void put_set(sq_text *to, const char *what, isl_set *set)
{
    char *s = set ? isl_set_to_str(set) : NULL;
    if (s)
        sq_text_line(to, "%s %s", what, s);
    free(s);
}

static void put_access(sq_text *to, const char *what, const sq_access *a)
{
    char *s = a && a->map ? isl_multi_aff_to_str(a->map) : NULL;
    if (s)
        sq_text_line(to, "%s %s", what, s);
    free(s);
}

static void put_stmt(const sq_stmt *s, sq_text *to)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    put_set(to, "  domain ", s->domain);
    put_set(to, "  updates", s->updates);
    put_access(to, "  writes ", s->write);
    for (int i = 0; i < n; i++)
        put_access(to, "  reads  ", read[i]);
}

static int dump_scop(sq_task *task, sq_text *to)
{
    for (int i = 0; i < task->unit->nkernels; i++) {
        const sq_kernel *k = task->unit->kernel[i];
        sq_text_line(to, "%s", k->name);
        put_set(to, "  context", k->context);
        for (int s = 0; s < k->nstmts; s++)
            put_stmt(k->stmt[s], to);
    }
    return 0;
}

static int find_deps(sq_task *task, void *user)
{
    (void)user;
    for (int i = 0; i < task->unit->nkernels; i++)
        if (sq_deps_compute(task->unit->kernel[i], task->d) != 0)
            return -1;
    return 0;
}

static int run_deps(sq_task *task)
{
    return sq_sets_each(task, find_deps, NULL);
}

static int dump_deps(sq_task *task, sq_text *to)
{
    for (int i = 0; i < task->unit->nkernels; i++) {
        sq_text_line(to, "%s", task->unit->kernel[i]->name);
        sq_deps_print(task->unit->kernel[i], to);
    }
    return 0;
}

static int print_script(sq_task *task, int i, void *user)
{
    sq_text script = {0};
    (void)user;
    sq_schedule_print(task->now[i]->schedule, &script);
    while (script.n && script.s[script.n - 1] == '\n')
        script.s[--script.n] = 0;
    sq_text_line(&task->script, "%s%s%s%s: %s", task->unit->kernel[i]->name, sq_variants_label(task, i),
                 task->nsections ? " for " : "", task->nsections ? task->target->name : "",
                 script.n ? script.s : "# every loop in written order");
    sq_text_free(&script);
    return 0;
}

static int print_target_scripts(sq_task *task, void *user)
{
    (void)user;
    for (int i = 0; i < task->unit->nkernels; i++)
        sq_variants_each(task, i, print_script, NULL);
    return 0;
}

/* How functions with several schedules choose. */
static int find_rules(sq_task *task, void *user)
{
    for (int i = 0; i < task->unit->nkernels; i++)
        sq_ways_rule_add(user, sq_variants_ways(task, i, task->unit->kernel[i]->name));
    return 0;
}

/* The canonical scripts, as they go into the provenance, and which of several a call takes. */
static void print_scripts(sq_task *task)
{
    sq_ways_rule r = {0};
    sq_text_clear(&task->script);
    sq_sections_each(task, print_target_scripts, NULL);
    sq_sections_each(task, find_rules, &r);
    sq_ways_rules(r, "", &task->script);
}

static int choose_schedules(sq_task *task, void *user)
{
    (void)user;
    return sq_task_schedule(task);
}

static int run_apply(sq_task *task)
{
    if (sq_sections_each(task, choose_schedules, NULL) != 0)
        return -1;
    print_scripts(task);
    return 0;
}

static int dump_apply(sq_task *task, sq_text *to)
{
    sq_text_puts(to, sq_text_str(&task->script));
    return 0;
}

/* Which of several targets follows. */
static void put_target(const sq_task *task, sq_text *to)
{
    if (task->nsections)
        sq_text_line(to, "## target %s", task->target->name);
}

/* Which of several schedules follows. */
static void put_variant(const sq_task *task, int i, sq_text *to)
{
    if (sq_variants_any(task, i))
        sq_text_line(to, "## %s%s", task->unit->kernel[i]->name, sq_variants_label(task, i));
}

static int dump_nest(sq_task *task, int i, void *user)
{
    put_variant(task, i, user);
    return sq_nest_dump(task->now[i]->schedule, user, task->d);
}

static int dump_target_nests(sq_task *task, void *user)
{
    put_target(task, user);
    for (int i = 0; i < task->unit->nkernels; i++)
        if (sq_variants_each(task, i, dump_nest, user) != 0)
            return -1;
    return 0;
}

int sq_task_dump_nests(sq_task *task, sq_text *to)
{
    return sq_sections_each(task, dump_target_nests, to);
}

/* How a dump of code is made. */
typedef struct code_dump {
    int npasses;
    sq_text *to;
} code_dump;

static int dump_kernel_code(sq_task *task, int i, void *user)
{
    const code_dump *x = user;
    sq_emit_options o = {
        .target = task->target, .openmp = task->openmp, .is_verified = task->o->verify};
    put_variant(task, i, x->to);
    return sq_code_dump(task->now[i]->schedule, &o, x->npasses, x->to, task->d);
}

static int dump_target_code(sq_task *task, void *user)
{
    sq_text *to = user;
    put_target(task, to);
    const char *at = task->o->dump;
    for (int npasses; sq_dumps_next(task, &at, &npasses);) {
        if (npasses < SQ_ALL_PASSES)
            sq_text_line(to, "## after %s", npasses ? sq_passes[npasses - 1].name : "lower");
        for (int i = 0; i < task->unit->nkernels; i++)
            if (sq_variants_each(task, i, dump_kernel_code, &(code_dump){npasses, to}) != 0)
                return -1;
    }
    return 0;
}

static int dump_code(sq_task *task, sq_text *to)
{
    return sq_sections_each(task, dump_target_code, to);
}

/* --prefix */
static const char *prefix_of(const sq_task *task)
{
    return task->o->prefix ? task->o->prefix : "";
}

/* No other kernel's name or prefix begins with it, since `q_min` may be both a helper of `q` and the
 * kernel after it. Its number is put in where needed. */
const char *sq_task_helpers(const sq_task *task, int number)
{
    if (task->unit->region)
        return sq_arena_printf(task->arena, "%s_", task->unit->region[number]->emitted);
    const char *prefix = sq_arena_printf(task->arena, "%s_", task->unit->kernel[number]->name);
    for (int i = 0; i < task->unit->nkernels; i++) {
        const char *other = sq_arena_printf(task->arena, "%s_", task->unit->kernel[i]->name);
        if (i != number && strncmp(other, prefix, strlen(prefix)) == 0) {
            prefix = sq_arena_printf(task->arena, "%s%d_", prefix, number + 1);
            i = -1; /* the longer one has to pass all of them */
        }
    }
    return sq_arena_printf(task->arena, "%s%s", prefix_of(task), prefix);
}

const char *sq_task_function(const sq_task *task, int i)
{
    return sq_arena_printf(task->arena, "%s%s", prefix_of(task), task->unit->kernel[i]->name);
}

/* "SQUALL_GEMM_H" */
static const char *header_macro(const sq_task *task)
{
    return task->header_guard ? task->header_guard : "SQUALL_HEADER";
}

const char *sq_task_guard(const sq_task *task, int i)
{
    return sq_arena_printf(task->arena, "%s_%s", header_macro(task), sq_task_function(task, i));
}

const char *sq_task_macro(const sq_task *task, const char *ending)
{
    const char *guard = header_macro(task);
    size_t n = strlen(guard);
    if (n > 2 && strcmp(guard + n - 2, "_H") == 0)
        n -= 2;
    return sq_arena_printf(task->arena, "%.*s_%s", (int)n, guard, ending);
}

const char *sq_task_api(const sq_task *task)
{
    return task->o->visibility ? sq_task_macro(task, "API") : NULL;
}

sq_visibility sq_task_visibility(const sq_task *task, bool is_header)
{
    bool declared = !is_header && (task->header_include || task->o->single_header);
    return declared ? SQ_VISIBILITY_FLAGS : (sq_visibility)task->o->visibility;
}

static int refuse_name_of_tasks(const sq_task *task, const char *name, const sq_kernel *k)
{
    return sq_error(task->d, SQ_FAULT_INPUT, k->loc,
                    "'%s' is, with tasks, also a name that belongs to kernel '%s'; rename it", name, k->name);
}

/* K_on, K_run and the like belong to a kernel K; other kernels may be called so where there are none. -1 after an error
 * if the kernel, or a parameter of it, is called so. */
static int check_names_of_tasks(const sq_task *task, const sq_kernel *k)
{
    static const char *const suffix[] = {"on", "on_workspace", "run"};
    const sq_unit *u = task->unit;
    for (int j = 0; j < u->nkernels; j++)
        for (size_t s = 0; s < sizeof suffix / sizeof *suffix; s++)
            if (strcmp(k->name, sq_arena_printf(task->arena, "%s_%s", u->kernel[j]->name, suffix[s])) == 0)
                return refuse_name_of_tasks(task, k->name, u->kernel[j]);
    for (int p = 0; p < k->nparams; p++)
        if (strcmp(sq_param_name(&k->param[p]), sq_arena_printf(task->arena, "%s_run", k->name)) == 0)
            return refuse_name_of_tasks(task, sq_param_name(&k->param[p]), k);
    return 0;
}

/* Emits all kernels into one source and one header; the number of the one that failed, else -1. */
static int emit(sq_task *task)
{
    for (int i = 0; task->tasks && i < task->unit->nkernels; i++)
        if (check_names_of_tasks(task, task->unit->kernel[i]) != 0)
            return i;
    int refused = sq_task_views_refused(task);
    if (refused >= 0)
        return refused;
    if (task->nsections)
        return sq_sections_emit(task);
    sq_memory memory = {0};
    sq_emit_options options = {.target = task->target,
                               .openmp = task->openmp,
                               .tasks = task->tasks,
                               .is_verified = task->o->verify,
                               .header = task->header_include,
                               .api = sq_task_api(task),
                               .is_local = task->o->is_static,
                               .is_freestanding = task->o->is_freestanding,
                               .has_codes = task->o->errors,
                               .pass_times = task->pass_times,
                               .memory = &memory};
    const char *provenance = sq_task_provenance(task);
    sq_text_clear(&task->source);
    sq_text_clear(&task->header);
    if (task->unit->region)
        return sq_region_file(task);
    for (int i = 0; i < task->unit->nkernels; i++) {
        options.helpers = sq_task_helpers(task, i);
        options.function = sq_task_function(task, i);
        options.provenance = task->o->single_header && !task->o->is_static ? NULL : provenance;
        options.visibility = i == 0 ? sq_task_visibility(task, false) : SQ_VISIBILITY_FLAGS;
        if (sq_variants_emit(task, i, &options, &task->source) != 0)
            return i;
        options.ways = sq_variants_any(task, i) ? sq_variants_ways(task, i, options.function) : NULL;
        options.visibility = i == 0 ? sq_task_visibility(task, true) : SQ_VISIBILITY_FLAGS;
        options.provenance = provenance;
        options.abi = i == 0 ? sq_task_macro(task, "ABI") : NULL;
        options.more = sq_task_views_declared(task, i);
        options.described = sq_task_described(task, i);
        if (sq_emit_header(task->unit->kernel[i], &options, sq_task_guard(task, i), &task->header) != 0)
            return i;
        provenance = NULL; /* once a file */
    }
    sq_task_views_put(task);
    return -1;
}

/* Why a schedule is no text of the task's target; what is not legal is none at all. */
static const char *not_emitted(const sq_schedule *s, void *user)
{
    sq_task *task = user;
    sq_emit_options o = {.target = task->target, .openmp = task->openmp};
    sq_text unread = {0};
    const char *why = NULL;
    if (sq_schedule_legal(s, &why) != 0)
        return why;
    sq_diags *d = sq_diags_new();
    if (sq_emit_source(s, &o, &unread, d) != 0 && sq_diags_fault(d) == SQ_FAULT_REFUSED)
        why = sq_arena_strdup(task->arena, sq_diags_message(d, 0));
    sq_text_free(&unread);
    sq_diags_free(d);
    return why;
}

/* What the target refuses of a schedule, and not of the kernel, has its place in the script that a
 * person wrote. */
static void blame_script(sq_task *task, int failed, size_t mark)
{
    sq_schedule *naive = sq_schedule_new(task->unit->kernel[failed], task->arena);
    if (!task->written || !naive || sq_diags_fault(task->d) != SQ_FAULT_REFUSED ||
        !not_emitted(task->now[failed]->schedule, task) || not_emitted(naive, task))
        return;
    sq_diags_rewind(task->d, mark);
    if (sq_script_blame(naive, task->written, task->written_name, task->machine, not_emitted, task, task->d) == 0)
        emit(task); /* says what it said */
}

static void warn_of_idle(sq_task *task)
{
    for (int i = 0; i < task->unit->nkernels && !task->unit->region; i++)
        sq_idle_warn_schedule(task, i, task->now[i]->schedule); /* of a grid: there is one */
}

/* What the model chose and cannot be emitted gives way. */
static int run_emit(sq_task *task)
{
    for (;;) {
        size_t mark = sq_diags_mark(task->d);
        if (task->o->time)
            task->pass_times = SQ_NEW_ARRAY(task->arena, sq_pass_time, sq_npasses + 1);
        int failed = emit(task);
        if (failed < 0) {
            warn_of_idle(task);
            return 0;
        }
        if (!sq_task_falls_back(task, failed, mark)) {
            blame_script(task, failed, mark);
            return -1;
        }
        sq_variants_settle(task);
        print_scripts(task);
    }
}

static int dump_emit(sq_task *task, sq_text *to)
{
    sq_text_puts(to, sq_text_str(&task->source));
    return 0;
}

/* clang-format off */
const sq_stage sq_stages[SQ_NSTAGES] = {
    {"parse", "arrays, sizes, statements as read",              run_parse, dump_parse},
    {"scop",  "domains and accesses, proven in bounds",         run_scop,  dump_scop},
    {"deps",  "which instance must come before which",          run_deps,  dump_deps},
    {"apply", "the schedule, as its canonical script",          run_apply, dump_apply},
    {"lower", "the loop tree",                                  NULL,      sq_task_dump_nests},
    {"code",  "the code after the passes: loops, copies, parts of register tiles", NULL, dump_code},
    {"emit",  "the C source",                                   run_emit,  dump_emit},
};
/* clang-format on */
