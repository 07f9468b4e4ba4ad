/* TLP: see tlp.h. */
#include "tuner/search/tlp.h"
#include "support/memory.h"
#include "tuner/search/lambda_rank.h"
#include "tuner/search/layers.h"
#include "tuner/search/lesson.h"
#include "tuner/search/steps.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 256, HEADS = 8, CHUNK = 256 /* scored at once */ };
static const sq_course course = {.batch = 32, .epochs = 50, .patience = 50 / 3};
static const double rate = 7e-4, decay = 1e-6, longest = 0.5;

typedef enum layer {
    READ_1,
    READ_2,
    READ_3,
    READ_4,
    QUERY,
    KEY,
    VALUE,
    MIX,
    RESIDUAL_1,
    RESIDUAL_2,
    TELL_1,
    TELL_2,
    SCORE,
    LAYERS
} layer;

static const int sizes[LAYERS][2] = {
    [READ_1] = {SQ_STEP_NUMBERS, 64}, [READ_2] = {64, 128},         [READ_3] = {128, WIDTH},
    [READ_4] = {WIDTH, WIDTH},        [QUERY] = {WIDTH, WIDTH},     [KEY] = {WIDTH, WIDTH},
    [VALUE] = {WIDTH, WIDTH},         [MIX] = {WIDTH, WIDTH},       [RESIDUAL_1] = {WIDTH, WIDTH},
    [RESIDUAL_2] = {WIDTH, WIDTH},    [TELL_1] = {WIDTH, WIDTH / 2}, [TELL_2] = {WIDTH / 2, WIDTH / 4},
    [SCORE] = {WIDTH / 4, 1},
};

struct sq_tlp {
    unsigned long long seed;
    sq_parameters p;
    sq_layer layer[LAYERS];
    int steps;                      /* of a point: those of the longest script learned from */
    float largest[SQ_STEP_NUMBERS]; /* of each number, among the points learned from */
};

/* What the network computes of some points: of each `steps` rows. out[i] is what layer i makes, sum[0] what was read
 * with the attention, then with each residual layer. */
typedef struct pass {
    size_t points;
    sq_layer_values step, share, attended, out[LAYERS], sum[3];
} pass;

static void new_layers(sq_tlp *m)
{
    int room = 0;
    sq_rng rng = {m->seed};
    for (int i = 0; i < LAYERS; i++)
        room += (sizes[i][0] + 1) * sizes[i][1];
    m->p = sq_parameters_new(room);
    for (int i = 0; i < LAYERS; i++)
        m->layer[i] = sq_layer_new(&m->p, sizes[i][0], sizes[i][1], &rng);
}

sq_tlp *sq_tlp_new(unsigned long long seed)
{
    sq_tlp *m = sq_allocated(calloc(1, sizeof *m));
    m->seed = seed;
    new_layers(m);
    return m;
}

sq_tlp *sq_tlp_free(sq_tlp *m)
{
    if (m)
        sq_parameters_free(&m->p);
    free(m);
    return NULL;
}

/* ---- passes ---- */

/* Steps that a script has not are 0. */
static void put_steps(const sq_tlp *m, const float *rows, const int *size, pass *x)
{
    for (size_t i = 0; i < x->points; rows += (ptrdiff_t)size[i++] * SQ_STEP_NUMBERS)
        for (int k = 0; k < size[i] && k < m->steps; k++)
            for (size_t c = 0; c < SQ_STEP_NUMBERS; c++) {
                float most = m->largest[c];
                x->step.value[(i * (size_t)m->steps + (size_t)k) * SQ_STEP_NUMBERS + c] =
                    rows[(size_t)k * SQ_STEP_NUMBERS + c] / (most > 0 ? most : 1);
            }
}

static pass open_pass(const sq_tlp *m, const float *rows, const int *size, size_t n)
{
    int nrows = (int)n * m->steps;
    pass x = {.points = n,
              .step = sq_tensor_input(nrows, SQ_STEP_NUMBERS),
              .share = sq_tensor_input(nrows, HEADS * m->steps),
              .attended = sq_tensor_new(nrows, WIDTH)};
    for (int i = 0; i < LAYERS; i++)
        x.out[i] = sq_tensor_new(nrows, sizes[i][1]);
    for (int i = 0; i < 3; i++)
        x.sum[i] = sq_tensor_new(nrows, WIDTH);
    put_steps(m, rows, size, &x);
    return x;
}

static void close_pass(pass *x)
{
    sq_tensor_free(&x->step);
    sq_tensor_free(&x->share);
    sq_tensor_free(&x->attended);
    for (int i = 0; i < LAYERS; i++)
        sq_tensor_free(&x->out[i]);
    for (int i = 0; i < 3; i++)
        sq_tensor_free(&x->sum[i]);
}

/* What a layer reads, of those that read another layer or a sum of them. */
static sq_layer_values *input_of(pass *x, int number)
{
    switch (number) {
    case READ_1: return &x->step;
    case QUERY:
    case KEY:
    case VALUE: return &x->out[READ_4];
    case MIX: return &x->attended;
    case RESIDUAL_1: return &x->sum[0];
    case RESIDUAL_2: return &x->sum[1];
    case TELL_1: return &x->sum[2];
    default: return &x->out[number - 1];
    }
}

static bool rectifies(int number)
{
    return number <= READ_4 || (number >= RESIDUAL_1 && number <= TELL_2);
}

/* The sum behind a layer, and what its output is added to; false: there is none. */
static bool sum_behind(pass *x, int number, sq_layer_values **sum, sq_layer_values **other)
{
    int at = number == MIX ? 0 : number == RESIDUAL_1 ? 1 : number == RESIDUAL_2 ? 2 : -1;
    *sum = at < 0 ? NULL : &x->sum[at];
    *other = at < 0 ? NULL : at == 0 ? &x->out[READ_4] : &x->sum[at - 1];
    return at >= 0;
}

static void forwards(const sq_tlp *m, pass *x)
{
    const sq_attention attention = {.steps = m->steps, .heads = HEADS};
    sq_layer_values *sum, *other;
    for (int i = 0; i < LAYERS; i++) {
        if (i == MIX)
            sq_attend(&attention, &x->out[QUERY], &x->out[KEY], &x->out[VALUE], &x->share, &x->attended);
        sq_dense(&m->p, &m->layer[i], input_of(x, i), rectifies(i), &x->out[i]);
        if (sum_behind(x, i, &sum, &other))
            sq_add(other, &x->out[i], sum);
    }
}

static void backwards(sq_tlp *m, pass *x)
{
    const sq_attention attention = {.steps = m->steps, .heads = HEADS};
    sq_layer_values *sum, *other;
    for (int i = LAYERS - 1; i >= 0; i--) {
        if (sum_behind(x, i, &sum, &other))
            sq_add_back(sum, other, &x->out[i]);
        sq_dense_back(&m->p, &m->layer[i], input_of(x, i), rectifies(i), &x->out[i]);
        if (i == MIX)
            sq_attend_back(&attention, &x->out[QUERY], &x->out[KEY], &x->out[VALUE], &x->share, &x->attended);
    }
}

/* The scores of the steps of each point, added up. */
static void add_scores(const sq_tlp *m, const pass *x, float *score)
{
    for (size_t i = 0; i < x->points; i++) {
        score[i] = 0;
        for (int k = 0; k < m->steps; k++)
            score[i] += x->out[SCORE].value[i * (size_t)m->steps + (size_t)k];
    }
}

/* ---- learning ---- */

/* One batch; its loss. */
static double learn_batch(void *user, const float *rows, const int *size, const float *y, size_t n)
{
    sq_tlp *m = user;
    pass x = open_pass(m, rows, size, n);
    float *score = sq_allocated(malloc(2 * n * sizeof *score)), *gradient = score + n;
    forwards(m, &x);
    add_scores(m, &x, score);
    double loss = sq_lambda_rank(score, y, n, gradient);
    for (size_t i = 0; i < n * (size_t)m->steps; i++)
        x.out[SCORE].gradient[i] = gradient[i / (size_t)m->steps];
    backwards(m, &x);
    sq_parameters_step(&m->p, rate, decay, longest);
    free(score);
    close_pass(&x);
    return loss;
}

void sq_tlp_fit(sq_tlp *m, const float *rows, const int *size, const float *y, const int *group, size_t n)
{
    sq_lesson l = sq_lesson_new(rows, SQ_STEP_NUMBERS, size, y, n);
    l.group = group;
    sq_rng rng = {m->seed + 1};
    sq_parameters_free(&m->p);
    new_layers(m);
    m->steps = 1;
    for (size_t i = 0; i < n; i++)
        m->steps = size[i] > m->steps ? size[i] : m->steps;
    sq_lesson_largest(&l, m->largest);
    sq_lesson_course(&l, &course, &rng, learn_batch, m);
    sq_lesson_free(&l);
}

void sq_tlp_predict(sq_tlp *m, const float *rows, const int *size, size_t n, float *score)
{
    for (size_t from = 0; from < n; from += CHUNK) {
        size_t some = n - from < CHUNK ? n - from : CHUNK;
        pass x = open_pass(m, rows, size + from, some);
        forwards(m, &x);
        add_scores(m, &x, score + from);
        rows += sq_packs_rows(size + from, some) * SQ_STEP_NUMBERS;
        close_pass(&x);
    }
}
