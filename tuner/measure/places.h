/* Places: arrays of integers that are used as subscripts only, T[X[i]]: their elements are drawn so
 * that all of T is read, and bounds checks on them matter. */
#ifndef SQ_TUNER_MEASURE_PLACES_H
#define SQ_TUNER_MEASURE_PLACES_H
#include "ir/kernel/kernel.h"

/* Returns the largest number of places that a subscript made of the array's elements can select at
 * given sizes; 0 if there is no such subscript, or if elements are also used as values. */
int64_t sq_places_of(const sq_kernel *k, const sq_array *a, const int64_t *sizes);
#endif
