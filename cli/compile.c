/* squall compile: a description, and a schedule for it, become C. A pure function of its inputs: no
 * clock, no network, no database, no measuring. All products are made first and then written as
 * one set, so that a failing run leaves every old file as it was. */
#include "cli/bindings.h"
#include "cli/conflict.h"
#include "cli/depfile.h"
#include "cli/dumps.h"
#include "cli/naming.h"
#include "cli/task.h"
#include "cli/views.h"
#include "codegen/file/function.h"
#include "codegen/passes/passes.h"
#include "support/file.h"
#include "support/nearest.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* SINGLE has an option of its own; the others are words of --emit, too. */
typedef enum product_kind { SRC, HEADER, SCHED, AST, REPORT, SINGLE, NPRODUCTS } product_kind;
const char *const sq_products[] = {"src", "header", "sched", "ast", "report", NULL};
static const char *const product_suffix[] = {".c", ".h", ".sched", ".ast", ".report", ".h"};

/* What is asked for and where it goes; NULL: not asked for. */
typedef struct products {
    const char *path[NPRODUCTS];
    const char *depfile, *depfile_target;
} products;

/* "dir/gemm.sq" -> "gemm": products land in the current folder, as with a C compiler. */
static const char *stem_of(const char *path, sq_arena *arena)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return sq_arena_strndup(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The name of a product beside the C source: its path with another suffix. */
static const char *beside(const char *source, const char *suffix, sq_arena *arena)
{
    const char *dot = strrchr(last_part(source), '.');
    size_t n = dot ? (size_t)(dot - source) : strlen(source);
    return sq_arena_printf(arena, "%.*s%s", (int)n, source, suffix);
}

static int bad_product(sq_task *task, const char *word)
{
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "emit"), "there is no product '%s'",
             word);
    const char *nearest = sq_nearest(word, sq_products, SINGLE);
    sq_suggest(task->d, word, nearest);
    if (!nearest)
        sq_help(task->d, SQ_NOWHERE, "the products are: src header sched ast report");
    return -1;
}

/* --emit=src,header -> wanted[]. */
static int read_emit(sq_task *task, const char *text, bool *wanted)
{
    while (*text) {
        size_t n = strcspn(text, ",");
        const char *word = sq_arena_strndup(task->arena, text, n);
        int kind = 0;
        while (kind < SINGLE && strcmp(word, sq_products[kind]) != 0)
            kind++;
        if (kind == SINGLE)
            return bad_product(task, word);
        wanted[kind] = true;
        text += n + (text[n] == ',');
    }
    return 0;
}

/* A C file with regions becomes a C file that takes its place. */
static int refuse_for_regions(sq_task *task, const bool *wanted)
{
    if (wanted[HEADER])
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "header"),
                        "the functions made of regions are static: there is no header to write");
    if (!wanted[SRC] || task->o->output)
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, SQ_NOWHERE, "name the file to write with -o");
    sq_help(task->d, SQ_NOWHERE,
            "%s holds regions: what is written is the whole of it, to be compiled in its place",
            task->path);
    return -1;
}

/* What the functions of regions have no use for: they are static, in the user's own file. */
static int refuse_names_for_regions(sq_task *task)
{
    const sq_settings *o = task->o;
    static const char *const option[] = {"single-header", "prefix",     "spdx",  "static",
                                         "freestanding",  "visibility", "errors"};
    const char *value[] = {o->single_header, o->prefix, o->spdx, o->is_static ? "" : NULL,
                           o->is_freestanding ? "" : NULL, o->visibility ? "" : NULL, o->errors ? "" : NULL};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (value[i])
            return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, option[i]),
                            "--%s is for kernels: %s is written as it is, with static functions",
                            option[i], task->path);
    if (task->tasks)
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "target"),
                        "tasks is for kernels: the functions of %s are called as they are; write openmp", task->path);
    return 0;
}

/* The whole source is in it. */
static int refuse_beside_single(sq_task *task, const bool *wanted)
{
    const char *other = task->o->output ? "output" : wanted[HEADER] ? "header" : NULL;
    if (!task->o->single_header || (!other && !wanted[SRC]))
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, other ? other : "emit"),
             "--single-header=%s holds the source and its declarations: there is no other file for "
             "them",
             task->o->single_header);
    return -1;
}

/* Static functions are where they are called: nothing declares them for others. */
static int refuse_for_static(sq_task *task, const bool *wanted)
{
    const char *what = wanted[HEADER]          ? "header"
                       : task->o->target_names ? "target-names"
                       : task->o->visibility   ? "visibility"
                       : task->target->grid    ? "target"
                                               : NULL;
    if (!task->o->is_static || !what)
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, what),
             "--static makes all functions static, for the C file that includes them: --%s%s", what,
             task->target->grid ? "=cuda is for files of their own"
                                : " is for functions of other files");
    sq_help(task->d, SQ_NOWHERE, "write --static --single-header=FILE, or --static -o FILE");
    return -1;
}

/* Threads, the choice of a target while a program runs, and devices are all of a hosted system. */
static int refuse_for_freestanding(sq_task *task)
{
    const char *what = task->target->grid ? "a file for CUDA needs its library"
                       : task->nsections  ? "a file for several targets asks the system for the processor"
                       : task->openmp && !task->tasks ? "threads are the system's"
                                          : NULL;
    if (!task->o->is_freestanding || !what)
        return 0;
    return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, task->nsections ? "targets" : "target"),
                    "--freestanding: %s", what);
}

static int refuse_errors(sq_task *task)
{
    if (!task->o->errors || !task->target->grid)
        return 0;
    return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "errors"),
                    "--errors: functions of CUDA return a cudaError_t in any case");
}

static int refuse_for_targets(sq_task *task, const bool *wanted)
{
    if (task->o->target_names && !task->nsections)
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "target-names"),
                        "--target-names goes with --targets");
    if (!wanted[SCHED] || !task->nsections)
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "emit"),
             "a script is for one target, and --targets=%s asks for several", task->o->targets);
    sq_help(task->d, SQ_NOWHERE, "write --target=%s --emit=sched", task->target->name);
    return -1;
}

static int refuse_products(sq_task *task, const bool *wanted)
{
    if (task->regions &&
        (refuse_for_regions(task, wanted) != 0 || refuse_names_for_regions(task) != 0))
        return -1;
    if (refuse_for_freestanding(task) != 0 || refuse_errors(task) != 0 || refuse_for_static(task, wanted) != 0 ||
        refuse_beside_single(task, wanted) != 0 || sq_naming_check_words(task) != 0 || sq_task_views_check(task) != 0 ||
        sq_bindings_check(task) != 0)
        return -1;
    return refuse_for_targets(task, wanted);
}

/* A single product is what -o names; of several, the source is. */
static int name_products(sq_task *task, products *p)
{
    const sq_settings *o = task->o;
    bool wanted[NPRODUCTS] = {0};
    bool only_looking = (o->dump || o->stop_after) && !o->output && !o->header && !o->emit;
    wanted[SRC] = !o->emit && !only_looking && !o->single_header;
    if (read_emit(task, o->emit ? o->emit : "", wanted) != 0)
        return -1;
    wanted[HEADER] |= o->header != NULL;
    wanted[SINGLE] = o->single_header != NULL;
    if (refuse_products(task, wanted) != 0)
        return -1;
    int count = 0;
    for (int i = 0; i < NPRODUCTS; i++)
        count += wanted[i];
    const char *base = o->output && strcmp(o->output, "-") != 0 ? o->output
                       : o->single_header && strcmp(o->single_header, "-") != 0
                           ? o->single_header
                           : sq_arena_printf(task->arena, "%s%s", stem_of(task->path, task->arena),
                                             task->target->language->suffix);
    for (int i = 0; i < NPRODUCTS; i++) {
        bool named =
            o->output && i != SINGLE && (i == SRC || (count == 1 && !(i == HEADER && o->header)));
        if (wanted[i])
            p->path[i] = named                      ? o->output
                         : i == HEADER && o->header ? o->header
                         : i == SINGLE              ? o->single_header
                         : i == SRC                 ? base
                                                    : beside(base, product_suffix[i], task->arena);
    }
    if ((p->path[HEADER] && sq_naming_check_header(task, "header", p->path[HEADER]) != 0) ||
        (p->path[SINGLE] && sq_naming_check_header(task, "single-header", p->path[SINGLE]) != 0))
        return -1;
    if (strcmp(task->path, "<stdin>") == 0 && !o->output && count > 0)
        return sq_error(task->d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "from standard input: name the output with -o FILE or -o -");
    return 0;
}

/* -MD with -MF and -MT, or their defaults from the first product. */
static int name_depfile(sq_task *task, products *p)
{
    const sq_settings *o = task->o;
    const char *first = NULL;
    for (int i = NPRODUCTS - 1; i >= 0; i--)
        first = p->path[i] ? p->path[i] : first;
    if (!o->depfile)
        return o->depfile_path || o->depfile_target || o->depfile_phony
                   ? sq_error(task->d, SQ_FAULT_USAGE, SQ_NOWHERE, "-MF, -MT and -MP go with -MD")
                   : 0;
    bool unnamed = !first || strcmp(first, "-") == 0;
    if (unnamed && (!o->depfile_path || !o->depfile_target))
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(o, "MD"),
                        "without an output file, -MD needs -MF and -MT");
    p->depfile = o->depfile_path ? o->depfile_path : beside(first, ".d", task->arena);
    p->depfile_target = o->depfile_target ? o->depfile_target : first;
    return 0;
}

/* What the emitted text says about its own files. */
static void name_in_text(sq_task *task, const products *p)
{
    const char *header = p->path[HEADER], *source = p->path[SRC], *single = p->path[SINGLE];
    if (header && strcmp(header, "-") != 0)
        task->header_include = last_part(header);
    if (source && strcmp(source, "-") != 0)
        task->output_name = last_part(source);
    const char *from = task->header_include                 ? task->header_include
                       : single && strcmp(single, "-") != 0 ? last_part(single)
                                                            : NULL;
    char *guard =
        from ? sq_arena_printf(task->arena, "SQUALL_%s", from)
             : sq_arena_printf(task->arena, "SQUALL_%s_H", stem_of(task->path, task->arena));
    for (char *s = guard; *s; s++) {
        bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
        *s = letter ? (char)(*s & ~0x20) : *s >= '0' && *s <= '9' ? *s : '_';
    }
    task->header_guard = guard;
}

/* Schedules of all kernels and targets, at most. */
static int most_schedules(const sq_task *task)
{
    return SQ_MOST_VARIANTS * task->nsets * task->unit->nkernels * (task->nsections ? task->nsections : 1);
}

typedef struct input_list {
    const char **path;
    int n;
} input_list;

static int list_tuned(sq_task *task, int i, void *user)
{
    input_list *list = user;
    const char *path = task->now[i]->tuned;
    if (path && (list->n == 0 || strcmp(list->path[list->n - 1], path) != 0))
        list->path[list->n++] = path;
    return 0;
}

static int list_all_tuned(sq_task *task, void *user)
{
    for (int i = 0; i < task->unit->nkernels; i++)
        sq_variants_each(task, i, list_tuned, user);
    return 0;
}

/* Every file that was read and can change what is written. */
static int list_inputs(sq_task *task, const char **input)
{
    int n = 0;
    for (int i = 0; i < task->unit->ndeps; i++)
        if (strcmp(task->unit->dep[i], "<stdin>") != 0)
            input[n++] = task->unit->dep[i];
    if (task->o->schedule)
        input[n++] = task->o->schedule;
    input_list list = {input, n};
    sq_sections_each(task, list_all_tuned, &list);
    return list.n;
}

static int make_depfile(sq_task *task, const products *p, sq_text *to)
{
    int most = task->unit->ndeps + most_schedules(task) + 1;
    const char **input = SQ_NEW_ARRAY(task->arena, const char *, most);
    int n = list_inputs(task, input);
    return sq_depfile_print(p->depfile_target, input, n, task->o->depfile_phony, to, task->d);
}

/* Flops at the sizes of every `#pragma squall tune`, or of the one size a kernel without symbolic
 * sizes has. */
static void report_flops(sq_task *task, const sq_kernel *k, sq_text *to)
{
    int symbolic = 0;
    for (int i = 0; i < k->nsizes; i++)
        symbolic += !k->size[i]->fixed;
    if (symbolic == 0) {
        int64_t *none = SQ_NEW_ARRAY(task->arena, int64_t, k->nsizes + 1);
        for (int i = 0; i < k->nsizes; i++)
            none[i] = k->size[i]->value;
        sq_text_line(to, "  flops: %.0f", sq_kernel_flops(k, none));
        return;
    }
    for (int t = 0; t < k->ntune; t++) {
        for (int i = 0; i < k->nsizes && i < 8; i++)
            sq_text_printf(to, "%s%s=%lld", i ? "," : "  flops at ", k->size[i]->name,
                           (long long)k->tune[t][i]);
        sq_text_line(to, ": %.0f", sq_kernel_flops(k, k->tune[t]));
    }
}

static int report_schedule(sq_task *task, int i, void *user)
{
    sq_text_line(user, "  schedule%s: %s", sq_variants_label(task, i), sq_origin_name(task->now[i]->origin));
    return 0;
}

static int report_target(sq_task *task, void *user)
{
    sq_text *to = user;
    sq_text_line(to, "target: %s%s", task->target->name, task->openmp ? ", openmp" : "");
    sq_text_line(to, "machine: %s", task->machine->name);
    for (int i = 0; i < task->unit->nkernels; i++) {
        const sq_kernel *k = task->unit->kernel[i];
        sq_text_line(to, "kernel: %s", k->name);
        sq_text_line(to, "  signature: void %s(%s)", k->name,
                     sq_emit_params(k, SQ_EMIT_PUBLIC, false, NULL, task->arena));
        sq_text_line(to, "  statements: %d", k->nstmts);
        report_flops(task, k, to);
        sq_variants_each(task, i, report_schedule, to);
    }
    return 0;
}

static void make_report(sq_task *task, sq_text *to)
{
    sq_sections_each(task, report_target, to);
    sq_text_line(to, "scripts:");
    sq_text_puts(to, sq_text_str(&task->script));
}

/* The canonical scripts; of one kernel without its name, so that --schedule takes it back. */
static void make_sched(sq_task *task, sq_text *to)
{
    if (task->unit->nkernels == 1)
        sq_schedule_print(task->now[0]->schedule, to);
    else
        sq_text_puts(to, sq_text_str(&task->script));
    if (to->n && to->s[to->n - 1] != '\n')
        sq_text_puts(to, "\n");
}

/* The declarations, and the source for one file of the program. The second guard lets this file be
 * included again behind the definition of the macro. */
static void make_single(sq_task *task, sq_text *to)
{
    const char *macro = sq_task_macro(task, "IMPLEMENTATION"), *guard = sq_task_guard(task, 0);
    if (task->o->is_static) {
        sq_text_printf(to, "#ifndef %s\n#define %s\n", guard, guard);
        sq_print_abi(sq_task_macro(task, "ABI"), to);
        sq_text_printf(to, "%s#endif\n", sq_text_str(&task->source));
        return;
    }
    sq_text_puts(to, sq_text_str(&task->header));
    sq_text_printf(to,
                   "\n/* One C file of the program has the functions: it defines %s before it\n"
                   " * includes this. */\n#if defined(%s) && !defined(%s_DONE)\n"
                   "#define %s_DONE\n",
                   macro, macro, guard, guard);
    sq_text_puts(to, sq_text_str(&task->source));
    sq_text_puts(to, "#endif\n");
}

/* A script is one schedule. */
static int refuse_sched(sq_task *task)
{
    for (int i = 0; i < task->unit->nkernels; i++) {
        if (!sq_variants_any(task, i))
            continue;
        sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "emit"),
                 "a script is one schedule, and '%s' has %d", task->unit->kernel[i]->name, sq_variants_count(task, i));
        sq_help(task->d, SQ_NOWHERE, "one --at and one value of each size in --fix leave one");
        return -1;
    }
    return 0;
}

static int make_product(sq_task *task, product_kind kind, sq_text *to)
{
    if (kind == SCHED && refuse_sched(task) != 0)
        return -1;
    switch (kind) {
    case SRC:
        sq_text_puts(to, sq_text_str(&task->source));
        return 0;
    case HEADER:
        sq_text_puts(to, sq_text_str(&task->header));
        return 0;
    case SINGLE:
        make_single(task, to);
        return 0;
    case SCHED:
        make_sched(task, to);
        return 0;
    case AST:
        return sq_task_dump_nests(task, to);
    default:
        make_report(task, to);
        return 0;
    }
}

/* --check: 1 and an error naming each file that differs from what would be written. */
static int compare(sq_task *task, const char *path, const sq_text *text)
{
    size_t n = 0;
    if (strcmp(path, "-") == 0)
        return 0;
    if (!sq_file_exists(path))
        return sq_error(task->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s is stale: it does not exist",
                        path);
    char *old = sq_file_read(task->d, path, &n);
    if (!old)
        return -1;
    bool same = n == text->n && memcmp(old, sq_text_str(text), n) == 0;
    free(old);
    if (same)
        return 0;
    return sq_error(task->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                    "%s is stale: it is not what %s and its schedule give now", path, task->path);
}

/* Of one file; with --check it is compared. */
static int add_product(sq_task *task, const char *path, const sq_text *text, sq_outputs *out)
{
    if (task->o->check)
        return compare(task, path, text);
    sq_outputs_add(out, path, sq_text_str(text), text->n);
    return 0;
}

static int write_products(sq_task *task, const products *p)
{
    sq_outputs *out = sq_outputs_new();
    int bad = 0;
    for (int i = 0; i < NPRODUCTS; i++) {
        sq_text t = {0};
        if (p->path[i])
            bad |= make_product(task, (product_kind)i, &t) != 0
                       ? -1
                       : add_product(task, p->path[i], &t, out);
        sq_text_free(&t);
    }
    for (int i = 0; i < task->o->bindings.n; i++) {
        sq_text t = {0};
        const char *path = task->o->bindings.item[i];
        bad |= sq_bindings_make(task, path, &t) != 0 ? -1 : add_product(task, path, &t, out);
        sq_text_free(&t);
    }
    if (p->depfile && !task->o->check) {
        sq_text t = {0};
        if (make_depfile(task, p, &t) != 0)
            bad = -1;
        else
            sq_outputs_add(out, p->depfile, t.s, t.n);
        sq_text_free(&t);
    }
    if (!bad && !task->o->check)
        return sq_outputs_commit(out, task->d, task->o->if_changed);
    sq_outputs_free(out);
    return bad;
}

/* Of the last stage: lowering, and each pass with the statements that it left. */
static void print_passes(const sq_task *task)
{
    for (int i = 0; task->done == SQ_NSTAGES && i <= sq_npasses; i++)
        fprintf(stderr, "  %-12s %8.1f ms, %ld statements\n", i ? sq_passes[i - 1].name : "lower",
                1e3 * task->pass_times[i].seconds, task->pass_times[i].statements);
}

static void print_times(const sq_task *task)
{
    for (int i = 0; i < SQ_NSTAGES; i++)
        if (sq_stages[i].run)
            fprintf(stderr, "%-6s %8.1f ms\n", sq_stages[i].name, 1e3 * task->seconds[i]);
    print_passes(task);
    struct rusage used = {0};
    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr, "%-6s %8.1f ms of processor time, start included; %ld MB of memory\n", "total",
            1e3 * (double)clock() / CLOCKS_PER_SEC, used.ru_maxrss >> 10);
}

/* No product may be a file that was read, nor may two be one file. */
static int refuse_conflicts(sq_task *task, const products *p)
{
    static const char *const what[] = {"the C source",  "the header", "the script",
                                       "the loop tree", "the report", "the single header"};
    const sq_list *bindings = &task->o->bindings;
    sq_output_file *out = SQ_NEW_ARRAY(task->arena, sq_output_file, NPRODUCTS + 1 + bindings->n);
    int n = 0, ninputs;
    const char **input =
        SQ_NEW_ARRAY(task->arena, const char *, task->unit->ndeps + most_schedules(task) + 2);
    for (int i = 0; i < NPRODUCTS; i++)
        if (p->path[i])
            out[n++] =
                (sq_output_file){p->path[i], what[i],
                                 sq_settings_loc(task->o, i == HEADER && task->o->header ? "header"
                                                          : i == SINGLE ? "single-header"
                                                                        : "output")};
    for (int i = 0; i < bindings->n; i++)
        out[n++] = (sq_output_file){bindings->item[i], "the bindings",
                                    sq_settings_loc(task->o, "bindings")};
    if (p->depfile)
        out[n++] = (sq_output_file){p->depfile, "the depfile", sq_settings_loc(task->o, "MF")};
    ninputs = list_inputs(task, input);
    input[ninputs++] = task->path;
    return sq_conflict_check(out, n, input, ninputs, task->arena, task->d);
}

static int compile(sq_task *task)
{
    products p = {0};
    int last;
    if (sq_dumps_check(task, &last) != 0 || name_products(task, &p) != 0 ||
        name_depfile(task, &p) != 0)
        return -1;
    name_in_text(task, &p);
    sq_text dumps = {0};
    int bad = sq_task_run(task, last, &dumps);
    fputs(sq_text_str(&dumps), stdout);
    fflush(stdout); /* before a product that goes there too */
    sq_text_free(&dumps);
    if (!bad && !task->o->stop_after && !task->o->check)
        bad = refuse_conflicts(task, &p);
    if (!bad && !task->o->stop_after)
        bad = write_products(task, &p);
    if (task->o->time)
        print_times(task);
    return bad;
}

int sq_cmd_compile(const sq_settings *o, sq_diags *d)
{
    sq_task task;
    int bad = sq_task_open(&task, o, d);
    if (!bad)
        bad = compile(&task);
    sq_task_close(&task);
    return bad ? -1 : 0;
}
