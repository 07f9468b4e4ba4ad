/* Device: occupancy and time of a launch; see device.h. */
#include "ir/machine/device.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The same on all supported architectures. */
enum {
    WARP = 32,
    SCHEDULERS = 4,
    BLOCK_THREADS = 1024,
    THREAD_REGISTERS = 255,
    REGISTER_UNIT = 256,    /* allocation unit of registers, per warp */
    SHARED_UNIT = 128,      /* allocation unit of shared memory in bytes, per block */
    SHARED_OF_SYSTEM = 1024 /* bytes of each block that the driver reserves */
};
/* Latency of memory, overlap, chains and waits are fitted to 950 schedules of products and
 * convolutions, measured on an H200: docs/CUDA.md. */
static const double issue_latency = 4, /* cycles between dependent instructions of a warp */
    memory_latency = 1300, /* cycles of an access to device memory, under contention */
    l2_port = 64,          /* bytes of a multiprocessor per cycle, under any load */
    in_the_way = 0.5,      /* share of the costs below the bottleneck that is added to it */
    serial_chains = 2,     /* of instructions that do not compute */
    wait_cycles = 50,      /* of a barrier and the code around it */
    reached = 0.93,        /* share of the arithmetic peak that the best known loops reach */
    beside_memory = 0.1,   /* share that is added where memory and the rest overlap */
    launch_seconds = 2.5e-6;

double sq_device_peak(const sq_device *d, bool wide, int bytes)
{
    double fma = wide ? d->fma_f64 : bytes < 4 ? d->fma_tensor * 2.0 / bytes : d->fma_f32;
    return 2 * fma * d->ghz * d->multiprocessors;
}

bool sq_device_arch(const char *own, const char *asked)
{
    size_t n = strlen(own);
    return strncmp(own, asked, n) == 0 && (!asked[n] || strcmp(asked + n, "a") == 0);
}

static int64_t up(int64_t x, int64_t unit)
{
    return (x + unit - 1) / unit * unit;
}

const char *sq_bound_name(sq_bound b)
{
    static const char *const names[] = {"threads", "blocks", "registers", "shared memory"};
    return names[b];
}

int sq_device_occupancy(const sq_device *d, int threads, int registers, int64_t shared,
                        sq_bound *bound)
{
    int64_t warps = up(threads > 0 ? threads : 1, WARP) / WARP;
    int64_t of_warp = up((int64_t)(registers > 0 ? registers : 1) * WARP, REGISTER_UNIT);
    int64_t most_warps = d->registers / SCHEDULERS / of_warp * SCHEDULERS;
    int64_t limits[] = {[SQ_BOUND_THREADS] = d->threads / (warps * WARP),
                        [SQ_BOUND_BLOCKS] = d->blocks,
                        [SQ_BOUND_REGISTERS] = most_warps / warps,
                        [SQ_BOUND_SHARED] = d->shared / up(shared + SHARED_OF_SYSTEM, SHARED_UNIT)};
    sq_bound least = SQ_BOUND_THREADS;
    if (shared > d->shared_block)
        limits[SQ_BOUND_SHARED] = 0;
    if (threads > BLOCK_THREADS)
        limits[SQ_BOUND_THREADS] = 0;
    if (registers > THREAD_REGISTERS)
        limits[SQ_BOUND_REGISTERS] = 0;
    for (sq_bound b = SQ_BOUND_BLOCKS; b <= SQ_BOUND_SHARED; b++)
        if (limits[b] < limits[least])
            least = b;
    if (bound)
        *bound = least;
    return (int)limits[least];
}

/* Cycles that one block occupies the resources of its multiprocessor. */
typedef struct need {
    double of[SQ_LIMIT_LATENCY];
    double most;
    sq_limit what;
} need;

/* Returns the ratio of ready instructions to those that a pipe needs to be always busy: by Little's
 * law the number issued during one latency. A warp has one scheduler. */
static double readiness(double chains, double warps, double latency, double each_cycle)
{
    double of_scheduler = ceil(warps / SCHEDULERS);
    double wanted = latency * each_cycle / SCHEDULERS;
    return fmin(1, warps / SCHEDULERS) * fmin(1, of_scheduler * fmax(1, chains) / wanted);
}

/* Returns the cycles to issue a block's instructions. Those that compute have several chains;
 * addresses, copies and conditions have one. */
static double issue_cycles(const sq_launch *l, double warps, double each)
{
    double own = fmin(l->instructions, l->fma / each), others = l->instructions - own;
    return own / (SCHEDULERS * readiness(l->chains, warps, issue_latency, SCHEDULERS)) +
           others / (SCHEDULERS * readiness(serial_chains, warps, issue_latency, SCHEDULERS));
}

static need needs(const sq_device *d, const sq_launch *l, double together)
{
    double warps = ceil(l->threads / (double)WARP) * together;
    double latency = l->latency > 0 ? l->latency : issue_latency,
           each = l->fma_each > 0 ? l->fma_each : WARP;
    double active = fmin(l->blocks, d->multiprocessors), port = fmin(l2_port, d->l2_cycle / active);
    need n = {.of = {[SQ_LIMIT_FMA] =
                         l->fma / (reached * l->fma_cycle *
                                   readiness(l->chains, warps, latency, l->fma_cycle / each)),
                     [SQ_LIMIT_INSTRUCTIONS] = issue_cycles(l, warps, each),
                     [SQ_LIMIT_SHARED] = l->shared_cycles,
                     [SQ_LIMIT_L2] = l->l2_bytes / port}};
    for (sq_limit i = SQ_LIMIT_FMA; i < SQ_LIMIT_LATENCY; i++)
        if (n.of[i] > n.most) {
            n.most = n.of[i];
            n.what = i;
        }
    return n;
}

/* Returns the time of a single block: the stalls that neither its copies ahead nor its own work
 * hides; if nothing is copied ahead, reads precede the computation. */
static double alone(const sq_launch *l, const need *n)
{
    double of_step = l->waits > 0 ? n->most / l->waits : 0;
    double exposed = l->waits * fmax(0, memory_latency - l->ahead * of_step);
    double computed =
        fmax(n->of[SQ_LIMIT_FMA], fmax(n->of[SQ_LIMIT_INSTRUCTIONS], n->of[SQ_LIMIT_SHARED]));
    return exposed + wait_cycles * l->waits +
           (l->ahead > 0 ? n->most : computed + n->of[SQ_LIMIT_L2]);
}

/* Returns the time of `together` concurrent blocks. */
static double wave(const sq_device *d, const sq_launch *l, double together, sq_limit *what)
{
    need n = needs(d, l, together);
    double others = -n.most;
    for (sq_limit i = SQ_LIMIT_FMA; i < SQ_LIMIT_LATENCY; i++)
        others += n.of[i];
    double busy = together * (n.most + in_the_way * others + wait_cycles * l->waits),
           one = alone(l, &n);
    *what = one > busy ? SQ_LIMIT_LATENCY : n.what;
    return fmax(busy, one);
}

double sq_device_seconds(const sq_device *d, const sq_launch *l, sq_limit *limit)
{
    int fit = sq_device_occupancy(d, l->threads, l->registers, l->shared, NULL);
    double of_each = ceil(l->blocks / d->multiprocessors); /* of the busiest multiprocessor */
    double together = fmin(fit, fmax(1, of_each)), rest = 0;
    sq_limit what, of_rest;
    if (fit < 1 || l->threads < 1)
        return INFINITY;
    double full = floor(of_each / together), cycles = full * wave(d, l, together, &what);
    rest = of_each - full * together;
    if (rest > 0)
        cycles += wave(d, l, rest, &of_rest);
    double memory = l->memory_bytes / (1e9 * d->bandwidth), seconds = cycles / (1e9 * d->ghz);
    if (limit)
        *limit = memory > seconds ? SQ_LIMIT_MEMORY : what;
    return fmax(memory, seconds) + beside_memory * fmin(memory, seconds) + launch_seconds;
}
