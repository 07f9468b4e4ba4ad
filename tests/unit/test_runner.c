/* Runner and harness: good candidates are timed, bad ones become statuses. The planted ones: crash,
 * endless loop, wrong result, and every kind of overrun. */
#include "codegen/emit.h"
#include "tests/unit/runner_fixture.h"
#include <unistd.h>

enum { M = 33, N = 29, K = 65 };
#define HEAD                                                                                       \
    "void squall_entry(void *const *arg)\n{\n    int M = *(int *)arg[0], N = *(int *)arg[1], "     \
    "K = *(int *)arg[2];\n    float alpha = *(float *)arg[3], beta = *(float *)arg[4];\n"          \
    "    const float *A = arg[5], *B = arg[6];\n    float *C = arg[7];\n    (void)B;\n"
#define PLAIN                                                                                      \
    "    for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {\n        float s = 0;\n"        \
    "        for (int k = 0; k < K; k++) s += A[i*K+k]*B[k*N+j];\n"                                \
    "        C[i*N+j] = beta*C[i*N+j] + alpha*s;\n    }\n"
static const char good[] = HEAD PLAIN "}\n";
static const char slow[] =
    HEAD "    static volatile float sink;\n    for (int r = 0; r < 20*M*N*K; r++)"
         " sink = alpha;\n" PLAIN "}\n";

static const sq_runner *const tested = &sq_runner_local;

static sq_run *open_run(struct fixture *f, const char *cc)
{
    static const int64_t sizes[] = {M, N, K, 1, 1, 1, 0, 5, 3};
    sq_run_options o = {
        .cc = cc, .cflags = "", .run_timeout = 2, .seed = 3, .nsizes = 3, .sizes = sizes};
    return sq_runner_local.open(f->k, &o, f->d);
}

static void test_good(void **state)
{
    struct fixture *f = *state;
    sq_sample s = run_job(f, (sq_job){.id = 1, .source = good, .against = -1, .pairs = 10});
    if (s.status != SQ_OK)
        print_message("%s\n", s.message);
    assert_int_equal(s.status, SQ_OK);
    assert_true(s.n >= 5 && s.nbase == 0 && s.error < 0.1 && s.error > 0);
    for (int sizes = 1; sizes < 3; sizes++) { /* the built one again: other sizes, other inputs */
        s = run_job(f, (sq_job){.id = 1, .against = -1, .sizes = sizes, .set = sizes});
        assert_int_equal(s.status, SQ_OK);
    }
}

/* The slower one is given up after few pairs, and its times are larger by far. */
static void test_pairs(void **state)
{
    struct fixture *f = *state;
    run_job(f, (sq_job){.id = 1, .source = good, .against = -1, .pairs = 10});
    sq_runner_local.incumbent(f->run, 1);
    sq_sample s =
        run_job(f, (sq_job){.id = 2, .source = slow, .against = SQ_AGAINST_BEST, .pairs = 20});
    assert_int_equal(s.status, SQ_OK);
    assert_int_equal(s.n, s.nbase);
    assert_true(s.n < 5 && s.times[0] > 2 * s.base[0]);
    s = run_job(f, (sq_job){.id = 3, .source = good, .against = 2, .pairs = 8});
    assert_true(s.n >= 5);
    s = run_job(f, (sq_job){.id = 4, .source = slow, .against = 1, .pairs = 12, .full = true});
    assert_int_equal(s.n, 12);
    s = run_job(f, (sq_job){.id = 3, .against = 2, .pairs = 8});
    assert_true(s.n >= 5 && s.n == s.nbase && s.base[0] > 2 * s.times[0]);
}

/* Candidates find the C library in the harness. Of a function that has several versions one that includes
 * math.h has the newest, which dlsym() finds too: the oldest takes longer. */
#define FOUND                                                                                      \
    HEAD PLAIN "    extern void *dlsym(void *, const char *);\n"                                   \
               "    float (*volatile f)(float) = expf;\n    C[0] += f(0) != 1;\n"
static void test_libraries(void **state)
{
    struct fixture *f = *state;
    static const char with[] =
        "#include <math.h>\n" FOUND "    C[0] += (void *)f != dlsym(0, \"expf\");\n}\n",
                      without[] = "float expf(float);\n" FOUND "}\n";
    sq_sample s = run_job(f, (sq_job){.id = 70, .source = with, .against = -1});
    assert_int_equal(s.status, SQ_OK);
    s = run_job(f, (sq_job){.id = 71, .source = without, .against = -1});
    assert_int_equal(s.status, SQ_OK);
}

/* A call that takes so many milliseconds of processor time, its first one `first`. */
#define SPIN                                                                                       \
    "#include <time.h>\nstatic double now(void)\n{\n    struct timespec t;\n"                      \
    "    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);\n    return 1e3*t.tv_sec + 1e-6*t.tv_nsec;\n" \
    "}\n" HEAD PLAIN "    static int calls;\n    double until = now() + "
static const char wavering[] = SPIN "(calls++ ? 18 : 40);\n    while (now() < until) ;\n}\n";
static const char steady[] = SPIN "8 + 0*calls;\n    while (now() < until) ;\n}\n";

/* Few pairs are enough of slow calls; whether they are slow is asked as the comparison asks it, of
 * the incumbent's shortest, so that what is faster by far does not end one pair short of being
 * believed. */
static void test_slow_pairs(void **state)
{
    struct fixture *f = *state;
    run_job(f, (sq_job){.id = 60, .source = wavering, .against = -1});
    sq_sample s = run_job(f, (sq_job){.id = 61, .source = steady, .against = 60, .pairs = 20});
    assert_int_equal(s.status, SQ_OK);
    assert_true(s.base[0] > 0.02 && s.base[1] < 0.02);
    assert_true(s.n >= 5);
}

static const struct {
    const char *name, *source, *message;
    sq_status status;
} bad[] = {
    {"crash", HEAD "    *(volatile int *)8 = M;\n}\n", "segmentation fault", SQ_CRASHED},
    {"abort", "#include <stdlib.h>\n" HEAD "    abort();\n}\n", "abort", SQ_CRASHED},
    {"exit", "#include <stdlib.h>\n" HEAD "    exit(0);\n}\n", "without a reply", SQ_CRASHED},
    {"loop", HEAD "    for (volatile int i = 0;; i++) ;\n}\n", "too long", SQ_TIMEOUT},
    {"nothing", HEAD "}\n", "expected", SQ_WRONG},
    {"one element", HEAD PLAIN "    C[M*N-1] += 0.01f;\n}\n", "C[32][28] is", SQ_WRONG},
    {"NaN", HEAD PLAIN "    C[3] = 0.f/0.f;\n}\n", "C[0][3] is", SQ_WRONG},
    {"write past the end", HEAD PLAIN "    ((volatile float *)C)[M*N] = 1;\n}\n",
     "0 bytes past the end of 'C'", SQ_CRASHED},
    {"read past the end", HEAD PLAIN "    C[0] += ((const volatile float *)A)[M*K + 3];\n}\n",
     "12 bytes past the end of 'A'", SQ_CRASHED},
    {"write before", HEAD PLAIN "    ((volatile float *)C)[-1] = 1;\n}\n",
     "writes before the start of 'C'", SQ_WRONG},
    {"write an input", HEAD PLAIN "    ((float *)A)[7] = 1;\n}\n", "changes the input 'A'",
     SQ_WRONG},
    {"not C", "int f(;\n", "error:", SQ_BUILD_FAILED},
    {"no entry", "int f;\n", "cannot load", SQ_CRASHED},
};

static void test_bad(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sq_sample s = run_job(
            f, (sq_job){.id = 10 + (long)i, .source = bad[i].source, .against = -1, .pairs = 5});
        if (s.status != bad[i].status || !strstr(s.message, bad[i].message))
            print_message("%s: %s: %s\n", bad[i].name, sq_status_name(s.status), s.message);
        assert_int_equal(s.status, bad[i].status);
        assert_non_null(strstr(s.message, bad[i].message));
    }
}

/* Set 1 places arrays against the page before them: the other side's overruns trap there. */
static void test_read_before(void **state)
{
    struct fixture *f = *state;
    sq_job job = {.id = 50,
                  .source = HEAD PLAIN "    (void)((const volatile float *)B)[-1];\n}\n",
                  .against = -1,
                  .set = 1};
    sq_sample s = run_job(f, job);
    assert_int_equal(s.status, SQ_CRASHED);
    assert_non_null(strstr(s.message, "before the start of 'B'"));
}

/* Many at once: every job comes back exactly once. */
static void test_queue(void **state)
{
    struct fixture *f = *state;
    bool seen[12] = {0};
    for (long i = 0; i < 12; i++) {
        sq_job job = {.id = 100 + i, .source = i % 3 ? good : "nonsense", .against = -1};
        assert_int_equal(sq_runner_local.submit(f->run, &job), 0);
    }
    for (int i = 0; i < 12; i++) {
        sq_job job;
        sq_sample s;
        assert_int_equal(sq_runner_local.collect(f->run, &job, &s, 60), 1);
        assert_false(seen[job.id - 100]);
        seen[job.id - 100] = true;
        assert_int_equal(s.status, (job.id - 100) % 3 ? SQ_OK : SQ_BUILD_FAILED);
    }
    sq_job job;
    sq_sample s;
    assert_int_equal(sq_runner_local.collect(f->run, &job, &s, 1), -1);
}

/* Closing with work under way ends it. */
static void test_close_early(void **state)
{
    struct fixture *f = *state;
    sq_run *run = open_run(f, NULL);
    for (long i = 0; i < 5; i++)
        sq_runner_local.submit(run, &(sq_job){.id = i, .source = bad[3].source, .against = -1});
    sq_job job;
    sq_sample s;
    assert_int_equal(sq_runner_local.collect(run, &job, &s, 0.3), 0);
    assert_null(sq_runner_local.close(run));
}

static void test_no_compiler(void **state)
{
    struct fixture *f = *state;
    assert_null(open_run(f, "no-such-compiler -x"));
    assert_int_equal(sq_diags_fault(f->d), SQ_FAULT_WORLD);
    assert_non_null(strstr(sq_diags_message(f->d, 0), "no-such-compiler"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_slow_pairs),  cmocka_unit_test(test_bad),
        cmocka_unit_test(test_libraries),   cmocka_unit_test(test_read_before),
        cmocka_unit_test(test_queue),       cmocka_unit_test(test_close_early),
        cmocka_unit_test(test_no_compiler),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
