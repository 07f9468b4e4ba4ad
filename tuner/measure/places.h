/* Places: arrays of integers that say subscripts, T[X[i]], and nothing else: their elements are drawn so that all of T
 * is read, and what limits them is needed. */
#ifndef SQ_TUNER_MEASURE_PLACES_H
#define SQ_TUNER_MEASURE_PLACES_H
#include "ir/kernel/kernel.h"

/* The most places that a subscript made of the array's elements chooses from at given sizes; 0 where it makes none, or
 * has elements that are values elsewhere. */
int64_t sq_places_of(const sq_kernel *k, const sq_array *a, const int64_t *sizes);
#endif
