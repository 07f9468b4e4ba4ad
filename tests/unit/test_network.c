/* The scheduler of a network's kernels, on kernels whose times are known beforehand: the sum falls faster than with
 * equal turns, what has ended or reached its bound gets no more of them, and nothing starves. */
#include "tuner/network.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { LAYERS = 12, TURNS = 72 };

/* Seconds of the best of a layer after so many turns: from 1 + gain down to 1, times its scale. */
typedef struct curve {
    double weight, scale, gain, rate;
} curve;

static double at(const curve *c, int turns)
{
    return c->scale * (1 + c->gain * exp(-c->rate * turns));
}

/* Few are heavy, some have much to gain, some nothing. */
static void make(curve *c)
{
    for (int i = 0; i < LAYERS; i++)
        c[i] = (curve){.weight = i % 4 == 0 ? 6 : 1,
                       .scale = 1e-3 / (1 + i),
                       .gain = i % 3,
                       .rate = 0.1 + 0.05 * (i % 5)};
}

static double sum(const curve *c, const sq_network_layer *l)
{
    double s = 0;
    for (int i = 0; i < LAYERS; i++)
        s += c[i].weight * at(&c[i], l[i].turns);
    return s;
}

static void turn(const curve *c, sq_network_layer *l, int i)
{
    sq_network_turn(&l[i], at(&c[i], l[i].turns + 1), false);
}

static void begin(const curve *c, sq_network_layer *l)
{
    for (int i = 0; i < LAYERS; i++)
        l[i] = (sq_network_layer){.weight = c[i].weight, .bound = c[i].scale, .kind = i};
}

static void falls_faster_than_equal_turns(void **state)
{
    (void)state;
    curve c[LAYERS];
    sq_network_layer ours[LAYERS], equal[LAYERS];
    make(c);
    begin(c, ours);
    begin(c, equal);
    double least = 0;
    for (int i = 0; i < LAYERS; i++)
        least += c[i].weight * c[i].scale;
    for (int t = 0; t < TURNS; t++) {
        int i = sq_network_next(ours, LAYERS);
        assert_in_range(i, 0, LAYERS - 1);
        if (t < LAYERS)
            assert_int_equal(i, t); /* each begins before any goes on */
        turn(c, ours, i);
        turn(c, equal, t % LAYERS);
        if (t >= 3 * LAYERS)
            assert_true(sum(c, ours) <= sum(c, equal));
    }
    assert_true(sum(c, ours) - least < 0.7 * (sum(c, equal) - least));
}

static void one_at_its_bound_waits(void **state)
{
    (void)state;
    sq_network_layer l[2] = {{.weight = 100, .bound = 1e-3, .kind = 0}, {.weight = 1, .bound = 1e-3, .kind = 1}};
    sq_network_turn(&l[0], 1e-3, false);
    sq_network_turn(&l[1], 2e-3, false);
    for (int t = 0; t < 20; t++) {
        assert_int_equal(sq_network_next(l, 2), 1);
        sq_network_turn(&l[1], 2e-3, false);
    }
}

static void turn_in_vain(sq_network_layer *l, int i)
{
    sq_network_turn(&l[i], l[i].seconds, false);
}

static void one_behind_its_kind_catches_up(void **state)
{
    (void)state;
    /* The first two are one kernel: the second is four times as far from its bound as the first. */
    sq_network_layer l[3] = {{.weight = 1, .bound = 1e-3, .kind = 0},
                             {.weight = 1, .bound = 1e-3, .kind = 0},
                             {.weight = 1, .bound = 1e-3, .kind = 2}};
    for (int t = 0; t < 3; t++) {
        sq_network_turn(&l[0], 1.25e-3, false);
        sq_network_turn(&l[1], 5e-3, false);
        sq_network_turn(&l[2], 5e-3, false);
    }
    assert_int_equal(sq_network_next(l, 3), 1);
    assert_true(sq_network_gradient(l, 3, 1) > 1.2 * sq_network_gradient(l, 3, 2));
    /* But not for ever: nothing is gained by anyone, and the turns are shared. */
    int had = l[1].turns;
    for (int t = 0; t < 30; t++)
        turn_in_vain(l, sq_network_next(l, 3));
    assert_in_range(l[1].turns - had, 8, 22);
}

static void what_ended_is_left(void **state)
{
    (void)state;
    sq_network_layer l[3] = {{.weight = 1}, {.weight = 1}, {.weight = 1}};
    sq_network_turn(&l[0], 1, true);
    sq_network_turn(&l[1], 0, true); /* it could not be tuned */
    sq_network_turn(&l[2], 1, false);
    assert_int_equal(sq_network_next(l, 3), 2);
    sq_network_turn(&l[2], 1, true);
    assert_int_equal(sq_network_next(l, 3), -1);
    assert_int_equal(sq_network_next(l, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_faster_than_equal_turns),
        cmocka_unit_test(one_at_its_bound_waits),
        cmocka_unit_test(one_behind_its_kind_catches_up),
        cmocka_unit_test(what_ended_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
