/* Host machine: figures within what hardware can be, read from the cache the second time, measured
 * again when the cache is junk; the peak of a wider ISA is not below that of a narrower one. */
#include "support/file.h"
#include "tuner/device/machine_host.h"
#include "tuner/device/machine_peak.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static void test_host(void **state)
{
    char dir[] = "machine-XXXXXX", path[300], real[4096];
    sq_diags *d = sq_diags_new();
    sq_host a, b, c;
    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_non_null(realpath(dir, real));
    setenv("XDG_CACHE_HOME", real, 1);
    sq_host_get(&a, false, d);
    assert_false(a.cached);
    assert_string_equal(a.machine.name, "host");
    assert_string_equal(a.machine.isa, sq_machine_host_isa());
    assert_true(a.machine.l1 >= 8 << 10 && a.machine.l2 >= a.machine.l1);
    assert_ptr_equal(a.machine.cost, &a.cost);
    long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    assert_int_equal(a.cost.cache_line, line > 0 ? line : a.cost.cache_line);
    assert_true(a.cost.cache_line >= 16 && a.cost.cache_ways > 0);
    assert_true(a.machine.peak_f32 > 1 && a.machine.peak_f32 < 2000 && a.ghz > 0.3 && a.ghz < 10);
    assert_true(a.peak_f64 > 0.4 * a.machine.peak_f32 && a.peak_f64 < 0.6 * a.machine.peak_f32);
    assert_true(a.machine.bandwidth > 0.5 && a.machine.fma_per_cycle >= 0.5);
    sq_host_get(&b, false, d);
    assert_true(b.cached && b.machine.cores == a.machine.cores);
    assert_true(b.machine.peak_f32 > 0.999 * a.machine.peak_f32);
    assert_string_equal(a.fingerprint, b.fingerprint);
    snprintf(path, sizeof path, "%s/squall/machine-%s", dir, a.fingerprint);
    assert_int_equal(sq_file_write(d, path, "squall-machine 2\nghz -3", 23, 0), 0);
    sq_host_get(&c, false, d);
    assert_false(c.cached);
    assert_int_equal(sq_diags_errors(d), 0);
    unlink(path);
    sq_diags_free(d);
}

static void test_wider_is_faster(void **state)
{
    sq_peak generic, host;
    (void)state;
    assert_true(sq_peak_measure("generic", &generic));
    assert_true(sq_peak_measure(sq_machine_host_isa(), &host));
    /* Some processors with AVX2 do 32 bytes in two halves: there wide vectors gain nothing. */
    assert_true(host.f32 > 0.9 * generic.f32);
    if (strcmp(sq_machine_host_isa(), "avx512") == 0)
        assert_true(host.f32 > 1.5 * generic.f32);
    assert_true(host.fma_latency >= 2 && host.fma_latency <= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_host),
                                       cmocka_unit_test(test_wider_is_faster)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
