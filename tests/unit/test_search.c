/* Searches, all of them on the same synthetic spaces: none asks a point twice or outside the space,
 * all finish, the same seed asks the same points, and the default comes near the best of each space
 * within a number of trials written here. */
#include "support/stats.h"
#include "tests/unit/make_space.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { COORDS = 7, BUDGET = 400, AHEAD = 3 };
/* Trials: two generations, three rounds of those that learn, or two; of those whose rounds are short and whose learning
 * takes seconds: six of them, or three. */
enum { SOME = 200, TWO_ROUNDS = 130, FEW = 60, FEWER = 30 };

static sq_space *space_of(void)
{
    sq_space *s = make_space(COORDS);
    for (int c = 0; c < COORDS; c++) {
        s->coord[c].structural = c >= COORDS - 2;
        if (s->coord[c].structural)
            s->coord[c].nvalues = 3;
        else
            s->coord[c].axis = c / 2;
    }
    return s;
}

static double bowl(const int *p)
{
    static const int best[COORDS] = {5, 8, 3, 10, 6, 1, 2};
    return 1 + basin(p, best, 0, COORDS);
}

/* A cache: the product of two sizes must fit, each alone wants to be large. Single steps end on the
 * edge; only one up and one down goes on. */
static double ridge(const int *p)
{
    double over = p[0] + p[2] - 14 > 0 ? p[0] + p[2] - 14 : 0;
    double cost = 1 + over + 0.05 * abs(p[0] - 9) + 0.12 * abs(p[2] - 9) + 0.05 * abs(p[4] - 4);
    return cost + 0.02 * (p[1] + p[3]) + 0.1 * (p[5] != 1);
}

/* Two kinds with a basin each; the kind that looks worse at first is better in the end. Some points
 * do not run at all. */
static double kinds(const int *p)
{
    if (p[0] + p[1] > 20 || (p[3] == 7 && p[4] == 2))
        return INFINITY;
    double cost = p[6] == 2 ? 1 : 1.5;
    for (int c = 0; c < 5; c++)
        cost += (p[6] == 2 ? 0.08 : 0.04) * abs(p[c] - (p[6] == 2 ? 9 - c : 1 + c));
    return cost + 0.3 * (p[5] == 0);
}

static const struct {
    const char *name;
    double (*cost)(const int *p);
    double best; /* cost of its best point */
    int trials;  /* the default is within 3 % of it after so many */
} spaces[] = {{"bowl", bowl, 1, 130}, {"ridge", ridge, 1.2, 250}, {"kinds", kinds, 1, 250}};

struct landscape {
    double (*cost)(const int *p);
    sq_rng rng;
    double noise;
};

/* A model that knows the truth badly: half of it, and noise. */
static double draft(void *user, const int *p)
{
    struct landscape *l = user;
    double c = l->cost(p);
    return isinf(c) && p[0] + p[1] > 20 ? INFINITY
                                        : 1 + 0.5 * (isinf(c) ? 2 : c) + sq_rng_unit(&l->rng);
}

struct outcome {
    double best;
    int trials, trials_to_best;
    unsigned long long trace; /* of all points asked */
};

static void check_point(const sq_space *s, sq_seen *seen, const int *p)
{
    for (int c = 0; c < s->n; c++)
        assert_true(p[c] >= 0 && p[c] < s->coord[c].nvalues);
    assert_true(sq_seen_add(seen, p));
}

static void tell_one(const sq_search *row, sq_seek *seek, struct landscape *l, const int *p,
                     struct outcome *o)
{
    sq_told t = {.cost = l->cost(p)};
    memcpy(t.point, p, sizeof t.point);
    t.valid = isfinite(t.cost);
    if (t.valid)
        t.cost *= 1 + l->noise * (sq_rng_unit(&l->rng) - 0.5);
    t.wins = t.valid && t.cost < o->best * 0.99;
    if (t.wins) {
        o->best = t.cost;
        o->trials_to_best = o->trials;
    }
    row->tell(seek, &t);
}

/* Runs a search with up to AHEAD points under way, as a tuner with several builds does. */
static struct outcome run(const sq_search *row, double (*cost)(const int *),
                          unsigned long long seed, int budget, double noise)
{
    sq_space *s = space_of();
    sq_seen *seen = sq_seen_new(s);
    struct landscape l = {cost, {seed}, noise};
    sq_search_options so = {.seed = seed, .draft = draft, .draft_user = &l};
    sq_seek *seek = row->open(s, &so);
    struct outcome o = {.best = INFINITY};
    int queue[AHEAD][SQ_MAX_COORDS], n = 0, got = 0;
    while (o.trials < budget) {
        while (n < AHEAD && (got = row->ask(seek, queue[n])) == 1) {
            check_point(s, seen, queue[n]);
            o.trace = o.trace * 31 + (unsigned)queue[n][0] * 7 + (unsigned)queue[n][2];
            n++;
        }
        if (n == 0)
            break; /* finished, or stuck: the trials tell */
        tell_one(row, seek, &l, queue[0], &o);
        memmove(queue, queue + 1, (size_t)--n * sizeof *queue);
        o.trials++;
    }
    if (o.trials < budget)
        assert_int_equal(got, -1);
    row->close(seek);
    sq_seen_free(seen);
    free(s);
    return o;
}

static int trials_of(const sq_search *row)
{
    bool is_slowest = row == &sq_search_ansor_unevolved || strcmp(row->name, "pruner-tlp") == 0;
    return learns_slowly(row) ? is_slowest ? FEWER : FEW : is_slowest ? TWO_ROUNDS : SOME;
}

static void check_row(const sq_search *row, size_t nspaces)
{
    assert_ptr_equal(sq_search_get(row->name), row);
    assert_true(strlen(row->doc) > 10);
    for (size_t i = 0; i < nspaces; i++) {
        struct outcome a = run(row, spaces[i].cost, 7, trials_of(row), 0.01);
        assert_true(a.trials >= 10 && isfinite(a.best));
        if (i > 0)
            continue;
        struct outcome b = run(row, spaces[i].cost, 7, trials_of(row), 0.01);
        assert_true(a.trace == b.trace && a.trials == b.trials);
        assert_true(run(row, spaces[i].cost, 8, 30, 0.01).trials <= 30);
    }
}

/* Those of one name only, where the program is given one. */
static const char *only;

static bool is_asked(const sq_search *row)
{
    return !only || strcmp(row->name, only) == 0;
}

static void test_conformance(void **state)
{
    int checked = 0;
    (void)state;
    for (const sq_search *const *row = sq_searches; *row; row++)
        if (is_asked(*row) && ++checked)
            check_row(*row, sizeof spaces / sizeof *spaces);
    for (const sq_search *const *row = sq_search_ablations; *row; row++)
        if (is_asked(*row) && ++checked)
            check_row(*row, 1);
    assert_true(checked > 0);
}

static void test_default_finds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        for (unsigned long long seed = 1; seed <= 8; seed++) {
            struct outcome o =
                run(&sq_search_default, spaces[i].cost, seed, spaces[i].trials, 0.01);
            if (o.best > 1.03 * spaces[i].best)
                print_message("%s, seed %llu: %.3f after %d trials\n", spaces[i].name, seed, o.best,
                              o.trials);
            assert_true(o.best <= 1.03 * spaces[i].best);
        }
    }
}

/* It must be worth its lines: better than random with the same trials, on every space. */
static void test_beats_random(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        double sum_default = 0, sum_random = 0;
        for (unsigned long long seed = 1; seed <= 5; seed++) {
            sum_default += run(&sq_search_default, spaces[i].cost, seed, 100, 0.01).best;
            sum_random += run(&sq_search_random, spaces[i].cost, seed, 100, 0.01).best;
        }
        assert_true(sum_default < 0.9 * sum_random);
    }
}

/* Each of them is led by what it is told: better than random where there is one basin; storm, which learns every eight
 * trials, in half of its trials. */
static void test_all_are_led(void **state)
{
    static const sq_search *const led[] = {&sq_search_genetic, &sq_search_annealing, &sq_search_boosted,
                                           &sq_search_droplet, &sq_search_storm, &sq_search_raindrop};
    (void)state;
    double random = 0;
    for (unsigned long long seed = 1; seed <= 5; seed++)
        random += run(&sq_search_random, bowl, seed, BUDGET, 0.01).best;
    for (size_t i = 0; i < sizeof led / sizeof *led; i++) {
        double sum = 0;
        int budget = led[i] == &sq_search_storm ? BUDGET / 2 : BUDGET;
        const char *lacks = led[i]->lacks ? led[i]->lacks() : NULL;
        if (lacks) {
            print_message("%s: not tried: it needs %s\n", led[i]->name, lacks);
            continue;
        }
        for (unsigned long long seed = 1; seed <= 5; seed++)
            sum += run(led[i], bowl, seed, budget, 0.01).best;
        print_message("%s %g, random %g\n", led[i]->name, sum / 5, random / 5);
        assert_true(sum < 0.95 * random);
    }
}

static double mean_of_three(const sq_search *row)
{
    double sum = 0;
    for (unsigned long long seed = 1; seed <= 3; seed++)
        sum += run(row, bowl, seed, TWO_ROUNDS, 0.01).best;
    return sum / 3;
}

/* Ansor's is led, and what it is made of is worth it: worse without evolution, and without its model. */
static void test_ablations(void **state)
{
    (void)state;
    if (sq_trees_lacks())
        skip();
    double whole = mean_of_three(&sq_search_ansor), unevolved = mean_of_three(&sq_search_ansor_unevolved),
           unled = mean_of_three(&sq_search_ansor_unled), random = mean_of_three(&sq_search_random);
    print_message("ansor %g, unevolved %g, unled %g, random %g\n", whole, unevolved, unled, random);
    assert_true(whole < 0.95 * unevolved && unevolved < 0.95 * unled && whole < 0.9 * random);
}

/* A round of 64 waits for all of its results; what was told before the first question leads the first round. */
static void test_rounds(void **state)
{
    (void)state;
    for (int told = 0; told <= 64; told += 64) {
        sq_space *s = space_of();
        sq_search_options o = {.seed = 3};
        sq_seek *seek = sq_search_ansor.open(s, &o);
        int p[64][SQ_MAX_COORDS] = {{0}}, none[SQ_MAX_COORDS];
        sq_rng rng = {9};
        double sum = 0;
        for (int i = 0; i < told; i++) {
            sq_told t = {.valid = true};
            for (int c = 0; c < s->n; c++)
                t.point[c] = (int)sq_rng_below(&rng, (size_t)s->coord[c].nvalues);
            t.cost = bowl(t.point);
            sq_search_ansor.tell(seek, &t);
        }
        for (int i = 0; i < 64; i++) {
            assert_int_equal(sq_search_ansor.ask(seek, p[i]), 1);
            sum += bowl(p[i]) / 64;
        }
        assert_int_equal(sq_search_ansor.ask(seek, none), 0);
        for (int i = 63; i >= 0; i--) { /* in any order */
            sq_told t = {.valid = i % 3 != 0, .cost = bowl(p[i])};
            assert_int_equal(sq_search_ansor.ask(seek, none), 0);
            memcpy(t.point, p[i], sizeof t.point);
            sq_search_ansor.tell(seek, &t);
        }
        assert_int_equal(sq_search_ansor.ask(seek, none), 1);
        print_message("%d told: %g\n", told, sum);
        if (!sq_trees_lacks())
            assert_true(told ? sum < 4 : sum > 5);
        sq_search_ansor.close(seek);
        free(s);
    }
}

/* Trees over packs: what rows add up to is learned, of rows that never stand alone; a pack of weight 0 is not. */
static void test_packs(void **state)
{
    enum { PACKS = 200, COLUMNS = 3 };
    static const sq_trees_options o = {
        .depth = 6, .eta = 0.2, .min_child_weight = 0, .rounds = 1000, .patience = 50};
    static float row[2 * PACKS][COLUMNS], y[PACKS], predicted[PACKS];
    static int size[PACKS];
    (void)state;
    if (sq_trees_lacks())
        skip();
    sq_rng rng = {4};
    int n = 0;
    for (int i = 0; i < PACKS; i++) {
        size[i] = 1 + i % 2;
        y[i] = 0;
        for (int k = 0; k < size[i]; k++, n++) {
            for (int c = 0; c < COLUMNS; c++)
                row[n][c] = (float)(sq_rng_below(&rng, 4));
            y[i] += 0.1f + 0.1f * row[n][0] + 0.05f * row[n][1] * (row[n][2] > 1);
        }
        if (i % 10 == 9)
            y[i] = 0; /* what it really has is not told */
    }
    sq_trees *b = sq_trees_new(COLUMNS, &o);
    assert_int_equal(sq_trees_predict_packs(b, row[0], size, PACKS, predicted), -1); /* nothing is learned */
    assert_int_equal(sq_trees_fit_packs(b, row[0], size, y, NULL, PACKS), 0);
    assert_int_equal(sq_trees_predict_packs(b, row[0], size, PACKS, predicted), 0);
    for (int i = 0; i < PACKS; i++)
        assert_true(i % 10 == 9 ? predicted[i] > 0.15f : fabsf(predicted[i] - y[i]) < 0.05f);
    sq_trees_free(b);
}

/* The start that was measured before the first question leads: the next point of a chain is one coordinate away, and so
 * are the first ones of a descent. */
static void test_start_is_told(void **state)
{
    static const sq_search *const local[] = {&sq_search_annealing, &sq_search_raindrop};
    (void)state;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
        sq_space *s = space_of();
        sq_search_options o = {.seed = 5};
        sq_seek *seek = local[i]->open(s, &o);
        sq_told start = {.valid = true, .cost = 1, .wins = true};
        int p[SQ_MAX_COORDS] = {0}, changed = 0;
        local[i]->tell(seek, &start);
        assert_int_equal(local[i]->ask(seek, p), 1);
        for (int c = 0; c < s->n; c++)
            changed += p[c] != s->start[c];
        assert_int_equal(changed, 1);
        local[i]->close(seek);
        free(s);
    }
}

/* All values of the first coordinate before the second moves. */
static void test_grid_order(void **state)
{
    (void)state;
    sq_space *s = space_of();
    sq_search_options o = {.seed = 1};
    sq_seek *seek = sq_search_grid.open(s, &o);
    for (int t = 0; t < 2 * LEVELS; t++) {
        int p[SQ_MAX_COORDS] = {0};
        assert_int_equal(sq_search_grid.ask(seek, p), 1);
        assert_true(p[0] == t % LEVELS && p[1] == t / LEVELS && p[2] == 0);
    }
    sq_search_grid.close(seek);
    free(s);
}

/* A space of a handful of points: all are asked, then it is over. */
static void test_tiny(void **state)
{
    (void)state;
    for (const sq_search *const *row = sq_searches; *row; row++) {
        sq_space *s = calloc(1, sizeof *s);
        s->n = 2;
        s->coord[0] = (sq_coord){.nvalues = 3, .value = powers, .axis = 0};
        s->coord[1] = (sq_coord){.nvalues = 2, .value = powers, .axis = -1, .structural = true};
        sq_search_options o = {.seed = 1};
        sq_seek *seek = (*row)->open(s, &o);
        int p[SQ_MAX_COORDS] = {0}, n = 0;
        while ((*row)->ask(seek, p) == 1) {
            sq_told t = {.valid = true, .cost = 1.0 + n, .wins = n == 0};
            memcpy(t.point, p, sizeof p);
            (*row)->tell(seek, &t);
            n++;
        }
        /* A descent has no reason to walk past a worse point. */
        bool descends = *row == &sq_search_raindrop || *row == &sq_search_droplet;
        int least = descends ? 4 : 6;
        if (n < least)
            print_message("%s asks %d of 6\n", (*row)->name, n);
        assert_true(n >= least && n <= 6);
        (*row)->close(seek);
        free(s);
    }
}

static double never(const int *p)
{
    (void)p;
    return INFINITY;
}

/* Nothing that is tried is right: a search goes on or ends, for more than a round of those that learn. */
static void test_all_wrong(void **state)
{
    (void)state;
    for (const sq_search *const *row = sq_searches; *row; row++) {
        struct outcome o = run(*row, never, 2, 150, 0);
        assert_true(o.trials >= 1 && isinf(o.best));
    }
}

static double all_spent(void *user)
{
    (void)user;
    return 1;
}

/* A budget that is spent before anything was asked: nothing is, or the start. */
static void test_no_budget(void **state)
{
    (void)state;
    for (const sq_search *const *row = sq_searches; *row; row++)
        for (int asks = 0; asks < 2; asks++) {
            sq_space *s = space_of();
            sq_search_options o = {.seed = 1, .spent = all_spent};
            sq_seek *seek = (*row)->open(s, &o);
            int p[SQ_MAX_COORDS] = {0};
            if (asks)
                assert_int_equal((*row)->ask(seek, p), 1);
            assert_memory_equal(p, s->start, (size_t)s->n * sizeof *p);
            assert_null((*row)->close(seek));
            free(s);
        }
}

/* A kernel without choices: one point. */
static void test_none(void **state)
{
    (void)state;
    for (const sq_search *const *row = sq_searches; *row; row++) {
        sq_space *s = calloc(1, sizeof *s);
        sq_search_options o = {.seed = 1};
        sq_seek *seek = (*row)->open(s, &o);
        int p[SQ_MAX_COORDS] = {0};
        assert_int_equal((*row)->ask(seek, p), 1);
        (*row)->tell(seek, &(sq_told){.valid = true, .cost = 1, .wins = true});
        assert_int_equal((*row)->ask(seek, p), -1);
        (*row)->close(seek);
        free(s);
    }
}

/* Two forms with coordinates of their own: none asks for points that differ only in what is of no
 * importance there. */
static void test_forms(void **state)
{
    (void)state;
    for (const sq_search *const *row = sq_searches; *row; row++) {
        sq_space *s = space_of();
        s->coord[0] = (sq_coord){.nvalues = 2, .value = powers, .axis = -1, .structural = true};
        for (int c = 1; c < COORDS; c++) {
            s->coord[c].under = 1;
            s->coord[c].under_value = c > 3;
            s->start[c] = 1 + (c == 5);
        }
        sq_search_options o = {.seed = 3};
        sq_seek *seek = (*row)->open(s, &o);
        int n[2] = {0}, p[SQ_MAX_COORDS];
        for (int t = 0; t < 100; t++) {
            memset(p, 0, sizeof p);
            if ((*row)->ask(seek, p) != 1)
                break;
            for (int c = 1; c < COORDS; c++)
                assert_true(p[0] == s->coord[c].under_value || p[c] == s->start[c]);
            n[p[0]]++;
            sq_told told = {.valid = true, .cost = 1 + 0.1 * p[3] + 0.01 * p[4], .wins = t == 0};
            memcpy(told.point, p, sizeof p);
            (*row)->tell(seek, &told);
        }
        /* A grid comes to the coordinates of the second form behind all values of the first's. */
        assert_true(n[0] > 2 && (n[1] > 2 || *row == &sq_search_grid));
        (*row)->close(seek);
        free(s);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest rows[] = {cmocka_unit_test(test_conformance)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conformance),  cmocka_unit_test(test_default_finds),
        cmocka_unit_test(test_beats_random), cmocka_unit_test(test_all_are_led), cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_ablations),    cmocka_unit_test(test_rounds),        cmocka_unit_test(test_packs),
        cmocka_unit_test(test_all_wrong),    cmocka_unit_test(test_no_budget),
        cmocka_unit_test(test_start_is_told), cmocka_unit_test(test_grid_order),
        cmocka_unit_test(test_none),         cmocka_unit_test(test_forms),
    };
    only = argc > 1 ? argv[1] : NULL;
    return only ? cmocka_run_group_tests(rows, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
