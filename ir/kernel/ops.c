/* The tables of types and operators, read from types.def and ops.def. A new one needs only one line
 * there, which has its text in emitted programs as well. */
#include "ir/kernel/kernel.h"
#include "support/diag.h"
#include <math.h>

typedef struct type_info {
    const char *name, *suffix, *ctype;
    int bytes;
    bool real, is_unsigned;
    sq_type promoted;
    const char *least, *greatest;
} type_info;

#define X(id, ...) [id] = {__VA_ARGS__},
static const type_info types[SQ_NTYPES] = {
#include "ir/kernel/types.def"
};
#undef X

#define X(id, name, nargs, flops, infix, f32, f64, value)                                          \
    [id] = {name, nargs, flops, infix, {f32, f64}},
static const sq_op_info ops[SQ_NOPS] = {
#include "ir/kernel/ops.def"
};
#undef X

const char *sq_type_name(sq_type t)
{
    return types[t].name;
}

const char *sq_type_ctype(sq_type t)
{
    return types[t].ctype;
}

int sq_type_bytes(sq_type t)
{
    return types[t].bytes;
}

sq_type sq_type_integer(int bytes, bool is_unsigned)
{
    for (int t = 0; t < SQ_NTYPES; t++)
        if (!types[t].real && types[t].bytes == bytes && types[t].is_unsigned == is_unsigned)
            return (sq_type)t;
    sq_bug("types", "there is no integer of %d bytes", bytes);
}

const char *sq_type_suffix(sq_type t)
{
    return types[t].suffix;
}

bool sq_type_real(sq_type t)
{
    return types[t].real;
}

bool sq_type_unsigned(sq_type t)
{
    return types[t].is_unsigned;
}

sq_type sq_type_promoted(sq_type t)
{
    return types[t].promoted;
}

bool sq_type_stored(sq_type t)
{
    return types[t].real && types[t].promoted != t;
}

sq_type sq_type_held(sq_type t)
{
    return sq_type_stored(t) ? SQ_F32 : t;
}

const char *sq_type_least(sq_type t)
{
    return types[t].least;
}

const char *sq_type_greatest(sq_type t)
{
    return types[t].greatest;
}

/* For integers the wider type wins, for equal widths the unsigned one; a wider signed type
 * represents all values of a narrower unsigned one. */
sq_type sq_type_common(sq_type a, sq_type b)
{
    a = types[a].promoted;
    b = types[b].promoted;
    if (a == SQ_F64 || b == SQ_F64)
        return SQ_F64;
    if (types[a].real || types[b].real)
        return SQ_F32;
    if (types[a].bytes != types[b].bytes)
        return types[a].bytes > types[b].bytes ? a : b;
    return types[a].is_unsigned ? a : b;
}

int64_t sq_type_wrap(sq_type t, int64_t value)
{
    int unused = 64 - 8 * types[t].bytes;
    uint64_t high = (uint64_t)value << unused;
    return types[t].is_unsigned ? (int64_t)(high >> unused) : (int64_t)high >> unused;
}

bool sq_type_holds(sq_type wide, sq_type narrow)
{
    return !types[wide].real && !types[narrow].real &&
           types[narrow].bytes < types[wide].bytes &&
           (types[narrow].is_unsigned || !types[wide].is_unsigned);
}

/* Rounds to a multiple of the unit of the last of `digits` binary digits, which is at least that of
 * the smallest normal number 2^least; the first power out of range is 2^(2-least). */
static double round_narrow(double x, int digits, int least)
{
    int exponent;
    if (x == 0 || !isfinite(x))
        return x;
    frexp(x, &exponent);
    double unit = ldexp(1, (exponent - 1 > least ? exponent - 1 : least) - digits + 1);
    double r = nearbyint(x / unit) * unit;
    return fabs(r) >= ldexp(1, 2 - least) ? copysign(INFINITY, x) : copysign(r, x);
}

double sq_type_round(sq_type t, double value)
{
    if (t == SQ_F16)
        return round_narrow(value, 11, -14);
    if (t == SQ_BF16)
        return round_narrow(value, 8, -126);
    return t == SQ_F32 ? (double)(float)value : value;
}

const sq_op_info *sq_op_get(sq_op op)
{
    return &ops[op];
}

bool sq_op_takes_words(sq_op op)
{
    return op == SQ_OP_DOT4 || op == SQ_OP_DOT2 || op == SQ_OP_SAD4;
}

bool sq_op_compares(sq_op op)
{
    return op >= SQ_OP_LT && op <= SQ_OP_NE;
}

bool sq_op_is_condition(sq_op op)
{
    return sq_op_compares(op) || op == SQ_OP_AND || op == SQ_OP_OR || op == SQ_OP_NOT;
}
