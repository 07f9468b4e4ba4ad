/* Statistics against published values and ones computed another way. */
#include "support/stats.h"
#include "tests/unit/unit.h"
#include <math.h>

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("got %.12g, expected %.12g within %g", got, expected, tolerance);
}

static void location_and_spread(void **state)
{
    (void)state;
    const double odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    assert_near(sq_median(odd, 5), 3, 0);
    assert_near(sq_median(even, 4), 2.5, 0);
    assert_near(sq_median(one, 1), 7, 0);
    assert_near(sq_mad(odd, 5), 1, 0);
    assert_near(sq_mean(even, 4), 2.5, 0);
    assert_near(sq_variance(odd, 5), 2.5, 1e-15);
    assert_near(sq_variance(one, 1), 0, 0);
    assert_near(sq_minimum(odd, 5), 1, 0);
    assert_near(odd[0], 5, 0); /* the input is left alone */
    const double ratios[] = {0.5, 2, 4};
    assert_near(sq_geomean(ratios, 3), pow(4, 1.0 / 3), 1e-14);
    const double outlier[] = {1, 1, 1, 1, 1000};
    assert_near(sq_median(outlier, 5), 1, 0);
    assert_near(sq_mad(outlier, 5), 0, 0);
}

/* A median of more values than live on the stack. */
static void many_values(void **state)
{
    (void)state;
    double x[1001];
    for (int i = 0; i < 1001; i++)
        x[i] = (i * 617) % 1001;
    assert_near(sq_median(x, 1001), 500, 0);
}

/* By hand: 1 - 6 * sum(d^2) / (n * (n^2 - 1)) where no two are equal; Pearson's of ranks where some are. */
static void ranks(void **state)
{
    (void)state;
    const double x[] = {10, 20, 30, 40, 50}, y[] = {1, 3, 2, 5, 4}, down[] = {9, 4, 1, 0, -7}, flat[] = {2, 2, 2, 2, 2};
    const double ties[] = {1, 1, 2, 2, 3};
    assert_near(sq_rank_correlation(x, y, 5), 0.8, 1e-12);
    assert_near(sq_rank_correlation(x, down, 5), -1, 1e-12);
    assert_near(sq_rank_correlation(x, flat, 5), 0, 0);
    assert_near(sq_rank_correlation(x, ties, 5), 9 / sqrt(10 * 9), 1e-12);
    assert_near(sq_rank_correlation(x, y, 1), 0, 0);
    assert_near(sq_rank_correlation(x, y, 0), 0, 0);
}

/* First outputs of splitmix64 with seed 0 and 1234567, as its author published them. */
static void random_numbers(void **state)
{
    (void)state;
    sq_rng zero = {0}, r = {1234567};
    assert_int_equal(sq_rng_next(&zero), 0xe220a8397b1dcdafu);
    assert_int_equal(sq_rng_next(&r), 6457827717110365317u);
    assert_int_equal(sq_rng_next(&r), 3203168211198807973u);
    int count[7] = {0};
    for (int i = 0; i < 70000; i++) {
        count[sq_rng_below(&r, 7)]++;
        double u = sq_rng_unit(&r);
        assert_true(u >= 0 && u < 1);
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(count[i], 9600, 10400);
    assert_int_equal(sq_rng_below(&r, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(location_and_spread),
        cmocka_unit_test(many_values),
        cmocka_unit_test(ranks),
        cmocka_unit_test(random_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
