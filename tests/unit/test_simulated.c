/* Predictions: the compiler's report is read; what grows with a sum is told from what a block does
 * once; what does not fit a device has no time. */
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include "tests/unit/unit.h"
#include "tuner/device/device_file.h"
#include "tuner/measure/simulated.h"
#include <math.h>

static void test_report(void **state)
{
    static const char text[] =
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function 'b_kernel1' for 'sm_80'\n"
        "ptxas info    : Function properties for b_kernel1\n"
        "    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
        "ptxas info    : Used 255 registers, used 1 barriers, 384 bytes cmem[0]\n"
        "ptxas info    : Compiling entry function 'a_kernel0' for 'sm_80'\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 78 registers, 384 bytes cmem[0]\n"
        "ptxas info    : Compiling entry function 'cut' for 'sm_80'\n";
    sq_ptxas p;
    (void)state;
    sq_ptxas_read(text, &p);
    assert_int_equal(p.n, 2);
    int a = sq_ptxas_find(&p, "a_kernel0"), b = sq_ptxas_find(&p, "b_kernel1");
    assert_true(a >= 0 && b >= 0 && sq_ptxas_find(&p, "cut") < 0);
    assert_int_equal(p.kernel[a].registers, 78);
    assert_int_equal(p.kernel[a].spills, 0);
    assert_int_equal(p.kernel[b].registers, 255);
    assert_int_equal(p.kernel[b].spills, 28);
    sq_ptxas_read("nvcc warning : nothing", &p);
    assert_int_equal(p.n, 0);
}

/* A gemm with blocks of 128 x 128: what a step takes, and its result once; `padded` times the flops
 * that count. */
static json_t *run_of(double blocks, double steps, double padded)
{
    return json_pack("{s:[{s:s, s:[f,i,i], s:[i,i,i], s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, "
                     "s:f}]}",
                     "launches", "kernel", "gemm_kernel0", "grid", blocks, 1, 1, "block", 256, 1, 1,
                     "static_shared", 0, "dynamic_shared", 17000, "times", 1, "flops",
                     padded * blocks * steps * 128 * 128 * 16 * 2, "sectors",
                     blocks * (steps * 512 + 4096), "wavefronts", blocks * steps * 2000,
                     "shared_accesses", blocks * steps * 1000, "global_accesses",
                     blocks * steps * 40, "global_reads", blocks * steps * 32, "phases",
                     blocks * steps);
}

enum { TWO_RUNS = 1, PADDED = 2, OTHER = 4 };

static double seconds_of(const sq_kernel *k, int64_t depth, int how, const char *device,
                         int registers)
{
    static const int64_t small[] = {128, 128, 128}, less[] = {128, 128, 64};
    const int64_t sizes[] = {4096, 4096, depth};
    char why[200] = "";
    double padded = how & PADDED ? 2 : 1;
    sq_arena *arena = sq_arena_new();
    json_t *ran = run_of(1, 8, padded), *shorter = run_of(1, 4, padded), *dry = run_of(1024, 0, 1);
    sq_ptxas report = {1, {{"gemm_kernel0", registers, 0}}};
    sq_simulated p = {.kernel = k,
                      .ran = {ran, small},
                      .less = {how & TWO_RUNS ? shorter : NULL, less},
                      .launches = {dry, sizes},
                      .compiled = &report};
    if (how & OTHER)
        json_object_set_new(json_array_get(json_object_get(dry, "launches"), 0), "kernel",
                            json_string("gemm_kernel1"));
    double t = sq_simulated_seconds(&p, sq_device_known(device), why, sizeof why);
    assert_true(isfinite(t) || strstr(why, how & OTHER ? "does not run at the small sizes"
                                                       : "no block of gemm_kernel0 fits"));
    json_decref(ran);
    json_decref(shorter);
    json_decref(dry);
    sq_arena_free(arena);
    return t;
}

static void test_seconds(void **state)
{
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    (void)state;
    double t = seconds_of(k, 4096, TWO_RUNS, "sm_80", 128), peak = 2 * pow(4096, 3) / 19.5e12;
    assert_true(t > peak &&
                t < 2.2 * peak); /* an H200 takes 2.2 times as long as its peak for this tile */
    double longer = seconds_of(k, 8192, TWO_RUNS, "sm_80", 128);
    assert_true(longer > 1.9 * t && longer < 2.1 * t);
    /* Without the second run steps are no fewer. */
    double alone = seconds_of(k, 4096, 0, "sm_80", 128);
    assert_true(alone > 0.99 * t && alone < 1.5 * t);
    assert_true(seconds_of(k, 4096, TWO_RUNS, "sm_90", 128) < 0.6 * t);
    /* Flops beyond those of the description take their time, and make no more steps. */
    double padded = seconds_of(k, 4096, TWO_RUNS | PADDED, "sm_80", 128);
    assert_true(padded > 1.3 * t && padded < 2.2 * t);
    assert_true(isinf(seconds_of(k, 4096, TWO_RUNS, "sm_80", 300)));
    assert_true(isinf(seconds_of(k, 4096, TWO_RUNS | OTHER, "sm_80", 128)));
    sq_kernel_free(k);
}

static void test_alike(void **state)
{
    json_t *a = run_of(4, 8, 1), *b = run_of(4, 2, 1), *c = run_of(5, 8, 1);
    (void)state;
    assert_true(sq_simulated_alike(a, b));
    assert_false(sq_simulated_alike(a, c));
    json_decref(a);
    json_decref(b);
    json_decref(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_report),
                                       cmocka_unit_test(test_seconds),
                                       cmocka_unit_test(test_alike)};
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
