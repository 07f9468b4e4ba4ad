/* squall check: is everything right about a description and its schedule? Accesses in bounds and
 * schedule legal (the compiler's own stages), and the emitted text against the naive nest: at the
 * given sizes, or, for symbolic ones, at odd and random sizes that the description allows. Arrays
 * stand against unmapped pages, so an overrun is found, too. CUDA text has checks of its own
 * (check_cuda.c), and so has what is emitted for a grid (check_grid.c). */
#include "cli/check_cuda.h"
#include "cli/check_rows.h"
#include <jansson.h>
#include <stdio.h>

static const sq_check_limits limits = {.bytes = 64e6, .flops = 1e9};

/* ---- running ---- */

static int complain(sq_measure *m, const sq_check_rows *r, const sq_job *job, const sq_sample *s)
{
    sq_measure_name(m, r->k, r->size + (ptrdiff_t)job->sizes * r->k->nsizes);
    bool ours = s->status == SQ_WRONG || s->status == SQ_CRASHED || s->status == SQ_BUILD_FAILED;
    return sq_error(m->task.d, ours ? SQ_FAULT_BUG : SQ_FAULT_WORLD, SQ_NOWHERE, "%s: %s: %s",
                    sq_text_str(&m->label), sq_status_name(s->status), s->message);
}

static int run_row(sq_measure *m, sq_run *run, const sq_check_rows *r, int i, const char *source,
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
    sq_check_rows r;
    sq_text source = {0};
    double worst = 0;
    if (sq_check_rows_choose(m, m->task.unit->kernel[i], &limits, &r) != 0)
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
    if (sq_is_for_grid(o))
        return sq_check_grid(o, d);
    sq_measure m;
    json_t *json = json_array();
    int rc = sq_measure_open(&m, o, d);
    if (rc == 0)
        rc = sq_task_run_named(&m.task, "apply");
    bool chosen = rc == 0;
    /* all, also behind one that fails */
    for (int i = 0; chosen && i < m.task.unit->nkernels; i++) {
        int one = check_kernel(&m, i, json);
        rc = rc ? rc : one;
    }
    if (chosen && o->json) {
        json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    } else if (chosen) {
        print(json);
    }
    json_decref(json);
    sq_measure_close(&m);
    return rc;
}
