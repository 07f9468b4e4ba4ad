/* squall bench: schedules of one kernel side by side: the one compile would take (tuned, or given
 * with -e or --schedule), what it would take untuned, under -O3 -march=native the text of a region as
 * its file has it, or plain loops where there is none, and those of --against files. All are timed
 * interleaved with the first, in one process, and verified before. */
#include "cli/choose.h"
#include "cli/region.h"
#include "cli/report_bench.h"
#include "support/file.h"
#include "support/stats.h"
#include "transforms/transform.h"
#include "tuner/store/sched_file.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SUBJECTS = 20, PAIRS = 30 };
static const double tolerance = 0.02; /* of --against */

struct subject {
    const char *name, *optimise;
    sq_text source;
    sq_sample sample;
    double seconds, low, high;           /* of one call */
    double ratio, ratio_low, ratio_high; /* its time over the first's */
    bool against;
    bool in_file; /* the file's own text: plain loops stand in where it does not run */
};

struct bench {
    sq_measure *m;
    int n;
    struct subject s[MAX_SUBJECTS];
    sq_text *out;
    json_t *json;
    sq_html html;
    int npages; /* sections of it */
};

static void free_subjects(struct bench *b)
{
    for (int i = 0; i < b->n; i++)
        sq_text_free(&b->s[i].source);
    b->n = 0;
}

/* NULL where there are enough of them. */
static struct subject *new_subject(struct bench *b, const char *name)
{
    if (b->n == MAX_SUBJECTS)
        return NULL;
    struct subject *x = &b->s[b->n++];
    *x = (struct subject){.name = name};
    return x;
}

static int add(struct bench *b, const char *name, const sq_schedule *s)
{
    struct subject *x = new_subject(b, name);
    return x ? sq_measure_source(b->m, s, &x->source) : 0;
}

static const char optimise[] = "-O3 -march=native";

/* Loops that compute every element by itself, with the compiler's best effort for this machine. */
static int take_plain(struct subject *x, const sq_kernel *k, sq_diags *d)
{
    x->name = "plain loops, -O3";
    x->optimise = optimise;
    x->in_file = false;
    sq_text_clear(&x->source);
    if (sq_emit_plain(k, "squall_candidate", &x->source, d) != 0)
        return -1;
    sq_emit_entry(k, "squall_candidate", SQ_ENTRY, &x->source);
    return 0;
}

static void say_plain(struct bench *b, const sq_kernel *k, const char *why)
{
    sq_note(b->m->task.d, k->loc, "the text of '%s' is not measured as it is written, but as plain loops: %s", k->name,
            why);
}

/* A region's text is there to be compared with; a description has no order of loops. */
static int add_written(struct bench *b, int i)
{
    sq_task *task = &b->m->task;
    const sq_kernel *k = task->unit->kernel[i];
    struct subject *x = new_subject(b, "as written, -O3");
    const char *why = NULL;
    if (!x)
        return 0;
    x->in_file = task->unit->region && sq_region_alone(task, i, &x->source, &why);
    if (x->in_file)
        x->optimise = sq_arena_printf(task->arena, "%s%s", optimise, sq_region_flags(task));
    if (why)
        say_plain(b, k, why);
    return x->in_file ? 0 : take_plain(x, k, task->d);
}

/* What compile takes for these sizes where nothing was tuned. */
static int add_untuned(struct bench *b, int i, const int64_t *sizes)
{
    sq_task *task = &b->m->task;
    int64_t row[1][SQ_MAX_SIZES];
    bool fails;
    memcpy(row[0], sizes, (size_t)task->unit->kernel[i]->nsizes * sizeof *sizes);
    return add(b, "untuned", sq_choose_untuned(task, task->unit->kernel[i], row, &fails, NULL));
}

/* A .sched file's entry for this kernel, or a plain script. */
static const char *script_in(struct bench *b, const sq_kernel *k, const char *path)
{
    sq_task *task = &b->m->task;
    size_t n = 0;
    char *text = sq_file_read(task->d, path, &n);
    if (!text)
        return NULL;
    const char *copy = sq_arena_strndup(task->arena, text, n);
    free(text);
    sq_diags_source(task->d, path, copy, n);
    if (strncmp(copy, "squall-sched", 12) != 0)
        return copy;
    sq_sched_file *f = sq_sched_parse(path, copy, n, task->arena, task->d);
    const sq_sched_entry *e = f ? sq_sched_find(f, k, sq_task_asked(task)) : NULL;
    if (f && !e)
        sq_error(task->d, SQ_FAULT_REFUSED, (sq_loc){.file = path},
                 "no entry fits kernel '%s' at these sizes", k->name);
    return e ? e->script : NULL;
}

static int add_against(struct bench *b, const sq_kernel *k, const char *path)
{
    sq_task *task = &b->m->task;
    sq_schedule *s = sq_schedule_new(k, task->arena);
    const char *script = script_in(b, k, path);
    if (!script || sq_script_apply_on(s, script, path, task->machine, task->arena, task->d) != 0)
        return -1;
    int rc = add(b, path, s);
    b->s[b->n - 1].against = true;
    return rc;
}

/* At these sizes the function may have a schedule of its own. */
static int add_all(struct bench *b, int i, const int64_t *sizes)
{
    static const char *const names[SQ_NORIGINS] = {"untuned", "given (-e)",   "given (--schedule)",
                                                   "tuned",   "by the model", "untuned"};
    sq_task *task = &b->m->task;
    const sq_kernel *k = task->unit->kernel[i];
    sq_variants_pick(task, i, sizes);
    if (add(b, names[task->now[i]->origin], task->now[i]->schedule) != 0)
        return -1;
    for (int a = 0; a < b->m->settings.against.n; a++)
        if (add_against(b, k, b->m->settings.against.item[a]) != 0)
            return -1;
    if (task->now[i]->origin != SQ_FROM_DRAFT && task->now[i]->origin != SQ_FROM_NOTHING &&
        add_untuned(b, i, sizes) != 0)
        return -1;
    return task->target->grid ? 0 : add_written(b, i); /* that is for processors */
}

/* ---- measuring ---- */

static int run_job(struct bench *b, sq_run *run, int i)
{
    struct subject *x = &b->s[i];
    sq_job job = {.id = i,
                  .source = sq_text_str(&x->source),
                  .pairs = PAIRS,
                  .full = true,
                  .optimise = x->optimise,
                  .against = i ? 0 : SQ_AGAINST_NONE};
    b->m->runner->submit(run, &job);
    return sq_measure_collect(b->m->runner, run, &job, &x->sample);
}

/* Text of a file may need what stands elsewhere. */
static int run_one(struct bench *b, sq_run *run, const sq_kernel *k, int i)
{
    struct subject *x = &b->s[i];
    if (run_job(b, run, i) != 0)
        return -1;
    if (x->in_file && x->sample.status != SQ_OK) {
        say_plain(b, k, sq_arena_printf(b->m->task.arena, "by itself it has %s: %s", sq_status_name(x->sample.status),
                                        x->sample.message));
        if (take_plain(x, k, b->m->task.d) != 0 || run_job(b, run, i) != 0)
            return -1;
    }
    if (x->sample.status != SQ_OK)
        return sq_error(b->m->task.d, x->sample.status == SQ_WRONG ? SQ_FAULT_BUG : SQ_FAULT_WORLD,
                        SQ_NOWHERE, "%s, %s: %s: %s", sq_text_str(&b->m->label), x->name,
                        sq_status_name(x->sample.status), x->sample.message);
    x->seconds = sq_median_interval(x->sample.times, x->sample.n, &x->low, &x->high);
    return 0;
}

static void compare(struct subject *x)
{
    double pair[SQ_MAX_TIMES];
    int n = x->sample.n < x->sample.nbase ? x->sample.n : x->sample.nbase;
    x->ratio = x->ratio_low = x->ratio_high = 1;
    for (int i = 0; i < n; i++)
        pair[i] = x->sample.times[i] / x->sample.base[i];
    if (n)
        x->ratio = sq_median_interval(pair, n, &x->ratio_low, &x->ratio_high);
}

static int measure(struct bench *b, const sq_kernel *k, const int64_t *sizes)
{
    sq_run_options o = sq_measure_run_options(b->m);
    o.sizes = sizes;
    o.nsizes = 1;
    o.run_timeout = 300;
    o.measure_seconds = b->m->settings.budget > 0 ? b->m->settings.budget / b->n : 0.5;
    sq_run *run = b->m->runner->open(k, &o, b->m->task.d);
    int rc = run ? 0 : -1;
    for (int i = 0; i < b->n && rc == 0; i++) {
        sq_progress_show(&b->m->progress, "%s: %s", sq_text_str(&b->m->label), b->s[i].name);
        rc = run_one(b, run, k, i);
        compare(&b->s[i]);
    }
    b->m->runner->close(run);
    sq_progress_close(&b->m->progress);
    return rc;
}

/* ---- results ---- */

static void put_json(struct bench *b, const struct subject *x, const sq_roof *roof)
{
    double gflops = 1e-9 * roof->flops / x->seconds;
    json_t *row =
        json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "at",
                  sq_text_str(&b->m->label), "schedule", x->name, "seconds", x->seconds, "low",
                  x->low, "high", x->high, "gflops", gflops, "of_peak", gflops / roof->peak,
                  "time_ratio", x->ratio, "ratio_low", x->ratio_low, "ratio_high", x->ratio_high);
    json_t *more =
        json_pack("{s:f, s:s, s:f}", "gbytes_per_second", 1e-9 * roof->bytes / x->seconds, "roof",
                  roof->memory ? roof->memory : "peak", "of_roof", roof->seconds / x->seconds);
    json_object_update(row, more);
    json_decref(more);
    json_array_append_new(b->json, row);
}

static const char *roof_name(const sq_roof *roof)
{
    return roof->memory ? roof->memory : "peak";
}

/* Over the columns of put_row. */
static void put_head(struct bench *b, const sq_roof *roof)
{
    bool any = roof->flops > 0 || roof->memory;
    sq_text_printf(b->out, "  %-20s %10s  %24s", "schedule", "time", "95 % interval");
    if (roof->flops > 0)
        sq_text_printf(b->out, " %17s", "rate");
    if (roof->memory)
        sq_text_printf(b->out, " %14s", "traffic");
    if (any)
        sq_text_printf(b->out, " %*s", (int)strlen("99.9 % of ") + (int)strlen(roof_name(roof)),
                       "of roof");
    sq_text_puts(b->out, "  time over the first's (95 % interval)\n");
}

static void put_row(struct bench *b, const struct subject *x, const sq_roof *roof)
{
    char time[32], low[32], high[32];
    sq_text_printf(b->out, "  %-20s %10s  %10s to %-10s", x->name,
                   sq_seconds_text(x->seconds, time, sizeof time),
                   sq_seconds_text(x->low, low, sizeof low),
                   sq_seconds_text(x->high, high, sizeof high));
    if (roof->flops > 0)
        sq_text_printf(b->out, " %9.1f GFLOP/s", 1e-9 * roof->flops / x->seconds);
    if (roof->memory)
        sq_text_printf(b->out, " %9.1f GB/s", 1e-9 * roof->bytes / x->seconds);
    if (roof->flops > 0 || roof->memory)
        sq_text_printf(b->out, " %5.1f %% of %s", 100 * roof->seconds / x->seconds,
                       roof_name(roof));
    if (x->sample.nbase)
        sq_text_printf(b->out, "  %8.3fx (%.3f to %.3f)", x->ratio, x->ratio_low, x->ratio_high);
    sq_text_puts(b->out, "\n");
    put_json(b, x, roof);
}

static void put_section(struct bench *b, const sq_roof *roof)
{
    sq_report_subject of[MAX_SUBJECTS];
    for (int i = 0; i < b->n; i++) {
        const struct subject *x = &b->s[i];
        of[i] = (sq_report_subject){x->name,      x->seconds,         x->low,          x->high,  x->ratio,
                                    x->ratio_low, x->ratio_high, x->sample.nbase > 0, x->sample.times, x->sample.n};
    }
    sq_report_bench(&b->html, b->m, roof, of, b->n);
    b->npages++;
}

static void put_all(struct bench *b, const sq_kernel *k, const int64_t *sizes)
{
    sq_roof roof = sq_measure_roof(b->m, k, sizes);
    sq_text_printf(b->out, "%s on %s, target %s, ", sq_text_str(&b->m->label), b->m->machine,
                   b->m->task.target->name);
    if (!b->m->device)
        sq_text_printf(b->out, "%d thread%s, ", b->m->threads, b->m->threads > 1 ? "s" : "");
    sq_text_printf(b->out, "peak %.1f GFLOP/s", roof.peak);
    if (roof.memory)
        sq_text_printf(b->out, ", bound by %s at %.1f GB/s", roof.memory,
                       1e-9 * roof.bytes / roof.seconds);
    sq_text_puts(b->out, "\n");
    put_head(b, &roof);
    for (int i = 0; i < b->n; i++)
        put_row(b, &b->s[i], &roof);
    if (b->m->settings.html)
        put_section(b, &roof);
}

/* True if what compile makes of a region is slower than the file's own text, by more than chance. */
static bool is_behind_text(const struct subject *x)
{
    return x->in_file && x->sample.nbase && x->ratio_high < 1 - tolerance;
}

static void advise(struct bench *b, const sq_kernel *k)
{
    for (int i = 1; i < b->n; i++)
        if (is_behind_text(&b->s[i]))
            sq_note(b->m->task.d, k->loc,
                    "%s: the text of the file, compiled with %s, takes %.2f of the time of what Squall makes of it: "
                    "leave this region out, or tune it",
                    sq_text_str(&b->m->label), optimise, b->s[i].ratio);
}

static int judge(struct bench *b)
{
    int rc = 0;
    for (int i = 1; i < b->n; i++)
        if (b->s[i].against && b->s[i].ratio_high < 1 - tolerance)
            rc = sq_error(b->m->task.d, SQ_FAULT_REFUSED, SQ_NOWHERE,
                          "%s: slower than %s: its time is %.3f of this one's (%.3f to %.3f)",
                          sq_text_str(&b->m->label), b->s[i].name, b->s[i].ratio, b->s[i].ratio_low,
                          b->s[i].ratio_high);
    return rc;
}

static int bench_kernel(struct bench *b, int i)
{
    const sq_kernel *k = b->m->task.unit->kernel[i];
    int64_t *rows;
    int n = sq_measure_sizes(b->m, k, &rows), rc = n < 0 ? -1 : 0;
    for (int r = 0; r < n && rc == 0; r++) {
        const int64_t *sizes = rows + (ptrdiff_t)r * k->nsizes;
        sq_measure_name(b->m, k, sizes);
        rc = sq_measure_is_any(b->m, k, sizes) != 0 || add_all(b, i, sizes) != 0 ||
                     measure(b, k, sizes) != 0
                 ? -1
                 : 0;
        if (rc == 0) {
            put_all(b, k, sizes);
            advise(b, k);
            rc = judge(b);
        }
        free_subjects(b);
    }
    return rc;
}

int sq_cmd_bench(const sq_settings *o, sq_diags *d)
{
    sq_measure m;
    sq_text out = {0};
    if (sq_report_check(o, d) != 0)
        return -1;
    if (o->fix.nsets)
        return sq_sets_alone(o, d, sq_cmd_bench);
    int rc = sq_measure_open_timed(&m, o, d);
    struct bench *b = SQ_NEW(m.task.arena, struct bench);
    b->m = &m;
    b->out = &out;
    b->json = json_array();
    b->html.title = sq_arena_printf(m.task.arena, "Measured schedules of %s", m.task.path ? m.task.path : "");
    if (rc == 0)
        rc = sq_task_run_named(&m.task, "emit");
    for (int i = 0; rc == 0 && i < m.task.unit->nkernels; i++)
        rc = bench_kernel(b, i);
    if (o->json && json_array_size(b->json)) {
        json_dumpf(b->json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    } else {
        fputs(sq_text_str(&out), stdout);
    }
    if (b->npages && sq_report_write(&b->html, &m.settings, d) != 0)
        rc = -1;
    json_decref(b->json);
    sq_html_free(&b->html);
    sq_text_free(&out);
    sq_measure_close(&m);
    return rc;
}
