/* Check convert: see check_convert.h. What is expected follows from how the language rounds
 * (sq_type_round), which shares nothing with what is emitted. */
#include "cli/check_convert.h"
#include "ir/kernel/kernel.h"
#include <math.h>
#include <string.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>

/* Ends of f16 and bf16, numbers on either side of them and of the middle between two values, in bits
 * of f32; infinities and numbers that are none. */
static const uint32_t floats[] = {
    0x00000000, 0x80000000, 0x00000001, 0x00007fff, 0x00008000, 0x00008001, 0x00018000, 0x807fffff,
    0x00800000, 0x32ffffff, 0x33000000, 0x33000001, 0x337fffff, 0x33800000, 0x33c00000, 0xb3c00001,
    0x387fc000, 0x387fdfff, 0x387fe000, 0x387ff000, 0xb87fffff, 0x38800000, 0x38801000, 0x3f7fffff,
    0x3f800000, 0x3f801000, 0x3f801001, 0x3f803000, 0x3f807fff, 0x3f808000, 0x3f808001, 0xbf818000,
    0x477fe000, 0x477fefff, 0x477ff000, 0xc77ff000, 0x47800000, 0x7f7f7fff, 0x7f7f8000, 0xff7fffff,
    0x7f800000, 0xff800000, 0x7f800001, 0xff801fff, 0x7fbfffff, 0x7fc00000, 0xffffffff};

/* Of either type: least, subnormal, ordinary, largest, infinite and no number. */
static const uint16_t halves[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x03ff,
                                  0x83ff, 0x0400, 0x3bff, 0x3c00, 0x3f80, 0xbf81, 0x7bff,
                                  0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0x7f7f, 0xff7f,
                                  0x7f80, 0xff80, 0x7f81, 0xffff};

static const double doubles[] = {0,
                                 -0.0,
                                 1,
                                 1 + 0x1p-40,
                                 -1 - 0x1p-40,
                                 1 - 0x1p-40,
                                 1 + 0x1p-24,
                                 1 + 0x1p-11 + 0x1p-50,
                                 1 + 0x1p-8 - 0x1p-50,
                                 65520 - 0x1p-30,
                                 -65520 - 0x1p-30,
                                 0x1p-25 + 0x1p-70,
                                 0x1p-149,
                                 0x1p-150,
                                 -0x1p-151,
                                 1e-300,
                                 0x1.fffffep127,
                                 0x1.ffffff8p127,
                                 -1e300,
                                 INFINITY,
                                 -INFINITY,
                                 NAN};

/* With and without a sign: ends of what a double holds exactly and of the types; what is left over
 * below the last bits of a double, and nothing. */
static const uint64_t integers[] = {0,
                                    1,
                                    UINT64_MAX,
                                    UINT64_C(1) << 52,
                                    (UINT64_C(1) << 53) - 1,
                                    UINT64_C(1) << 53,
                                    (UINT64_C(1) << 53) + 1,
                                    0 - (UINT64_C(1) << 53) - 1,
                                    (UINT64_C(1) << 60) + 2048,
                                    (UINT64_C(1) << 60) + 4096,
                                    0 - (UINT64_C(1) << 60) - 4097,
                                    INT64_MAX,
                                    UINT64_C(1) << 63};

typedef enum bits { BITS_HALF, BITS_F32, BITS_F64, BITS_I64, BITS_U64 } bits;

#define COUNT(x) ((int)(sizeof x / sizeof *x))
/* How many numbers of each are tried; all bits but the sign's, and where NaNs begin. */
static const struct kind {
    const char *type;
    int count;
    const char *mask, *infinite;
} kinds[] = {[BITS_HALF] = {"uint16_t", COUNT(halves), "0x7fff", NULL},
             [BITS_F32] = {"float", COUNT(floats), "0x7fffffff", "0x7f800000"},
             [BITS_F64] = {"double", COUNT(doubles), "0x7fffffffffffffff", "0x7ff0000000000000"},
             [BITS_I64] = {"__INT64_TYPE__", COUNT(integers), NULL, NULL},
             [BITS_U64] = {"__UINT64_TYPE__", COUNT(integers), NULL, NULL}};

static uint64_t bits_of_float(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* Of a type of 16 bits: digits behind the first, exponent of the least normal number. */
static const struct half {
    sq_type type;
    int digits, least;
} f16 = {SQ_F16, 10, -14}, bf16 = {SQ_BF16, 7, -126};

/* The nearest one's bits. */
static uint64_t half_of_float(uint64_t from, const struct half *h)
{
    uint32_t u = (uint32_t)from;
    float f;
    memcpy(&f, &u, sizeof f);
    double x = fabs(sq_type_round(h->type, f));
    uint64_t sign = signbit(f) ? 0x8000 : 0, infinite = 0x8000u - (1u << h->digits);
    if (!isfinite(x))
        return isnan(x) ? infinite + 1 : sign | infinite;
    int exponent = x < ldexp(1, h->least) ? h->least : ilogb(x);
    return sign |
           (uint64_t)(ldexp(x, h->digits - exponent) + ldexp(exponent - h->least, h->digits));
}

static uint64_t float_of_half(uint64_t from, const struct half *h)
{
    int exponent = (int)(from & 0x7fff) >> h->digits, most = 0x7fff >> h->digits;
    int rest = (int)from & ((1 << h->digits) - 1), one = exponent ? 1 << h->digits : 0;
    double size = exponent == most
                      ? (rest ? NAN : INFINITY)
                      : ldexp(rest + one, (exponent ? exponent - 1 : 0) + h->least - h->digits);
    return bits_of_float((float)(from >> 15 ? -size : size));
}

static uint64_t to_f16(uint64_t from)
{
    return half_of_float(from, &f16);
}

static uint64_t to_bf16(uint64_t from)
{
    return half_of_float(from, &bf16);
}

static uint64_t of_f16(uint64_t from)
{
    return float_of_half(from, &f16);
}

static uint64_t of_bf16(uint64_t from)
{
    return float_of_half(from, &bf16);
}

/* Towards 0, and its last bit set where that is not exact. */
static uint64_t to_odd(uint64_t from)
{
    double d;
    memcpy(&d, &from, sizeof d);
    float near = (float)d;
    if (isnan(d) || (double)near == d)
        return bits_of_float(near);
    if (fabs((double)near) > fabs(d))
        near = nextafterf(near, 0);
    return bits_of_float(copysignf(near, (float)d)) | 1;
}

/* What a double holds of an integer, and half of its last bit where something is left over. */
static uint64_t double_of_size(uint64_t size, double sign)
{
    uint64_t unit = size > UINT64_C(1) << 53 ? 4096 : 1;
    double d = sign * (ldexp((double)(size / unit), unit > 1 ? 12 : 0) + (size % unit ? 2048 : 0));
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static uint64_t of_i64(uint64_t from)
{
    return from >> 63 ? double_of_size(0 - from, -1) : double_of_size(from, 1);
}

static uint64_t of_u64(uint64_t from)
{
    return double_of_size(from, 1);
}

/* Conversions as the emitter calls them behind its prefix; infinite: where the NaNs of halves begin,
 * which have two types. */
static const struct conversion {
    const char *name, *parameter;
    bits from, to;
    const char *infinite;
    uint64_t (*expected)(uint64_t from);
} conversions[] = {{"f16_bits", "float value", BITS_F32, BITS_HALF, "0x7c00", to_f16},
                   {"bf16_bits", "float value", BITS_F32, BITS_HALF, "0x7f80", to_bf16},
                   {"f16_get", "uint16_t h", BITS_HALF, BITS_F32, NULL, of_f16},
                   {"bf16_get", "uint16_t h", BITS_HALF, BITS_F32, NULL, of_bf16},
                   {"odd_f32", "double value", BITS_F64, BITS_F32, NULL, to_odd},
                   {"odd_i64", "int64_t value", BITS_I64, BITS_F64, NULL, of_i64},
                   {"odd_u64", "uint64_t size", BITS_U64, BITS_F64, NULL, of_u64}};
enum { NCONVERSIONS = sizeof conversions / sizeof conversions[0] };

static uint64_t number(bits kind, int i)
{
    uint64_t u;
    if (kind == BITS_I64 || kind == BITS_U64)
        return integers[i];
    if (kind != BITS_F64)
        return kind == BITS_HALF ? halves[i] : floats[i];
    memcpy(&u, &doubles[i], sizeof u);
    return u;
}

/* ---- where it is ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where a user has the name, the emitter's gets underscores behind it. */
static bool is_named(const char *name, size_t n, const char *root, const char *as)
{
    size_t front = strlen(root), behind = strlen(as);
    while (n > 0 && name[n - 1] == '_')
        n--;
    return n > front + behind && strncmp(name, root, front) == 0 && name[front] == '_' &&
           name[n - behind - 1] == '_' && strncmp(name + n - behind, as, behind) == 0;
}

/* What the text calls a conversion of the kernel's, where it defines it; NULL: it does not. */
static const char *find(const char *text, const char *root, const struct conversion *c, sq_arena *a)
{
    const char *head = sq_arena_printf(a, "(%s)", c->parameter);
    for (const char *at = strstr(text, head); at; at = strstr(at + 1, head)) {
        const char *body = at + strlen(head), *from = at;
        while (from > text && is_word(from[-1]))
            from--;
        body += strspn(body, " \t\r\n");
        if (*body == '{' && is_named(from, (size_t)(at - from), root, c->name))
            return sq_arena_strndup(a, from, (size_t)(at - from));
    }
    return NULL;
}

const char *sq_check_convert_entry(const char *text, const char *root, sq_arena *a)
{
    for (int i = 0; i < NCONVERSIONS; i++)
        if (find(text, root, &conversions[i], a))
            return sq_arena_printf(a, "squall_convert_%s", root);
    return NULL;
}

/* ---- the function ---- */

static void put_numbers(const struct conversion *c, bool expected, sq_text *to)
{
    for (int i = 0; i < kinds[c->from].count; i++) {
        uint64_t from = number(c->from, i);
        sq_text_printf(to, "%s0x%" PRIx64 "u", i ? ", " : "", expected ? c->expected(from) : from);
    }
}

/* A NaN is as good as any other. */
static void put_conversion(const struct conversion *c, const char *name, sq_text *to)
{
    sq_text_printf(to, "    {\n        static const __UINT64_TYPE__ from[] = {");
    put_numbers(c, false, to);
    sq_text_puts(to, "}, to[] = {");
    put_numbers(c, true, to);
    sq_text_printf(to,
                   "};\n        const __UINT64_TYPE__ mask = %s, infinite = %s;\n"
                   "        for (int i = 0; i < %d; i++) {\n"
                   "            __UINT64_TYPE__ bits = 0;\n            %s x;\n"
                   "            __builtin_memcpy(&x, &from[i], sizeof x);\n"
                   "            const %s y = %s(x);\n"
                   "            __builtin_memcpy(&bits, &y, sizeof y);\n"
                   "            if ((to[i] & mask) > infinite ? (bits & mask) <= infinite\n"
                   "                                               : bits != to[i])\n"
                   "                __builtin_abort();\n        }\n    }\n",
                   kinds[c->to].mask, c->infinite ? c->infinite : kinds[c->to].infinite,
                   kinds[c->from].count, kinds[c->from].type, kinds[c->to].type, name);
}

void sq_check_convert_put(const char *text, const char *root, const char *entry, sq_arena *a,
                          sq_text *to)
{
    const char *own = sq_check_convert_entry(text, root, a);
    if (!own)
        return;
    /* what is inlined always needs a caller for the same processor */
    sq_text_printf(to,
                   "\n#ifndef SQ_TARGET\n#define SQ_TARGET\n#endif\n"
                   "SQ_RUN(static SQ_TARGET void %s_all(void)\n{\n",
                   own);
    for (int i = 0; i < NCONVERSIONS; i++) {
        const char *name = find(text, root, &conversions[i], a);
        if (name)
            put_conversion(&conversions[i], name, to);
    }
    sq_text_printf(to,
                   "}\nextern void %s(void *const *);\n"
                   "void %s(void *const *arg);\nvoid %s(void *const *arg)\n"
                   "{\n    %s_all();\n    %s(arg);\n})\n",
                   entry, own, own, own, entry);
}
