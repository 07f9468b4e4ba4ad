/* Played: see played.h. Work of a block is what blocks did in the run, on average, and what they do
 * more at the sizes in question: a sum of 4096 terms has 64 times the steps of one of 64, which no
 * block of the run had to do. How much more follows from the flops; what grows with them, and what
 * a block does once, a second run with shorter sums tells apart. So counts of a step are exact, and
 * their number is right as far as the work of all launches grows alike. */
#include "tuner/played.h"
#include "tuner/case_spec.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WARP = 32, UNKNOWN_REGISTERS = 64, UNROLLED = 4, MATRIX_CHAINS = 8 };
static const double others = 1.15, /* instructions for each that was counted: addresses, loops */
    spilled = 1.5;                 /* what a kernel that spills takes longer, by rule of thumb */

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static double product(const json_t *launch, const char *key)
{
    double n = 1;
    for (size_t i = 0; i < 3; i++)
        n *= json_number_value(json_array_get(json_object_get(launch, key), i));
    return n;
}

static double blocks_of(const json_t *launch)
{
    return product(launch, "grid") * number(launch, "times");
}

static bool is_of(const json_t *launch, const char *kernel)
{
    const char *own = json_string_value(json_object_get(launch, "kernel"));
    return own && strcmp(own, kernel) == 0;
}

/* A run's count of a kernel, of one block. */
static double of_block(const json_t *run, const char *kernel, const char *key)
{
    double sum = 0, blocks = 0;
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(run, "launches"), i, l)
    {
        if (!is_of(l, kernel))
            continue;
        sum += number(l, key);
        blocks += blocks_of(l);
    }
    return blocks > 0 ? sum / blocks : 0;
}

/* The same at the sizes in question, where blocks have `grows` times the flops. */
static double at_size(const sq_played *p, const char *kernel, const char *key, double grows)
{
    double x = of_block(p->ran, kernel, key), flops = of_block(p->ran, kernel, "flops");
    double less = p->shorter ? of_block(p->shorter, kernel, "flops") : flops;
    if (less <= 0 || flops < 1.2 * less || grows < 1)
        return grows * x;
    double slope = (x - of_block(p->shorter, kernel, key)) / (flops - less);
    return x + fmax(0, slope) * (grows - 1) * flops;
}

/* How much more a block does at the sizes in question. */
static double growth(const sq_played *p, const char *key, double ratio)
{
    double ran = 0, alike = 0;
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(p->ran, "launches"), i, l) ran += number(l, key);
    json_array_foreach(json_object_get(p->launches, "launches"), i, l) alike +=
        blocks_of(l) * of_block(p->ran, json_string_value(json_object_get(l, "kernel")), key);
    return alike > 0 ? ratio * ran / alike : 0;
}

static double grown(const sq_played *p)
{
    double flops = sq_kernel_flops(p->kernel, p->small);
    double by_flops =
        flops > 0 ? growth(p, "flops", sq_kernel_flops(p->kernel, p->sizes) / flops) : 0;
    if (by_flops > 0)
        return by_flops;
    return growth(p, "sectors",
                  sq_case_bytes(p->kernel, p->sizes) / sq_case_bytes(p->kernel, p->small));
}

/* Multiply-adds of a cycle: of the coarsest floating type, and of the finest for instructions of
 * matrices. */
static void rates(const sq_kernel *k, const sq_device *d, double *plain, double *matrix)
{
    bool wide;
    int finest = sq_kernel_finest(k, &wide);
    *plain = wide ? d->fma_f64 : d->fma_f32;
    *matrix = wide ? 2 * d->fma_f64 : d->fma_tensor * 2.0 / finest;
}

/* Bytes from and to device memory: what a call touches once, where the second cache keeps the rest;
 * else blocks that run at the same time share, in two directions, what they read. */
static double memory_of(const sq_played *p, const sq_device *d, const sq_launch *l)
{
    double all = l->blocks * l->l2_bytes, once = fmin(all, sq_case_bytes(p->kernel, p->sizes));
    if (once < (double)d->l2 / 2)
        return once;
    int fit = sq_device_occupancy(d, l->threads, l->registers, l->shared, NULL);
    double together = fmin(l->blocks, fmax(1, (double)fit * d->multiprocessors));
    return fmax(once, all / sqrt(together));
}

/* Groups of copies under way: a maximum of the run's launches, no sum. */
static double ahead_of(const sq_played *p, const char *kernel)
{
    double most = 0;
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(p->ran, "launches"), i, l) if (is_of(l, kernel)) most =
        fmax(most, number(l, "ahead"));
    return most;
}

static sq_launch launch_of(const sq_played *p, const sq_device *d, const json_t *l, double grows)
{
    const char *kernel = json_string_value(json_object_get(l, "kernel"));
    int at = p->compiled ? sq_ptxas_find(p->compiled, kernel) : -1;
    double plain, matrix;
    rates(p->kernel, d, &plain, &matrix);
    double of_matrix = at_size(p, kernel, "matrix_flops", grows) / 2,
           fma = at_size(p, kernel, "flops", grows) / 2 - of_matrix,
           instructions = at_size(p, kernel, "matrix_instructions", grows),
           accesses = at_size(p, kernel, "shared_accesses", grows) +
                      at_size(p, kernel, "global_accesses", grows),
           phases = at_size(p, kernel, "phases", grows),
           reads = at_size(p, kernel, "global_reads", grows);
    sq_launch x = {.blocks = product(l, "grid"),
                   .threads = (int)product(l, "block"),
                   .registers = at >= 0 ? p->compiled->kernel[at].registers : UNKNOWN_REGISTERS,
                   .shared = (int64_t)(number(l, "static_shared") + number(l, "dynamic_shared")),
                   .fma = fma + of_matrix * plain / matrix,
                   .fma_cycle = plain,
                   .instructions = others * (fma / WARP + instructions + accesses),
                   .shared_cycles = at_size(p, kernel, "wavefronts", grows),
                   .l2_bytes = 32 * at_size(p, kernel, "sectors", grows),
                   .ahead = ahead_of(p, kernel)};
    double warps = ceil(x.threads / (double)WARP);
    x.waits = phases > 0 ? phases : reads / warps / UNROLLED;
    x.chains = of_matrix > fma ? MATRIX_CHAINS : fmax(1, (x.registers - 24) / 2.0);
    x.memory_bytes = memory_of(p, d, &x);
    return x;
}

static bool spills(const sq_played *p, const char *kernel)
{
    int at = p->compiled ? sq_ptxas_find(p->compiled, kernel) : -1;
    return at >= 0 && p->compiled->kernel[at].spills > 0;
}

double sq_played_seconds(const sq_played *p, const sq_device *d, char *why, size_t n)
{
    double seconds = 0, grows = grown(p);
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(p->launches, "launches"), i, l)
    {
        const char *kernel = json_string_value(json_object_get(l, "kernel"));
        sq_launch x = launch_of(p, d, l, grows);
        if (sq_device_occupancy(d, x.threads, x.registers, x.shared, NULL) < 1) {
            snprintf(why, n,
                     "no block of %s fits a multiprocessor: %d threads, %d registers each, "
                     "%lld bytes of shared memory",
                     kernel, x.threads, x.registers, (long long)x.shared);
            return INFINITY;
        }
        seconds +=
            number(l, "times") * sq_device_seconds(d, &x, NULL) * (spills(p, kernel) ? spilled : 1);
    }
    return seconds;
}
