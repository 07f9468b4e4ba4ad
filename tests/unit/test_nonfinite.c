/* Nonfinite: which kernels are compared at infinities, NaN and zeros of either sign. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unit/unit.h"
#include "frontend/frontend.h"
#include "tuner/measure/nonfinite.h"
#include <string.h>

static sq_nonfinite nonfinite_of(const char *fp, const char *statements)
{
    char text[2000];
    snprintf(text, sizeof text,
             "#include \"squall.h\"\n"
             "kernel f(int M, int N, const f32 A[M][N], const f32 B[N][M], f32 C[M][M],\n"
             "         uint8_t D[M][M]) {\n"
             "#pragma squall fp %s\n"
             "idx i, j, k; D[i][j] = 0; %s }\n",
             fp, statements);
    isl_ctx *ctx = isl_ctx_alloc();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sq_parse(ctx, "t.sq", text, strlen(text), NULL, d);
    assert_non_null(u);
    sq_nonfinite n = sq_nonfinite_of(u->kernel[0]);
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    return n;
}

/* Sums are infinite or NaN in every order, but have a sign of their own where they are 0. */
static void sums(void **state)
{
    (void)state;
    sq_nonfinite one = nonfinite_of("reassoc", "C[i][j] = relu(A[i][j]) / B[j][i];");
    sq_nonfinite sum = nonfinite_of("reassoc", "C[i][j] = sum(A[i][k] * B[k][j], k);");
    sq_nonfinite kept = nonfinite_of("strict", "C[i][j] = sum(A[i][k] * B[k][j], k);");
    assert_true(one.is_worth && one.has_signs);
    assert_true(sum.is_worth && !sum.has_signs);
    assert_true(kept.is_worth && kept.has_signs);
    assert_false(
        nonfinite_of("reassoc", "C[i][j] = sum(pad(A[i + 1][k], 0.f) * B[k][j], k);").is_worth);
    assert_true(nonfinite_of("reassoc", "C[i][j] = pad(A[i + 1][j], 0.f) * B[j][i];").is_worth);
    assert_false(
        nonfinite_of("reassoc", "C[i][j] = B[0][0] * sum(A[i][k] * B[k][j], k);").is_worth);
}

/* What has an order that a schedule may change, or a promise that there are no such numbers. */
static void orders(void **state)
{
    (void)state;
    const char *largest = "C[i][0] = rmax(A[i][k], k);";
    assert_false(nonfinite_of("reassoc", largest).is_worth);
    assert_true(nonfinite_of("strict", largest).is_worth);
    assert_false(nonfinite_of("fast", "C[i][j] = A[i][j] + B[j][i];").is_worth);
}

static void integers(void **state)
{
    (void)state;
    assert_false(nonfinite_of("reassoc", "D[i][j] = (uint8_t)A[i][j];").is_worth);
    assert_true(nonfinite_of("reassoc", "D[i][j] = sat_uint8(A[i][j]);").is_worth);
    assert_true(nonfinite_of("reassoc", "int32_t T[M]; T[i] = sat_int32(A[i][0]); D[i][j] = T[i];")
                    .is_worth);
    assert_false(
        nonfinite_of("reassoc", "D[i][j] = (uint8_t)min2(max2(A[i][j], -1.f), 255.f);").is_worth);
    assert_false(
        nonfinite_of("reassoc", "D[i][j] = (uint8_t)min2(max2(A[i][j], 0.f), 256.f);").is_worth);
    assert_false(nonfinite_of("reassoc", "D[i][j] = i;").is_worth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(orders),
                                       cmocka_unit_test(integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
