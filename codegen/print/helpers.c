/* Helpers: rows of text; see helpers.h. "$" stands for the prefix. f16 and bf16 are converted by
 * integer arithmetic: exact for every value, whatever the rounding mode, the flushing of denormals
 * or the compiler's flags. A device has instructions, which are exact as well, except for the bits
 * of NaN; where its text runs on a CPU, library functions replace them. */
#include "codegen/print/helpers.h"
#include "ir/kernel/kernel.h"
#include <stdio.h>
#include <string.h>

/* Two adjacent values: one instruction of a device. */
#define PAIR(type)                                                                                 \
    {                                                                                              \
        type "_bits2", "The same of two values, the first in the lower bits.",                     \
            "uint32_t $" type "_bits2(float low, float high)\n"                                    \
            "{\n"                                                                                  \
            "    return $" type "_bits(low) | (uint32_t)$" type "_bits(high) << 16;\n"             \
            "}\n",                                                                                 \
            {type "_bits"}, NULL, NULL,                                                            \
            "    uint32_t h;\n"                                                                    \
            "    asm(\"cvt.rn." type                                                               \
            "x2.f32 %0, %1, %2;\" : \"=r\"(h) : \"f\"(high), \"f\"(low));\n"                       \
            "    return h;\n"                                                                      \
    }

/* A row comes after those that it needs. */
enum { MOST_CALLS = 3 };
static const struct row {
    const char *name, *comment, *text;
    const char *calls[MOST_CALLS]; /* earlier rows that the text calls */
    const char *f16c, *simt, *ptx;
} rows[] = {
    {"f16_get", "The value of an f16.",
     "float $f16_get(uint16_t h)\n"
     "{\n"
     "    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;\n"
     "    float tiny = (float)(h & 0x3ff) * 0x1p-24f, value;\n"
     "    uint32_t bits = rest + (rest < 0x0f800000 ? 0x38000000u : 0x70000000u);\n"
     "    if (rest < 0x00800000)\n"
     "        memcpy(&bits, &tiny, sizeof bits);\n"
     "    bits |= sign;\n"
     "    memcpy(&value, &bits, sizeof value);\n"
     "    return value;\n"
     "}\n",
     {0},
     "float $f16_get(uint16_t h)\n"
     "{\n"
     "    typedef short w __attribute__((vector_size(16)));\n"
     "    return __builtin_ia32_vcvtph2ps((w){(short)h})[0];\n"
     "}\n",
     "    return simt_from_f16(h);\n",
     "    float value;\n"
     "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(value) : \"h\"(h));\n"
     "    return value;\n"},
    {"f16_bits", "The nearest f16, ties to even.",
     "uint16_t $f16_bits(float value)\n"
     "{\n"
     "    uint32_t bits, sign, up, by;\n"
     "    memcpy(&bits, &value, sizeof bits);\n"
     "    sign = bits >> 16 & 0x8000;\n"
     "    bits &= 0x7fffffff;\n"
     "    if (bits > 0x7f800000)\n"
     "        return (uint16_t)(sign | 0x7e00 | (bits >> 13 & 0x3ff));\n"
     "    if (bits >= 0x477ff000)\n"
     "        return (uint16_t)(sign | 0x7c00);\n"
     "    if (bits < 0x33000000)\n"
     "        return (uint16_t)sign;\n"
     "    if (bits >= 0x38800000)\n"
     "        return (uint16_t)(sign | (bits - 0x37fff001 + (bits >> 13 & 1)) >> 13);\n"
     "    by = 126 - (bits >> 23);\n"
     "    bits = (bits & 0x7fffff) | 0x800000;\n"
     "    up = ((1u << (by - 1)) - 1) + (bits >> by & 1);\n"
     "    return (uint16_t)(sign | (bits + up) >> by);\n"
     "}\n",
     {0},
     "uint16_t $f16_bits(float value)\n"
     "{\n"
     "    typedef float w __attribute__((vector_size(16)));\n"
     "    return (uint16_t)__builtin_ia32_vcvtps2ph((w){value}, 0)[0];\n"
     "}\n",
     "    return simt_to_f16(value);\n",
     "    uint16_t h;\n"
     "    asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(value));\n"
     "    return h;\n"},
    PAIR("f16"),
    {"bf16_get", "The value of a bf16.",
     "float $bf16_get(uint16_t h)\n"
     "{\n"
     "    uint32_t bits = (uint32_t)h << 16;\n"
     "    float value;\n"
     "    memcpy(&value, &bits, sizeof value);\n"
     "    return value;\n"
     "}\n",
     {0}, NULL, NULL, NULL},
    {"bf16_bits", "The nearest bf16, ties to even.",
     "uint16_t $bf16_bits(float value)\n"
     "{\n"
     "    uint32_t bits;\n"
     "    memcpy(&bits, &value, sizeof bits);\n"
     "    if ((bits & 0x7fffffff) > 0x7f800000)\n"
     "        return (uint16_t)(bits >> 16 | 0x40);\n"
     "    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);\n"
     "}\n",
     {0}, NULL, "    return simt_to_bf16(value);\n",
     "    uint16_t h;\n"
     "    asm(\"cvt.rn.bf16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(value));\n"
     "    return h;\n"},
    PAIR("bf16"),
    {"odd_f32", "Rounded to odd: what is rounded once more is as if rounded once.",
     "float $odd_f32(double value)\n"
     "{\n"
     "    float near = (float)value;\n"
     "    uint32_t bits;\n"
     "    if ((double)near == value || value != value)\n"
     "        return near;\n"
     "    memcpy(&bits, &near, sizeof bits);\n"
     "    bits -= near < 0 || (near == 0 && value < 0) ? (double)near < value : (double)near > "
     "value;\n"
     "    bits |= 1;\n"
     "    memcpy(&near, &bits, sizeof near);\n"
     "    return near;\n"
     "}\n",
     {0}, NULL, NULL, NULL},
    {"odd_i64", "The same for an integer.",
     "double $odd_i64(int64_t value)\n"
     "{\n"
     "    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;\n"
     "    if (size >> 53)\n"
     "        size = (size & ~UINT64_C(0xfff)) | (size & 0xfff ? 0x800u : 0u);\n"
     "    return value < 0 ? -(double)size : (double)size;\n"
     "}\n",
     {0}, NULL, NULL, NULL},
    {"odd_u64", "The same for an unsigned integer.",
     "double $odd_u64(uint64_t size)\n"
     "{\n"
     "    if (size >> 53)\n"
     "        size = (size & ~UINT64_C(0xfff)) | (size & 0xfff ? 0x800u : 0u);\n"
     "    return (double)size;\n"
     "}\n",
     {0}, NULL, NULL, NULL},
    {"f16_round", "A value as an f16 holds it.",
     "float $f16_round(double value) { return $f16_get($f16_bits($odd_f32(value))); }\n",
     {"f16_get", "f16_bits", "odd_f32"}, NULL, NULL, NULL},
    {"bf16_round", "A value as a bf16 holds it.",
     "float $bf16_round(double value) { return $bf16_get($bf16_bits($odd_f32(value))); }\n",
     {"bf16_get", "bf16_bits", "odd_f32"}, NULL, NULL, NULL},
};
enum { NROWS = sizeof rows / sizeof rows[0] };

/* Prints text with "$" replaced by the prefix. */
static void put_prefixed(const char *c, const char *end, const sq_helpers *h, sq_text *to)
{
    while (c < end) {
        size_t n = strcspn(c, "$");
        n = n < (size_t)(end - c) ? n : (size_t)(end - c);
        sq_text_putn(to, c, n);
        c += n;
        if (c < end) {
            sq_text_puts(to, h->prefix);
            c++;
        }
    }
}

/* Prints the body in three versions: for a CPU that runs the device's text, for a device, for the
 * host. */
static void put_device_row(const struct row *r, const sq_helpers *h, sq_text *to)
{
    const char *body = strchr(r->text, '{') + 2, *end = r->text + strlen(r->text) - 2;
    put_prefixed(r->text, body, h, to);
    if (r->simt)
        sq_text_printf(to, "#ifdef SQUALL_SIMT\n%s#elif defined(__CUDA_ARCH__)\n", r->simt);
    else
        sq_text_puts(to, "#ifdef __CUDA_ARCH__\n");
    sq_text_printf(to, "%s#else\n", r->ptx);
    put_prefixed(body, end, h, to);
    sq_text_puts(to, "#endif\n}\n");
}

static void put_row(const struct row *r, const sq_helpers *h, sq_text *to)
{
    const char *text = h->f16c && r->f16c ? r->f16c : r->text;
    sq_text_printf(to, "/* %s */\n%s ", r->comment, h->linkage);
    if (h->cuda && r->ptx)
        put_device_row(r, h, to);
    else
        put_prefixed(text, text + strlen(text), h, to);
}

/* True for functions of two values, which only vectors of a device use. */
static bool is_pair(const struct row *r)
{
    return r->ptx && !r->simt;
}

/* True if the helper is among those called, under the name that all have before the prefix is known; NULL: all are. */
static bool is_called(const sq_code_keys *called, const char *name)
{
    char full[32];
    snprintf(full, sizeof full, "sq_%s", name);
    return !called || sq_code_keys_has(called, full);
}

static bool calls(const struct row *r, const char *name)
{
    for (int i = 0; i < MOST_CALLS && r->calls[i]; i++)
        if (strcmp(r->calls[i], name) == 0)
            return true;
    return false;
}

/* Visits rows from the last to the first: what is printed determines which earlier ones are
 * needed. */
static void put_rows(const sq_helpers *h, const sq_code_keys *called, sq_text *to)
{
    bool wanted[NROWS];
    for (int i = NROWS - 1; i >= 0; i--) {
        wanted[i] = is_called(called, rows[i].name) && (called || !is_pair(&rows[i]));
        for (int j = i + 1; j < NROWS && !wanted[i]; j++)
            wanted[i] = wanted[j] && calls(&rows[j], rows[i].name);
    }
    for (int i = 0; i < NROWS; i++)
        if (wanted[i])
            put_row(&rows[i], h, to);
}

static void put_extreme(const sq_helpers *h, sq_type type, bool max, const sq_code_keys *called, sq_text *to)
{
    const char *c = sq_type_ctype(type), *s = sq_type_suffix(type);
    sq_text name = {0};
    sq_text_printf(&name, "%s_%s", max ? "max" : "min", s);
    if (is_called(called, sq_text_str(&name)))
        sq_text_printf(to, "%s %s %s%s(%s a, %s b) { return a %c b ? a : b; }\n", h->linkage, c,
                       h->prefix, sq_text_str(&name), c, c, max ? '>' : '<');
    sq_text_free(&name);
}

void sq_helpers_print(const sq_helpers *h, const sq_code_keys *called, sq_text *to)
{
    for (int t = 0; t < SQ_NTYPES; t++)
        for (int max = 0; max < 2 && !sq_type_stored((sq_type)t); max++)
            put_extreme(h, (sq_type)t, max, called, to);
    put_rows(h, called, to);
}
