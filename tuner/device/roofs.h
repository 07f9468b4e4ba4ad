/* Roofs: upper bounds on the speed of a kernel on this processor: the multiply-adds of a class's
 * vectors, and the bandwidths of its caches and memory. Measured once and cached with the host's
 * properties. */
#ifndef SQ_TUNER_DEVICE_ROOFS_H
#define SQ_TUNER_DEVICE_ROOFS_H
#include "ir/kernel/kernel.h"
#include "tuner/device/machine_host.h"

typedef enum sq_level { SQ_L1, SQ_L2, SQ_L3, SQ_MEMORY, SQ_LEVELS } sq_level;

/* GB/s of a sum over an array, and of a = b + s * c (counting three arrays, as STREAM does). */
typedef struct sq_bandwidth {
    double sum[SQ_LEVELS], triad[SQ_LEVELS];
} sq_bandwidth;

typedef struct sq_roofs {
    double f32, f64;       /* GFLOP/s of one core, with the class's vectors */
    sq_bandwidth one, all; /* of one core, of all cores together */
} sq_roofs;

/* Returns the bytes of the arrays that are measured for a level, for L3 and memory of all threads
 * together: half of a cache, so that they exceed the next smaller one; for memory at least four
 * times the last-level caches, but only twice beyond 1 GiB, and at most half of what is
 * `available`. */
int64_t sq_roofs_bytes(const sq_host *h, sq_level level, int threads, int64_t available);
/* Measures vectors of class `isa`, which this processor runs. A cache file that cannot be written
 * is a warning, as is a bandwidth that cannot be measured: it is 0, and not cached; false: the
 * class cannot be measured. */
bool sq_roofs_get(const sq_host *h, const char *isa, sq_roofs *to, sq_diags *d);

/* GFLOP/s of one core at the kernel's operations, each at the rate of its type: as many bytes of vectors a second as at
 * those of f32; words: how much faster sums of products of bytes are. */
double sq_roofs_peak(const sq_roofs *r, const sq_kernel *k, const int64_t *sizes, double words);

/* The bytes that a call must read and write, each array once, without arrays that are not accessed
 * at these sizes; and the bytes of all its arrays. */
typedef struct sq_traffic {
    double read, written, both, held; /* both: of the read bytes those that are also written */
} sq_traffic;
sq_traffic sq_kernel_traffic(const sq_kernel *k, const int64_t *sizes);

/* The lower bound of a call. */
typedef struct sq_roof {
    double seconds; /* the longer one of the two */
    double peak;    /* GFLOP/s */
    double flops, bytes;
    const char
        *memory; /* "memory", "L2": the farthest that is needed, if bytes take longer; else NULL */
} sq_roof;
sq_roof sq_roof_of(const sq_roofs *r, const sq_host *h, double peak, int threads, double flops,
                   const sq_traffic *t);
#endif
