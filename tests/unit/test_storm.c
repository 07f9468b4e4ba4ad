/* Storm: where the model sees half of what matters, what is learned of the rest is worth its time; where it sees all,
 * nothing is learned, and the model's order stays. */
#include "tests/unit/basin.h"
#include "tuner/search/trees.h"

static double sees_half(void *user, const int *point)
{
    (void)user;
    return 1 + far(point, 0, SEEN);
}

static double sees_all(void *user, const int *point)
{
    (void)user;
    return cost_of(point);
}

static void learns_what_the_model_does_not_see(void **state)
{
    static const trip half = {.features = describe_point, .draft = sees_half, .trials = 48, .round = 8, .seeds = 20};
    (void)state;
    if (sq_trees_lacks())
        skip();
    outcome with = mean_of(&sq_search_storm, &half), without = mean_of(&sq_search_storm_unlearned, &half);
    assert_true(with.first == without.first);
    assert_true(with.best - 1 < 0.75 * (without.best - 1));
}

static void leaves_a_good_model_alone(void **state)
{
    static const trip all = {.features = describe_point, .draft = sees_all, .trials = 60, .round = 8, .seeds = 5};
    (void)state;
    if (sq_trees_lacks())
        skip();
    outcome with = mean_of(&sq_search_storm, &all), without = mean_of(&sq_search_storm_unlearned, &all);
    assert_true(with.best == without.best && with.first == without.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_what_the_model_does_not_see),
        cmocka_unit_test(leaves_a_good_model_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
