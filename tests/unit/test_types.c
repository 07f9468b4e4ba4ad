/* Types: C's conversions as the compiler of this test makes them, and those of f16 and bf16 as
 * emitted text makes them, one value and a vector at a time, for all of their values, everything
 * between two of them that rounds differently, and random numbers. */
#include "codegen/isa/vector.h"
#include "codegen/print/helpers.h"
#include "codegen/isa/isa.h"
#include "tests/unit/unit.h"
#include <math.h>
#include <unistd.h>

/* ---- C's types ---- */

#define TYPE_OF(x)                                                                                 \
    _Generic((x), float                                                                            \
             : SQ_F32, double                                                                      \
             : SQ_F64, int                                                                         \
             : SQ_I32, long                                                                        \
             : SQ_I64, long long                                                                   \
             : SQ_I64, unsigned                                                                    \
             : SQ_U32, unsigned long                                                               \
             : SQ_U64, unsigned long long                                                          \
             : SQ_U64)
static void common_types(void **state)
{
    (void)state;
#define SUM(b, tb) assert_int_equal(sq_type_common(t, tb), TYPE_OF(x + (b)1));
#define EACH(a, ta)                                                                                \
    {                                                                                              \
        a x = 1;                                                                                   \
        sq_type t = ta;                                                                            \
        assert_int_equal(sq_type_promoted(t), TYPE_OF(+x));                                        \
        SUM(float, SQ_F32)                                                                         \
        SUM(double, SQ_F64)                                                                        \
        SUM(int8_t, SQ_I8)                                                                         \
        SUM(int16_t, SQ_I16)                                                                       \
        SUM(int32_t, SQ_I32)                                                                       \
        SUM(int64_t, SQ_I64)                                                                       \
        SUM(uint8_t, SQ_U8)                                                                        \
        SUM(uint16_t, SQ_U16)                                                                      \
        SUM(uint32_t, SQ_U32)                                                                      \
        SUM(uint64_t, SQ_U64)                                                                      \
    }
    EACH(float, SQ_F32)
    EACH(double, SQ_F64)
    EACH(int8_t, SQ_I8)
    EACH(int16_t, SQ_I16)
    EACH(int32_t, SQ_I32)
    EACH(int64_t, SQ_I64)
    EACH(uint8_t, SQ_U8)
    EACH(uint16_t, SQ_U16)
    EACH(uint32_t, SQ_U32)
    EACH(uint64_t, SQ_U64)
    assert_int_equal(sq_type_common(SQ_F16, SQ_BF16), SQ_F32);
    assert_int_equal(sq_type_common(SQ_F16, SQ_I64), SQ_F32);
    assert_int_equal(sq_type_common(SQ_F16, SQ_F64), SQ_F64);
}

static void wraps(void **state)
{
    (void)state;
    static const int64_t values[] = {0,   1,    -1,    127,       128,      255,
                                     256, -129, 65535, 1LL << 31, INT64_MAX};
    for (size_t i = 0; i < LENGTH(values); i++) {
        int64_t v = values[i];
        assert_int_equal(sq_type_wrap(SQ_I8, v), (int8_t)v);
        assert_int_equal(sq_type_wrap(SQ_U8, v), (uint8_t)v);
        assert_int_equal(sq_type_wrap(SQ_I16, v), (int16_t)v);
        assert_int_equal(sq_type_wrap(SQ_U32, v), (uint32_t)v);
        assert_int_equal(sq_type_wrap(SQ_U64, v), v);
    }
}

static void rounds(void **state)
{
    (void)state;
    static const struct {
        sq_type type;
        double from, to;
    } rows[] = {{SQ_F16, 2049, 2048},         {SQ_F16, 2051, 2052},   {SQ_F16, 65519, 65504},
                {SQ_F16, 65520, INFINITY},    {SQ_F16, 0x1p-25, 0},   {SQ_F16, 0x3p-26, 0x1p-24},
                {SQ_F16, -0x1p-14, -0x1p-14}, {SQ_BF16, 257, 256},    {SQ_BF16, 259, 260},
                {SQ_BF16, 3.4e38, INFINITY},  {SQ_BF16, 0x1p-134, 0}, {SQ_F32, 16777217, 16777216}};
    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_true(sq_type_round(rows[i].type, rows[i].from) == rows[i].to);
}

/* ---- emitted conversions ---- */

/* value() and nearest() know a format by its digits and its least exponent, and search. */
static const char reference[] =
    "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
    "static double value(unsigned h, int digits, int least)\n"
    "{\n"
    "    int e = (int)(h & 0x7fff) >> digits;\n"
    "    double m = h & ((1u << digits) - 1), v;\n"
    "    v = e ? ldexp(m + (1 << digits), e - 1 + least - digits) : ldexp(m, least - digits);\n"
    "    return h >> 15 ? -v : v;\n"
    "}\n"
    "static int is_nan(unsigned h, int digits) { return (h & 0x7fff) > 0x8000u - (1u << digits); "
    "}\n"
    "static unsigned nearest(double x, int digits, int least)\n"
    "{\n"
    "    unsigned lo = 0, hi = 0x8000u - (1u << digits), sign = signbit(x) ? 0x8000 : 0;\n"
    "    x = fabs(x);\n"
    "    if (x >= value(hi, digits, least))\n"
    "        return sign | hi;\n"
    "    while (hi - lo > 1) {\n"
    "        unsigned mid = (lo + hi) / 2;\n"
    "        *(value(mid, digits, least) <= x ? &lo : &hi) = mid;\n"
    "    }\n"
    "    double below = x - value(lo, digits, least), above = value(hi, digits, least) - x;\n"
    "    return sign | (below < above || (below == above && lo % 2 == 0) ? lo : hi);\n"
    "}\n"
    "static int bad(const char *what, double x) { printf(\"%s of %a\\n\", what, x); return 1; }\n"
    "static int wrong_value(unsigned h, float got, int digits, int least)\n"
    "{\n"
    "    double v = value(h, digits, least);\n"
    "    if (is_nan(h, digits))\n"
    "        return got == got && bad(\"value\", h);\n"
    "    if ((h & 0x7fff) == 0x8000u - (1u << digits))\n"
    "        v = h >> 15 ? -INFINITY : INFINITY;\n"
    "    return (got != v || !signbit(got) != !signbit(v)) && bad(\"value\", h);\n"
    "}\n"
    "static int wrong_bits(double x, unsigned got, int digits, int least)\n"
    "{\n"
    "    if (x != x)\n"
    "        return !is_nan(got, digits) && bad(\"bits\", x);\n"
    "    return got != nearest(x, digits, least) && bad(\"bits\", x);\n"
    "}\n"
    "/* Numbers of all sizes; every other lies at, or next to, the middle of two halves. */\n"
    "static double number(uint32_t i, int digits, int least)\n"
    "{\n"
    "    uint32_t bits = i * 2654435761u ^ i >> 7;\n"
    "    float f;\n"
    "    memcpy(&f, &bits, sizeof f);\n"
    "    if (i % 2)\n"
    "        return f;\n"
    "    unsigned h = i / 8 % 0x8000u;\n"
    "    f = (float)((value(h, digits, least) + value(h + 1, digits, least)) / 2);\n"
    "    f = i / 2 % 4 == 1 ? nextafterf(f, INFINITY) : i / 2 % 4 == 2 ? nextafterf(f, 0) : f;\n"
    "    return i / 2 % 4 == 3 ? -f : f;\n"
    "}\n"
    "#undef SQ_INLINE\n"
    "#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET\n";

static void put_scalar_check(const char *type, int digits, int least, sq_text *to)
{
    sq_text_printf(
        to,
        "static SQ_TARGET int check_%s(void)\n{\n"
        "    for (unsigned h = 0; h < 65536; h++)\n"
        "        if (wrong_value(h, sq_%s_get((uint16_t)h), %d, %d)) return 1;\n"
        "    for (uint32_t i = 0; i < 150000; i++) {\n"
        "        double x = number(i, %d, %d), y = x * (1 + 0x1p-40);\n"
        "        if (wrong_bits(x, sq_%s_bits((float)x), %d, %d)) return 1;\n"
        "        if (wrong_bits(y, sq_%s_bits(sq_odd_f32(y)), %d, %d)) return 1;\n"
        "        int64_t n = (int64_t)i * 23058430092136 >> i %% 64;\n"
        "        if (n < 1 << 24 && wrong_bits((double)n, sq_%s_bits(sq_odd_f32(sq_odd_i64(n))), "
        "%d, %d)) return 1;\n"
        "    }\n"
        "    int64_t tie = ((int64_t)1 << 60) + ((int64_t)1 << 52);\n"
        "    if (sq_bf16_bits(sq_odd_f32(sq_odd_i64(tie))) != 0x5d80) return bad(\"tie\", 0);\n"
        "    if (sq_bf16_bits(sq_odd_f32(sq_odd_i64(tie + 1))) != 0x5d81) return bad(\"tie\", 1);\n"
        "    if (sq_bf16_bits(sq_odd_f32(sq_odd_u64(tie + 1))) != 0x5d81) return bad(\"tie\", 2);\n"
        "    return 0;\n}\n",
        type, type, digits, least, digits, least, type, digits, least, type, digits, least, type,
        digits, least);
}

static void put_vector_check(const char *type, int lanes, int digits, int least, sq_text *to)
{
    sq_text_printf(
        to,
        "static SQ_TARGET int check_%sx%d(void)\n{\n"
        "    for (unsigned h = 0; h < 65536; h += %d) {\n"
        "        sq_%sx%d v;\n"
        "        for (unsigned l = 0; l < %d; l++) v[l] = (uint16_t)(h + l);\n"
        "        sq_f32x%d f = sq_%sx%d_get(v), r = sq_%sx%d_round(f);\n"
        "        for (unsigned l = 0; l < %d; l++)\n"
        "            if (wrong_value(h + l, f[l], %d, %d) || wrong_value(h + l, r[l], "
        "%d, %d)) return 1;\n"
        "    }\n"
        "    for (uint32_t i = 0; i < 150000; i += %d) {\n"
        "        sq_f32x%d f;\n"
        "        for (unsigned l = 0; l < %d; l++) f[l] = (float)number(i + l, %d, %d);\n"
        "        sq_%sx%d v = sq_%sx%d_bits(f);\n"
        "        for (unsigned l = 0; l < %d; l++)\n"
        "            if (wrong_bits(f[l], v[l], %d, %d)) return 1;\n"
        "    }\n"
        "    return 0;\n}\n",
        type, lanes, lanes, type, lanes, lanes, lanes, type, lanes, type, lanes, lanes, digits,
        least, digits, least, lanes, lanes, lanes, digits, least, type, lanes, type, lanes, lanes,
        digits, least);
}

static const struct {
    sq_type type;
    int digits, least;
} formats[] = {{SQ_F16, 10, -14}, {SQ_BF16, 7, -126}};

static void put_vectors(const sq_target *t, sq_text *to, sq_text *calls)
{
    for (int lanes = 2; 4 * lanes <= t->vector_bytes; lanes *= 2) {
        sq_vector f32 = {.type = SQ_F32, .lanes = lanes};
        sq_vector_declare(&f32, to);
        for (size_t i = 0; i < LENGTH(formats); i++) {
            sq_vector v = {.type = formats[i].type, .lanes = lanes};
            v.used = SQ_VOP_BIT(SQ_VOP_GET) | SQ_VOP_BIT(SQ_VOP_BITS) | SQ_VOP_BIT(SQ_VOP_ROUND);
            sq_vector_declare(&v, to);
            sq_vector_define(&v, t, to);
            const char *name = sq_type_name(v.type);
            put_vector_check(name, lanes, formats[i].digits, formats[i].least, to);
            sq_text_printf(calls, " || check_%sx%d()", name, lanes);
        }
    }
}

/* The program that checks all conversions for a target. */
static void put_program(const sq_target *t, sq_text *to)
{
    sq_text calls = {0};
    if (t->attribute[0])
        sq_text_printf(to, "#define SQ_TARGET __attribute__((target(\"%s\")))\n", t->attribute);
    else
        sq_text_puts(to, "#define SQ_TARGET\n");
    sq_text_puts(to, reference);
    sq_helpers h = {"sq_", "SQ_INLINE", t->isa->f16, false};
    sq_helpers_print(&h, NULL, to);
    for (size_t i = 0; i < LENGTH(formats); i++) {
        const char *name = sq_type_name(formats[i].type);
        put_scalar_check(name, formats[i].digits, formats[i].least, to);
        sq_text_printf(&calls, " || check_%s()", name);
    }
    put_vectors(t, to, &calls);
    sq_text_printf(to, "int main(void) { return 0%s; }\n", sq_text_str(&calls));
    sq_text_free(&calls);
}

static void conversions(void **state)
{
    (void)state;
    char directory[] = "/tmp/squall-types-XXXXXX", path[64], command[300];
    assert_non_null(mkdtemp(directory));
    for (const sq_target *t = sq_targets; t->name; t++) {
        sq_text program = {0};
        if (!sq_target_runs_here(t))
            continue;
        put_program(t, &program);
        snprintf(path, sizeof path, "%s/%s.c", directory, t->name);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(sq_text_str(&program), f);
        fclose(f);
        snprintf(command, sizeof command, "cc -O1 -w -o %s/run %s -lm && %s/run", directory, path,
                 directory);
        if (system(command) != 0)
            fail_msg("conversions of %s are wrong: %s", t->name, path);
        sq_text_free(&program);
        remove(path);
    }
    snprintf(path, sizeof path, "%s/run", directory);
    remove(path);
    rmdir(directory);
}

static void integers_of_bytes(void **state)
{
    static const sq_type of[][2] = {[1] = {SQ_I8, SQ_U8}, [2] = {SQ_I16, SQ_U16}, [4] = {SQ_I32, SQ_U32},
                                    [8] = {SQ_I64, SQ_U64}};
    (void)state;
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        assert_int_equal(sq_type_integer(bytes, false), of[bytes][0]);
        assert_int_equal(sq_type_integer(bytes, true), of[bytes][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(common_types), cmocka_unit_test(integers_of_bytes),
                                       cmocka_unit_test(wraps),
                                       cmocka_unit_test(rounds), cmocka_unit_test(conversions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
