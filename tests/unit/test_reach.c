/* Reach: which kernels are compared at inputs of other sizes than 1, and how large these may be. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unit/unit.h"
#include "frontend/frontend.h"
#include "tuner/measure/reach.h"
#include <string.h>

/* Of `Y[i][j] = value;` behind the statements of `before`. */
static sq_reach reach_of(const char *pragma, const char *before, const char *value)
{
    char text[2000];
    snprintf(text, sizeof text,
             "#include \"squall.h\"\n%s\n"
             "kernel f(int M, int N, const f32 X[M][N], const f32 Z[M][N], f32 Y[M][N]) {\n"
             "idx i, j; f32 m[M], s[M]; %s Y[i][j] = %s; }\n",
             pragma, before, value);
    isl_ctx *ctx = isl_ctx_alloc();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sq_parse(ctx, "t.sq", text, strlen(text), NULL, d);
    assert_non_null(u);
    sq_reach r = sq_reach_of(u->kernel[0]);
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    return r;
}

static void functions(void **state)
{
    (void)state;
    const char *none = "m[i] = 0; s[i] = 0;";
    sq_reach r = reach_of("", none, "X[i][j] * tanhf(Z[i][j])");
    assert_true(r.is_worth && !r.is_open && !r.is_positive);
    assert_int_equal(r.degree, 1);
    assert_true(r.largest == 128);
    assert_false(reach_of("", none, "X[i][j] * Z[i][j]").is_worth);
    assert_true(reach_of("", none, "logf(X[i][j])").is_positive);
    assert_true(reach_of("", none, "sqrtf(X[i][j] - Z[i][j])").is_open);
    assert_false(reach_of("", none, "sqrtf(X[i][j] * X[i][j])").is_positive);
    assert_false(reach_of("#pragma squall fp fast", none, "tanhf(X[i][j])").is_worth);
}

/* What exp makes may be infinite in f32, and is not in the naive nest's double. */
static void exponentials(void **state)
{
    (void)state;
    const char *none = "m[i] = 0; s[i] = 0;";
    assert_true(reach_of("", none, "expf(X[i][j])").largest == 128);
    assert_true(reach_of("", none, "1.f / (1.f + expf(X[i][j]))").largest == 128);
    assert_true(reach_of("", none, "logf(1.f + expf(X[i][j]))").largest == 8);
    assert_true(reach_of("", none, "expf(X[i][j]) - expf(Z[i][j])").largest == 8);
    assert_false(reach_of("", none, "expf(X[i][j] * Z[i][j]) - 1.f").is_worth);
    const char *shifted = "m[i] = rmax(X[i][j], j); Y[i][j] = expf(X[i][j] - m[i]);"
                          "s[i] = sum(Y[i][j], j);";
    sq_reach softmax = reach_of("", shifted, "Y[i][j] / s[i]");
    assert_true(softmax.is_worth && !softmax.is_positive && softmax.largest == 128);
    const char *plain = "m[i] = 0; Y[i][j] = expf(X[i][j]); s[i] = sum(Y[i][j], j);";
    assert_true(reach_of("", plain, "Y[i][j] / s[i]").largest == 8);
}

/* Inputs go beyond the constants that computed values are compared with; the integers that are made have to fit. */
static void bounds(void **state)
{
    (void)state;
    const char *none = "m[i] = 0; s[i] = 0;";
    assert_true(reach_of("", none, "X[i][j] * Z[i][j] > 100.f ? 1.f : X[i][j]").largest == 200);
    assert_true(reach_of("", none, "sqrtf(X[i][j]) > 12.f ? 1.f : 2.f").largest == 288);
    assert_true(reach_of("", none, "min2(X[i][j] * 2, 20.f)").is_worth);
    assert_false(
        reach_of("", none, "X[i][j] > 20.f ? 1.f : 2.f").has_bounds); /* see thresholds.h */
    assert_true(reach_of("", none, "(int32_t)min2(max2(X[i][j] * 2, -9.f), 9.f)").fits);
    assert_false(reach_of("", none, "(int32_t)min2(X[i][j] * 2, 9.f)").fits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions), cmocka_unit_test(exponentials),
                                       cmocka_unit_test(bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
