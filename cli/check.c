/* squall check: verifies a description and its schedule. Accesses are in bounds and the schedule is
 * legal (the compiler's own stages), and the emitted text agrees with the naive nest: at the given
 * sizes, or, for symbolic ones, at odd and random sizes that the description allows. Arrays are
 * placed next to unmapped pages, so an overrun is found, too, and the caller's memory of K_in is
 * checked after its end. --text checks a given text. CUDA text has checks of its own
 * (check_cuda.c), and so has what is emitted for a grid (check_grid.c). */
#include "cli/check_convert.h"
#include "cli/check_cuda.h"
#include "cli/check_packed.h"
#include "cli/check_passes.h"
#include "cli/check_refused.h"
#include "cli/check_tasks.h"
#include "cli/check_targets.h"
#include "cli/check_text.h"
#include "cli/check_variants.h"
#include "codegen/print/names.h"
#include "codegen/nest/text_of.h"
#include "support/file.h"
#include "support/words.h"
#include "tuner/measure/inputs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row takes the naive nest half a second at most; most are far smaller. */
static const sq_check_limits limits = {.bytes = 64e6, .flops = 2e8, .rows = 320};
enum {
    MOST_BEYOND = 6, /* lines of a report; JSON has them all */
    /* seconds of a call: what is ours ends, what was given need not */
    OWN_SECONDS = 60,
    GIVEN_SECONDS = 10,
    QUICK_SECONDS = 3
};

/* ---- the text ---- */

const char *sq_check_entry(sq_check *c, const sq_kernel *k)
{
    return sq_arena_printf(c->m.task.arena, "%s_%s", SQ_ENTRY, k->name);
}

/* A proof leaves out functions that are not called; this calls them. */
static void put_seen(const char *entry, sq_text *to)
{
    sq_text_line(to,
                 "SQ_INTERNAL(extern void %s(void *const *arg) "
                 "__attribute__((externally_visible, used));)",
                 entry);
}

/* "M, N, A, B", or the sizes among them: what is no constant. */
static void put_arguments(const sq_kernel *k, bool all, sq_text *to)
{
    for (int p = 0, shown = 0; p < k->nparams; p++)
        if (k->param[p].size ? sq_param_shown(&k->param[p]) : all)
            sq_text_printf(to, "%s%s", shown++ ? ", " : "", sq_param_name(&k->param[p]));
}

/* What K, K_in or K_workspace is called by where K's parameters are declared: a parameter of that
 * name hides the function, which one in front then says; a variable would be a call to who counts
 * those. */
static const char *callee(sq_check *c, const sq_kernel *k, const char *suffix, sq_text *to)
{
    const char *function = sq_arena_printf(c->m.task.arena, "%s%s", k->name, suffix);
    if (!sq_names_taken(k, function))
        return function;
    sq_text_line(to, "static __typeof__(%s) *squall_call_%s(void) { return %s; }", function,
                 function, function);
    return sq_arena_printf(c->m.task.arena, "squall_call_%s()", function);
}

/* K_in in memory of its caller's, which it may use to its last byte and no further, and which begins
 * as far from the next line of the cache as it can. What is declared here has names that no
 * parameter can have. */
static void put_given_call(const sq_kernel *k, const char *in, const char *workspace, sq_text *to)
{
    sq_text all = {0}, sizes = {0};
    put_arguments(k, true, &all);
    put_arguments(k, false, &sizes);
    sq_text_printf(
        to,
        "        enum { squall_more = 4096, squall_line = 64 };\n"
        "        __SIZE_TYPE__ squall_n = %s(%s);\n"
        "        __SIZE_TYPE__ squall_all = squall_n + squall_line + squall_more;\n"
        "        unsigned char *squall_from = __builtin_malloc(squall_all);\n"
        "        unsigned char *squall_given =\n"
        "            squall_from + ((1 - (__UINTPTR_TYPE__)squall_from) & (squall_line - 1));\n"
        "        __builtin_memset(squall_from, 0xff, squall_all);\n"
        "        if (%s(%s%ssquall_given))\n            __builtin_abort();\n"
        "        for (int squall_x = 0; squall_x < squall_more; squall_x++)\n"
        "            if (squall_given[squall_n + squall_x] != 0xff)\n"
        "                __builtin_abort();\n"
        "        __builtin_free(squall_from);\n",
        workspace, sq_text_str(&sizes), in, sq_text_str(&all), all.n ? ", " : "");
    sq_text_free(&all);
    sq_text_free(&sizes);
}

/* SQ_RUN is for what runs, SQ_ASK for what runs but is not counted as coverage, SQ_PROVE for proofs. */

/* Which of the calls are of K_in: two of four, and every second one at a long size, which is run twice at least. */
static void put_turn(const sq_kernel *k, sq_text *to)
{
    sq_text_puts(to, "    SQ_RUN(static unsigned squall_turn;\n    if (squall_turn++ & (0");
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed)
            sq_text_printf(to, " || %s > %d", k->size[i]->name, SQ_LONG_SIZE);
    sq_text_puts(to, " ? 1 : 2)) {\n");
}

/* The function of a kernel as an entry's, which says to a proof what sizes there are; the calls of it, and of K_in
 * where the text has that. */
static void add_entry(sq_check *c, int kernel, sq_text *to)
{
    const sq_check_rows *r = &c->rows[kernel];
    const sq_kernel *k = r->k;
    const char *within = sq_arena_printf(c->m.task.arena, "squall_within_%s", k->name);
    bool has_in = sq_text_mentions(c->text, sq_arena_printf(c->m.task.arena, "%s_in", k->name));
    bool has_on = c->m.task.tasks && sq_text_mentions(c->text, sq_arena_printf(c->m.task.arena, "%s_on", k->name));
    const char *accepts = sq_arena_printf(c->m.task.arena, "int %s_accepts(", k->name);
    isl_set *all = isl_set_universe(isl_set_get_space(k->context));
    const char *sizes = sq_set_text(sq_check_sizes(r), all, c->m.task.arena);
    isl_set_free(all);
    sq_check_functions f = {.k = callee(c, k, "", to), .chooses = c->ways && sq_check_variants_in(k, c->text)};
    if (has_in) {
        f.in = callee(c, k, "_in", to);
        f.workspace = callee(c, k, "_workspace", to);
    }
    if (has_on) {
        f.on = callee(c, k, "_on", to);
        f.on_workspace = callee(c, k, "_on_workspace", to);
    }
    if (strstr(c->text, accepts)) /* a parameter may have the name */
        f.accepts = callee(c, k, "_accepts", to);
    if (k->plain)
        sq_check_packed_put(k, &f, to);
    sq_text_printf(to, "static void %s(%s)\n{\n    SQ_ASSUME(%s);\n", within,
                   sq_emit_params(k, SQ_EMIT_INSIDE, false, NULL, k->arena), sizes ? sizes : "1");
    sq_check_refused_put(r, &f, to);
    if (c->ways && sq_check_variants_in(k, c->text))
        sq_check_variants_put(k, c->ways[kernel], to);
    if (has_on)
        sq_check_tasks_put(k, &f, to);
    if (has_in) {
        put_turn(k, to);
        put_given_call(k, f.in, f.workspace, to);
        sq_text_puts(to, "        return;\n    })\n");
        sq_text_printf(to, "    SQ_PROVE(if (squall_any()) {\n        %s(", f.in);
        put_arguments(k, true, to);
        sq_text_printf(to, "%ssquall_where());\n        return;\n    })\n", k->nparams ? ", " : "");
    }
    sq_text_printf(to, "    %s(", f.k);
    put_arguments(k, true, to);
    sq_text_puts(to, ");\n}\n");
    put_seen(sq_check_entry(c, k), to);
    sq_emit_entry(k, within, sq_check_entry(c, k), to);
    sq_check_convert_put(c->text, k->name, sq_check_entry(c, k), c->m.task.arena, to);
}

static int count_lines(const char *text)
{
    int n = 1;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Of the optimiser. */
static const char *level(const sq_check *c)
{
    return c->m.settings.quick ? "-O1" : "-O2";
}

/* The text with an entry for each kernel behind it. */
static int build_file(sq_check *c, const char *folder, sq_verdict *verdict)
{
    const sq_unit *u = c->m.task.unit;
    sq_text source = {0};
    sq_text_puts(&source, c->text);
    sq_text_puts(&source, "\n#include <stdint.h>\n");
    if (!c->path) /* what a caller calls */
        sq_text_puts(&source, sq_text_str(&c->m.task.header));
    sq_check_refused_head(&source);
    if (c->m.task.tasks)
        sq_check_tasks_head(&source);
    for (int i = 0; i < u->nkernels; i++)
        add_entry(c, i, &source);
    c->lines = count_lines(c->text);
    int rc = sq_verify_build(c->verify, sq_text_str(&source), level(c), folder, verdict);
    sq_text_free(&source);
    return rc;
}

static int refuse_variants(sq_check *c, const char *path)
{
    sq_error(c->m.task.d, SQ_FAULT_USAGE, sq_settings_loc(&c->m.settings, "text"),
             "%s has several schedules of a kernel, and not all blocks of each would run", path);
    sq_help(c->m.task.d, SQ_NOWHERE,
            "`squall check K.sq` checks each schedule alone; --quick compares the results of this file, and which "
            "schedules it takes");
    return -1;
}

/* Blocks of targets that a process does not use cannot run in it. */
static int refuse_sections(sq_check *c, const char *path, const char *text)
{
    if (c->m.settings.quick)
        return 0;
    for (int i = 0; i < c->m.task.unit->nkernels; i++)
        if (sq_check_variants_in(c->m.task.unit->kernel[i], text))
            return refuse_variants(c, path);
    if (!strstr(text, "getenv(\"SQUALL_ISA\")"))
        return 0;
    sq_error(c->m.task.d, SQ_FAULT_USAGE, sq_settings_loc(&c->m.settings, "text"),
             "%s is for several targets, and only the blocks of one of them would run", path);
    sq_help(c->m.task.d, SQ_NOWHERE,
            "`squall check K.sq --targets=...` checks what is written for each; --quick compares "
            "the results of this file, for the target that SQUALL_ISA names in the environment");
    return -1;
}

/* In the arena; NULL after adding an error. What stands behind a zero byte would not be checked. */
static const char *read_given(sq_check *c, const char *path)
{
    size_t n;
    char *text = sq_file_read(c->m.task.d, path, &n);
    if (!text)
        return NULL;
    const char *own = sq_arena_strndup(c->m.task.arena, text, n);
    free(text);
    if (strlen(own) == n)
        return refuse_sections(c, path, own) == 0 ? own : NULL;
    const char *line = strrchr(own, '\n') ? strrchr(own, '\n') + 1 : own;
    sq_diags_source(c->m.task.d, path, own, strlen(own));
    sq_error(c->m.task.d, SQ_FAULT_INPUT,
             (sq_loc){path, count_lines(own), (int)strlen(line) + 1, 1},
             "here is a zero byte: no C text has one, and what follows would not be checked");
    return NULL;
}

/* Builds what a person gave. -1 with an error, where there is none of that name; else see the
 * verdict. */
static int build_given(sq_check *c, const char *path, sq_verdict *verdict)
{
    c->path = path;
    c->text = read_given(c, path);
    if (!c->text)
        return -1;
    const char *slash = strrchr(path, '/');
    build_file(c, slash ? sq_arena_strndup(c->m.task.arena, path, (size_t)(slash - path) + 1) : ".",
               verdict);
    return 0;
}

/* What would be written: the whole file, or of a C file with regions one kernel. */
static int build_own(sq_check *c, int kernel, sq_verdict *verdict)
{
    sq_task *task = &c->m.task;
    sq_text source = {0};
    int rc = 0;
    if (task->unit->region)
        rc = sq_measure_source(&c->m, task->now[kernel]->schedule, &source);
    *verdict = (sq_verdict){.status = SQ_OK};
    c->path = NULL;
    c->text = task->unit->region ? sq_arena_printf(task->arena, "%s", sq_text_str(&source))
                                 : sq_text_str(&task->source);
    c->lines = count_lines(c->text);
    put_seen(SQ_ENTRY, &source);
    sq_check_convert_put(c->text, "squall_candidate", SQ_ENTRY, task->arena, &source);
    if (rc == 0 && task->unit->region)
        sq_verify_build(c->verify, sq_text_str(&source), level(c), NULL, verdict);
    else if (rc == 0)
        build_file(c, NULL, verdict);
    sq_text_free(&source);
    return rc;
}

/* ---- verdicts ---- */

/* "gemm.c: gemm M=1,N=1,K=1: wrong: C[0] is 1, expected 2". What is wrong with a text that was given
 * is its author's fault, else ours; but for what is the machine's. */
int sq_check_complain(sq_check *c, int kernel, const sq_verdict *v)
{
    if (v->status == SQ_OK)
        return 0;
    const sq_check_rows *r = &c->rows[kernel];
    bool wrong = v->status == SQ_WRONG || v->status == SQ_CRASHED;
    bool ours = !c->path && (wrong || v->status == SQ_BUILD_FAILED);
    sq_fault fault = ours                                            ? SQ_FAULT_BUG
                     : c->path && (wrong || v->status == SQ_TIMEOUT) ? SQ_FAULT_INPUT
                                                                     : SQ_FAULT_WORLD;
    int row = v->row < r->n ? v->row : r->n - 1;
    sq_measure_name(&c->m, r->k, r->size + (ptrdiff_t)row * r->k->nsizes);
    return sq_error(c->m.task.d, fault, SQ_NOWHERE, "%s%s%s%s%s: %s: %s", c->path ? c->path : "",
                    c->path ? ": " : "",
                    v->status == SQ_BUILD_FAILED ? r->k->name : sq_text_str(&c->m.label),
                    c->label ? " " : "", c->label ? c->label : "", sq_status_name(v->status), v->message);
}

static json_t *note(sq_check *c, int kernel, const sq_verdict *v)
{
    const sq_check_rows *r = &c->rows[kernel];
    json_t *x = json_pack("{s:s, s:s, s:i, s:s, s:f}", "kernel", r->k->name, "target",
                          c->m.task.target->name, "sizes", r->n, "status",
                          sq_status_name(v->status), "error_of_bound", v->error);
    if (c->path)
        json_object_set_new(x, "text", json_string(c->path));
    if (c->label)
        json_object_set_new(x, "schedule", json_string(c->label));
    if (v->status != SQ_OK)
        json_object_set_new(x, "message", json_string(v->message));
    for (int i = 0; i < r->beyond.n; i++) {
        if (i == 0)
            json_object_set_new(x, "beyond", json_array());
        json_array_append_new(json_object_get(x, "beyond"), json_string(r->beyond.item[i]));
    }
    json_array_append_new(c->json, x);
    return x;
}

/* ---- kernels ---- */

/* The text in hand, if it could be built. */
static int check_kernel(sq_check *c, int kernel, const sq_verdict *built)
{
    const sq_unit *u = c->m.task.unit;
    const sq_kernel *k = u->kernel[kernel];
    const char *entry = u->region ? SQ_ENTRY : sq_check_entry(c, k);
    sq_verdict v = *built;
    if (c->rows[kernel].n <= 0)
        return -1;
    sq_progress_show(&c->m.progress, "%s: %d size vectors", k->name, c->rows[kernel].n);
    if (v.status == SQ_OK)
        sq_verify_run(c->verify, kernel, entry, &v);
    sq_progress_close(&c->m.progress);
    json_t *x = note(c, kernel, &v);
    if (sq_check_complain(c, kernel, &v) != 0 || c->m.settings.quick)
        return v.status == SQ_OK ? 0 : -1;
    return sq_check_cover(c, kernel, entry, u->region ? "squall_candidate" : k->name, x);
}

static int check_text(sq_check *c, int first, int last, const sq_verdict *built)
{
    int rc = 0;
    if (!c->m.settings.quick && built->status == SQ_OK && sq_check_cover_build(c) != 0)
        return -1;
    for (int i = first; i < last; i++) {
        int one = check_kernel(c, i, built);
        rc = rc ? rc : one;
    }
    return rc;
}

/* A text that was given, of all kernels. */
static int check_given(sq_check *c, const char *path)
{
    sq_verdict v;
    return build_given(c, path, &v) == 0 ? check_text(c, 0, c->m.task.unit->nkernels, &v) : -1;
}

static int check_own(sq_check *c)
{
    const sq_unit *u = c->m.task.unit;
    int rc = 0, step = u->region ? 1 : u->nkernels;
    for (int i = 0; i < u->nkernels; i += step) {
        sq_verdict v;
        if (build_own(c, i, &v) != 0)
            return -1;
        int one = check_text(c, i, i + step, &v);
        rc = rc ? rc : one;
    }
    return rc;
}

/* Rows of all kernels, and their naive nests. */
static int choose_rows(sq_check *c)
{
    const sq_unit *u = c->m.task.unit;
    int rc = 0;
    c->rows = SQ_NEW_ARRAY(c->m.task.arena, sq_check_rows, u->nkernels);
    for (int i = 0; i < u->nkernels; i++) {
        sq_check_rows *r = &c->rows[i];
        if (c->chosen)
            *r = c->chosen[i];
        else if (sq_check_rows_choose(&c->m, c->m.task.now[i]->schedule, u->kernel[i], &limits, r) != 0)
            rc = -1;
        if (sq_verify_kernel(c->verify, u->kernel[i], r->size, r->n) < 0)
            rc = -1; /* said of this one; the others are looked at, too */
    }
    return rc;
}

/* The text of the task in hand, or those that were given. */
static int check_all(sq_check *c)
{
    const sq_list *texts = &c->m.settings.text;
    sq_run_options options = sq_measure_run_options(&c->m);
    options.run_timeout = c->m.settings.quick ? QUICK_SECONDS : texts->n ? GIVEN_SECONDS : OWN_SECONDS;
    c->verify = sq_verify_open(&options, c->m.task.d);
    if (!c->verify)
        return -1;
    int rc = choose_rows(c);
    for (int i = 0; i < texts->n; i++) {
        int one = check_given(c, texts->item[i]);
        rc = rc ? rc : one;
    }
    if (texts->n == 0) {
        int own = check_own(c);
        rc = rc ? rc : own;
    }
    c->verify = sq_verify_close(c->verify);
    return rc;
}

/* ---- printing ---- */

static long long figure(const json_t *x, const char *key)
{
    return json_integer_value(json_object_get(x, key));
}

/* What became of the blocks; `quick` looks at none. */
static void print_blocks(const json_t *x)
{
    const char *reason;
    json_t *n;
    if (!json_object_get(x, "blocks") && json_object_get(x, "schedule"))
        return; /* all of them: of each alone it was */
    if (!json_object_get(x, "blocks")) {
        puts("    --quick: which blocks of the text ran was not looked at");
        return;
    }
    printf("    %lld blocks, %lld ran, %lld proven unreachable", figure(x, "blocks"),
           figure(x, "ran"), figure(x, "unreachable"));
    json_object_foreach(json_object_get(x, "excused"), reason, n)
        printf(", %lld %s", json_integer_value(n), reason);
    printf(", %zu never ran\n", json_array_size(json_object_get(x, "never_ran")));
}

static void print_beyond(const json_t *beyond)
{
    size_t i, n = json_array_size(beyond);
    for (i = 0; i < n && i < MOST_BEYOND; i++)
        printf("    not run: %s\n", json_string_value(json_array_get(beyond, i)));
    if (n > i)
        printf("    not run: and %zu more, which --json names\n", n - i);
}

static void print(const json_t *json)
{
    size_t i;
    json_t *x;
    json_array_foreach(json, i, x)
    {
        const char *text = json_string_value(json_object_get(x, "text"));
        const char *schedule = json_string_value(json_object_get(x, "schedule"));
        if (strcmp(json_string_value(json_object_get(x, "status")), "ok") != 0)
            continue;
        printf(
            "%s%s%s: %s%saccesses in bounds, schedule legal, %lld size vector%s as the naive nest on "
            "%s (largest difference %.2g of what rounding allows)\n",
            json_string_value(json_object_get(x, "kernel")), schedule ? " " : "", schedule ? schedule : "",
            text ? text : "", text ? ": " : "",
            figure(x, "sizes"), figure(x, "sizes") == 1 ? "" : "s",
            json_string_value(json_object_get(x, "target")),
            json_real_value(json_object_get(x, "error_of_bound")));
        print_blocks(x);
        print_beyond(json_object_get(x, "beyond"));
    }
}

static int check(sq_check *c, const sq_settings *o, sq_diags *d)
{
    if (sq_measure_open(&c->m, o, d) != 0)
        return -1;
    if (o->text.n && c->m.task.unit->region)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(&c->m.settings, "text"),
                        "--text is for descriptions: the functions of a C file with regions are "
                        "the user's");
    int rc = sq_task_run_named(&c->m.task, "emit"); /* which may take the next of its choices */
    if (rc != 0)
        return rc;
    rc = o->text.n                              ? sq_check_variants_given(c, check_all)
         : sq_check_variants_any(&c->m.task) ? sq_check_variants(c, check_all)
                                             : check_all(c);
    sq_progress_close(&c->m.progress);
    if (o->json) {
        json_dumpf(c->json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    } else {
        print(c->json);
    }
    return rc;
}

int sq_cmd_check(const sq_settings *o, sq_diags *d)
{
    if (o->files.n == 1 && sq_is_cuda_text(o->files.item[0]))
        return sq_check_cuda(o, d);
    if (o->passes)
        return sq_check_passes(o, d);
    if (sq_is_for_grid(o))
        return sq_check_grid(o, d);
    if (o->targets && (!o->target || sq_settings_loc(o, "targets").line))
        return sq_check_targets(o, d);
    sq_check c = {.json = json_array()};
    int rc = check(&c, o, d);
    json_decref(c.json);
    sq_measure_close(&c.m);
    return rc;
}
