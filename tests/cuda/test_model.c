/* The model's runner: what it runs is verified before it is priced. Good candidates have a time and
 * stand beside the incumbent; a missing barrier, a wrong value, a guard by one and text that is
 * none become statuses, and the next candidate is fine. */
#include "tests/unit/runner_fixture.h"
#include "tuner/device/device_file.h"
#include "tuner/measure/toolchain.h"
#include "tuner/tune.h"
#include <string.h>
#include <unistd.h>

static const sq_runner *const tested = &sq_runner_model;
static const char script[] = "tile(i:32, j:32, k:16) order(i0, j0, i, j, k0) micro(i:4, j:4 | k) "
                             "hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:4)";

static sq_run *open_run(struct fixture *f, const char *cc)
{
    static const int64_t sizes[] = {1000, 1000, 1000};
    sq_run_options o = {.cc = cc,
                        .cflags = "-arch=sm_80",
                        .nsizes = 1,
                        .sizes = sizes,
                        .target = sq_target_get("cuda"),
                        .device = sq_device_known("sm_80")};
    return sq_runner_model.open(f->k, &o, f->d);
}

static void emit(struct fixture *f, sq_text *to)
{
    char why[400] = "";
    sq_tune_emitter e = {.kernel = f->k, .simulated = f->k, .emit = {.target = sq_target_get("cuda")}};
    if (sq_tune_source(&e, script, to, why, sizeof why) < 0)
        print_message("%s\n", why);
    assert_string_equal(why, "");
}

static void test_good(void **state)
{
    struct fixture *f = *state;
    sq_text text = {0};
    emit(f, &text);
    sq_sample s = run_job(f, (sq_job){.id = 1, .source = sq_text_str(&text), .against = -1});
    assert_string_equal(s.message, "");
    assert_int_equal(s.status, SQ_OK);
    /* Between the device's peak and a thousandth of it. */
    assert_true(s.times[0] > 2e9 / 19.5e12 && s.times[0] < 1);
    tested->incumbent(f->run, 1);
    sq_sample again =
        run_job(f, (sq_job){.id = 2, .source = sq_text_str(&text), .against = SQ_AGAINST_BEST});
    assert_true(again.nbase == s.n && again.base[0] == s.times[0] && again.times[0] == s.times[0]);
    again = run_job(f, (sq_job){.id = 1, .against = -1}); /* known, not built again */
    assert_true(again.status == SQ_OK && again.times[0] == s.times[0] && again.nbase == 0);
    sq_text_free(&text);
}

/* The text with the first `from` behind the first `after` turned into `to`. */
static char *broken(const char *text, const char *after, const char *from, const char *to)
{
    const char *start = strstr(text, after), *at = start ? strstr(start, from) : NULL;
    assert_non_null(at);
    char *copy = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(copy);
    sprintf(copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return copy;
}

static void test_bad(void **state)
{
    static const struct {
        const char *after, *from, *to;
        sq_status status;
    } row[] = {{"__global__", "__syncthreads();", ";", SQ_WRONG},
               {"__global__", "alpha *", "2 * alpha *", SQ_WRONG},
               {"__global__", "void", "nothing", SQ_BUILD_FAILED},
               {"__global__", "return (int)squall_candidate_launch(",
                "return 1 + (int)squall_candidate_launch(", SQ_CRASHED}};
    struct fixture *f = *state;
    sq_text text = {0};
    emit(f, &text);
    for (size_t i = 0; i < LENGTH(row); i++) {
        char *bad = broken(sq_text_str(&text), row[i].after, row[i].from, row[i].to);
        sq_sample s = run_job(f, (sq_job){.id = 10 + (long)i, .source = bad, .against = -1});
        if (s.status != row[i].status)
            print_message("row %zu: %s: %s\n", i, sq_status_name(s.status), s.message);
        assert_int_equal(s.status, row[i].status);
        assert_true(s.n == 0 && s.message[0]);
        free(bad);
    }
    sq_sample fine = run_job(f, (sq_job){.id = 20, .source = sq_text_str(&text), .against = -1});
    assert_int_equal(fine.status, SQ_OK);
    sq_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_good, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_bad, setup, teardown)};
    char simt[4000];
    snprintf(simt, sizeof simt, "%s/simt", getenv("SQUALL_BUILD"));
    if (!sq_is_on_path("g++") || access(simt, R_OK) != 0) {
        printf("skipped: no CUDA text runs here: there is no g++, or the headers are not built\n");
        return 77;
    }
    setenv("SQUALL_SIMT", simt, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
