/* Wrappers: what the emitter and the model make of samples of every kind goes through the runner of
 * devices, at sizes that are nothing round: temporaries, launches in a loop, scalars, arrays of two
 * bytes and of one, leading dimensions, sizes of 0. simt_nvcc builds it. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "ir/machine/machine.h"
#include "support/file.h"
#include "tests/cuda/stand_in.h"
#include "tuner/model/draft.h"
#include "tuner/measure/runner.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct sample {
    const char *name;
    int64_t sizes[2][SQ_MAX_SIZES]; /* the second: as small as there are */
} sample;
static const sample samples[] = {
    {"softmax", {{5, 19}, {0, 1}}},
    {"hgemm", {{33, 17, 18}, {0, 8, 8}}},
    {"gemm_s8", {{17, 18, 35}, {1, 1, 1}}},
    {"sgemm_ld", {{9, 11, 7, 8, 13, 12}, {1, 1, 1, 1, 1, 1}}},
    {"jacobi_2d", {{3, 13}, {0, 3}}},
    {"attention", {{2, 9, 8}, {1, 1, 1}}},
    {"gemm_bias_relu", {{13, 19, 9}, {3, 0, 2}}},
};

static int emit(const sq_kernel *k, sq_text *to, sq_diags *d)
{
    sq_arena *arena = sq_arena_new();
    const sq_target *t = sq_target_get("cuda");
    sq_schedule *s = sq_schedule_new(k, arena);
    sq_text script = {0};
    sq_emit_options o = {.target = t, .function = "candidate", .is_static = true};
    sq_draft_schedule(s, sq_machine_class(t->machine), t, 1, arena, &script, NULL);
    int rc = sq_emit_source(s, &o, to, d);
    t->language->entry(k, "candidate", SQ_ENTRY, to);
    sq_text_free(&script);
    sq_arena_free(arena);
    return rc;
}

/* How many of the two rows went wrong. */
static int run_kernel(const sample *x, const sq_kernel *k, const char *source, sq_diags *d)
{
    int64_t sizes[2 * SQ_MAX_SIZES];
    int bad = 0;
    for (int r = 0; r < 2; r++)
        memcpy(sizes + (ptrdiff_t)r * k->nsizes, x->sizes[r], (size_t)k->nsizes * sizeof *sizes);
    sq_run_options o = {
        .cc = stand_in(), .cflags = "-arch=sm_80", .seed = 5, .nsizes = 2, .sizes = sizes};
    sq_run *run = sq_runner_device.open(k, &o, d);
    assert_non_null(run);
    for (int r = 0; r < 2; r++) {
        sq_job job = {.source = r ? NULL : source, .against = -1, .sizes = r, .pairs = 4};
        sq_sample s;
        sq_runner_device.submit(run, &job);
        assert_int_equal(sq_runner_device.collect(run, &job, &s, 300), 1);
        if (s.status == SQ_OK && s.n > 0)
            continue;
        print_message("%s, row %d: %s: %s\n", x->name, r, sq_status_name(s.status), s.message);
        bad++;
    }
    sq_runner_device.close(run);
    return bad;
}

static int run_sample(const sample *x)
{
    char path[4000];
    size_t n;
    sq_text source = {0};
    isl_ctx *ctx = isl_ctx_alloc();
    sq_diags *d = sq_diags_new();
    snprintf(path, sizeof path, "%s/samples/%s.sq", getenv("SQUALL_SOURCE"), x->name);
    char *text = sq_file_read(d, path, &n);
    sq_unit *u = text ? sq_parse(ctx, path, text, n, &(sq_parse_options){0}, d) : NULL;
    int bad = 1;
    if (u && sq_kernel_check(u->kernel[0], d) == 0 && sq_deps_compute(u->kernel[0], d) == 0 &&
        emit(u->kernel[0], &source, d) == 0)
        bad = run_kernel(x, u->kernel[0], sq_text_str(&source), d);
    sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
    sq_text_free(&source);
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    free(text);
    return bad;
}

static void test_samples(void **state)
{
    int bad = 0;
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        bad += run_sample(&samples[i]);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
    if (stand_in_is_missing())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
