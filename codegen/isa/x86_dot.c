/* x86 dot: products of the integers packed in words, added to words; see x86.h. For 16 bits, all
 * ISAs with vectors of 256 bits have an instruction that multiplies and adds pairs (pmaddwd), and
 * add the result with another instruction; VNNI does both in one, and has the products of bytes. */
#include "codegen/isa/x86.h"
#include <stdio.h>

/* Returns the bits of the vectors; 0: there is no instruction. */
static int bits_of(const sq_vector *v, const sq_target *t)
{
    int bytes = v->lanes * sq_type_bytes(v->type);
    return bytes >= 16 && bytes <= t->vector_bytes ? 8 * bytes : 0;
}

/* pmuldq reads the lower halves of lanes of 64 bits; a product of all 64 takes three multiplications. */
bool sq_x86_fma_low(const sq_vector *v, const sq_target *t, sq_text *to)
{
    int bits = bits_of(v, t);
    if (!bits)
        return false;
    sq_text_line(to, "typedef int h __attribute__((vector_size(%d)));", bits / 8);
    sq_text_line(to, "typedef uint64_t w __attribute__((vector_size(%d)));", bits / 8);
    if (bits == 512) {
        sq_text_puts(to, "#if defined(__clang__)\n");
        sq_text_line(to, "const w all = (w)__builtin_ia32_pmuldq512((h)a, (h)b);");
        sq_text_puts(to, "#else\n");
        sq_text_line(to, "typedef long long d __attribute__((vector_size(64)));");
        sq_text_line(to, "const w all = (w)__builtin_ia32_pmuldq512_mask((h)a, (h)b, (d){0}, 0xff);");
        sq_text_puts(to, "#endif\n");
    } else {
        sq_text_line(to, "const w all = (w)__builtin_ia32_pmuldq%d((h)a, (h)b);", bits);
    }
    sq_text_line(to, "return (__typeof__(a))((w)c + all);");
    return true;
}

bool sq_x86_dot16(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to)
{
    int bits = bits_of(v, t);
    if (bytes || !bits)
        return false;
    sq_text_line(to, "typedef short h __attribute__((vector_size(%d)));", bits / 8);
    sq_text_line(to, "typedef unsigned w __attribute__((vector_size(%d)));", bits / 8);
    if (bits == 512) {
        sq_text_puts(to, "#if defined(__clang__)\n");
        sq_text_line(to, "const w all = (w)__builtin_ia32_pmaddwd512((h)a, (h)b);");
        sq_text_puts(to, "#else\n");
        sq_text_line(to, "const w all = (w)__builtin_ia32_pmaddwd512_mask((h)a, (h)b, (__typeof__(a)){0}, 0xffff);");
        sq_text_puts(to, "#endif\n");
    } else {
        sq_text_line(to, "const w all = (w)__builtin_ia32_pmaddwd%d((h)a, (h)b);", bits);
    }
    sq_text_line(to, "return (__typeof__(a))((w)c + all);");
    return true;
}

bool sq_x86_dot(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to)
{
    int bits = bits_of(v, t);
    const char *name = bytes ? "vpdpbusd" : "vpdpwssd";
    if (!bits)
        return false;
    sq_text_line(to, "typedef int w __attribute__((vector_size(%d)));", bits / 8);
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return (__typeof__(a))__builtin_ia32_%s%d((w)c, (w)a, (w)b);", name, bits);
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "return (__typeof__(a))__builtin_ia32_%s_v%dsi((w)c, (w)a, (w)b);", name, v->lanes);
    sq_text_puts(to, "#endif\n");
    return true;
}

/* psadbw has a sum of eight bytes in each 64 bits. */
bool sq_x86_sad(const sq_vector *v, const sq_target *t, sq_text *to)
{
    int bits = bits_of(v, t);
    if (!bits)
        return false;
    sq_text_line(to, "typedef char b8 __attribute__((vector_size(%d)));", bits / 8);
    sq_text_line(to, "typedef unsigned w __attribute__((vector_size(%d)));", bits / 8);
    sq_text_line(to, "return (__typeof__(a))((w)c + (w)__builtin_ia32_psadbw%d((b8)a, (b8)b));", bits);
    return true;
}
