/* Tensorcore: what is read of a tile of matrix instructions is what is counted by hand; spaces without one are known;
 * by the model of a device the search finds what chance and the network alone find later. */
#include "tests/unit/sketch_fixture.h"
#include "tuner/device/device_file.h"
#include "tuner/model/ansor_features.h"
#include "tuner/model/grid_features.h"
#include "tuner/space/choices.h"
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include <isl/options.h>
#include <math.h>

enum { N = 1024 };

static const char halves[] = "#include \"squall.h\"\n"
                             "kernel hgemm(const f16 A[1024][1024], const f16 B[1024][1024], f32 C[1024][1024])\n"
                             "{ idx i, j, k; C[i][j] = sum((f32)A[i][k] * (f32)B[k][j], k); }\n";
static const char singles[] = "#include \"squall.h\"\n"
                              "kernel gemm(const f32 A[64][64], const f32 B[64][64], f32 C[64][64])\n"
                              "{ idx i, j, k; C[i][j] = sum(A[i][k] * B[k][j], k); }\n";
static const char bytes[] = "#include \"squall.h\"\n"
                            "kernel bytes(const uint8_t A[64][64], const int8_t B[64][64], int32_t C[64][64])\n"
                            "{ idx i, j, k; C[i][j] = sum((int32_t)A[i][k] * (int32_t)B[k][j], k); }\n";

/* A kernel and its space. */
typedef struct problem {
    fixture f;
    sq_choices *choices;
    const sq_space *space;
    int point[SQ_MAX_COORDS];
} problem;

static void open_problem(problem *p, const char *text, const sq_target *t)
{
    int64_t sizes[SQ_MAX_SIZES];
    sq_parse_options o = {0};
    *p = (problem){.f = {.ctx = isl_ctx_alloc(), .d = sq_diags_new()}};
    isl_options_set_on_error(p->f.ctx, ISL_ON_ERROR_CONTINUE);
    p->f.u = sq_parse(p->f.ctx, "t.sq", text, strlen(text), &o, p->f.d);
    assert_non_null(p->f.u);
    sq_kernel *k = p->f.u->kernel[0];
    assert_int_equal(sq_deps_compute(k, p->f.d), 0);
    sq_nominal_sizes(k, sizes);
    p->choices = sq_choices_new(k, sq_machine_class(t->grid ? "avx2" : t->machine), t, sizes, 1, p->f.u->arena);
    p->space = sq_choices_space(p->choices);
    memcpy(p->point, p->space->start, sizeof p->point);
}

static void close_problem(problem *p)
{
    close_fixture(&p->f);
}

static void set(problem *p, const char *name, long value)
{
    for (int c = 0; c < p->space->n; c++)
        if (strcmp(p->space->coord[c].name, name) == 0) {
            p->point[c] = sq_coord_nearest(&p->space->coord[c], value);
            assert_int_equal(sq_space_value(p->space, p->point, c), value);
            return;
        }
    fail_msg("no coordinate %s", name);
}

static void expect(double is, double expected)
{
    if (fabs(is - expected) > 1e-4 * fabs(expected))
        fail_msg("%g instead of %g", is, expected);
}

/* A block of 128 x 128, 64 steps at a time in two stages; a warp has 64 x 64 of it. */
static void set_all(problem *p)
{
    set(p, "rows", 128);
    set(p, "columns", 128);
    set(p, "steps", 64);
    set(p, "row_points", 64);
    set(p, "column_points", 64);
    set(p, "stages", 2);
    set(p, "group", 8);
}

static const float *statement_of(const problem *p)
{
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    assert_int_equal(sq_choices_features(p->choices, p->point, row), 1);
    return row[0];
}

static void draft_of_fragments(void **state)
{
    (void)state;
    problem p;
    const sq_device *d = sq_device_known("sm_80");
    open_problem(&p, halves, sq_target_get("cuda"));
    set_all(&p);
    const float *draft = statement_of(&p) + SQ_DRAFT;
    double sums = pow(N, 3), blocks = 64;
    expect((double)draft[SQ_DRAFT_COMPUTE], sums / (d->fma_tensor * d->multiprocessors * 1e9 * d->ghz));
    /* all arrays stay in the second cache: each is moved once, and what is written is not read */
    expect((double)draft[SQ_DRAFT_MEMORY], (2 * 2 + 4) * pow(N, 2) / (1e9 * d->bandwidth));
    expect((double)draft[SQ_DRAFT_LANES], 1); /* four warps, one for each scheduler */
    expect((double)draft[SQ_DRAFT_THREADS], blocks / d->multiprocessors);
    double stage = (128 * 64 + 64 * 128) * 2 * 1.1;
    expect((double)draft[SQ_DRAFT_L1], 1);
    set(&p, "stages", 3); /* no room for a second block */
    expect((double)statement_of(&p)[SQ_DRAFT + SQ_DRAFT_L1], (double)d->shared / (2 * 3 * stage));
    set(&p, "stages", 2);
    statement_of(&p);
    for (int i = SQ_DRAFT_REGISTERS; i < SQ_DRAFT_NUMBERS; i++)
        assert_true(draft[i] > 0 && draft[i] <= 1);
    /* half of a warp's sums: more is loaded for each */
    float before = draft[SQ_DRAFT_LOADS];
    set(&p, "row_points", 32);
    assert_true(statement_of(&p)[SQ_DRAFT + SQ_DRAFT_LOADS] < before);
    set(&p, "rows", 64); /* two warps for four schedulers */
    set(&p, "row_points", 64);
    expect((double)statement_of(&p)[SQ_DRAFT + SQ_DRAFT_LANES], 0.5);
    close_problem(&p);
}

/* Sums begin in fragments; both operands are copied to shared memory, and read from there. */
static void flow_of_fragments(void **state)
{
    (void)state;
    enum { COPY = SQ_FLOW_NUMBERS - 1, FRAGMENTS = 1, SHARED, CACHE, DEVICE };
    static const int place[SQ_FLOW_STEPS] = {FRAGMENTS, CACHE, CACHE, SHARED, SHARED, FRAGMENTS, CACHE, 0};
    problem p;
    open_problem(&p, halves, sq_target_get("cuda"));
    set_all(&p);
    const float *flow = statement_of(&p) + SQ_FLOW;
    for (int i = 0; i < SQ_FLOW_STEPS; i++, flow += SQ_FLOW_NUMBERS) {
        for (int at = FRAGMENTS; at <= DEVICE; at++)
            assert_true(flow[at] == (at == place[i] ? 1 : 0));
        bool is_copy = i >= 1 && i <= 4;
        expect((double)flow[COPY], is_copy ? log2(1 + 128.0 * 64 * 2) : 0);
    }
    close_problem(&p);
}

/* What tells points apart that have one draft: rows of tiles together, stages. */
static void numbers_of_a_grid(void **state)
{
    (void)state;
    problem p;
    open_problem(&p, halves, sq_target_get("cuda"));
    set_all(&p);
    const float *grid = statement_of(&p) + SQ_ANSOR_GRID;
    expect((double)grid[SQ_GRID_IS_ONE], 1);
    expect((double)grid[SQ_GRID_BLOCKS], log2(65));
    expect((double)grid[SQ_GRID_TOGETHER], log2(9));
    expect((double)grid[SQ_GRID_BLOCK_THREADS], log2(129));
    expect((double)grid[SQ_GRID_STAGES], log2(3));
    float row[SQ_STATEMENTS][SQ_STATEMENT];
    set(&p, "row_points", 128); /* a warp of more rows than its block */
    set(&p, "rows", 64);
    assert_int_equal(sq_choices_features(p.choices, p.point, row), -1);
    assert_true(isinf(sq_choices_cost(p.choices, p.point)));
    close_problem(&p);
}

/* A copy is as large as its tile, also of a shorter array: what does not fit is no point. */
static void short_arrays_need_whole_tiles(void **state)
{
    static const char text[] = "#include \"squall.h\"\n"
                               "kernel hgemm(const f16 A[100][128], const f16 B[128][96], f32 C[100][96])\n"
                               "{ idx i, j, k; C[i][j] = sum((f32)A[i][k] * (f32)B[k][j], k); }\n";
    (void)state;
    problem p;
    open_problem(&p, text, sq_target_get("cuda"));
    set_all(&p);
    assert_true(isfinite(sq_choices_cost(p.choices, p.point)));
    set(&p, "rows", 256);
    set(&p, "steps", 256);
    assert_true(isinf(sq_choices_cost(p.choices, p.point)));
    close_problem(&p);
}

static void spaces_without_tiles(void **state)
{
    static const struct {
        const char *text, *target;
        bool has;
    } rows[] = {{halves, "cuda", true},       {singles, "cuda", false},    {singles, "avx512vnni", false},
                {bytes, "avx512vnni", true},  {bytes, "avxvnni", true},    {bytes, "avx2", false},
                {halves, "avx2", false}};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        problem p;
        open_problem(&p, rows[i].text, sq_target_get(rows[i].target));
        const char *misses = sq_search_tensorcore.misses(p.space);
        if ((misses == NULL) != rows[i].has)
            fail_msg("row %zu, %s: %s", i, rows[i].target, misses ? misses : "has tiles");
        close_problem(&p);
    }
}

/* ---- the search, by the device's model ---- */

static int features_of(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    return sq_choices_features(((problem *)user)->choices, point, row);
}

static double draft_of(void *user, const int *point)
{
    return sq_choices_cost(((problem *)user)->choices, point);
}

/* Seconds of the best of the first trials behind the start, by the model, of three seeds. */
static double best_of(problem *p, const sq_search *search, int trials)
{
    double product = 1;
    for (unsigned long long seed = 1; seed <= 3; seed++) {
        sq_search_options o = {
            .seed = seed, .draft = draft_of, .draft_user = p, .features = features_of, .features_user = p};
        sq_seek *seek = search->open(p->space, &o);
        double best = INFINITY;
        for (int i = 0; i <= trials; i++) {
            sq_told t = {.valid = true};
            assert_int_equal(search->ask(seek, t.point), 1);
            t.cost = draft_of(p, t.point);
            t.wins = t.cost < best;
            best = i > 0 ? fmin(best, t.cost) : best;
            search->tell(seek, &t);
        }
        search->close(seek);
        product *= best;
    }
    print_message("%s: %g us\n", search->name, 1e6 * cbrt(product));
    return cbrt(product);
}

/* In the first round there is nothing but the draft to lead it. */
static void draft_leads(void **state)
{
    enum { ROUND = 9 };
    (void)state;
    problem p;
    open_problem(&p, halves, sq_target_get("cuda"));
    double whole = best_of(&p, &sq_search_tensorcore, ROUND),
           undrafted = best_of(&p, &sq_search_tensorcore_undrafted, ROUND),
           random = best_of(&p, &sq_search_random, ROUND);
    assert_true(whole < 0.95 * undrafted && whole < 0.95 * random);
    close_problem(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draft_of_fragments),            cmocka_unit_test(flow_of_fragments),
        cmocka_unit_test(numbers_of_a_grid),             cmocka_unit_test(short_arrays_need_whole_tiles),
        cmocka_unit_test(spaces_without_tiles),          cmocka_unit_test(draft_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
