/* LambdaRank: see lambda_rank.h. */
#include "tuner/search/lambda_rank.h"
#include "support/memory.h"
#include <math.h>
#include <stdlib.h>

static const double least_chance = 1e-10;

typedef struct place {
    float value;
    size_t at;
} place;

/* Larger ones first, equal ones as they came. */
static int by_value(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value) : (x->at > y->at) - (x->at < y->at);
}

static void sort(const float *value, place *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (place){value[i], i};
    qsort(to, n, sizeof *to, by_value);
}

/* By which a place counts, from 0 for the first. */
static double discount(size_t rank)
{
    return 1 / log2((double)rank + 2);
}

static double gain(float y)
{
    return exp2((double)y) - 1;
}

double sq_lambda_rank(const float *score, const float *y, size_t n, float *gradient)
{
    place *order = sq_allocated(malloc((n + 1) * sizeof *order));
    double *weight = sq_allocated(malloc((n + 1) * sizeof *weight)), most = 0, loss = 0;
    sort(y, order, n);
    for (size_t i = 0; i < n; i++)
        most += gain(order[i].value) * discount(i);
    sort(score, order, n);
    for (size_t i = 0; i < n; i++) {
        weight[order[i].at] = discount(i);
        gradient[i] = 0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            if (y[i] <= y[k])
                continue;
            double matters = fabs(weight[i] - weight[k]) * (gain(y[i]) - gain(y[k])) / most;
            double chance = 1 / (1 + exp((double)score[k] - (double)score[i])), by = matters * (1 - chance) / log(2);
            loss -= matters * log2(fmax(chance, least_chance));
            gradient[i] -= (float)by;
            gradient[k] += (float)by;
        }
    free(order);
    free(weight);
    return loss;
}
