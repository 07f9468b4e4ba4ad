/* squall.h: the prelude of kernel descriptions. Declarations only, nothing is ever linked.
 * A description is C11 text; `squall` reads it with this file built in, and any editor with clangd
 * understands it through the installed copy. It includes nothing, so that reading a description
 * needs no C library and takes a few milliseconds.
 *
 *     #include "squall.h"
 *     kernel gemm(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
 *     {
 *         idx i, j, k;
 *         C[i][j] = sum(A[i][k] * B[k][j], k);
 *     }
 */
#ifndef SQUALL_H
#define SQUALL_H
#ifdef __clang__
#pragma clang diagnostic ignored "-Wuninitialized"
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wunused-parameter"
#pragma clang diagnostic ignored "-Wunused-variable"
#pragma clang diagnostic ignored "-Wunused-but-set-variable"
#pragma clang diagnostic ignored "-Wunused-but-set-parameter"
#pragma clang diagnostic ignored "-Wabsolute-value"
#endif

/* A kernel; an array that the caller fills and the kernel overwrites although it writes first; an
 * array that may overlap others; one whose contents many calls share, so that it may be packed once;
 * one that the caller aligns to this number of bytes. */
#define kernel __attribute__((annotate("squall.kernel"))) void
#define inout __attribute__((annotate("squall.inout")))
#define alias __attribute__((annotate("squall.alias")))
#define prepacked __attribute__((annotate("squall.prepacked")))
#define aligned_to(bytes) SQ_ALIGNED_(bytes)
#define SQ_ALIGNED_(bytes) __attribute__((annotate("squall.aligned " #bytes)))

typedef int idx; /* an index of index notation */
typedef float f32;
typedef double f64;
typedef _Float16 f16;
typedef __bf16 bf16;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t; /* of sizes */
#ifndef INFINITY
#define INFINITY (__builtin_inff())
#endif

/* Half open range of an index, for the rest of the block; may mention sizes and other indices. */
void range(idx i, int64_t lo, int64_t hi);
/* What the caller promises about sizes: comparisons, joined by &&. */
void assume(int condition);

#define SQ_OV_ __attribute__((overloadable, const))
/* Reductions: the value first, then the indices it runs over; with none listed, every index of the
 * value that the left side lacks.
 * argmax, argmin: where the first of the greatest or least values is, -1 if there is none.
 * pad(A[...], v): where a subscript is outside of the array v, as an element of A would hold it;
 * clampedge(A[...]): the element at the nearest edge. */
#define SQ_DECLARE_SUM_(R, T)                                                                      \
    SQ_OV_ R sum(T e, ...);                                                                        \
    SQ_OV_ R prod(T e, ...);
#define SQ_DECLARE_(T)                                                                             \
    SQ_OV_ T rmax(T e, ...);                                                                       \
    SQ_OV_ T rmin(T e, ...);                                                                       \
    SQ_OV_ int32_t argmax(T e, ...);                                                               \
    SQ_OV_ int32_t argmin(T e, ...);                                                               \
    SQ_OV_ T pad(T e, ...);                                                                        \
    SQ_OV_ T clampedge(T e);                                                                       \
    SQ_OV_ T relu(T e);                                                                            \
    SQ_OV_ T max2(T a, T b);                                                                       \
    SQ_OV_ T min2(T a, T b);
SQ_DECLARE_(f16)
SQ_DECLARE_(bf16)
SQ_DECLARE_(f32)
SQ_DECLARE_(f64)
SQ_DECLARE_(int8_t)
SQ_DECLARE_(int16_t)
SQ_DECLARE_(int32_t)
SQ_DECLARE_(int64_t)
SQ_DECLARE_(uint8_t)
SQ_DECLARE_(uint16_t)
SQ_DECLARE_(uint32_t)
SQ_DECLARE_(uint64_t)
SQ_DECLARE_(long long) /* as wide, but of another name to C: 3LL */
SQ_DECLARE_(unsigned long long)
/* An integer beside one of 64 bits, whose type holds them both: C's usual conversions. */
#define SQ_DECLARE_WIDE_(T, W)                                                                     \
    SQ_OV_ int64_t max2(T a, W b);                                                                 \
    SQ_OV_ int64_t max2(W a, T b);                                                                 \
    SQ_OV_ int64_t min2(T a, W b);                                                                 \
    SQ_OV_ int64_t min2(W a, T b);
#define SQ_DECLARE_BESIDE_(T)                                                                      \
    SQ_DECLARE_WIDE_(T, int64_t)                                                                   \
    SQ_DECLARE_WIDE_(T, long long)
SQ_DECLARE_BESIDE_(int8_t)
SQ_DECLARE_BESIDE_(int16_t)
SQ_DECLARE_BESIDE_(int32_t)
SQ_DECLARE_BESIDE_(uint8_t)
SQ_DECLARE_BESIDE_(uint16_t)
SQ_DECLARE_BESIDE_(uint32_t)
SQ_DECLARE_WIDE_(int64_t, long long)
/* sat_int8(x): the int8_t nearest to x, where a cast wraps around or is undefined. */
#define SQ_DECLARE_SAT_(R, f)                                                                      \
    SQ_OV_ R f(f16 x);                                                                             \
    SQ_OV_ R f(bf16 x);                                                                            \
    SQ_OV_ R f(f32 x);                                                                             \
    SQ_OV_ R f(f64 x);                                                                             \
    SQ_OV_ R f(int32_t x);                                                                         \
    SQ_OV_ R f(int64_t x);                                                                         \
    SQ_OV_ R f(uint32_t x);                                                                        \
    SQ_OV_ R f(uint64_t x);                                                                        \
    SQ_OV_ R f(long long x);                                                                       \
    SQ_OV_ R f(unsigned long long x);
SQ_DECLARE_SAT_(int8_t, sat_int8)
SQ_DECLARE_SAT_(int16_t, sat_int16)
SQ_DECLARE_SAT_(int32_t, sat_int32)
SQ_DECLARE_SAT_(int64_t, sat_int64)
SQ_DECLARE_SAT_(uint8_t, sat_uint8)
SQ_DECLARE_SAT_(uint16_t, sat_uint16)
SQ_DECLARE_SAT_(uint32_t, sat_uint32)
SQ_DECLARE_SAT_(uint64_t, sat_uint64)
/* Small types are summed in the type that + has on them. */
SQ_DECLARE_SUM_(f32, f16)
SQ_DECLARE_SUM_(f32, bf16)
SQ_DECLARE_SUM_(f32, f32)
SQ_DECLARE_SUM_(f64, f64)
SQ_DECLARE_SUM_(int32_t, int32_t)
SQ_DECLARE_SUM_(int64_t, int64_t)
SQ_DECLARE_SUM_(uint32_t, uint32_t)
SQ_DECLARE_SUM_(uint64_t, uint64_t)
SQ_DECLARE_SUM_(int64_t, long long)
SQ_DECLARE_SUM_(uint64_t, unsigned long long)

double exp(double x), log(double x), sqrt(double x), tanh(double x), fabs(double x);
double floor(double x), ceil(double x), pow(double x, double y), erf(double x);
double exp2(double x), log2(double x), sin(double x), cos(double x);
double sigmoid(double x), rsqrt(double x); /* 1 / (1 + exp(-x)), 1 / sqrt(x) */
float expf(float x), logf(float x), sqrtf(float x), tanhf(float x), fabsf(float x);
float floorf(float x), ceilf(float x), powf(float x, float y), erff(float x);
float exp2f(float x), log2f(float x), sinf(float x), cosf(float x);
float sigmoidf(float x), rsqrtf(float x);
/* Of integers; of floating types; in parentheses, since <math.h> has macros of these names. */
int abs(int x);
long labs(long x);
long long llabs(long long x);
int (isnan)(double x), (isinf)(double x), (isfinite)(double x);
#endif
