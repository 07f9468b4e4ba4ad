/* Layers: see layers.h. */
#include "tuner/search/layers.h"
#include "support/memory.h"
#include "tuner/search/nets/nets.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void sq_parameters_forget(sq_parameters *p)
{
    size_t bytes = (size_t)p->n * sizeof(float);
    memset(p->gradient, 0, bytes);
    memset(p->mean, 0, bytes);
    memset(p->square, 0, bytes);
    p->steps = 0;
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
    p->steps++;
    double step = rate / (1 - pow(0.9, p->steps)), whole = 1 / (1 - pow(0.999, p->steps)); /* as net_adam forgets */
    net_adam(p->n, (float)shorten(p, longest), (float)decay, (float)step, (float)whole, p->gradient, p->mean, p->square,
             p->value);
    memset(p->gradient, 0, (size_t)p->n * sizeof *p->gradient);
}

/* ---- dense layers ---- */

void sq_dense(const sq_parameters *p, const sq_layer *l, const sq_layer_values *x, bool rectifies, sq_layer_values *y)
{
    size_t n = (size_t)y->rows * (size_t)y->cols;
    net_dense(x->rows, l->in, l->out, x->value, p->value + l->weights, p->value + l->biases, y->value);
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
    net_weights_back(x->rows, l->in, l->out, x->value, y->gradient, p->gradient + l->weights);
    if (x->gradient)
        net_inputs_back(x->rows, l->in, l->out, y->gradient, p->value + l->weights, x->gradient);
}

/* ---- sums ---- */

void sq_add(const sq_layer_values *a, const sq_layer_values *b, sq_layer_values *sum)
{
    size_t n = (size_t)sum->rows * (size_t)sum->cols;
    for (size_t i = 0; i < n; i++)
        sum->value[i] = a->value[i] + b->value[i];
}

void sq_add_back(const sq_layer_values *sum, sq_layer_values *a, sq_layer_values *b)
{
    size_t n = (size_t)sum->rows * (size_t)sum->cols;
    for (size_t i = 0; i < n; i++) {
        a->gradient[i] += sum->gradient[i];
        b->gradient[i] += sum->gradient[i];
    }
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
