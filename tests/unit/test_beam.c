/* Beam: the terms of a plan are what is counted by hand; a network learns what they cost; a beam decides coordinates
 * coarse ones first, keeps several hashes, and narrows down from pass to pass; the search is worth its parts. */
#include "tests/unit/basin.h"
#include "tests/unit/square.h"
#include "tuner/model/ansor_features.h"
#include "tuner/search/beam.h"
#include "tuner/search/prices.h"
#include "tuner/search/terms.h"

/* ---- terms ---- */

static void near(float is, double expected)
{
    if (fabs((double)is - expected) > 1e-4 * fabs(expected))
        fail_msg("%g instead of %g", (double)is, expected);
}

static void terms_of_a_plan(void **state)
{
    (void)state;
    fixture f;
    float t[SQ_TERMS];
    static const sq_cost_term nothing[] = {SQ_TERM_FUNCTIONS, SQ_TERM_INTEGERS, SQ_TERM_SCALARS, SQ_TERM_SPILLS,
                                      SQ_TERM_TASKS, SQ_TERM_SHARED_LINES};
    const double matrix = 4 << 20, peak = pow(2, 31) / 1e9, memory = 4 * matrix;
    open_square(&f, 1);
    set_all(&f);
    const float *row = statement_of(&f), *d = row + SQ_DRAFT;
    sq_terms_of(row, d, t);
    for (size_t i = 0; i < LENGTH(nothing); i++)
        near(t[nothing[i]], 0);
    near(t[SQ_TERM_ARITHMETIC], pow(2, 30) / 16 * 2e-11);
    near(t[SQ_TERM_PEAK], peak / f.machine->peak_f32);
    near(t[SQ_TERM_LOAD_PORTS], (double)t[SQ_TERM_PEAK] * (1 / (double)d[SQ_DRAFT_LOADS] - 1));
    near(t[SQ_TERM_PAGES_WRITTEN], matrix / 4096 * 2e-8);
    near(t[SQ_TERM_DISTINCT_BYTES], 3 * matrix * 1e-11); /* of C as well: it is added to */
    near(t[SQ_TERM_COPIES], 4 * 1e-7); /* B in four blocks of the sum */
    near(t[SQ_TERM_COPIED_BYTES], matrix * 1e-10);
    near(t[SQ_TERM_LAUNCH], 1e-7);
    assert_true((double)t[SQ_TERM_MEMORY] > memory / 1e12);
    close_square(&f);
}

/* Shares of limits become what a term is beyond the peak. */
static void terms_follow_the_plan(void **state)
{
    (void)state;
    fixture f;
    float t[SQ_TERMS], whole;
    open_square(&f, 2);
    set_all(&f);
    set(&f, "parallel", 1);
    sq_terms_of(statement_of(&f), statement_of(&f) + SQ_DRAFT, t);
    assert_true(t[SQ_TERM_TASKS] > 0 && t[SQ_TERM_SHARED_LINES] > 0);
    whole = t[SQ_TERM_PEAK];
    set(&f, "parallel", 0); /* one of two threads */
    sq_terms_of(statement_of(&f), statement_of(&f) + SQ_DRAFT, t);
    near(t[SQ_TERM_PEAK], 2 * (double)whole);
    assert_true(t[SQ_TERM_TASKS] == 0);
    set(&f, "rows", 28); /* 59 vectors */
    sq_terms_of(statement_of(&f), statement_of(&f) + SQ_DRAFT, t);
    near(t[SQ_TERM_SPILLS], (double)t[SQ_TERM_PEAK] * (59.0 / f.target->registers - 1));
    close_square(&f);
}

/* A tile changes the schedule and not the algorithm. */
static void heads_read_the_plan(void **state)
{
    (void)state;
    fixture f;
    float a[SQ_TERM_HISTOGRAM], b[SQ_TERM_HISTOGRAM], s[SQ_TERM_SCHEDULE + 1], t[SQ_TERM_SCHEDULE];
    open_square(&f, 1);
    set_all(&f);
    s[SQ_TERM_SCHEDULE] = -1;
    sq_terms_histogram(statement_of(&f), a);
    sq_terms_schedule(statement_of(&f), statement_of(&f) + SQ_DRAFT, s);
    assert_true(s[SQ_TERM_SCHEDULE] == -1);
    set(&f, "rows", 4);
    sq_terms_histogram(statement_of(&f), b);
    sq_terms_schedule(statement_of(&f), statement_of(&f) + SQ_DRAFT, t);
    near(a[0], 1); /* a multiply-add in each iteration: log2(1 + 1) */
    for (int i = 0; i < SQ_TERM_HISTOGRAM; i++)
        assert_true(fabsf(a[i] - b[i]) < 1e-5f);
    assert_true(memcmp(s, t, sizeof t) != 0);
    close_square(&f);
}

/* Nobody can tell the statements: a launch, and the model's guess. */
static void terms_of_a_guess(void **state)
{
    (void)state;
    float row[SQ_FEATURES] = {0}, draft[SQ_DRAFT_NUMBERS] = {0}, t[SQ_TERMS];
    draft[SQ_DRAFT_COMPUTE] = 2.5f;
    sq_terms_of(row, draft, t);
    for (int i = 0; i < SQ_TERMS; i++)
        assert_true(i == SQ_TERM_PEAK ? t[i] == 2.5f : i == SQ_TERM_LAUNCH ? t[i] > 0 : t[i] == 0);
}

/* Every term from numbers that are made up. A statement of 1024 iterations in vectors of 8 by 4 tasks, all shares one
 * half; it reads one array apart, and adds to another. */
static void terms_of_numbers(void **state)
{
    (void)state;
    enum { READ = SQ_ANSOR_BUFFERS, SUM = READ + SQ_ANSOR_BUFFER };
    static const struct {
        int at;
        double is;
    } given[] = {{0, 1024}, {1, 512}, {3, 64}, {8, 256}, {14, 128}, {SQ_ANSOR_VECTORS + 1, 8},
                 {SQ_ANSOR_THREADS + 1, 4}, {SQ_ANSOR_ALLOCATION, 100}, {SQ_ANSOR_ALLOCATION + 1, 700},
                 {READ + 3, 4096}, {READ + 4, 2048}, {READ + 5, 1000}, {READ + 6, 50}, {READ + 13, 400},
                 {READ + 15, 20}, {READ + 17, 16}, {SUM + 3, 8192}, {SUM + 4, 512}, {SUM + 5, 30}, {SUM + 6, 8},
                 {SUM + 13, 60}, {SUM + 15, 5}, {SUM + 17, 1}};
    const double idle = 2, peak = 3 * 2 * idle, memory = 5, half = 1;
    const double expected[SQ_TERMS] = {
        [SQ_TERM_ARITHMETIC] = (1024 + 512) / 8.0 * idle * 2e-11, [SQ_TERM_FUNCTIONS] = 64 / 8.0 * idle * 5e-9,
        [SQ_TERM_INTEGERS] = (256 + 128) / 8.0 * idle * 1e-10,    [SQ_TERM_PEAK] = peak,
        [SQ_TERM_SPILLS] = peak * half,                           [SQ_TERM_LOAD_PORTS] = peak * half,
        [SQ_TERM_WAITS] = peak * half,                            [SQ_TERM_BYTES] = (4096 + 8192) * 1e-12,
        [SQ_TERM_LINES] = (1000 + 30) * 1e-11,                    [SQ_TERM_DISTINCT_BYTES] = (2048 + 512) * 1e-11,
        [SQ_TERM_DISTINCT_LINES] = (50 + 8) * 1e-9,               [SQ_TERM_BYTES_AGAIN] = (400 + 60) * 1e-12,
        [SQ_TERM_LINES_AGAIN] = (20 + 5) * 1e-11,                 [SQ_TERM_APART] = 1000 * 1e-11,
        [SQ_TERM_MEMORY] = memory,                                [SQ_TERM_PARTS_OF_LINES] = memory * half,
        [SQ_TERM_STORED_BYTES] = 8192 * 1e-12,                    [SQ_TERM_STORED_LINES] = 30 * 1e-11,
        [SQ_TERM_SHARED_LINES] = 4 * (64 * 4 / 512.0) * 1e-7,     [SQ_TERM_PAGES_WRITTEN] = 512 / 4096.0 * 2e-8,
        [SQ_TERM_PAGES_READ] = (2048 + 512) / 4096.0 * 1e-8,      [SQ_TERM_COPIES] = 7 * 1e-7,
        [SQ_TERM_COPIED_BYTES] = 700 * 1e-10,                     [SQ_TERM_LAUNCH] = 1e-7,
        [SQ_TERM_TASKS] = 4 * 1e-7,                               [SQ_TERM_WORKING_SET] = memory * (2 * 2 - 1),
    };
    float row[SQ_FEATURES] = {0}, draft[SQ_DRAFT_NUMBERS] = {3, 5}, t[SQ_TERMS];
    for (size_t i = 0; i < LENGTH(given); i++)
        row[given[i].at] = sq_ansor_magnitude(given[i].is);
    row[SUM + 2] = 1; /* is read and written */
    for (int i = SQ_DRAFT_REGISTERS; i < SQ_DRAFT_NUMBERS; i++)
        draft[i] = 0.5f;
    sq_terms_of(row, draft, t);
    for (int i = 0; i < SQ_TERMS; i++)
        near(t[i], expected[i]);
    row[SQ_ANSOR_VECTORS + 1] = 0; /* no vectors */
    sq_terms_of(row, draft, t);
    near(t[SQ_TERM_SCALARS], (1024 + 512) * idle * 2e-10);
}

/* ---- prices ---- */

enum { POINTS = 120, LEARNED = 80, WIDTH = SQ_FEATURES + SQ_DRAFT_NUMBERS };
static float rows[2 * POINTS][WIDTH], speed[POINTS];
static int size[POINTS];

/* Points of one and two statements: bytes cost three times their price, operations as much as it, but half where the
 * curve of intensity is higher. */
static void make_points(void)
{
    sq_rng rng = {5};
    double cost[POINTS] = {0}, least = INFINITY;
    memset(rows, 0, sizeof rows);
    for (int i = 0, r = 0; i < POINTS; i++) {
        size[i] = 1 + i % 2;
        for (int k = 0; k < size[i]; k++, r++) {
            double compute = sq_rng_unit(&rng), memory = sq_rng_unit(&rng);
            bool high = sq_rng_below(&rng, 2);
            for (int c = 0; c < SQ_DRAFT_NUMBERS; c++)
                rows[r][SQ_FEATURES + c] = 1;
            rows[r][SQ_FEATURES + SQ_DRAFT_COMPUTE] = (float)compute;
            rows[r][SQ_FEATURES + SQ_DRAFT_MEMORY] = (float)memory;
            rows[r][SQ_ANSOR_INTENSITY] = high;
            cost[i] += compute * (high ? 0.5 : 1) + 3 * memory;
        }
        least = fmin(least, cost[i]);
    }
    for (int i = 0; i < POINTS; i++)
        speed[i] = (float)(least / cost[i]);
}

/* Of the points that were not learned from: the mean error of their speed beside the first of them, as a logarithm. */
static double error_of(const sq_prices *m)
{
    float score[POINTS];
    double sum = 0;
    sq_prices_predict(m, rows[0], size, POINTS, score);
    for (int i = LEARNED + 1; i < POINTS; i++) {
        assert_true(score[i] > 0);
        double is = log((double)score[i] / (double)score[LEARNED]);
        sum += fabs(is - log((double)speed[i] / (double)speed[LEARNED])) / (POINTS - LEARNED - 1);
    }
    return sum;
}

static void prices_are_learned(void **state)
{
    (void)state;
    make_points();
    sq_prices *m = sq_prices_new(0, 3);
    double before = error_of(m);
    sq_prices_fit(m, rows[0], size, speed, LEARNED);
    double once = error_of(m);
    for (int i = 0; i < 4; i++) /* goes on from there */
        sq_prices_fit(m, rows[0], size, speed, LEARNED);
    double after = error_of(m);
    print_message("errors: nominal %g, learned once %g, five times %g\n", before, once, after);
    assert_true(once < 0.2 * before && after < once);
    assert_null(sq_prices_free(m));
}

/* The same seed gives the same scores. Points that do not run are learned, and score less than others. */
static void prices_repeat(void **state)
{
    (void)state;
    float a[POINTS], b[POINTS];
    double sum[2] = {0};
    int n[2] = {0};
    make_points();
    for (int i = 0, r = 0; i < POINTS; r += size[i++])
        speed[i] = rows[r][SQ_ANSOR_INTENSITY] > 0 ? 0 : speed[i];
    for (int k = 0; k < 2; k++) {
        sq_prices *m = sq_prices_new(0, 9);
        sq_prices_fit(m, rows[0], size, speed, LEARNED);
        sq_prices_predict(m, rows[0], size, POINTS, k ? b : a);
        sq_prices_free(m);
    }
    assert_memory_equal(a, b, sizeof a);
    for (int i = LEARNED; i < POINTS; i++) {
        sum[speed[i] > 0] += (double)a[i];
        n[speed[i] > 0]++;
    }
    assert_true(sum[0] / n[0] < 0.7 * sum[1] / n[1]);
}

/* Where more bytes are faster, they cost nothing, and not less. */
static void prices_are_not_negative(void **state)
{
    (void)state;
    float score[POINTS];
    make_points();
    for (int i = 0, r = 0; i < POINTS; r += size[i++]) {
        for (int k = 0; k < size[i]; k++)
            rows[r + k][SQ_FEATURES + SQ_DRAFT_COMPUTE] = 1;
        speed[i] = 0.2f + 0.8f * rows[r][SQ_FEATURES + SQ_DRAFT_MEMORY];
    }
    sq_prices *m = sq_prices_new(0, 2);
    for (int i = 0; i < 5; i++)
        sq_prices_fit(m, rows[0], size, speed, POINTS);
    for (size_t r = 0; r < LENGTH(rows); r++)
        rows[r][SQ_FEATURES + SQ_DRAFT_MEMORY] = 1000;
    sq_prices_predict(m, rows[0], size, POINTS, score);
    for (int i = 0; i < POINTS; i++)
        assert_true(score[i] > 0 && score[i] <= 20);
    sq_prices_free(m);
}

/* ---- the beam ---- */

enum { KINDS = 3, SIZES = 3, MOST_SCORED = 20000 };

/* Sizes, and a structure behind them. */
static sq_space *kinds_of(void)
{
    sq_space *s = make_space(COORDS);
    s->n = SIZES + 1;
    s->coord[SIZES].nvalues = KINDS;
    s->coord[SIZES].structural = true;
    return s;
}

typedef struct watcher {
    double (*cost)(const int *p);
    int n;
    int scored[MOST_SCORED][SIZES + 1];
} watcher;

static void watch(void *user, sq_scored_point *of, int n)
{
    watcher *w = user;
    for (int i = 0; i < n; i++) {
        assert_true(w->n < MOST_SCORED);
        memcpy(w->scored[w->n++], of[i].point, sizeof w->scored[0]);
        of[i].score = (float)(1 / w->cost(of[i].point));
    }
}

static bool any(void *user, const int *point)
{
    (void)user;
    (void)point;
    return true;
}

/* A search from the first point on. */
static void look(watcher *w, int width, int passes, double survives, unsigned long long seed, sq_beam_finals *finals)
{
    sq_space *s = kinds_of();
    sq_search_options o = {.seed = seed};
    sq_search_base *base = sq_search_new(sizeof *base, s, &o);
    sq_beam b = {.base = base, .width = width, .passes = passes, .survives = survives,
                 .score = watch, .accepts = any, .user = w};
    w->n = 0;
    sq_beam_search(&b, s->start, finals, NULL, NULL);
    sq_search_close((sq_seek *)(void *)base);
    free(s);
}

/* The first kind is better, until sizes are right; the last one is always bad. */
static double late(const int *p)
{
    double sizes = far(p, 0, SIZES);
    return p[SIZES] == 0 ? 2 + 0.01 * sizes : p[SIZES] == 1 ? 1 + sizes : 10 + sizes;
}

static void structure_is_decided_first(void **state)
{
    (void)state;
    static watcher w = {.cost = late};
    static sq_beam_finals f;
    look(&w, 1, 1, 1, 1, &f);
    for (int i = 0; i < KINDS; i++) /* the whole point, and the other kinds */
        assert_true(w.scored[i][SIZES] == i && w.scored[i][0] == 0);
    assert_true(w.scored[KINDS][SIZES] == 0 && w.scored[KINDS][0] == 1);
}

/* Greedy decides for the kind that looks better; a wide beam keeps the other one. */
static void wide_finds_more(void **state)
{
    (void)state;
    static watcher w = {.cost = late};
    static sq_beam_finals f;
    look(&w, 1, 1, 1, 1, &f);
    assert_true(f.n[0] == 1 && f.of[0][0].point[SIZES] == 0);
    look(&w, SQ_BEAM_WIDEST, 1, 1, 1, &f);
    assert_int_equal(f.n[0], SQ_BEAM_WIDEST);
    assert_true(f.of[0][0].point[SIZES] == 1 && far(f.of[0][0].point, 0, SIZES) < 0.01);
    for (int i = 1; i < f.n[0]; i++)
        assert_true(f.of[0][i].score <= f.of[0][i - 1].score);
}

/* Of two points one is of the other kind, though many of the first one are better: they have the same hash. */
static double alike(const int *p)
{
    return (p[SIZES] == 0 ? 2 : p[SIZES] == 1 ? 3 : 10) + 0.01 * far(p, 0, SIZES);
}

static void hashes_are_kept_apart(void **state)
{
    (void)state;
    static watcher w = {.cost = alike};
    static sq_beam_finals f;
    look(&w, 2, 1, 1, 1, &f);
    assert_true(f.n[0] == 2 && f.of[0][0].point[SIZES] == 0 && f.of[0][1].point[SIZES] == 1);
}

/* What the second pass scores is of the kinds that were good in the end of the first; it begins where that ended. */
static void passes_narrow(void **state)
{
    (void)state;
    static watcher w = {.cost = alike};
    static sq_beam_finals f;
    int kinds[KINDS] = {0};
    look(&w, SQ_BEAM_WIDEST, 1, 1, 1, &f);
    int first = w.n;
    for (int i = 0; i < f.n[0]; i++)
        kinds[f.of[0][i].point[SIZES]]++;
    assert_true(kinds[0] > 0 && kinds[1] > 0); /* the second is final, but not good */
    look(&w, SQ_BEAM_WIDEST, SQ_BEAM_PASSES, 1, 1, &f);
    assert_true(w.n > first);
    for (int i = first; i < w.n; i++)
        assert_int_equal(w.scored[i][SIZES], 0);
    assert_true(f.of[SQ_BEAM_PASSES - 1][0].score >= f.of[0][0].score);
}

/* Chance leaves out choices: walks end apart; without it they end in one place. */
static void walks_differ(void **state)
{
    (void)state;
    static watcher w = {.cost = alike};
    static sq_beam_finals f;
    for (int drops = 0; drops < 2; drops++) {
        int first[SIZES + 1], differ = 0;
        for (unsigned long long seed = 1; seed <= 10; seed++) {
            look(&w, 1, 1, drops ? 0.3 : 1, seed, &f);
            if (seed == 1)
                memcpy(first, f.of[0][0].point, sizeof first);
            differ += memcmp(first, f.of[0][0].point, sizeof first) != 0;
        }
        assert_true(drops ? differ >= 5 : differ == 0);
    }
}

/* ---- the search ---- */

/* One statement: terms that see half of the coordinates, and a schedule that tells the others. */
static int features_of(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    (void)user;
    memset(row[0], 0, sizeof row[0]);
    for (int c = SEEN; c < COORDS; c++) {
        float *to = row[0] + SQ_ANSOR_INTENSITY + (ptrdiff_t)2 * (c - SEEN);
        to[0] = (float)point[c];
        to[1] = (float)(point[c] * point[c]);
    }
    for (int i = 0; i < SQ_DRAFT_NUMBERS; i++)
        row[0][SQ_DRAFT + i] = 1;
    row[0][SQ_DRAFT + SQ_DRAFT_MEMORY] = 0;
    row[0][SQ_DRAFT + SQ_DRAFT_COMPUTE] = (float)(1 + far(point, 0, SEEN));
    return 1;
}

static const trip across = {.features = features_of, .trials = 128, .round = 32, .seeds = 3};

/* Terms lead the first round, the network the next ones. */
static void parts_are_worth_it(void **state)
{
    (void)state;
    outcome whole = mean_of(&sq_search_beam, &across), unled = mean_of(&sq_search_beam_unled, &across),
            random = mean_of(&sq_search_random, &across);
    assert_true(whole.first < 0.5 * random.first);
    assert_true(whole.best < 0.95 * unled.best && whole.best < 0.95 * random.best);
}

static void rounds_wait(void **state)
{
    (void)state;
    expect_round(&sq_search_beam, &across);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_of_a_plan),     cmocka_unit_test(terms_follow_the_plan),
        cmocka_unit_test(heads_read_the_plan), cmocka_unit_test(terms_of_a_guess),
        cmocka_unit_test(terms_of_numbers),    cmocka_unit_test(prices_are_not_negative),
        cmocka_unit_test(prices_are_learned),  cmocka_unit_test(prices_repeat),
        cmocka_unit_test(structure_is_decided_first), cmocka_unit_test(wide_finds_more),
        cmocka_unit_test(hashes_are_kept_apart), cmocka_unit_test(passes_narrow),
        cmocka_unit_test(walks_differ),        cmocka_unit_test(parts_are_worth_it),
        cmocka_unit_test(rounds_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
