/* Element: values of array elements of any type. f16 and bf16 are stored as bits and represented
 * exactly by a double. Everything is inline, so that case.c can be built without further files. */
#ifndef SQ_RUNTIME_ELEMENT_H
#define SQ_RUNTIME_ELEMENT_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum sq_element {
    SQ_CASE_F32,
    SQ_CASE_F64,
    SQ_CASE_F16,
    SQ_CASE_BF16,
    SQ_CASE_I8,
    SQ_CASE_I16,
    SQ_CASE_I32,
    SQ_CASE_I64,
    SQ_CASE_U8,
    SQ_CASE_U16,
    SQ_CASE_U32,
    SQ_CASE_U64,
    SQ_CASE_TYPES
} sq_element;

/* digits: of the significand without the leading bit; least: exponent of the smallest normal
 * number. */
typedef struct sq_element_info {
    const char *name;
    size_t bytes;
    int real, is_unsigned, digits, least;
} sq_element_info;

static const sq_element_info sq_elements[SQ_CASE_TYPES] = {
    {"f32", 4, 1, 0, 23, -126},  {"f64", 8, 1, 0, 52, -1022}, {"f16", 2, 1, 0, 10, -14},
    {"bf16", 2, 1, 0, 7, -126},  {"int8_t", 1, 0, 0, 0, 0},   {"int16_t", 2, 0, 0, 0, 0},
    {"int32_t", 4, 0, 0, 0, 0},  {"int64_t", 8, 0, 0, 0, 0},  {"uint8_t", 1, 0, 1, 0, 0},
    {"uint16_t", 2, 0, 1, 0, 0}, {"uint32_t", 4, 0, 1, 0, 0}, {"uint64_t", 8, 0, 1, 0, 0},
};

/* Returns the type of this name; -1 if there is none. */
static inline int sq_element_named(const char *name)
{
    for (int t = 0; t < SQ_CASE_TYPES; t++)
        if (strcmp(name, sq_elements[t].name) == 0)
            return t;
    return -1;
}

/* Returns 2 to that power, which must be a normal number: libm's ldexp takes most of the time of a
 * conversion. */
static inline double sq_power(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Returns the exponent of a number; one below all normal exponents for 0 and subnormals. */
static inline int sq_exponent(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

static inline double sq_narrow_value(uint16_t h, const sq_element_info *t)
{
    int exponent = (h & 0x7fff) >> t->digits, most = 0x7fff >> t->digits;
    int rest = h & ((1 << t->digits) - 1);
    double size = exponent == most ? (rest != 0 ? NAN : INFINITY)
                  : exponent
                      ? (rest + (1 << t->digits)) * sq_power(exponent - 1 + t->least - t->digits)
                      : rest * sq_power(t->least - t->digits);
    return h >> 15 ? -size : size;
}

/* Returns the bits of the nearest 16-bit float. */
static inline uint16_t sq_narrow_bits(double value, const sq_element_info *t)
{
    unsigned sign = signbit(value) ? 0x8000 : 0, infinite = 0x8000u - (1u << t->digits);
    if (isnan(value))
        return (uint16_t)(infinite + (1u << (t->digits - 1)));
    if (isinf(value))
        return (uint16_t)(sign | infinite);
    int exponent = sq_exponent(value) < t->least ? t->least : sq_exponent(value);
    double units = fabs(value) * sq_power(t->digits - exponent);
    units = units + 0x1p52 - 0x1p52; /* rounds to an integer, as sums are rounded */
    double bits = units + (double)(exponent - t->least) * (1 << t->digits);
    return (uint16_t)(sign | (bits > infinite ? infinite : (unsigned)bits));
}

/* Returns the bits of element i. Copies of constant size are single loads. */
static inline uint64_t sq_element_bits(const void *at, size_t i, sq_element type)
{
    const unsigned char *from = (const unsigned char *)at + i * sq_elements[type].bytes;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (sq_elements[type].bytes) {
    case 1:
        return *from;
    case 2:
        memcpy(&two, from, sizeof two);
        return two;
    case 4:
        memcpy(&four, from, sizeof four);
        return four;
    default:
        memcpy(&eight, from, sizeof eight);
        return eight;
    }
}

/* Returns element i of an integer type; for unsigned 64 bits, the int64_t with the same bits. */
static inline int64_t sq_element_get_integer(const void *at, size_t i, sq_element type)
{
    const sq_element_info *t = &sq_elements[type];
    uint64_t u = sq_element_bits(at, i, type);
    int unused = 64 - 8 * (int)t->bytes;
    return t->is_unsigned ? (int64_t)u : (int64_t)(u << unused) >> unused;
}

/* Returns element i as a double; for 64-bit integers the nearest one. */
static inline double sq_element_get(const void *at, size_t i, sq_element type)
{
    const sq_element_info *t = &sq_elements[type];
    float f;
    double d;
    if (!t->real && t->is_unsigned)
        return (double)sq_element_bits(at, i, type);
    if (!t->real)
        return (double)sq_element_get_integer(at, i, type);
    if (t->bytes == 2)
        return sq_narrow_value((uint16_t)sq_element_bits(at, i, type), t);
    memcpy(&f, (const unsigned char *)at + i * t->bytes, sizeof f);
    if (t->bytes == 4)
        return f;
    memcpy(&d, (const unsigned char *)at + i * t->bytes, sizeof d);
    return d;
}

static inline void sq_element_put_integer(void *at, size_t i, sq_element type, int64_t value)
{
    size_t bytes = sq_elements[type].bytes;
    memcpy((unsigned char *)at + i * bytes, &value, bytes); /* little endian */
}

/* Stores the nearest value of a floating-point type. */
static inline void sq_element_put(void *at, size_t i, sq_element type, double value)
{
    const sq_element_info *t = &sq_elements[type];
    unsigned char *to = (unsigned char *)at + i * t->bytes;
    float f = (float)value;
    if (t->bytes == 4) {
        memcpy(to, &f, sizeof f);
    } else if (t->bytes == 8) {
        memcpy(to, &value, sizeof value);
    } else {
        uint16_t h = sq_narrow_bits(value, t);
        memcpy(to, &h, sizeof h);
    }
}
#endif
