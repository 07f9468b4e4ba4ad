/* Stream: measures the bandwidth of one core or of several, in arrays of a given size. */
#ifndef SQ_TUNER_DEVICE_STREAM_H
#define SQ_TUNER_DEVICE_STREAM_H
#include <stdbool.h>
#include <stdint.h>

/* Measures GB/s of a sum over an array and of a triad over three, `bytes` in total for each thread,
 * with vectors of class `isa`, which this processor runs. Takes up to half a second in caches, a
 * few seconds in memory beyond large ones. False if memory or threads are lacking; then nothing was
 * measured. */
bool sq_stream_measure(const char *isa, int64_t bytes, int threads, double *sum, double *triad);
#endif
