/* Priors: trees as plain nodes score as the library that learned them; what is learned of some tasks ranks the points
 * of another one; a search that begins with it is sooner where it is right, and where it is wrong gets over it within
 * 40 trials. */
#include "support/stats.h"
#include "tests/unit/basin.h"
#include "tests/unit/unit.h"
#include "tuner/experience.h"
#include "tuner/search/dataset.h"
#include "tuner/search/trees.h"

enum { TASKS = 3, SAMPLES = 250, SEEDS = 6 };

/* ---- trees ---- */

static void test_nodes(void **state)
{
    (void)state;
    const sq_forest_node tree[] = {
        {0, 1, 2, 0.5f}, {-1, 0, 0, 1}, {1, 3, 4, 2}, {-1, 0, 0, 10}, {-1, 0, 0, 100}};
    const sq_forest_node stump[] = {{-1, 0, 0, 1000}};
    sq_forest *f = sq_forest_new(2, 0.25f), *other = sq_forest_new(2, 0.5f);
    const float row[] = {0.4f, 9, 0.5f, 1, 0.6f, 2};
    assert_int_equal(sq_forest_add(f, tree, 5), 0);
    assert_true(sq_forest_score(f, row, 1) == 1.25f);
    assert_true(sq_forest_score(f, row + 2, 1) == 10.25f); /* equal is not less */
    assert_true(sq_forest_score(f, row, 3) == 111.75f);
    assert_int_equal(sq_forest_add(other, stump, 1), 0);
    sq_forest_join(f, other);
    assert_int_equal(f->ntrees, 2);
    assert_int_equal(sq_forest_nodes(f, 0), 5);
    assert_int_equal(sq_forest_nodes(f, 1), 1);
    assert_true(sq_forest_score(f, row, 1) == 1001.75f);
    sq_forest_free(other);
    sq_forest_free(f);
}

/* A walk through a tree ends, and stays in it and in the row. */
static void test_no_tree(void **state)
{
    (void)state;
    const sq_forest_node leaf = {-1, 0, 0, 1};
    const sq_forest_node root[] = {{0, 0, 1, 1},   {0, 1, 0, 1},        {0, 1, 2, 1},
                                   {0, -1, 1, 1},  {2, 1, 1, 1},        {-2, 1, 1, 1},
                                   {0, 1, 1, NAN}, {0, 1, 1, INFINITY}, {0, 2, 1, 1}};
    sq_forest *f = sq_forest_new(2, 0);
    for (size_t i = 0; i < LENGTH(root); i++) {
        const sq_forest_node tree[] = {root[i], leaf};
        assert_int_equal(sq_forest_add(f, tree, 2), -1);
    }
    assert_int_equal(sq_forest_add(f, &leaf, 0), -1);
    assert_int_equal(f->ntrees, 0);
    assert_int_equal(f->nnodes, 0);
    sq_forest_free(f);
}

static void test_same_scores(void **state)
{
    enum { PACKS = 120, COLUMNS = 5 }; /* the first and the last are the same in all rows */
    static const sq_trees_options o = {
        .depth = 6, .eta = 0.2, .gamma = 0.01, .rounds = 100, .patience = 50};
    static float row[2 * PACKS][COLUMNS], y[PACKS], offset[PACKS], predicted[PACKS];
    static int size[PACKS];
    (void)state;
    if (sq_trees_lacks())
        skip();
    sq_rng rng = {4};
    int n = 0;
    for (int i = 0; i < PACKS; i++) {
        size[i] = 1 + i % 2;
        offset[i] = (float)sq_rng_unit(&rng);
        y[i] = 2 * offset[i];
        for (int k = 0; k < size[i]; k++, n++) {
            for (int c = 1; c < COLUMNS - 1; c++)
                row[n][c] = (float)sq_rng_unit(&rng);
            row[n][COLUMNS - 1] = 7;
            y[i] += row[n][1] < 0.5f ? row[n][2] : 0.1f;
        }
    }
    sq_trees *b = sq_trees_new(COLUMNS, &o);
    assert_null(sq_forest_of_trees(b, COLUMNS)); /* nothing is learned */
    assert_int_equal(sq_trees_fit_packs(b, row[0], size, y, offset, PACKS), 0);
    assert_int_equal(sq_trees_predict_packs(b, row[0], size, PACKS, predicted), 0);
    sq_forest *f = sq_forest_of_trees(b, COLUMNS);
    assert_non_null(f);
    assert_int_equal(f->nfeatures, COLUMNS);
    assert_true(f->ntrees > 20);
    double off = 0;
    const float *at = row[0];
    for (int i = 0; i < PACKS; at += size[i++] * COLUMNS) {
        assert_true(fabsf(sq_forest_score(f, at, size[i]) - predicted[i]) < 1e-5f);
        off += (double)fabsf(predicted[i] + offset[i] - y[i]) / PACKS;
    }
    assert_true(off < 0.1); /* it learned what is missing beside the offset */
    for (int i = 0; i < n; i++)
        row[i][0] = row[i][COLUMNS - 1] = -1; /* nothing could be learned of these */
    assert_true(fabsf(sq_forest_score(f, row[0], size[0]) - predicted[0]) < 1e-5f);
    sq_forest_free(f);
    sq_trees_free(b);
}

static void test_hostile_model(void **state)
{
    (void)state;
#define MODEL(trees)                                                                               \
    "{\"learner\": {\"gradient_booster\": {\"model\": {\"trees\": [" trees "]}}, "                 \
    "\"learner_model_param\": {\"base_score\": \"5E-1\"}}}"
    static const char good[] =
        MODEL("{\"left_children\": [1, -1, -1], \"right_children\": [2, -1, -1], "
              "\"split_indices\": [1, 0, 0], \"split_conditions\": [0.5, 3, 4]}");
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        MODEL("{}"),
        MODEL("{\"left_children\": [0], \"right_children\": [0], \"split_indices\": [0], "
              "\"split_conditions\": [1]}"),
        MODEL("{\"left_children\": [7], \"right_children\": [8], \"split_indices\": [0], "
              "\"split_conditions\": [1]}"),
        MODEL(
            "{\"left_children\": [1, -1], \"right_children\": [1, -1], \"split_indices\": [5, 0], "
            "\"split_conditions\": [1, 1]}"),
    };
    const float row[] = {0, 0.25f, 0, 0.5f};
    sq_forest *f = sq_forest_of_xgboost(good, sizeof good - 1, 2);
    assert_non_null(f);
    assert_true(sq_forest_score(f, row, 1) == 3.5f && sq_forest_score(f, row + 2, 1) == 4.5f);
    sq_forest_free(f);
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_null(sq_forest_of_xgboost(bad[i], strlen(bad[i]), 2));
}

/* ---- tasks ---- */

/* Tasks differ in their best points and in how long they take; features are beside the best point, as sizes are beside
 * caches. A point has one or two statements, which say the same, and how many there are. */
static int task_now;

static const int *best_of(int task)
{
    static const int best[TASKS + 1][COORDS] = {
        {5, 8, 3, 10, 6, 1}, {2, 4, 6, 3, 9, 7}, {9, 1, 8, 5, 2, 4}, {7, 6, 2, 8, 3, 9}};
    return best[task];
}

static int describe(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    (void)user;
    int n = 1 + point[0] % 2;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int i = 0; i < n; i++) {
        row[i][COORDS] = (float)n;
        for (int c = 0; c < COORDS; c++)
            row[i][c == COORDS - 1 ? SQ_DRAFT : c] = (float)(point[c] - best_of(task_now)[c]);
    }
    return n;
}

static double cost_at(const int *point)
{
    return (1 + task_now) * (1 + basin(point, best_of(task_now), 0, COORDS));
}

/* Points by chance of all tasks but the last; wrong: where slow ones are said to be fast. */
static sq_dataset *sample(bool wrong)
{
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    sq_dataset *d = sq_dataset_new();
    sq_rng rng = {11};
    for (task_now = 0; task_now < TASKS; task_now++) {
        char name[16];
        snprintf(name, sizeof name, "task %d", task_now);
        for (int i = 0; i < SAMPLES; i++) {
            int p[SQ_MAX_COORDS] = {0};
            for (int c = 0; c < COORDS; c++)
                p[c] = (int)sq_rng_below(&rng, LEVELS);
            double cost = wrong ? 1 / cost_at(p) : cost_at(p);
            sq_dataset_add(d, sq_dataset_task(d, name), row, describe(NULL, p, row),
                           i % 20 ? cost : INFINITY);
        }
    }
    return d;
}

static void test_dataset(void **state)
{
    (void)state;
    sq_dataset *empty = sq_dataset_new();
    assert_null(sq_dataset_learn(empty, (sq_dataset_fold){0}, NULL));
    sq_dataset_free(empty);
    if (sq_trees_lacks())
        skip();
    sq_dataset *d = sample(false);
    assert_int_equal(sq_dataset_tasks(d), TASKS);
    assert_string_equal(sq_dataset_name(d, 1), "task 1");
    assert_int_equal(sq_dataset_points(d, 1), SAMPLES);
    assert_int_equal(sq_dataset_points(d, -1), TASKS * SAMPLES);
    for (int i = 0; i < TASKS; i++) {
        sq_forest *f = sq_dataset_learn(d, (sq_dataset_fold){.at = i, .of = TASKS}, NULL);
        double left_out = sq_dataset_rank(d, i, &(sq_learned){.forest = f}).correlation;
        print_message("task %d left out: %g\n", i, left_out);
        assert_true(left_out > 0.45 && left_out < 0.99);
        sq_forest *with = sq_dataset_learn(d, (sq_dataset_fold){0}, f);
        assert_true(with->ntrees > f->ntrees);
        assert_true(sq_dataset_rank(d, i, &(sq_learned){.forest = with}).correlation > left_out + 0.03);
        sq_forest_free(with);
        sq_forest_free(f);
    }
    sq_dataset_free(d);
}

static const sq_forest *always(void *user)
{
    return user;
}

/* The mean of the best cost after so many trials of the task that no prior has seen. */
static double best_after(const sq_search *row, sq_prior prior, int trials)
{
    double sum = 0;
    task_now = TASKS;
    for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
        sq_space *s = make_space(COORDS);
        sq_search_options o = {.seed = seed, .features = describe, .prior = prior};
        sq_seek *seek = row->open(s, &o);
        double best = INFINITY;
        for (int i = 0; i < trials; i++) {
            sq_told t = {.valid = true};
            assert_int_equal(row->ask(seek, t.point), 1);
            t.cost = cost_at(t.point);
            t.wins = t.cost < best;
            best = fmin(best, t.cost);
            row->tell(seek, &t);
        }
        sum += best / (1 + TASKS) / SEEDS;
        row->close(seek);
        free(s);
    }
    return sum;
}

static void test_searches(void **state)
{
    static const sq_search *const with[] = {&sq_search_ansor, &sq_search_meta, &sq_search_storm};
    (void)state;
    if (sq_trees_lacks())
        skip();
    sq_dataset *d = sample(false), *wrong = sample(true);
    sq_forest *good = sq_dataset_learn(d, (sq_dataset_fold){0}, NULL),
              *bad = sq_dataset_learn(wrong, (sq_dataset_fold){0}, NULL);
    for (size_t i = 0; i < LENGTH(with); i++) {
        assert_true(with[i]->has_prior);
        double cold = best_after(with[i], (sq_prior){0}, 40),
               warm = best_after(with[i], (sq_prior){.now = always, .user = good}, 40);
        double late = best_after(with[i], (sq_prior){0}, 100),
               misled = best_after(with[i], (sq_prior){.now = always, .user = bad}, 140);
        print_message("%s: 40 trials %g, with a prior %g; 100 trials %g, 140 with a wrong one %g\n",
                      with[i]->name, cold, warm, late, misled);
        assert_true(warm - 1 < 0.7 * (cold - 1));
        assert_true(misled < 1.15 * late);
    }
    sq_forest_free(good);
    sq_forest_free(bad);
    sq_dataset_free(d);
    sq_dataset_free(wrong);
}

/* ---- experience ---- */

/* What runs learn for each other: nothing of a few trials, then anew as they grow; what was given stays part of it, and
 * what searches may still have stays. */
static void test_experience(void **state)
{
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    (void)state;
    if (sq_trees_lacks())
        skip();
    sq_forest *given = sq_forest_new(SQ_PRIOR_FEATURES, 7);
    sq_experience *e = sq_experience_new(given);
    sq_prior prior = sq_experience_prior(e);
    const sq_forest *before = NULL;
    int changes = 0;
    sq_rng rng = {5};
    assert_ptr_equal(prior.now(prior.user), given);
    for (int i = 0; i < 150; i++) {
        int p[SQ_MAX_COORDS] = {0};
        task_now = i % 2;
        for (int c = 0; c < COORDS; c++)
            p[c] = (int)sq_rng_below(&rng, LEVELS);
        sq_experience_add(e, task_now ? "a" : "b", row, describe(NULL, p, row), cost_at(p));
        const sq_forest *f = prior.now(prior.user);
        changes += before && f != before;
        assert_true((f == given) == (i + 1 < 64));
        before = f;
    }
    assert_int_equal(changes, 3); /* at 64, 96 and 144 */
    assert_true(before->base > 7);
    sq_experience_free(e);
    sq_forest_free(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes),       cmocka_unit_test(test_no_tree),
        cmocka_unit_test(test_same_scores), cmocka_unit_test(test_hostile_model),
        cmocka_unit_test(test_dataset),     cmocka_unit_test(test_searches),
        cmocka_unit_test(test_experience),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
