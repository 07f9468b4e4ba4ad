/* Targets: what text can be emitted for. A row here, and its vector operations in vector.c. */
#include "codegen/emit.h"
#include <string.h>

const sq_target sq_targets[] = {
    {"generic", "portable C with the compilers' vector extension, 128-bit vectors", 16, 16, "", "",
     "", "", "", ""},
    {"avx2", "x86-64 with AVX2 and FMA, 256-bit vectors", 32, 16, "-mavx2 -mfma -mf16c",
     "defined(__x86_64__)", "avx2,fma,f16c", "__AVX2__", "", ""},
    {"avx512", "x86-64 with AVX-512 F, VL, DQ and BW, 512-bit vectors", 64, 32,
     "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mf16c", "defined(__x86_64__)",
     "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,f16c", "__AVX512F__", "", ""},
    {"neon", "AArch64 with Advanced SIMD, 128-bit vectors", 16, 32, "", "defined(__aarch64__)", "",
     "", "qemu-aarch64", "aarch64-linux-gnu-"},
    {0},
};

const sq_target *sq_target_get(const char *name)
{
    if (strcmp(name, "c") == 0)
        name = "generic";
    for (const sq_target *t = sq_targets; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}
