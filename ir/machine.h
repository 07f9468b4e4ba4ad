/* Machine: what of the hardware decides a schedule. A plain record; classes are rows of a table, the
 * host's is measured by the tuner. */
#ifndef SQ_IR_MACHINE_H
#define SQ_IR_MACHINE_H
#include <stdbool.h>
#include <stdint.h>

/* Seconds to start and end a parallel region. Measured with two threads: 1 us with gcc's library while
 * they spin, 7 where they sleep, 32 with clang's where they do. */
#define SQ_REGION 5e-6

typedef struct sq_machine {
    const char *name;   /* of the class, "avx512", or "host" */
    const char *isa;    /* of the class, and so of targets */
    bool (*runs)(void); /* true if this processor has it; NULL: none does */
    int vector_bytes;
    int registers;        /* of vectors */
    int fma_latency;      /* cycles */
    double fma_per_cycle; /* full vectors */
    double loads_per_cycle;
    int64_t l1, l2, l3; /* bytes per core (l3: the share of one core group) */
    int cores;
    double peak_f32;  /* GFLOP/s of one core; a guess for classes, measured for the host */
    double bandwidth; /* GB/s of one core from memory */
    const struct sq_device *device; /* ir/device.h; NULL: a processor, or a device of the class */
} sq_machine;

extern const sq_machine sq_machines[]; /* better ones first, ended by a NULL name */
/* A class by ISA name; NULL if unknown. Static storage. */
const sq_machine *sq_machine_class(const char *isa);
/* Does this processor run text for the ISA. */
bool sq_machine_runs(const char *isa);
/* The best ISA name that it does. */
const char *sq_machine_host_isa(void);
#endif
