/* Model runner: measures nothing. A candidate's text runs on the CPU (simt.h) at small sizes, which
 * verifies it and counts its work; its launches at the sizes in question are recorded without
 * running them; nvcc, if available, reports its registers. ir/machine/device.h then predicts the
 * time of a call. One candidate at a time, with nvcc in parallel. */
#include "support/file.h"
#include "support/memory.h"
#include "tuner/measure/case_spec.h"
#include "tuner/measure/simulated.h"
#include "tuner/measure/runner.h"
#include "tuner/measure/simt.h"
#include "tuner/measure/workdir.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHAPES = 2, /* kinds of small sizes: wide, and deep */
    TIMES = 5,
    BUILD_SECONDS = 60,
    RUN_SECONDS = 30
};
/* Limit on the work of a run on the CPU: about a second, with every access checked. */
static const double padded = 1.05, /* with more padding, other small sizes are tried as well */
    most_flops = 9e6, most_bytes = 4e6;

struct model_job {
    sq_job job;
    char *source;
    struct model_job *next;
};

/* The result for a candidate, for repeated jobs. */
struct model_result {
    bool known;
    sq_sample sample;
};

struct sq_run {
    const sq_kernel *kernel; /* the kernel that is simulated: sizes are symbolic if possible */
    sq_run_options o;
    int64_t sizes[SQ_MAX_SIZES]; /* the sizes in question */
    int64_t small[SHAPES][SQ_MAX_SIZES], odd[SQ_MAX_SIZES];
    int nsmall;
    bool is_sum[SQ_MAX_SIZES], has_odd;
    sq_simt simt;
    sq_diags *said; /* errors of candidates, which are reported in samples */
    sq_argv nvcc;   /* empty: not available */
    struct model_job *first, **last;
    struct model_result *result;
    long nresults, best;
    uv_loop_t loop;
};

/* ---- sizes ---- */

static bool is_small(const sq_kernel *k, const int64_t *sizes)
{
    return sq_kernel_takes(k, k->context, sizes) && sq_case_bytes(k, sizes) <= most_bytes &&
           sq_kernel_flops(k, sizes) <= most_flops;
}

/* Returns the number of elements that are written, of all arrays. */
static double written(const sq_kernel *k, const int64_t *sizes)
{
    double sum = 0;
    for (int a = 0; a < k->narrays; a++) {
        double n = k->array[a]->role != SQ_IN;
        for (int d = 0; d < k->array[a]->ndim; d++)
            n *= (double)sq_size_value(k, k->array[a]->extent[d], sizes);
        sum += n;
    }
    return sum;
}

/* Sizes that no written array depends on are those of sums. */
static void find_sums(sq_run *r)
{
    const sq_kernel *k = r->kernel;
    double all = written(k, r->sizes);
    for (int i = 0; i < k->nsizes; i++) {
        int64_t half[SQ_MAX_SIZES];
        memcpy(half, r->sizes, sizeof half);
        half[i] /= 2;
        r->is_sum[i] = !k->size[i]->fixed && written(k, half) >= all;
    }
}

static int64_t at_most(int64_t x, int64_t most)
{
    return x < most ? x : most;
}

/* Limits all sizes to `free`, those of sums to `sums`, and each to the one in question. */
static void cap(const sq_run *r, int64_t free, int64_t sums, int64_t *to)
{
    for (int i = 0; i < r->kernel->nsizes; i++)
        to[i] = r->kernel->size[i]->fixed ? r->kernel->size[i]->value
                                          : at_most(r->sizes[i], r->is_sum[i] ? sums : free);
}

/* Adds the largest of a few round sizes, with sums of this length. */
static void add_small(sq_run *r, int64_t widest, int64_t sums)
{
    static const int64_t caps[] = {256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 4, 3, 2, 1};
    int64_t *to = r->small[r->nsmall];
    for (size_t c = 0; c < sizeof caps / sizeof *caps; c++) {
        cap(r, at_most(caps[c], widest), caps[c] < 32 ? caps[c] : sums, to);
        if (!is_small(r->kernel, to))
            continue;
        r->nsmall += r->nsmall == 0 || memcmp(to, r->small[0], sizeof r->small[0]) != 0;
        return;
    }
}

/* Chooses wide sizes, for which large tiles are full, and deep ones for tiles with long steps. */
static bool choose_small(sq_run *r)
{
    find_sums(r);
    add_small(r, 256, 64);
    add_small(r, 128, 256);
    return r->nsmall > 0;
}

/* Chooses small odd sizes, which test remainders, if the description accepts them. */
static void choose_odd(sq_run *r)
{
    for (int64_t n = 39; n > 0 && !r->has_odd; n -= 2) {
        cap(r, n, n - 2, r->odd);
        r->has_odd = is_small(r->kernel, r->odd);
    }
    r->has_odd = r->has_odd && memcmp(r->odd, r->small[0], sizeof r->odd) != 0;
}

/* Adds sizes as the self-test takes them, and no timed runs. */
static void put_arguments(const sq_run *r, const int64_t *sizes, sq_argv *to)
{
    const sq_kernel *k = r->kernel;
    for (int p = 0; p < k->nparams; p++)
        for (int i = 0; i < k->nsizes; i++)
            if (k->param[p].size == k->size[i] && !k->size[i]->fixed)
                sq_argv_printf(to, "%" PRId64, sizes[i]);
    sq_argv_add(to, "0");
}

/* ---- text ---- */

/* Code that runs before main: in a dry run the launcher is called at the sizes given by the
 * environment, without memory, and the program ends. The text says with a macro whether it takes a
 * workspace, as transforms may have added temporaries. */
static void put_dry_run(const sq_run *r, const char *source, sq_text *to)
{
    const sq_kernel *k = r->kernel;
    sq_text_puts(to, source);
    sq_text_puts(to, "\n#ifndef SQUALL_DEVICE_ONLY\n#include <stdlib.h>\nnamespace {\n"
                     "struct squall_dry_run {\n    squall_dry_run()\n    {\n"
                     "        char *at = getenv(\"SQUALL_SIMT_DRY\");\n        long long size[9];\n"
                     "        if (!at)\n            return;\n"
                     "        for (int i = 0; i < 9; i++, at += *at == ',')\n"
                     "            size[i] = strtoll(at, &at, 10);\n"
                     "        exit(squall_candidate(");
    for (int p = 0; p < k->nparams; p++) {
        const sq_param *q = &k->param[p];
        if (q->size && q->size->fixed)
            continue;
        for (int i = 0; i < k->nsizes && q->size; i++)
            if (q->size == k->size[i])
                sq_text_printf(to, "size[%d], ", i);
        if (!q->size)
            sq_text_puts(to, q->array ? "NULL, " : "0, ");
    }
    sq_text_puts(to, SQ_CANDIDATE_WORKSPACE " NULL));\n    }\n} squall_dry;\n}\n#endif\n");
}

/* ---- the compiler's report ---- */

struct compiled {
    bool done, asked;
    char error[300];
    sq_ptxas report;
};

static void on_compiled(const sq_child_end *end, void *user)
{
    struct compiled *c = user;
    c->done = end->started && !end->timed_out && end->status == 0 && !end->signal;
    if (c->done) {
        sq_ptxas_read(end->err, &c->report);
        return;
    }
    const char *error = strstr(end->err, "error");
    if (!end->err[0])
        snprintf(c->error, sizeof c->error, "nvcc %s",
                 end->timed_out ? "takes too long" : "ends with an error and no words");
    else
        snprintf(c->error, sizeof c->error, "nvcc: %.*s",
                 (int)strcspn(error ? error : end->err, "\n"), error ? error : end->err);
}

static void start_nvcc(sq_run *r, const char *file, struct compiled *c)
{
    sq_argv a = {0};
    if (!r->nvcc.n)
        return;
    c->asked = true;
    for (int i = 0; i < r->nvcc.n; i++)
        sq_argv_add(&a, r->nvcc.word[i]);
    sq_argv_split(&a, "-w -O3 -cubin -Xptxas -v -o");
    sq_argv_printf(&a, "%s/candidate.cubin", r->simt.dir.path);
    sq_argv_add(&a, file);
    sq_child_start(&r->loop, a.word, BUILD_SECONDS, on_compiled, c);
    sq_argv_free(&a);
}

/* ---- one candidate ---- */

static void say(sq_sample *s, sq_status status, const char *text)
{
    s->status = status;
    snprintf(s->message, sizeof s->message, "%.*s",
             (int)strcspn(text, "\n") < 390 ? (int)strcspn(text, "\n") : 390, text);
}

/* Runs the program; NULL and *s on failure. */
static json_t *run_at(sq_run *r, const int64_t *sizes, sq_sample *s)
{
    sq_argv args = {0};
    put_arguments(r, sizes, &args);
    int rc = sq_simt_run(&r->simt, "the candidate", (const char *const *)args.word);
    sq_argv_free(&args);
    if (rc != 0)
        say(s, r->simt.end.timed_out ? SQ_TIMEOUT : SQ_LOST, "it did not end");
    json_t *report = rc == 0 ? sq_simt_report(&r->simt, "the candidate") : NULL;
    if (rc == 0 && !report)
        say(s, SQ_CRASHED, r->simt.end.err);
    const json_t *finding = json_array_get(json_object_get(report, "findings"), 0);
    if (finding)
        say(s, SQ_WRONG, json_string_value(json_object_get(finding, "text")));
    else if (report && r->simt.end.status == 0 && r->simt.end.signal == 0)
        return report;
    else if (report)
        say(s, r->simt.end.status == 1 ? SQ_WRONG : SQ_CRASHED, r->simt.end.err);
    json_decref(report);
    return NULL;
}

static bool build(sq_run *r, const char *file, sq_sample *s)
{
    int rc = sq_simt_build(&r->simt, file, "candidate.cu");
    s->build_seconds = r->simt.end.seconds;
    if (rc != 0)
        say(s, SQ_BUILD_FAILED,
            r->simt.end.err[0] ? r->simt.end.err
                               : "the C++ compiler ends with an error and no words");
    return rc == 0;
}

static json_t *run_dry(sq_run *r, const int64_t *sizes, sq_sample *s)
{
    static const char *const none[] = {NULL};
    sq_text at = {0};
    for (int i = 0; i < r->kernel->nsizes; i++)
        sq_text_printf(&at, "%s%" PRId64, i ? "," : "", sizes[i]);
    r->simt.dry = sq_text_str(&at);
    int rc = sq_simt_run(&r->simt, "the dry run", none);
    r->simt.dry = NULL;
    sq_text_free(&at);
    json_t *report = rc == 0 ? sq_simt_report(&r->simt, "the dry run") : NULL;
    if (report && r->simt.end.status == 0 && r->simt.end.signal == 0)
        return report;
    say(s, SQ_INFEASIBLE, "the launcher does not take these sizes");
    json_decref(report);
    return NULL;
}

/* Halves the sizes of sums, or the others, such that the number of blocks stays the same and each
 * has less work. False: there are no such sizes. */
static bool halve(sq_run *r, const json_t *ran, bool sums, int64_t *less)
{
    const sq_kernel *k = r->kernel;
    bool found = false;
    for (int i = 0; i < k->nsizes; i++) {
        sq_sample s;
        int64_t half[SQ_MAX_SIZES];
        memcpy(half, less, sizeof half);
        half[i] /= 2;
        if (k->size[i]->fixed || r->is_sum[i] != sums || half[i] < 1 ||
            !sq_kernel_takes(k, k->context, half))
            continue;
        json_t *dry = run_dry(r, half, &s);
        if (dry && sq_simulated_alike(ran, dry)) {
            memcpy(less, half, sizeof half);
            found = true;
        }
        json_decref(dry);
    }
    return found;
}

/* Tries sums first: otherwise tiles would only have more padding. */
static bool choose_less(sq_run *r, const sq_simulated_run *ran, int64_t *less)
{
    memcpy(less, ran->sizes, sizeof r->small[0]);
    return halve(r, ran->report, true, less) || halve(r, ran->report, false, less);
}

static void take_time(sq_sample *s, double seconds)
{
    s->status = SQ_OK;
    s->n = TIMES;
    for (int i = 0; i < TIMES; i++)
        s->times[i] = seconds;
}

/* Writes the text with its dry run to the folder. */
static bool write_candidate(sq_run *r, const char *source, char *file, size_t n)
{
    sq_text text = {0};
    snprintf(file, n, "%s/candidate.cu", r->simt.dir.path);
    put_dry_run(r, source, &text);
    remove(file);
    int rc = sq_workdir_write(file, sq_text_str(&text));
    sq_text_free(&text);
    return rc == 0;
}

static void predict(sq_run *r, const sq_simulated *p, sq_sample *s)
{
    double seconds = sq_simulated_seconds(p, r->o.device, s->message, sizeof s->message);
    if (isfinite(seconds))
        take_time(s, seconds);
    else
        s->status = SQ_INFEASIBLE;
}

/* The results of a candidate's runs; owns the reports. */
struct runs {
    json_t *ran, *less;
    int64_t less_sizes[SQ_MAX_SIZES];
    int small; /* index of the small sizes */
};

static void forget(struct runs *x)
{
    json_decref(x->ran);
    json_decref(x->less);
    x->ran = x->less = NULL;
}

static sq_simulated simulated_of(const sq_run *r, const struct runs *x)
{
    return (sq_simulated){.kernel = r->kernel,
                          .ran = {x->ran, r->small[x->small]},
                          .less = {x->less, x->less_sizes},
                          .launches = {NULL, r->sizes}};
}

/* Runs twice at small sizes; false and *s on failure. */
static bool run_shape(sq_run *r, int small, struct runs *x, sq_sample *s)
{
    *x = (struct runs){.small = small, .ran = run_at(r, r->small[small], s)};
    const sq_simulated_run ran = {x->ran, r->small[small]};
    if (!x->ran)
        return false;
    return !choose_less(r, &ran, x->less_sizes) || (x->less = run_at(r, x->less_sizes, s));
}

/* Runs at the sizes with the least padding. */
static bool run_shapes(sq_run *r, struct runs *best, sq_sample *s)
{
    bool ok = run_shape(r, 0, best, s);
    sq_simulated p = simulated_of(r, best);
    if (!ok || r->nsmall < SHAPES || sq_simulated_padding(&p) <= padded)
        return ok;
    struct runs other;
    ok = run_shape(r, 1, &other, s);
    sq_simulated q = simulated_of(r, &other);
    bool better = ok && sq_simulated_padding(&q) < sq_simulated_padding(&p);
    forget(better ? best : &other);
    if (better)
        *best = other;
    return ok;
}

static bool run_odd(sq_run *r, sq_sample *s)
{
    json_t *odd = r->has_odd ? run_at(r, r->odd, s) : NULL;
    json_decref(odd);
    return odd || !r->has_odd;
}

static void play(sq_run *r, const char *source, sq_sample *s)
{
    char file[300];
    struct compiled compiled = {0};
    struct runs x = {0};
    memset(s, 0, sizeof *s);
    if (!write_candidate(r, source, file, sizeof file)) {
        say(s, SQ_LOST, "cannot write the source");
        return;
    }
    start_nvcc(r, file, &compiled);
    bool ran = build(r, file, s) && run_odd(r, s) && run_shapes(r, &x, s);
    json_t *launches = ran ? run_dry(r, r->sizes, s) : NULL;
    uv_run(&r->loop, UV_RUN_DEFAULT);
    sq_simulated p = simulated_of(r, &x);
    p.launches.report = launches;
    p.compiled = compiled.done ? &compiled.report : NULL;
    if (launches && compiled.asked && !compiled.done)
        say(s, SQ_BUILD_FAILED, compiled.error);
    else if (launches)
        predict(r, &p, s);
    forget(&x);
    json_decref(launches);
    sq_diags_rewind(r->said, 0);
}

/* ---- jobs ---- */

static struct model_result *result_of(sq_run *r, long id)
{
    if (id >= r->nresults) {
        long n = 2 * id + 64;
        r->result = sq_allocated(realloc(r->result, (size_t)n * sizeof *r->result));
        memset(r->result + r->nresults, 0, (size_t)(n - r->nresults) * sizeof *r->result);
        r->nresults = n;
    }
    return &r->result[id];
}

static int submit(sq_run *r, const sq_job *job)
{
    struct model_job *w = sq_allocated(calloc(1, sizeof *w));
    w->job = *job;
    w->source = job->source ? strdup(job->source) : NULL;
    w->job.source = NULL;
    *r->last = w;
    r->last = &w->next;
    return 0;
}

/* Sets the times as if both the candidate and the incumbent had been timed interleaved. */
static void set_beside(sq_run *r, sq_job *job, sq_sample *s)
{
    if (job->against == SQ_AGAINST_BEST)
        job->against = r->best;
    const struct model_result *other = job->against >= 0 ? result_of(r, job->against) : NULL;
    if (!other || !other->known || other->sample.status != SQ_OK)
        return;
    s->nbase = other->sample.n;
    memcpy(s->base, other->sample.times, sizeof s->base);
}

/* A job is completed here, whatever `wait` is: in a few seconds. */
static int collect(sq_run *r, sq_job *job, sq_sample *sample, double wait)
{
    struct model_job *w = r->first;
    (void)wait;
    if (!w)
        return -1;
    r->first = w->next;
    if (!r->first)
        r->last = &r->first;
    struct model_result *known = result_of(r, w->job.id);
    if (w->source) {
        play(r, w->source, &known->sample);
        known->known = true;
    }
    *job = w->job;
    *sample = known->sample;
    set_beside(r, job, sample);
    free(w->source);
    free(w);
    return 1;
}

static void incumbent(sq_run *r, long id)
{
    r->best = id;
}

/* ---- open and close ---- */

static void find_nvcc(sq_run *r, sq_diags *d)
{
    char command[PATH_MAX];
    if (!sq_nvcc_command(r->o.cc, command, sizeof command)) {
        sq_warning(d, SQ_NOWHERE,
                   "there is no CUDA compiler '%s': a thread is taken to have 64 registers",
                   command);
        return;
    }
    sq_argv_split(&r->nvcc, command);
    sq_argv_split(&r->nvcc, r->o.cflags ? r->o.cflags : "");
}

static sq_run *close_run(sq_run *r);

static sq_run *open_run(const sq_kernel *k, const sq_run_options *o, sq_diags *d)
{
    sq_run *r = sq_allocated(calloc(1, sizeof *r));
    r->kernel = o->simulated ? o->simulated : k;
    r->o = *o;
    r->last = &r->first;
    r->best = SQ_AGAINST_NONE;
    uv_loop_init(&r->loop);
    memcpy(r->sizes, o->sizes, (size_t)k->nsizes * sizeof *o->sizes);
    sq_simt_options own = {.seconds = RUN_SECONDS, .is_quiet = true};
    static const char *define = "SQUALL_SELFTEST";
    own.define = (sq_list){1, &define};
    if (sq_simt_open(&r->simt, &own, o->target, d) < 0)
        return close_run(r);
    r->simt.d = r->said = sq_diags_new();
    find_nvcc(r, d);
    if (!sq_kernel_takes(r->kernel, r->kernel->context, r->sizes)) {
        sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "kernel '%s' does not accept these sizes", k->name);
        return close_run(r);
    }
    if (choose_small(r)) {
        choose_odd(r);
        return r;
    }
    sq_error(
        d, SQ_FAULT_WORLD, SQ_NOWHERE,
        "the processor would take too long for kernel '%s': no sizes that it accepts are small",
        k->name);
    sq_help(d, SQ_NOWHERE, "let its sizes be parameters");
    return close_run(r);
}

static sq_run *close_run(sq_run *r)
{
    if (!r)
        return NULL;
    for (struct model_job *w; (w = r->first); free(w)) {
        r->first = w->next;
        free(w->source);
    }
    sq_simt_close(&r->simt);
    sq_diags_free(r->said);
    sq_argv_free(&r->nvcc);
    uv_loop_close(&r->loop);
    free(r->result);
    free(r);
    return NULL;
}

const sq_runner sq_runner_model = {
    "model",
    "measures nothing: counts what CUDA text does on this processor and predicts its time",
    sq_nvcc_version,
    open_run,
    submit,
    collect,
    incumbent,
    close_run};
