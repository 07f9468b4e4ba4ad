/* Thresholds: the numbers that a kernel compares its inputs with. An input that equals such a
 * number reveals `<` in place of `<=`; a random number does not. */
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
        is_worth; /* there are comparisons, and all have the same outcome in every order of evaluation */
    bool is_open; /* equal inputs may give results without a bound, such as a quotient by a difference */
    int n; /* constants among them that inputs can represent; the rest are scalars */
    sq_threshold threshold[SQ_MOST_THRESHOLDS];
    double
        reach; /* results are of the order of reach^degree (tuner/measure/reach.h); 1: none is larger */
} sq_thresholds;

sq_thresholds sq_thresholds_of(const sq_kernel *k, const sq_reach *reach);
#endif
