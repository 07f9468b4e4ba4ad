/* Repeats: over the spaces of samples, how often a search asks for a script that it asked for
 * before. A coordinate without effect does not exist at a point, so that hardly any does, and a search that
 * gives up has asked for all there is. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/file.h"
#include "tests/unit/unit.h"
#include "tuner/model/draft.h"
#include "tuner/space/choices.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <math.h>

enum { ASKS = 50, MOST_SIZES = 64 };
static const double most_repeats = 0.05;

static const char *const samples[] = {
    "attention",   "bmm",     "bmm_bias_relu", "box_filter",     "contraction",  "contraction_abc",
    "conv",        "conv1d",  "conv2d",        "conv3d",         "conv_grouped", "dwconv",
    "elementwise", "gelu",    "gemm",          "gemm_bias_relu", "gemm_nt",      "gemm_residual",
    "gemm_s8",     "gemm_tn", "gemm_tt",       "hgemm",          "jacobi",       "jacobi_2d",
    "layernorm",   "maxpool", "mttkrp",        "row_argmax",     "sgemm_ld",     "softmax",
    "syrk",        "trmm",    "written_gemm",  "polybench/atax"};

typedef struct problem {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *unit;
    sq_choices *choices;
} problem;

static sq_unit *parse(problem *p, const char *path, const sq_fix *fix, int n)
{
    size_t length;
    char *text = sq_file_read(p->d, path, &length);
    assert_non_null(text);
    sq_unit *u =
        sq_parse(p->ctx, path, text, length, &(sq_parse_options){.fix = fix, .nfix = n}, p->d);
    assert_non_null(u);
    free(text);
    return u;
}

/* With all sizes constants. */
static void open_problem(problem *p, const char *name)
{
    char path[600];
    int64_t sizes[MOST_SIZES];
    sq_fix fix[MOST_SIZES];
    int n = 0;
    p->ctx = isl_ctx_alloc();
    isl_options_set_on_error(p->ctx, ISL_ON_ERROR_CONTINUE);
    p->d = sq_diags_new();
    snprintf(path, sizeof path, "%s/samples/%s.sq", getenv("SQUALL_SOURCE"), name);
    sq_unit *first = parse(p, path, NULL, 0);
    const sq_kernel *k = first->kernel[0];
    sq_nominal_sizes(k, sizes);
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed)
            fix[n++] = (sq_fix){k->size[i]->name, sizes[i]};
    p->unit = parse(p, path, fix, n);
    sq_unit_free(first);
    assert_int_equal(sq_deps_compute(p->unit->kernel[0], p->d), 0);
    p->choices = sq_choices_new(p->unit->kernel[0], sq_machine_class("avx2"), sq_target_get("avx2"),
                                sizes, 1, p->unit->arena);
    if (sq_choices_groups(p->choices) > 0)
        sq_choices_begin(p->choices);
}

static void close_problem(problem *p)
{
    sq_unit_free(p->unit);
    sq_diags_free(p->d);
    isl_ctx_free(p->ctx);
}

static bool was_asked(char **asked, int n, const char *script)
{
    for (int i = 0; i < n; i++)
        if (strcmp(asked[i], script) == 0)
            return true;
    return false;
}

/* What is told: the model's price, and a little by which no two scripts are alike. */
static double cost_of(const problem *p, const int *point, int n)
{
    double cost = sq_choices_cost(p->choices, point);
    return (isfinite(cost) ? cost : 1) * (1 + 1e-3 * (n * 7 % 11));
}

/* Without the model, which would take most of the time. Asks at most ASKS times; returns how
 * often, and in *repeats how many of them were for a script asked for before. */
static int ask_all(const problem *p, const sq_search *row, int *repeats)
{
    sq_search_options o = {.seed = 1};
    sq_seek *seek = row->open(sq_choices_space(p->choices), &o);
    char *asked[ASKS];
    double best = INFINITY;
    int n = 0, different = 0;
    for (; n < ASKS; n++) {
        int point[SQ_MAX_COORDS] = {0};
        sq_text script = {0};
        if (row->ask(seek, point) != 1)
            break;
        sq_choices_script(p->choices, point, &script);
        sq_told t = {.valid = true, .cost = cost_of(p, point, n)};
        memcpy(t.point, point, sizeof point);
        t.wins = t.cost < 0.99 * best;
        best = t.wins ? t.cost : best;
        row->tell(seek, &t);
        if (!was_asked(asked, different, sq_text_str(&script)))
            asked[different++] = strdup(sq_text_str(&script));
        sq_text_free(&script);
    }
    row->close(seek);
    for (int i = 0; i < different; i++)
        free(asked[i]);
    *repeats = n - different;
    return n;
}

static void few_repeats(void **state)
{
    (void)state;
    int asks[16] = {0}, repeats[16] = {0};
    for (size_t i = 0; i < LENGTH(samples); i++) {
        problem p;
        open_problem(&p, samples[i]);
        for (int s = 0; sq_searches[s]; s++) { /* the default on all of them */
            if (s > 0 && (i + (size_t)s) % 4 != 0)
                continue;
            int again, n = ask_all(&p, sq_searches[s], &again);
            asks[s] += n;
            repeats[s] += again;
            if (getenv("VERBOSE"))
                print_message("%s, %s: %d of %d\n", samples[i], sq_searches[s]->name, again, n);
        }
        close_problem(&p);
    }
    for (int s = 0; sq_searches[s]; s++) {
        print_message("%s: %d of %d asks repeat a script\n", sq_searches[s]->name, repeats[s],
                      asks[s]);
        assert_true(asks[s] > 2 * (int)LENGTH(samples));
        assert_true(repeats[s] <= most_repeats * asks[s]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_repeats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
