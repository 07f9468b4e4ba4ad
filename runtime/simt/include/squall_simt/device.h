/* Functions that kernels call: barriers, warps, atomics, and the declaration of shared
 * variables. */
#ifndef SQUALL_SIMT_DEVICE_H
#define SQUALL_SIMT_DEVICE_H
#include "squall_simt/abi.h"
#include "squall_simt/types.h"

/* Dynamic shared memory; `check` also accepts CUDA's own form. */
#define SQUALL_DYNAMIC_SHARED(type, name)                                                          \
    type(&name)[] = *reinterpret_cast<type(*)[]>(simt_dynamic.at)

namespace squall_simt
{
/* The dynamic shared memory, convertible to the declared type. */
struct dynamic {
    template <class T> SQUALL_SIMT_INLINE operator T &() const
    {
        return *reinterpret_cast<T *>(simt_dynamic.at);
    }
};
template <class T> struct dims {
    typedef T element;
    static constexpr int rank = 0;
    static void put(size_t *)
    {
    }
};
template <class T, size_t N> struct dims<T[N]> {
    typedef typename dims<T>::element element;
    static constexpr int rank = 1 + dims<T>::rank;
    static SQUALL_SIMT_PLAIN void put(size_t *to)
    {
        *to = N;
        dims<T>::put(to + 1);
    }
};
/* A shared variable registers itself whenever a thread passes its declaration. */
template <class T, class W>
SQUALL_SIMT_PLAIN void shared(const char *name, T &variable, W &whole, SQUALL_SIMT_AT)
{
    static_assert(dims<T>::rank <= 4, "shared arrays have at most four dimensions here");
    size_t extent[5];
    dims<T>::put(extent);
    simt_shared(name, &variable, sizeof variable, sizeof(typename dims<T>::element), dims<T>::rank,
                extent, &whole, sizeof whole, file, line);
}
template <class T> SQUALL_SIMT_INLINE uint64_t bits_of(T v)
{
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T> SQUALL_SIMT_INLINE T from_bits(uint64_t bits)
{
    T v;
    __builtin_memcpy(static_cast<void *>(&v), &bits, sizeof v);
    return v;
}
} // namespace squall_simt

/* ---- barriers, fences ---- */

static SQUALL_SIMT_INLINE void __syncthreads(SQUALL_SIMT_AT)
{
    simt_barrier(SIMT_SYNC, 0, SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE int __syncthreads_count(int p, SQUALL_SIMT_AT)
{
    return simt_barrier(SIMT_COUNT, p != 0, SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE int __syncthreads_and(int p, SQUALL_SIMT_AT)
{
    return simt_barrier(SIMT_AND, p != 0, SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE int __syncthreads_or(int p, SQUALL_SIMT_AT)
{
    return simt_barrier(SIMT_OR, p != 0, SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE void __threadfence()
{
    simt_fence();
}
static SQUALL_SIMT_INLINE void __threadfence_block()
{
}
static SQUALL_SIMT_INLINE void __threadfence_system()
{
    simt_fence();
}

/* ---- warps ---- */

static SQUALL_SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu, SQUALL_SIMT_AT)
{
    simt_syncwarp(mask, SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE unsigned __activemask(SQUALL_SIMT_AT)
{
    return simt_activemask(SQUALL_SIMT_HERE);
}
#define SQUALL_SIMT_SHUFFLE(name, how, other)                                                      \
    template <class T>                                                                             \
    static SQUALL_SIMT_INLINE T name(unsigned mask, T value, other lane, int width = 32,           \
                                     SQUALL_SIMT_AT)                                               \
    {                                                                                              \
        simt_shuffle(how, mask, &value, sizeof value, (int)lane, width, SQUALL_SIMT_HERE);         \
        return value;                                                                              \
    }
SQUALL_SIMT_SHUFFLE(__shfl_sync, SIMT_IDX, int)
SQUALL_SIMT_SHUFFLE(__shfl_up_sync, SIMT_UP, unsigned)
SQUALL_SIMT_SHUFFLE(__shfl_down_sync, SIMT_DOWN, unsigned)
SQUALL_SIMT_SHUFFLE(__shfl_xor_sync, SIMT_XOR, int)

static SQUALL_SIMT_INLINE unsigned __ballot_sync(unsigned mask, int p, SQUALL_SIMT_AT)
{
    return simt_vote(SIMT_BALLOT, mask, p != 0, nullptr, SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE int __any_sync(unsigned mask, int p, SQUALL_SIMT_AT)
{
    return simt_vote(SIMT_BALLOT, mask, p != 0, nullptr, SQUALL_SIMT_HERE) != 0;
}
static SQUALL_SIMT_INLINE int __all_sync(unsigned mask, int p, SQUALL_SIMT_AT)
{
    int all;
    simt_vote(SIMT_BALLOT, mask, p != 0, &all, SQUALL_SIMT_HERE);
    return all;
}
template <class T>
static SQUALL_SIMT_INLINE unsigned __match_any_sync(unsigned mask, T v, SQUALL_SIMT_AT)
{
    return simt_vote(SIMT_MATCH_ANY, mask, squall_simt::bits_of(v), nullptr, SQUALL_SIMT_HERE);
}
template <class T>
static SQUALL_SIMT_INLINE unsigned __match_all_sync(unsigned mask, T v, int *all, SQUALL_SIMT_AT)
{
    return simt_vote(SIMT_MATCH_ALL, mask, squall_simt::bits_of(v), all, SQUALL_SIMT_HERE);
}
#define SQUALL_SIMT_REDUCE(name, type, how)                                                        \
    static SQUALL_SIMT_INLINE type name(unsigned mask, type v, SQUALL_SIMT_AT)                     \
    {                                                                                              \
        return (type)simt_reduce(how, mask, (unsigned)v, SQUALL_SIMT_HERE);                        \
    }
SQUALL_SIMT_REDUCE(__reduce_add_sync, int, SIMT_REDUCE_ADD)
SQUALL_SIMT_REDUCE(__reduce_add_sync, unsigned, SIMT_REDUCE_ADD)
SQUALL_SIMT_REDUCE(__reduce_min_sync, int, SIMT_REDUCE_MIN)
SQUALL_SIMT_REDUCE(__reduce_max_sync, int, SIMT_REDUCE_MAX)
SQUALL_SIMT_REDUCE(__reduce_min_sync, unsigned, SIMT_REDUCE_MIN_U)
SQUALL_SIMT_REDUCE(__reduce_max_sync, unsigned, SIMT_REDUCE_MAX_U)
SQUALL_SIMT_REDUCE(__reduce_and_sync, unsigned, SIMT_REDUCE_AND)
SQUALL_SIMT_REDUCE(__reduce_or_sync, unsigned, SIMT_REDUCE_OR)
SQUALL_SIMT_REDUCE(__reduce_xor_sync, unsigned, SIMT_REDUCE_XOR)

/* ---- atomics ---- */

#define SQUALL_SIMT_ATOMIC_ONE(name, what, type, tag)                                              \
    static SQUALL_SIMT_INLINE type name(type *p, type v)                                           \
    {                                                                                              \
        return squall_simt::from_bits<type>(                                                       \
            simt_atomic(what, tag, p, squall_simt::bits_of(v), 0));                                \
    }
#define SQUALL_SIMT_ATOMIC(name, what, type, tag)                                                  \
    SQUALL_SIMT_ATOMIC_ONE(name, what, type, tag)                                                  \
    SQUALL_SIMT_ATOMIC_ONE(name##_block, what, type, tag)                                          \
    SQUALL_SIMT_ATOMIC_ONE(name##_system, what, type, tag)
#define SQUALL_SIMT_ATOMIC_INTS(name, what)                                                        \
    SQUALL_SIMT_ATOMIC(name, what, int, SIMT_S32)                                                  \
    SQUALL_SIMT_ATOMIC(name, what, unsigned, SIMT_U32)                                             \
    SQUALL_SIMT_ATOMIC(name, what, unsigned long long, SIMT_U64)
SQUALL_SIMT_ATOMIC_INTS(atomicAdd, SIMT_ADD)
SQUALL_SIMT_ATOMIC(atomicAdd, SIMT_ADD, float, SIMT_F32)
SQUALL_SIMT_ATOMIC(atomicAdd, SIMT_ADD, double, SIMT_F64)
SQUALL_SIMT_ATOMIC(atomicSub, SIMT_SUB, int, SIMT_S32)
SQUALL_SIMT_ATOMIC(atomicSub, SIMT_SUB, unsigned, SIMT_U32)
SQUALL_SIMT_ATOMIC_INTS(atomicMin, SIMT_MIN)
SQUALL_SIMT_ATOMIC(atomicMin, SIMT_MIN, long long, SIMT_S64)
SQUALL_SIMT_ATOMIC_INTS(atomicMax, SIMT_MAX)
SQUALL_SIMT_ATOMIC(atomicMax, SIMT_MAX, long long, SIMT_S64)
SQUALL_SIMT_ATOMIC_INTS(atomicExch, SIMT_EXCH)
SQUALL_SIMT_ATOMIC(atomicExch, SIMT_EXCH, float, SIMT_F32)
SQUALL_SIMT_ATOMIC_INTS(atomicAnd, SIMT_BIT_AND)
SQUALL_SIMT_ATOMIC_INTS(atomicOr, SIMT_BIT_OR)
SQUALL_SIMT_ATOMIC_INTS(atomicXor, SIMT_BIT_XOR)
SQUALL_SIMT_ATOMIC(atomicInc, SIMT_INC, unsigned, SIMT_U32)
SQUALL_SIMT_ATOMIC(atomicDec, SIMT_DEC, unsigned, SIMT_U32)
#define SQUALL_SIMT_CAS(name, type, tag)                                                           \
    static SQUALL_SIMT_INLINE type name(type *p, type compare, type v)                             \
    {                                                                                              \
        return squall_simt::from_bits<type>(simt_atomic(SIMT_CAS, tag, p, squall_simt::bits_of(v), \
                                                        squall_simt::bits_of(compare)));           \
    }
SQUALL_SIMT_CAS(atomicCAS, int, SIMT_S32)
SQUALL_SIMT_CAS(atomicCAS, unsigned, SIMT_U32)
SQUALL_SIMT_CAS(atomicCAS, unsigned long long, SIMT_U64)
SQUALL_SIMT_CAS(atomicCAS, unsigned short, SIMT_U16)

/* ---- loads, traps, time ---- */

#define SQUALL_SIMT_LOAD(name)                                                                     \
    template <class T> static SQUALL_SIMT_INLINE T name(const T *p)                                \
    {                                                                                              \
        return *p;                                                                                 \
    }
#define SQUALL_SIMT_STORE(name)                                                                    \
    template <class T> static SQUALL_SIMT_INLINE void name(T *p, T v)                              \
    {                                                                                              \
        *p = v;                                                                                    \
    }
SQUALL_SIMT_LOAD(__ldg)
SQUALL_SIMT_LOAD(__ldca)
SQUALL_SIMT_LOAD(__ldcg)
SQUALL_SIMT_LOAD(__ldcs)
SQUALL_SIMT_LOAD(__ldlu)
SQUALL_SIMT_LOAD(__ldcv)
SQUALL_SIMT_STORE(__stwb)
SQUALL_SIMT_STORE(__stcg)
SQUALL_SIMT_STORE(__stcs)
SQUALL_SIMT_STORE(__stwt)

static SQUALL_SIMT_INLINE void __trap(SQUALL_SIMT_AT)
{
    simt_trap("__trap()", SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE long long clock64()
{
    return simt_clock();
}
static SQUALL_SIMT_INLINE void __nanosleep(unsigned)
{
}
static SQUALL_SIMT_INLINE unsigned __cvta_generic_to_shared(const void *p)
{
    return (unsigned)((const char *)p - simt_dynamic.at);
}
#endif
