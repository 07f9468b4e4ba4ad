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

/* An instruction that multiplies elements and makes vectors of wider sums of them. */
typedef struct multiplication {
    const char *name, *element;
    const char *sum, *unsigned_sum; /* types; unsigned ones wrap around */
    const char *all;                /* the mask of all lanes of 512 bits */
} multiplication;

/* Writes the body of a function that adds what the instruction makes of a and b to c; false: there is none. */
static bool put_multiplied(const sq_vector *v, const multiplication *m, const sq_target *t, sq_text *to)
{
    int bits = bits_of(v, t);
    if (!bits)
        return false;
    sq_text_line(to, "typedef %s h __attribute__((vector_size(%d)));", m->element, bits / 8);
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", m->unsigned_sum, bits / 8);
    if (bits == 512) {
        sq_text_puts(to, "#if defined(__clang__)\n");
        sq_text_line(to, "const w all = (w)__builtin_ia32_%s512((h)a, (h)b);", m->name);
        sq_text_puts(to, "#else\n");
        sq_text_line(to, "typedef %s d __attribute__((vector_size(64)));", m->sum);
        sq_text_line(to, "const w all = (w)__builtin_ia32_%s512_mask((h)a, (h)b, (d){0}, %s);", m->name, m->all);
        sq_text_puts(to, "#endif\n");
    } else {
        sq_text_line(to, "const w all = (w)__builtin_ia32_%s%d((h)a, (h)b);", m->name, bits);
    }
    sq_text_line(to, "return (__typeof__(a))((w)c + all);");
    return true;
}

/* pmuldq reads the lower halves of lanes of 64 bits; a product of all 64 takes three multiplications. */
bool sq_x86_fma_low(const sq_vector *v, const sq_target *t, sq_text *to)
{
    return put_multiplied(v, &(multiplication){"pmuldq", "int", "long long", "uint64_t", "0xff"}, t, to);
}

bool sq_x86_dot16(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to)
{
    return !bytes && put_multiplied(v, &(multiplication){"pmaddwd", "short", "int", "unsigned", "0xffff"}, t, to);
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
