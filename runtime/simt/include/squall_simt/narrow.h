/* f16 and bf16: stored as bits, each operation rounds once, to nearest even. One template for both;
 * CUDA's names for it are in cuda_fp16.h and cuda_bf16.h. */
#ifndef SQUALL_SIMT_NARROW_H
#define SQUALL_SIMT_NARROW_H
#include "squall_simt/device.h"
#include "squall_simt/math.h"

namespace squall_simt
{
struct narrow_raw {
    unsigned short x;
};
template <int TAG> struct narrow {
    unsigned short bits;

    narrow() = default;
    narrow(narrow_raw r) : bits(r.x)
    {
    }
    narrow(double v) : bits(TAG == SIMT_F16 ? simt_to_f16(v) : simt_to_bf16(v))
    {
    }
    narrow(float v) : narrow((double)v)
    {
    }
    narrow(int v) : narrow((double)v)
    {
    }
    narrow(unsigned v) : narrow((double)v)
    {
    }
    narrow(long long v) : narrow((double)v)
    {
    }
    narrow(unsigned long long v) : narrow((double)v)
    {
    }
    operator float() const
    {
        return TAG == SIMT_F16 ? simt_from_f16(bits) : simt_from_bf16(bits);
    }
    double wide() const
    {
        return (double)(float)*this;
    }
    narrow operator-() const
    {
        return narrow_raw{(unsigned short)(bits ^ 0x8000)};
    }
    narrow operator+() const
    {
        return *this;
    }
#define SQUALL_SIMT_OPERATOR(op)                                                                   \
    friend narrow operator op(const narrow &a, const narrow &b)                                    \
    {                                                                                              \
        return narrow(a.wide() op b.wide());                                                       \
    }                                                                                              \
    narrow &operator op##=(const narrow &b)                                                        \
    {                                                                                              \
        return *this = *this op b;                                                                 \
    }
    SQUALL_SIMT_OPERATOR(+)
    SQUALL_SIMT_OPERATOR(-)
    SQUALL_SIMT_OPERATOR(*)
    SQUALL_SIMT_OPERATOR(/)
#define SQUALL_SIMT_COMPARE(op)                                                                    \
    friend bool operator op(const narrow &a, const narrow &b)                                      \
    {                                                                                              \
        return a.wide() op b.wide();                                                               \
    }
    SQUALL_SIMT_COMPARE(<)
    SQUALL_SIMT_COMPARE(>)
    SQUALL_SIMT_COMPARE(<=)
    SQUALL_SIMT_COMPARE(>=)
    SQUALL_SIMT_COMPARE(==)
    SQUALL_SIMT_COMPARE(!=)
};

template <int TAG> struct alignas(4) narrow2 {
    typedef narrow<TAG> one;
    one x, y;
    SQUALL_SIMT_WHOLE(narrow2)
    narrow2(const one &a, const one &b) : x(a), y(b)
    {
    }
#define SQUALL_SIMT_OPERATOR2(op)                                                                  \
    friend narrow2 operator op(const narrow2 &a, const narrow2 &b)                                 \
    {                                                                                              \
        return narrow2(a.x op b.x, a.y op b.y);                                                    \
    }                                                                                              \
    narrow2 &operator op##=(const narrow2 &b)                                                      \
    {                                                                                              \
        return *this = *this op b;                                                                 \
    }
    SQUALL_SIMT_OPERATOR2(+)
    SQUALL_SIMT_OPERATOR2(-)
    SQUALL_SIMT_OPERATOR2(*)
    SQUALL_SIMT_OPERATOR2(/)
    narrow2 operator-() const
    {
        return narrow2(-x, -y);
    }
};

/* Overloaded functions, for one value and for two. */
#define SQUALL_SIMT_NARROW_TWO(name, value)                                                        \
    template <int T> SQUALL_SIMT_INLINE narrow<T> name(narrow<T> a, narrow<T> b)                   \
    {                                                                                              \
        return value;                                                                              \
    }                                                                                              \
    template <int T> SQUALL_SIMT_INLINE narrow2<T> name##2(narrow2<T> a, narrow2<T> b)             \
    {                                                                                              \
        return narrow2<T>(name(a.x, b.x), name(a.y, b.y));                                         \
    }
SQUALL_SIMT_NARROW_TWO(__hadd, a + b)
SQUALL_SIMT_NARROW_TWO(__hsub, a - b)
SQUALL_SIMT_NARROW_TWO(__hmul, a *b)
SQUALL_SIMT_NARROW_TWO(__hdiv, a / b)
SQUALL_SIMT_NARROW_TWO(__hadd_rn, a + b)
SQUALL_SIMT_NARROW_TWO(__hsub_rn, a - b)
SQUALL_SIMT_NARROW_TWO(__hmul_rn, a *b)
SQUALL_SIMT_NARROW_TWO(__hmax, narrow<T>(fmax(a.wide(), b.wide())))
SQUALL_SIMT_NARROW_TWO(__hmin, narrow<T>(fmin(a.wide(), b.wide())))
#define SQUALL_SIMT_NARROW_ONE(name, two, value)                                                   \
    template <int T> SQUALL_SIMT_INLINE narrow<T> name(narrow<T> a)                                \
    {                                                                                              \
        return value;                                                                              \
    }                                                                                              \
    template <int T> SQUALL_SIMT_INLINE narrow2<T> two(narrow2<T> a)                               \
    {                                                                                              \
        return narrow2<T>(name(a.x), name(a.y));                                                   \
    }
SQUALL_SIMT_NARROW_ONE(__hneg, __hneg2, -a)
SQUALL_SIMT_NARROW_ONE(__habs, __habs2, narrow<T>(narrow_raw{(unsigned short)(a.bits & 0x7fff)}))
SQUALL_SIMT_NARROW_ONE(hsqrt, h2sqrt, narrow<T>(sqrt(a.wide())))
SQUALL_SIMT_NARROW_ONE(hrsqrt, h2rsqrt, narrow<T>(1 / sqrt(a.wide())))
SQUALL_SIMT_NARROW_ONE(hrcp, h2rcp, narrow<T>(1 / a.wide()))
SQUALL_SIMT_NARROW_ONE(hexp, h2exp, narrow<T>(exp(a.wide())))
SQUALL_SIMT_NARROW_ONE(hexp2, h2exp2, narrow<T>(exp2(a.wide())))
SQUALL_SIMT_NARROW_ONE(hlog, h2log, narrow<T>(log(a.wide())))
SQUALL_SIMT_NARROW_ONE(hlog2, h2log2, narrow<T>(log2(a.wide())))
SQUALL_SIMT_NARROW_ONE(hsin, h2sin, narrow<T>(sin(a.wide())))
SQUALL_SIMT_NARROW_ONE(hcos, h2cos, narrow<T>(cos(a.wide())))
SQUALL_SIMT_NARROW_ONE(htrunc, h2trunc, narrow<T>(trunc(a.wide())))
SQUALL_SIMT_NARROW_ONE(hfloor, h2floor, narrow<T>(floor(a.wide())))
SQUALL_SIMT_NARROW_ONE(hceil, h2ceil, narrow<T>(ceil(a.wide())))
SQUALL_SIMT_NARROW_ONE(hrint, h2rint, narrow<T>(nearbyint(a.wide())))
template <int T> SQUALL_SIMT_INLINE narrow<T> __hfma(narrow<T> a, narrow<T> b, narrow<T> c)
{
    return narrow<T>(simt_fma_narrow(a.wide(), b.wide(), c.wide()));
}
template <int T> SQUALL_SIMT_INLINE narrow2<T> __hfma2(narrow2<T> a, narrow2<T> b, narrow2<T> c)
{
    return narrow2<T>(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#define SQUALL_SIMT_NARROW_IS(name, op)                                                            \
    template <int T> SQUALL_SIMT_INLINE bool name(narrow<T> a, narrow<T> b)                        \
    {                                                                                              \
        return a op b;                                                                             \
    }
SQUALL_SIMT_NARROW_IS(__heq, ==)
SQUALL_SIMT_NARROW_IS(__hne, !=)
SQUALL_SIMT_NARROW_IS(__hlt, <)
SQUALL_SIMT_NARROW_IS(__hle, <=)
SQUALL_SIMT_NARROW_IS(__hgt, >)
SQUALL_SIMT_NARROW_IS(__hge, >=)
template <int T> SQUALL_SIMT_INLINE bool __hisnan(narrow<T> a)
{
    return isnan((float)a);
}
template <int T> SQUALL_SIMT_INLINE bool __hisinf(narrow<T> a)
{
    return isinf((float)a);
}
template <int T> SQUALL_SIMT_INLINE narrow<T> atomic_add(narrow<T> *p, narrow<T> v)
{
    return narrow_raw{(unsigned short)simt_atomic(SIMT_ADD, T, p, v.bits, 0)};
}
} // namespace squall_simt

/* Functions whose names contain the type: prefixes for one value and for two. */
#define SQUALL_SIMT_NARROW_NAMES(type, type2, name, name2, TAG)                                    \
    static SQUALL_SIMT_INLINE type __float2##name(float x)                                         \
    {                                                                                              \
        return type(x);                                                                            \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type __float2##name##_rn(float x)                                    \
    {                                                                                              \
        return type(x);                                                                            \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type __double2##name(double x)                                       \
    {                                                                                              \
        return type(x);                                                                            \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type __int2##name##_rn(int x)                                        \
    {                                                                                              \
        return type(x);                                                                            \
    }                                                                                              \
    static SQUALL_SIMT_INLINE float __##name##2float(type x)                                       \
    {                                                                                              \
        return (float)x;                                                                           \
    }                                                                                              \
    static SQUALL_SIMT_INLINE int __##name##2int_rn(type x)                                        \
    {                                                                                              \
        return (int)nearbyint(x.wide());                                                           \
    }                                                                                              \
    static SQUALL_SIMT_INLINE int __##name##2int_rz(type x)                                        \
    {                                                                                              \
        return (int)x.wide();                                                                      \
    }                                                                                              \
    static SQUALL_SIMT_INLINE unsigned short __##name##_as_ushort(type x)                          \
    {                                                                                              \
        return x.bits;                                                                             \
    }                                                                                              \
    static SQUALL_SIMT_INLINE short __##name##_as_short(type x)                                    \
    {                                                                                              \
        return (short)x.bits;                                                                      \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type __ushort_as_##name(unsigned short x)                            \
    {                                                                                              \
        return squall_simt::narrow_raw{x};                                                         \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type __short_as_##name(short x)                                      \
    {                                                                                              \
        return squall_simt::narrow_raw{(unsigned short)x};                                         \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type2 __##name##2##name2(type x)                                     \
    {                                                                                              \
        return type2(x, x);                                                                        \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type2 __halves2##name2(type x, type y)                               \
    {                                                                                              \
        return type2(x, y);                                                                        \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type2 make_##name2(type x, type y)                                   \
    {                                                                                              \
        return type2(x, y);                                                                        \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type2 __floats2##name2##_rn(float x, float y)                        \
    {                                                                                              \
        return type2(type(x), type(y));                                                            \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type2 __float2##name2##_rn(float x)                                  \
    {                                                                                              \
        return type2(type(x), type(x));                                                            \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type2 __float22##name2##_rn(float2 v)                                \
    {                                                                                              \
        return type2(type(v.x), type(v.y));                                                        \
    }                                                                                              \
    static SQUALL_SIMT_INLINE float2 __##name2##2float2(type2 v)                                   \
    {                                                                                              \
        return float2((float)v.x, (float)v.y);                                                     \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type __low2##name(type2 v)                                           \
    {                                                                                              \
        return v.x;                                                                                \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type __high2##name(type2 v)                                          \
    {                                                                                              \
        return v.y;                                                                                \
    }                                                                                              \
    static SQUALL_SIMT_INLINE float __low2float(type2 v)                                           \
    {                                                                                              \
        return (float)v.x;                                                                         \
    }                                                                                              \
    static SQUALL_SIMT_INLINE float __high2float(type2 v)                                          \
    {                                                                                              \
        return (float)v.y;                                                                         \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type atomicAdd(type *p, type v)                                      \
    {                                                                                              \
        return squall_simt::atomic_add(p, v);                                                      \
    }                                                                                              \
    static SQUALL_SIMT_INLINE type2 atomicAdd(type2 *p, type2 v)                                   \
    {                                                                                              \
        type x = squall_simt::atomic_add(&p->x, v.x), y = squall_simt::atomic_add(&p->y, v.y);     \
        return type2(x, y);                                                                        \
    }
#endif
