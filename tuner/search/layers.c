/* Layers: see layers.h. */
#include "tuner/search/layers.h"
#include "support/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 4 /* rows of a product at once */ };

static void *zeros(size_t n)
{
    return sq_allocated(calloc(n + 1, sizeof(float)));
}

sq_layer_values sq_tensor_new(int rows, int cols)
{
    size_t n = (size_t)rows * (size_t)cols;
    return (sq_layer_values){rows, cols, zeros(n), zeros(n)};
}

sq_layer_values sq_tensor_input(int rows, int cols)
{
    return (sq_layer_values){rows, cols, zeros((size_t)rows * (size_t)cols), NULL};
}

void sq_tensor_free(sq_layer_values *t)
{
    free(t->value);
    free(t->gradient);
}

/* ---- products ---- */

typedef float lanes __attribute__((vector_size(16), aligned(4)));

static lanes *lanes_of(float *x)
{
    return (lanes *)(void *)x;
}

/* TILE rows of c and SQ_LAYER_LANES columns of it: += a * b. The sums are variables, so that they stay in registers. */
static void add_tile(const float *a, const float *b, float *c, int inner, int cols)
{
    const float *a1 = a + inner, *a2 = a1 + inner, *a3 = a2 + inner;
    lanes s00 = {0}, s01 = {0}, s10 = {0}, s11 = {0}, s20 = {0}, s21 = {0}, s30 = {0}, s31 = {0};
    for (int k = 0; k < inner; k++, b += cols) {
        const lanes *row = (const lanes *)(const void *)b, left = row[0], right = row[1];
        s00 += a[k] * left;
        s01 += a[k] * right;
        s10 += a1[k] * left;
        s11 += a1[k] * right;
        s20 += a2[k] * left;
        s21 += a2[k] * right;
        s30 += a3[k] * left;
        s31 += a3[k] * right;
    }
    lanes *to[TILE] = {lanes_of(c), lanes_of(c + cols), lanes_of(c + 2 * (ptrdiff_t)cols),
                       lanes_of(c + 3 * (ptrdiff_t)cols)};
    to[0][0] += s00;
    to[0][1] += s01;
    to[1][0] += s10;
    to[1][1] += s11;
    to[2][0] += s20;
    to[2][1] += s21;
    to[3][0] += s30;
    to[3][1] += s31;
}

static void add_row(const float *a, const float *b, float *c, int inner, int cols)
{
    lanes *to = lanes_of(c), left = {0}, right = {0};
    for (int k = 0; k < inner; k++) {
        const lanes *row = (const lanes *)(const void *)(b + (size_t)k * (size_t)cols);
        left += a[k] * row[0];
        right += a[k] * row[1];
    }
    to[0] += left;
    to[1] += right;
}

/* c += a * b, of rows x inner and inner x cols. */
static void multiply(const float *a, const float *b, float *c, int rows, int inner, int cols)
{
    for (int j = 0; j < cols; j += SQ_LAYER_LANES) {
        int i = 0;
        for (; i + TILE <= rows; i += TILE)
            add_tile(a + (size_t)i * (size_t)inner, b + j, c + (size_t)i * (size_t)cols + j, inner, cols);
        for (; i < rows; i++)
            add_row(a + (size_t)i * (size_t)inner, b + j, c + (size_t)i * (size_t)cols + j, inner, cols);
    }
}

static float *transpose(const float *x, int rows, int cols)
{
    float *t = zeros((size_t)rows * (size_t)cols);
    for (int first = 0; first < cols; first += 2 * SQ_LAYER_LANES) /* lines of x stay in the cache */
        for (int i = 0; i < rows; i++)
            for (int j = first; j < cols && j < first + 2 * SQ_LAYER_LANES; j++)
                t[(size_t)j * (size_t)rows + (size_t)i] = x[(size_t)i * (size_t)cols + (size_t)j];
    return t;
}

/* ---- parameters ---- */

sq_parameters sq_parameters_new(int room)
{
    size_t n = (size_t)room;
    return (sq_parameters){.room = room, .value = zeros(n), .gradient = zeros(n), .mean = zeros(n), .square = zeros(n)};
}

void sq_parameters_free(sq_parameters *p)
{
    free(p->value);
    free(p->gradient);
    free(p->mean);
    free(p->square);
}

int sq_parameters_add(sq_parameters *p, int n, float value)
{
    int first = p->n;
    if (p->n + n > p->room)
        abort();
    for (int i = 0; i < n; i++)
        p->value[p->n++] = value;
    return first;
}

sq_layer sq_layer_new(sq_parameters *p, int in, int out, sq_rng *rng)
{
    sq_layer l = {.in = in, .out = out};
    l.weights = sq_parameters_add(p, in * out, 0);
    l.biases = sq_parameters_add(p, out, 0);
    double most = 1 / sqrt(in);
    for (int i = l.weights; i < p->n; i++)
        p->value[i] = (float)(most * (2 * sq_rng_unit(rng) - 1));
    return l;
}

/* What makes the gradient no longer than that. */
static double shorten(const sq_parameters *p, double longest)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += (double)p->gradient[i] * (double)p->gradient[i];
    return sum > longest * longest ? longest / sqrt(sum) : 1;
}

void sq_parameters_step(sq_parameters *p, double rate, double decay, double longest)
{
    static const float keeps_mean = 0.9f, keeps_square = 0.999f, least = 1e-8f;
    float scale = (float)shorten(p, longest), fades = (float)decay;
    p->steps++;
    float step = (float)(rate / (1 - pow((double)keeps_mean, p->steps)));
    float whole = (float)(1 / (1 - pow((double)keeps_square, p->steps)));
    for (int i = 0; i < p->n; i++) {
        float g = scale * p->gradient[i] + fades * p->value[i];
        p->mean[i] = keeps_mean * p->mean[i] + (1 - keeps_mean) * g;
        p->square[i] = keeps_square * p->square[i] + (1 - keeps_square) * g * g;
        p->value[i] -= step * p->mean[i] / (sqrtf(p->square[i] * whole) + least);
        p->gradient[i] = 0;
    }
}

/* ---- dense layers ---- */

void sq_dense(const sq_parameters *p, const sq_layer *l, const sq_layer_values *x, bool rectifies, sq_layer_values *y)
{
    size_t bytes = (size_t)l->out * sizeof *y->value, n = (size_t)y->rows * (size_t)y->cols;
    for (int i = 0; i < y->rows; i++)
        memcpy(y->value + (size_t)i * (size_t)l->out, p->value + l->biases, bytes);
    multiply(x->value, p->value + l->weights, y->value, x->rows, l->in, l->out);
    for (size_t i = 0; rectifies && i < n; i++)
        y->value[i] = y->value[i] > 0 ? y->value[i] : 0;
}

void sq_dense_back(sq_parameters *p, const sq_layer *l, sq_layer_values *x, bool rectifies, sq_layer_values *y)
{
    for (int i = 0; i < y->rows; i++)
        for (int j = 0; j < y->cols; j++) {
            size_t at = (size_t)i * (size_t)y->cols + (size_t)j;
            y->gradient[at] = rectifies && y->value[at] <= 0 ? 0 : y->gradient[at];
            p->gradient[l->biases + j] += y->gradient[at];
        }
    float *turned = transpose(x->value, x->rows, l->in);
    multiply(turned, y->gradient, p->gradient + l->weights, l->in, x->rows, l->out);
    free(turned);
    if (!x->gradient)
        return;
    turned = transpose(p->value + l->weights, l->in, l->out);
    multiply(y->gradient, turned, x->gradient, x->rows, l->out, l->in);
    free(turned);
}

/* ---- attention ---- */

static float dot(const float *a, const float *b, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_times(float x, const float *a, float *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += x * a[i];
}

/* Of one row and head: the shares of the group's rows, which begin at `first`. */
static void share_out(const float *q, const float *k, int steps, int size, int cols, float *share)
{
    float most = -INFINITY, sum = 0;
    for (int u = 0; u < steps; u++) {
        share[u] = dot(q, k + (ptrdiff_t)u * cols, size) / sqrtf((float)size);
        most = fmaxf(most, share[u]);
    }
    for (int u = 0; u < steps; u++)
        sum += share[u] = expf(share[u] - most);
    for (int u = 0; u < steps; u++)
        share[u] /= sum;
}

void sq_attend(const sq_attention *a, const sq_layer_values *q, const sq_layer_values *k,
               const sq_layer_values *v, sq_layer_values *share, sq_layer_values *y)
{
    int cols = q->cols, size = cols / a->heads;
    memset(y->value, 0, (size_t)y->rows * (size_t)cols * sizeof *y->value);
    for (int t = 0; t < q->rows; t++)
        for (int h = 0; h < a->heads; h++) {
            ptrdiff_t row = (ptrdiff_t)t * cols + h * size,
                      first = (ptrdiff_t)(t / a->steps * a->steps) * cols + h * size;
            float *s = share->value + (ptrdiff_t)(t * a->heads + h) * a->steps;
            share_out(q->value + row, k->value + first, a->steps, size, cols, s);
            for (int u = 0; u < a->steps; u++)
                add_times(s[u], v->value + first + (ptrdiff_t)u * cols, y->value + row, size);
        }
}

void sq_attend_back(const sq_attention *a, sq_layer_values *q, sq_layer_values *k,
                    sq_layer_values *v, const sq_layer_values *share, const sq_layer_values *y)
{
    int cols = q->cols, size = cols / a->heads;
    for (int t = 0; t < q->rows; t++)
        for (int h = 0; h < a->heads; h++) {
            ptrdiff_t row = (ptrdiff_t)t * cols + h * size,
                      first = (ptrdiff_t)(t / a->steps * a->steps) * cols + h * size;
            const float *s = share->value + (ptrdiff_t)(t * a->heads + h) * a->steps, *dy = y->gradient + row;
            float mean = 0, root = sqrtf((float)size);
            for (int u = 0; u < a->steps; u++)
                mean += s[u] * dot(dy, v->value + first + (ptrdiff_t)u * cols, size);
            for (int u = 0; u < a->steps; u++) {
                ptrdiff_t other = first + (ptrdiff_t)u * cols;
                float ds = s[u] * (dot(dy, v->value + other, size) - mean) / root;
                add_times(s[u], dy, v->gradient + other, size);
                add_times(ds, k->value + other, q->gradient + row, size);
                add_times(ds, q->value + row, k->gradient + other, size);
            }
        }
}

/* ---- batch normalisation ---- */

static const float least_variance = 1e-5f, newest = 0.1f;

sq_norm sq_norm_new(sq_parameters *p, int cols)
{
    size_t n = (size_t)cols;
    sq_norm norm = {.scale = sq_parameters_add(p, cols, 1), .shift = sq_parameters_add(p, cols, 0)};
    norm.mean = zeros(n);
    norm.variance = zeros(n);
    norm.centre = zeros(n);
    norm.inverse = zeros(n);
    for (int j = 0; j < cols; j++)
        norm.variance[j] = 1;
    return norm;
}

void sq_norm_free(sq_norm *n)
{
    free(n->mean);
    free(n->variance);
    free(n->centre);
    free(n->inverse);
}

/* The mean and the variance of a column of the batch; those of batches so far move towards them. */
static void learn_column(sq_norm *n, const sq_layer_values *x, int j)
{
    float sum = 0, squares = 0, rows = (float)x->rows;
    for (int i = 0; i < x->rows; i++)
        sum += x->value[(size_t)i * (size_t)x->cols + (size_t)j];
    n->centre[j] = sum / rows;
    for (int i = 0; i < x->rows; i++) {
        float off = x->value[(size_t)i * (size_t)x->cols + (size_t)j] - n->centre[j];
        squares += off * off;
    }
    n->inverse[j] = 1 / sqrtf(squares / rows + least_variance);
    n->mean[j] += newest * (n->centre[j] - n->mean[j]);
    n->variance[j] += newest * (squares / fmaxf(1, rows - 1) - n->variance[j]);
}

void sq_normalise(sq_norm *n, const sq_parameters *p, bool learns, const sq_layer_values *x, sq_layer_values *y)
{
    for (int j = 0; j < x->cols; j++) {
        if (learns)
            learn_column(n, x, j);
        float centre = learns ? n->centre[j] : n->mean[j];
        float inverse = learns ? n->inverse[j] : 1 / sqrtf(n->variance[j] + least_variance);
        for (int i = 0; i < x->rows; i++) {
            size_t at = (size_t)i * (size_t)x->cols + (size_t)j;
            y->value[at] = p->value[n->scale + j] * (x->value[at] - centre) * inverse + p->value[n->shift + j];
        }
    }
}

void sq_normalise_back(const sq_norm *n, sq_parameters *p, sq_layer_values *x, const sq_layer_values *y)
{
    float rows = (float)x->rows;
    for (int j = 0; j < x->cols; j++) {
        float sum = 0, along = 0;
        for (int i = 0; i < x->rows; i++) {
            size_t at = (size_t)i * (size_t)x->cols + (size_t)j;
            sum += y->gradient[at];
            along += y->gradient[at] * (x->value[at] - n->centre[j]) * n->inverse[j];
        }
        p->gradient[n->scale + j] += along;
        p->gradient[n->shift + j] += sum;
        for (int i = 0; i < x->rows; i++) {
            size_t at = (size_t)i * (size_t)x->cols + (size_t)j;
            float unit = (x->value[at] - n->centre[j]) * n->inverse[j];
            x->gradient[at] +=
                p->value[n->scale + j] * n->inverse[j] * (y->gradient[at] - sum / rows - unit * along / rows);
        }
    }
}
