/* Simulated: see simulated.h. The work of a block is the average over blocks in the run, scaled to
 * the sizes in question: a sum of 4096 terms has 128 times the steps of one of 32, which no block
 * of the run had. The scale follows from the flops of the description, which do not include
 * padding; a second run, whose blocks had less work, separates the work per step from that per
 * block. So counts of a step are exact, and their number is exact as far as tiles were full and the
 * work of all launches scales alike. */
#include "tuner/measure/simulated.h"
#include "tuner/measure/case_spec.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WARP = 32,
    UNKNOWN_REGISTERS = 64,
    UNROLLED = 4, /* iterations of a loop whose loads are in flight together */
    FEW = 2,      /* barriers of a block that has no loop over tiles */
    MATRIX_CHAINS = 8,
    MATRIX_LATENCY = 25
};
static const double others = 1.15, /* instructions per counted one: addresses, loops */
    spilled = 1.5;                 /* slowdown of a kernel that spills, a rule of thumb */

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

static const char *name_of(const json_t *launch)
{
    const char *name = json_string_value(json_object_get(launch, "kernel"));
    return name ? name : "";
}

/* Returns a run's count for one kernel, over all its launches. */
static double sum_of(const json_t *run, const char *kernel, const char *key)
{
    double sum = 0;
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(run, "launches"), i, l)
    {
        if (strcmp(name_of(l), kernel) == 0)
            sum += key ? number(l, key) : blocks_of(l);
    }
    return sum;
}

static double all_flops(const json_t *run)
{
    double sum = 0;
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(run, "launches"), i, l) sum += number(l, "flops");
    return sum;
}

static double padding_of(const sq_kernel *k, const sq_simulated_run *r)
{
    double flops = r->report ? sq_kernel_flops(k, r->sizes) : 0;
    return flops > 0 ? all_flops(r->report) / flops : 1;
}

double sq_simulated_padding(const sq_simulated *p)
{
    return fmax(padding_of(p->kernel, &p->ran), padding_of(p->kernel, &p->less));
}

bool sq_simulated_alike(const json_t *a, const json_t *b)
{
    const json_t *x = json_object_get(a, "launches"), *y = json_object_get(b, "launches");
    bool alike = json_array_size(x) == json_array_size(y);
    size_t i;
    json_t *l;
    json_array_foreach(x, i, l)
    {
        const json_t *other = json_array_get(y, i);
        alike = alike && strcmp(name_of(l), name_of(other)) == 0 &&
                json_equal(json_object_get(l, "grid"), json_object_get(other, "grid")) &&
                json_equal(json_object_get(l, "times"), json_object_get(other, "times"));
    }
    return alike;
}

/* Returns the work of a kernel's block at a run's sizes: the description's flops, distributed over
 * kernels as in the counted run; for kernels without flops their elements. */
static double task_of(const sq_simulated *p, const sq_simulated_run *at, const char *kernel)
{
    double blocks = sum_of(at->report, kernel, NULL), all = all_flops(p->ran.report);
    double work = sq_kernel_flops(p->kernel, at->sizes), share = 1;
    if (work <= 0 || all <= 0)
        work = sq_case_bytes(p->kernel, at->sizes);
    else
        share = sum_of(p->ran.report, kernel, "flops") / all;
    return blocks > 0 ? work * share / blocks : 0;
}

/* Returns a count of one block at the sizes in question. */
static double at_size(const sq_simulated *p, const char *kernel, const char *key)
{
    double x = sum_of(p->ran.report, kernel, key) / sum_of(p->ran.report, kernel, NULL);
    double task = task_of(p, &p->ran, kernel), wanted = task_of(p, &p->launches, kernel);
    double less = p->less.report ? task_of(p, &p->less, kernel) : 0;
    if (task <= 0 || wanted <= 0)
        return x; /* a kernel without flops, beside others with some */
    if (less <= 0 || task < 1.2 * less)
        return x * wanted / task;
    double y = sum_of(p->less.report, kernel, key) / sum_of(p->less.report, kernel, NULL);
    return fmax(0, x + fmax(0, (x - y) / (task - less)) * (wanted - task));
}

/* Returns the groups of copies in flight: the maximum over the run's launches. */
static double ahead_of(const sq_simulated *p, const char *kernel)
{
    double most = 0;
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(p->ran.report, "launches"), i, l)
    {
        if (strcmp(name_of(l), kernel) == 0)
            most = fmax(most, number(l, "ahead"));
    }
    return most;
}

/* Returns how often a block waits for its reads: at its barriers, if it has a loop over tiles; else
 * in its loops, once for several iterations. */
static double waits_of(const sq_simulated *p, const char *kernel, double warps)
{
    double phases = at_size(p, kernel, "phases"), reads = at_size(p, kernel, "global_reads");
    return phases > FEW ? phases : fmax(phases, reads / warps / UNROLLED);
}

/* Returns the bytes from and to device memory: what a call accesses once, if the L2 cache keeps it;
 * otherwise concurrent blocks share what they read, in two directions. */
static double memory_of(const sq_simulated *p, const sq_device *d, const sq_launch *l)
{
    double all = l->blocks * l->l2_bytes,
           once = fmin(all, sq_case_bytes(p->kernel, p->launches.sizes));
    if (once < (double)d->l2 / 2)
        return once;
    int fit = sq_device_occupancy(d, l->threads, l->registers, l->shared, NULL);
    double together = fmin(l->blocks, fmax(1, (double)fit * d->multiprocessors));
    return fmax(once, all / sqrt(together));
}

static int place_in_report(const sq_simulated *p, const char *kernel)
{
    return p->compiled ? sq_ptxas_find(p->compiled, kernel) : -1;
}

/* Matrix instructions replace multiply-adds, at their own rate. */
static void count_arithmetic(const sq_simulated *p, const sq_device *d, const char *kernel,
                             sq_launch *to)
{
    bool wide;
    int finest = sq_kernel_finest(p->kernel, &wide);
    double arithmetic = wide ? d->fma_f64 : d->fma_f32,
           matrix = wide ? 2 * d->fma_f64 : d->fma_tensor * 2.0 / finest;
    double instructions = at_size(p, kernel, "matrix_instructions"),
           of_matrix = at_size(p, kernel, "matrix_flops") / 2,
           fma = fmax(0, at_size(p, kernel, "flops") / 2 - of_matrix);
    double accesses = at_size(p, kernel, "shared_accesses") + at_size(p, kernel, "global_accesses");
    to->instructions = others * (fma / WARP + instructions + accesses);
    to->chains = fmax(1, (to->registers - 24) / 2.0);
    to->fma = fma;
    to->fma_cycle = arithmetic;
    if (of_matrix <= fma)
        return;
    to->fma = of_matrix + fma * matrix / arithmetic;
    to->fma_cycle = matrix;
    to->fma_each = of_matrix / instructions;
    to->latency = MATRIX_LATENCY;
    to->chains = MATRIX_CHAINS;
}

static sq_launch launch_of(const sq_simulated *p, const sq_device *d, const json_t *l)
{
    const char *kernel = name_of(l);
    int at = place_in_report(p, kernel);
    sq_launch x = {.blocks = product(l, "grid"),
                   .threads = (int)product(l, "block"),
                   .registers = at >= 0 ? p->compiled->kernel[at].registers : UNKNOWN_REGISTERS,
                   .shared = (int64_t)(number(l, "static_shared") + number(l, "dynamic_shared")),
                   .shared_cycles = at_size(p, kernel, "wavefronts"),
                   .l2_bytes = 32 * at_size(p, kernel, "sectors"),
                   .ahead = ahead_of(p, kernel)};
    count_arithmetic(p, d, kernel, &x);
    x.waits = waits_of(p, kernel, ceil(x.threads / (double)WARP));
    x.memory_bytes = memory_of(p, d, &x);
    return x;
}

static bool spills(const sq_simulated *p, const char *kernel)
{
    int at = place_in_report(p, kernel);
    return at >= 0 && p->compiled->kernel[at].spills > 0;
}

double sq_simulated_seconds(const sq_simulated *p, const sq_device *d, char *why, size_t n)
{
    double seconds = 0;
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(p->launches.report, "launches"), i, l)
    {
        const char *kernel = name_of(l);
        if (sum_of(p->ran.report, kernel, NULL) <= 0) {
            snprintf(why, n, "%s does not run at the small sizes: nothing is known of it", kernel);
            return INFINITY;
        }
        sq_launch x = launch_of(p, d, l);
        if (sq_device_occupancy(d, x.threads, x.registers, x.shared, NULL) < 1) {
            snprintf(why, n,
                     "no block of %s fits a multiprocessor: %d threads, %d registers each, %lld "
                     "bytes of shared memory",
                     kernel, x.threads, x.registers, (long long)x.shared);
            return INFINITY;
        }
        seconds +=
            number(l, "times") * sq_device_seconds(d, &x, NULL) * (spills(p, kernel) ? spilled : 1);
    }
    return seconds;
}
