/* Pruner: what its draft reads of a plan is what is counted by hand; the search is led by its draft from the first
 * round on and by its network from the second, and each part of it is worth its time. */
#include "tests/unit/basin.h"
#include "tests/unit/square.h"
#include "tuner/model/pruner_features.h"

/* ---- features ---- */

static sq_symbols symbols_of(const fixture *f)
{
    sq_plan q;
    sq_plan_nest x;
    sq_sketch_plan(f->sketch, 0, f->point, &q);
    sq_nest_of(&q, &x);
    return sq_pruner_symbols(&x, f->machine, f->target);
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

/* One statement: a draft that sees half of the coordinates, by a penalty alone; features that tell all. */
static int features_of(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    int n = describe_point(user, point, row);
    for (int i = 0; i < SQ_DRAFT_NUMBERS; i++)
        row[0][SQ_DRAFT + i] = 1;
    row[0][SQ_DRAFT + SQ_DRAFT_LANES] = (float)(1 / (1 + far(point, 0, SEEN)));
    return n;
}

static const trip across = {.features = features_of, .trials = 100, .round = 10, .seeds = 2};

static void parts_are_worth_it(void **state)
{
    (void)state;
    outcome whole = mean_of(&sq_search_pruner, &across), unverified = mean_of(&sq_search_pruner_unverified, &across),
            undrafted = mean_of(&sq_search_pruner_undrafted, &across),
            unpenalised = mean_of(&sq_search_pruner_unpenalised, &across),
            random = mean_of(&sq_search_random, &across);
    assert_true(whole.first < 0.5 * undrafted.first && whole.first < 0.5 * unpenalised.first);
    assert_true(whole.best < 0.95 * unverified.best && whole.best < 0.95 * random.best);
    assert_true(whole.best < 0.95 * undrafted.best && whole.best < 0.95 * unpenalised.best);
}

static void rounds_wait(void **state)
{
    (void)state;
    expect_round(&sq_search_pruner, &across);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_of_a_plan),  cmocka_unit_test(draft_of_a_plan), cmocka_unit_test(flow_of_a_plan),
        cmocka_unit_test(parts_are_worth_it), cmocka_unit_test(rounds_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
