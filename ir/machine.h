/* Machine: what of the hardware decides a schedule. A plain record; classes ("avx512", "avx2",
 * "neon", "generic") are rows of a table, the host's is measured by the tuner. */
#ifndef SQ_IR_MACHINE_H
#define SQ_IR_MACHINE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct sq_machine {
    const char *name;     /* class: "avx512", "avx2", "neon", "generic", or "host" */
    const char *isa;      /* name of the target's ISA: "avx512", "avx2", "neon", "generic" */
    int vector_bytes;     /* 64, 32, 16, 16 */
    int registers;        /* vector registers: 32, 16, 32, 16 */
    int fma_latency;      /* cycles */
    double fma_per_cycle; /* full vectors */
    double loads_per_cycle;
    int64_t l1, l2, l3; /* bytes per core (l3: the share of one core group) */
    int cores;
    double peak_f32;  /* GFLOP/s of one core; a guess for classes, measured for the host */
    double bandwidth; /* GB/s of one core from memory */
    const struct sq_device *device; /* ir/device.h; NULL: a processor, or a device of the class */
} sq_machine;

/* A generic class by ISA name; NULL if unknown. Static storage. */
const sq_machine *sq_machine_class(const char *isa);
/* Does this processor run text for the ISA. */
bool sq_machine_runs(const char *isa);
/* The best ISA name that it does. */
const char *sq_machine_host_isa(void);
#endif
