/* Hooks: called by code compiled with -fsanitize=thread before each access. They replace that
 * sanitizer's runtime, which is not linked. Volatile accesses are ordered as atomics are, as in
 * CUDA's memory model. Atomics of host code work as usual and are not checked. */
#include "runtime/simt/simt.h"
#include <string.h>

#define HERE ((uintptr_t)__builtin_return_address(0))

#define HOOK(name, bytes, flags)                                                                   \
    void __tsan_##name(void *p);                                                                   \
    void __tsan_##name(void *p)                                                                    \
    {                                                                                              \
        simt_access(p, bytes, flags, HERE);                                                        \
    }
#define HOOKS(bytes)                                                                               \
    HOOK(read##bytes, bytes, 0)                                                                    \
    HOOK(write##bytes, bytes, SIMT_WRITE)                                                          \
    HOOK(unaligned_read##bytes, bytes, 0)                                                          \
    HOOK(unaligned_write##bytes, bytes, SIMT_WRITE)                                                \
    HOOK(volatile_read##bytes, bytes, SIMT_ATOMIC)                                                 \
    HOOK(volatile_write##bytes, bytes, SIMT_WRITE | SIMT_ATOMIC)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

/* Checks memory that is copied or filled as a whole, in units as wide as its alignment and length
 * allow. */
static void range(const char *p, size_t n, int flags, uintptr_t pc)
{
    while (n > 0) {
        size_t piece = 16;
        while (piece > n || (uintptr_t)p % piece)
            piece /= 2;
        simt_access(p, piece, flags, pc);
        p += piece;
        n -= piece;
    }
}

void __tsan_read_range(void *p, size_t n);
void __tsan_read_range(void *p, size_t n)
{
    range(p, n, 0, HERE);
}

void __tsan_write_range(void *p, size_t n);
void __tsan_write_range(void *p, size_t n)
{
    range(p, n, SIMT_WRITE, HERE);
}

void *__tsan_memcpy(void *to, const void *from, size_t n);
void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    range(from, n, 0, HERE);
    range(to, n, SIMT_WRITE, HERE);
    return memcpy(to, from, n);
}

void *__tsan_memmove(void *to, const void *from, size_t n);
void *__tsan_memmove(void *to, const void *from, size_t n)
{
    range(from, n, 0, HERE);
    range(to, n, SIMT_WRITE, HERE);
    return memmove(to, from, n);
}

void *__tsan_memset(void *to, int value, size_t n);
void *__tsan_memset(void *to, int value, size_t n)
{
    range(to, n, SIMT_WRITE, HERE);
    return memset(to, value, n);
}

void __tsan_init(void), __tsan_func_entry(void *p), __tsan_func_exit(void);
void __tsan_vptr_read(void **p), __tsan_vptr_update(void **p, void *value);
void __tsan_init(void)
{
}
void __tsan_func_entry(void *p)
{
    (void)p;
}
void __tsan_func_exit(void)
{
}
void __tsan_vptr_read(void **p)
{
    (void)p;
}
void __tsan_vptr_update(void **p, void *value)
{
    (void)p;
    (void)value;
}

/* ---- atomics of the host ---- */

#define ATOMIC_TWO(bits, type, name, builtin)                                                      \
    type __tsan_atomic##bits##_##name(volatile type *p, type v, int order);                        \
    type __tsan_atomic##bits##_##name(volatile type *p, type v, int order)                         \
    {                                                                                              \
        (void)order;                                                                               \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                                    \
    }
#define ATOMICS(bits, type)                                                                        \
    type __tsan_atomic##bits##_load(const volatile type *p, int order);                            \
    type __tsan_atomic##bits##_load(const volatile type *p, int order)                             \
    {                                                                                              \
        (void)order;                                                                               \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order);                         \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order)                          \
    {                                                                                              \
        (void)order;                                                                               \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    ATOMIC_TWO(bits, type, exchange, __atomic_exchange_n)                                          \
    ATOMIC_TWO(bits, type, fetch_add, __atomic_fetch_add)                                          \
    ATOMIC_TWO(bits, type, fetch_sub, __atomic_fetch_sub)                                          \
    ATOMIC_TWO(bits, type, fetch_and, __atomic_fetch_and)                                          \
    ATOMIC_TWO(bits, type, fetch_or, __atomic_fetch_or)                                            \
    ATOMIC_TWO(bits, type, fetch_xor, __atomic_fetch_xor)                                          \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *e, type v, int good, \
                                                      int bad);                                    \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *e, type v, int good, \
                                                      int bad)                                     \
    {                                                                                              \
        (void)good;                                                                                \
        (void)bad;                                                                                 \
        return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *e, type v, int good,   \
                                                    int bad);                                      \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *e, type v, int good,   \
                                                    int bad)                                       \
    {                                                                                              \
        return __tsan_atomic##bits##_compare_exchange_strong(p, e, v, good, bad);                  \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order), __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
