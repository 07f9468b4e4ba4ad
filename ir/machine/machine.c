/* Machine classes: one row per instruction set of emitted text. The figures are those of a common
 * processor of the class, rounded and conservative; they affect first choices only, as tuning
 * measures. Caches are per core; l3 is the share that one core can expect. */
#include "ir/machine/machine.h"
#include <stddef.h>
#include <string.h>

/* ---- tests of this processor ---- */

static bool any_processor(void)
{
    return true;
}

/* Operating system support is part of the compiler's test on x86; AArch64 always has NEON. */
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

static const sq_machine_cost cost = {
    .cache_line = 64,
    .cache_ways = 8,
    .page = 4096,
    .narrow_fma = 2,
    .parallel_region = 5e-6,
    .crowded_row = 1,
    .crowded_cache = 4e6,
    .open_pages = 32,
    .begun_page = 192,
    .fresh_byte = 0.5,
    .tree_rows = 16,
    .tree_along = 512,
    .issue = 4.5,
    .in_flight = 256,
    .load_issue = 0.6,
    .loop_issue = 4,
    .load_overlap = 0.3,
    .split_load = 1.5,
    .unaligned_load = 1.2,
    .gathered_lane = 1.5,
    .gathered_many = 2.5,
    .strided_load = 2.5,
    .crowded_step = 0.03,
    .spill = 0.25,
    .most_registers = 1.5,
    .online_tile = 0.05,
    .tile = 12,
    .point_tile = 2,
    .masked_tile = 1,
    .end_vector = 0.5,
    .row_beside = 2.5,
    .addresses = 24,
    .address = 0.25,
    .stored_sum = 1.2,
    .partial_sum = 2.5,
    .added_lane = 1,
    .scattered_lane = 3,
    .single_point = 2,
    .rest_tile = 0.3,
    .unknown_rows = 0.05,
    .nest = 200,
    .inner_nest = 30,
    .copied_element = 0.25,
    .turned_element = 1.3,
    .copy = 50,
    .copied_bandwidth = 3,
    .idle_bandwidth = 0.5,
    .copied_reuse = 8,
    .large_panels = 4,
    .overlap = 0.2,
    .l2_bandwidth = 40,
    .l3_bandwidth = 16,
    .cache_share = 0.8,
    .tree_as_written = 3,
    .tree_order = 0.05,
    .tree_kept = 1.5,
    .tree_rows_off = 0.05,
    .tree_along_off = 0.03,
    .tree_untiled = 1.6,
    .tree_overtiled = 1.2,
};

const sq_machine sq_machines[] = {
    {.name = "avx512",
     .isa = "avx512",
     .cost = &cost,
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
     .bandwidth = 20,
     .read_again = 1},
    {.name = "avx2",
     .isa = "avx2",
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
     .cost = &cost,
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
