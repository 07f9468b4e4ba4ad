/* Lesson: see lesson.h. */
#include "tuner/search/lesson.h"
#include "support/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

sq_lesson sq_lesson_new(const float *rows, size_t width, const int *size, const float *y, size_t n)
{
    sq_lesson l = {.rows = rows, .size = size, .y = y, .n = n, .width = width};
    l.first = sq_allocated(malloc((2 * n + 1) * sizeof *l.first));
    l.order = l.first + n;
    for (size_t i = 0, row = 0; i < n; row += (size_t)size[i++]) {
        l.first[i] = row;
        l.order[i] = i;
    }
    return l;
}

void sq_lesson_free(sq_lesson *l)
{
    free(l->first);
}

/* Points from..to of the order, as a batch. */
static double learn_some(const sq_lesson *l, size_t from, size_t to, sq_lesson_learn *learn, void *user)
{
    size_t nrows = 0, n = to - from;
    int *size = sq_allocated(malloc(n * sizeof *size));
    float *y = sq_allocated(malloc(n * sizeof *y));
    for (size_t i = 0; i < n; i++)
        nrows += (size_t)l->size[l->order[from + i]];
    float *rows = sq_allocated(malloc(nrows * l->width * sizeof *rows)), *next = rows;
    for (size_t i = 0; i < n; i++) {
        size_t k = l->order[from + i], numbers = (size_t)l->size[k] * l->width;
        size[i] = l->size[k];
        y[i] = l->y[k];
        memcpy(next, l->rows + l->first[k] * l->width, numbers * sizeof *next);
        next += numbers;
    }
    double loss = learn(user, rows, size, y, n);
    free(rows);
    free(size);
    free(y);
    return loss;
}

double sq_lesson_epoch(sq_lesson *l, size_t batch, sq_rng *rng, sq_lesson_learn *learn, void *user)
{
    double loss = 0;
    for (size_t i = l->n; i > 1; i--) {
        size_t k = sq_rng_below(rng, i), kept = l->order[k];
        l->order[k] = l->order[i - 1];
        l->order[i - 1] = kept;
    }
    for (size_t from = 0; from < l->n; from += batch)
        loss += learn_some(l, from, from + batch < l->n ? from + batch : l->n, learn, user);
    return loss;
}

void sq_lesson_largest(const sq_lesson *l, float *largest)
{
    size_t nrows = 0;
    for (size_t i = 0; i < l->n; i++)
        nrows += (size_t)l->size[i];
    for (size_t c = 0; c < l->width; c++)
        largest[c] = 0;
    for (size_t i = 0; i < nrows; i++)
        for (size_t c = 0; c < l->width; c++)
            largest[c] = fmaxf(largest[c], fabsf(l->rows[i * l->width + c]));
}

void sq_lesson_course(sq_lesson *l, const sq_course *c, sq_rng *rng, sq_lesson_learn *learn, void *user)
{
    static const double newest = 0.1;
    double average = 0, least = INFINITY;
    for (int epoch = 0, since = 0; epoch < c->epochs && since < c->patience; epoch++) {
        double loss = sq_lesson_epoch(l, c->batch, rng, learn, user);
        average = epoch == 0 ? loss : average + newest * (loss - average);
        since = average < least ? 0 : since + 1;
        least = fmin(least, average);
    }
}
