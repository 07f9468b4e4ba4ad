/* Roofs: how fast a kernel could be at most on this processor: the multiply-adds of a class's vectors,
 * and the bytes that its caches and its memory give. Measured once and kept beside the host's facts. */
#ifndef SQ_TUNER_DEVICE_ROOFS_H
#define SQ_TUNER_DEVICE_ROOFS_H
#include "ir/kernel/kernel.h"
#include "tuner/device/machine_host.h"

typedef enum sq_level { SQ_L1, SQ_L2, SQ_L3, SQ_MEMORY, SQ_LEVELS } sq_level;

/* GB/s of a sum over an array, and of a = b + s * c (three arrays' bytes, as STREAM counts). */
typedef struct sq_bandwidth {
    double sum[SQ_LEVELS], triad[SQ_LEVELS];
} sq_bandwidth;

typedef struct sq_roofs {
    double f32, f64;       /* GFLOP/s of one core, by the class's vectors */
    sq_bandwidth one, all; /* of one core, of all of them together */
} sq_roofs;

/* Bytes of the arrays that are measured for a level, of all threads together for L3 and memory: half
 * of a cache, so that they are in no other; for memory four times the last caches or more, but twice
 * beyond 1 GiB, and half of what is `available` at most. */
int64_t sq_roofs_bytes(const sq_host *h, sq_level level, int threads, int64_t available);
/* For vectors of class `isa`, which this processor runs. A cache that cannot be written is a warning,
 * as is a bandwidth that cannot be measured: it is 0, and kept nowhere;
 * false: there is nothing to measure the class with. */
bool sq_roofs_get(const sq_host *h, const char *isa, sq_roofs *to, sq_diags *d);

/* Bytes that one call has to read and to write, each array once, none of arrays that nothing touches
 * at these sizes; and all that its arrays take. */
typedef struct sq_traffic {
    double read, written, both, held; /* both: of the read ones those that are written, too */
} sq_traffic;
sq_traffic sq_kernel_traffic(const sq_kernel *k, const int64_t *sizes);

/* What one call takes at least. */
typedef struct sq_roof {
    double seconds; /* the longer of the two */
    double peak;    /* GFLOP/s */
    double flops, bytes;
    const char
        *memory; /* "memory", "L2": where the bytes come from, if they take longer; else NULL */
} sq_roof;
sq_roof sq_roof_of(const sq_roofs *r, const sq_host *h, double peak, int threads, double flops,
                   const sq_traffic *t);
#endif
