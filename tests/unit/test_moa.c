/* MoA: a network's weights are taken and given; its twin follows by little; networks learn from tasks and rank another
 * one; a search that begins with the weights of another machine is led from its first round on, and gets over weights
 * that mislead it. */
#include "support/stats.h"
#include "tests/unit/basin.h"
#include "tuner/search/dataset.h"

enum { TASKS = 3, SAMPLES = 120 };

/* Of another machine: on each task the best point is a little elsewhere, and all times differ. misled: what is fast
 * there is slow here. */
static sq_dataset *sample(bool misled)
{
    sq_dataset *d = sq_dataset_new();
    sq_rng rng = {3};
    for (int task = 0; task < TASKS; task++) {
        char name[16];
        snprintf(name, sizeof name, "task %d", task);
        for (int i = 0; i < SAMPLES; i++) {
            int p[SQ_MAX_COORDS] = {0}, moved[COORDS];
            float row[1][SQ_STATEMENT];
            for (int c = 0; c < COORDS; c++) {
                p[c] = (int)sq_rng_below(&rng, LEVELS);
                moved[c] = p[c] + (c == task);
            }
            double cost = misled ? 10 / cost_of(moved) : 7 * (task + 1) * cost_of(moved);
            sq_dataset_add(d, sq_dataset_task(d, name), row, describe_point(NULL, p, row), cost);
        }
    }
    return d;
}

static void weights_are_moved(void **state)
{
    (void)state;
    sq_weights *w = sq_weights_new(3, true), *other = sq_weights_copy(w);
    assert_memory_equal(w->value, other->value, (size_t)w->n * sizeof *w->value);
    for (int i = 0; i < other->n; i++)
        other->value[i] = w->value[i] + 100;
    float before = w->value[5];
    sq_weights_follow(w, other, 0.01);
    assert_true(fabsf(w->value[5] - before - 1) < 1e-4f);
    assert_true(w->value[w->nparameters] == other->value[w->nparameters]);
    assert_true(w->value[w->n - 1] == other->value[w->n - 1]);
    sq_weights_free(w);
    sq_weights_free(other);
}

static void networks_rank_other_tasks(void **state)
{
    (void)state;
    sq_dataset *d = sample(false), *empty = sq_dataset_new();
    assert_null(sq_dataset_learn_network(empty, (sq_dataset_fold){0}, true));
    for (int reads_flow = 0; reads_flow < 2; reads_flow++) {
        sq_dataset_fold without = {.at = 1, .of = TASKS};
        sq_learned x = {.weights = sq_dataset_learn_network(d, without, reads_flow)};
        sq_learned again = {.weights = sq_dataset_learn_network(d, without, reads_flow)};
        sq_ranking r = sq_dataset_rank(d, 1, &x);
        print_message("left out: correlation %.3f, best of 1 %.3f, of 5 %.3f\n", r.correlation, r.top[0], r.top[1]);
        assert_true(r.correlation > 0.85 && r.top[1] >= r.top[0] && r.top[1] > 0.8 && r.recall >= 3 && r.top[3] == 1);
        assert_memory_equal(x.weights->value, again.weights->value, (size_t)x.weights->n * sizeof(float));
        sq_learned_free(&x);
        sq_learned_free(&again);
    }
    sq_dataset_free(d);
    sq_dataset_free(empty);
}

/* The best cost after some trials, the mean of some seeds; *first: the mean cost of the planned points of round 1. */
static double best_after(const sq_search *row, const sq_weights *w, int trials, double *first)
{
    enum { SEEDS = 2, ROUND = 10 };
    double sum = 0;
    *first = 0;
    for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
        sq_space *s = make_space(COORDS);
        sq_search_options o = {.seed = seed, .features = describe_point, .prior = {.weights = w}};
        sq_seek *seek = row->open(s, &o);
        double best = INFINITY;
        for (int i = 0; i < trials; i++) {
            sq_told t = {.valid = true};
            assert_int_equal(row->ask(seek, t.point), 1);
            t.cost = cost_of(t.point);
            *first += i > 0 && i < ROUND - 1 ? t.cost / (ROUND - 2) / SEEDS : 0;
            best = fmin(best, t.cost);
            row->tell(seek, &t);
        }
        sum += best / SEEDS;
        row->close(seek);
        free(s);
    }
    return sum;
}

static void weights_lead(void **state)
{
    (void)state;
    sq_dataset *d = sample(false), *wrong = sample(true);
    sq_weights *good = sq_dataset_learn_network(d, (sq_dataset_fold){0}, true),
               *bad = sq_dataset_learn_network(wrong, (sq_dataset_fold){0}, true);
    double first, first_cold, first_misled, unused;
    double cold = best_after(&sq_search_moa, NULL, 40, &first_cold);
    double warm = best_after(&sq_search_moa, good, 40, &first),
           tuned = best_after(&sq_search_moa_tuned, good, 40, &unused);
    print_message("40 trials: %g, with weights %g, tuned %g; first round %g, %g\n", cold, warm, tuned, first_cold,
                  first);
    assert_true(first < 0.6 * first_cold && warm < 0.9 * cold && tuned < 0.9 * cold);
    double late = best_after(&sq_search_moa, NULL, 80, &unused),
           misled = best_after(&sq_search_moa, bad, 80, &first_misled);
    print_message("80 trials: %g, misled %g; first round %g\n", late, misled, first_misled);
    assert_true(first_misled > first_cold && misled < 1.3 * late);
    sq_weights_free(good);
    sq_weights_free(bad);
    sq_dataset_free(d);
    sq_dataset_free(wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_moved),
        cmocka_unit_test(networks_rank_other_tasks),
        cmocka_unit_test(weights_lead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
