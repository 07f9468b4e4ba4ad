/* Atomics and fences. Fibres switch only where they wait, so that a read-modify-write is atomic. */
#include "runtime/simt/simt.h"
#include <string.h>

static const size_t bytes_of[] = {
    [SIMT_S32] = 4, [SIMT_U32] = 4, [SIMT_S64] = 8,  [SIMT_U64] = 8, [SIMT_F32] = 4,
    [SIMT_F64] = 8, [SIMT_F16] = 2, [SIMT_BF16] = 2, [SIMT_U16] = 2,
};

static float f32_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static uint64_t bits_of_f32(float x)
{
    uint32_t low;
    memcpy(&low, &x, sizeof low);
    return low;
}

static uint64_t add_f64(uint64_t a, uint64_t b)
{
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static uint64_t add(int type, uint64_t a, uint64_t b)
{
    switch (type) {
    case SIMT_F32:
        return bits_of_f32(f32_of(a) + f32_of(b));
    case SIMT_F64:
        return add_f64(a, b);
    case SIMT_F16:
        return simt_to_f16((double)simt_from_f16((uint16_t)a) + simt_from_f16((uint16_t)b));
    case SIMT_BF16:
        return simt_to_bf16((double)simt_from_bf16((uint16_t)a) + simt_from_bf16((uint16_t)b));
    default:
        return a + b;
    }
}

static bool is_less(int type, uint64_t a, uint64_t b)
{
    switch (type) {
    case SIMT_S32:
        return (int32_t)a < (int32_t)b;
    case SIMT_S64:
        return (int64_t)a < (int64_t)b;
    case SIMT_U32:
        return (uint32_t)a < (uint32_t)b;
    default:
        return a < b;
    }
}

static uint64_t result_of(int what, int type, uint64_t old, uint64_t value, uint64_t compare)
{
    switch (what) {
    case SIMT_ADD:
        return add(type, old, value);
    case SIMT_SUB:
        return old - value;
    case SIMT_MIN:
        return is_less(type, value, old) ? value : old;
    case SIMT_MAX:
        return is_less(type, old, value) ? value : old;
    case SIMT_EXCH:
        return value;
    case SIMT_CAS:
        return old == compare ? value : old;
    case SIMT_BIT_AND:
        return old & value;
    case SIMT_BIT_OR:
        return old | value;
    case SIMT_BIT_XOR:
        return old ^ value;
    case SIMT_INC:
        return old >= value ? 0 : old + 1;
    default: /* SIMT_DEC */
        return old == 0 || old > value ? value : old - 1;
    }
}

uint64_t simt_atomic(int what, int type, void *at, uint64_t value, uint64_t compare)
{
    size_t n = bytes_of[type];
    uint64_t old = 0, now;
    if (simt_now.running) {
        simt_access(at, n, SIMT_WRITE | SIMT_ATOMIC, (uintptr_t)__builtin_return_address(0));
        simt_sync_acquire(at);
        simt_sync_release(at);
    }
    memcpy(&old, at, n);
    now = result_of(what, type, old, value, compare);
    memcpy(at, &now, n);
    return old;
}

void simt_fence(void)
{
    if (simt_now.running)
        simt_now.self->fenced = simt_now.epoch + 1;
}
