/* Targets: see target.h. To add one: a row here, and in isa_*.c the operations for which its
 * instructions are better than C. */
#include "codegen/isa/target.h"
#include "codegen/emit.h"
#include "codegen/isa/isa.h"
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Rates of the class's first device in tuner/device/devices.json; of the matrix instructions only
 * mma.sync. */
static const sq_grid sm_80 = {"sm_80", 1024, 166912, 65536, 255, 64, 32, 1024, false},
                     sm_86 = {"sm_86", 1024, 101376, 65536, 255, 128, 2, 512, false},
                     sm_89 = {"sm_89", 1024, 101376, 65536, 255, 128, 2, 512, false},
                     sm_90 = {"sm_90", 1024, 232448, 65536, 255, 128, 64, 2048, false},
                     sm_90a = {"sm_90a", 1024, 232448, 65536, 255, 128, 64, 2048, true},
                     sm_100 = {"sm_100", 1024, 232448, 65536, 255, 128, 64, 1024, false},
                     sm_120 = {"sm_120", 1024, 101376, 65536, 255, 128, 2, 512, false};

/* A row of an architecture. */
#define CUDA(of, which)                                                                            \
    {                                                                                              \
        .name = "cuda", .doc = "CUDA for devices " which, .machine = #of, .vector_bytes = 16,      \
        .registers = 63, .language = &sq_language_cuda, .grid = &of, .isa = &sq_isa_none,          \
        .cflags = "-arch=" #of, .guard = "", .attribute = "", .macro = "", .test = "",             \
        .emulator = "", .cross = ""                                                                \
    }

/* ---- processors with more than their class ---- */

#if defined(__x86_64__)
static bool has_avxvnni(void) /* not every compiler's __builtin_cpu_supports knows it */
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}

static bool has_avx512vnni(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vnni");
}
#else
#define has_avxvnni NULL
#define has_avx512vnni NULL
#endif

/* ---- rows ---- */

const sq_target sq_targets[] = {
    {.name = "generic",
     .doc = "portable C with the compilers' vector extension, 128-bit vectors",
     .machine = "generic",
     .vector_bytes = 16,
     .registers = 16,
     .language = &sq_language_c,
     .isa = &sq_isa_none,
     .cflags = "",
     .guard = "",
     .attribute = "",
     .macro = "",
     .test = "",
     .emulator = "",
     .cross = ""},
    {.name = "avx2",
     .doc = "x86-64 with AVX2 and FMA, 256-bit vectors",
     .machine = "avx2",
     .vector_bytes = 32,
     .registers = 16,
     .language = &sq_language_c,
     .isa = &sq_isa_avx2,
     .cflags = "-mavx2 -mfma -mf16c",
     .guard = "defined(__x86_64__)",
     .attribute = "avx2,fma,f16c",
     .macro = "__AVX2__",
     .rank = 20,
     .test = "@x86(bit_FMA | bit_F16C, bit_AVX2, 0x6)",
     .emulator = "",
     .cross = ""},
    {.name = "avxvnni",
     .doc = "AVX2 and products of bytes (AVX-VNNI), 256-bit vectors",
     .machine = "avx2",
     .runs = has_avxvnni,
     .less = "avx2",
     .vector_bytes = 32,
     .registers = 16,
     .language = &sq_language_c,
     .isa = &sq_isa_avxvnni,
     .cflags = "-mavx2 -mfma -mf16c -mavxvnni",
     .guard = "defined(__x86_64__)",
     .attribute = "avxvnni,avx2,fma,f16c",
     .macro = "__AVXVNNI__",
     .rank = 25,
     .test = "@x86(bit_FMA | bit_F16C, bit_AVX2, 0x6) && @x86_more(1, 1u << 4, 0)",
     .emulator = "",
     .cross = ""},
    {.name = "avx512",
     .doc = "x86-64 with AVX-512 F, VL, DQ and BW, 512-bit vectors",
     .machine = "avx512",
     .vector_bytes = 64,
     .registers = 32,
     .language = &sq_language_c,
     .isa = &sq_isa_avx512,
     .cflags = "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mf16c",
     .guard = "defined(__x86_64__)",
     .attribute = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,f16c",
     .macro = "__AVX512F__",
     .rank = 30,
     .test = "@x86(bit_FMA | bit_F16C, bit_AVX2 | bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | "
             "bit_AVX512BW, 0xe6)",
     .emulator = "",
     .cross = ""},
    {.name = "avx512vnni",
     .doc = "AVX-512 and products of bytes (VNNI), 512-bit vectors",
     .machine = "avx512",
     .runs = has_avx512vnni,
     .less = "avx512",
     .vector_bytes = 64,
     .registers = 32,
     .language = &sq_language_c,
     .isa = &sq_isa_avx512vnni,
     .cflags = "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx512vnni -mfma -mf16c",
     .guard = "defined(__x86_64__)",
     .attribute = "avx512vnni,avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,f16c",
     .macro = "__AVX512VNNI__",
     .rank = 35,
     .test = "@x86(bit_FMA | bit_F16C, bit_AVX2 | bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | "
             "bit_AVX512BW, 0xe6) && @x86_more(0, 0, 1u << 11)",
     .emulator = "",
     .cross = ""},
    {.name = "neon",
     .doc = "AArch64 with Advanced SIMD, 128-bit vectors",
     .machine = "neon",
     .vector_bytes = 16,
     .registers = 32,
     .language = &sq_language_c,
     .isa = &sq_isa_neon,
     .cflags = "",
     .guard = "defined(__aarch64__)",
     .attribute = "",
     .macro = "",
     .rank = 20,
     .test = "",
     .emulator = "qemu-aarch64",
     .cross = "aarch64-linux-gnu-"},
    CUDA(sm_80, "from sm_80 on (A100, A30)"),
    CUDA(sm_86, "from sm_86 on (A40, A10, RTX 30)"),
    CUDA(sm_89, "from sm_89 on (L40S, L4, RTX 40)"),
    CUDA(sm_90, "from sm_90 on (H100, H200)"),
    CUDA(sm_90a, "of sm_90 alone (H100, H200)"),
    CUDA(sm_100, "from sm_100 on (B200)"),
    CUDA(sm_120, "from sm_120 on (RTX PRO 6000, RTX 50)"),
    {0},
};

const sq_target *sq_target_get(const char *name)
{
    if (strcmp(name, "c") == 0)
        return &sq_targets[0];
    for (const sq_target *t = sq_targets; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

const sq_target *sq_target_arch(const char *name, const char *arch)
{
    for (const sq_target *t = sq_targets; t->name; t++)
        if (strcmp(t->name, name) == 0 && t->grid && strcmp(t->grid->arch, arch) == 0)
            return t;
    return NULL;
}

bool sq_target_runs_here(const sq_target *t)
{
    return sq_machine_runs(t->machine) && (!t->runs || t->runs());
}

const sq_target *sq_target_host(void)
{
    const char *isa = sq_machine_host_isa();
    const sq_target *best = &sq_targets[0];
    for (const sq_target *t = sq_targets; t->name; t++)
        if (strcmp(t->machine, isa) == 0 && sq_target_runs_here(t) && t->rank >= best->rank)
            best = t;
    return best;
}

int sq_emit_source(const sq_schedule *s, const sq_emit_options *o, sq_text *to, sq_diags *d)
{
    return o->target->language->source(s, o, to, d);
}

int sq_emit_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to)
{
    return o->target->language->header(k, o, guard, to);
}
