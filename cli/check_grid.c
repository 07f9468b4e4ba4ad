/* squall check K.sq for a grid: what `compile` would write is run as a program (simt.h) at odd
 * sizes. Its self-test compares with the naive nest, the library looks at every access. All
 * findings are shown, each once, and the figures of the largest sizes. */
#include "cli/check_cuda.h"
#include "cli/check_rows.h"
#include "support/memory.h"
#include "tuner/measure/simt.h"
#include "tuner/measure/workdir.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every access is looked at: some hundred times slower than the text alone. */
static const sq_check_limits limits = {.bytes = 4e6, .flops = 5e6, .rows = 48};

enum { ENOUGH = 8 }; /* findings: more sizes would say the same in other places */

struct check {
    sq_measure m;
    sq_simt simt;
    const char *name; /* of the text in messages: "gemm.cu" */
    char file[300];
    json_t *kernels; /* what is printed with --json */
};

/* Of the kernel in hand. */
struct kernel {
    const sq_kernel *k;
    sq_check_rows rows;
    json_t *findings; /* of all rows */
    double most;      /* flops of the largest row so far */
    int largest;      /* its number */
    json_t *report;   /* and what was reported of it */
    char *text;
};

bool sq_is_for_grid(const sq_settings *o)
{
    sq_diags *d = sq_diags_new();
    sq_task task = {.o = o, .d = d, .arena = sq_arena_new()};
    bool grid = o->target && sq_task_target(&task) == 0 && task.target->grid;
    sq_arena_free(task.arena);
    sq_diags_free(d);
    return grid;
}

/* "gemm.cu", for a description gemm.sq */
static const char *name_of_text(const sq_task *task)
{
    const char *slash = strrchr(task->path, '/'), *base = slash ? slash + 1 : task->path;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    return sq_arena_printf(task->arena, "%.*s%s", (int)n, base, task->target->language->suffix);
}

/* Sizes as the program takes them: in the order of the parameters, without the fixed ones; and how
 * often it is to run for its time. */
static void arguments_of(const struct kernel *x, const int64_t *row, sq_arena *arena,
                         const char **to)
{
    int n = 0;
    for (int i = 0; i < x->k->nparams; i++) {
        const sq_size *s = x->k->param[i].size;
        int at = 0;
        while (s && x->k->size[at] != s)
            at++;
        if (s && !s->fixed)
            to[n++] = sq_arena_printf(arena, "%lld", (long long)row[at]);
    }
    to[n++] = "0";
    to[n] = NULL;
}

static bool is_same(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"kind", "file", "line", "other_file", "other_line"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
        if (!x != !y || (x && !json_equal(x, y)))
            return false;
    }
    return true;
}

/* What no row before has shown, with its sizes. */
static void keep_findings(struct kernel *x, const json_t *report, const char *sizes)
{
    size_t i, j;
    json_t *f, *g;
    json_array_foreach(json_object_get(report, "findings"), i, f)
    {
        bool known = false;
        json_array_foreach(x->findings, j, g) known |= is_same(f, g);
        if (known)
            continue;
        json_object_set_new(f, "at", json_string(sizes));
        json_array_append(x->findings, f);
    }
}

static void keep_largest(struct check *c, struct kernel *x, int row, json_t *report)
{
    double flops = sq_kernel_flops(x->k, x->rows.size + (ptrdiff_t)row * x->k->nsizes);
    if (x->report && flops <= x->most)
        return;
    json_decref(x->report);
    free(x->text);
    x->most = flops;
    x->largest = row;
    x->report = json_incref(report);
    x->text = sq_simt_report_text(&c->simt);
}

/* The program's own verdict; where it was cut short by a finding that is the reason. */
static int verdict(struct check *c, const json_t *report)
{
    const sq_child_end *end = &c->simt.end;
    const char *label = sq_text_str(&c->m.label);
    if (json_array_size(json_object_get(report, "findings")) || (!end->status && !end->signal))
        return 0;
    return sq_error(c->m.task.d, SQ_FAULT_BUG, SQ_NOWHERE, "%s: %s: %.*s", label,
                    end->status == 1 ? "wrong" : "failed", (int)strcspn(end->err, "\n"), end->err);
}

static int run_row(struct check *c, struct kernel *x, int row)
{
    const char *args[SQ_MAX_SIZES + 2];
    const int64_t *sizes = x->rows.size + (ptrdiff_t)row * x->k->nsizes;
    sq_measure_name(&c->m, x->k, sizes);
    sq_progress_show(&c->m.progress, "%s: sizes %d of %d", x->k->name, row + 1, x->rows.n);
    arguments_of(x, sizes, c->m.task.arena, args);
    if (sq_simt_run(&c->simt, sq_text_str(&c->m.label), args) < 0)
        return -1;
    json_t *report = sq_simt_report(&c->simt, c->name);
    if (!report)
        return -1;
    keep_findings(x, report, sq_text_str(&c->m.label));
    keep_largest(c, x, row, report);
    int rc = verdict(c, report);
    json_decref(report);
    return rc;
}

/* ---- printing ---- */

static void print_place(const json_t *f, const char *file, const char *line)
{
    printf("%s:%lld: ", json_string_value(json_object_get(f, file)),
           json_integer_value(json_object_get(f, line)));
}

static void print_findings(const json_t *findings)
{
    size_t i;
    json_t *f;
    json_array_foreach(findings, i, f)
    {
        print_place(f, "file", "line");
        printf("%s: %s (%s)\n", json_string_value(json_object_get(f, "kind")),
               json_string_value(json_object_get(f, "text")),
               json_string_value(json_object_get(f, "at")));
        if (!json_object_get(f, "note"))
            continue;
        print_place(f, "other_file", "other_line");
        printf("note: %s\n", json_string_value(json_object_get(f, "note")));
    }
}

/* The report's text without its findings, which were said, and without their number. */
static void print_figures(const struct kernel *x)
{
    size_t i, lines = json_integer_value(json_object_get(x->report, "dropped")) > 0;
    json_t *f;
    const char *text = x->text ? x->text : "";
    json_array_foreach(json_object_get(x->report, "findings"), i, f) lines +=
        json_object_get(f, "note") ? 2 : 1;
    for (; lines && *text; text++)
        lines -= *text == '\n';
    for (size_t n; *text; text += n) {
        n = strcspn(text, "\n");
        n += text[n] == '\n';
        if (text[n])
            printf("%.*s", (int)n, text);
    }
}

static void print(struct check *c, const struct kernel *x)
{
    const json_t *totals = json_object_get(x->report, "totals");
    size_t n = json_array_size(x->findings);
    printf("%s: accesses in bounds, schedule legal, %d size vector%s as the naive nest on %s\n",
           x->k->name, x->rows.n, x->rows.n == 1 ? "" : "s", c->simt.arch);
    print_findings(x->findings);
    sq_measure_name(&c->m, x->k, x->rows.size + (ptrdiff_t)x->largest * x->k->nsizes);
    printf("at %s:\n", sq_text_str(&c->m.label));
    print_figures(x);
    printf("%lld flops, %lld conflicts, %lld sectors of at least %lld; %zu finding%s\n",
           json_integer_value(json_object_get(totals, "flops")),
           json_integer_value(json_object_get(totals, "conflicts")),
           json_integer_value(json_object_get(totals, "sectors")),
           json_integer_value(json_object_get(totals, "least_sectors")), n, n == 1 ? "" : "s");
}

static void add_json(struct check *c, const struct kernel *x)
{
    json_t *largest = json_deep_copy(x->report);
    json_object_del(largest, "findings");
    json_object_del(largest, "dropped");
    sq_measure_name(&c->m, x->k, x->rows.size + (ptrdiff_t)x->largest * x->k->nsizes);
    json_object_set_new(largest, "at", json_string(sq_text_str(&c->m.label)));
    json_array_append_new(c->kernels, json_pack("{s:s, s:s, s:i, s:O, s:o}", "kernel", x->k->name,
                                                "arch", c->simt.arch, "sizes", x->rows.n,
                                                "findings", x->findings, "largest", largest));
}

/* ---- a kernel ---- */

static int build(struct check *c, const sq_kernel *k)
{
    const char *define = sq_arena_printf(c->m.task.arena, "SQUALL_SELFTEST_%s", k->name);
    c->simt.o.define = (sq_list){1, &define};
    int rc = sq_simt_build(&c->simt, c->file, c->name);
    c->simt.o.define = (sq_list){0};
    return rc;
}

static int check_kernel(struct check *c, int kernel)
{
    const sq_kernel *k = c->m.task.unit->kernel[kernel];
    struct kernel x = {.k = k, .findings = json_array()};
    int rc = sq_check_rows_choose(&c->m, c->m.task.now[kernel]->schedule, k, &limits, &x.rows);
    if (rc == 0)
        rc = build(c, k);
    for (int row = 0; row < x.rows.n && rc == 0 && json_array_size(x.findings) < ENOUGH; row++)
        rc = run_row(c, &x, row);
    sq_progress_close(&c->m.progress);
    if (rc == 0 && c->m.settings.json)
        add_json(c, &x);
    else if (rc == 0)
        print(c, &x);
    size_t n = json_array_size(x.findings);
    if (rc == 0 && n)
        rc = sq_error(c->m.task.d, SQ_FAULT_BUG, SQ_NOWHERE, "%s: %zu finding%s", k->name, n,
                      n == 1 ? "" : "s");
    json_decref(x.findings);
    json_decref(x.report);
    free(x.text);
    return rc;
}

static int write_text(struct check *c)
{
    c->name = name_of_text(&c->m.task);
    snprintf(c->file, sizeof c->file, "%s/emitted.cu", c->simt.dir.path);
    if (sq_workdir_write(c->file, sq_text_str(&c->m.task.source)) == 0)
        return 0;
    return sq_error(c->m.task.d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot write %s", c->file);
}

int sq_check_grid(const sq_settings *o, sq_diags *d)
{
    struct check *c = sq_allocated(calloc(1, sizeof *c));
    c->kernels = json_array();
    int rc = sq_measure_open_elsewhere(&c->m, o, d);
    /* The emitted text's own: nothing of the description's -I and -D. */
    sq_simt_options own = {.cc = o->cc, .seconds = o->budget};
    if (rc == 0)
        rc = sq_task_run_named(&c->m.task, "emit");
    if (rc == 0)
        rc = sq_simt_open(&c->simt, &own, c->m.task.target, d);
    if (rc == 0)
        rc = write_text(c);
    for (int i = 0; rc == 0 && i < c->m.task.unit->nkernels; i++)
        rc = check_kernel(c, i);
    if (o->json && (rc == 0 || json_array_size(c->kernels))) {
        json_dumpf(c->kernels, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(c->kernels);
    sq_simt_close(&c->simt);
    sq_measure_close(&c->m);
    free(c);
    return rc;
}
