/* Lesson: the points that a network learns from, given to it in batches, in an order that chance draws anew for each
 * epoch. */
#ifndef SQ_TUNER_SEARCH_LESSON_H
#define SQ_TUNER_SEARCH_LESSON_H
#include "support/stats.h"

typedef struct sq_lesson {
    const float *rows; /* of `width` numbers: size[i] of them one after the other are the i-th point */
    const int *size;
    const float *y; /* of each point */
    size_t n, width;
    const int *group; /* of each point, from 0 without gaps: batches are of one group; NULL: there is one */
    size_t *first, *order; /* inside: the first row of each point; the order of the last epoch */
} sq_lesson;

/* Learns from some points, as above; their loss. */
typedef double sq_lesson_learn(void *user, const float *rows, const int *size, const float *y, size_t n);

/* Keeps what it is given by reference. */
sq_lesson sq_lesson_new(const float *rows, size_t width, const int *size, const float *y, size_t n);
void sq_lesson_free(sq_lesson *l);
/* Gives every point once, `batch` of a group at a time; the sum of losses. */
double sq_lesson_epoch(sq_lesson *l, size_t batch, sq_rng *rng, sq_lesson_learn *learn, void *user);
/* The largest magnitude in each column of the rows. */
void sq_lesson_largest(const sq_lesson *l, float *largest);

typedef struct sq_course {
    size_t batch;
    int epochs, patience; /* at most; after `patience` epochs without a better loss it ends */
} sq_course;
/* Epochs until the loss, averaged over some of them, no longer falls. */
void sq_lesson_course(sq_lesson *l, const sq_course *c, sq_rng *rng, sq_lesson_learn *learn, void *user);
#endif
