/* Layers: what the learned networks of searches are made of, forwards and backwards, on one thread and in a fixed order
 * of additions: equal inputs give equal results on one class of processors. Gradients are added to what is there.
 * Products and steps of Adam are emitted by Squall (tuner/search/nets/nets.sq). */
#ifndef SQ_TUNER_SEARCH_LAYERS_H
#define SQ_TUNER_SEARCH_LAYERS_H
#include "support/stats.h"
#include <stdbool.h>

/* Rows of values, and their gradient. */
typedef struct sq_layer_values {
    int rows, cols;
    float *value, *gradient;
} sq_layer_values;

/* All 0. Ends the process without memory. */
sq_layer_values sq_tensor_new(int rows, int cols);
/* Without a gradient: what a network reads. */
sq_layer_values sq_tensor_input(int rows, int cols);
void sq_tensor_free(sq_layer_values *t);

/* Parameters of a network with their gradients and Adam's moments. */
typedef struct sq_parameters {
    int n, room;
    float *value, *gradient, *mean, *square;
    int steps;
} sq_parameters;

typedef struct sq_layer {
    int in, out, weights, biases; /* where they begin */
} sq_layer;

sq_parameters sq_parameters_new(int room);
void sq_parameters_free(sq_parameters *p);
/* Adam begins anew, with the values that there are. */
void sq_parameters_forget(sq_parameters *p);
/* A dense layer, its weights and biases drawn evenly from +-1/sqrt(in). */
sq_layer sq_layer_new(sq_parameters *p, int in, int out, sq_rng *rng);
/* Adds n parameters of a value; returns where they begin. */
int sq_parameters_add(sq_parameters *p, int n, float value);
/* A step of Adam (Kingma and Ba, 2015) with weight decay, the gradient cut to a length; the gradient is 0 after it. */
void sq_parameters_step(sq_parameters *p, double rate, double decay, double longest);

/* y = x * weights + biases, where it is less than 0 and rectifies: 0. */
void sq_dense(const sq_parameters *p, const sq_layer *l, const sq_layer_values *x, bool rectifies, sq_layer_values *y);
/* The way back: y's gradient is used up; x's may be NULL. */
void sq_dense_back(sq_parameters *p, const sq_layer *l, sq_layer_values *x, bool rectifies, sq_layer_values *y);

/* sum = a + b, of one shape. The way back: its gradient goes to both. */
void sq_add(const sq_layer_values *a, const sq_layer_values *b, sq_layer_values *sum);
void sq_add_back(const sq_layer_values *sum, sq_layer_values *a, sq_layer_values *b);

/* Attention of `heads` heads among `steps` rows at a time: a row of y is a mean of those of v, weighted by how similar
 * those of q and k are. share: of each row `heads` times `steps`. */
typedef struct sq_attention {
    int steps, heads;
} sq_attention;
void sq_attend(const sq_attention *a, const sq_layer_values *q, const sq_layer_values *k,
               const sq_layer_values *v, sq_layer_values *share, sq_layer_values *y);
void sq_attend_back(const sq_attention *a, sq_layer_values *q, sq_layer_values *k,
                    sq_layer_values *v, const sq_layer_values *share, const sq_layer_values *y);

/* Batch normalisation (Ioffe and Szegedy, 2015): columns of mean 0 and variance 1, times a scale, and a shift. */
typedef struct sq_norm {
    int scale, shift;        /* parameters */
    float *mean, *variance;  /* of batches so far, for a prediction */
    float *centre, *inverse; /* of the last batch */
} sq_norm;
sq_norm sq_norm_new(sq_parameters *p, int cols);
void sq_norm_free(sq_norm *n);
void sq_normalise(sq_norm *n, const sq_parameters *p, bool learns, const sq_layer_values *x, sq_layer_values *y);
/* After one that learns. */
void sq_normalise_back(const sq_norm *n, sq_parameters *p, sq_layer_values *x, const sq_layer_values *y);
#endif
