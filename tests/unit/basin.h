/* Basin: a space of one basin, of whose coordinates a draft sees half, and runs of searches on it: for tests of
 * searches that have a draft and learn the rest. */
#ifndef SQ_TESTS_BASIN_H
#define SQ_TESTS_BASIN_H
#include "tests/unit/make_space.h"
#include "tests/unit/unit.h"
#include "tuner/search/search.h"
#include <math.h>
#include <string.h>

enum { COORDS = 6, SEEN = 3 };

/* Of the coordinates from..to: how far they are from the best ones. */
static inline double far(const int *p, int from, int to)
{
    static const int best[COORDS] = {5, 8, 3, 10, 6, 1};
    return basin(p, best, from, to);
}

static inline double cost_of(const int *p)
{
    return 1 + far(p, 0, COORDS);
}

/* One statement, whose features tell the point. */
static inline int describe_point(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    (void)user;
    memset(row[0], 0, sizeof row[0]);
    for (int c = 0; c < COORDS; c++) {
        row[0][2 * c] = (float)point[c];
        row[0][2 * c + 1] = (float)(point[c] * point[c]);
    }
    return 1;
}

typedef struct trip {
    int (*features)(void *user, const int *point, float (*row)[SQ_STATEMENT]);
    int trials, round, seeds;
    double (*draft)(void *user, const int *point); /* NULL: no model */
} trip;

typedef struct outcome {
    double best, first; /* of all trials; of the first round behind the start, the mean of what the draft sees */
} outcome;

static inline outcome run_of(const sq_search *row, const trip *x, unsigned long long seed)
{
    sq_space *s = make_space(COORDS);
    sq_search_options o = {.seed = seed, .features = x->features, .draft = x->draft};
    sq_seek *seek = row->open(s, &o);
    outcome r = {.best = INFINITY};
    for (int i = 0; i < x->trials; i++) {
        sq_told t = {.valid = true};
        assert_int_equal(row->ask(seek, t.point), 1);
        t.cost = cost_of(t.point);
        t.wins = t.cost < r.best;
        r.best = fmin(r.best, t.cost);
        r.first += i > 0 && i < x->round - 1 ? far(t.point, 0, SEEN) / (x->round - 2) : 0;
        row->tell(seek, &t);
    }
    row->close(seek);
    free(s);
    return r;
}

static inline outcome mean_of(const sq_search *row, const trip *x)
{
    outcome sum = {0};
    for (int seed = 1; seed <= x->seeds; seed++) {
        outcome r = run_of(row, x, (unsigned long long)seed);
        sum.best += r.best / x->seeds;
        sum.first += r.first / x->seeds;
    }
    print_message("%s: first round %g, best %g\n", row->name, sum.first, sum.best);
    return sum;
}

/* A round waits for all of its results, in any order. */
static inline void expect_round(const sq_search *row, const trip *x)
{
    enum { MOST = 64 };
    sq_space *s = make_space(COORDS);
    sq_search_options o = {.seed = 3, .features = x->features};
    sq_seek *seek = row->open(s, &o);
    int p[MOST][SQ_MAX_COORDS] = {{0}}, none[SQ_MAX_COORDS];
    assert_true(x->round <= MOST);
    for (int i = 0; i < x->round; i++)
        assert_int_equal(row->ask(seek, p[i]), 1);
    for (int i = x->round - 1; i >= 0; i--) {
        sq_told t = {.valid = i % 3 != 0, .cost = cost_of(p[i])};
        assert_int_equal(row->ask(seek, none), 0);
        memcpy(t.point, p[i], sizeof t.point);
        row->tell(seek, &t);
    }
    assert_int_equal(row->ask(seek, none), 1);
    row->close(seek);
    free(s);
}
#endif
