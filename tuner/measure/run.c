/* Run: shared by the runners of this machine, see run.h. There is one libuv loop; a job is waiting,
 * building, ready, running and done, in this order, and pump() starts whatever can start. Builds
 * run on all cores except one, which is for timing, one candidate at a time; while nothing is
 * timed, a guest builds there with the lowest priority, so that it yields. Candidates of several
 * threads have the machine to themselves: no build runs while they are timed.
 *
 * Inputs and expected outputs are made once per sizes and set, by the naive nest in a child of its
 * own, and kept in files of the run's private folder that later children map. */
#include "support/file.h"
#include "support/memory.h"
#include "tuner/measure/built.h"
#include "tuner/measure/case_spec.h"
#include "tuner/measure/child.h"
#include "tuner/measure/cores.h"
#include "tuner/measure/reply.h"
#include "tuner/measure/run.h"
#include "tuner/measure/toolchain.h"
#include "tuner/measure/workdir.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

enum { MAX_JOBS = 64, PATH_BYTES = 512 };

struct work {
    sq_job job;
    struct sq_run *run;
    sq_sample sample;
    bool is_guest;   /* builds on the timing core */
    bool calls_math; /* its text includes math.h */
    STAILQ_ENTRY(work) link;
};
STAILQ_HEAD(list, work);

enum data_state { DATA_NONE, DATA_MAKING, DATA_READY, DATA_FAILED };

/* One set of inputs at one row of sizes. */
struct data {
    int sizes, set;
    enum data_state state;
    char why[400];
    struct sq_run *run;
    struct data *next;
};

struct sq_run {
    const sq_run_kind *kind;
    const sq_kernel *kernel;
    sq_run_options o;
    int64_t *sizes;
    sq_workdir dir;
    char harness[PATH_MAX];
    sq_argv compiler, c_compiler; /* commands with flags: of candidates; of the naive nest, which is C */
    uv_loop_t loop;
    uv_timer_t timer;
    struct list waiting, ready, done;
    struct work *running;
    sq_child *children[MAX_JOBS + 2];
    int building;
    bool guest; /* true while a job builds on the timing core */
    bool making_data, woken;
    long best; /* set by `incumbent` */
    double best_seconds;
    double build_seconds; /* of the first candidate that was built; 0 before */
    struct data *data;
    sq_cores cores;
};

static struct work *list_take(struct list *l)
{
    struct work *w = STAILQ_FIRST(l);
    if (w)
        STAILQ_REMOVE_HEAD(l, link);
    return w;
}

static void finish(struct work *w, sq_status status, const char *message)
{
    w->sample.status = status;
    if (message)
        snprintf(w->sample.message, sizeof w->sample.message, "%.390s", message);
    STAILQ_INSERT_TAIL(&w->run->done, w, link);
}

/* ---- files ---- */

static void library_path(const sq_run *r, long id, char *to)
{
    if (id < 0)
        snprintf(to, PATH_BYTES, "%s/naive.so", r->dir.path);
    else
        snprintf(to, PATH_BYTES, "%s/c%ld.so", r->dir.path, id);
}

static void source_path(const sq_run *r, long id, char *to)
{
    library_path(r, id, to);
    strcpy(strrchr(to, '.'), id < 0 ? ".c" : r->kind->suffix);
}

static void linked_path(const sq_run *r, const char *suffix, char *to)
{
    snprintf(to, PATH_BYTES, "%s/linked.%s", r->dir.path, suffix);
}

static void data_path(const sq_run *r, const struct data *d, const char *suffix, char *to)
{
    snprintf(to, PATH_BYTES, "%s/data-%d-%d.%s", r->dir.path, d->sizes, d->set, suffix);
}

/* ---- children ---- */

static void remember(sq_run *r, sq_child *c)
{
    for (size_t i = 0; i < sizeof r->children / sizeof *r->children; i++) {
        if (!r->children[i]) {
            r->children[i] = c;
            return;
        }
    }
}

static void forget_child(sq_run *r, const sq_child_end *end)
{
    for (size_t i = 0; i < sizeof r->children / sizeof *r->children; i++)
        if (r->children[i] && sq_child_is(r->children[i], end))
            r->children[i] = NULL;
}

/* ---- building ---- */

static void on_built(const sq_child_end *end, void *user)
{
    struct work *w = user;
    sq_run *r = w->run;
    if (w->is_guest)
        r->guest = false;
    else
        r->building--;
    forget_child(r, end);
    w->sample.build_seconds = end->seconds;
    if (end->timed_out) {
        finish(w, SQ_BUILD_FAILED, "the compiler took too long");
    } else if (!end->started || end->status != 0 || end->signal) {
        char message[300];
        sq_child_first_error(end, message, sizeof message);
        finish(w, end->started ? SQ_BUILD_FAILED : SQ_LOST, message);
    } else {
        if (r->build_seconds <= 0)
            r->build_seconds = end->seconds;
        STAILQ_INSERT_TAIL(&r->ready, w, link);
    }
}

/* A candidate that takes the compiler many times as long as the first one is abandoned, as others
 * can be tried meanwhile. */
static double build_timeout(const sq_run *r, const sq_job *job)
{
    if (job->against != SQ_AGAINST_BEST || r->build_seconds <= 0)
        return r->o.build_timeout;
    return fmin(r->o.build_timeout, fmax(2, 6 * r->build_seconds));
}

static sq_build build_of(const sq_run *r, const sq_argv *compiler)
{
    return (sq_build){.dir = r->dir.path, .compiler = compiler, .cflags = r->o.cflags, .timeout = r->o.build_timeout};
}

/* A candidate finds the C library in the harness, and linkers take longer to read its symbols than for all else; but
 * of functions that have several versions it would find the oldest, and those of math.h differ in speed. */
static void start_compiler(struct work *w, double timeout)
{
    sq_run *r = w->run;
    char library[PATH_BYTES], source[PATH_BYTES], linked[PATH_BYTES];
    const sq_build b = build_of(r, &r->compiler);
    sq_argv a = {0};
    library_path(r, w->job.id, library);
    source_path(r, w->job.id, source);
    if (w->is_guest) {
        sq_argv_add(&a, r->harness);
        sq_argv_add(&a, "idle");
        sq_argv_printf(&a, "%d", r->cores.timing);
    }
    sq_build_command(&b, w->job.optimise, source, library, &a);
    if (r->o.linked) {
        linked_path(r, "o", linked);
        sq_argv_add(&a, linked);
    }
    if (w->calls_math)
        sq_argv_split(&a, r->kind->libraries);
    sq_argv_openmp(&a, &r->compiler, r->o.cflags);
    remember(r, sq_child_start(&r->loop, a.word, timeout, on_built, w));
    sq_argv_free(&a);
}

static void start_build(struct work *w)
{
    w->run->building++;
    start_compiler(w, build_timeout(w->run, &w->job));
}

static void start_guest(struct work *w)
{
    double patience = 4 * build_timeout(w->run, &w->job); /* includes waiting for other processes */
    w->is_guest = w->run->guest = true;
    start_compiler(w, patience);
}

/* ---- running ---- */

/* Records the best time of a call, if all jobs have one size. */
static void note_best(sq_run *r, const sq_sample *s)
{
    for (int i = 0; i < s->n && s->status == SQ_OK && r->o.nsizes == 1; i++)
        if (r->best_seconds <= 0 || s->times[i] < r->best_seconds)
            r->best_seconds = s->times[i];
}

static void on_ran(const sq_child_end *end, void *user)
{
    struct work *w = user;
    forget_child(w->run, end);
    w->run->running = NULL;
    sq_reply_read(end, w->job.pairs == 0, &w->sample);
    note_best(w->run, &w->sample);
    STAILQ_INSERT_TAIL(&w->run->done, w, link);
}

/* A candidate a hundred times slower than the best is abandoned. */
static double run_timeout(const sq_run *r, const sq_job *job)
{
    double t = r->o.run_timeout;
    if (r->best_seconds > 0 && !job->full)
        t = fmin(t, r->kind->start_seconds + 200 * r->best_seconds);
    return t;
}

static struct data *data_of(sq_run *r, int sizes, int set)
{
    for (struct data *d = r->data; d; d = d->next)
        if (d->sizes == sizes && d->set == set)
            return d;
    struct data *d = sq_allocated(calloc(1, sizeof *d));
    *d = (struct data){.sizes = sizes, .set = set, .run = r, .next = r->data};
    return r->data = d;
}

/* A device's driver reserves address space freely and has threads of its own, which spin. */
static void add_device_limits(const sq_run *r, sq_argv *a, double timeout)
{
    sq_argv_add(a, "device=1");
    sq_argv_add(a, "clock=wall");
    if (r->cores.timing >= 0)
        sq_argv_printf(a, "cpu=%d", r->cores.timing); /* the core that launches */
    sq_argv_printf(a, "cpulimit=%.0f", ceil(4 * (timeout + 1)));
}

/* Sets the limits of a child with this number of threads. */
static void add_share(const sq_run *r, sq_argv *a, const struct data *d, double timeout,
                      double threads)
{
    double bytes = sq_case_bytes(r->kernel, r->sizes + (ptrdiff_t)d->sizes * r->kernel->nsizes);
    sq_argv_printf(a, "cpulimit=%.0f", ceil((timeout + 1) * threads));
    sq_argv_printf(a, "memory=%.0f", 8 * bytes + (2 + threads / 4) * 1073741824.0);
}

static void add_limits(const sq_run *r, sq_argv *a, const struct data *d, double timeout)
{
    if (r->o.threads > 1)
        sq_argv_add(a, "clock=wall");
    else if (r->cores.timing >= 0)
        sq_argv_printf(a, "cpu=%d", r->cores.timing);
    add_share(r, a, d, timeout, r->o.threads > 1 ? r->o.threads : 1);
}

static void start_run(struct work *w, struct data *d)
{
    sq_run *r = w->run;
    char spec[PATH_BYTES], data[PATH_BYTES], library[PATH_BYTES], old[PATH_BYTES];
    double timeout = run_timeout(r, &w->job);
    sq_argv a = {0};
    data_path(r, d, "case", spec);
    data_path(r, d, "bin", data);
    library_path(r, w->job.id, library);
    if (w->job.against == SQ_AGAINST_BEST)
        w->job.against = r->best;
    sq_argv_add(&a, r->harness);
    sq_argv_add(&a, w->job.pairs > 0 ? "measure" : "check");
    sq_argv_add(&a, spec);
    sq_argv_add(&a, data);
    sq_argv_add(&a, library);
    if (w->job.against >= 0 && w->job.pairs > 0) {
        library_path(r, w->job.against, old);
        sq_argv_add(&a, old);
        if (w->job.against == r->best && r->best_seconds > 0)
            sq_argv_printf(&a, "best=%.9g", r->best_seconds);
    }
    sq_argv_printf(&a, "pairs=%d", w->job.pairs);
    sq_argv_printf(&a, "seconds=%g", r->o.measure_seconds);
    if (w->job.full)
        sq_argv_add(&a, "full=1");
    sq_argv_add(&a, w->job.set % 2 ? "place=start" : "place=end");
    if (r->kind->is_device)
        add_device_limits(r, &a, timeout);
    else
        add_limits(r, &a, d, timeout);
    r->running = w;
    remember(r, sq_child_start(&r->loop, a.word, timeout, on_ran, w));
    sq_argv_free(&a);
}

/* ---- reference ---- */

static const char no_result[] = "the naive nest gave no result: ";

static void on_data(const sq_child_end *end, void *user)
{
    struct data *d = user;
    forget_child(d->run, end);
    d->run->making_data = false;
    sq_sample s = {0};
    sq_reply_read(end, true, &s);
    d->state = s.status == SQ_OK ? DATA_READY : DATA_FAILED;
    snprintf(d->why, sizeof d->why, "%s%.350s", no_result, s.message);
}

/* Inputs beyond the memory would fill the disk, for hours. */
static bool is_too_large(const sq_run *r, const int64_t *sizes, struct data *d)
{
    double bytes = sq_case_bytes(r->kernel, sizes), memory = (double)uv_get_total_memory();
    if (memory <= 0 || bytes <= memory)
        return false;
    snprintf(d->why, sizeof d->why,
             "%sits arrays have %.1f GiB, this machine has %.1f GiB of memory", no_result,
             bytes / 0x1p30, memory / 0x1p30);
    d->state = DATA_FAILED;
    return true;
}

static void start_data(sq_run *r, struct data *d)
{
    char spec[PATH_BYTES], data[PATH_BYTES], library[PATH_BYTES];
    const int64_t *sizes = r->sizes + (ptrdiff_t)d->sizes * r->kernel->nsizes;
    if (is_too_large(r, sizes, d))
        return;
    sq_text text = {0};
    sq_argv a = {0};
    data_path(r, d, "case", spec);
    data_path(r, d, "bin", data);
    library_path(r, -1, library);
    sq_case_spec(r->kernel, sizes, r->o.seed * 1000 + (unsigned)(d->sizes * 50 + d->set), &text);
    if (sq_workdir_write(spec, sq_text_str(&text)) < 0) {
        d->state = DATA_FAILED;
        snprintf(d->why, sizeof d->why, "cannot write %.200s", spec);
        sq_text_free(&text);
        return;
    }
    const char *words[] = {r->harness, "reference", spec, data, library};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        sq_argv_add(&a, words[i]);
    add_share(r, &a, d, SQ_NAIVE_SECONDS, fmax(1, CPU_COUNT(&r->cores.ours)));
    d->state = DATA_MAKING;
    r->making_data = true;
    sq_cores_give_back(&r->cores); /* nothing is timed meanwhile */
    remember(r, sq_child_start(&r->loop, a.word, SQ_NAIVE_SECONDS, on_data, d));
    sq_cores_keep(&r->cores);
    sq_argv_free(&a);
    sq_text_free(&text);
}

/* ---- the loop ---- */

static bool may_run(const sq_run *r)
{
    bool alone = r->o.threads > 1 || r->cores.timing < 0;
    return !r->running && !r->making_data && !(alone && r->building > 0);
}

static bool may_build(const sq_run *r)
{
    bool alone = r->o.threads > 1;
    return r->building < r->cores.builds && !(alone && (r->running || !STAILQ_EMPTY(&r->ready)));
}

static void run_next(sq_run *r)
{
    struct work *w = STAILQ_FIRST(&r->ready);
    struct data *d = data_of(r, w->job.sizes, w->job.set);
    if (d->state == DATA_NONE)
        start_data(r, d);
    if (d->state == DATA_MAKING)
        return;
    w = list_take(&r->ready);
    w->sample.no_reference = d->state == DATA_FAILED;
    if (d->state == DATA_FAILED)
        finish(w, SQ_LOST, d->why);
    else
        start_run(w, d);
}

static void pump(sq_run *r)
{
    while (!STAILQ_EMPTY(&r->waiting) && may_build(r))
        start_build(list_take(&r->waiting));
    while (!STAILQ_EMPTY(&r->ready) && may_run(r))
        run_next(r);
    if (!STAILQ_EMPTY(&r->waiting) && r->cores.has_guests && !r->guest && !r->running &&
        !r->making_data)
        start_guest(list_take(&r->waiting));
}

int sq_run_submit(sq_run *r, const sq_job *job)
{
    struct work *w = sq_allocated(calloc(1, sizeof *w));
    w->job = *job;
    w->job.source = NULL;
    w->job.optimise = job->optimise ? job->optimise : r->kind->optimise;
    w->run = r;
    if (job->source) {
        char path[PATH_BYTES];
        source_path(r, job->id, path);
        w->calls_math = strstr(job->source, "<math.h>") != NULL;
        if (sq_workdir_write(path, job->source) < 0)
            finish(w, SQ_LOST, "cannot write the source");
        else
            STAILQ_INSERT_TAIL(&r->waiting, w, link);
    } else { /* callers wait for candidates that are built already: before the new ones */
        STAILQ_INSERT_HEAD(&r->ready, w, link);
    }
    pump(r);
    return 0;
}

static void on_wait_over(uv_timer_t *t)
{
    ((sq_run *)t->data)->woken = true;
}

static bool is_idle(const sq_run *r)
{
    return !r->building && !r->guest && !r->running && !r->making_data &&
           STAILQ_EMPTY(&r->waiting) && STAILQ_EMPTY(&r->ready);
}

int sq_run_collect(sq_run *r, sq_job *job, sq_sample *sample, double wait)
{
    r->woken = false;
    uv_timer_start(&r->timer, on_wait_over, (uint64_t)(wait * 1000), 0);
    pump(r);
    while (STAILQ_EMPTY(&r->done) && !r->woken && !is_idle(r)) {
        uv_run(&r->loop, UV_RUN_ONCE);
        pump(r);
    }
    uv_timer_stop(&r->timer);
    struct work *w = list_take(&r->done);
    if (!w)
        return is_idle(r) ? -1 : 0;
    *job = w->job;
    *sample = w->sample;
    free(w);
    return 1;
}

void sq_run_incumbent(sq_run *r, long id)
{
    r->best = id;
}

/* ---- open and close ---- */

static void set_defaults(sq_run *r)
{
    sq_run_options *o = &r->o;
    o->build_timeout = o->build_timeout > 0 ? o->build_timeout : r->kind->build_timeout;
    o->run_timeout = o->run_timeout > 0 ? o->run_timeout : r->kind->run_timeout;
    o->measure_seconds = o->measure_seconds > 0 ? o->measure_seconds : 0.1;
    o->threads = o->threads > 1 && !r->kind->is_device ? o->threads : 1;
    r->best = SQ_AGAINST_NONE;
}

/* What is compiled before the first candidate. */
static int build_first(const sq_run *r, sq_diags *d)
{
    char source[PATH_BYTES], to[PATH_BYTES];
    const sq_build naive = build_of(r, &r->c_compiler), linked = build_of(r, &r->compiler);
    source_path(r, -1, source);
    library_path(r, -1, to);
    if (sq_build_naive(&naive, r->kernel, source, to, d) != 0)
        return -1;
    linked_path(r, "c", source);
    linked_path(r, "o", to);
    return r->o.linked ? sq_build_linked(&linked, r->o.linked, source, to, d) : 0;
}

static int find_compilers(sq_run *r, sq_diags *d)
{
    const sq_run_options *o = &r->o;
    bool same = !r->kind->is_device;
    if (r->kind->compiler(o->cc, o->cflags, &r->compiler, d) < 0)
        return -1;
    return sq_compiler_words(same ? o->cc : NULL, same ? o->cflags : NULL, &r->c_compiler, d);
}

sq_run *sq_run_open(const sq_run_kind *kind, const sq_kernel *k, const sq_run_options *o,
                    sq_diags *d)
{
    sq_run *r = sq_allocated(calloc(1, sizeof *r));
    r->kind = kind;
    r->kernel = k;
    r->o = *o;
    set_defaults(r);
    STAILQ_INIT(&r->waiting);
    STAILQ_INIT(&r->ready);
    STAILQ_INIT(&r->done);
    uv_loop_init(&r->loop);
    uv_timer_init(&r->loop, &r->timer);
    r->timer.data = r;
    size_t bytes = sizeof *o->sizes * (size_t)(o->nsizes * k->nsizes);
    r->sizes = sq_allocated(malloc(bytes + sizeof *o->sizes));
    memcpy(r->sizes, o->sizes, bytes);
    sq_cores_take(&r->cores, o->jobs > MAX_JOBS ? MAX_JOBS : o->jobs, r->o.threads);
    if (sq_workdir_open(&r->dir, d) < 0 ||
        sq_harness_find(o->harness, r->harness, sizeof r->harness, d) < 0 ||
        find_compilers(r, d) < 0 || build_first(r, d) < 0)
        return sq_run_close(r);
    return r;
}

static void free_list(struct list *l)
{
    for (struct work *w; (w = list_take(l));)
        free(w);
}

sq_run *sq_run_close(sq_run *r)
{
    if (!r)
        return NULL;
    free_list(&r->waiting); /* nothing else may start */
    free_list(&r->ready);
    for (size_t i = 0; i < sizeof r->children / sizeof *r->children; i++)
        if (r->children[i])
            sq_child_kill(r->children[i]);
    uv_close((uv_handle_t *)&r->timer, NULL);
    uv_run(&r->loop, UV_RUN_DEFAULT);
    uv_loop_close(&r->loop);
    free_list(&r->ready); /* built in the meantime */
    free_list(&r->done);
    while (r->data) {
        struct data *next = r->data->next;
        free(r->data);
        r->data = next;
    }
    sq_workdir_close(&r->dir);
    sq_cores_give_back(&r->cores);
    sq_argv_free(&r->compiler);
    sq_argv_free(&r->c_compiler);
    free(r->sizes);
    free(r);
    return NULL;
}
