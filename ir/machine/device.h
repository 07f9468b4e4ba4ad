/* Device: the properties of a GPU that determine a schedule, and what a kernel's run on one would
 * take. A plain record; common ones are rows of tuner/device/devices.json, others come from files or from
 * the device itself.
 *
 * The model: a launch is counted in the work of one block (multiply-adds, instructions, bytes
 * through shared memory and through the second cache), blocks run side by side as far as registers
 * and memory allow (occupancy), and the launch takes as long as the scarcest thing. Sources: the
 * symbols and penalties of Pruner (ASPLOS 2025, search.md 3.2 and 3.3); allocation granularities as
 * CUDA's occupancy header has them; latency hiding by Little's law as in Volkov, "Understanding
 * Latency Hiding on GPUs" (2016). */
#ifndef SQ_IR_MACHINE_DEVICE_H
#define SQ_IR_MACHINE_DEVICE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct sq_device {
    const char *name, *arch; /* "a100-sxm4-40", "sm_80" */
    int multiprocessors;
    double ghz;
    int fma_f32, fma_f64; /* multiply-adds of a multiprocessor in one cycle */
    int fma_tensor;       /* the same by mma.sync of f16 (wgmma has more); bytes twice, tf32 half */
    int threads, blocks;  /* that a multiprocessor has at most */
    int registers;        /* of a multiprocessor, 32 bits each */
    int64_t shared;       /* bytes of a multiprocessor that blocks may have together */
    int64_t shared_block; /* and one of them */
    int64_t l2;           /* bytes */
    double l2_cycle;  /* bytes that the second cache gives in a cycle, to all, as it is measured */
    double bandwidth; /* GB/s from device memory, as copies reach it */
} sq_device;

/* True if devices of architecture `own` run what is asked for: the same, or with its letter the one
 * whose features no later device has: "sm_90" for "sm_90a". */
bool sq_device_arch(const char *own, const char *asked);

/* GFLOP/s of values of f64 (wide), of f32, or of finer ones by matrix instructions. */
double sq_device_peak(const sq_device *d, bool wide, int bytes);

/* What bounds the number of blocks of a multiprocessor. */
typedef enum sq_bound {
    SQ_BOUND_THREADS,
    SQ_BOUND_BLOCKS,
    SQ_BOUND_REGISTERS,
    SQ_BOUND_SHARED
} sq_bound;
const char *sq_bound_name(sq_bound b); /* "threads", "registers", … */

/* Blocks that run side by side on a multiprocessor; 0 where not even one fits. bound may be NULL.
 */
int sq_device_occupancy(const sq_device *d, int threads, int registers, int64_t shared,
                        sq_bound *bound);

/* A launch, counted. Work is that of one block. */
typedef struct sq_launch {
    double blocks;
    int threads, registers; /* of a block; of a thread */
    int64_t shared;         /* bytes */
    double fma;             /* multiply-adds of all its threads, or what takes as long */
    double fma_cycle;       /* of those a multiprocessor does in a cycle */
    double fma_each;        /* of those an instruction of a warp does; 0: one a lane */
    double latency;         /* cycles until its result can be used; 0: that of arithmetic */
    double instructions;    /* of warps, the multiply-adds included */
    double shared_cycles;   /* that the shared memory is busy: 128 bytes each, conflicts more */
    double l2_bytes;        /* of sectors */
    double waits;           /* times that it has to wait for device memory before it goes on */
    double ahead;           /* stages, of `waits`, that a copy is started ahead; 0 */
    double chains;          /* independent chains of operations of a thread */
    double memory_bytes;    /* of all blocks: from and to device memory */
} sq_launch;

typedef enum sq_limit {
    SQ_LIMIT_FMA,
    SQ_LIMIT_INSTRUCTIONS,
    SQ_LIMIT_SHARED,
    SQ_LIMIT_L2,
    SQ_LIMIT_LATENCY,
    SQ_LIMIT_MEMORY
} sq_limit;
const char *sq_limit_name(sq_limit l);

/* Seconds of a launch, its start included; INFINITY where no block fits. limit: what it waits for
 * most; may be NULL. */
double sq_device_seconds(const sq_device *d, const sq_launch *l, sq_limit *limit);
#endif
