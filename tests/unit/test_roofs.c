/* Roofs: measured for a class and kept, wider vectors not below narrower ones, nearer levels not
 * below farther ones; and which roof a kernel is under follows from its flops and its bytes. */
#include "frontend/frontend.h"
#include "support/file.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include "tuner/device/roofs.h"
#include "tuner/device/stream.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* Round figures: 100 GFLOP/s; reading at 10, writing at half of that from memory. */
static const sq_roofs plain = {.f32 = 100,
                               .f64 = 50,
                               .one = {.sum = {1000, 100, 50, 10}, .triad = {1000, 100, 50, 7.5}},
                               .all = {.sum = {4000, 400, 100, 20}, .triad = {4000, 400, 100, 15}}};
static const sq_host host = {.machine = {.l1 = 32 << 10, .l2 = 1 << 20, .l3 = 32 << 20}};

static sq_roof roof_of(double flops, double read, double written, double both, int threads)
{
    sq_traffic t = {.read = read, .written = written, .both = both, .held = read + written - both};
    return sq_roof_of(&plain, &host, 100 * threads, threads, flops, &t);
}

static void test_which(void **state)
{
    (void)state;
    sq_roof r = roof_of(1e9, 1e8, 0, 0, 1); /* as long either way: reading takes no longer */
    assert_null(r.memory);
    assert_true(fabs(r.seconds - 0.01) < 1e-9 && r.peak == 100 && r.bytes == 1e8);
    r = roof_of(1e8, 1e10, 0, 0, 1); /* what the caches hold is nothing to that */
    assert_string_equal(r.memory, "memory");
    assert_true(fabs(r.seconds - 1) < 0.01);
    r = roof_of(0, 1e10, 1e10, 0, 1); /* a copy: what is written costs twice */
    assert_true(fabs(r.seconds - 3) < 0.01 && r.bytes == 2e10);
    r = roof_of(0, 1e10, 1e10, 1e10, 1); /* in place: read by being written */
    assert_true(fabs(r.seconds - 2) < 0.01);
    r = roof_of(0, 1e10, 0, 0, 2);
    assert_true(fabs(r.seconds - 0.5) < 0.01);
    assert_string_equal(roof_of(0, 2e7, 0, 0, 1).memory, "L3");
    assert_string_equal(roof_of(0, 5e5, 0, 0, 1).memory, "L2");
    assert_string_equal(roof_of(0, 2e4, 0, 0, 1).memory, "L1");
    assert_string_equal(roof_of(0, 4e4, 0, 0, 2).memory, "L1"); /* a half each */
    sq_traffic t = {.read = 1e9, .held = 1e9};
    assert_null(sq_roof_of(&(sq_roofs){.f32 = 1}, &host, 1, 1, 1, &t).memory); /* not measured */
}

/* Just beyond a cache, nearly all may still come from it: a bound cannot be that of the next one. */
static void test_beyond(void **state)
{
    const double l1 = 32 << 10, l2 = 1 << 20, l3 = 32 << 20;
    (void)state;
    sq_roof r = roof_of(0, l1 + 8, 0, 0, 1);
    assert_string_equal(r.memory, "L2");
    assert_true(fabs(r.seconds - 1e-9 * (l1 / 1000 + 8 / 100.0)) < 1e-15);
    r = roof_of(0, 2 * l3, 0, 0, 1);
    assert_true(fabs(r.seconds - 1e-9 * (l1 / 1000 + l2 / 100 + l3 / 50 + (l3 - l2 - l1) / 10)) < 1e-9);
    assert_true(roof_of(0, l1, 0, 0, 1).seconds < roof_of(0, l1 + 8, 0, 0, 1).seconds);
}

/* Vectors hold four times as many bytes as values of f32; what is added to is as wide as it is. */
static void test_peak(void **state)
{
    const struct {
        const char *text;
        double peak;
    } row[] = {{"kernel k(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = X[i] * X[i] + X[i]; }", 100},
               {"kernel k(int N, const f64 X[N], f64 Y[N]) { idx i; Y[i] = X[i] * X[i] + X[i]; }", 50},
               {"kernel k(int N, const uint8_t X[N], uint8_t Y[N]) { idx i; Y[i] = (X[i] & 15) ^ 3; }", 400},
               {"kernel k(int N, const uint8_t X[N], int16_t Y[N]) { idx i; Y[i] = (X[i] & 15) ^ 3; }", 400},
               {"kernel k(int N, const int16_t X[N], int16_t Y[N]) { idx i; Y[i] = X[i] ^ 3; }", 200},
               {"kernel k(int N, const uint8_t X[N], int32_t Y[1]) { idx i; Y[0] = sum((int32_t)X[i], i); }", 100},
               {"kernel k(int N, const f64 X[N], f32 Y[N]) { idx i; Y[i] = (f32)(X[i] * X[i]) * 2.5f; }", 200.0 / 3}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[200];
        int n = snprintf(text, sizeof text, "#include \"squall.h\"\n%s\n", row[i].text);
        sq_diags *d = sq_diags_new();
        sq_unit *u = sq_parse(ctx, "t.sq", text, (size_t)n, &(sq_parse_options){0}, d);
        assert_non_null(u);
        double peak = sq_roofs_peak(&plain, u->kernel[0], (const int64_t[]){1000}, 1);
        if (fabs(peak - row[i].peak) > 1e-6)
            fail_msg("%s: %g", row[i].text, peak);
        sq_unit_free(u);
        sq_diags_free(d);
    }
}

static void traffic_is(const sq_kernel *k, int64_t m, int64_t n, int64_t sum, double read,
                       double written)
{
    sq_traffic t = sq_kernel_traffic(k, (const int64_t[]){m, n, sum});
    assert_true(t.read == read && t.written == written);
}

/* Arrays that nothing touches cost nothing: B has elements without a row of A, too. */
static void test_traffic(void **state)
{
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    (void)state;
    traffic_is(k, 2, 3, 5, 4 * (10 + 15 + 6), 24);
    traffic_is(k, 0, 64, 64, 0, 0);
    traffic_is(k, 64, 0, 64, 0, 0);
    traffic_is(k, 2, 3, 0, 24, 24);
    sq_kernel_free(k);
}

/* Memory is beyond all L3 that the threads have, as far as there is memory. */
static void test_sizes(void **state)
{
    const int64_t mib = 1 << 20, much = INT64_C(1) << 40;
    sq_host h = {.machine = {.l1 = 32 << 10, .l2 = 1 << 20, .l3 = 32 * mib}, .l3_groups = 1};
    (void)state;
    assert_int_equal(sq_roofs_bytes(&h, SQ_L1, 2, much), 16 << 10);
    assert_int_equal(sq_roofs_bytes(&h, SQ_MEMORY, 1, much), 192 * mib);
    assert_int_equal(sq_roofs_bytes(&h, SQ_MEMORY, 1, 100 * mib), 50 * mib);
    h.l3_groups = 8;
    assert_int_equal(sq_roofs_bytes(&h, SQ_MEMORY, 1, much), 192 * mib);
    assert_int_equal(sq_roofs_bytes(&h, SQ_MEMORY, 64, much), 1024 * mib);
    h.machine.l3 = 512 * mib;
    assert_int_equal(sq_roofs_bytes(&h, SQ_L3, 64, much), 192 * mib);
    assert_int_equal(sq_roofs_bytes(&h, SQ_MEMORY, 1, much), 1024 * mib);
    assert_int_equal(sq_roofs_bytes(&h, SQ_MEMORY, 64, much), 8192 * mib);
}

/* Measures in a process that may have `room` more bytes, with thread stacks of 64 MiB. */
static bool measures_with(int64_t bytes, int threads, long room)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        double sum = 1, triad = 1;
        long pages = 0;
        FILE *f = fopen("/proc/self/statm", "r");
        bool known = f && fscanf(f, "%ld", &pages) == 1;
        const rlim_t most = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + room);
        const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
        pthread_attr_t stacks;
        pthread_attr_init(&stacks);
        pthread_attr_setstacksize(&stacks, 64 << 20);
        pthread_setattr_default_np(&stacks);
        if (!known || setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(2);
        _exit(!sq_stream_measure("", bytes, threads, &sum, &triad));
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
}

static void test_lacking(void **state)
{
    const char *sanitized = getenv("SQUALL_SANITIZED");
    (void)state;
    if (sanitized && strcmp(sanitized, "0") != 0) {
        print_message("skipped: the sanitizer ends a process that gets no memory\n");
        skip();
    }
    assert_true(measures_with(12000, 1, 200 << 20));
    assert_true(measures_with(12000, 2, 200 << 20));
    assert_false(measures_with(INT64_C(1) << 40, 1, 200 << 20)); /* no arrays */
    assert_false(measures_with(12000, 4, 100 << 20));            /* not four threads */
}

static void test_measured(void **state)
{
    char dir[] = "roofs-XXXXXX", path[SQ_HOST_PATH], *real;
    sq_diags *d = sq_diags_new();
    sq_host h;
    sq_roofs own, generic, again;
    (void)state;
    assert_non_null(mkdtemp(dir));
    real = realpath(dir, NULL);
    setenv("XDG_CACHE_HOME", real, 1);
    sq_host_get(&h, false, d);
    assert_true(sq_roofs_get(&h, h.machine.isa, &own, d));
    assert_true(sq_roofs_get(&h, "generic", &generic, d));
    /* Some processors with AVX2 do 32 bytes in two halves: there wide vectors gain nothing. */
    const double most = strcmp(h.machine.isa, "avx512") == 0 ? 0.67 : 1.1;
    assert_true(generic.f32 < most * own.f32 && generic.f64 < most * own.f64);
    assert_true(own.one.sum[SQ_L1] > own.one.sum[SQ_MEMORY] && own.one.sum[SQ_MEMORY] > 0.5);
    assert_true(own.one.triad[SQ_MEMORY] < 1.2 * own.one.sum[SQ_MEMORY]);
    assert_true(own.all.sum[SQ_L1] > 0.5 * own.one.sum[SQ_L1]);
    assert_true(sq_roofs_get(&h, "generic", &again, d)); /* read, not measured: equal as printed */
    assert_true(fabs(again.f32 - generic.f32) < 1e-3 * generic.f32);
    sq_host_cache_path(&h, "generic", path);
    assert_true(sq_file_exists(path));
    assert_int_equal(sq_diags_errors(d), 0);
    free(real);
    sq_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_which), cmocka_unit_test(test_traffic),
                                       cmocka_unit_test(test_beyond), cmocka_unit_test(test_peak),
                                       cmocka_unit_test(test_sizes), cmocka_unit_test(test_lacking),
                                       cmocka_unit_test(test_measured)};
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
