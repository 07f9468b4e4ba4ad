/* Dependences and the checks of a description: exact maps for known kernels, order questions with
 * their counter-examples, and one wrong description of each kind with its smallest example. */
#include "ir/dependence/deps.h"
#include "support/text.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include "tests/unit/respected.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void deps_are(sq_kernel *k, const char *expected)
{
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_deps_compute(k, d), 0);
    isl_union_map *e = isl_union_map_read_from_str(ctx, expected);
    e = isl_union_map_intersect_params(e, isl_set_copy(k->context));
    bool same = isl_union_map_is_equal(e, k->deps) == isl_bool_true;
    if (!same)
        isl_union_map_dump(k->deps);
    isl_union_map_free(e);
    sq_diags_free(d);
    assert_true(same);
}

static void gemm_only_its_reduction(void **state)
{
    (void)state;
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    deps_are(k, "[M,N,K] -> { S0_u[i,j,k] -> S0[i,j] : 0 <= i < M and 0 <= j < N and "
                "0 <= k < K }");
    sq_kernel_free(k);
}

static void chain_by_position(void **state)
{
    (void)state;
    sq_kernel *k = kernel_chain(ctx, 1, 0);
    deps_are(k, "[N] -> { S0[i] -> S1[i - 1] : 2 <= i < N - 1 }");
    sq_kernel_free(k);
}

static void written_rows(void **state)
{
    (void)state;
    sq_kernel *k = kernel_rows(ctx, 1);
    deps_are(k, "[N] -> { S0[i,j] -> S0[i + 1,j - 1] : 1 <= i < N - 1 and 2 <= j < N - 1 }");
    sq_kernel_free(k);
}

/* Flow, anti and output dependences of both statements, all pairs and not only the nearest. */
static void jacobi_all_pairs(void **state)
{
    (void)state;
    sq_kernel *k = kernel_jacobi(ctx);
    deps_are(k, "[T,N] -> {"
                "S0[t,i] -> S1[u,i] : 0 <= t <= u < T and 1 <= i < N - 1;"
                "S1[t,i] -> S0[u,i] : 0 <= t < u < T and 1 <= i < N - 1;"
                "S0[t,i] -> S0[u,i] : 0 <= t < u < T and 1 <= i < N - 1;"
                "S1[t,i] -> S1[u,i] : 0 <= t < u < T and 1 <= i < N - 1;"
                "S0[t,i] -> S1[u,j] : 0 <= t <= u < T and 1 <= i < N - 1 and 1 <= j < N - 1 and "
                "(j = i - 1 or j = i + 1);"
                "S1[t,i] -> S0[u,j] : 0 <= t < u < T and 1 <= i < N - 1 and 1 <= j < N - 1 and "
                "(j = i - 1 or j = i + 1) }");
    sq_kernel_free(k);
}

static void printed_in_user_names(void **state)
{
    (void)state;
    sq_text t = {0};
    sq_diags *d = sq_diags_new();
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    assert_int_equal(sq_deps_compute(k, d), 0);
    sq_deps_print(k, &t);
    assert_non_null(strstr(sq_text_str(&t), "S0_u[i, j, k] -> S0[i'"));
    sq_text_free(&t);
    sq_diags_free(d);
    sq_kernel_free(k);
}

/* time, as isl text; equal allowed; expected result; what the reason must contain. */
static void order_questions(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        bool equal;
        int result;
        const char *why;
    } rows[] = {
        {"{ S0[i,j] -> [i,j] }", false, 0, NULL},
        {"{ S0[i,j] -> [i,-j] }", false, 0, NULL},
        {"{ S0[i,j] -> [j,i] }", false, 1,
         "with N=4: S0[i=2, j=1] needs S0[i=1, j=2], which would run later or at the same time"},
        {"{ S0[i,j] -> [-i,j] }", true, 1, "which would run later"},
        {"{ S0[i,j] -> [0,0] }", true, 0, NULL},
        {"{ S0[i,j] -> [0,0] }", false, 1, "at the same time"},
    };
    sq_kernel *k = kernel_rows(ctx, 1);
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_deps_compute(k, d), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = NULL;
        isl_union_map *time = isl_union_map_read_from_str(ctx, rows[i].time);
        assert_int_equal(deps_respected(k, time, rows[i].equal, &why), rows[i].result);
        if (rows[i].why)
            assert_non_null(strstr(why, rows[i].why));
        isl_union_map_free(time);
    }
    sq_diags_free(d);
    sq_kernel_free(k);
}

static void sound(sq_kernel *k)
{
    sq_diags *d = sq_diags_new();
    if (sq_kernel_check(k, d))
        sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
    assert_int_equal(sq_diags_errors(d), 0);
    sq_diags_free(d);
    sq_kernel_free(k);
}

/* The message of the only error. */
static void unsound(sq_kernel *k, const char *expected)
{
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_kernel_check(k, d), -1);
    assert_int_equal(sq_diags_errors(d), 1);
    assert_string_equal(sq_diags_message(d, 0), expected);
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_INPUT);
    sq_diags_free(d);
    sq_kernel_free(k);
}

static void sound_descriptions(void **state)
{
    (void)state;
    sound(kernel_gemm(ctx, SQ_F32, SQ_F32));
    sound(kernel_gemm_relu(ctx));
    sound(kernel_conv(ctx));
    sound(kernel_rows(ctx, 1));
    sound(kernel_rows(ctx, -1));
    sound(kernel_jacobi(ctx));
    sound(kernel_trmm(ctx));
    sound(kernel_chain(ctx, 0, 1));
    sound(kernel_chain(ctx, -1, 0));
}

static void out_of_bounds(void **state)
{
    (void)state;
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    sq_access *read[4];
    sq_stmt_reads(k->stmt[0], read, NULL, 4);
    isl_multi_aff_free(read[0]->map);
    read[0]->map = isl_multi_aff_read_from_str(ctx, "{ S0_u[i,j,k] -> A[(i - 1),(k)] }");
    unsound(k, "'A' is read out of bounds: for example with M=1, N=1, K=1: "
               "S0[i=0, j=0, k=0] reads A[-1][0]");
    unsound(kernel_rows(ctx, -2), "'A' is read out of bounds: for example with N=3: "
                                  "S0[i=1, j=1] reads A[0][-1]");
}

static void clamped_and_padded(void **state)
{
    (void)state;
    for (int edge = SQ_EDGE_PAD; edge <= SQ_EDGE_CLAMP; edge++) {
        sq_kernel *k = kernel_chain(ctx, -2, 0);
        sq_access *read[2];
        sq_stmt_reads(k->stmt[1], read, NULL, 2);
        read[0]->edge = (sq_edge)edge;
        sound(k);
    }
}

static void reads_itself(void **state)
{
    (void)state;
    sq_kernel *k = kernel_rows(ctx, 0);
    k->stmt[0]->written_loops = false;
    unsound(k, "an index statement has no order, so it cannot read what it writes elsewhere: for "
               "example with N=3: S0[i=2, j=1] reads an element of 'A' that S0[i=1, j=1] writes");
}

static void read_before_written(void **state)
{
    (void)state;
    unsound(kernel_chain(ctx, 0, 2), "'T' is read before it is written: for example with N=3: "
                                     "S1[i=1] reads T[1]");
}

/* Decided by elements: the border of B is never written, its inside always before it is read. */
static void roles(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    sq_kernel_array(k, "C")->role = SQ_OUT;
    assert_int_equal(sq_kernel_check(k, d), 0);
    assert_int_equal(sq_kernel_array(k, "C")->role, SQ_INOUT);
    sq_kernel_free(k);
    for (int reach = 0; reach <= 2; reach += 2) {
        k = kernel_chain(ctx, 0, reach);
        sq_kernel_array(k, "T")->role = SQ_OUT;
        assert_int_equal(sq_kernel_check(k, d), 0);
        assert_int_equal(sq_kernel_array(k, "T")->role, reach == 0 ? SQ_OUT : SQ_INOUT);
        sq_kernel_free(k);
    }
    sq_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_only_its_reduction),
        cmocka_unit_test(chain_by_position),
        cmocka_unit_test(written_rows),
        cmocka_unit_test(jacobi_all_pairs),
        cmocka_unit_test(printed_in_user_names),
        cmocka_unit_test(order_questions),
        cmocka_unit_test(sound_descriptions),
        cmocka_unit_test(out_of_bounds),
        cmocka_unit_test(clamped_and_padded),
        cmocka_unit_test(reads_itself),
        cmocka_unit_test(read_before_written),
        cmocka_unit_test(roles),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
