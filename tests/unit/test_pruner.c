/* Pruner: what its draft reads of a plan is what is counted by hand; the search is led by its draft from the first
 * round on and by its network from the second, and each part of it is worth its time. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "tests/unit/make_space.h"
#include "tests/unit/unit.h"
#include "tuner/model/pruner_features.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <math.h>

/* ---- features ---- */

static const char square[] = "#include \"squall.h\"\n"
                             "kernel gemm(const f32 A[1024][1024], const f32 B[1024][1024], f32 C[1024][1024])\n"
                             "{ idx i, j, k; C[i][j] = sum(A[i][k] * B[k][j], k); }\n";

typedef struct fixture {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *u;
    sq_sketch *sketch;
    int threads;
    const sq_machine *machine;
    const sq_target *target;
    int point[SQ_MAX_COORDS];
} fixture;

static void open_square(fixture *f, int threads)
{
    int64_t sizes[64];
    sq_parse_options o = {0};
    *f = (fixture){.ctx = isl_ctx_alloc(), .d = sq_diags_new(), .threads = threads};
    isl_options_set_on_error(f->ctx, ISL_ON_ERROR_CONTINUE);
    f->u = sq_parse(f->ctx, "t.sq", square, sizeof square - 1, &o, f->d);
    assert_non_null(f->u);
    sq_kernel *k = f->u->kernel[0];
    assert_int_equal(sq_deps_compute(k, f->d), 0);
    sq_nominal_sizes(k, sizes);
    f->machine = sq_machine_class("avx512");
    f->target = sq_target_get("avx512");
    f->sketch = sq_sketch_new(sq_schedule_new(k, f->u->arena), f->machine, f->target, sizes, threads, f->u->arena);
}

static void close_square(fixture *f)
{
    sq_unit_free(f->u);
    sq_diags_free(f->d);
    isl_ctx_free(f->ctx);
}

static void set(fixture *f, const char *name, long value)
{
    const sq_space *sp = sq_sketch_space(f->sketch);
    for (int c = 0; c < sp->n; c++)
        for (int v = 0; v < sp->coord[c].nvalues; v++)
            if (strcmp(sp->coord[c].name, name) == 0 && sp->coord[c].value[v] == value) {
                f->point[c] = v;
                return;
            }
    fail_msg("no coordinate %s with value %ld", name, value);
}

/* A tile of 8 rows and 2 vectors, a block of 256 steps of the sum, B in panels. */
static void set_all(fixture *f)
{
    static const struct {
        const char *name;
        long value;
    } choice[] = {{"rows", 8},
                  {"vectors", 2},
                  {"kc", 256},
                  {"mc", 1024},
                  {"nc", 1024},
                  {"unroll", 1},
                  {"outer", 0},
                  {"inner", 0},
                  {"lanes", 16},
                  {"pack.A", SQ_UNPACKED},
                  {"pack.B", SQ_PACKED_PANELS}};
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++)
        set(f, choice[i].name, choice[i].value);
}

static sq_symbols symbols_of(const fixture *f)
{
    sq_plan q;
    sq_nest x;
    sq_sketch_plan(f->sketch, 0, f->point, &q);
    sq_nest_of(&q, &x);
    return sq_pruner_symbols(&x, f->machine, f->target);
}

static const float *statement_of(const fixture *f)
{
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    assert_int_equal(sq_sketch_features(f->sketch, f->point, row), 1);
    return row[0];
}

static void expect(double is, double expected)
{
    if (fabs(is - expected) > 1e-5 * fabs(expected))
        fail_msg("%g instead of %g", is, expected);
}

static void symbols_of_a_plan(void **state)
{
    (void)state;
    fixture f;
    open_square(&f, 1);
    set_all(&f);
    sq_symbols s = symbols_of(&f);
    const double matrix = 4 << 20;
    expect(s.registers, 16 + 2 + 1);
    expect(s.arithmetic, 16);
    expect(s.loads, 2 + 8);
    expect(s.chains, 16);
    expect(s.tile, 4 * (8 * 256 + 256 * 32 + 8 * 32));
    expect(s.block, matrix / 4 + matrix / 4 + matrix);
    expect(s.lanes, 1);
    expect(s.moved, matrix + matrix + 2 * matrix);
    expect(s.chunks, 1);
    expect(s.run, 1);
    expect(s.operations, pow(2, 31));
    set(&f, "pack.B", SQ_UNPACKED);
    set(&f, "vectors", 1);
    set(&f, "lanes", 8); /* half of a line, of B and of C */
    s = symbols_of(&f);
    expect(s.lanes, 0.5);
    expect(s.run, (8 * 256 + 256 * 8 + 8 * 8) / (8 * 256 + 2 * (256 * 8 + 8 * 8.0)));
    set(&f, "rows", 7); /* 1029 rows are computed */
    expect(symbols_of(&f).operations, pow(2, 21) * 1029);
    close_square(&f);
}

static void draft_of_a_plan(void **state)
{
    (void)state;
    fixture f;
    open_square(&f, 2);
    set_all(&f);
    set(&f, "parallel", 1);
    const sq_machine *m = f.machine;
    const float *d = statement_of(&f) + SQ_DRAFT;
    expect((double)d[SQ_DRAFT_COMPUTE], pow(2, 31) / (2e9 * m->peak_f32));
    expect((double)d[SQ_DRAFT_REGISTERS], 1);
    expect((double)d[SQ_DRAFT_LOADS], fmin(1, 16 / m->fma_per_cycle / (10 / m->loads_per_cycle)));
    expect((double)d[SQ_DRAFT_CHAINS], fmin(1, 16 / (m->fma_latency * m->fma_per_cycle)));
    expect((double)d[SQ_DRAFT_THREADS], 1);
    expect((double)d[SQ_DRAFT_L1], fmin(1, 0.75 * (double)m->l1 / 41984));
    expect((double)d[SQ_DRAFT_L2], fmin(1, 0.75 * (double)m->l2 / (6 << 20)));
    set(&f, "parallel", 0);
    expect((double)statement_of(&f)[SQ_DRAFT + SQ_DRAFT_THREADS], 0.5);
    set(&f, "rows", 28); /* 56 sums, 2 vectors and 1 element */
    expect((double)statement_of(&f)[SQ_DRAFT + SQ_DRAFT_REGISTERS], f.target->registers / 59.0);
    set(&f, "rows", 1);
    expect((double)statement_of(&f)[SQ_DRAFT + SQ_DRAFT_CHAINS], 2 / (m->fma_latency * m->fma_per_cycle));
    close_square(&f);
}

/* Sums begin and are updated in registers; B is packed and read from its copy, A from the array. */
static void flow_of_a_plan(void **state)
{
    (void)state;
    enum { COPY = SQ_FLOW_NUMBERS - 1, PLACE = 1, BEYOND = PLACE + 3 };
    fixture f;
    open_square(&f, 1);
    set_all(&f);
    const float *flow = statement_of(&f) + SQ_FLOW;
    int packs = 0, reads = 0, copies = 0;
    for (int i = 0; i < SQ_FLOW_STEPS; i++) {
        const float *step = flow + (ptrdiff_t)i * SQ_FLOW_NUMBERS;
        int places = 0;
        for (int p = PLACE; p <= BEYOND; p++)
            places += step[p] == 1;
        assert_true(places <= 1);
        packs += i >= 1 && i <= 2 && places == 1;
        reads += i >= 3 && i <= 4 && places == 1;
        copies += step[COPY] > 0;
        assert_true(i == 1 || i == 2 || i == 7 || places == 1);
        assert_true(i != 7 || places == 0); /* nothing is read with finished sums */
    }
    assert_true(packs == 1 && reads == 2 && copies == 2);
    assert_true(flow[PLACE] == 1 && flow[5 * SQ_FLOW_NUMBERS + PLACE] == 1);
    assert_true(flow[6 * SQ_FLOW_NUMBERS + BEYOND] == 1);
    expect((double)flow[5 * SQ_FLOW_NUMBERS], log2(1 + pow(2, 31)));
    close_square(&f);
}

/* ---- the search ---- */

enum { COORDS = 6, SEEN = 3, TRIALS = 100, ROUND = 10 };

/* Of the coordinates from..to: how far they are from the best ones. */
static double far(const int *p, int from, int to)
{
    static const int best[COORDS] = {5, 8, 3, 10, 6, 1};
    return basin(p, best, from, to);
}

static double cost_of(const int *p)
{
    return 1 + far(p, 0, COORDS);
}

/* One statement: a draft that sees half of the coordinates, by a penalty alone; features that tell all. */
static int features_of(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    (void)user;
    memset(row[0], 0, sizeof row[0]);
    for (int c = 0; c < COORDS; c++) {
        row[0][2 * c] = (float)point[c];
        row[0][2 * c + 1] = (float)(point[c] * point[c]);
    }
    for (int i = 0; i < SQ_DRAFT_NUMBERS; i++)
        row[0][SQ_DRAFT + i] = 1;
    row[0][SQ_DRAFT + SQ_DRAFT_LANES] = (float)(1 / (1 + far(point, 0, SEEN)));
    return 1;
}

typedef struct outcome {
    double best, first; /* of all trials; of the first round behind the start, the mean of what the draft sees */
} outcome;

static outcome run_of(const sq_search *row, unsigned long long seed)
{
    sq_space *s = make_space(COORDS);
    sq_search_options o = {.seed = seed, .features = features_of};
    sq_seek *seek = row->open(s, &o);
    outcome r = {.best = INFINITY};
    for (int i = 0; i < TRIALS; i++) {
        sq_told t = {.valid = true};
        assert_int_equal(row->ask(seek, t.point), 1);
        t.cost = cost_of(t.point);
        t.wins = t.cost < r.best;
        r.best = fmin(r.best, t.cost);
        r.first += i > 0 && i < ROUND - 1 ? far(t.point, 0, SEEN) / (ROUND - 2) : 0;
        row->tell(seek, &t);
    }
    row->close(seek);
    free(s);
    return r;
}

static outcome mean_of(const sq_search *row)
{
    enum { SEEDS = 2 };
    outcome sum = {0};
    for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
        outcome r = run_of(row, seed);
        sum.best += r.best / SEEDS;
        sum.first += r.first / SEEDS;
    }
    print_message("%s: first round %g, best %g\n", row->name, sum.first, sum.best);
    return sum;
}

static void parts_are_worth_it(void **state)
{
    (void)state;
    outcome whole = mean_of(&sq_search_pruner), unverified = mean_of(&sq_search_pruner_unverified),
            undrafted = mean_of(&sq_search_pruner_undrafted), unpenalised = mean_of(&sq_search_pruner_unpenalised),
            random = mean_of(&sq_search_random);
    assert_true(whole.first < 0.5 * undrafted.first && whole.first < 0.5 * unpenalised.first);
    assert_true(whole.best < 0.95 * unverified.best && whole.best < 0.95 * random.best);
    assert_true(whole.best < 0.95 * undrafted.best && whole.best < 0.95 * unpenalised.best);
}

/* A round of 10 waits for all of its results, in any order. */
static void rounds_wait(void **state)
{
    (void)state;
    sq_space *s = make_space(COORDS);
    sq_search_options o = {.seed = 3, .features = features_of};
    sq_seek *seek = sq_search_pruner.open(s, &o);
    int p[ROUND][SQ_MAX_COORDS] = {{0}}, none[SQ_MAX_COORDS];
    for (int i = 0; i < ROUND; i++)
        assert_int_equal(sq_search_pruner.ask(seek, p[i]), 1);
    for (int i = ROUND - 1; i >= 0; i--) {
        sq_told t = {.valid = i % 3 != 0, .cost = cost_of(p[i])};
        assert_int_equal(sq_search_pruner.ask(seek, none), 0);
        memcpy(t.point, p[i], sizeof t.point);
        sq_search_pruner.tell(seek, &t);
    }
    assert_int_equal(sq_search_pruner.ask(seek, none), 1);
    sq_search_pruner.close(seek);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_of_a_plan),  cmocka_unit_test(draft_of_a_plan), cmocka_unit_test(flow_of_a_plan),
        cmocka_unit_test(parts_are_worth_it), cmocka_unit_test(rounds_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
