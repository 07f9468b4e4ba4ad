/* Meta: traces record points and replay them, and MetaSchedule's search is made of its parts: rounds that chance leads
 * until enough is known, a model worth its time, and a descent at the end of a budget that leaves the structure. */
#include "tests/unit/make_space.h"
#include "tuner/search/trace.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { COORDS = 8, KINDS = 3, BUDGET = 240 };

/* Five sizes, an unrolling, a structure, and a size that matters only with the structure's last value. */
static sq_space *space_of(void)
{
    sq_space *s = make_space(COORDS);
    for (int c = 0; c < 5; c++)
        s->coord[c].axis = c / 2;
    s->coord[5].mark = SQ_COORD_UNROLLS;
    s->coord[6].structural = true;
    s->coord[6].nvalues = KINDS;
    s->coord[7].under = 7;
    s->coord[7].under_value = KINDS - 1;
    s->start[7] = 4;
    return s;
}

static void draw(const sq_space *s, sq_rng *rng, int *point)
{
    memset(point, 0, sizeof s->start);
    for (int c = 0; c < s->n; c++)
        point[c] = (int)sq_rng_below(rng, (size_t)s->coord[c].nvalues);
    sq_space_settle(s, point);
}

static void traces_replay(void **state)
{
    sq_space *s = space_of();
    sq_rng rng = {3};
    (void)state;
    for (int i = 0; i < 200; i++) {
        int point[SQ_MAX_COORDS], again[SQ_MAX_COORDS];
        sq_trace t;
        draw(s, &rng, point);
        sq_trace_record(s, point, &t);
        assert_int_equal(t.n, point[6] == KINDS - 1 ? COORDS : COORDS - 1);
        sq_rng before = rng;
        assert_int_equal(sq_trace_replay(s, &t, &rng, again), 0);
        assert_true(rng.state == before.state);
        assert_memory_equal(again, point, (size_t)s->n * sizeof *point);
    }
    free(s);
}

/* Without one of its decisions a script decides the others as before. */
static void traces_lack(void **state)
{
    sq_space *s = space_of();
    sq_rng rng = {4};
    int redrawn = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        int point[SQ_MAX_COORDS], again[SQ_MAX_COORDS], without = i % 6;
        sq_trace t;
        draw(s, &rng, point);
        sq_trace_record(s, point, &t);
        memmove(&t.at[without], &t.at[without + 1], (size_t)(--t.n - without) * sizeof *t.at);
        assert_int_equal(sq_trace_replay(s, &t, &rng, again), 1);
        redrawn += again[without] != point[without];
        again[without] = point[without];
        assert_memory_equal(again, point, (size_t)s->n * sizeof *point);
    }
    assert_true(redrawn > 150);
    free(s);
}

/* A decision that another one makes necessary is drawn; one that it makes useless is dropped. */
static void traces_change(void **state)
{
    sq_space *s = space_of();
    sq_rng rng = {5};
    int values = 0;
    (void)state;
    for (int i = 0; i < 100; i++) {
        int point[SQ_MAX_COORDS];
        sq_trace t;
        draw(s, &rng, point);
        point[6] = 0;
        sq_space_settle(s, point);
        sq_trace_record(s, point, &t);
        t.at[6].value = KINDS - 1;
        assert_int_equal(sq_trace_replay(s, &t, &rng, point), 1);
        values |= 1 << point[7];
        sq_trace_record(s, point, &t);
        t.at[6].value = 1;
        assert_int_equal(sq_trace_replay(s, &t, &rng, point), 0);
        assert_int_equal(point[7], s->start[7]);
    }
    assert_int_equal(values, (1 << LEVELS) - 1);
    free(s);
}

/* ---- the search ---- */

static double bowl(const int *p)
{
    static const int best[COORDS] = {5, 8, 3, 10, 6, 2, 1, 4};
    return 1 + basin(p, best, 0, COORDS);
}

typedef struct run {
    int point[BUDGET][SQ_MAX_COORDS];
    double best[BUDGET + 1]; /* before each trial, and after the last */
    int best_point[SQ_MAX_COORDS];
    int n;
} run;

static double share(void *user)
{
    return (double)((const run *)user)->n / BUDGET;
}

static run *run_of(const sq_search *row, unsigned long long seed, double (*cost)(const int *))
{
    run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    sq_space *s = space_of();
    sq_search_options o = {.seed = seed, .spent = share, .spent_user = r};
    sq_seek *seek = row->open(s, &o);
    r->best[0] = INFINITY;
    for (; r->n < BUDGET && row->ask(seek, r->point[r->n]) == 1; r->n++) {
        sq_told t = {.cost = cost(r->point[r->n])};
        memcpy(t.point, r->point[r->n], sizeof t.point);
        t.valid = isfinite(t.cost);
        t.wins = t.cost < r->best[r->n];
        r->best[r->n + 1] = fmin(r->best[r->n], t.cost);
        row->tell(seek, &t);
    }
    row->close(seek);
    free(s);
    return r;
}

static int differing(const int *a, const int *b)
{
    int n = 0;
    for (int c = 0; c < COORDS; c++)
        n += a[c] != b[c];
    return n;
}

/* The best point before trial i. */
static const int *best_before(const run *r, int i)
{
    int best = 0;
    for (int k = 1; k < i; k++)
        if (bowl(r->point[k]) < bowl(r->point[best]))
            best = k;
    return r->point[best];
}

/* From the last fifth on it moves one size or mark at a time. */
static void descends_at_the_end(void **state)
{
    enum { FROM = BUDGET * 4 / 5, NEAR = 6 };
    (void)state;
    for (unsigned long long seed = 1; seed <= 3; seed++) {
        run *r = run_of(&sq_search_meta_unled, seed, bowl);
        assert_int_equal(r->n, BUDGET);
        const int *best = best_before(r, FROM);
        for (int i = FROM; i < FROM + NEAR; i++) {
            assert_true(differing(r->point[i], best) == 1);
            assert_int_equal(r->point[i][6], best[6]);
        }
        print_message("%g, after its descent %g\n", r->best[FROM], r->best[BUDGET]);
        assert_true(r->best[BUDGET] < r->best[FROM]);
        free(r);
    }
}

static double mean_after(const sq_search *row, int trials)
{
    double sum = 0;
    for (unsigned long long seed = 1; seed <= 3; seed++) {
        run *r = run_of(row, seed, bowl);
        assert_int_equal(r->n, BUDGET);
        sum += r->best[trials];
        free(r);
    }
    return sum / 3;
}

/* The model is worth its time, and so is the descent where there is no model; together they come closest. */
static void parts_are_worth_it(void **state)
{
    (void)state;
    if (sq_search_meta.lacks())
        skip();
    double whole = mean_after(&sq_search_meta, BUDGET), undescended = mean_after(&sq_search_meta_undescended, BUDGET),
           unled = mean_after(&sq_search_meta_unled, BUDGET), random = mean_after(&sq_search_random, BUDGET);
    print_message("meta %g, undescended %g, unled %g, random %g\n", whole, undescended, unled, random);
    assert_true(whole <= undescended && whole < 0.95 * unled && unled < 0.95 * random);
}

/* Two rounds are random: less than 100 programs are known before the second. */
static void is_led_late(void **state)
{
    (void)state;
    if (sq_search_meta.lacks())
        skip();
    run *led = run_of(&sq_search_meta_undescended, 6, bowl), *unled = run_of(&sq_search_meta_unled, 6, bowl);
    double sum[3] = {0};
    assert_memory_equal(led->point, unled->point, 128 * sizeof led->point[0]);
    for (int i = 0; i < 3 * 64; i++)
        sum[i / 64] += bowl(led->point[i]) / 64;
    print_message("mean of rounds: %g, %g, %g\n", sum[0], sum[1], sum[2]);
    assert_true(sum[2] < 0.7 * sum[1]);
    free(led);
    free(unled);
}

static double never(const int *p)
{
    (void)p;
    return INFINITY;
}

/* Nothing to descend from: it goes on to the end of the budget. */
static void nothing_runs(void **state)
{
    (void)state;
    run *r = run_of(&sq_search_meta_unled, 2, never);
    assert_int_equal(r->n, BUDGET);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_replay),       cmocka_unit_test(traces_lack), cmocka_unit_test(traces_change),
        cmocka_unit_test(descends_at_the_end), cmocka_unit_test(is_led_late), cmocka_unit_test(parts_are_worth_it),
        cmocka_unit_test(nothing_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
