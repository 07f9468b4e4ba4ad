/* Make tune: a kernel, a space of hand-made candidates, and a runner that measures nothing, for tests
 * of sq_tune. */
#ifndef SQ_TESTS_MAKE_TUNE_H
#define SQ_TESTS_MAKE_TUNE_H
#include "tests/unit/make_kernel.h"
#include "tuner/tune.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { SIZE = 96 };
static const long works[] = {1, 4, 16, 64}, tricks[] = {0, 1, 2, 3, 4};
static char dir[] = "tune-XXXXXX";

/* work: how much useless work is done beside the useful; trick: what is wrong with it. */
static const char text[] =
    "void squall_entry(void *const *arg)\n{\n"
    "    int M = *(int *)arg[0], N = *(int *)arg[1], K = *(int *)arg[2];\n"
    "    float alpha = *(float *)arg[3], beta = *(float *)arg[4];\n"
    "    const float *A = arg[5], *B = arg[6];\n    float *C = arg[7];\n"
    "    static volatile float sink;\n"
    "    if (%ld == 1) return;\n    if (%ld == 2) *(volatile int *)8 = 1;\n"
    "    for (int i = 0; i < M; i++) {\n"
    "        float row[2048];\n        for (int j = 0; j < N; j++) row[j] = 0;\n"
    "        for (int k = 0; k < K; k++) for (int j = 0; j < N; j++) row[j] += A[i*K+k]*B[k*N+j];\n"
    "        for (int j = 0; j < N; j++) C[i*N+j] = beta*C[i*N+j] + alpha*row[j];\n"
    "    }\n"
    "    if (%ld != 3) for (int i = 0; i < %ld*400000; i++) sink = alpha;\n"
    "    if (%ld == 3) (void)((const volatile float *)B)[-1];\n}\n";

struct problem {
    sq_space space;
};

static inline int script(void *user, const int *point, sq_text *to)
{
    struct problem *p = user;
    sq_text_printf(to, "work(%ld) trick(%ld)", sq_space_value(&p->space, point, 0),
                   sq_space_value(&p->space, point, 1));
    return 0;
}

static inline int source(void *user, const char *s, sq_text *to, char *why, size_t n)
{
    long work, trick;
    (void)user;
    assert_int_equal(sscanf(s, "work(%ld) trick(%ld)", &work, &trick), 2);
    if (trick == 4) {
        snprintf(why, n, "no such trick");
        return -1;
    }
    sq_text_printf(to, text, trick, trick, trick, work, trick);
    return 0;
}

struct fixture {
    isl_ctx *ctx;
    sq_kernel *k;
    sq_arena *arena;
    sq_diags *d;
    struct problem problem;
    sq_tune_problem p;
    sq_tune_options o;
};

static inline int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->ctx = isl_ctx_alloc();
    f->k = make_gemm(f->ctx, SQ_F32);
    f->arena = sq_arena_new();
    f->d = sq_diags_new();
    f->problem.space = (sq_space){.n = 2, .start = {2, 0}};
    f->problem.space.coord[0] = (sq_coord){.name = "work", .nvalues = 4, .value = works, .axis = 0};
    f->problem.space.coord[1] =
        (sq_coord){.name = "trick", .nvalues = 5, .value = tricks, .axis = -1, .structural = true};
    f->p = (sq_tune_problem){
        .space = &f->problem.space, .user = &f->problem, .script = script, .source = source};
    f->o = (sq_tune_options){.store = &sq_store_sqlite,
                             .target = "generic",
                             .machine_class = "generic",
                             .machine = "test",
                             .rng = 1,
                             .run = {.cflags = "", .run_timeout = 5}};
    *state = f;
    return access(dir, F_OK) == 0 || mkdtemp(dir) ? 0 : -1;
}

static inline int teardown(void **state)
{
    struct fixture *f = *state;
    sq_kernel_free(f->k);
    sq_arena_free(f->arena);
    sq_diags_free(f->d);
    isl_ctx_free(f->ctx);
    free(f);
    return 0;
}

static const int64_t sizes[] = {SIZE, SIZE, SIZE};

/* Two points, one of them the start, and what one has without tuning. */
static inline void two_points(struct fixture *f, int start, const char *untuned)
{
    static const long slow[] = {16, 64};
    f->problem.space.coord[0].value = slow;
    f->problem.space.coord[0].nvalues = 2;
    f->problem.space.coord[1].nvalues = 1;
    f->problem.space.start[0] = start;
    f->p.untuned = untuned;
}

/* ---- a runner that measures nothing ---- */

/* As the local one, it has begun the next job by the time one is given back. Seconds are the work
 * of a script; its text is the script. */
enum { MAX_FAKE = 64 };
struct sq_run {
    sq_job job[MAX_FAKE];
    int n;
    double work[MAX_FAKE]; /* by id */
    long best;
};

static inline void fake_begin(sq_run *r)
{
    if (r->n && r->job[0].against == SQ_AGAINST_BEST)
        r->job[0].against = r->best;
}

static inline sq_run *fake_open(const sq_kernel *k, const sq_run_options *o, sq_diags *d)
{
    sq_run *r = calloc(1, sizeof *r);
    (void)k, (void)o, (void)d;
    r->best = SQ_AGAINST_NONE;
    return r;
}

static inline int fake_submit(sq_run *r, const sq_job *job)
{
    int at = job->source || !r->n ? r->n : 1; /* a built one comes before the new ones */
    assert_true(r->n < MAX_FAKE && job->id < MAX_FAKE);
    if (job->source)
        assert_int_equal(sscanf(job->source, "work(%lf)", &r->work[job->id]), 1);
    memmove(&r->job[at + 1], &r->job[at], (size_t)(r->n - at) * sizeof *r->job);
    r->job[at] = *job;
    r->job[at].source = NULL;
    r->n++;
    fake_begin(r);
    return 0;
}

static inline int fake_collect(sq_run *r, sq_job *job, sq_sample *s, double wait)
{
    (void)wait;
    if (!r->n)
        return -1;
    *job = r->job[0];
    memmove(r->job, r->job + 1, (size_t)--r->n * sizeof *r->job);
    fake_begin(r);
    *s = (sq_sample){.status = SQ_OK, .n = 20, .nbase = job->against >= 0 ? 20 : 0};
    for (int i = 0; i < 20; i++) {
        s->times[i] = 1e-3 * r->work[job->id] * (1 + 1e-3 * i);
        s->base[i] = job->against >= 0 ? 1e-3 * r->work[job->against] * (1 + 1e-3 * i) : 0;
    }
    return 1;
}

static inline void fake_incumbent(sq_run *r, long id)
{
    r->best = id;
}

static inline sq_run *fake_close(sq_run *r)
{
    free(r);
    return NULL;
}

static inline void fake_compiler(const char *cc, char *to, size_t n)
{
    (void)cc;
    snprintf(to, n, "none");
}

static const sq_runner fake = {"fake",      "",           fake_compiler,  fake_open,
                               fake_submit, fake_collect, fake_incumbent, fake_close};

static inline int fake_source(void *user, const char *s, sq_text *to, char *why, size_t n)
{
    (void)user, (void)why, (void)n;
    sq_text_puts(to, s);
    return 0;
}

/* Some have no text, of which one is early in every order. */
static inline int picky_source(void *user, const char *s, sq_text *to, char *why, size_t n)
{
    (void)user;
    snprintf(why, n, "no text");
    sq_text_puts(to, s);
    return strstr(s, "trick(3)") || strcmp(s, "work(64) trick(1)") == 0 ? -1 : 0;
}

/* Two points and a slow untuned script, under the runner that measures nothing. */
static inline void fake_points(struct fixture *f)
{
    two_points(f, 1, "work(512) trick(0)");
    f->p.source = picky_source;
    f->o.store = NULL;
    f->o.runner = &fake;
}
#endif
