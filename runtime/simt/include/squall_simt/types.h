/* CUDA's vector types and qualifiers. A vector of 2, 4, 8 or 16 bytes is copied as a unit, as on
 * the device: otherwise a compiler splits it, and the counts would be wrong. */
#ifndef SQUALL_SIMT_TYPES_H
#define SQUALL_SIMT_TYPES_H
/* The guard of a header of libstdc++: C++17's special functions, which no kernel calls, take as long to compile as a
 * small kernel. */
#define _GLIBCXX_BITS_SPECFUN_H 1
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQUALL_SIMT 1
#define __CUDACC__ 1
#define CUDART_VERSION 13000
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __maxnreg__(n)
#define __cluster_dims__(...)
#define SQUALL_SIMT_INLINE inline __attribute__((always_inline))
#define SQUALL_SIMT_PLAIN __attribute__((no_sanitize("thread")))
/* The location of a call, as the last parameters of a function. */
#define SQUALL_SIMT_AT const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define SQUALL_SIMT_HERE (simt_place{file, line})

namespace squall_simt
{
template <size_t N> struct piece {
    static constexpr bool whole = false;
};
#define SQUALL_SIMT_PIECE(n, type, letter)                                                         \
    template <> struct piece<n> {                                                                  \
        static constexpr bool whole = true;                                                        \
        typedef type word __attribute__((may_alias));                                              \
        static SQUALL_SIMT_INLINE void copy(void *to, const void *from)                            \
        {                                                                                          \
            word w = *(const word *)from;                                                          \
            asm("" : "+" letter(w));                                                               \
            *(word *)to = w;                                                                       \
        }                                                                                          \
    };
typedef int int_vector __attribute__((vector_size(16)));
#if defined(__x86_64__)
SQUALL_SIMT_PIECE(16, int_vector, "x")
#else
SQUALL_SIMT_PIECE(16, int_vector, "w")
#endif
SQUALL_SIMT_PIECE(8, unsigned long long, "r")
SQUALL_SIMT_PIECE(4, unsigned, "r")
SQUALL_SIMT_PIECE(2, unsigned short, "r")
} // namespace squall_simt

/* Makes a struct be copied as a unit. */
#define SQUALL_SIMT_WHOLE(name)                                                                    \
    name() = default;                                                                              \
    SQUALL_SIMT_INLINE name(const name &o)                                                         \
    {                                                                                              \
        squall_simt::piece<sizeof(name)>::copy(this, &o);                                          \
    }                                                                                              \
    SQUALL_SIMT_INLINE name &operator=(const name &o)                                              \
    {                                                                                              \
        squall_simt::piece<sizeof(name)>::copy(this, &o);                                          \
        return *this;                                                                              \
    }

#define SQUALL_SIMT_VECTORS(type, base, two, four)                                                 \
    struct base##1                                                                                 \
    {                                                                                              \
        type x;                                                                                    \
    };                                                                                             \
    struct alignas(two) base##2                                                                    \
    {                                                                                              \
        type x, y;                                                                                 \
        SQUALL_SIMT_WHOLE(base##2)                                                                 \
        constexpr base##2(type a, type b) : x(a), y(b)                                             \
        {                                                                                          \
        }                                                                                          \
    };                                                                                             \
    struct base##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    SQUALL_SIMT_INLINE base##1 make_##base##1(type x)                                              \
    {                                                                                              \
        return base##1 {x};                                                                        \
    }                                                                                              \
    SQUALL_SIMT_INLINE base##2 make_##base##2(type x, type y)                                      \
    {                                                                                              \
        return base##2 {x, y};                                                                     \
    }                                                                                              \
    SQUALL_SIMT_INLINE base##3 make_##base##3(type x, type y, type z)                              \
    {                                                                                              \
        return base##3 {x, y, z};                                                                  \
    }                                                                                              \
    four(type, base) SQUALL_SIMT_INLINE base##4 make_##base##4(type x, type y, type z, type w)     \
    {                                                                                              \
        return base##4 {x, y, z, w};                                                               \
    }
#define SQUALL_SIMT_FOUR(type, base)                                                               \
    struct alignas(4 * sizeof(type)) base##4                                                       \
    {                                                                                              \
        type x, y, z, w;                                                                           \
        SQUALL_SIMT_WHOLE(base##4)                                                                 \
        constexpr base##4(type a, type b, type c, type d) : x(a), y(b), z(c), w(d)                 \
        {                                                                                          \
        }                                                                                          \
    };
#define SQUALL_SIMT_WIDE_FOUR(type, base)                                                          \
    struct alignas(16) base##4                                                                     \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };
SQUALL_SIMT_VECTORS(signed char, char, 2, SQUALL_SIMT_FOUR)
SQUALL_SIMT_VECTORS(unsigned char, uchar, 2, SQUALL_SIMT_FOUR)
SQUALL_SIMT_VECTORS(short, short, 4, SQUALL_SIMT_FOUR)
SQUALL_SIMT_VECTORS(unsigned short, ushort, 4, SQUALL_SIMT_FOUR)
SQUALL_SIMT_VECTORS(int, int, 8, SQUALL_SIMT_FOUR)
SQUALL_SIMT_VECTORS(unsigned, uint, 8, SQUALL_SIMT_FOUR)
SQUALL_SIMT_VECTORS(float, float, 8, SQUALL_SIMT_FOUR)
SQUALL_SIMT_VECTORS(long, long, 16, SQUALL_SIMT_WIDE_FOUR)
SQUALL_SIMT_VECTORS(unsigned long, ulong, 16, SQUALL_SIMT_WIDE_FOUR)
SQUALL_SIMT_VECTORS(long long, longlong, 16, SQUALL_SIMT_WIDE_FOUR)
SQUALL_SIMT_VECTORS(unsigned long long, ulonglong, 16, SQUALL_SIMT_WIDE_FOUR)
SQUALL_SIMT_VECTORS(double, double, 16, SQUALL_SIMT_WIDE_FOUR)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
};

extern "C" {
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
}
static constexpr int warpSize = 32;
#endif
