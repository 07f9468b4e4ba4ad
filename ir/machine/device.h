/* Device: the properties of a GPU that determine a schedule, and the predicted time of a kernel on
 * one. A plain record; common devices are rows of tuner/device/devices.json, others come from files
 * or from the device itself.
 *
 * The model: the work of a block of a launch is counted (multiply-adds, instructions, bytes through
 * shared memory and through the L2 cache), as many blocks are resident as registers and memory allow
 * (occupancy), and the bottleneck determines the time of the launch. Sources: the symbols and
 * penalties of Pruner (ASPLOS 2025); allocation granularities from CUDA's occupancy header; latency
 * hiding by Little's law as in Volkov, "Understanding Latency Hiding on GPUs" (2016). */
#ifndef SQ_IR_MACHINE_DEVICE_H
#define SQ_IR_MACHINE_DEVICE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct sq_device {
    const char *name, *arch; /* "a100-sxm4-40", "sm_80" */
    int multiprocessors;
    double ghz;
    int fma_f32, fma_f64; /* multiply-adds of a multiprocessor per cycle */
    int fma_tensor;       /* the same by mma.sync of f16 (wgmma has more); twice for bytes, half for tf32 */
    int threads, blocks;  /* maximum of a multiprocessor */
    int registers;        /* 32-bit registers of a multiprocessor */
    int64_t shared;       /* bytes of shared memory of a multiprocessor */
    int64_t shared_block; /* maximum of a block */
    int64_t l2;           /* bytes */
    double l2_cycle;  /* measured bandwidth of the L2 cache in bytes per cycle, shared by all */
    double bandwidth; /* GB/s from device memory, as copies achieve */
} sq_device;

/* True if devices of architecture `own` run code for `asked`: the same, or the one whose letter
 * marks features that no later device has: "sm_90" for "sm_90a". */
bool sq_device_arch(const char *own, const char *asked);

/* Returns GFLOP/s for f64 (wide), for f32, or for narrower types by matrix instructions. */
double sq_device_peak(const sq_device *d, bool wide, int bytes);

/* What limits the number of blocks of a multiprocessor. */
typedef enum sq_bound {
    SQ_BOUND_THREADS,
    SQ_BOUND_BLOCKS,
    SQ_BOUND_REGISTERS,
    SQ_BOUND_SHARED
} sq_bound;
const char *sq_bound_name(sq_bound b); /* "threads", "registers", … */

/* Returns the blocks resident on a multiprocessor; 0 if none fits. bound may be NULL. */
int sq_device_occupancy(const sq_device *d, int threads, int registers, int64_t shared,
                        sq_bound *bound);

/* The counts of a launch. Work is that of one block. */
typedef struct sq_launch {
    double blocks;
    int threads, registers; /* per block; per thread */
    int64_t shared;         /* bytes */
    double fma;             /* multiply-adds of all its threads, or operations of equal cost */
    double fma_cycle;       /* of those per cycle of a multiprocessor */
    double fma_each;        /* of those per instruction of a warp; 0: one per lane */
    double latency;         /* cycles until its result can be used; 0: that of arithmetic */
    double instructions;    /* of warps, including the multiply-adds */
    double shared_cycles;   /* cycles of the shared memory: 128 bytes each, more with conflicts */
    double l2_bytes;        /* of sectors */
    double waits;           /* number of stalls for device memory */
    double ahead;           /* of these, stages by which a copy is started ahead; 0 */
    double chains;          /* independent chains of operations per thread */
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

/* Returns the seconds of a launch, including its start; INFINITY if no block fits. limit: the
 * bottleneck; may be NULL. */
double sq_device_seconds(const sq_device *d, const sq_launch *l, sq_limit *limit);
#endif
