/* Runner fixture: a gemm and an open run of one runner. A test says which runner and how it opens:
 * `tested` and open_run(). */
#ifndef SQ_TESTS_RUNNER_FIXTURE_H
#define SQ_TESTS_RUNNER_FIXTURE_H
#include "tests/unit/make_kernel.h"
#include "tests/unit/unit.h"
#include "tuner/measure/runner.h"

struct fixture {
    isl_ctx *ctx;
    sq_kernel *k;
    sq_diags *d;
    sq_run *run;
};

static const sq_runner *const tested;
/* cc: the compiler; NULL: the one of the tests. NULL after adding an error to f->d. */
static sq_run *open_run(struct fixture *f, const char *cc);

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->ctx = isl_ctx_alloc();
    f->k = make_gemm(f->ctx, SQ_F32);
    f->d = sq_diags_new();
    f->run = open_run(f, NULL);
    *state = f;
    if (!f->run)
        sq_diags_print(f->d, stderr, SQ_DIAG_GCC, 0);
    return f->run ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    tested->close(f->run);
    sq_kernel_free(f->k);
    sq_diags_free(f->d);
    isl_ctx_free(f->ctx);
    free(f);
    return 0;
}

/* Submits a job and waits for it. */
static sq_sample run_job(struct fixture *f, sq_job job)
{
    sq_sample s;
    sq_job done;
    assert_int_equal(tested->submit(f->run, &job), 0);
    assert_int_equal(tested->collect(f->run, &done, &s, 120), 1);
    assert_int_equal(done.id, job.id);
    return s;
}
#endif
