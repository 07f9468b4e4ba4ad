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
    if (bits == 512)
        sq_text_printf(to,
                       SQ_FOR_CLANG "const w all = (w)__builtin_ia32_%1$s512((h)a, (h)b);"
                       SQ_FOR_GCC "typedef %2$s d __attribute__((vector_size(64)));\n"
                       "    const w all = (w)__builtin_ia32_%1$s512_mask((h)a, (h)b, (d){0}, %3$s);" SQ_FOR_BOTH,
                       m->name, m->sum, m->all);
    else
        sq_text_line(to, "const w all = (w)__builtin_ia32_%s%d((h)a, (h)b);", m->name, bits);
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
    sq_text_printf(to,
                   "    typedef int w __attribute__((vector_size(%1$d)));\n"
                   SQ_FOR_CLANG "return (__typeof__(a))__builtin_ia32_%2$s%3$d((w)c, (w)a, (w)b);"
                   SQ_FOR_GCC "return (__typeof__(a))__builtin_ia32_%2$s_v%4$dsi((w)c, (w)a, (w)b);" SQ_FOR_BOTH,
                   bits / 8, name, bits, v->lanes);
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
