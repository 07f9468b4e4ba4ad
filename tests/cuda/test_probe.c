/* The probe of devices: what one says of itself, and what is said where there is none. simt_nvcc
 * builds the program that asks; with nvcc it is built, too. */
#include "tests/cuda/stand_in.h"
#include "tuner/device/device_probe.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static sq_arena *arena;

static void expect_none(const char *cc, const char *arch, double seconds, sq_probe_state state,
                        const char *message)
{
    sq_probe p;
    assert_int_equal(sq_device_probe(cc, arch, seconds, arena, &p), -1);
    if (p.state != state || !strstr(p.message, message))
        print_message("state %d: %s\n", (int)p.state, p.message);
    assert_int_equal(p.state, state);
    assert_non_null(strstr(p.message, message));
}

static void test_found(void **state)
{
    sq_probe p;
    (void)state;
    setenv("SQUALL_SIMT_ARCH", "80", 1);
    assert_int_equal(sq_device_probe(stand_in(), "sm_80", 0, arena, &p), 0);
    assert_int_equal(p.state, SQ_PROBE_FOUND);
    assert_string_equal(p.message, "");
    assert_true(p.devices == 1 && p.major == 8 && p.minor == 0 && p.driver == 13000);
    const sq_device *d = &p.device;
    assert_non_null(strstr(d->name, "sm_80"));
    assert_string_equal(d->arch, "sm_80");
    assert_true(d->multiprocessors == 108 && fabs(d->ghz - 1.41) < 1e-6);
    assert_true(d->fma_f32 == 64 && d->fma_f64 == 32 && d->fma_tensor == 1024);
    assert_true(d->threads == 2048 && d->blocks == 32 && d->registers == 65536);
    assert_true(d->shared == 164 * 1024 && d->shared_block == 163 * 1024 && d->l2 == 40 << 20);
    assert_true(fabs(d->l2_cycle - 3000) < 1);
    assert_true(d->bandwidth > 1350 && d->bandwidth < 1450); /* nine tenths of what there is */
}

/* Text for an older architecture runs; its figures are the newer device's. */
static void test_architectures(void **state)
{
    sq_probe p;
    (void)state;
    setenv("SQUALL_SIMT_ARCH", "80", 1);
    expect_none(stand_in(), "sm_90", 0, SQ_PROBE_TOO_OLD,
                "is of sm_80 and does not run what is built for sm_90");
    setenv("SQUALL_SIMT_ARCH", "90", 1);
    assert_int_equal(sq_device_probe(stand_in(), "sm_80", 0, arena, &p), 0);
    assert_string_equal(p.device.arch, "sm_80");
    assert_true(p.device.fma_f32 == 128 && p.device.multiprocessors == 132);
    expect_none(stand_in(), "sm_80a", 0, SQ_PROBE_TOO_OLD, "sm_80a");
    unsetenv("SQUALL_SIMT_ARCH");
}

static void test_none(void **state)
{
    (void)state;
    setenv("SIMT_NVCC_ERROR", "35", 1);
    expect_none(stand_in(), "sm_80", 0, SQ_PROBE_NO_DRIVER, "there is no driver of a CUDA device");
    setenv("SIMT_NVCC_ERROR", "100", 1);
    expect_none(stand_in(), "sm_80", 0, SQ_PROBE_NO_DEVICE, "there is no CUDA device (100, no");
    setenv("SIMT_NVCC_ERROR", "719", 1);
    expect_none(stand_in(), "sm_80", 0, SQ_PROBE_UNUSABLE, "cannot be used (719");
    unsetenv("SIMT_NVCC_ERROR");
}

static void test_no_compiler(void **state)
{
    (void)state;
    expect_none("no-such-nvcc", "sm_80", 0, SQ_PROBE_NO_COMPILER, "compiler 'no-such-nvcc'");
    expect_none("false", "sm_80", 0, SQ_PROBE_NO_COMPILER, "false builds no program");
    expect_none(stand_in(), "sm_80", 0.01, SQ_PROBE_NO_COMPILER, "it took too long");
}

static void test_nvcc(void **state)
{
    sq_probe p;
    char nvcc[4000];
    (void)state;
    if (!sq_nvcc_command(NULL, nvcc, sizeof nvcc)) {
        print_message("skipped: there is no nvcc\n");
        return;
    }
    int rc = sq_device_probe(NULL, "sm_80", 0, arena, &p);
    print_message("%s\n", rc == 0 ? p.device.name : p.message);
    assert_true(p.state != SQ_PROBE_NO_COMPILER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found), cmocka_unit_test(test_architectures),
        cmocka_unit_test(test_none),  cmocka_unit_test(test_no_compiler),
        cmocka_unit_test(test_nvcc),
    };
    if (stand_in_is_missing())
        return 77;
    arena = sq_arena_new();
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    sq_arena_free(arena);
    return rc;
}
