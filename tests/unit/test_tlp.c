/* TLP: scripts as steps; the gradient of the whole network is what differences give; it learns an order from scripts
 * alone, the same each time; a search is led by it. */
#include "tests/unit/ordered.h"
#include "tests/unit/basin.h"
#include "tuner/search/steps.h"
#include "tuner/search/tlp.c" /* its passes, from within */

/* ---- steps ---- */

/* From the first argument on: `wanted`, then nothing. */
static void expect_row(const float *row, int kind, const double *wanted, int n)
{
    for (int k = 0; k < SQ_STEP_KINDS; k++)
        assert_true(row[k] == (k == kind ? 1 : 0));
    for (int i = SQ_STEP_KINDS; i < SQ_STEP_NUMBERS; i++) {
        double is = (double)row[i], want = i - SQ_STEP_KINDS < n ? wanted[i - SQ_STEP_KINDS] : 0;
        if (fabs(is - want) > 1e-6)
            fail_msg("number %d is %g, not %g", i, is, want);
    }
}

static void scripts_are_steps(void **state)
{
    enum { I = 1, K = 2, AS = 5, AT = 4, B = 3 };
    (void)state;
    sq_words w = {0};
    float row[SQ_STEPS][SQ_STEP_NUMBERS];
    assert_int_equal(sq_steps_of_script(&w, "tile(i:7, k:255) pack(B at k0 as i16)", row), 2);
    expect_row(row[0], 0, (double[]){I, 3, K, 8}, 4);
    expect_row(row[1], 4, (double[]){B, AT, K, 0, AS, I, log2(17)}, 7);
    /* Names keep their numbers; what has no kind of its own has the last; room for 11 arguments. */
    assert_int_equal(sq_steps_of_script(&w, "prefetch(k:1)order(i,i,i,i,i,i,i,i,i,i,i,k)", row), 2);
    expect_row(row[0], SQ_STEP_KINDS - 1, (double[]){K, 1}, 2);
    expect_row(row[1], 1, (double[]){I, I, I, I, I, I, I, I, I, I, I}, 11);
    assert_int_equal(sq_steps_of_script(&w, "", row), 0);
    assert_int_equal(sq_steps_of_script(&w, "no call: 3", row), 0);
    sq_text many = {0};
    for (int i = 0; i < 2 * SQ_STEPS; i++)
        sq_text_printf(&many, "unroll(k:%d) ", i);
    assert_int_equal(sq_steps_of_script(&w, sq_text_str(&many), row), SQ_STEPS);
    expect_row(row[SQ_STEPS - 1], 5, (double[]){K, log2(SQ_STEPS)}, 2);
    sq_text_free(&many);
    sq_words_free(&w);
    sq_step_of_value(3, 15, row[0]);
    expect_row(row[0], SQ_STEP_KINDS - 1, (double[]){3, 4}, 2);
}

/* ---- the network ---- */

enum { POINTS = 120, KNOWN = 80 };

typedef struct set {
    int size[POINTS];
    float row[POINTS * SQ_STEPS][SQ_STEP_NUMBERS], y[POINTS];
} set;

/* Scripts of a tile by chance, whose speed falls with its distance from 32, and which are twice as slow unpacked. */
static set *set_of_scripts(void)
{
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    sq_words w = {0};
    sq_rng rng = {11};
    int nrows = 0;
    for (int i = 0; i < POINTS; i++) {
        int size = (int)sq_rng_below(&rng, 8), other = (int)sq_rng_below(&rng, 4);
        bool is_packed = sq_rng_below(&rng, 2);
        sq_text t = {0};
        sq_text_printf(&t, "tile(i:%d) micro(j:%d | k) vectorize(j:8)%s", 1 << size, 1 << other,
                       is_packed ? " pack(B at i0)" : "");
        s->size[i] = sq_steps_of_script(&w, sq_text_str(&t), s->row + nrows);
        nrows += s->size[i];
        s->y[i] = (float)(1 / ((1 + abs(size - 5)) * (is_packed ? 1.0 : 2.0)));
        sq_text_free(&t);
    }
    sq_words_free(&w);
    return s;
}

/* A number that depends on all scores. */
static double sum_of(const sq_tlp *m, const set *s, size_t n)
{
    pass x = open_pass(m, s->row[0], s->size, n);
    float score[POINTS];
    double sum = 0;
    forwards(m, &x);
    add_scores(m, &x, score);
    for (size_t i = 0; i < n; i++)
        sum += (double)score[i] * (1 + (int)(i % 3));
    close_pass(&x);
    return sum;
}

static void network_goes_back(void **state)
{
    enum { N = 5, EACH = 40 };
    (void)state;
    set *s = set_of_scripts();
    sq_tlp *m = sq_tlp_new(7);
    sq_rng rng = {2};
    m->steps = 4;
    for (int c = 0; c < SQ_STEP_NUMBERS; c++)
        m->largest[c] = 8;
    pass x = open_pass(m, s->row[0], s->size, N);
    forwards(m, &x);
    for (int i = 0; i < N * m->steps; i++)
        x.out[SCORE].gradient[i] = (float)(1 + i / m->steps % 3);
    backwards(m, &x);
    close_pass(&x);
    for (int l = 0; l < LAYERS; l++)
        for (int i = 0; i < EACH; i++) {
            const float by = 2e-3f;
            int at = m->layer[l].weights + (int)sq_rng_below(&rng, (size_t)((sizes[l][0] + 1) * sizes[l][1]));
            float kept = m->p.value[at];
            m->p.value[at] = kept + by;
            double above = sum_of(m, s, N);
            m->p.value[at] = kept - by;
            double is = (above - sum_of(m, s, N)) / (2 * (double)by);
            m->p.value[at] = kept;
            if (fabs(is - (double)m->p.gradient[at]) > 0.02 + 0.05 * fabs(is))
                fail_msg("layer %d: gradient %g, differences give %g", l, (double)m->p.gradient[at], is);
        }
    sq_tlp_free(m);
    free(s);
}

static void scripts_are_learned(void **state)
{
    (void)state;
    set *s = set_of_scripts();
    float score[POINTS], again[POINTS];
    sq_tlp *m = sq_tlp_new(5), *other = sq_tlp_new(5);
    sq_tlp_fit(m, s->row[0], s->size, s->y, NULL, KNOWN);
    sq_tlp_predict(m, s->row[0], s->size, POINTS, score);
    double known = ordered(score, s->y, 0, KNOWN), unknown = ordered(score, s->y, KNOWN, POINTS);
    print_message("pairs in order: %.3f, of those not learned %.3f\n", known, unknown);
    assert_true(known > 0.93 && unknown > 0.85);
    sq_tlp_fit(other, s->row[0], s->size, s->y, NULL, KNOWN / 2);
    sq_tlp_fit(other, s->row[0], s->size, s->y, NULL, KNOWN);
    sq_tlp_predict(other, s->row[0], s->size, POINTS, again);
    assert_memory_equal(score, again, sizeof score);
    sq_tlp_free(m);
    sq_tlp_free(other);
    free(s);
}

/* ---- the search ---- */

enum { SIZES = 4, TRIALS = 80 };
static int scripts;

static int script_of(void *user, const int *point, sq_text *to)
{
    (void)user;
    scripts++;
    for (int c = 0; c < SIZES; c++)
        sq_text_printf(to, "tile(%c:%d) ", 'a' + c, 1 << point[c]);
    return 0;
}

static double best_of(const sq_search *row, unsigned long long seed)
{
    sq_space *s = make_space(SIZES);
    sq_search_options o = {.seed = seed, .script = script_of};
    sq_seek *seek = row->open(s, &o);
    double best = INFINITY;
    for (int i = 0; i < TRIALS; i++) {
        sq_told t = {.valid = true};
        assert_int_equal(row->ask(seek, t.point), 1);
        t.cost = 1 + far(t.point, 0, SIZES);
        best = fmin(best, t.cost);
        row->tell(seek, &t);
    }
    row->close(seek);
    free(s);
    return best;
}

/* Nothing but the script tells one point from another, and that is enough. */
static void scripts_lead(void **state)
{
    (void)state;
    double led = 0, random = 0;
    for (unsigned long long seed = 1; seed <= 2; seed++) {
        led += best_of(&sq_search_pruner_tlp, seed) / 2;
        random += best_of(&sq_search_random, seed) / 2;
    }
    print_message("by scripts %g, random %g\n", led, random);
    assert_true(led < 0.9 * random && scripts > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_are_steps),
        cmocka_unit_test(network_goes_back),
        cmocka_unit_test(scripts_are_learned),
        cmocka_unit_test(scripts_lead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
