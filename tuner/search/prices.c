/* Prices: see prices.h. */
#include "tuner/search/prices.h"
#include "support/memory.h"
#include "tuner/search/layers.h"
#include "tuner/search/lesson.h"
#include "tuner/search/trees.h"
#include "tuner/search/search.h"
#include "tuner/search/terms.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALGORITHM = 8, /* channels of the heads */
    SCHEDULE = 24,
    MIXED = ALGORITHM + SCHEDULE, /* the first SQ_TERMS are prices */
    BATCH = 16,                   /* points */
    CHUNK = 256,                  /* scored at once */
    EPOCHS = 60
};
_Static_assert((int)SQ_TERMS <= (int)MIXED, "a price for each term");
static const double rate = 3e-3, decay = 1e-3, longest = 1;
/* Nothing is faster than this share of the fastest's time, so that speeds are finite. */
static const double least_cost = 0.05;

struct sq_prices {
    int ncoords;
    sq_rng rng; /* the order of points */
    sq_parameters p;
    sq_layer algorithm, schedule, mix;
    double unit;             /* the cost of the fastest */
    float *centre, *inverse; /* of each number that the heads read, those of the algorithm first */
};

/* What the network computes of some points. */
typedef struct pass {
    size_t points;
    const int *size; /* rows of each */
    sq_layer_values operations, numbers, algorithm, schedule, joined, price;
    float *term;  /* SQ_TERMS of each row */
    double *cost; /* of each point */
} pass;

static int inputs_of(const sq_prices *m)
{
    return SQ_TERM_SCHEDULE + m->ncoords;
}

sq_prices *sq_prices_new(int ncoords, unsigned long long seed)
{
    sq_prices *m = sq_allocated(calloc(1, sizeof *m));
    m->ncoords = ncoords;
    m->rng.state = seed;
    m->unit = 1;
    int inputs = inputs_of(m), all = SQ_TERM_HISTOGRAM + inputs;
    m->p = sq_parameters_new((SQ_TERM_HISTOGRAM + 1) * ALGORITHM + (inputs + 1) * SCHEDULE + (MIXED + 1) * MIXED);
    m->algorithm = sq_layer_new(&m->p, SQ_TERM_HISTOGRAM, ALGORITHM, &m->rng);
    m->schedule = sq_layer_new(&m->p, inputs, SCHEDULE, &m->rng);
    m->mix = (sq_layer){.in = MIXED, .out = MIXED, .weights = sq_parameters_add(&m->p, MIXED * MIXED, 0)};
    m->mix.biases = sq_parameters_add(&m->p, MIXED, 1);
    m->centre = sq_allocated(calloc((size_t)all, sizeof *m->centre));
    m->inverse = sq_allocated(calloc((size_t)all, sizeof *m->inverse));
    return m;
}

sq_prices *sq_prices_free(sq_prices *m)
{
    if (m) {
        sq_parameters_free(&m->p);
        free(m->centre);
        free(m->inverse);
        free(m);
    }
    return NULL;
}

/* ---- input ---- */

static size_t width_of(const sq_prices *m)
{
    return (size_t)(SQ_FEATURES + m->ncoords + SQ_DRAFT_NUMBERS);
}

/* Numbers of a column: of mean 0 and deviation 1 among the points learned from. */
static void normalise(sq_layer_values *t, const float *centre, const float *inverse)
{
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->cols; j++) {
            float *v = &t->value[(ptrdiff_t)i * t->cols + j];
            *v = (*v - centre[j]) * inverse[j];
        }
}

static void put_rows(const sq_prices *m, const float *rows, pass *x)
{
    int inputs = inputs_of(m);
    for (int i = 0; i < x->numbers.rows; i++, rows += width_of(m)) {
        const float *coordinate = rows + SQ_FEATURES, *draft = coordinate + m->ncoords;
        float *number = x->numbers.value + (ptrdiff_t)i * inputs;
        sq_terms_of(rows, draft, x->term + (ptrdiff_t)i * SQ_TERMS);
        sq_terms_histogram(rows, x->operations.value + (ptrdiff_t)i * SQ_TERM_HISTOGRAM);
        sq_terms_schedule(rows, draft, number);
        memcpy(number + SQ_TERM_SCHEDULE, coordinate, (size_t)m->ncoords * sizeof *number);
    }
}

/* ---- passes ---- */

static pass open_pass(const sq_prices *m, const float *rows, const int *size, size_t n)
{
    int nrows = (int)sq_packs_rows(size, n);
    pass x = {.points = n, .size = size};
    x.operations = sq_tensor_input(nrows, SQ_TERM_HISTOGRAM);
    x.numbers = sq_tensor_input(nrows, inputs_of(m));
    x.algorithm = sq_tensor_new(nrows, ALGORITHM);
    x.schedule = sq_tensor_new(nrows, SCHEDULE);
    x.joined = sq_tensor_new(nrows, MIXED);
    x.price = sq_tensor_new(nrows, MIXED);
    x.term = sq_allocated(calloc((size_t)nrows * SQ_TERMS + 1, sizeof *x.term));
    x.cost = sq_allocated(calloc(n + 1, sizeof *x.cost));
    put_rows(m, rows, &x);
    return x;
}

static void close_pass(pass *x)
{
    sq_layer_values *all[] = {&x->operations, &x->numbers, &x->algorithm, &x->schedule, &x->joined, &x->price};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sq_tensor_free(all[i]);
    free(x->term);
    free(x->cost);
}

/* Copies columns of the heads into those of what joins them, or their gradients back. */
static void join(pass *x, bool back)
{
    for (int i = 0; i < x->joined.rows; i++) {
        ptrdiff_t row = (ptrdiff_t)i * MIXED, a = (ptrdiff_t)i * ALGORITHM, s = (ptrdiff_t)i * SCHEDULE;
        size_t na = ALGORITHM * sizeof(float), ns = SCHEDULE * sizeof(float);
        if (back) {
            memcpy(x->algorithm.gradient + a, x->joined.gradient + row, na);
            memcpy(x->schedule.gradient + s, x->joined.gradient + row + ALGORITHM, ns);
        } else {
            memcpy(x->joined.value + row, x->algorithm.value + a, na);
            memcpy(x->joined.value + row + ALGORITHM, x->schedule.value + s, ns);
        }
    }
}

/* Costs of points. */
static void forwards(const sq_prices *m, pass *x)
{
    normalise(&x->operations, m->centre, m->inverse);
    normalise(&x->numbers, m->centre + SQ_TERM_HISTOGRAM, m->inverse + SQ_TERM_HISTOGRAM);
    sq_dense(&m->p, &m->algorithm, &x->operations, true, &x->algorithm);
    sq_dense(&m->p, &m->schedule, &x->numbers, true, &x->schedule);
    join(x, false);
    sq_dense(&m->p, &m->mix, &x->joined, true, &x->price);
    ptrdiff_t row = 0;
    for (size_t i = 0; i < x->points; i++)
        for (int k = 0; k < x->size[i]; k++, row++)
            for (int t = 0; t < SQ_TERMS; t++)
                x->cost[i] += (double)x->price.value[row * MIXED + t] * (double)x->term[row * SQ_TERMS + t];
}

/* From the gradients of costs to those of the parameters. */
static void backwards(sq_prices *m, pass *x, const double *by_cost)
{
    ptrdiff_t row = 0;
    for (size_t i = 0; i < x->points; i++)
        for (int k = 0; k < x->size[i]; k++, row++)
            for (int t = 0; t < SQ_TERMS; t++)
                x->price.gradient[row * MIXED + t] = (float)(by_cost[i] * (double)x->term[row * SQ_TERMS + t]);
    sq_dense_back(&m->p, &m->mix, &x->joined, true, &x->price);
    join(x, true);
    sq_dense_back(&m->p, &m->schedule, &x->numbers, true, &x->schedule);
    sq_dense_back(&m->p, &m->algorithm, &x->operations, true, &x->algorithm);
}

static double speed_of(const sq_prices *m, double cost)
{
    return 1 / (least_cost + cost / m->unit);
}

/* ---- learning ---- */

static void measure(const sq_layer_values *t, float *centre, float *inverse)
{
    for (int j = 0; j < t->cols; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < t->rows; i++)
            sum += (double)t->value[(ptrdiff_t)i * t->cols + j];
        double mean = sum / t->rows;
        for (int i = 0; i < t->rows; i++)
            squares += pow((double)t->value[(ptrdiff_t)i * t->cols + j] - mean, 2);
        double deviation = sqrt(squares / t->rows);
        centre[j] = (float)mean;
        inverse[j] = (float)(deviation > 1e-6 ? 1 / deviation : 0);
    }
}

/* What points cost now, beside what they should: so that the unit of time is right before prices move. */
static void find_unit(sq_prices *m, pass *x, const float *y)
{
    double sum = 0;
    int n = 0;
    forwards(m, x);
    for (size_t i = 0; i < x->points; i++)
        if (y[i] > 0 && x->cost[i] > 0) {
            sum += log(x->cost[i] * (double)y[i]);
            n++;
        }
    m->unit = n > 0 ? exp(sum / n) : 1;
}

/* One batch; the sum of squared errors. */
static double learn_batch(void *user, const float *rows, const int *size, const float *y, size_t n)
{
    sq_prices *m = user;
    pass x = open_pass(m, rows, size, n);
    double *by_cost = sq_allocated(malloc(n * sizeof *by_cost)), loss = 0;
    forwards(m, &x);
    for (size_t i = 0; i < n; i++) {
        double speed = speed_of(m, x.cost[i]), error = speed - (double)y[i];
        by_cost[i] = -2 * error * speed * speed / m->unit / (double)n;
        loss += error * error;
    }
    backwards(m, &x, by_cost);
    sq_parameters_step(&m->p, rate, decay, longest);
    free(by_cost);
    close_pass(&x);
    return loss;
}

void sq_prices_fit(sq_prices *m, const float *rows, const int *size, const float *y, size_t n)
{
    pass all = open_pass(m, rows, size, n);
    measure(&all.operations, m->centre, m->inverse);
    measure(&all.numbers, m->centre + SQ_TERM_HISTOGRAM, m->inverse + SQ_TERM_HISTOGRAM);
    find_unit(m, &all, y);
    close_pass(&all);
    sq_lesson l = sq_lesson_new(rows, width_of(m), size, y, n);
    for (int epoch = 0; epoch < EPOCHS; epoch++)
        sq_lesson_epoch(&l, BATCH, &m->rng, learn_batch, m);
    sq_lesson_free(&l);
}

void sq_prices_predict(const sq_prices *m, const float *rows, const int *size, size_t n, float *score)
{
    for (size_t from = 0; from < n; from += CHUNK) {
        size_t some = n - from < CHUNK ? n - from : CHUNK;
        pass x = open_pass(m, rows, size + from, some);
        forwards(m, &x);
        for (size_t i = 0; i < some; i++)
            score[from + i] = (float)speed_of(m, x.cost[i]);
        rows += (size_t)x.numbers.rows * width_of(m);
        close_pass(&x);
    }
}
