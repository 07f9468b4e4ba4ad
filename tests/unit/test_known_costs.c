/* Costs that a sketch knows: what it says of a point does not depend on what was asked before, over more points than
 * are kept, with the penalty for large panels on and off, and after an array is packed no more. */
#include "support/stats.h"
#include "tests/unit/sketch_fixture.h"

enum { POINTS = 40000, APART = 61 };

static void draw(const sq_space *sp, sq_rng *rng, int *point)
{
    memset(point, 0, SQ_MAX_COORDS * sizeof *point);
    for (int c = 0; c < sp->n; c++)
        point[c] = (int)sq_rng_below(rng, (size_t)sp->coord[c].nvalues);
}

/* Some of the points that another sketch was asked, as ones that nobody asked before: x is the same. */
static void expect_same(const fixture *asked, const fixture *fresh, uint64_t seed, int n)
{
    sq_rng rng = {seed};
    for (int i = 0; i < n; i++) {
        int point[SQ_MAX_COORDS];
        draw(sq_sketch_space(asked->sketch), &rng, point);
        double x = sq_sketch_cost(asked->sketch, point);
        if (i % APART == 0)
            assert_true(x == sq_sketch_cost(fresh->sketch, point) && x == sq_sketch_cost(asked->sketch, point));
    }
}

static void costs_are_those_of_the_plan(void **state)
{
    static const char *const sample[] = {"conv2d", "attention"};
    (void)state;
    for (size_t k = 0; k < sizeof sample / sizeof *sample; k++) {
        fixture asked, fresh;
        open_sample(&asked, sample[k], "avx2", 1);
        for (int roomy = 0; roomy < 2; roomy++) {
            open_sample(&fresh, sample[k], "avx2", 1);
            sq_sketch_roomy(asked.sketch, roomy);
            sq_sketch_roomy(fresh.sketch, roomy);
            expect_same(&asked, &fresh, 7, k ? POINTS / 20 : POINTS);
            close_fixture(&fresh);
        }
        open_sample(&fresh, sample[k], "avx2", 1);
        sq_sketch_roomy(asked.sketch, false);
        sq_sketch_bar(asked.sketch, asked.u->kernel[0]->array[0]);
        sq_sketch_bar(fresh.sketch, fresh.u->kernel[0]->array[0]);
        expect_same(&asked, &fresh, 7, POINTS / 20);
        close_fixture(&fresh);
        close_fixture(&asked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(costs_are_those_of_the_plan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
