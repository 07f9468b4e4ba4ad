/* Thresholds: the numbers with which a kernel compares what it reads. An input that equals such a number shows
 * whether `<` stands where `<=` belongs; no random number does. */
#ifndef SQ_TUNER_MEASURE_THRESHOLDS_H
#define SQ_TUNER_MEASURE_THRESHOLDS_H
#include "ir/kernel/kernel.h"
#include "tuner/measure/reach.h"

enum { SQ_MOST_THRESHOLDS = 8 };

typedef struct sq_threshold {
    bool is_integer; /* compared with integers */
    sq_number value;
} sq_threshold;

typedef struct sq_thresholds {
    bool
        is_worth; /* there are comparisons, and all of them have the same outcome in every order of steps */
    bool is_open; /* equal inputs may give what has no bound, as a difference that is divided by */
    int n; /* of the constants among them, those that inputs may have; the rest are scalars */
    sq_threshold threshold[SQ_MOST_THRESHOLDS];
    double
        reach; /* results are of the order of reach^degree (tuner/measure/reach.h); 1: none is larger */
} sq_thresholds;

sq_thresholds sq_thresholds_of(const sq_kernel *k, const sq_reach *reach);
#endif
