/* Machine peak: twelve independent chains of multiply-adds in registers (enough for two units of
 * latency five), one dependent chain for the latency, one of integer additions for the clock.
 * Each figure is the best of many short runs: on a shared machine only the best is that of the
 * machine. */
#include "tuner/device/machine_peak.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum { CHAINS = 12, RUNS = 64 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* `n` rounds of CHAINS independent multiply-adds, or of one dependent chain. The empty asm is
 * opaque to the compiler. */
#define STEP(c, fma, constraint)                                                                   \
    a##c = fma(a##c, x, y);                                                                        \
    __asm__ volatile("" : "+" constraint(a##c));
#define WIDE(name, attribute, vector, fma, splat, constraint)                                      \
    attribute static void name##_wide(long n)                                                      \
    {                                                                                              \
        vector x = splat(1.0000001), y = splat(1e-9);                                              \
        vector a0 = y, a1 = y, a2 = y, a3 = y, a4 = y, a5 = y;                                     \
        vector a6 = y, a7 = y, a8 = y, a9 = y, a10 = y, a11 = y;                                   \
        for (long i = 0; i < n; i++) {                                                             \
            STEP(0, fma, constraint)                                                               \
            STEP(1, fma, constraint)                                                               \
            STEP(2, fma, constraint) STEP(3, fma, constraint) STEP(4, fma, constraint)             \
                STEP(5, fma, constraint) STEP(6, fma, constraint) STEP(7, fma, constraint)         \
                    STEP(8, fma, constraint) STEP(9, fma, constraint) STEP(10, fma, constraint)    \
                        STEP(11, fma, constraint)                                                  \
        }                                                                                          \
    }
#define CHAIN(name, attribute, vector, fma, splat, constraint)                                     \
    attribute static void name##_chain(long n)                                                     \
    {                                                                                              \
        vector x = splat(1.0000001), y = splat(1e-9), a = y;                                       \
        for (long i = 0; i < n; i++) {                                                             \
            a = fma(a, x, y);                                                                      \
            __asm__ volatile("" : "+" constraint(a));                                              \
        }                                                                                          \
    }

/* Chains must stay in registers in a debug build as well. */
#if defined(__GNUC__) && !defined(__clang__)
#define FAST __attribute__((optimize("O2")))
#else
#define FAST
#endif

typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
#define PLAIN_FMA(a, x, y) ((a) * (x) + (y))
#define SPLAT_V4F(v) ((v4f){(float)(v), (float)(v), (float)(v), (float)(v)})
#define SPLAT_V2D(v) ((v2d){(v), (v)})
#if defined(__x86_64__)
#define AVX512 FAST __attribute__((target("avx512f,fma")))
#define AVX2 FAST __attribute__((target("avx2,fma")))
#define SPLAT_512F(v) _mm512_set1_ps((float)(v))
#define SPLAT_256F(v) _mm256_set1_ps((float)(v))
WIDE(avx512_f32, AVX512, __m512, _mm512_fmadd_ps, SPLAT_512F, "v")
CHAIN(avx512_f32, AVX512, __m512, _mm512_fmadd_ps, SPLAT_512F, "v")
WIDE(avx512_f64, AVX512, __m512d, _mm512_fmadd_pd, _mm512_set1_pd, "v")
WIDE(avx2_f32, AVX2, __m256, _mm256_fmadd_ps, SPLAT_256F, "x")
CHAIN(avx2_f32, AVX2, __m256, _mm256_fmadd_ps, SPLAT_256F, "x")
WIDE(avx2_f64, AVX2, __m256d, _mm256_fmadd_pd, _mm256_set1_pd, "x")
WIDE(generic_f32, FAST, v4f, PLAIN_FMA, SPLAT_V4F, "x")
CHAIN(generic_f32, FAST, v4f, PLAIN_FMA, SPLAT_V4F, "x")
WIDE(generic_f64, FAST, v2d, PLAIN_FMA, SPLAT_V2D, "x")
#elif defined(__aarch64__)
#define NEON_F32(a, x, y) vfmaq_f32(y, a, x)
#define NEON_F64(a, x, y) vfmaq_f64(y, a, x)
#define SPLAT_NEON(v) vdupq_n_f32((float)(v))
WIDE(neon_f32, FAST, float32x4_t, NEON_F32, SPLAT_NEON, "w")
CHAIN(neon_f32, FAST, float32x4_t, NEON_F32, SPLAT_NEON, "w")
WIDE(neon_f64, FAST, float64x2_t, NEON_F64, vdupq_n_f64, "w")
WIDE(generic_f32, FAST, v4f, PLAIN_FMA, SPLAT_V4F, "w")
CHAIN(generic_f32, FAST, v4f, PLAIN_FMA, SPLAT_V4F, "w")
WIDE(generic_f64, FAST, v2d, PLAIN_FMA, SPLAT_V2D, "w")
#else
WIDE(generic_f32, FAST, v4f, PLAIN_FMA, SPLAT_V4F, "m")
CHAIN(generic_f32, FAST, v4f, PLAIN_FMA, SPLAT_V4F, "m")
WIDE(generic_f64, FAST, v2d, PLAIN_FMA, SPLAT_V2D, "m")
#endif

struct kernels {
    const char *isa;
    int bytes;
    void (*wide_f32)(long), (*wide_f64)(long), (*chain)(long);
};

static const struct kernels table[] = {
#if defined(__x86_64__)
    {"avx512", 64, avx512_f32_wide, avx512_f64_wide, avx512_f32_chain},
    {"avx2", 32, avx2_f32_wide, avx2_f64_wide, avx2_f32_chain},
#elif defined(__aarch64__)
    {"neon", 16, neon_f32_wide, neon_f64_wide, neon_f32_chain},
#endif
    {"generic", 16, generic_f32_wide, generic_f64_wide, generic_f32_chain},
    {0},
};

/* A step is sixteen dependent additions of a cycle each: one alone would wait for its branch where
 * another thread runs on the same core. */
#define ADD                                                                                        \
    a += 3;                                                                                        \
    __asm__ volatile("" : "+r"(a));
#define ADD4 ADD ADD ADD ADD
FAST static void add_chain(long n)
{
    unsigned long a = 1;
    for (long i = 0; i < n; i++) {
        ADD4 ADD4 ADD4 ADD4
    }
}

/* A loop that is timed by runs of `steps`; `best` is that of the runs in seconds a step. */
struct timed {
    void (*loop)(long);
    long steps;
    double best;
};

/* Runs take turns and are shorter than a time slice: what disturbs the machine for some milliseconds,
 * or a clock that is still rising, is seen by all, and no figure consists of nothing else. */
static void time_in_turns(struct timed *all, int n)
{
    for (int r = 0; r < RUNS; r++)
        for (int i = 0; i < n; i++) {
            double start = now();
            all[i].loop(all[i].steps);
            double t = (now() - start) / (double)all[i].steps;
            all[i].best = r == 0 || t < all[i].best ? t : all[i].best;
        }
}

FAST static double triad_seconds(float *a, const float *b, const float *c, size_t n)
{
    double start = now();
    for (size_t i = 0; i < n; i += 4) {
        v4f x, y;
        memcpy(&x, b + i, sizeof x);
        memcpy(&y, c + i, sizeof y);
        x = x + SPLAT_V4F(3) * y;
        memcpy(a + i, &x, sizeof x);
    }
    __asm__ volatile("" : : "r"(a) : "memory");
    return now() - start;
}

static double bandwidth(void)
{
    size_t n = (size_t)16 << 20; /* 64 MiB per array */
    float *a = calloc(n, sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    double best = 1e9;
    if (a && b && c) {
        memset(b, 0, n * sizeof *b);
        memset(c, 0, n * sizeof *c);
        for (int r = 0; r < 4; r++) {
            double t = triad_seconds(a, b, c, n);
            best = t < best ? t : best;
        }
    }
    free(a);
    free(b);
    free(c);
    return 3e-9 * (double)(n * sizeof *a) / best;
}

bool sq_peak_measure(const char *isa, sq_peak *p)
{
    const struct kernels *k = table;
    while (k->isa && strcmp(k->isa, isa) != 0)
        k++;
    if (!k->isa)
        return false;
    double lanes = k->bytes / 4.0;
    enum { CLOCK, F32, F64, LATENCY, TIMED };
    struct timed all[TIMED] = {[CLOCK] = {add_chain, 50000, 0},
                               [F32] = {k->wide_f32, 100000, 0},
                               [F64] = {k->wide_f64, 100000, 0},
                               [LATENCY] = {k->chain, 200000, 0}};
    time_in_turns(all, TIMED);
    double cycle = all[CLOCK].best / 16;
    p->ghz = 1e-9 / cycle;
    p->f32 = 1e-9 * CHAINS * 2 * lanes / all[F32].best;
    p->f64 = 1e-9 * CHAINS * lanes / all[F64].best;
    p->fma_latency = all[LATENCY].best / cycle;
    p->bandwidth = bandwidth();
    return true;
}
