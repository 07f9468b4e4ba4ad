/* Special: which kernels are compared at the ends of f16 and bf16, and with infinities. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unit/unit.h"
#include "frontend/frontend.h"
#include "tuner/measure/special.h"
#include <string.h>

/* Of the statements, on arrays whose type of 16 bits is `type`. */
static sq_special special_of(const char *type, const char *statements)
{
    char text[2000];
    snprintf(text, sizeof text,
             "#include \"squall.h\"\n"
             "kernel f(int M, int N, f32 a, const %s A[M][N], const f32 B[N][M], %s C[M][M]) {\n"
             "idx i, j, k; %s }\n",
             type, type, statements);
    isl_ctx *ctx = isl_ctx_alloc();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sq_parse(ctx, "t.sq", text, strlen(text), NULL, d);
    assert_non_null(u);
    sq_reach reach = sq_reach_of(u->kernel[0]);
    sq_special s = sq_special_of(u->kernel[0], &reach);
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    return s;
}

#define PRODUCT "C[i][j] = a * relu(sum(A[i][k] * B[k][j], k)) - 0.f;"

static void types(void **state)
{
    (void)state;
    sq_special half = special_of("f16", PRODUCT), brain = special_of("bf16", PRODUCT);
    assert_true(half.is_worth && half.takes_no_number && brain.is_worth);
    assert_int_equal(half.small, -14);
    assert_int_equal(half.large, 14);
    assert_int_equal(half.wide, 20);
    assert_int_equal(brain.wide, 0);
    assert_int_equal(brain.small, -126);
    assert_true(brain.large > 0 && brain.large * 2 < 127);
    assert_false(special_of("f32", PRODUCT).is_worth);
}

/* Where cancellation could not be told from a difference, nothing is compared. */
static void values(void **state)
{
    (void)state;
    assert_true(special_of("f16", "C[i][j] = A[i][j] - B[j][i] * a;").is_worth);
    assert_false(special_of("f16", "C[i][j] = A[i][j] + B[j][i] - A[i][j];").is_worth);
    assert_false(special_of("f16", "C[i][j] = A[i][j] + a - a;").is_worth);
    assert_false(special_of("f16", "C[i][j] = A[i][j] + 1.f;").is_worth);
    assert_false(special_of("f16", "C[i][j] = expf(A[i][j]);").is_worth);
    assert_false(special_of("f16", "C[i][j] = (f16)(a * A[i][j]) * B[j][i];").is_worth);
    assert_true(special_of("f16", "C[i][j] = (f16)(a * A[i][j]);").is_worth);
    assert_false(
        special_of("f16", "f16 T[M][M]; T[i][j] = a * A[i][j]; C[i][j] = T[i][j];").is_worth);
}

/* An infinity times what is outside of an array is not always computed, nor a maximum in order. */
static void no_numbers(void **state)
{
    (void)state;
    sq_special pads = special_of("f16", "C[i][j] = pad(A[i + 1][j], 0.f) * B[j][i];");
    assert_true(pads.is_worth && !pads.takes_no_number);
    assert_false(special_of("f16", "C[i][j] = pad(A[i + 1][j], 1.f) * B[j][i];").is_worth);
    assert_false(special_of("f16", "C[i][0] = rmax(A[i][k] * B[k][0], k);").takes_no_number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(types), cmocka_unit_test(values),
                                       cmocka_unit_test(no_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
