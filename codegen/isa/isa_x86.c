/* x86: operations of AVX2 and AVX-512 as compiler builtins; see isa.h. gcc and clang have most in
 * common; where they differ, both versions are printed. */
#include "codegen/isa/x86.h"
#include <stdio.h>
#include <string.h>

/* How builtins name vectors of this shape: "pd" and 256; names for 128 bits have no number. */
typedef struct shape {
    const char *unit;
    int bits; /* 0: no builtins */
} shape;

static shape shape_of(const sq_vector *v, const sq_target *t)
{
    int bytes = v->lanes * sq_type_bytes(v->type);
    bool real = sq_type_real(v->type) && !sq_type_stored(v->type);
    bool has = real && bytes >= 16 && bytes <= t->vector_bytes;
    return (shape){v->type == SQ_F64 ? "pd" : "ps", has ? 8 * bytes : 0};
}

/* clang 19 has the generic builtin, which is in no version of gcc; later ones may drop their own. */
void sq_isa_put_fma(const char *clang, const char *gcc, sq_text *to)
{
    sq_text_puts(to, "#if defined(__clang__) && __clang_major__ >= 19\n");
    sq_text_line(to, "return __builtin_elementwise_fma(a, b, c);");
    if (strcmp(clang, gcc) != 0) {
        sq_text_puts(to, "#elif defined(__clang__)\n");
        sq_text_line(to, "return %s;", clang);
    }
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "return %s;", gcc);
    sq_text_puts(to, "#endif\n");
}

/* gcc's type of the mask is signed for 16 lanes of float. */
static const char *all_lanes_gcc(const sq_vector *v)
{
    return v->type == SQ_F64 ? sq_x86_all_lanes(v->lanes) : "-1";
}

static bool put_fma_turned(const sq_vector *v, const sq_target *t, sq_text *to)
{
    shape of = shape_of(v, t);
    if (!of.bits)
        return false;
    if (of.bits < 512) {
        sq_text_line(to, "return __builtin_ia32_vfmaddsub%s%s(a, b, c);", of.unit, of.bits == 256 ? "256" : "");
        return true;
    }
    sq_text_printf(to,
                   SQ_FOR_CLANG "return __builtin_ia32_vfmaddsub%1$s512_mask(a, b, c, %2$s, 4);"
                   SQ_FOR_GCC "return __builtin_ia32_vfmaddsub%1$s512_mask(a, b, c, %3$s, 4);" SQ_FOR_BOTH,
                   of.unit, sq_x86_all_lanes(v->lanes), all_lanes_gcc(v));
    return true;
}

static bool put_fma(const sq_vector *v, const sq_target *t, sq_text *to)
{
    shape of = shape_of(v, t);
    char own[60], gcc[60];
    if (v->lanes == 1 && sq_type_real(v->type)) {
        sq_text_line(to, "return __builtin_fma%s(a, b, c);", v->type == SQ_F64 ? "" : "f");
        return true;
    }
    if (!of.bits)
        return false;
    const char *wide = "__builtin_ia32_vfmadd%s512_mask(a, b, c, %s, 4)";
    snprintf(own, sizeof own, wide, of.unit, sq_x86_all_lanes(v->lanes));
    snprintf(gcc, sizeof gcc, wide, of.unit, all_lanes_gcc(v));
    if (of.bits < 512)
        snprintf(own, sizeof own, "__builtin_ia32_vfmadd%s%s(a, b, c)", of.unit,
                 of.bits == 256 ? "256" : "");
    sq_isa_put_fma(own, of.bits < 512 ? own : gcc, to);
    return true;
}

/* 512 bits with a rounding argument, which gcc only has in a masked form. */
static bool put_wide_or(shape of, const char *op, const char *args, const char *masked,
                        const char *mask, sq_text *to)
{
    if (of.bits == 512)
        sq_text_printf(to,
                       SQ_FOR_CLANG "return __builtin_ia32_%1$s%2$s512(%3$s, 4);"
                       SQ_FOR_GCC "return __builtin_ia32_%1$s%2$s512_mask(%4$s, %5$s, 4);" SQ_FOR_BOTH,
                       op, of.unit, args, masked, mask);
    else if (of.bits == 256)
        sq_text_line(to, "return __builtin_ia32_%s%s256(%s);", op, of.unit, args);
    return of.bits >= 256;
}

/* Integers: gcc 12 makes four instructions of a comparison and a select, clang one. */
static bool put_integer_minmax(const sq_vector *v, bool max, const sq_target *t, sq_text *to)
{
    static const char *const unit[] = {[1] = "b", [2] = "w", [4] = "d", [8] = "q"};
    int b = sq_type_bytes(v->type), bytes = v->lanes * b;
    bool masked = bytes == 64 || b == 8;
    if (bytes < 16 || bytes > t->vector_bytes || (b == 8 && t->vector_bytes < 64))
        return false;
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "const __typeof__(a) m = (__typeof__(a))(a %c b);", max ? '>' : '<');
    sq_text_line(to, "return (a & m) | (b & ~m);");
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", sq_x86_element[b], bytes);
    sq_text_line(to, "return (__typeof__(a))__builtin_ia32_p%s%s%s%d%s((w)a, (w)b%s%s);",
                 max ? "max" : "min", sq_type_unsigned(v->type) ? "u" : "s", unit[b], 8 * bytes,
                 masked ? "_mask" : "", masked ? ", (w)a, " : "",
                 masked ? sq_x86_all_lanes(v->lanes) : "");
    sq_text_puts(to, "#endif\n");
    return true;
}

static bool put_average(const sq_vector *v, const sq_target *t, sq_text *to)
{
    int b = sq_type_bytes(v->type), bytes = v->lanes * b;
    if (bytes < 16 || bytes > t->vector_bytes)
        return false;
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", sq_x86_element[b], bytes);
    if (bytes < 64) {
        sq_text_line(to, "return (__typeof__(a))__builtin_ia32_pavg%c%d((w)a, (w)b);", b == 1 ? 'b' : 'w', 8 * bytes);
        return true;
    }
    sq_text_printf(to,
                   SQ_FOR_CLANG "return (__typeof__(a))__builtin_ia32_pavg%1$c512((w)a, (w)b);"
                   SQ_FOR_GCC "return (__typeof__(a))__builtin_ia32_pavg%1$c512_mask((w)a, (w)b, (w)a, %2$s);"
                   SQ_FOR_BOTH,
                   b == 1 ? 'b' : 'w', sq_x86_all_lanes(v->lanes));
    return true;
}

static bool put_minmax(const sq_vector *v, bool max, const sq_target *t, sq_text *to)
{
    if (!sq_type_real(v->type))
        return put_integer_minmax(v, max, t, to);
    return put_wide_or(shape_of(v, t), max ? "max" : "min", "a, b", "a, b, a", all_lanes_gcc(v),
                       to);
}

static bool put_sqrt(const sq_vector *v, const sq_target *t, sq_text *to)
{
    return put_wide_or(shape_of(v, t), "sqrt", "a", "a, a", "-1", to);
}

/* 8: nothing is said of what is inexact. */
static bool put_whole(const sq_vector *v, bool up, const sq_target *t, sq_text *to)
{
    shape of = shape_of(v, t);
    int way = 8 | (up ? 2 : 1);
    if (of.bits == 512)
        sq_text_printf(to,
                       SQ_FOR_CLANG "return __builtin_ia32_rndscale%1$s_mask(a, %2$d, a, %3$s, 4);"
                       SQ_FOR_GCC "return __builtin_ia32_rndscale%1$s_mask(a, %2$d, a, -1, 4);" SQ_FOR_BOTH,
                       of.unit, way, sq_x86_all_lanes(v->lanes)); /* gcc's masks are signed */
    else if (of.bits)
        sq_text_line(to, "return __builtin_ia32_round%s%s(a, %d);", of.unit, of.bits == 256 ? "256" : "", way);
    return of.bits != 0;
}

static void put_scale(const sq_vector *v, sq_text *to)
{
    const char *unit = v->type == SQ_F64 ? "pd" : "ps", *all = sq_x86_all_lanes(v->lanes);
    int bits = 8 * v->lanes * sq_type_bytes(v->type);
    if (bits < 512)
        sq_text_line(to, "return __builtin_ia32_scalef%s%d_mask(a, b, a, %s);", unit, bits, all);
    else
        sq_text_printf(to,
                       SQ_FOR_CLANG "return __builtin_ia32_scalef%1$s512_mask(a, b, a, %2$s, 4);"
                       SQ_FOR_GCC "return __builtin_ia32_scalef%1$s512_mask(a, b, a, %3$s, 4);" SQ_FOR_BOTH,
                       unit, all, all_lanes_gcc(v));
}

/* ---- halves ---- */

static bool put_joined(const sq_vector *v, const char *type, sq_text *to)
{
    if (v->lanes * sq_type_bytes(v->type) != 32)
        return false;
    sq_text_printf(to,
                   "    typedef float half __attribute__((vector_size(16)));\n"
                   "    typedef float half_u __attribute__((vector_size(16), aligned(%1$d), may_alias));\n"
                   "    const half a = *(const half_u *)p, b = *(const half_u *)q;\n"
                   SQ_FOR_CLANG "return (%2$s)__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);"
                   SQ_FOR_GCC "return (%2$s)__builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(a), b, 1);"
                   SQ_FOR_BOTH,
                   sq_type_bytes(v->type), type);
    return true;
}

/* ---- integers ---- */

static int at_least_16(int bytes)
{
    return bytes < 16 ? 16 : bytes;
}

/* Prints `low`: x in the low bytes of a vector of 16 bytes, through a register. Through memory,
 * where gcc makes a long load follow a short store, every conversion stalls for the store: 30 times
 * slower. */
static void put_low(int bytes, sq_text *to)
{
    if (bytes >= 16) {
        sq_text_line(to, "from low;");
        sq_text_line(to, "memcpy(&low, &x, sizeof low);");
        return;
    }
    sq_text_line(to, "typedef %s word __attribute__((vector_size(16)));",
                 bytes == 8   ? "long long"
                 : bytes == 4 ? "int"
                              : "short");
    sq_text_line(to, "%s bits;", bytes == 8 ? "long long" : bytes == 4 ? "int" : "short");
    sq_text_line(to, "memcpy(&bits, &x, sizeof bits);");
    sq_text_line(to, "from low = (from)(word){bits};");
}

/* Vectors of the builtins have at least 16 bytes: smaller ones are in their low bytes. gcc 12 fails
 * to compile a load of such a small vector, its widening and a masked select fused to one AVX-512
 * instruction, so the origin of the bytes is hidden from it. */
static void put_conversion(const sq_vector *v, sq_type into, const char *result, const sq_target *t,
                           sq_text *to)
{
    static const char letter[] = {[1] = 'b', [2] = 'w', [4] = 'd', [8] = 'q'};
    int a = sq_type_bytes(v->type), b = sq_type_bytes(into), wide = v->lanes * (a > b ? a : b);
    const char *widen = sq_type_unsigned(v->type) ? "pmovzx" : "pmovsx";
    sq_text_line(to, "typedef %s from __attribute__((vector_size(%d)));", sq_x86_element[a],
                 at_least_16(v->lanes * a));
    sq_text_line(to, "typedef %s into __attribute__((vector_size(%d)));", sq_x86_element[b],
                 at_least_16(v->lanes * b));
    put_low(v->lanes * a, to);
    if (t->vector_bytes == 64 && a < b && v->lanes * a < 16)
        sq_text_line(
            to, "__asm__(\"\" : \"+x\"(low)); /* gcc 12 cannot load, widen and mask at once */");
    if (a > b)
        sq_text_line(to, "into r = __builtin_ia32_pmov%c%c%d_mask(low, (into){0}, %s);", letter[a],
                     letter[b], 8 * wide, sq_x86_all_lanes(v->lanes));
    else if (wide == 64)
        sq_text_line(to, "into r = __builtin_ia32_%s%c%c512_mask(low, (into){0}, %s);", widen,
                     letter[a], letter[b], sq_x86_all_lanes(v->lanes));
    else
        sq_text_line(to, "into r = __builtin_ia32_%s%c%c%d(low);", widen, letter[a], letter[b],
                     8 * wide);
    sq_text_line(to, "%s all;", result);
    sq_text_line(to, "memcpy(&all, &r, sizeof all);");
    sq_text_line(to, "return all;");
}

/* 32 bits to f64. gcc 12 converts halves and joins them. */
static bool put_to_f64(const sq_vector *v, const char *result, const sq_target *t, sq_text *to)
{
    const char *from = v->type == SQ_F32 ? "ps" : "dq";
    if (v->lanes < 4 || 8 * v->lanes > t->vector_bytes)
        return false;
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
    sq_text_puts(to, "#else\n");
    if (v->lanes == 4)
        sq_text_line(to, "return __builtin_ia32_cvt%s2pd256(x);", from);
    else
        sq_text_line(to, "return __builtin_ia32_cvt%s2pd512_mask(x, (%s){0}, %s%s);", from, result,
                     v->type == SQ_F32 ? "-1" : sq_x86_all_lanes(v->lanes), v->type == SQ_F32 ? ", 4" : "");
    sq_text_puts(to, "#endif\n");
    return true;
}

static bool put_convert(const sq_vector *v, sq_type into, const char *result, const sq_target *t,
                        sq_text *to)
{
    if (sq_type_real(into))
        return put_to_f64(v, result, t, to);
    int a = sq_type_bytes(v->type), b = sq_type_bytes(into), wide = v->lanes * (a > b ? a : b);
    if (wide < 16 || wide > t->vector_bytes)
        return false;
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
    sq_text_puts(to, "#else\n");
    put_conversion(v, into, result, t, to);
    sq_text_puts(to, "#endif\n");
    return true;
}

/* The shuffle that takes the low bytes of the lanes to their positions in the result, within the
 * half of the register that each lane is in; -1 makes a byte 0. */
static void put_low_bytes(const sq_vector *v, int a, int b, sq_text *to)
{
    int run = 16 / a;
    for (int i = 0; i < v->lanes * a; i++) {
        int l = i % 16 / b, here = i / 16 * run;
        bool has = l >= here && l < here + run && l < v->lanes;
        sq_text_printf(to, "%s%d", i ? ", " : "", has ? l % run * a + i % b : -1);
    }
}

/* Halves the width: masks the bits that remain, and packs both halves, which cannot saturate then.
 * gcc packs the whole vector with zeros and permutes, which takes more instructions. */
static bool put_halved(const sq_vector *v, sq_type into, const char *result, sq_text *to)
{
    int a = sq_type_bytes(v->type), b = sq_type_bytes(into);
    const char *low = a == 2 ? "0xff" : "0xffff";
    if (a != 2 * b || a > 4 || v->lanes * a != 32)
        return false;
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "typedef %s lanes __attribute__((vector_size(32)));", sq_x86_element[a]);
    sq_text_line(to, "typedef %s half __attribute__((vector_size(16)));", sq_x86_element[a]);
    sq_text_line(to, "typedef long long both __attribute__((vector_size(32)));");
    sq_text_printf(to, "    const both r = (both)((lanes)x & (lanes){");
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(to, "%s%s", l ? ", " : "", low);
    sq_text_puts(to, "});\n");
    sq_text_line(to,
                 "return (%s)__builtin_ia32_pack%s128((half)__builtin_ia32_extract128i256(r, 0), "
                 "(half)__builtin_ia32_extract128i256(r, 1));",
                 result, a == 2 ? "uswb" : "usdw");
    sq_text_puts(to, "#endif\n");
    return true;
}

/* Four lanes of 64 bits: the low words are permuted into one half. gcc takes five shuffles. */
static bool put_low_words(const sq_vector *v, sq_type into, const char *result, sq_text *to)
{
    bool integers = !sq_type_real(v->type) && !sq_type_real(into);
    if (!integers || sq_type_bytes(v->type) != 8 || sq_type_bytes(into) != 4 || v->lanes != 4)
        return false;
    sq_text_printf(to,
                   SQ_FOR_CLANG "return __builtin_convertvector(x, %1$s);"
                   SQ_FOR_GCC "typedef int words __attribute__((vector_size(32)));\n"
                   "    typedef long long both __attribute__((vector_size(32)));\n"
                   "    const words low = __builtin_shuffle((words)x, (words){0, 2, 4, 6, 0, 2, 4, 6});\n"
                   "    return (%1$s)__builtin_ia32_extract128i256((both)low, 0);" SQ_FOR_BOTH,
                   result);
    return true;
}

/* A quarter of the width and less, which gcc converts lane by lane: shuffles within the halves. */
static bool put_narrow(const sq_vector *v, sq_type into, const char *result, sq_text *to)
{
    int a = sq_type_bytes(v->type), b = sq_type_bytes(into), bytes = v->lanes * a;
    if (a < 4 * b || (bytes != 16 && bytes != 32))
        return false;
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "typedef char from __attribute__((vector_size(%d)));", bytes);
    sq_text_line(to, "typedef long long half __attribute__((vector_size(16)));");
    if (bytes == 32)
        sq_text_line(to, "typedef long long both __attribute__((vector_size(32)));");
    sq_text_printf(to, "    %s = (%s)__builtin_ia32_pshufb%d((from)x, (from){",
                   bytes == 32 ? "const both r" : "const half low", bytes == 32 ? "both" : "half",
                   8 * bytes);
    put_low_bytes(v, a, b, to);
    sq_text_puts(to, "});\n");
    if (bytes == 32)
        sq_text_line(to, "const half low = __builtin_ia32_extract128i256(r, 0) | "
                         "__builtin_ia32_extract128i256(r, 1);");
    sq_text_line(to, "%s all;", result);
    sq_text_line(to, "memcpy(&all, &low, sizeof all);");
    sq_text_line(to, "return all;");
    sq_text_puts(to, "#endif\n");
    return true;
}

/* AVX2 has instructions for widening integers only. */
static bool put_convert_avx2(const sq_vector *v, sq_type into, const char *result,
                             const sq_target *t, sq_text *to)
{
    return sq_type_bytes(into) > sq_type_bytes(v->type)
               ? put_convert(v, into, result, t, to)
               : put_halved(v, into, result, to) || put_low_words(v, into, result, to) ||
                     put_narrow(v, into, result, to);
}

/* ---- f16 ---- */

/* Returns the bits of the f32 vector; 0 if there is no conversion. */
static int f32_vector_bits(const sq_vector *v, const sq_target *t)
{
    bool has = v->type == SQ_F16 && v->lanes >= 4 && 4 * v->lanes <= t->vector_bytes;
    return has ? 32 * v->lanes : 0;
}

static void put_f16_type(int bits, sq_text *to)
{
    sq_text_line(to, "typedef short w __attribute__((vector_size(%d)));",
                 bits == 128 ? 16 : bits / 16);
}

static bool put_f16_get(const sq_vector *v, const sq_target *t, sq_text *to)
{
    int bits = f32_vector_bits(v, t);
    if (!bits)
        return false;
    put_f16_type(bits, to);
    if (bits == 512)
        sq_text_puts(to, SQ_FOR_CLANG "return __builtin_ia32_vcvtph2ps512_mask((w)h, (sq_f32x16){0}, 0xffff, 4);"
                         SQ_FOR_GCC "return __builtin_ia32_vcvtph2ps512_mask((w)h, (sq_f32x16){0}, -1, 4);"
                         SQ_FOR_BOTH);
    else if (bits == 256)
        sq_text_line(to, "return __builtin_ia32_vcvtph2ps256((w)h);");
    else
        sq_text_puts(to, "    w x = {0};\n    memcpy(&x, &h, sizeof h);\n    return __builtin_ia32_vcvtph2ps(x);\n");
    return true;
}

static bool put_f16_bits(const sq_vector *v, const char *type, const sq_target *t, sq_text *to)
{
    int bits = f32_vector_bits(v, t);
    if (!bits)
        return false;
    if (bits != 256)
        put_f16_type(bits, to);
    if (bits == 512)
        sq_text_line(to, "return (%s)__builtin_ia32_vcvtps2ph512_mask(x, 0, (w){0}, 0xffff);", type);
    else if (bits == 256)
        sq_text_line(to, "return (%s)__builtin_ia32_vcvtps2ph256(x, 0);", type);
    else
        sq_text_printf(to,
                       "    w all = __builtin_ia32_vcvtps2ph(x, 0);\n    %s h;\n    memcpy(&h, &all, sizeof h);\n"
                       "    return h;\n",
                       type);
    return true;
}

#define AVX2                                                                                       \
    .f16 = true, .masks = 4 | 8, .slow_masks = true, .halved = true, .blended = true,              \
    .joined = put_joined, .fma = put_fma, .minmax = put_minmax, .average = put_average,            \
    .fma_turned = put_fma_turned, .fma_low = sq_x86_fma_low, .sqrt = put_sqrt, .whole = put_whole, \
    .masked = sq_x86_masked, .where = sq_x86_where, .select = sq_x86_select,                     \
    .indexed = sq_x86_indexed,                                                                     \
    .lookup = sq_x86_lookup, .convert = put_convert_avx2, .f16_get = put_f16_get,                  \
    .f16_bits = put_f16_bits

#define AVX512                                                                                     \
    .f16 = true, .masks = 1 | 2 | 4 | 8, .merged = true, .blended = true, .fma = put_fma,          \
    .fma_turned = put_fma_turned, .fma_low = sq_x86_fma_low, .minmax = put_minmax,                 \
    .average = put_average, .sqrt = put_sqrt,                                                      \
    .whole = put_whole, .masked = sq_x86_masked_bits,                                                                  \
    .mask_registers = true,                                                                        \
    .scale = put_scale,                                                                            \
    .where = sq_x86_where_bits, .compare = sq_x86_compare, .select = sq_x86_select_bits,           \
    .indexed = sq_x86_indexed, .lookup = sq_x86_lookup, .convert = put_convert,                    \
    .f16_get = put_f16_get, .f16_bits = put_f16_bits

const sq_isa sq_isa_avx2 = {AVX2, .dots = 2, .dot = sq_x86_dot16, .sad = sq_x86_sad};
const sq_isa sq_isa_avxvnni = {AVX2, .dots = 4 | 2, .dot = sq_x86_dot, .sad = sq_x86_sad};
const sq_isa sq_isa_avx512 = {AVX512, .dots = 2, .dot = sq_x86_dot16, .sad = sq_x86_sad};
const sq_isa sq_isa_avx512vnni = {AVX512, .dots = 4 | 2, .dot = sq_x86_dot, .sad = sq_x86_sad};
