/* The runner of devices: good candidates are timed, bad ones become statuses. simt_nvcc builds them
 * here, so that no device is needed; what its clock says of them means nothing. */
#include "codegen/emit.h"
#include "tests/cuda/stand_in.h"
#include "tests/unit/runner_fixture.h"
#include <stdio.h>
#include <unistd.h>

enum { M = 19, N = 13, K = 17, RUN_SECONDS = 5 };

/* A kernel of one thread an element, and its launcher. */
#define KERNEL(body) KERNEL_OF("N", body)
#define KERNEL_OF(threads, body)                                                                   \
    "#include <cuda_runtime.h>\n"                                                                  \
    "__global__ void product(int M, int N, int K, float alpha, float beta, const float *A,\n"      \
    "                        const float *B, float *C)\n{\n"                                       \
    "    const int i = blockIdx.x, j = threadIdx.x;\n    float s = 0;\n" body "}\n"                \
    "extern \"C\" int candidate(int M, int N, int K, float alpha, float beta, const float *A,\n"   \
    "                           const float *B, float *C, void *stream)\n{\n"                      \
    "    product<<<M, " threads ", 0, (cudaStream_t)stream>>>(M, N, K, alpha, beta, A, B, C);\n"   \
    "    return (int)cudaGetLastError();\n}\n"
#define SUM "    for (int k = 0; k < K; k++)\n        s += A[i * K + k] * B[k * N + j];\n"
#define STORE "    C[i * N + j] = beta * C[i * N + j] + alpha * s;\n"

static const sq_runner *const tested = &sq_runner_device;

static sq_run *open_run(struct fixture *f, const char *cc)
{
    static const int64_t sizes[] = {M, N, K};
    sq_run_options o = {.cc = cc ? cc : stand_in(),
                        .cflags = "-arch=sm_80",
                        .run_timeout = RUN_SECONDS,
                        .seed = 3,
                        .nsizes = 1,
                        .sizes = sizes};
    return sq_runner_device.open(f->k, &o, f->d);
}

/* A text with a launcher, given its wrapper. */
static sq_sample run_text(struct fixture *f, const char *text, sq_job job)
{
    sq_text source = {0};
    sq_text_puts(&source, text);
    sq_target_get("cuda")->language->entry(f->k, "candidate", SQ_ENTRY, &source);
    job.source = sq_text_str(&source);
    sq_sample s = run_job(f, job);
    sq_text_free(&source);
    return s;
}

static void expect(const sq_sample *s, sq_status status, const char *message)
{
    if (s->status != status || !strstr(s->message, message))
        print_message("%s: %s\n", sq_status_name(s->status), s->message);
    assert_int_equal(s->status, status);
    assert_non_null(strstr(s->message, message));
}

static void expect_times(const double *times, int n)
{
    assert_true(n >= 4);
    for (int i = 0; i < n; i++)
        assert_true(times[i] > 0 && times[i] < RUN_SECONDS);
}

/* What the emitter writes. */
static void emit(struct fixture *f, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_emit_options o = {.target = sq_target_get("cuda"), .function = "candidate"};
    assert_int_equal(sq_emit_source(sq_schedule_new(f->k, arena), &o, to, f->d), 0);
    sq_arena_free(arena);
}

static void test_good(void **state)
{
    struct fixture *f = *state;
    sq_text emitted = {0};
    emit(f, &emitted);
    sq_sample s = run_text(f, sq_text_str(&emitted), (sq_job){.id = 1, .against = -1, .pairs = 5});
    expect(&s, SQ_OK, "");
    assert_int_equal(s.nbase, 0);
    expect_times(s.times, s.n);
    s = run_job(f, (sq_job){.id = 1, .against = -1, .set = 1});
    expect(&s, SQ_OK, "");
    assert_true(s.error > 0 && s.error < 1);
    sq_text_free(&emitted);
}

/* Both are on the device at once. */
static void test_pairs(void **state)
{
    struct fixture *f = *state;
    sq_runner_device.incumbent(f->run, 1);
    sq_sample s = run_text(f, KERNEL(SUM STORE),
                           (sq_job){.id = 2, .against = SQ_AGAINST_BEST, .pairs = 5, .full = true});
    expect(&s, SQ_OK, "");
    expect_times(s.times, s.n);
    expect_times(s.base, s.nbase);
}

static const struct {
    const char *name, *text, *message;
    sq_status status;
} bad[] = {
    {"not CUDA", "int f(;\n", "error:", SQ_BUILD_FAILED},
    {"wrong", KERNEL(SUM "    s += i == 3 && j == 5 ? 0.01f : 0;\n" STORE), "C[3][5] is", SQ_WRONG},
    {"nothing", KERNEL(""), "C[0][0] is", SQ_WRONG},
    {"past the end", KERNEL(SUM STORE "    C[M * N] = 1;\n"), "past the end of 'C'", SQ_WRONG},
    {"before", KERNEL(SUM STORE "    C[-2] = 1;\n"), "before the start of 'C'", SQ_WRONG},
    {"an input", KERNEL(SUM STORE "    ((float *)A)[1] = 1;\n"), "changes the input 'A'", SQ_WRONG},
    {"aligned only",
     KERNEL(SUM STORE
            "    const float2 two = ((const float2 *)A)[j];\n    if (two.x + two.y == 7)\n"
            "        C[0] = 7;\n"),
     "misaligned", SQ_CRASHED},
    {"trap", KERNEL(SUM STORE "    __trap();\n"), "device-side assert", SQ_CRASHED},
    {"crash", KERNEL("    *(volatile int *)8 = K;\n"), "", SQ_CRASHED},
    {"too many threads", KERNEL_OF("2000", SUM STORE), "the launch: ", SQ_CRASHED},
    {"later",
     KERNEL(SUM STORE) "static int calls;\n"
                       "#define candidate(...) (calls++ > 4 ? 1 : candidate(__VA_ARGS__))\n",
     "the launch: invalid argument", SQ_CRASHED},
    {"endless", KERNEL("    for (volatile int k = 0;; k++)\n        ;\n"), "too long", SQ_TIMEOUT},
};

/* The next one is fine, whatever became of one. */
static void test_bad(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        print_message("%s\n", bad[i].name);
        sq_sample s =
            run_text(f, bad[i].text, (sq_job){.id = 10 + (long)i, .against = -1, .pairs = 5});
        expect(&s, bad[i].status, bad[i].message);
    }
    sq_sample s = run_job(f, (sq_job){.id = 2, .against = -1, .pairs = 5});
    expect(&s, SQ_OK, "");
}

static void test_no_device(void **state)
{
    struct fixture *f = *state;
    setenv("SIMT_NVCC_ERROR", "100", 1);
    sq_sample s = run_job(f, (sq_job){.id = 2, .against = -1, .pairs = 5});
    expect(&s, SQ_LOST, "no CUDA device: no CUDA-capable device is detected");
    unsetenv("SIMT_NVCC_ERROR");
}

/* Where there is nvcc, it takes the text and the command line. The device is another question. */
static void test_nvcc(void **state)
{
    struct fixture *f = *state, own = *f;
    char nvcc[4000];
    sq_text emitted = {0};
    if (!sq_nvcc_command(NULL, nvcc, sizeof nvcc)) {
        print_message("skipped: there is no nvcc\n");
        return;
    }
    own.run = open_run(f, nvcc);
    assert_non_null(own.run);
    emit(&own, &emitted);
    sq_sample s = run_text(&own, sq_text_str(&emitted), (sq_job){.against = -1, .pairs = 5});
    if (s.status != SQ_OK)
        expect(&s, SQ_LOST, "no CUDA device: ");
    sq_text_free(&emitted);
    sq_runner_device.close(own.run);
}

static void test_version(void **state)
{
    char line[200];
    (void)state;
    sq_runner_device.compiler(stand_in(), line, sizeof line);
    assert_string_equal(line, "no tools, release 0.0");
    sq_runner_device.compiler("no-such-nvcc", line, sizeof line);
    assert_string_equal(line, "");
}

static void test_no_compiler(void **state)
{
    struct fixture *f = *state;
    assert_null(open_run(f, "no-such-nvcc -x"));
    assert_int_equal(sq_diags_fault(f->d), SQ_FAULT_WORLD);
    assert_non_null(strstr(sq_diags_message(f->d, 0), "no-such-nvcc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_bad),         cmocka_unit_test(test_no_device),
        cmocka_unit_test(test_nvcc),        cmocka_unit_test(test_version),
        cmocka_unit_test(test_no_compiler),
    };
    if (stand_in_is_missing())
        return 77;
    return cmocka_run_group_tests(tests, setup, teardown);
}
