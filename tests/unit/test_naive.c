/* Naive nest: what it computes is what a person would write by hand, at small and odd sizes and at
 * sizes beyond one block of partial sums; and its text says what it should. */
#include "codegen/emit.h"
#include "codegen/print/scalar.h"
#include "tests/unit/make_kernel.h"
#include "tuner/measure/runner.h"
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <cmocka.h>

static sq_kernel *make_gemm_f64(isl_ctx *ctx)
{
    return make_gemm(ctx, SQ_F64);
}

static const struct {
    const char *name;
    sq_kernel *(*make)(isl_ctx *ctx);
    int nsizes;
    int64_t sizes[18];
    const char *by_hand; /* must agree with the naive nest */
} cases[] = {
    {"gemm",
     make_gemm_f64,
     6,
     {1, 1, 1, 0, 3, 2, 3, 2, 0, 2, 300, 5, 7, 13, 31, 129, 513, 3},
     "void squall_entry(void *const *arg) {\n"
     "  int M = *(int *)arg[0], N = *(int *)arg[1], K = *(int *)arg[2];\n"
     "  double alpha = *(double *)arg[3], beta = *(double *)arg[4];\n"
     "  const double *A = arg[5], *B = arg[6]; double *C = arg[7];\n"
     "  for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) { double s = 0;\n"
     "    for (int k = 0; k < K; k++) s += A[i*K+k]*B[k*N+j];\n"
     "    C[i*N+j] = beta*C[i*N+j] + alpha*s; } }\n"},
    {"conv",
     make_conv,
     6,
     {1, 2, 3, 31, 257, 1000},
     "void squall_entry(void *const *arg) {\n"
     "  int W = *(int *)arg[0]; const float *I = arg[1], *G = arg[2]; float *O = arg[3];\n"
     "  for (int x = 0; x < W; x++) { float s = 0;\n"
     "    for (int r = 0; r < 3; r++) if (x + r >= 1 && x + r - 1 < W) s += I[x+r-1]*G[r];\n"
     "    O[x] = s > 0 ? s : 0; } }\n"},
    {"triangle",
     make_triangle,
     5,
     {0, 1, 2, 33, 300},
     "void squall_entry(void *const *arg) {\n"
     "  int N = *(int *)arg[0]; const double *X = arg[1]; double *Y = arg[2];\n"
     "  for (int i = 0; i < N; i++) { double m = X[i*N];\n"
     "    for (int j = 0; j <= i; j++) m = X[i*N+j] > m ? X[i*N+j] : m;\n"
     "    for (int j = 0; j <= i; j++) Y[i*N+j] = X[i*N+j] - m; } }\n"},
    {"written",
     make_written,
     4,
     {0, 3, 1, 2, 5, 0, 20, 3},
     "void squall_entry(void *const *arg) {\n"
     "  int N = *(int *)arg[0], T = *(int *)arg[1]; float *A = arg[2];\n"
     "  for (int t = 0; t < T; t++) for (int i = 1; i < N; i++) A[i] = A[i-1] + A[i]; }\n"},
};

static void check_case(size_t c, sq_diags *d)
{
    isl_ctx *ctx = isl_ctx_alloc();
    sq_kernel *k = cases[c].make(ctx);
    sq_run_options o = {
        .cflags = "", .seed = 5, .nsizes = cases[c].nsizes, .sizes = cases[c].sizes};
    sq_run *run = sq_runner_local.open(k, &o, d);
    assert_non_null(run);
    for (int s = 0; s < cases[c].nsizes; s++) {
        sq_job job = {
            .id = 1, .source = s ? NULL : cases[c].by_hand, .against = -1, .sizes = s, .set = s};
        sq_sample sample;
        sq_runner_local.submit(run, &job);
        assert_int_equal(sq_runner_local.collect(run, &job, &sample, 60), 1);
        if (sample.status != SQ_OK)
            print_message("%s, row %d: %s: %s\n", cases[c].name, s, sq_status_name(sample.status),
                          sample.message);
        assert_int_equal(sample.status, SQ_OK);
    }
    sq_runner_local.close(run);
    sq_kernel_free(k);
    isl_ctx_free(ctx);
}

static void test_by_hand(void **state)
{
    sq_diags *d = sq_diags_new();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check_case(c, d);
    assert_int_equal(sq_diags_errors(d), 0);
    sq_diags_free(d);
}

static void test_params(void **state)
{
    (void)state;
    isl_ctx *ctx = isl_ctx_alloc();
    sq_kernel *k = make_gemm(ctx, SQ_F32);
    sq_text t = {0};
    assert_string_equal(sq_emit_params(k, SQ_EMIT_PUBLIC, false, NULL, k->arena),
                        "int M, int N, int K, float alpha, float beta, const float *A, const float *B, float *C");
    k->size[1]->fixed = true;
    k->size[1]->value = 77;
    assert_null(strstr(sq_emit_params(k, SQ_EMIT_PUBLIC, false, NULL, k->arena), "int N"));
    sq_emit_entry(k, "f", "e", &t);
    assert_non_null(strstr(sq_text_str(&t), "f(*(const int *)arg[0], *(const int *)arg[2], "));
    sq_text_clear(&t);
    sq_emit_options o = {.target = sq_target_get("c")};
    assert_int_equal(sq_emit_header(k, &o, "GEMM_H", &t), 0);
    assert_non_null(strstr(sq_text_str(&t), "enum { gemm_N = 77 };\n"));
    assert_non_null(strstr(sq_text_str(&t), "extern \"C\" {"));
    sq_text_free(&t);
    sq_kernel_free(k);
    isl_ctx_free(ctx);
}

/* Threads share rows of a product, whose elements read no others of theirs; the plain text knows none. */
static void test_shared(void **state)
{
    isl_ctx *ctx = isl_ctx_alloc();
    sq_kernel *k = make_gemm(ctx, SQ_F32);
    sq_diags *d = sq_diags_new();
    sq_text plain = {0}, shared = {0};
    (void)state;
    assert_int_equal(sq_emit_naive(k, "f", &plain, d), 0);
    assert_int_equal(sq_emit_naive_threads(k, "f", &shared, d), 0);
    assert_null(strstr(sq_text_str(&plain), "#pragma omp"));
    const char *at = strstr(sq_text_str(&shared), "#pragma omp parallel for private(");
    assert_non_null(at);
    assert_non_null(strstr(strchr(at, '\n'), "c0 = 0; "));
    assert_true(strstr(at, "for (int64_t") < strstr(at, "c1"));
    assert_null(strstr(at + 1, "#pragma omp"));
    sq_text_free(&plain);
    sq_text_free(&shared);
    sq_diags_free(d);
    sq_kernel_free(k);
    isl_ctx_free(ctx);
}

static void test_affine_text(void **state)
{
    static const struct {
        const char *aff, *text;
    } rows[] = {
        {"[N] -> { [i,j] -> [(2i - j + 3)] }", "2*i - j + 3"},
        {"[N] -> { [i,j] -> [(N - 1 - i)] }", "-i + (int64_t)N - 1"},
        {"[N] -> { [i,j] -> [(0)] }", "0"},
        {"[N] -> { [i,j] -> [(floor((i + N)/4) + 1)] }", "p_floord(i + (int64_t)N, 4) + 1"},
    };
    static const char *const dim[] = {"i", "j"};
    isl_ctx *ctx = isl_ctx_alloc();
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        sq_text t = {0};
        isl_aff *a = isl_aff_read_from_str(ctx, rows[r].aff);
        sq_scalar_aff(a, dim, "p_", &t);
        assert_string_equal(sq_text_str(&t), rows[r].text);
        isl_aff_free(a);
        sq_text_free(&t);
    }
    isl_ctx_free(ctx);
}

static void test_numbers(void **state)
{
    static const struct {
        double v;
        sq_type t;
        const char *text;
    } rows[] = {{1, SQ_F32, "1.0f"},
                {0.1, SQ_F64, "0.10000000000000001"},
                {-2, SQ_F64, "(-2.0)"},
                {1e20, SQ_F32, "1.00000002e+20f"},
                {(double)INFINITY, SQ_F32, "__builtin_inff()"},
                {-(double)INFINITY, SQ_F64, "(-__builtin_inf())"},
                {(double)NAN, SQ_F32, "__builtin_nanf(\"\")"},
                {(double)NAN, SQ_F16, "__builtin_nanf(\"\")"},
                {(double)NAN, SQ_F64, "__builtin_nan(\"\")"}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        sq_text t = {0};
        sq_scalar_number(rows[r].t == SQ_F32 ? (float)rows[r].v : rows[r].v, rows[r].t, &t);
        assert_string_equal(sq_text_str(&t), rows[r].text);
        sq_text_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_params),
        cmocka_unit_test(test_shared),  cmocka_unit_test(test_affine_text),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
