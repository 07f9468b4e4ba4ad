/* PaCM: see pacm.h. */
#include "tuner/search/pacm.h"
#include "support/memory.h"
#include "tuner/search/lambda_rank.h"
#include "tuner/search/layers.h"
#include "tuner/search/lesson.h"
#include "tuner/search/search.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 256,     /* of a statement, and of a point */
    FLOW_FIRST = 64, /* of a step of the flow of data */
    FLOW_WIDTH = 128,
    JOINED = WIDTH + FLOW_WIDTH,
    HEADS = 4,
    CHUNK = 256 /* scored at once */
};
static const sq_course course = {.batch = 512, .epochs = 50, .patience = 50 / 3};
static const double rate = 7e-4, decay = 1e-6, longest = 0.5;
static const sq_attention attention = {.steps = SQ_FLOW_STEPS, .heads = HEADS};

typedef enum layer {
    STATEMENT_1,
    STATEMENT_2,
    FLOW_1,
    FLOW_2,
    QUERY,
    KEY,
    VALUE,
    MIX,
    JOIN,
    RESIDUAL_1,
    RESIDUAL_2,
    SCORE,
    LAYERS
} layer;

struct sq_pacm {
    int nfeatures;
    bool reads_flow;
    unsigned long long seed;
    sq_parameters p;
    sq_layer layer[LAYERS];
    sq_norm norm;
    bool has_flow;  /* else its branch is left out */
    float *largest; /* of each feature, then of each number of a step, among the points learned from */
};

/* What the network computes of some points. */
typedef struct pass {
    size_t points;
    const int *size; /* rows of each */
    sq_layer_values feature, statement, statement_2;
    sq_layer_values flow, flow_1, flow_2, query, key, value, share, attended, mixed;
    sq_layer_values joined, point, normal, residual, sum, residual_2, sum_2, score;
} pass;

static void new_layers(sq_pacm *m)
{
    const int size[LAYERS][2] = {
        [STATEMENT_1] = {m->nfeatures, WIDTH},
        [STATEMENT_2] = {WIDTH, WIDTH},
        [FLOW_1] = {SQ_FLOW_NUMBERS, FLOW_FIRST},
        [FLOW_2] = {FLOW_FIRST, FLOW_WIDTH},
        [QUERY] = {FLOW_WIDTH, FLOW_WIDTH},
        [KEY] = {FLOW_WIDTH, FLOW_WIDTH},
        [VALUE] = {FLOW_WIDTH, FLOW_WIDTH},
        [MIX] = {FLOW_WIDTH, FLOW_WIDTH},
        [JOIN] = {JOINED, WIDTH},
        [RESIDUAL_1] = {WIDTH, WIDTH},
        [RESIDUAL_2] = {WIDTH, WIDTH},
        [SCORE] = {WIDTH, 1},
    };
    int room = 2 * WIDTH;
    sq_rng rng = {m->seed};
    for (int i = 0; i < LAYERS; i++)
        room += (size[i][0] + 1) * size[i][1];
    m->p = sq_parameters_new(room);
    for (int i = 0; i < LAYERS; i++)
        m->layer[i] = sq_layer_new(&m->p, size[i][0], size[i][1], &rng);
    m->norm = sq_norm_new(&m->p, WIDTH);
}

sq_pacm *sq_pacm_new(int nfeatures, bool reads_flow, unsigned long long seed)
{
    sq_pacm *m = sq_allocated(calloc(1, sizeof *m));
    m->nfeatures = nfeatures;
    m->reads_flow = reads_flow;
    m->seed = seed;
    m->largest = sq_allocated(calloc((size_t)nfeatures + SQ_FLOW_NUMBERS, sizeof *m->largest));
    new_layers(m);
    return m;
}

sq_pacm *sq_pacm_free(sq_pacm *m)
{
    if (m) {
        sq_parameters_free(&m->p);
        sq_norm_free(&m->norm);
        free(m->largest);
        free(m);
    }
    return NULL;
}

/* ---- input ---- */

static size_t width_of(const sq_pacm *m)
{
    return (size_t)m->nfeatures + (m->reads_flow ? (size_t)SQ_FLOW_STEPS * SQ_FLOW_NUMBERS : 0);
}

/* The number of a row by which column c of it is divided. */
static size_t divisor_of(const sq_pacm *m, size_t c)
{
    size_t n = (size_t)m->nfeatures;
    return c < n ? c : n + (c - n) % SQ_FLOW_NUMBERS;
}

/* Of the features that it knew none of: weights of others are for what they were divided by. */
static void find_largest(sq_pacm *m, const float *rows, size_t nrows)
{
    size_t width = width_of(m), n = (size_t)m->nfeatures + SQ_FLOW_NUMBERS;
    float *now = sq_allocated(calloc(n, sizeof *now));
    for (size_t i = 0; i < nrows; i++)
        for (size_t c = 0; c < width; c++) {
            float *most = &now[divisor_of(m, c)];
            *most = fmaxf(*most, fabsf(rows[i * width + c]));
        }
    for (size_t c = 0; c < n; c++)
        m->largest[c] = m->largest[c] > 0 ? m->largest[c] : now[c];
    free(now);
}

static bool has_flow(const sq_pacm *m)
{
    for (int i = 0; i < SQ_FLOW_NUMBERS; i++)
        if (m->largest[m->nfeatures + i] > 0)
            return true;
    return false;
}

static void put_rows(const sq_pacm *m, const float *rows, pass *x)
{
    size_t width = width_of(m), n = (size_t)m->nfeatures, flow = width - n;
    for (size_t i = 0; i < (size_t)x->feature.rows; i++)
        for (size_t c = 0; c < width; c++) {
            float most = m->largest[divisor_of(m, c)], v = rows[i * width + c] / (most > 0 ? most : 1);
            if (c < n)
                x->feature.value[i * n + c] = v;
            else
                x->flow.value[i * flow + c - n] = v;
        }
}

/* ---- passes ---- */

static pass open_pass(const sq_pacm *m, const float *rows, const int *size, size_t n)
{
    int nrows = (int)sq_packs_rows(size, n), points = (int)n;
    int steps = m->reads_flow ? nrows * SQ_FLOW_STEPS : 0;
    pass x = {.points = n, .size = size};
    x.feature = sq_tensor_input(nrows, m->nfeatures);
    x.flow = sq_tensor_input(steps, SQ_FLOW_NUMBERS);
    x.share = sq_tensor_input(steps, HEADS * SQ_FLOW_STEPS);
    x.statement = sq_tensor_new(nrows, WIDTH);
    x.statement_2 = sq_tensor_new(nrows, WIDTH);
    x.flow_1 = sq_tensor_new(steps, FLOW_FIRST);
    sq_layer_values *wide[] = {&x.flow_2, &x.query, &x.key, &x.value, &x.attended, &x.mixed};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        *wide[i] = sq_tensor_new(steps, FLOW_WIDTH);
    x.joined = sq_tensor_new(points, JOINED);
    sq_layer_values *of_points[] = {&x.point, &x.normal, &x.residual, &x.sum, &x.residual_2, &x.sum_2};
    for (size_t i = 0; i < sizeof of_points / sizeof *of_points; i++)
        *of_points[i] = sq_tensor_new(points, WIDTH);
    x.score = sq_tensor_new(points, 1);
    put_rows(m, rows, &x);
    return x;
}

static void close_pass(pass *x)
{
    sq_layer_values *all[] = {&x->feature,  &x->statement, &x->statement_2, &x->flow,  &x->flow_1,
                              &x->flow_2,   &x->query,     &x->key,         &x->value, &x->share,
                              &x->attended, &x->mixed,     &x->joined,      &x->point, &x->normal,
                              &x->residual, &x->sum,       &x->residual_2,  &x->sum_2, &x->score};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sq_tensor_free(all[i]);
}

static void add(const float *from, float *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* Adds up the statements of each point, and the steps of these. */
static void join(pass *x)
{
    size_t row = 0, steps = x->flow.rows > 0 ? SQ_FLOW_STEPS : 0;
    for (size_t i = 0; i < x->points; i++)
        for (int k = 0; k < x->size[i]; k++, row++) {
            float *to = x->joined.value + i * JOINED;
            add(x->statement_2.value + row * WIDTH, to, WIDTH);
            for (size_t t = row * steps; t < (row + 1) * steps; t++) {
                add(x->flow_2.value + t * FLOW_WIDTH, to + WIDTH, FLOW_WIDTH);
                add(x->mixed.value + t * FLOW_WIDTH, to + WIDTH, FLOW_WIDTH);
            }
        }
}

static void join_back(pass *x)
{
    size_t row = 0, steps = x->flow.rows > 0 ? SQ_FLOW_STEPS : 0;
    for (size_t i = 0; i < x->points; i++)
        for (int k = 0; k < x->size[i]; k++, row++) {
            const float *from = x->joined.gradient + i * JOINED;
            add(from, x->statement_2.gradient + row * WIDTH, WIDTH);
            for (size_t t = row * steps; t < (row + 1) * steps; t++) {
                add(from + WIDTH, x->flow_2.gradient + t * FLOW_WIDTH, FLOW_WIDTH);
                add(from + WIDTH, x->mixed.gradient + t * FLOW_WIDTH, FLOW_WIDTH);
            }
        }
}

static void flow_forwards(const sq_pacm *m, pass *x)
{
    const sq_parameters *p = &m->p;
    const sq_layer *l = m->layer;
    sq_dense(p, &l[FLOW_1], &x->flow, true, &x->flow_1);
    sq_dense(p, &l[FLOW_2], &x->flow_1, true, &x->flow_2);
    sq_dense(p, &l[QUERY], &x->flow_2, false, &x->query);
    sq_dense(p, &l[KEY], &x->flow_2, false, &x->key);
    sq_dense(p, &l[VALUE], &x->flow_2, false, &x->value);
    sq_attend(&attention, &x->query, &x->key, &x->value, &x->share, &x->attended);
    sq_dense(p, &l[MIX], &x->attended, false, &x->mixed);
}

static void forwards(sq_pacm *m, pass *x, bool learns)
{
    const sq_parameters *p = &m->p;
    const sq_layer *l = m->layer;
    sq_dense(p, &l[STATEMENT_1], &x->feature, true, &x->statement);
    sq_dense(p, &l[STATEMENT_2], &x->statement, true, &x->statement_2);
    if (m->has_flow)
        flow_forwards(m, x);
    join(x);
    sq_dense(p, &l[JOIN], &x->joined, true, &x->point);
    sq_normalise(&m->norm, p, learns, &x->point, &x->normal);
    sq_dense(p, &l[RESIDUAL_1], &x->normal, true, &x->residual);
    sq_add(&x->normal, &x->residual, &x->sum);
    sq_dense(p, &l[RESIDUAL_2], &x->sum, true, &x->residual_2);
    sq_add(&x->sum, &x->residual_2, &x->sum_2);
    sq_dense(p, &l[SCORE], &x->sum_2, false, &x->score);
}

static void flow_backwards(sq_pacm *m, pass *x)
{
    sq_parameters *p = &m->p;
    const sq_layer *l = m->layer;
    sq_dense_back(p, &l[MIX], &x->attended, false, &x->mixed);
    sq_attend_back(&attention, &x->query, &x->key, &x->value, &x->share, &x->attended);
    sq_dense_back(p, &l[QUERY], &x->flow_2, false, &x->query);
    sq_dense_back(p, &l[KEY], &x->flow_2, false, &x->key);
    sq_dense_back(p, &l[VALUE], &x->flow_2, false, &x->value);
    sq_dense_back(p, &l[FLOW_2], &x->flow_1, true, &x->flow_2);
    sq_dense_back(p, &l[FLOW_1], &x->flow, true, &x->flow_1);
}

/* From the gradient of the scores to that of the parameters. */
static void backwards(sq_pacm *m, pass *x)
{
    sq_parameters *p = &m->p;
    const sq_layer *l = m->layer;
    sq_dense_back(p, &l[SCORE], &x->sum_2, false, &x->score);
    sq_add_back(&x->sum_2, &x->sum, &x->residual_2);
    sq_dense_back(p, &l[RESIDUAL_2], &x->sum, true, &x->residual_2);
    sq_add_back(&x->sum, &x->normal, &x->residual);
    sq_dense_back(p, &l[RESIDUAL_1], &x->normal, true, &x->residual);
    sq_normalise_back(&m->norm, p, &x->point, &x->normal);
    sq_dense_back(p, &l[JOIN], &x->joined, true, &x->point);
    join_back(x);
    if (m->has_flow)
        flow_backwards(m, x);
    sq_dense_back(p, &l[STATEMENT_2], &x->statement, true, &x->statement_2);
    sq_dense_back(p, &l[STATEMENT_1], &x->feature, true, &x->statement);
}

/* ---- learning ---- */

/* One batch; its loss. */
static double learn_batch(void *user, const float *rows, const int *size, const float *y, size_t n)
{
    sq_pacm *m = user;
    pass x = open_pass(m, rows, size, n);
    float *score = sq_allocated(malloc(2 * n * sizeof *score)), *gradient = score + n;
    forwards(m, &x, true);
    for (size_t i = 0; i < n; i++)
        score[i] = x.score.value[i];
    double loss = sq_lambda_rank(score, y, n, gradient);
    for (size_t i = 0; i < n; i++)
        x.score.gradient[i] = gradient[i];
    backwards(m, &x);
    sq_parameters_step(&m->p, rate, decay, longest);
    free(score);
    close_pass(&x);
    return loss;
}

void sq_pacm_go_on(sq_pacm *m, const float *rows, const int *size, const float *y, const int *group, size_t n)
{
    sq_lesson l = sq_lesson_new(rows, width_of(m), size, y, n);
    sq_rng rng = {m->seed + 1};
    l.group = group;
    sq_parameters_forget(&m->p);
    find_largest(m, rows, sq_packs_rows(size, n));
    m->has_flow = has_flow(m);
    sq_lesson_course(&l, &course, &rng, learn_batch, m);
    sq_lesson_free(&l);
}

void sq_pacm_fit(sq_pacm *m, const float *rows, const int *size, const float *y, size_t n)
{
    sq_parameters_free(&m->p);
    sq_norm_free(&m->norm);
    new_layers(m);
    memset(m->largest, 0, ((size_t)m->nfeatures + SQ_FLOW_NUMBERS) * sizeof *m->largest);
    sq_pacm_go_on(m, rows, size, y, NULL, n);
}

/* ---- weights ---- */

/* Behind the parameters: means and variances of the normalisation, and the largest features. */
static int count_rest(int nfeatures)
{
    return 2 * WIDTH + nfeatures + SQ_FLOW_NUMBERS;
}

static sq_weights *new_weights(int nfeatures, bool reads_flow, int nparameters)
{
    sq_weights *w = sq_allocated(malloc(sizeof *w));
    int n = nparameters + count_rest(nfeatures);
    *w = (sq_weights){nfeatures, reads_flow, nparameters, n, sq_allocated(malloc((size_t)n * sizeof *w->value))};
    return w;
}

/* Copies what a network knows to numbers, or the other way. */
static void move(sq_pacm *m, float *value, bool takes)
{
    const struct {
        float *at;
        int n;
    } part[] = {{m->p.value, m->p.n},
                {m->norm.mean, WIDTH},
                {m->norm.variance, WIDTH},
                {m->largest, m->nfeatures + SQ_FLOW_NUMBERS}};
    for (size_t i = 0; i < sizeof part / sizeof *part; value += part[i++].n)
        memcpy(takes ? part[i].at : value, takes ? value : part[i].at, (size_t)part[i].n * sizeof *value);
}

sq_weights *sq_pacm_weights(sq_pacm *m)
{
    sq_weights *w = new_weights(m->nfeatures, m->reads_flow, m->p.n);
    move(m, w->value, false);
    return w;
}

sq_weights *sq_weights_new(int nfeatures, bool reads_flow)
{
    sq_pacm *m = sq_pacm_new(nfeatures, reads_flow, 0);
    sq_weights *w = sq_pacm_weights(m);
    sq_pacm_free(m);
    return w;
}

void sq_pacm_take(sq_pacm *m, const sq_weights *w)
{
    move(m, w->value, true);
    m->has_flow = has_flow(m);
}

sq_weights *sq_weights_copy(const sq_weights *w)
{
    sq_weights *c = new_weights(w->nfeatures, w->reads_flow, w->nparameters);
    memcpy(c->value, w->value, (size_t)w->n * sizeof *w->value);
    return c;
}

void sq_weights_follow(sq_weights *w, const sq_weights *other, double share)
{
    for (int i = 0; i < w->n; i++)
        w->value[i] += (float)(i < w->nparameters ? share : 1) * (other->value[i] - w->value[i]);
}

sq_weights *sq_weights_free(sq_weights *w)
{
    if (w)
        free(w->value);
    free(w);
    return NULL;
}

void sq_pacm_predict(sq_pacm *m, const float *rows, const int *size, size_t n, float *score)
{
    for (size_t from = 0; from < n; from += CHUNK) {
        size_t some = n - from < CHUNK ? n - from : CHUNK;
        pass x = open_pass(m, rows, size + from, some);
        forwards(m, &x, false);
        for (size_t i = 0; i < some; i++)
            score[from + i] = x.score.value[i];
        rows += (size_t)x.feature.rows * width_of(m);
        close_pass(&x);
    }
}
