/* Arithmetic that CUDA has and C has not. fmaf and fma are C's: they round once. */
#ifndef SQUALL_SIMT_MATH_H
#define SQUALL_SIMT_MATH_H
#include "squall_simt/device.h"

/* Functions that the C library declares but lacks. */
extern "C" {
float __expf(float) noexcept;
float __exp10f(float) noexcept;
float __logf(float) noexcept;
float __log2f(float) noexcept;
float __log10f(float) noexcept;
float __sinf(float) noexcept;
float __cosf(float) noexcept;
float __tanf(float) noexcept;
float __powf(float, float) noexcept;
}

#define SQUALL_SIMT_MINMAX(type)                                                                   \
    static SQUALL_SIMT_INLINE type min(type a, type b)                                             \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type max(type a, type b)                                             \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
SQUALL_SIMT_MINMAX(int)
SQUALL_SIMT_MINMAX(unsigned)
SQUALL_SIMT_MINMAX(long)
SQUALL_SIMT_MINMAX(unsigned long)
SQUALL_SIMT_MINMAX(long long)
SQUALL_SIMT_MINMAX(unsigned long long)
static SQUALL_SIMT_INLINE float min(float a, float b)
{
    return fminf(a, b);
}
static SQUALL_SIMT_INLINE float max(float a, float b)
{
    return fmaxf(a, b);
}
static SQUALL_SIMT_INLINE double min(double a, double b)
{
    return fmin(a, b);
}
static SQUALL_SIMT_INLINE double max(double a, double b)
{
    return fmax(a, b);
}
#define SQUALL_SIMT_ONE(name, type, value)                                                         \
    static SQUALL_SIMT_INLINE type name(type x)                                                    \
    {                                                                                              \
        return value;                                                                              \
    }
#define SQUALL_SIMT_TWO(name, type, value)                                                         \
    static SQUALL_SIMT_INLINE type name(type x, type y)                                            \
    {                                                                                              \
        return value;                                                                              \
    }
#define SQUALL_SIMT_FROM(name, to, from, value)                                                    \
    static SQUALL_SIMT_INLINE to name(from x)                                                      \
    {                                                                                              \
        return value;                                                                              \
    }
SQUALL_SIMT_ONE(rsqrtf, float, 1 / sqrtf(x))
SQUALL_SIMT_ONE(rsqrt, double, 1 / sqrt(x))
SQUALL_SIMT_ONE(__saturatef, float, x > 0 ? (x < 1 ? x : 1.0f) : 0.0f)
SQUALL_SIMT_ONE(__frcp_rn, float, 1 / x)
SQUALL_SIMT_ONE(__fsqrt_rn, float, sqrtf(x))
SQUALL_SIMT_ONE(__frsqrt_rn, float, 1 / sqrtf(x))
SQUALL_SIMT_ONE(__drcp_rn, double, 1 / x)
SQUALL_SIMT_ONE(__dsqrt_rn, double, sqrt(x))
SQUALL_SIMT_TWO(__fadd_rn, float, x + y)
SQUALL_SIMT_TWO(__fsub_rn, float, x - y)
SQUALL_SIMT_TWO(__fmul_rn, float, x *y)
SQUALL_SIMT_TWO(__fdiv_rn, float, x / y)
SQUALL_SIMT_TWO(__fdividef, float, x / y)
SQUALL_SIMT_TWO(__dadd_rn, double, x + y)
SQUALL_SIMT_TWO(__dsub_rn, double, x - y)
SQUALL_SIMT_TWO(__dmul_rn, double, x *y)
SQUALL_SIMT_TWO(__ddiv_rn, double, x / y)
SQUALL_SIMT_TWO(__mul24, int, (int)((unsigned)((x << 8) >> 8) * (unsigned)((y << 8) >> 8)))
SQUALL_SIMT_TWO(__umul24, unsigned, (x & 0xffffffu) * (y & 0xffffffu))
SQUALL_SIMT_TWO(__mulhi, int, (int)((long long)x *y >> 32))
SQUALL_SIMT_TWO(__umulhi, unsigned, (unsigned)((unsigned long long)x *y >> 32))
SQUALL_SIMT_TWO(__umul64hi, unsigned long long, (unsigned long long)((unsigned __int128)x *y >> 64))
SQUALL_SIMT_FROM(__float_as_int, int, float, squall_simt::from_bits<int>(squall_simt::bits_of(x)))
SQUALL_SIMT_FROM(__float_as_uint, unsigned, float, (unsigned)squall_simt::bits_of(x))
SQUALL_SIMT_FROM(__int_as_float, float, int, squall_simt::from_bits<float>(squall_simt::bits_of(x)))
SQUALL_SIMT_FROM(__uint_as_float, float, unsigned, squall_simt::from_bits<float>(x))
SQUALL_SIMT_FROM(__double_as_longlong, long long, double, (long long)squall_simt::bits_of(x))
SQUALL_SIMT_FROM(__longlong_as_double, double, long long,
                 squall_simt::from_bits<double>((uint64_t)x))
SQUALL_SIMT_FROM(__float2int_rn, int, float, (int)lrintf(x))
SQUALL_SIMT_FROM(__float2int_rz, int, float, (int)x)
SQUALL_SIMT_FROM(__float2int_rd, int, float, (int)floorf(x))
SQUALL_SIMT_FROM(__float2int_ru, int, float, (int)ceilf(x))
SQUALL_SIMT_FROM(__float2uint_rn, unsigned, float, (unsigned)llrintf(x))
SQUALL_SIMT_FROM(__int2float_rn, float, int, (float)x)
SQUALL_SIMT_FROM(__uint2float_rn, float, unsigned, (float)x)
SQUALL_SIMT_FROM(__double2float_rn, float, double, (float)x)
SQUALL_SIMT_FROM(__double2int_rn, int, double, (int)lrint(x))
SQUALL_SIMT_FROM(__popc, int, unsigned, __builtin_popcount(x))
SQUALL_SIMT_FROM(__popcll, int, unsigned long long, __builtin_popcountll(x))
SQUALL_SIMT_FROM(__clz, int, int, x ? __builtin_clz((unsigned)x) : 32)
SQUALL_SIMT_FROM(__clzll, int, long long, x ? __builtin_clzll((unsigned long long)x) : 64)
SQUALL_SIMT_FROM(__ffs, int, int, __builtin_ffs(x))
SQUALL_SIMT_FROM(__ffsll, int, long long, __builtin_ffsll(x))

static SQUALL_SIMT_INLINE float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}
static SQUALL_SIMT_INLINE double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}
static SQUALL_SIMT_INLINE unsigned __brev(unsigned x)
{
    unsigned y = 0;
    for (int i = 0; i < 32; i++)
        y |= (x >> i & 1) << (31 - i);
    return y;
}
static SQUALL_SIMT_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((uint64_t)hi << 32 | lo) << (n & 31) >> 32);
}
static SQUALL_SIMT_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((uint64_t)hi << 32 | lo) >> (n & 31));
}
static SQUALL_SIMT_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    uint64_t all = (uint64_t)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned byte = (unsigned)(all >> 8 * (s >> 4 * i & 7)) & 255;
        if (s >> 4 * i & 8)
            byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * i;
    }
    return r;
}
static SQUALL_SIMT_INLINE int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 4; i++)
        c += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i);
    return c;
}
static SQUALL_SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 4; i++)
        c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    return c;
}
#endif
