/* squall check: is everything right about a description and its schedule? Accesses in bounds and
 * schedule legal (the compiler's own stages), and the emitted text against the naive nest: at the
 * given sizes, or, for symbolic ones, at odd and random sizes that the description allows. Arrays
 * stand against unmapped pages, so an overrun is found, too. CUDA text has checks of its own
 * (check_cuda.c). */
#include "cli/check_cuda.h"
#include "cli/measure.h"
#include "support/stats.h"
#include "tuner/case_spec.h"
#include <inttypes.h>
#include <isl/set.h>
#include <isl/space.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 40, RANDOM_ROWS = 16, TRIES = 4000 };
static const int64_t odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
static const double most_bytes = 64e6, most_flops = 1e9;

struct rows {
    const sq_kernel *k;
    int n;
    int64_t *size; /* MAX_ROWS rows of nsizes */
};

static void add_row(struct rows *r, const int64_t *row)
{
    size_t bytes = (size_t)r->k->nsizes * sizeof *row;
    for (int i = 0; i < r->n; i++)
        if (memcmp(r->size + (ptrdiff_t)i * r->k->nsizes, row, bytes) == 0)
            return;
    if (r->n == MAX_ROWS || !sq_kernel_takes(r->k, r->k->context, row) ||
        sq_case_bytes(r->k, row) > most_bytes || sq_kernel_flops(r->k, row) > most_flops)
        return;
    memcpy(r->size + (ptrdiff_t)r->n++ * r->k->nsizes, row, bytes);
}

static void fill(const sq_kernel *k, int64_t *row, int64_t value)
{
    for (int i = 0; i < k->nsizes; i++)
        row[i] = k->size[i]->fixed ? k->size[i]->value : value;
}

/* All sizes alike, then mixtures: a size that is small where others are large is where edges meet.
 */
static void add_odd_rows(struct rows *r, unsigned long long seed)
{
    int64_t row[64] = {0};
    sq_rng rng = {seed};
    const size_t n = sizeof odd / sizeof *odd;
    for (size_t i = 0; i < n; i++) {
        fill(r->k, row, odd[i]);
        add_row(r, row);
    }
    int most = r->n + RANDOM_ROWS;
    for (int t = 0; t < TRIES && r->n < most; t++) {
        for (int i = 0; i < r->k->nsizes; i++)
            row[i] = r->k->size[i]->fixed    ? r->k->size[i]->value
                     : sq_rng_below(&rng, 2) ? odd[sq_rng_below(&rng, n)]
                                             : (int64_t)sq_rng_below(&rng, 140);
        add_row(r, row);
    }
}

static int choose_rows(sq_measure *m, struct rows *r)
{
    bool symbolic = false;
    r->n = 0;
    r->size = SQ_NEW_ARRAY(m->task.arena, int64_t, MAX_ROWS * r->k->nsizes + 1);
    for (int i = 0; i < r->k->nsizes; i++)
        symbolic |= !r->k->size[i]->fixed;
    if (!symbolic || m->settings.at.n) {
        int64_t *rows;
        int n = sq_measure_sizes(m, r->k, &rows);
        if (n < 0)
            return -1;
        r->n = n < MAX_ROWS ? n : MAX_ROWS;
        memcpy(r->size, rows, (size_t)(r->n * r->k->nsizes) * sizeof *rows);
        return 0;
    }
    add_odd_rows(r, (unsigned long long)m->settings.seed);
    if (r->n == 0)
        return sq_error(m->task.d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "no odd sizes fit kernel '%s'; name some with --at", r->k->name);
    return 0;
}

/* ---- running ---- */

static int complain(sq_measure *m, const struct rows *r, const sq_job *job, const sq_sample *s)
{
    sq_measure_name(m, r->k, r->size + (ptrdiff_t)job->sizes * r->k->nsizes);
    bool ours = s->status == SQ_WRONG || s->status == SQ_CRASHED || s->status == SQ_BUILD_FAILED;
    return sq_error(m->task.d, ours ? SQ_FAULT_BUG : SQ_FAULT_WORLD, SQ_NOWHERE, "%s: %s: %s",
                    sq_text_str(&m->label), sq_status_name(s->status), s->message);
}

static int run_row(sq_measure *m, sq_run *run, const struct rows *r, int i, const char *source,
                   double *worst)
{
    sq_sample s;
    sq_job job = {
        .id = 0, .source = i ? NULL : source, .against = SQ_AGAINST_NONE, .sizes = i, .set = i};
    sq_progress_show(&m->progress, "%s: sizes %d of %d", r->k->name, i + 1, r->n);
    sq_runner_local.submit(run, &job);
    if (sq_runner_local.collect(run, &job, &s, 1e6) != 1)
        return -1;
    if (s.error > *worst)
        *worst = s.error;
    return s.status == SQ_OK ? 0 : complain(m, r, &job, &s);
}

static int check_kernel(sq_measure *m, int i, json_t *json)
{
    struct rows r = {.k = m->task.unit->kernel[i]};
    sq_text source = {0};
    double worst = 0;
    if (choose_rows(m, &r) != 0)
        return -1;
    int rc = sq_measure_source(m, m->task.schedule[i], &source);
    sq_run_options o = sq_measure_run_options(m);
    o.sizes = r.size;
    o.nsizes = r.n;
    o.run_timeout = 60;
    sq_run *run = rc == 0 ? sq_runner_local.open(r.k, &o, m->task.d) : NULL;
    for (int row = 0; row < r.n && run && rc == 0; row++)
        rc = run_row(m, run, &r, row, sq_text_str(&source), &worst);
    sq_runner_local.close(run);
    sq_progress_close(&m->progress);
    sq_text_free(&source);
    if (rc == 0 && run)
        json_array_append_new(json, json_pack("{s:s, s:i, s:f}", "kernel", r.k->name, "sizes", r.n,
                                              "error_of_bound", worst));
    return run ? rc : -1;
}

static void print(const json_t *json)
{
    size_t i;
    json_t *x;
    json_array_foreach(json, i, x)
        printf("%s: accesses in bounds, schedule legal, %lld size vector%s as the naive nest "
               "(largest difference %.2g of what rounding allows)\n",
               json_string_value(json_object_get(x, "kernel")),
               json_integer_value(json_object_get(x, "sizes")),
               json_integer_value(json_object_get(x, "sizes")) == 1 ? "" : "s",
               json_real_value(json_object_get(x, "error_of_bound")));
}

int sq_cmd_check(const sq_settings *o, sq_diags *d)
{
    if (o->files.n == 1 && sq_is_cuda_text(o->files.item[0]))
        return sq_check_cuda(o, d);
    sq_measure m;
    json_t *json = json_array();
    int rc = sq_measure_open(&m, o, d);
    if (rc == 0)
        rc = sq_task_run_named(&m.task, "apply");
    for (int i = 0; rc == 0 && i < m.task.unit->nkernels; i++)
        rc = check_kernel(&m, i, json);
    if (rc == 0 && o->json) {
        json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    } else if (rc == 0) {
        print(json);
    }
    json_decref(json);
    sq_measure_close(&m);
    return rc;
}
