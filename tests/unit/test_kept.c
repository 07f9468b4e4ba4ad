/* Kept: a schedule's text is the same whatever schedules of its kernel were emitted before it, and isl's loops that
 * those had are not computed again. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/file.h"
#include "support/stats.h"
#include "tests/unit/unit.h"
#include "tuner/space/choices.h"
#include "transforms/transform.h"
#include "tuner/tune.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <math.h>

enum { SCRIPTS = 5, MOST_DRAWS = 20000, SIZE = 45 };

typedef struct problem {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *unit;
    sq_tune_emitter emitter;
} problem;

static const sq_kernel *kernel_of(const problem *p)
{
    return p->unit->kernel[0];
}

/* The sample, each of its sizes SIZE. */
static void open_problem(problem *p, const char *name)
{
    char path[600];
    size_t length;
    sq_fix fix[SQ_MAX_SIZES];
    p->ctx = isl_ctx_alloc();
    isl_options_set_on_error(p->ctx, ISL_ON_ERROR_CONTINUE);
    p->d = sq_diags_new();
    snprintf(path, sizeof path, "%s/samples/%s.sq", getenv("SQUALL_SOURCE"), name);
    char *text = sq_file_read(p->d, path, &length);
    assert_non_null(text);
    sq_unit *symbolic = sq_parse(p->ctx, path, text, length, &(sq_parse_options){.nfix = 0}, p->d);
    assert_non_null(symbolic);
    int n = symbolic->kernel[0]->nsizes;
    for (int i = 0; i < n; i++)
        fix[i] = (sq_fix){symbolic->kernel[0]->size[i]->name, SIZE + i};
    p->unit =
        sq_parse(p->ctx, path, text, length, &(sq_parse_options){.fix = fix, .nfix = n}, p->d);
    assert_non_null(p->unit);
    sq_unit_free(symbolic);
    free(text);
    assert_int_equal(sq_deps_compute(p->unit->kernel[0], p->d), 0);
    p->emitter = (sq_tune_emitter){.kernel = kernel_of(p),
                                   .emit = {.target = sq_target_get("avx2"), .is_promised = true}};
}

static void close_problem(problem *p)
{
    sq_unit_free(p->unit);
    sq_diags_free(p->d);
    isl_ctx_free(p->ctx);
}

/* Adds scripts that the model does not rule out, drawn by chance. */
static int draw_scripts(const problem *p, sq_text *script, int n)
{
    int64_t sizes[SQ_MAX_SIZES];
    int point[SQ_MAX_COORDS];
    sq_rng rng = {3};
    sq_nominal_sizes(kernel_of(p), sizes);
    sq_choices *c = sq_choices_new(kernel_of(p), sq_machine_class("avx2"), sq_target_get("avx2"),
                                   sizes, 1, p->unit->arena);
    const sq_space *space = sq_choices_space(c);
    for (int draw = 0; draw < MOST_DRAWS && n < SCRIPTS; draw++) {
        for (int i = 0; i < space->n; i++)
            point[i] = (int)sq_rng_below(&rng, (size_t)space->coord[i].nvalues);
        if (isfinite(sq_choices_cost(c, point)))
            sq_choices_script(c, point, &script[n++]);
    }
    return n;
}

static void expect_text(const problem *p, const char *script, const char *expected)
{
    sq_text text = {0};
    char why[400];
    int rc = sq_tune_source(&p->emitter, script, &text, why, sizeof why);
    assert_int_equal(rc == 0, expected != NULL);
    if (expected)
        assert_string_equal(sq_text_str(&text), expected);
    sq_text_free(&text);
}

/* Of a kernel that nothing was emitted of; NULL: the script is refused. */
static char *text_of_new(const char *name, const char *script)
{
    problem p;
    sq_text text = {0};
    char why[400];
    open_problem(&p, name);
    if (sq_tune_source(&p.emitter, script, &text, why, sizeof why) != 0)
        sq_text_free(&text);
    close_problem(&p);
    return text.s;
}

/* first: of the scripts. */
static void expect_same(const char *name, const char *first)
{
    problem p;
    sq_text script[SCRIPTS] = {{0}};
    char *expected[SCRIPTS];
    int emitted = 0;
    open_problem(&p, name);
    sq_text_puts(&script[0], first);
    int n = draw_scripts(&p, script, 1);
    assert_int_equal(n, SCRIPTS);
    for (int i = 0; i < n; i++) {
        expected[i] = text_of_new(name, sq_text_str(&script[i]));
        assert_true(i > 0 || expected[i]);
        emitted += expected[i] != NULL;
        expect_text(&p, sq_text_str(&script[i]), expected[i]);
    }
    assert_true(emitted >= SCRIPTS / 2);
    for (int i = n; i-- > 0;) /* all is kept now */
        expect_text(&p, sq_text_str(&script[i]), expected[i]);
    for (int i = 0; i < n; i++) {
        sq_text_free(&script[i]);
        free(expected[i]);
    }
    close_problem(&p);
}

static void test_texts_are_the_same(void **state)
{
    static const char *const samples[][2] = {
        {"attention", "S0: micro(i:3, j:8 | d) vectorize(j:8)"},
        {"trmm", "S0: micro(i:4, j:16 | k) vectorize(j:8)"},
        {"syrk", "S0: micro(i:5, j:8 | k) vectorize(j:8)"}};
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        expect_same(samples[i][0], samples[i][1]);
}

/* With a limit of isl's operations that ragged loops exceed, only what is kept can be emitted. */
static void test_kept_loops_cost_nothing(void **state)
{
    static const char script[] = "S0: tile(i:32, j:96) micro(i:4, j:16 | k) vectorize(j:8)";
    enum { FEW = 60000 };
    problem p;
    sq_text text = {0};
    char why[400];
    (void)state;
    for (int before = 0; before < 2; before++) {
        open_problem(&p, "trmm");
        if (before)
            assert_int_equal(sq_tune_source(&p.emitter, script, &text, why, sizeof why), 0);
        sq_text_clear(&text);
        sq_arena *arena = sq_arena_new();
        sq_schedule *s = sq_schedule_new(kernel_of(&p), arena);
        assert_int_equal(sq_script_apply(s, script, "script", arena, p.d), 0);
        isl_ctx_reset_operations(p.ctx);
        isl_ctx_set_max_operations(p.ctx, FEW);
        sq_emit_options o = p.emitter.emit;
        o.function = "squall_candidate";
        o.is_static = o.is_untested = true;
        o.provenance = "";
        assert_int_equal(sq_emit_source(s, &o, &text, p.d) == 0, before == 1);
        isl_ctx_set_max_operations(p.ctx, 0);
        isl_ctx_reset_error(p.ctx);
        sq_arena_free(arena);
        close_problem(&p);
    }
    sq_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_the_same),
        cmocka_unit_test(test_kept_loops_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
