/* x86 places: gathers; see x86.h. */
#include "codegen/isa/x86.h"
#include <stdio.h>

const char *const sq_x86_element[9] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long long"};

const char *sq_x86_all_lanes(int lanes)
{
    return lanes <= 8 ? "0xff" : lanes == 16 ? "0xffff" : lanes == 32 ? "0xffffffff" : "~0ull";
}

/* Types of eight lanes. */
#define EIGHT                                                                            \
    "    typedef float x __attribute__((vector_size(32)));\n"                            \
    "    typedef float x_u __attribute__((vector_size(32), aligned(4), may_alias));\n"   \
    "    typedef int w __attribute__((vector_size(32)));\n"

/* Eight lanes of four bytes: a lookup in each half of the table by the low three bits; bit 3
 * selects one of the results. */
static void put_lookup_halves(const char *type, sq_text *to)
{
    sq_text_printf(to,
                   EIGHT "    const x low = __builtin_ia32_permvarsf256(*(const x_u *)p, (w)j);\n"
                   "    const x high = __builtin_ia32_permvarsf256(*(const x_u *)(p + 8), (w)j);\n"
                   "    return (%s)__builtin_ia32_blendvps256(low, high, (x)((w)j << 28));\n",
                   type);
}

/* Sixteen lanes of four bytes: the table is one register. */
static void put_lookup_whole(const char *type, sq_text *to)
{
    sq_text_printf(to,
                   "    typedef float x_u __attribute__((vector_size(64), aligned(4), may_alias));\n"
                   "    typedef int w __attribute__((vector_size(64)));\n"
                   SQ_FOR_CLANG "return (%1$s)__builtin_ia32_permvarsf512(*(const x_u *)p, (w)j);"
                   SQ_FOR_GCC "typedef float x __attribute__((vector_size(64)));\n"
                   "    return (%1$s)__builtin_ia32_permvarsf512_mask(*(const x_u *)p, (w)j, (x){0}, %2$s);"
                   SQ_FOR_BOTH,
                   type, sq_x86_all_lanes(16));
}

/* Eight lanes of four bytes, with AVX-512: the table is two registers. */
static void put_lookup_pair(const char *type, sq_text *to)
{
    sq_text_printf(to,
                   EIGHT "    const x low = *(const x_u *)p, high = *(const x_u *)(p + 8);\n"
                   SQ_FOR_CLANG "return (%1$s)__builtin_ia32_vpermi2varps256(low, (w)j, high);"
                   SQ_FOR_GCC "return (%1$s)__builtin_ia32_vpermt2varps256_mask((w)j, low, high, %2$s);" SQ_FOR_BOTH,
                   type, sq_x86_all_lanes(8));
}

/* Gathers elements of 4 and 8 bytes. Compilers name the builtins of AVX2 differently, and for
 * AVX-512 they disagree on the signedness of the mask. */
bool sq_x86_indexed(const sq_vector *v, const char *type, const sq_target *t, sq_text *to)
{
    int each = sq_type_bytes(v->type), bytes = v->lanes * each;
    char gcc[40], clang[40];
    if (each < 4 || bytes < 16 || bytes > t->vector_bytes)
        return false;
    snprintf(gcc, sizeof gcc, "%civ%d%s", each == 4 ? 's' : 'd', v->lanes, each == 4 ? "sf" : "df");
    snprintf(clang, sizeof clang, "%s%s", each == 4 ? "d_ps" : "q_pd", bytes == 32 ? "256" : "");
    sq_text_line(to, "typedef %s x __attribute__((vector_size(%d)));",
                 each == 4 ? "float" : "double", bytes);
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", sq_x86_element[each], bytes);
    for (int gnu = 0; gnu < 2; gnu++) {
        sq_text_puts(to, gnu ? "#else\n" : "#if defined(__clang__)\n");
        sq_text_line(to,
                     "return (%s)__builtin_ia32_gather%s((x){0}, (const void *)p, (w)j, %s, %d);",
                     type, gnu || bytes == 64 ? gcc : clang,
                     bytes < 64 ? "(x)~(w){0}"
                     : gnu      ? "-1"
                                : sq_x86_all_lanes(v->lanes),
                     each);
    }
    sq_text_puts(to, "#endif\n");
    return true;
}

/* Four lanes: the lower half of eight. */
static void put_lookup_low(const char *type, sq_text *to)
{
    sq_text_printf(to,
                   "    typedef float half __attribute__((vector_size(16)));\n" EIGHT
                   SQ_FOR_CLANG "const half q = (half)j;\n"
                   "    const w k = (w)__builtin_shufflevector(q, q, 0, 1, 2, 3, 0, 1, 2, 3);"
                   SQ_FOR_GCC "const w k = (w)__builtin_ia32_ps256_ps((half)j);" SQ_FOR_BOTH
                   "    const x low = __builtin_ia32_permvarsf256(*(const x_u *)p, k);\n"
                   "    const x high = __builtin_ia32_permvarsf256(*(const x_u *)(p + 8), k);\n"
                   "    const x all = __builtin_ia32_blendvps256(low, high, (x)(k << 28));\n"
                   SQ_FOR_CLANG "return (%1$s)__builtin_shufflevector(all, all, 0, 1, 2, 3);"
                   SQ_FOR_GCC "return (%1$s)__builtin_ia32_ps_ps256(all);" SQ_FOR_BOTH,
                   type);
}

bool sq_x86_lookup(const sq_vector *v, const char *type, const sq_target *t, sq_text *to)
{
    int bytes = v->lanes * sq_type_bytes(v->type);
    if (sq_type_bytes(v->type) != 4 || bytes < 16 || bytes > t->vector_bytes)
        return false;
    if (bytes == 16)
        put_lookup_low(type, to);
    else if (bytes == 32 && t->vector_bytes == 64)
        put_lookup_pair(type, to);
    else if (bytes == 32)
        put_lookup_halves(type, to);
    else
        put_lookup_whole(type, to);
    return true;
}
