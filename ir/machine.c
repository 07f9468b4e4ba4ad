/* Machine classes: one row per instruction set that text is emitted for. The figures are those of
 * a common processor of the class, round and on the careful side; they decide first choices only,
 * whoever tunes measures. Caches are per core, l3 is what one core may count on. */
#include "ir/machine.h"
#include <stddef.h>
#include <string.h>

/* ---- which processors have it ---- */

static bool any_processor(void)
{
    return true;
}

/* Operating system support is part of the compiler's answer on x86; AArch64 always has NEON. */
#if defined(__x86_64__)
static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#else
#define has_avx2 NULL
#define has_avx512 NULL
#endif
#if defined(__aarch64__)
static bool has_neon(void)
{
    return true;
}
#else
#define has_neon NULL
#endif

/* ---- rows ---- */

const sq_machine sq_machines[] = {
    {.name = "avx512",
     .isa = "avx512",
     .runs = has_avx512,
     .vector_bytes = 64,
     .registers = 32,
     .fma_latency = 4,
     .fma_per_cycle = 2,
     .loads_per_cycle = 2,
     .l1 = 32 << 10,
     .l2 = 1 << 20,
     .l3 = 16 << 20,
     .cores = 1,
     .peak_f32 = 220,
     .bandwidth = 20},
    {.name = "avx2",
     .isa = "avx2",
     .runs = has_avx2,
     .vector_bytes = 32,
     .registers = 16,
     .fma_latency = 4,
     .fma_per_cycle = 2,
     .loads_per_cycle = 2,
     .l1 = 32 << 10,
     .l2 = 512 << 10,
     .l3 = 16 << 20,
     .cores = 1,
     .peak_f32 = 100,
     .bandwidth = 20},
    {.name = "neon",
     .isa = "neon",
     .runs = has_neon,
     .vector_bytes = 16,
     .registers = 32,
     .fma_latency = 4,
     .fma_per_cycle = 2,
     .loads_per_cycle = 2,
     .l1 = 64 << 10,
     .l2 = 512 << 10,
     .l3 = 8 << 20,
     .cores = 1,
     .peak_f32 = 45,
     .bandwidth = 15},
    {.name = "sm_120",
     .isa = "sm_120",
     .vector_bytes = 16,
     .registers = 63,
     .fma_latency = 4,
     .fma_per_cycle = 1,
     .loads_per_cycle = 0.25,
     .l1 = 100 << 10,
     .l2 = 128 << 20,
     .l3 = 128 << 20,
     .cores = 188,
     .peak_f32 = 660,
     .bandwidth = 8},
    {.name = "sm_100",
     .isa = "sm_100",
     .vector_bytes = 16,
     .registers = 63,
     .fma_latency = 4,
     .fma_per_cycle = 1,
     .loads_per_cycle = 0.25,
     .l1 = 228 << 10,
     .l2 = 126 << 20,
     .l3 = 126 << 20,
     .cores = 148,
     .peak_f32 = 470,
     .bandwidth = 46},
    {.name = "sm_90a",
     .isa = "sm_90a",
     .vector_bytes = 16,
     .registers = 63,
     .fma_latency = 4,
     .fma_per_cycle = 1,
     .loads_per_cycle = 0.25,
     .l1 = 228 << 10,
     .l2 = 50 << 20,
     .l3 = 50 << 20,
     .cores = 132,
     .peak_f32 = 500,
     .bandwidth = 25},
    {.name = "sm_90",
     .isa = "sm_90",
     .vector_bytes = 16,
     .registers = 63,
     .fma_latency = 4,
     .fma_per_cycle = 1,
     .loads_per_cycle = 0.25,
     .l1 = 228 << 10,
     .l2 = 50 << 20,
     .l3 = 50 << 20,
     .cores = 132,
     .peak_f32 = 500,
     .bandwidth = 25},
    {.name = "sm_89",
     .isa = "sm_89",
     .vector_bytes = 16,
     .registers = 63,
     .fma_latency = 4,
     .fma_per_cycle = 1,
     .loads_per_cycle = 0.25,
     .l1 = 100 << 10,
     .l2 = 96 << 20,
     .l3 = 96 << 20,
     .cores = 142,
     .peak_f32 = 640,
     .bandwidth = 5.4},
    {.name = "sm_86",
     .isa = "sm_86",
     .vector_bytes = 16,
     .registers = 63,
     .fma_latency = 4,
     .fma_per_cycle = 1,
     .loads_per_cycle = 0.25,
     .l1 = 100 << 10,
     .l2 = 6 << 20,
     .l3 = 6 << 20,
     .cores = 84,
     .peak_f32 = 445,
     .bandwidth = 7.4},
    {.name = "sm_80",
     .isa = "sm_80",
     .vector_bytes = 16,
     .registers = 63,
     .fma_latency = 4,
     .fma_per_cycle = 0.5,
     .loads_per_cycle = 0.25,
     .l1 = 164 << 10,
     .l2 = 40 << 20,
     .l3 = 40 << 20,
     .cores = 108,
     .peak_f32 = 180,
     .bandwidth = 14},
    {.name = "generic",
     .isa = "generic",
     .runs = any_processor,
     .vector_bytes = 16,
     .registers = 16,
     .fma_latency = 8,
     .fma_per_cycle = 1,
     .loads_per_cycle = 2,
     .l1 = 32 << 10,
     .l2 = 256 << 10,
     .l3 = 4 << 20,
     .cores = 1,
     .peak_f32 = 25,
     .bandwidth = 10},
    {0},
};

const sq_machine *sq_machine_class(const char *isa)
{
    for (const sq_machine *m = sq_machines; m->name; m++)
        if (strcmp(m->isa, isa) == 0)
            return m;
    return NULL;
}

bool sq_machine_runs(const char *isa)
{
    const sq_machine *m = sq_machine_class(isa);
    return m && m->runs && m->runs();
}

const char *sq_machine_host_isa(void)
{
    const sq_machine *m = sq_machines;
    while (!m->runs || !m->runs())
        m++;
    return m->isa;
}
