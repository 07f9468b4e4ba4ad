/* Reports, explain: what loops allow, what the code does in a step, how near that comes to the machine's limits. */
#include "cli/report_parts.h"
#include "ir/machine/machine.h"
#include "tuner/space/choices.h"
#include <math.h>
#include <string.h>

/* What bounds a kernel at its sizes, by counts; and a model's time. */
typedef struct limits {
    bool is_measured; /* the machine's figures; else its class's */
    sq_roofs roofs;
    int threads;
    double ghz;
    bool has_sizes;
    sq_text sizes;              /* "M=512,N=512" */
    double flops, bytes;        /* of a call */
    const sq_counted_loop *hot; /* NULL: none was counted */
    double arithmetic, loads;   /* cycles of a step, by the units that have them */
    double steps;               /* of a call, if all of its flops are in that loop */
    bool has_traffic;           /* the model counts bytes into L1, L2 and L3 */
    double traffic[3];
    double seconds;    /* NAN: there is none */
    const char *model; /* whose time it is */
    sq_roof roof;
} limits;

/* ---- figures ---- */

/* Sizes of the kernel: fixed, by --at, or of `#pragma squall tune`: 1 if all are known, else 0. -1 after adding an
 * error. */
static int sizes_of(sq_task *task, const sq_kernel *k, int64_t *sizes)
{
    sq_sizes at = {0};
    sq_loc loc = sq_settings_loc(task->o, "at");
    if (task->o->at.n && sq_sizes_parse(task->o->at.item[0], &at, task->arena, loc, task->d) != 0)
        return -1;
    for (int i = 0; i < k->nsizes; i++) {
        int64_t given = -1;
        for (int a = 0; a < at.n; a++)
            given = strcmp(at.fix[a].name, k->size[i]->name) == 0 ? at.fix[a].value : given;
        sizes[i] = k->size[i]->fixed                ? k->size[i]->value
                   : given < 0 && k->ntune && i < 8 ? k->tune[0][i]
                                                    : given;
        if (sizes[i] < 0)
            return 0;
    }
    return 1;
}

double sq_report_arithmetic(const sq_counted_loop *x, const sq_machine *m)
{
    return (x->count.multiply_adds + x->count.operations) / m->fma_per_cycle;
}

/* The counted loop that computes most in a step. */
static void find_hot(sq_task *task, int i, limits *l)
{
    sq_counted_loop *list;
    const sq_machine *m = sq_machine_class(task->target->machine);
    size_t mark = sq_diags_mark(task->d);
    int n = sq_counted(task->now[i]->schedule, task->target, task->openmp, task->arena, &list, task->d);
    if (n < 0)
        sq_diags_rewind(task->d, mark);
    for (int x = 0; x < n; x++)
        if (!l->hot || sq_report_arithmetic(&list[x], m) > sq_report_arithmetic(l->hot, m))
            l->hot = &list[x];
    if (!l->hot)
        return;
    l->arithmetic = sq_report_arithmetic(l->hot, m);
    l->loads = l->hot->count.loads / m->loads_per_cycle;
}

/* The clock that goes with a peak. */
static double clock_of(const sq_machine *m, double peak_f32)
{
    return peak_f32 / (2 * m->fma_per_cycle * m->vector_bytes / 4);
}

static void take_machine(sq_task *task, limits *l)
{
    sq_host *host = SQ_NEW(task->arena, sq_host);
    const sq_machine *class = sq_machine_class(task->target->machine);
    l->roofs = (sq_roofs){.f32 = class->peak_f32, .f64 = class->peak_f32 / 2};
    l->threads = task->openmp ? class->cores : 1;
    if (sq_target_runs_here(task->target)) {
        sq_host_get(host, false, task->d);
        l->is_measured = sq_roofs_get(host, task->target->machine, &l->roofs, task->d);
        l->threads = task->openmp ? host->machine.cores : 1;
    }
    if (!l->is_measured)
        l->roofs.one.sum[SQ_MEMORY] = l->roofs.one.triad[SQ_MEMORY] = class->bandwidth;
    l->ghz = clock_of(class, l->roofs.f32);
}

/* Seconds of the model that chose the schedule, where one did, and its traffic; NAN. */
static double drafted(sq_task *task, int i, const int64_t *sizes, limits *l)
{
    if (task->now[i]->origin != SQ_FROM_DRAFT)
        return NAN;
    sq_choices *c = sq_choices_new(task->unit->kernel[i], task->machine, task->target, sizes,
                                   l->threads, task->arena);
    if (sq_choices_groups(c) == 0)
        return NAN;
    sq_choices_begin(c);
    const int *start = sq_choices_space(c)->start;
    double seconds = sq_choices_cost(c, start);
    if (!isfinite(seconds) || !(seconds > 0))
        return NAN;
    l->has_traffic = sq_choices_traffic(c, start, l->traffic);
    return seconds;
}

static double bandwidth_of(const limits *l, sq_level level)
{
    return (l->threads > 1 ? l->roofs.all : l->roofs.one).sum[level];
}

/* The cycles that a step of the hot loop takes at least: by its units, and by the bytes that it loads from L1. */
static double least_cycles(const limits *l)
{
    double units = fmax(l->arithmetic, l->loads), l1 = bandwidth_of(l, SQ_L1);
    return l1 > 0 ? fmax(units, l->hot->count.bytes_loaded * l->ghz * l->threads / l1) : units;
}

/* What a call takes by the counts: steps of the hot loop, or bytes from memory where that takes longer. */
static double counted_seconds(const limits *l)
{
    double work = l->steps * least_cycles(l) / (1e9 * l->ghz * l->threads);
    return fmax(work, l->roof.seconds);
}

/* -1 after adding an error. */
static int take_sizes(sq_task *task, int i, limits *l)
{
    const sq_kernel *k = task->unit->kernel[i];
    int64_t *sizes = SQ_NEW_ARRAY(task->arena, int64_t, k->nsizes + 1);
    int known = sizes_of(task, k, sizes);
    bool wide;
    if (known <= 0)
        return known;
    l->has_sizes = true;
    sq_sizes_text(k, sizes, &l->sizes);
    sq_kernel_finest(k, &wide);
    sq_traffic t = sq_kernel_traffic(k, sizes);
    l->flops = sq_kernel_flops(k, sizes);
    l->bytes = t.read + t.written;
    double words = wide ? 1 : sq_measure_words(task->target, k);
    double peak = sq_roofs_peak(&l->roofs, k, sizes, words) * l->threads;
    sq_host host = {.machine = *task->machine};
    l->roof = sq_roof_of(&l->roofs, &host, peak, l->threads, l->flops, &t);
    if (l->hot && l->flops > 0) {
        double lanes = words * task->target->vector_bytes / (wide ? 8.0 : 4.0);
        double each = lanes * (2 * l->hot->count.multiply_adds + l->hot->count.operations);
        l->steps = each > 0 ? l->flops / each : 0;
    }
    l->seconds = drafted(task, i, sizes, l);
    l->model = "the model that chose the schedule";
    if (isnan(l->seconds) && l->steps > 0) {
        l->seconds = counted_seconds(l);
        l->model = "the counts: no less than this";
    }
    return 0;
}

/* ---- the page ---- */

/* What the per cent are of, which no bar shows. */
static void put_meaning(sq_html *h, bool has_time)
{
    sq_html_paragraph(h, NULL,
                      "Each bar is the share of what one part of the machine can do at most %s, no share of that "
                      "time. All parts work at once, so the shares do not add up to 100 %%: the longest bar is what "
                      "is nearest to its limit.",
                      has_time ? "in the time of a call" : "in the least time of a step");
}

static void put_meters(sq_html *h, const limits *l)
{
    static const char *const names[SQ_LEVELS] = {"L1", "L2", "L3", "Memory"};
    const double cycles = 1e9 * l->ghz * l->threads;
    double step = least_cycles(l), steps = l->has_sizes && l->seconds > 0 ? l->steps : 0;
    double busy = steps      ? steps / (l->seconds * cycles) /* steps a cycle */
                  : step > 0 ? 1 / step
                             : 0;
    put_meaning(h, steps > 0);
    sq_html_meter(h, "Multiply-add units", l->arithmetic * busy,
                  "of their cycles, by %.3g cycles of arithmetic a step", l->arithmetic);
    sq_html_meter(h, "Load ports", l->loads * busy, "of their cycles, by %.3g cycles of loads a step", l->loads);
    double loaded = l->hot->count.bytes_loaded * busy * cycles * 1e-9;
    if (bandwidth_of(l, SQ_L1) > 0)
        sq_html_meter(h, names[SQ_L1], loaded / bandwidth_of(l, SQ_L1),
                      "of its bandwidth: %.1f of %.1f GB/s, by the loads of a step", loaded, bandwidth_of(l, SQ_L1));
    for (sq_level level = SQ_L2; steps && level < SQ_LEVELS; level++) {
        double bytes = l->has_traffic ? l->traffic[level - SQ_L2] : l->bytes;
        double rate = 1e-9 * bytes / l->seconds, most = bandwidth_of(l, level);
        if (most > 0)
            sq_html_meter(h, names[level], rate / most, "of its bandwidth: %.3g of %.1f GB/s, %s", rate, most,
                          l->has_traffic ? "by the model's traffic" : "if every array passes once");
    }
}

static void put_roofline(sq_html *h, const limits *l, const char *kernel)
{
    sq_roofline r = {
        .peak = l->roof.peak, .n = 1, .caption = "Roofline, with the kernel at that time"};
    double intensity = l->flops / l->bytes, gflops = 1e-9 * l->flops / l->seconds;
    r.name = &kernel;
    r.intensity = &intensity;
    r.gflops = &gflops;
    sq_roofline_levels(&r, &l->roofs, l->threads);
    sq_report_roofline(h, &r);
}

static void put_figures(sq_html *h, const limits *l, sq_arena *arena)
{
    char text[32];
    sq_html_facts_open(h);
    sq_html_fact(h, "Time of a call", l->seconds, "%s",
                 sq_seconds_text(l->seconds, text, sizeof text));
    if (l->flops > 0)
        sq_html_fact(h, "Rate", 1e-9 * l->flops / l->seconds, "%.1f GFLOP/s",
                     1e-9 * l->flops / l->seconds);
    sq_html_fact(h, "Of the roof", l->roof.seconds / l->seconds, "%.0f %% of %s",
                 100 * l->roof.seconds / l->seconds, l->roof.memory ? l->roof.memory : "peak");
    sq_html_fact(h, "Computed", l->flops, "%s", sq_report_amount(l->flops, "flop", arena));
    sq_html_fact(h, "Arrays", l->bytes, "%s", sq_report_amount(l->bytes, "B", arena));
    sq_html_facts_close(h);
}

/* -1 after adding an error. */
static int put_limits(sq_html *h, sq_task *task, int i)
{
    limits l = {.seconds = NAN};
    sq_html_open(h, "How near the machine's limits");
    if (task->target->grid) {
        sq_html_paragraph(h, "note", "What a grid computes is not counted.");
        sq_html_close(h);
        return 0;
    }
    find_hot(task, i, &l);
    take_machine(task, &l);
    int rc = take_sizes(task, i, &l);
    if (l.has_sizes && l.seconds > 0) {
        sq_html_paragraph(h, NULL,
                          "At %s, %d thread%s. Nothing was timed: the time is by %s. The machine's "
                          "figures are %s.",
                          l.sizes.n ? l.sizes.s : "its sizes", l.threads, l.threads > 1 ? "s" : "",
                          l.model,
                          l.is_measured ? "measured on this one" : "guesses for its class");
        put_figures(h, &l, task->arena);
    } else if (!l.has_sizes) {
        sq_html_paragraph(
            h, "note", "Sizes are not known, so there is no time: give them with --fix or --at.");
    }
    sq_html_raw(h, "<div class=\"plots\"><div>\n");
    if (l.hot)
        put_meters(h, &l);
    else
        sq_html_paragraph(h, "note", "No innermost loop was counted.");
    sq_html_raw(h, "</div>\n");
    if (l.has_sizes && l.seconds > 0 && l.flops > 0)
        put_roofline(h, &l, task->unit->kernel[i]->name);
    sq_html_raw(h, "</div>\n");
    sq_text_free(&l.sizes);
    sq_html_close(h);
    return rc;
}

static void put_verdict_cell(sq_html *h, const json_t *row, const char *key)
{
    const json_t *v = json_object_get(row, key);
    sq_html_cell(h, "%s: %s", json_is_true(json_object_get(v, "can")) ? "yes" : "no",
                 sq_report_text(v, "why"));
}

static void put_loops(sq_html *h, const json_t *kernel)
{
    const json_t *row;
    size_t i;
    sq_html_table_open(h, "What the loops of the description allow, and why",
                       "loop|parallel|vector|tile");
    json_array_foreach(json_object_get(kernel, "loops"), i, row)
    {
        int depth = (int)json_integer_value(json_object_get(row, "depth"));
        sq_html_row_open(h, false);
        sq_html_cell(h, "%*s%s%s", 2 * depth, "",
                     json_is_true(json_object_get(row, "sum")) ? "over " : "",
                     sq_report_text(row, "name"));
        put_verdict_cell(h, row, "parallel");
        put_verdict_cell(h, row, "vector");
        put_verdict_cell(h, row, "tile");
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
}

static void put_number(sq_html *h, const json_t *row, const char *key)
{
    double value = json_number_value(json_object_get(row, key));
    sq_html_number(h, value, value == floor(value) ? "%.0f" : "%.3g", value);
}

/* A row a counted loop. */
static void put_counts(sq_html *h, const json_t *kernel)
{
    static const char *const keys[] = {"multiply_adds", "operations", "loads",
                                       "bytes_loaded",  "stores",     "shuffles"};
    const json_t *row;
    size_t i;
    if (json_array_size(json_object_get(kernel, "counts")) == 0)
        return;
    sq_html_table_open(h, "A step of the innermost loops, counted in the emitted code",
                       "loop|>multiply-adds|>operations|>loads|>bytes "
                       "loaded|>stores|>shuffles|>registers|>of|>cycles of "
                       "arithmetic|>cycles of loads");
    json_array_foreach(json_object_get(kernel, "counts"), i, row)
    {
        const char *function = sq_report_text(row, "function"), *along = sq_report_text(row, "along");
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s, %s%s%s%s", sq_report_text(row, "statements"),
                     *along ? "a step of " : "a tile", along, *function ? " in " : "", function);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            put_number(h, json_object_get(row, "count"), keys[k]);
        put_number(h, json_object_get(row, "count"), "registers");
        put_number(h, row, "registers");
        put_number(h, row, "cycles_of_arithmetic");
        put_number(h, row, "cycles_of_loads");
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
}

static void put_pairs(sq_html *h, const json_t *kernel)
{
    const json_t *row;
    size_t i;
    if (json_array_size(json_object_get(kernel, "pairs")) == 0)
        return;
    sq_html_table_open(h, "Which statements may run together", "first|then|fuse");
    json_array_foreach(json_object_get(kernel, "pairs"), i, row)
    {
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", sq_report_text(row, "first"));
        sq_html_cell(h, "%s", sq_report_text(row, "then"));
        put_verdict_cell(h, row, "fuse");
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
}

/* What of a grid is launched, by whose statements. */
static void put_launches(sq_html *h, const json_t *launches)
{
    const json_t *row;
    size_t i;
    if (json_array_size(launches) == 0)
        return;
    sq_html_table_open(h, "Launches", "function|statements|blocks|>threads of each|>bytes that they share");
    json_array_foreach(launches, i, row)
    {
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", sq_report_text(row, "name"));
        sq_html_cell(h, "%s", sq_report_text(row, "statements"));
        sq_html_code_cell(h, sq_report_text(row, "blocks"));
        put_number(h, row, "threads");
        put_number(h, row, "shared_bytes");
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
}

static void put_statements(sq_html *h, const json_t *kernel, const char *target)
{
    const json_t *row, *launches = json_object_get(kernel, "launches");
    size_t i;
    sq_html_table_open(h, "Statements", "statement|>line|writes|compiled");
    json_array_foreach(json_object_get(kernel, "statements"), i, row)
    {
        int lanes = (int)json_integer_value(json_object_get(row, "lanes"));
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", sq_report_text(row, "name"));
        put_number(h, row, "line");
        sq_html_cell(h, "%s", sq_report_text(row, "writes"));
        if (json_array_size(launches))
            sq_html_cell(h, "for %s", target);
        else if (lanes > 0)
            sq_html_cell(h, "for %s in vectors of %d", target, lanes);
        else
            sq_html_cell(h,
                         lanes == 0 ? "one point at a time" : "within its readers, or not at all");
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
    put_launches(h, launches);
}

static int put_kernel(sq_html *h, sq_task *task, int i, const json_t *kernel)
{
    sq_html_open(h, "Kernel %s", task->unit->kernel[i]->name);
    int rc = put_limits(h, task, i);
    sq_html_open(h, "What a step does");
    put_statements(h, kernel, task->target->name);
    put_counts(h, kernel);
    sq_html_close(h);
    sq_report_code(h, task, task->now[i]->schedule, sq_origin_name(task->now[i]->origin));
    sq_html_open(h, "What its loops allow");
    put_loops(h, kernel);
    put_pairs(h, kernel);
    sq_html_close(h);
    sq_html_close(h);
    return rc;
}

int sq_report_explain(sq_task *task, json_t *kernels)
{
    sq_html h = {.title = sq_arena_printf(task->arena, "Explanation of %s", task->path)};
    int rc = 0;
    for (int i = 0; rc == 0 && i < task->unit->nkernels; i++)
        rc = put_kernel(&h, task, i, json_array_get(kernels, (size_t)i));
    if (rc != 0)
        sq_html_free(&h);
    return rc != 0 ? -1 : sq_report_write(&h, task->o, task->d);
}
