/* Narrow floats: f16 and bf16 as bits, rounded to nearest even. Also fused multiply-adds of the
 * text, which are counted before they reach the C library (the linker's --wrap), and functions for
 * which a device has instructions. */
#include "runtime/simt/simt.h"
#include <math.h>
#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static float float_of(uint32_t b)
{
    float x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* Converts to float such that a second rounding to fewer digits is correct: rounds to odd. */
static float to_odd(double x)
{
    float f = (float)x;
    if ((double)f == x || isnan(x) || isinf(f))
        return f;
    uint32_t b = bits_of(f);
    if (fabs((double)f) > fabs(x))
        b--; /* towards zero */
    return float_of(b | 1);
}

float simt_from_bf16(uint16_t h)
{
    return float_of((uint32_t)h << 16);
}

uint16_t simt_to_bf16(double x)
{
    uint32_t b = bits_of(to_odd(x));
    if (isnan(x))
        return 0x7fff;
    return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

float simt_from_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31)
        return float_of(sign | 0x7f800000 | m << 13);
    if (e == 0)
        return copysignf((float)m * 0x1p-24f, float_of(sign | 0x3f800000));
    return float_of(sign | (e + 112) << 23 | m << 13);
}

uint16_t simt_to_f16(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double a = fabs(x);
    if (isnan(x))
        return 0x7fff;
    if (a >= 65520) /* half way beyond the largest */
        return sign | 0x7c00;
    if (a < 0x1p-14) /* steps of 2^-24 */
        return sign | (uint16_t)nearbyint(a * 0x1p24);
    uint32_t b = bits_of(to_odd(a));
    b += 0xfff + (b >> 13 & 1);
    return sign | (uint16_t)((b >> 13) - (112u << 10));
}

/* Returns the sum of an exact product and c, rounded to odd. */
double simt_fma_narrow(double a, double b, double c)
{
    double p = a * b, s = p + c, back = s - p, rest = (p - (s - back)) + (c - back);
    uint64_t bits;
    if (rest == 0 || !isfinite(s))
        return s;
    memcpy(&bits, &s, sizeof bits);
    if (bits & 1)
        return s;
    return nextafter(s, rest > 0 ? INFINITY : -INFINITY);
}

float __real_fmaf(float a, float b, float c), __wrap_fmaf(float a, float b, float c);
float __wrap_fmaf(float a, float b, float c)
{
    if (simt_now.running)
        simt_flops += 2;
    return __real_fmaf(a, b, c);
}

double __real_fma(double a, double b, double c), __wrap_fma(double a, double b, double c);
double __wrap_fma(double a, double b, double c)
{
    if (simt_now.running)
        simt_flops += 2;
    return __real_fma(a, b, c);
}

#define SHORT(name, value)                                                                         \
    float name(float x);                                                                           \
    float name(float x)                                                                            \
    {                                                                                              \
        return value;                                                                              \
    }
SHORT(__expf, expf(x))
SHORT(__exp10f, powf(10, x))
SHORT(__logf, logf(x))
SHORT(__log2f, log2f(x))
SHORT(__log10f, log10f(x))
SHORT(__sinf, sinf(x))
SHORT(__cosf, cosf(x))
SHORT(__tanf, tanf(x))
float __powf(float x, float y);
float __powf(float x, float y)
{
    return powf(x, y);
}
