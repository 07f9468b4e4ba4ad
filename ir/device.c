/* Device: occupancy and time of a launch; see device.h. */
#include "ir/device.h"
#include <math.h>
#include <stddef.h>

/* The same on every architecture that text is emitted for. */
enum {
    WARP = 32,
    SCHEDULERS = 4,
    REGISTER_UNIT = 256,    /* registers that a warp gets at a time */
    SHARED_UNIT = 128,      /* bytes of shared memory that a block gets at a time */
    SHARED_OF_SYSTEM = 1024 /* bytes of each block that the driver keeps */
};
static const double issue_latency = 4, /* cycles between dependent operations of a warp */
    memory_latency = 600,              /* cycles until device memory answers */
    l2_share = 0.8,                    /* of the second cache's rate, that many blocks reach */
    launch_seconds = 2.5e-6;

double sq_device_peak(const sq_device *d, bool wide, int bytes)
{
    double fma = wide ? d->fma_f64 : bytes < 4 ? d->fma_tensor * 2.0 / bytes : d->fma_f32;
    return 2 * fma * d->ghz * d->multiprocessors;
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

const char *sq_limit_name(sq_limit l)
{
    static const char *const names[] = {"multiply-adds",    "instructions", "shared memory",
                                        "the second cache", "latency",      "device memory"};
    return names[l];
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
    for (sq_bound b = SQ_BOUND_BLOCKS; b <= SQ_BOUND_SHARED; b++)
        if (limits[b] < limits[least])
            least = b;
    if (bound)
        *bound = least;
    return (int)limits[least];
}

/* Cycles of one block on a multiprocessor that it shares with others, by what it needs. */
typedef struct need {
    double of[SQ_LIMIT_MEMORY]; /* by limit, those of a multiprocessor; latency left out */
    double most;
    sq_limit what;
} need;

static need needs(const sq_device *d, const sq_launch *l, double together)
{
    double warps = ceil(l->threads / (double)WARP) * together;
    double in_flight = fmin(1, warps * fmax(1, l->chains) / (SCHEDULERS * issue_latency));
    need n = {.of = {[SQ_LIMIT_FMA] = l->fma / (l->fma_cycle * in_flight),
                     [SQ_LIMIT_INSTRUCTIONS] = l->instructions / (SCHEDULERS * in_flight),
                     [SQ_LIMIT_SHARED] = l->shared_cycles,
                     [SQ_LIMIT_L2] = l->l2_bytes * d->multiprocessors / (l2_share * d->l2_cycle)}};
    for (sq_limit i = SQ_LIMIT_FMA; i < SQ_LIMIT_LATENCY; i++)
        if (n.of[i] > n.most) {
            n.most = n.of[i];
            n.what = i;
        }
    return n;
}

/* What a block waits for that neither its copies ahead nor its own work hides. */
static double exposed(const sq_launch *l, const need *n)
{
    double of_step = l->waits > 0 ? n->most / l->waits : 0;
    return l->waits * fmax(0, memory_latency - l->ahead * of_step);
}

double sq_device_seconds(const sq_device *d, const sq_launch *l, sq_limit *limit)
{
    int fit = sq_device_occupancy(d, l->threads, l->registers, l->shared, NULL);
    double of_each = ceil(l->blocks / d->multiprocessors); /* of the busiest multiprocessor */
    double together = fmin(fit, fmax(1, of_each));
    if (fit < 1 || l->threads < 1)
        return INFINITY;
    need n = needs(d, l, together);
    double busy = together * n.most, alone = n.most + exposed(l, &n);
    double cycles = ceil(of_each / together) * fmax(busy, alone);
    double memory = l->memory_bytes / (1e9 * d->bandwidth), seconds = cycles / (1e9 * d->ghz);
    if (limit)
        *limit = memory > seconds ? SQ_LIMIT_MEMORY : alone > busy ? SQ_LIMIT_LATENCY : n.what;
    return fmax(memory, seconds) + 0.1 * fmin(memory, seconds) + launch_seconds;
}
