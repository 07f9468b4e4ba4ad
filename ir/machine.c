/* Machine classes: one row per instruction set that text is emitted for. The figures are those of
 * a common processor of the class, round and on the careful side; they decide first choices only,
 * whoever tunes measures. Caches are per core, l3 is what one core may count on. */
#include "ir/machine.h"
#include <stddef.h>
#include <string.h>

/* The better one first; the last runs anywhere. */
static const sq_machine classes[] = {
    {.name = "avx512",
     .isa = "avx512",
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
};

/* The class of an ISA; NULL if there is none of that name. Static storage. */
const sq_machine *sq_machine_class(const char *isa)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].isa, isa) == 0)
            return &classes[i];
    return NULL;
}

/* Operating system support is part of the compiler's answer on x86; AArch64 always has NEON. */
bool sq_machine_runs(const char *isa)
{
#if defined(__aarch64__)
    if (strcmp(isa, "neon") == 0)
        return true;
#elif defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(isa, "avx2") == 0)
        return avx2;
    if (strcmp(isa, "avx512") == 0)
        return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#endif
    return strcmp(isa, "generic") == 0;
}

const char *sq_machine_host_isa(void)
{
    size_t i = 0;
    while (!sq_machine_runs(classes[i].isa))
        i++;
    return classes[i].isa;
}
