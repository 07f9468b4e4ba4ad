/* Rounding: what outputs may differ by follows from types, lengths of sums and the statements
 * before, and is small beside the effect of one wrong term. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unit/unit.h"
#include "frontend/frontend.h"
#include <isl/options.h>
#include <string.h>

static const double f32 = 0x1p-24, f64 = 0x1p-53;

/* The bound of the array at n for each size. */
static double bound_of(const char *kernel, const char *array, int64_t n)
{
    char text[2000];
    snprintf(text, sizeof text, "#include \"squall.h\"\n%s\n", kernel);
    isl_ctx *ctx = isl_ctx_alloc();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sq_parse(ctx, "t.sq", text, strlen(text), NULL, d);
    assert_non_null(u);
    const sq_kernel *k = u->kernel[0];
    int64_t sizes[SQ_MAX_SIZES];
    double bound[16], found = -1;
    for (int i = 0; i < SQ_MAX_SIZES; i++)
        sizes[i] = n;
    assert_true(k->narrays <= 16);
    sq_kernel_rounding(k, sizes, bound);
    for (int a = 0; a < k->narrays; a++)
        if (strcmp(k->array[a]->name, array) == 0)
            found = bound[a];
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    return found;
}

#define SUM(type)                                                                                  \
    "kernel f(int N, const " type " A[N][N], " type " y[N]) { idx i, j; "                          \
    "y[i] = sum(A[i][j], j); }"

static void lengths_and_types(void **state)
{
    (void)state;
    double short_sum = bound_of(SUM("f32"), "y", 10), long_sum = bound_of(SUM("f32"), "y", 1000);
    assert_true(long_sum > 4000 * f32 && long_sum < 4200 * f32);
    assert_true(short_sum > 40 * f32 && short_sum < 70 * f32);
    assert_true(bound_of(SUM("f64"), "y", 1000) < 4200 * f64);
    assert_true(bound_of(SUM("int32_t"), "y", 1000) == 0);
    const char *most = "kernel f(int N, const f32 A[N][N], f32 y[N]) { idx i, j; "
                       "y[i] = rmax(A[i][j], j); }";
    assert_true(bound_of(most, "y", 1000) < 32 * f32);
    const char *wide = "kernel f(int N, const f32 A[N][N], f32 y[N]) { idx i, j; "
                       "y[i] = (f32)sum((f64)A[i][j], j); }";
    assert_true(bound_of(wide, "y", 1000) < 32 * f32);
}

/* Sums of integers are exact and large: what is made of them as real numbers differs by more. */
static void integers(void **state)
{
    (void)state;
    const char *blocks = "kernel f(int N, const int8_t X[N][32], const f32 s[N], f32 y[N]) { idx i, b, k;"
                         " int32_t t[N]; t[b] = sum((int32_t)X[b][k] * (int32_t)X[b][k], k);"
                         " y[i] = sum((f32)t[b] * s[b], b); }";
    double sum = bound_of(SUM("f32"), "y", 16), of_blocks = bound_of(blocks, "y", 16);
    assert_true(bound_of(blocks, "t", 16) == 0);
    assert_true(of_blocks > 300 * sum && of_blocks < 600 * sum);
    const char *weights = "kernel f(int N, const int8_t W[N][N], const f32 x[N], f32 y[N]) { idx i, j; "
                          "y[i] = sum((f32)W[i][j] * x[j], j); }";
    double weighted = bound_of(weights, "y", 1000);
    assert_true(weighted > 7 * bound_of(SUM("f32"), "y", 1000) && weighted < 10 * bound_of(SUM("f32"), "y", 1000));
}

static void chains(void **state)
{
    (void)state;
    const char *two = "kernel f(int N, const f32 A[N][N], f32 T[N], f32 y[N], f32 z[N]) {"
                      " idx i, j; assume(N >= 1);"
                      " T[i] = sum(A[i][j], j); y[i] = 0.5f * T[i]; z[i] = A[i][0] + 1.f; }";
    assert_true(bound_of(two, "y", 500) > bound_of(two, "T", 500));
    assert_true(bound_of(two, "z", 500) < 32 * f32); /* nothing of the sum reaches it */
    const char *loop = "kernel f(int T, int N, f32 A[N]) { for (int t = 0; t < T; t++) "
                       "for (int i = 1; i < N; i++) A[i] = 0.5f * (A[i] + A[i - 1]); }";
    assert_true(bound_of(loop, "A", 100) > 200 * f32); /* of each of the steps */
    assert_true(bound_of(loop, "A", 100) > 5 * bound_of(loop, "A", 10));
}

#define MEAN(by)                                                                                   \
    "kernel f(int N, const f32 A[N][N], f32 y[N]) { idx i, j; assume(N >= 1); "                    \
    "y[i] = sum(A[i][j], j) / " by "; }"

static void means(void **state)
{
    (void)state;
    assert_true(bound_of(MEAN("N"), "y", 1024) < (4 * 32 + 32) * f32);
    assert_true(bound_of(MEAN("N"), "y", 1024) > 4 * 32 * f32);
    assert_true(bound_of(MEAN("(2 * N)"), "y", 1024) < (4 * 32 + 32) * f32);
    assert_true(bound_of(MEAN("2.f"), "y", 1024) > 4 * 512 * f32); /* it may be near 0 itself */
    assert_true(bound_of(MEAN("0.5f"), "y", 1024) > 8 * 1024 * f32);
    assert_true(bound_of(MEAN("A[i][0]"), "y", 1024) > 8 * 1024 * f32);
}

#define TERMS(term)                                                                                \
    "kernel f(int N, const f32 A[N][N], const f32 b[N], f32 y[N]) { idx i, j; "                    \
    "y[i] = sum(" term ", j); }"

/* Constants above 1 make terms, and their errors, as much larger; those that are only chosen do not. */
static void constants(void **state)
{
    (void)state;
    double plain = bound_of(TERMS("A[i][j] * b[j]"), "y", 100);
    static const char *const larger[] = {TERMS("(A[i][j] - 127.5f) * b[j]"), TERMS("127.5f * A[i][j]"),
                                         TERMS("b[j] * (-127.5f + A[i][j])"), TERMS("A[i][j] / 0.0078125f"),
                                         TERMS("A[i][j] * (f32)127")};
    for (int i = 0; i < 5; i++) {
        double bound = bound_of(larger[i], "y", 100);
        assert_true(bound > 60 * plain && bound < 300 * plain);
    }
    static const char *const same[] = {TERMS("0.25f * A[i][j] + 0.5f"), TERMS("max2(A[i][j], -1e30f)"),
                                       TERMS("(A[i][j] < b[j] ? A[i][j] : -1e30f)"), TERMS("A[i][j] / 127.5f")};
    for (int i = 0; i < 4; i++)
        assert_true(bound_of(same[i], "y", 100) < 2 * plain);
    assert_true(bound_of(TERMS("A[i][j] + 1e30f"), "y", 100) < 1e6 * plain);
}

static void strict(void **state)
{
    (void)state;
    assert_true(bound_of("#pragma squall fp strict\n" SUM("f32"), "y", 1000) == 0);
    assert_true(bound_of("#pragma squall fp fast\n" SUM("f32"), "y", 1000) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_and_types),
        cmocka_unit_test(integers),
        cmocka_unit_test(chains),
        cmocka_unit_test(means),
        cmocka_unit_test(constants),
        cmocka_unit_test(strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
