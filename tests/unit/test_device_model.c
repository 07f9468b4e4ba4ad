/* Devices: occupancy at limits that can be worked out by hand, time that grows with the work and
 * falls with the rates, files with every kind of mistake. */
#include "support/file.h"
#include "tests/unit/unit.h"
#include "tuner/device/device_file.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static void test_occupancy(void **state)
{
    static const struct {
        const char *device;
        int threads, registers, shared, blocks;
        sq_bound bound;
    } row[] = {
        {"sm_80", 256, 32, 0, 8, SQ_BOUND_THREADS},
        {"sm_80", 256, 128, 0, 2, SQ_BOUND_REGISTERS},
        {"sm_80", 256, 129, 0, 1, SQ_BOUND_REGISTERS}, /* eight at a time: 136 */
        {"sm_80", 32, 16, 0, 32, SQ_BOUND_BLOCKS},
        {"sm_80", 256, 32, 56832, 2, SQ_BOUND_SHARED},
        {"sm_80", 33, 32, 0, 32, SQ_BOUND_THREADS}, /* two warps */
        {"sm_80", 128, 40, 166912, 1, SQ_BOUND_SHARED},
        {"sm_80", 128, 40, 166913, 0, SQ_BOUND_SHARED},
        {"sm_90", 256, 40, 56832, 4, SQ_BOUND_SHARED},
        {"sm_90", 1024, 255, 0, 0, SQ_BOUND_REGISTERS},
        {"sm_90", 32, 256, 0, 0, SQ_BOUND_REGISTERS},
        {"sm_90", 1025, 16, 0, 0, SQ_BOUND_THREADS},
        {"sm_90", 1024, 64, 0, 1, SQ_BOUND_REGISTERS},
    };
    sq_arena *arena = sq_arena_new();
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        sq_bound bound;
        const sq_device *d = sq_device_known(row[i].device);
        assert_int_equal(
            sq_device_occupancy(d, row[i].threads, row[i].registers, row[i].shared, &bound),
            row[i].blocks);
        assert_string_equal(sq_bound_name(bound), sq_bound_name(row[i].bound));
    }
    sq_arena_free(arena);
}

static sq_launch some_launch(void)
{
    return (sq_launch){.blocks = 1024,
                       .threads = 256,
                       .registers = 128,
                       .shared = 16 << 10,
                       .fma = 128. * 128 * 4096,
                       .fma_cycle = 64,
                       .instructions = 128. * 128 * 4096 / 32 * 1.1,
                       .shared_cycles = 1e5,
                       .l2_bytes = 4e6,
                       .waits = 256,
                       .chains = 64,
                       .memory_bytes = 2e8};
}

static void test_seconds(void **state)
{
    sq_arena *arena = sq_arena_new();
    sq_device d = *sq_device_known("a100-sxm4-40");
    sq_launch l = some_launch(), x = l;
    sq_limit limit;
    (void)state;
    double t = sq_device_seconds(&d, &l, &limit), peak = 2 * l.fma * l.blocks / 19.5e12;
    assert_true(t > peak && t < 2 * peak);
    assert_int_equal(limit, SQ_LIMIT_FMA);
    x.memory_bytes = 1e11;
    assert_true(sq_device_seconds(&d, &x, &limit) > 0.07);
    assert_int_equal(limit, SQ_LIMIT_MEMORY);
    x = l, x.shared_cycles = 1e7;
    assert_true(sq_device_seconds(&d, &x, &limit) > 2 * t);
    assert_int_equal(limit, SQ_LIMIT_SHARED);
    x = l, x.registers = 400;
    assert_true(isinf(sq_device_seconds(&d, &x, NULL)));
    x = l, x.blocks = 109; /* one block more than multiprocessors: twice the time of 108 */
    l.blocks = 108;
    assert_true(sq_device_seconds(&d, &x, NULL) > 1.5 * sq_device_seconds(&d, &l, NULL));
    /* The last blocks do not take as long as many: two of five are left for a second wave of three.
     */
    l.blocks = 3 * 108, x = l, x.blocks = 5 * 108, x.registers = l.registers = 80;
    assert_true(sq_device_seconds(&d, &x, NULL) < 1.8 * sq_device_seconds(&d, &l, NULL));
    l.blocks = x.blocks = 108, x.registers = l.registers = 128;
    /* A warp has one scheduler of four. */
    x = l, x.threads = 32;
    assert_true(sq_device_seconds(&d, &x, NULL) > 3 * sq_device_seconds(&d, &l, NULL));
    x = l, x.waits = 4096;
    double slow = sq_device_seconds(&d, &x, &limit);
    assert_int_equal(limit, SQ_LIMIT_LATENCY);
    x.ahead = 2; /* copies on their way */
    assert_true(sq_device_seconds(&d, &x, NULL) < 0.9 * slow);
    sq_arena_free(arena);
}

static const sq_device *read_text(const char *text, sq_arena *arena, char *why)
{
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_file_write(d, "device.json", text, strlen(text), 0), 0);
    const sq_device *x = sq_device_read("./device.json", arena, d);
    snprintf(why, 200, "%.190s", x ? "" : sq_diags_message(d, 0));
    sq_diags_free(d);
    unlink("device.json");
    return x;
}

static void test_known(void **state)
{
    const char *names[SQ_MAX_DEVICES];
    sq_arena *arena = sq_arena_new();
    (void)state;
    int n = sq_device_names(names);
    assert_true(n >= 8);
    for (int i = 0; i < n; i++) {
        const sq_device *d = sq_device_known(names[i]);
        assert_non_null(d);
        assert_string_equal(d->name, names[i]);
        json_t *object = sq_device_json(d); /* a row has all that a file must have */
        char *text = json_dumps(object, 0), why[200];
        if (!read_text(text, arena, why))
            fail_msg("%s: %s", names[i], why);
        free(text);
        json_decref(object);
    }
    assert_null(sq_device_known("a1000"));
    sq_arena_free(arena);
}

static void test_files(void **state)
{
    static const struct {
        const char *text, *why;
    } row[] = {
        {"{", "no JSON"},
        {"[]", "one JSON object"},
        {"{}", "has no 'name'"},
        {"{\"name\": \"x\", \"sms\": 3}", "a device has no 'sms'"},
        {"{\"name\": 3}", "'name' has to be a text"},
        {"{\"name\": \"x\", \"arch\": \"sm_80\", \"multiprocessors\": -1}",
         "'multiprocessors' has to be an integer from 1 to 4096"},
        {"{\"name\": \"x\", \"arch\": \"sm_80\", \"multiprocessors\": 1.5}", "an integer from"}};
    char why[200];
    sq_arena *arena = sq_arena_new();
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        assert_null(read_text(row[i].text, arena, why));
        assert_non_null(strstr(why, row[i].why));
    }
    const sq_device *h100 = sq_device_known("h100-sxm5");
    json_t *object = sq_device_json(h100);
    char *text = json_dumps(object, 0);
    const sq_device *again = read_text(text, arena, why);
    assert_non_null(again);
    assert_true(again->bandwidth == h100->bandwidth && again->l2 == h100->l2);
    free(text);
    json_decref(object);
    sq_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_occupancy),
                                       cmocka_unit_test(test_seconds), cmocka_unit_test(test_known),
                                       cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
