/* Layers: gradients are those that differences give; a network learns an order, the same each time, from statements and
 * from their flow of data. */
#include "tests/unit/ordered.h"
#include "tests/unit/unit.h"
#include "tuner/search/lambda_rank.h"
#include "tuner/search/layers.h"
#include "tuner/search/pacm.h"
#include "tuner/search/search.h"
#include <math.h>

static void draw(sq_layer_values *t, sq_rng *rng)
{
    for (int i = 0; i < t->rows * t->cols; i++)
        t->value[i] = (float)(2 * sq_rng_unit(rng) - 1);
}

/* A number that depends on all outputs, and its gradient by each of them. */
static double sum_of(const sq_layer_values *y)
{
    double sum = 0;
    for (int i = 0; i < y->rows * y->cols; i++)
        sum += (double)y->value[i] * (1 + i % 5);
    return sum;
}

static void pull(sq_layer_values *y)
{
    for (int i = 0; i < y->rows * y->cols; i++)
        y->gradient[i] = (float)(1 + i % 5);
}

/* What is computed anew after a value was changed. */
typedef struct stage {
    sq_parameters p;
    sq_layer layer;
    sq_norm norm;
    sq_layer_values x[3], share, y;
    void (*run)(struct stage *s);
} stage;

static void expect_differences(stage *s, float *value, const float *gradient, int n)
{
    const float by = 1e-2f;
    for (int i = 0; i < n; i++) {
        float kept = value[i];
        value[i] = kept + by;
        s->run(s);
        double above = sum_of(&s->y);
        value[i] = kept - by;
        s->run(s);
        double is = (above - sum_of(&s->y)) / (2 * (double)by);
        value[i] = kept;
        if (fabs(is - (double)gradient[i]) > 0.02 * (1 + fabs(is)))
            fail_msg("gradient %d is %g, differences give %g", i, (double)gradient[i], is);
    }
}

static void run_dense(stage *s)
{
    sq_dense(&s->p, &s->layer, &s->x[0], false, &s->y);
}

/* A layer that has run on numbers by chance. */
static stage dense_stage(int rows, int in, int out, sq_rng *rng)
{
    stage s = {.p = sq_parameters_new((in + 1) * out), .run = run_dense};
    s.layer = sq_layer_new(&s.p, in, out, rng);
    s.x[0] = sq_tensor_new(rows, in);
    s.y = sq_tensor_new(rows, out);
    draw(&s.x[0], rng);
    s.run(&s);
    pull(&s.y);
    return s;
}

static void dense_goes_back(void **state)
{
    enum { ROWS = 7, IN = 5, OUT = 16 };
    (void)state;
    sq_rng rng = {1};
    stage s = dense_stage(ROWS, IN, OUT, &rng);
    float *of_x = s.x[0].gradient;
    s.x[0].gradient = NULL; /* its columns are no whole lanes */
    sq_dense_back(&s.p, &s.layer, &s.x[0], false, &s.y);
    expect_differences(&s, s.p.value, s.p.gradient, s.p.n);
    s.x[0].gradient = of_x;
    sq_tensor_free(&s.x[0]);
    sq_tensor_free(&s.y);
    sq_parameters_free(&s.p);
}

static void inputs_go_back(void **state)
{
    enum { ROWS = 6, IN = 8, OUT = 16 };
    (void)state;
    sq_rng rng = {2};
    stage s = dense_stage(ROWS, IN, OUT, &rng);
    sq_dense_back(&s.p, &s.layer, &s.x[0], false, &s.y);
    expect_differences(&s, s.x[0].value, s.x[0].gradient, ROWS * IN);
    /* What is rectified passes nothing back. */
    sq_dense(&s.p, &s.layer, &s.x[0], true, &s.y);
    pull(&s.y);
    sq_dense_back(&s.p, &s.layer, &s.x[0], true, &s.y);
    int cut = 0;
    for (int i = 0; i < ROWS * OUT; i++) {
        assert_true(s.y.value[i] >= 0 && (s.y.gradient[i] == 0) == (s.y.value[i] == 0));
        cut += s.y.value[i] == 0;
    }
    assert_true(cut > 10 && cut < ROWS * OUT - 10);
    sq_tensor_free(&s.x[0]);
    sq_tensor_free(&s.y);
    sq_parameters_free(&s.p);
}

static const sq_attention attention = {.steps = 4, .heads = 2};

static void run_attention(stage *s)
{
    sq_attend(&attention, &s->x[0], &s->x[1], &s->x[2], &s->share, &s->y);
}

static void attention_goes_back(void **state)
{
    enum { ROWS = 8, COLS = 8 };
    (void)state;
    sq_rng rng = {3};
    stage s = {.share = sq_tensor_new(ROWS, 8), .y = sq_tensor_new(ROWS, COLS), .run = run_attention};
    for (int i = 0; i < 3; i++) {
        s.x[i] = sq_tensor_new(ROWS, COLS);
        draw(&s.x[i], &rng);
    }
    s.run(&s);
    for (int i = 0; i < ROWS * 2; i++) {
        double sum = 0;
        for (int u = 0; u < attention.steps; u++)
            sum += (double)s.share.value[i * attention.steps + u];
        assert_true(fabs(sum - 1) < 1e-5);
    }
    pull(&s.y);
    sq_attend_back(&attention, &s.x[0], &s.x[1], &s.x[2], &s.share, &s.y);
    for (int i = 0; i < 3; i++)
        expect_differences(&s, s.x[i].value, s.x[i].gradient, ROWS * COLS);
    for (int i = 0; i < 3; i++)
        sq_tensor_free(&s.x[i]);
    sq_tensor_free(&s.share);
    sq_tensor_free(&s.y);
}

static void run_norm(stage *s)
{
    sq_normalise(&s->norm, &s->p, true, &s->x[0], &s->y);
}

static void norm_goes_back(void **state)
{
    enum { ROWS = 9, COLS = 8 };
    (void)state;
    sq_rng rng = {4};
    stage s = {.p = sq_parameters_new(2 * COLS), .run = run_norm};
    s.norm = sq_norm_new(&s.p, COLS);
    s.x[0] = sq_tensor_new(ROWS, COLS);
    s.y = sq_tensor_new(ROWS, COLS);
    draw(&s.x[0], &rng);
    s.run(&s);
    for (int j = 0; j < COLS; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < ROWS; i++) {
            sum += (double)s.y.value[i * COLS + j];
            squares += (double)s.y.value[i * COLS + j] * (double)s.y.value[i * COLS + j];
        }
        assert_true(fabs(sum) < 1e-4 && fabs(squares / ROWS - 1) < 1e-3);
    }
    pull(&s.y);
    sq_normalise_back(&s.norm, &s.p, &s.x[0], &s.y);
    expect_differences(&s, s.x[0].value, s.x[0].gradient, ROWS * COLS);
    expect_differences(&s, s.p.value, s.p.gradient, s.p.n);
    /* A prediction uses what batches had before, not the batch. */
    for (int i = 0; i < 200; i++)
        s.run(&s);
    sq_layer_values one = sq_tensor_new(1, COLS), of_one = sq_tensor_new(1, COLS);
    memcpy(one.value, s.x[0].value, COLS * sizeof *one.value);
    sq_normalise(&s.norm, &s.p, false, &one, &of_one);
    for (int j = 0; j < COLS; j++) /* variances of samples are larger by 9 / 8 */
        assert_true(fabsf(of_one.value[j] - s.y.value[j] * sqrtf(8 / 9.0f)) < 1e-3f);
    sq_tensor_free(&one);
    sq_tensor_free(&of_one);
    sq_tensor_free(&s.x[0]);
    sq_tensor_free(&s.y);
    sq_norm_free(&s.norm);
    sq_parameters_free(&s.p);
}

/* The right order costs less than any other; the gradient is that of differences where no place changes. */
static void order_costs(void **state)
{
    enum { N = 6 };
    (void)state;
    const float y[N] = {0.2f, 1, 0.5f, 0.7f, 0, 0.5f}, right[N] = {2, 6, 3, 5, 1, 4}, wrong[N] = {5, 1, 4, 2, 6, 3};
    float gradient[N], score[N], none[N];
    assert_true(sq_lambda_rank(right, y, N, gradient) < 0.2 * sq_lambda_rank(wrong, y, N, gradient));
    for (int i = 0; i < N; i++) {
        const float by = 1e-2f;
        memcpy(score, wrong, sizeof score);
        score[i] += by;
        double above = sq_lambda_rank(score, y, N, none);
        score[i] -= 2 * by;
        double is = (above - sq_lambda_rank(score, y, N, none)) / (2 * (double)by);
        assert_true(fabs(is - (double)gradient[i]) < 1e-3);
    }
    assert_true(gradient[1] < 0 && gradient[4] > 0); /* the fastest is to rise, the slowest to fall */
}

/* ---- the network ---- */

enum { POINTS = 120, KNOWN = 80, FEATURES = 6, FLOW = SQ_FLOW_STEPS * SQ_FLOW_NUMBERS, WIDTH = FEATURES + FLOW };

typedef struct set {
    int size[POINTS], nrows;
    float row[2 * POINTS][WIDTH], y[POINTS];
} set;

/* Points of one or two statements, whose speed falls with numbers of their features, or of their flow. */
static set *set_of(bool in_flow)
{
    set *s = calloc(1, sizeof *s);
    assert_non_null(s);
    sq_rng rng = {11};
    for (int i = 0; i < POINTS; i++) {
        double cost = 0.5;
        s->size[i] = 1 + i % 2;
        for (int k = 0; k < s->size[i]; k++) {
            float *row = s->row[s->nrows++];
            for (int c = 0; c < FEATURES; c++)
                row[c] = (float)sq_rng_below(&rng, 5);
            for (int t = 0; t < SQ_FLOW_STEPS; t++)
                row[FEATURES + t * SQ_FLOW_NUMBERS + t] = (float)sq_rng_below(&rng, 5);
            int at = in_flow ? FEATURES + 3 * SQ_FLOW_NUMBERS + 3 : 0;
            cost += (double)row[at] + (in_flow ? 0 : 0.5 * (double)row[2]);
        }
        s->y[i] = (float)(0.5 / cost);
    }
    return s;
}

static void check_order(bool in_flow)
{
    set *s = set_of(in_flow);
    float score[POINTS], again[POINTS];
    sq_pacm *m = sq_pacm_new(FEATURES, true, 5), *other = sq_pacm_new(FEATURES, true, 5);
    sq_pacm_fit(m, s->row[0], s->size, s->y, KNOWN);
    sq_pacm_predict(m, s->row[0], s->size, POINTS, score);
    double known = ordered(score, s->y, 0, KNOWN), unknown = ordered(score, s->y, KNOWN, POINTS);
    print_message("pairs in order: %.3f, of those not learned %.3f\n", known, unknown);
    assert_true(known > 0.93 && unknown > 0.85);
    /* What was learned before is forgotten, and all repeats. */
    sq_pacm_fit(other, s->row[0], s->size, s->y, KNOWN / 2);
    sq_pacm_fit(other, s->row[0], s->size, s->y, KNOWN);
    sq_pacm_predict(other, s->row[0], s->size, POINTS, again);
    assert_memory_equal(score, again, sizeof score);
    sq_pacm_free(m);
    sq_pacm_free(other);
    free(s);
}

static void statements_are_learned(void **state)
{
    (void)state;
    check_order(false);
}

static void flow_is_learned(void **state)
{
    (void)state;
    check_order(true);
}

/* Rows without the flow: what statements tell is learned, what the flow alone tells cannot be. */
static void tenset_reads_statements(void **state)
{
    (void)state;
    for (int in_flow = 0; in_flow < 2; in_flow++) {
        set *s = set_of(in_flow);
        float score[POINTS], *rows = malloc((size_t)s->nrows * FEATURES * sizeof *rows);
        assert_non_null(rows);
        for (size_t i = 0; i < (size_t)s->nrows; i++)
            memcpy(rows + i * FEATURES, s->row[i], FEATURES * sizeof *rows);
        sq_pacm *m = sq_pacm_new(FEATURES, false, 5);
        sq_pacm_fit(m, rows, s->size, s->y, KNOWN);
        sq_pacm_predict(m, rows, s->size, POINTS, score);
        double unknown = ordered(score, s->y, KNOWN, POINTS);
        print_message("pairs in order without the flow: %.3f\n", unknown);
        assert_true(in_flow ? unknown < 0.75 : unknown > 0.85);
        sq_pacm_free(m);
        free(rows);
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_goes_back), cmocka_unit_test(inputs_go_back), cmocka_unit_test(attention_goes_back),
        cmocka_unit_test(norm_goes_back),  cmocka_unit_test(order_costs),    cmocka_unit_test(statements_are_learned),
        cmocka_unit_test(flow_is_learned), cmocka_unit_test(tenset_reads_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
