/* Arithmetic of the evaluator, after docs/LANGUAGE.md, "Types" and "Rounding":
 *
 * - integers have C's types and promotions and wrap around, the signed ones too; division is toward
 *   zero;
 * - f32 and f64 are computed in double here. A result that the type holds exactly, of operands that
 *   are exact, has no error; any other has an error of some units in the last place, which is
 *   carried on. That allows for fused multiplications and for any order of a sum;
 * - f16 and bf16 are f32 when read, and rounded to nearest even when stored or cast;
 * - where an error might change a choice or an integer, nothing is known (e is infinite). */
#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double eps(enum type type)
{
    return type == F64 ? 0x1p-51 : 0x1p-22;
}

int64_t wrap(int64_t x, enum type type)
{
    switch (type) {
    case I8: return (int8_t)x;
    case I16: return (int16_t)x;
    case I32: return (int32_t)x;
    case U8: return (uint8_t)x;
    case U16: return (uint16_t)x;
    case U32: return (uint32_t)x;
    default: return x;
    }
}

/* To nearest, ties to even, of `bits` significant bits above the least exponent. */
double round_to_half(double x, enum type type)
{
    int bits = type == F16 ? 11 : 8, least = type == F16 ? -24 : -133, exponent;
    if (x == 0 || !isfinite(x))
        return x;
    frexp(x, &exponent);
    int unit = exponent - bits > least ? exponent - bits : least;
    double y = ldexp(nearbyint(ldexp(x, -unit)), unit);
    return fabs(y) > (type == F16 ? 65504.0 : 0x1.fep127) ? copysign(INFINITY, x) : y;
}

static struct value unknown(enum type type)
{
    return (struct value){.e = INFINITY, .type = type};
}

/* A floating result with the error of its operands, rounded. */
static struct value rounded(enum type type, double v, double e)
{
    if (!isfinite(v) || !(e < INFINITY) || (type == F32 && fabs(v) > 3e38))
        return unknown(type);
    bool exact = e == 0 && type == F32 && (double)(float)v == v && (v == 0 || fabs(v) > 1e-37);
    if (!exact)
        e += fabs(v) * eps(type) + (type == F32 ? 1e-44 : 1e-320);
    return (struct value){v, e, 0, type};
}

struct value value_number(enum type type, double number)
{
    return (struct value){number, 0, (int64_t)number, type};
}

struct value value_sum_rounded(struct value x, double magnitude, int64_t terms)
{
    if (!isfinite(x.v) || !(x.e < INFINITY))
        return unknown(x.type);
    x.e += magnitude * eps(x.type) * (double)(terms + 2);
    return x;
}

static struct value float_to_integer(struct value x, enum type type)
{
    double least = trunc(x.v - x.e), most = trunc(x.v + x.e);
    if (!(x.e < INFINITY) || least != most || fabs(x.v) > 0x1p62)
        return unknown(type);
    int64_t i = (int64_t)x.v;
    if (wrap(i, type) != i || (type == U64 && i < 0))
        return unknown(type); /* the result does not fit: C leaves it open */
    return (struct value){.i = i, .type = type};
}

static double as_double(struct value x)
{
    if (type_floats(x.type))
        return x.v;
    return x.type == U64 ? (double)(uint64_t)x.i : (double)x.i;
}

static struct value narrowed(struct value x, enum type type)
{
    double y = round_to_half(x.v, type);
    double error = x.e == 0 ? 0 : x.e + (fabs(x.v) + x.e) * (type == F16 ? 0x1p-10 : 0x1p-7)
        + (type == F16 ? 0x1p-24 : 1e-38);
    if (!isfinite(y) || !(x.e < INFINITY))
        return unknown(F32);
    return (struct value){y, error, 0, F32};
}

/* What C's conversion gives; the storage types give f32 that is rounded to them. */
struct value value_convert(struct value x, enum type type)
{
    if (x.type == type)
        return x;
    if (!type_floats(type)) {
        if (type_floats(x.type))
            return float_to_integer(x, type);
        x.i = wrap(x.i, type);
        x.type = type;
        return x;
    }
    if (type == F16 || type == BF16)
        return narrowed((struct value){as_double(x), x.e, 0, F64}, type);
    bool below_zero = x.type == U64 && x.i < 0; /* those are the large ones */
    if (!type_floats(x.type) && !below_zero && llabs(x.i) <= (1 << 24))
        return (struct value){(double)x.i, x.e, 0, type};
    if (type == F64 && type_floats(x.type))
        return (struct value){x.v, x.e, 0, F64};
    return rounded(type, as_double(x), x.e);
}

static struct value float_binary(enum op op, struct value a, struct value b)
{
    double x = a.v, y = b.v;
    switch (op) {
    case OP_ADD: return rounded(a.type, x + y, a.e + b.e);
    case OP_SUB: return rounded(a.type, x - y, a.e + b.e);
    case OP_MUL: return rounded(a.type, x * y, fabs(x) * b.e + fabs(y) * a.e + a.e * b.e);
    case OP_DIV:
        if (fabs(y) <= 2 * b.e || y == 0)
            return unknown(a.type);
        return rounded(a.type, x / y, (a.e + fabs(x / y) * b.e) / (fabs(y) - b.e));
    default: return unknown(a.type);
    }
}

static struct value float_compare(enum op op, struct value a, struct value b)
{
    double d = a.v - b.v;
    if (!(a.e + b.e < INFINITY) || (a.e + b.e > 0 && fabs(d) <= a.e + b.e))
        return unknown(I32);
    bool r = op == OP_LT ? d < 0 : op == OP_LE ? d <= 0 : op == OP_GT ? d > 0
        : op == OP_GE ? d >= 0 : op == OP_EQ ? d == 0 : d != 0;
    return (struct value){.i = r, .type = I32};
}

static struct value integer_compare(enum op op, struct value a, struct value b)
{
    int64_t x = a.i, y = b.i;
    if (!type_signed(a.type)) /* order unsigned numbers as signed ones */
        x ^= INT64_MIN, y ^= INT64_MIN;
    bool r = op == OP_LT ? x < y : op == OP_LE ? x <= y : op == OP_GT ? x > y
        : op == OP_GE ? x >= y : op == OP_EQ ? x == y : x != y;
    return (struct value){.i = r, .e = a.e + b.e, .type = I32};
}

static int64_t divide(enum op op, int64_t x, int64_t y, enum type type)
{
    if (type == U64) {
        uint64_t q = (uint64_t)x, d = (uint64_t)y;
        return (int64_t)(op == OP_DIV ? q / d : q % d);
    }
    return op == OP_DIV ? x / y : x % y;
}

static int64_t shift(enum op op, int64_t x, int64_t y, enum type type)
{
    if (op == OP_SHL)
        return (int64_t)((uint64_t)x << y);
    return type == U64 ? (int64_t)((uint64_t)x >> y) : x >> y;
}

static struct value integer_binary(enum op op, struct value a, struct value b)
{
    uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    int64_t r = 0;
    if ((op == OP_DIV || op == OP_MOD) && b.i == 0)
        return unknown(a.type);
    switch (op) {
    case OP_ADD: r = (int64_t)(x + y); break;
    case OP_SUB: r = (int64_t)(x - y); break;
    case OP_MUL: r = (int64_t)(x * y); break;
    case OP_AND: r = (int64_t)(x & y); break;
    case OP_OR: r = (int64_t)(x | y); break;
    case OP_XOR: r = (int64_t)(x ^ y); break;
    case OP_SHL:
    case OP_SHR: r = shift(op, a.i, b.i, a.type); break;
    default: r = divide(op, a.i, b.i, a.type); break;
    }
    return (struct value){.i = wrap(r, a.type), .e = a.e + b.e, .type = a.type};
}

struct value value_binary(enum op op, struct value a, struct value b)
{
    if (op == OP_SHL || op == OP_SHR) {
        a = value_convert(a, type_promoted(a.type));
        return integer_binary(op, a, b);
    }
    enum type type = type_common(a.type, b.type);
    a = value_convert(a, type);
    b = value_convert(b, type);
    if (op >= OP_LT && op <= OP_NE)
        return type_floats(type) ? float_compare(op, a, b) : integer_compare(op, a, b);
    return type_floats(type) ? float_binary(op, a, b) : integer_binary(op, a, b);
}

/* The nearest number of an integer type; of a fraction what a cast gives. */
struct value value_saturate(struct value x, enum type type)
{
    int bits = 8 * type_bytes(type) - type_signed(type);
    double most = ldexp(1, bits), least = type_signed(type) ? -most : 0;
    if (!(x.e < INFINITY))
        return unknown(type);
    if (type_floats(x.type) && (x.v - x.e >= most || x.v + x.e <= least)) {
        uint64_t end = x.v > 0 ? (bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1)
            : type_signed(type) ? (uint64_t)0 - ((uint64_t)1 << bits) : 0;
        return (struct value){.i = (int64_t)end, .type = type};
    }
    if (fabs(x.v) > 0x1p61)
        return unknown(type);
    return float_to_integer(x, type);
}

static double derivative(enum call call, double x, double y)
{
    switch (call) {
    case CALL_SQRT: return y > 0 ? 0.5 / y : INFINITY;
    case CALL_EXP:
    case CALL_EXP2: return y;
    default: return 1 + 0 * x;
    }
}

static struct value value_whole(enum call call, struct value x)
{
    double least = x.v - x.e, most = x.v + x.e;
    bool up = call == CALL_CEIL;
    if (!(x.e < INFINITY) || (up ? ceil(least) != ceil(most) : floor(least) != floor(most)))
        return unknown(x.type);
    return (struct value){up ? ceil(x.v) : floor(x.v), 0, 0, x.type};
}

/* Logarithms and rsqrt are of numbers from 1 on, so that no derivative is above 2. */
struct value value_call(enum call call, struct value x)
{
    double y = 0;
    switch (call) {
    case CALL_FABS: return (struct value){fabs(x.v), x.e, 0, x.type};
    case CALL_SQRT: y = sqrt(x.v); break;
    case CALL_EXP: y = exp(x.v); break;
    case CALL_TANH: y = tanh(x.v); break;
    case CALL_SIN: y = sin(x.v); break;
    case CALL_COS: y = cos(x.v); break;
    case CALL_EXP2: y = exp2(x.v); break;
    case CALL_LOG: y = log(x.v); break;
    case CALL_LOG2: y = log2(x.v); break;
    case CALL_ERF: y = erf(x.v); break;
    case CALL_SIGMOID: y = 1 / (1 + exp(-x.v)); break;
    case CALL_RSQRT: y = 1 / sqrt(x.v); break;
    case CALL_FLOOR:
    case CALL_CEIL: return value_whole(call, x);
    default: return unknown(x.type);
    }
    if (!(x.e < 1e10) || !isfinite(y))
        return unknown(x.type);
    double e = x.e ? x.e * 2 * derivative(call, x.v, y) : 0;
    if (call == CALL_SQRT && x.e > 0 && x.v < 4 * x.e)
        e = 2 * sqrt(x.v + x.e);
    return rounded(x.type, y, e + fabs(y) * 2 * eps(x.type));
}
