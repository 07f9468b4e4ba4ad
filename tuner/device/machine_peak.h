/* Machine peak: micro-benchmarks of one core, in plain C. */
#ifndef SQ_TUNER_DEVICE_MACHINE_PEAK_H
#define SQ_TUNER_DEVICE_MACHINE_PEAK_H
#include <stdbool.h>

typedef struct sq_peak {
    double ghz;         /* of dependent additions, one per cycle */
    double f32, f64;    /* GFLOP/s of independent multiply-adds */
    double fma_latency; /* cycles */
    double bandwidth;   /* GB/s of a = b + s*c on arrays far beyond the caches */
} sq_peak;

/* isa: a class that this processor runs (ir/machine/machine.h). Takes about 0.4 s. false: there are
 * no loops for it. */
bool sq_peak_measure(const char *isa, sq_peak *p);
#endif
