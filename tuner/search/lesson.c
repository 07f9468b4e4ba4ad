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

/* Some points as a batch. */
static double learn_some(const sq_lesson *l, const size_t *point, size_t n, sq_lesson_learn *learn, void *user)
{
    size_t nrows = 0;
    int *size = sq_allocated(malloc(n * sizeof *size));
    float *y = sq_allocated(malloc(n * sizeof *y));
    for (size_t i = 0; i < n; i++)
        nrows += (size_t)l->size[point[i]];
    float *rows = sq_allocated(malloc(nrows * l->width * sizeof *rows)), *next = rows;
    for (size_t i = 0; i < n; i++) {
        size_t k = point[i], numbers = (size_t)l->size[k] * l->width;
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

static void shuffle(size_t *order, size_t n, sq_rng *rng)
{
    for (size_t i = n; i > 1; i--) {
        size_t k = sq_rng_below(rng, i), kept = order[k];
        order[k] = order[i - 1];
        order[i - 1] = kept;
    }
}

/* The points of a group, in the order of the epoch; their number. */
static size_t points_of(const sq_lesson *l, size_t group, size_t *to)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        if (!l->group || (size_t)l->group[l->order[i]] == group)
            to[n++] = l->order[i];
    return n;
}

double sq_lesson_epoch(sq_lesson *l, size_t batch, sq_rng *rng, sq_lesson_learn *learn, void *user)
{
    double loss = 0;
    size_t ngroups = 1, *point = sq_allocated(malloc((2 * l->n + 1) * sizeof *point)), *group = point + l->n;
    for (size_t i = 0; i < l->n && l->group; i++)
        ngroups = (size_t)l->group[i] >= ngroups ? (size_t)l->group[i] + 1 : ngroups;
    for (size_t g = 0; g < ngroups; g++)
        group[g] = g;
    shuffle(l->order, l->n, rng);
    shuffle(group, ngroups, rng);
    for (size_t g = 0; g < ngroups; g++) {
        size_t n = points_of(l, group[g], point);
        for (size_t from = 0; from < n; from += batch)
            loss += learn_some(l, point + from, batch < n - from ? batch : n - from, learn, user);
    }
    free(point);
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
