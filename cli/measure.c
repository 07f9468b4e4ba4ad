/* Measure: see measure.h. What is measured is measured on this machine, so --machine=host is the
 * default here, and its facts are measured ones. */
#include "cli/measure.h"
#include "cli/at.h"
#include "cli/choose.h"
#include "codegen/isa/isa.h"
#include "support/interrupt.h"
#include "support/nearest.h"
#include "transforms/dot.h"
#include "tuner/device/device_probe.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int take_host(sq_measure *m, sq_diags *d)
{
    sq_task *task = &m->task;
    if (!sq_target_runs_here(task->target))
        return sq_error(d, SQ_FAULT_WORLD, sq_settings_loc(&m->settings, "target"),
                        "this processor (%s) cannot run target '%s'", sq_machine_host_isa(),
                        task->target->name);
    sq_host_get(&m->host, false, d);
    if (strcmp(task->machine->isa, m->host.machine.isa) == 0)
        task->machine = &m->host.machine;
    m->machine = m->host.cpu;
    m->fingerprint = m->host.fingerprint;
    m->threads = task->openmp ? m->host.machine.cores : 1;
    m->cflags =
        sq_arena_printf(task->arena, "%s%s", task->target->cflags, task->openmp ? " -fopenmp" : "");
    return 0;
}

/* ---- devices ---- */

/* Text for another target than the runner's. */
static int wrong_runner(sq_measure *m)
{
    const sq_target *t = m->task.target;
    sq_error(m->task.d, SQ_FAULT_USAGE, sq_settings_loc(&m->settings, "runner"),
             "runner '%s' does not run target '%s'", m->runner->name, t->name);
    sq_help(m->task.d, SQ_NOWHERE, "write --runner=%s",
            t->grid ? "device, or --runner=model" : "local");
    return -1;
}

static int choose_runner(sq_measure *m)
{
    const char *name = m->settings.runner, *names[8];
    bool grid = m->task.target->grid;
    size_t n = 0;
    for (const sq_runner *const *r = sq_runners; *r; r++)
        names[n++] = (*r)->name;
    m->runner = name ? sq_runner_get(name) : grid ? &sq_runner_device : &sq_runner_local;
    if (m->runner)
        return grid == (m->runner == &sq_runner_local) ? wrong_runner(m) : 0;
    sq_error(m->task.d, SQ_FAULT_USAGE, sq_settings_loc(&m->settings, "runner"),
             "there is no runner '%s'", name);
    sq_help(m->task.d, SQ_NOWHERE, "there are: local device model");
    sq_suggest(m->task.d, name, sq_nearest(name, names, n));
    return -1;
}

/* The device of this machine: schedules are chosen for what it is. */
static int find_device(sq_measure *m, sq_diags *d)
{
    sq_task *task = &m->task;
    sq_probe *probe = SQ_NEW(task->arena, sq_probe);
    sq_machine *machine = SQ_NEW(task->arena, sq_machine);
    if (sq_device_probe(m->settings.cc, task->target->grid->arch, 0, task->arena, probe) != 0) {
        sq_error(d, SQ_FAULT_WORLD, sq_settings_loc(&m->settings, "target"),
                 "nothing can be measured for target '%s' here: %s", task->target->name,
                 probe->message);
        sq_help(d, SQ_NOWHERE,
                "%s`squall compile` takes the model's first choice, `squall check` runs it on this "
                "processor",
                strcmp(m->settings.command, "tune") == 0
                    ? "--runner=model searches by the model alone; "
                    : "");
        return -1;
    }
    *machine = *task->machine;
    machine->device = m->device = &probe->device;
    task->machine = machine;
    m->machine = m->fingerprint = probe->device.name;
    return 0;
}

/* One that is simulated: the one that was asked for. */
static int play_device(sq_measure *m)
{
    m->device = m->task.machine->device;
    m->machine = m->device->name;
    m->fingerprint = sq_arena_printf(m->task.arena, "model of %s", m->device->name);
    return 0;
}

static int take_device(sq_measure *m, sq_diags *d)
{
    m->threads = 1;
    m->cflags = m->task.target->cflags;
    return m->runner == &sq_runner_model ? play_device(m) : find_device(m, d);
}

int sq_measure_open_elsewhere(sq_measure *m, const sq_settings *o, sq_diags *d)
{
    memset(m, 0, sizeof *m);
    m->settings = *o;
    if (!o->target && !o->machine && !o->text.n) /* text was made for what compile takes */
        m->settings.machine = "host";
    sq_progress_open(&m->progress, stderr,
                     o->quiet ? SQ_PROGRESS_NEVER : (sq_progress_mode)o->progress);
    return sq_task_open(&m->task, &m->settings, d);
}

int sq_measure_open(sq_measure *m, const sq_settings *o, sq_diags *d)
{
    if (sq_measure_open_elsewhere(m, o, d) != 0 || choose_runner(m) != 0)
        return -1;
    if (m->task.target->grid ? take_device(m, d) != 0 : take_host(m, d) != 0)
        return -1;
    return sq_task_run_named(&m->task, "deps");
}

int sq_measure_open_timed(sq_measure *m, const sq_settings *o, sq_diags *d)
{
    if (sq_measure_open(m, o, d) != 0)
        return -1;
    if (!m->task.tasks)
        return 0;
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "target"),
             "times are measured with threads of OpenMP, not with tasks");
    sq_help(d, SQ_NOWHERE, "write openmp; with tasks, compile takes the schedules that were tuned with it");
    return -1;
}

void sq_measure_close(sq_measure *m)
{
    sq_progress_close(&m->progress);
    sq_text_free(&m->label);
    sq_task_close(&m->task);
}

/* ---- sizes ---- */

/* True if row n is one of those before it. */
static bool repeats(const sq_kernel *k, const int64_t *rows, int n)
{
    bool same = false;
    for (int r = 0; r < n && !same; r++)
        same = memcmp(rows + (ptrdiff_t)r * k->nsizes, rows + (ptrdiff_t)n * k->nsizes,
                      (size_t)k->nsizes * sizeof *rows) == 0;
    return same;
}

/* The rows of --at that are the kernel's; -1 after adding an error. */
static int given_rows(sq_measure *m, const sq_kernel *k, int64_t *rows)
{
    const sq_list *list = &m->settings.at;
    int n = 0;
    for (int r = 0; r < list->n; r++) {
        sq_sizes at = {0};
        sq_loc loc = sq_settings_loc(&m->settings, "at");
        if (sq_sizes_parse(list->item[r], &at, m->task.arena, loc, m->task.d) != 0)
            return -1;
        if (sq_at_is_passed_over(&m->task, k, r))
            continue;
        int64_t *row = rows + (ptrdiff_t)n * k->nsizes;
        sq_at_use use = sq_at_row(m->task.unit, k, &at, k->ntune ? k->tune[0] : NULL, row);
        if (use == SQ_AT_LACKS)
            return sq_at_unknown(&m->task, k, &at);
        n += use == SQ_AT_WHOLE && !repeats(k, rows, n);
    }
    return n;
}

int sq_measure_sizes(sq_measure *m, const sq_kernel *k, int64_t **rows)
{
    const sq_sizes none = {0};
    int64_t row[SQ_MAX_SIZES];
    *rows = SQ_NEW_ARRAY(m->task.arena, int64_t, (m->settings.at.n + k->ntune + 1) * k->nsizes + 1);
    int n = given_rows(m, k, *rows);
    if (n != 0)
        return n;
    if (sq_choose_row(k, &none, NULL, row)) { /* they are constants */
        memcpy(*rows, row, (size_t)k->nsizes * sizeof *row);
        return 1;
    }
    for (int t = 0; t < k->ntune; t++)
        memcpy(*rows + (ptrdiff_t)t * k->nsizes, k->tune[t], (size_t)k->nsizes * sizeof *row);
    return k->ntune ? k->ntune : sq_at_unknown(&m->task, k, &none);
}

/* ---- running ---- */

sq_run_options sq_measure_run_options(const sq_measure *m)
{
    return (sq_run_options){.cc = m->settings.cc,
                            .cflags = m->cflags,
                            .jobs = (int)m->settings.jobs,
                            .threads = m->threads,
                            .target = m->task.target,
                            .device = m->device,
                            .seed = (unsigned long long)m->settings.seed};
}

int sq_measure_collect(const sq_runner *runner, sq_run *run, sq_job *job, sq_sample *sample)
{
    int got = 0;
    while (got == 0 && !sq_interrupt_signal())
        got = runner->collect(run, job, sample, 0.1);
    return got == 1 ? 0 : -1;
}

int sq_measure_source(sq_measure *m, const sq_schedule *s, sq_text *to)
{
    sq_emit_options o = {.target = m->task.target,
                         .openmp = m->task.openmp,
                         .function = "squall_candidate",
                         .is_promised = true,
                         .is_static = true,
                         .is_untested = true,
                         .provenance = ""}; /* a file of its own, with what it includes */
    if (sq_emit_source(s, &o, to, m->task.d) != 0)
        return -1;
    o.target->language->entry(s->kernel, o.function, SQ_ENTRY, to);
    if (m->runner == &sq_runner_model)
        sq_candidate_workspace(s->kernel, to);
    return 0;
}

/* Of the class whose vectors the target has; without a loop for them the class's own guess. */
static void get_roofs(sq_measure *m)
{
    const sq_machine *class = sq_machine_class(m->task.target->machine);
    if (!m->has_roofs && !sq_roofs_get(&m->host, m->task.target->machine, &m->roofs, m->task.d))
        m->roofs = (sq_roofs){.f32 = class->peak_f32, .f64 = class->peak_f32 / 2};
    m->has_roofs = true;
}

static sq_roof device_roof(const sq_device *v, double peak, double flops, const sq_traffic *t)
{
    bool near = t->held <= (double)v->l2;
    double compute = 1e-9 * flops / peak, bytes = t->read + t->written;
    double memory = 1e-9 * bytes / (near ? v->l2_cycle * v->ghz : v->bandwidth);
    return (sq_roof){.seconds = fmax(compute, memory),
                     .peak = peak,
                     .flops = flops,
                     .bytes = bytes,
                     .memory = memory <= compute ? NULL
                               : near            ? "L2"
                                                 : "memory"};
}

int sq_measure_is_any(sq_measure *m, const sq_kernel *k, const int64_t *sizes)
{
    if (sq_kernel_traffic(k, sizes).written > 0)
        return 0;
    sq_error(m->task.d, SQ_FAULT_REFUSED, SQ_NOWHERE,
             "%s: the kernel writes nothing at these sizes: there is nothing to measure",
             sq_text_str(&m->label));
    sq_help(m->task.d, SQ_NOWHERE, "`squall check --at=...` looks at what it does there");
    return -1;
}

double sq_measure_words(const sq_target *t, const sq_kernel *k)
{
    return t->isa->dots & 4 && sq_dot_any(k) ? 4 : 1;
}

sq_roof sq_measure_roof(sq_measure *m, const sq_kernel *k, const int64_t *sizes)
{
    double flops = sq_kernel_flops(k, sizes);
    sq_traffic t = sq_kernel_traffic(k, sizes);
    if (m->device) {
        bool wide;
        int finest = sq_kernel_finest(k, &wide);
        return device_roof(m->device, sq_device_peak(m->device, wide, finest), flops, &t);
    }
    get_roofs(m);
    double peak = sq_roofs_peak(&m->roofs, k, sizes, sq_measure_words(m->task.target, k)) * m->threads;
    return sq_roof_of(&m->roofs, &m->host, peak, m->threads, flops, &t);
}

void sq_roof_text(const sq_roof *r, double seconds, sq_text *to)
{
    double share = 100 * r->seconds / seconds;
    if (r->flops > 0)
        sq_text_printf(to, ", %.1f GFLOP/s", 1e-9 * r->flops / seconds);
    if (r->memory)
        sq_text_printf(to, ", %.1f GB/s (%.0f %% of %s bandwidth)", 1e-9 * r->bytes / seconds,
                       share, r->memory);
    else if (r->flops > 0)
        sq_text_printf(to, " (%.0f %% of peak)", share);
}

void sq_measure_name(sq_measure *m, const sq_kernel *k, const int64_t *sizes)
{
    sq_text_clear(&m->label);
    sq_text_printf(&m->label, "%s%s", k->name, k->nsizes ? " " : "");
    sq_sizes_text(k, sizes, &m->label);
}

const char *sq_seconds_text(double seconds, char *to, size_t n)
{
    static const struct {
        double from;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t u = 0;
    while (u < 3 && seconds < units[u].from)
        u++;
    double v = seconds / units[u].from;
    snprintf(to, n, "%.*f %s", v < 10 ? 2 : v < 100 ? 1 : 0, v, units[u].unit);
    return to;
}
