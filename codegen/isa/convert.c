/* Convert: see convert.h. */
#include "codegen/isa/convert.h"
#include "codegen/isa/isa.h"
#include <stdio.h>

const char *sq_vector_convert(sq_vector *v, sq_type to, const char *x, sq_arena *arena)
{
    v->converts |= 1u << to;
    return sq_arena_printf(arena, "sq_%sx%d_to_%s(%s)", sq_type_suffix(v->type), v->lanes,
                           sq_type_suffix(to), x);
}

/* "0, 0, 1, 1, …" of n elements. */
static void put_doubled(int n, sq_text *to)
{
    for (int i = 0; i < n; i++)
        sq_text_printf(to, "%s%d", i ? ", " : "", i / 2);
}

/* Small integers into a register of 16 bytes: their bytes twice and four times, shifted down. Without SSE4.1 gcc
 * converts lane by lane. */
static bool put_widened(const sq_vector *v, sq_type into, const char *result, sq_text *to)
{
    int a = sq_type_bytes(v->type), b = sq_type_bytes(into);
    if (sq_type_real(v->type) || sq_type_real(into) || b > 4 || a >= b || v->lanes * b != 16)
        return false;
    const char *sign = sq_type_unsigned(v->type) ? "unsigned " : "";
    sq_text_puts(to, "#if !defined(__clang__)\n");
    sq_text_line(to, "typedef %s sq_all __attribute__((vector_size(16)));", v->lanes * a == 4 ? "int" : "long long");
    sq_text_line(to, "%s low;", v->lanes * a == 4 ? "int" : "long long");
    sq_text_line(to, "memcpy(&low, &x, sizeof low);");
    sq_text_line(to, "sq_all w = (sq_all){low};");
    for (int bytes = a; bytes < b; bytes *= 2) {
        const char *element = bytes == 1 ? "signed char" : "short";
        sq_text_line(to, "typedef %s sq_in_%d __attribute__((vector_size(16)));", element, bytes);
        sq_text_printf(to, "    w = (sq_all)__builtin_shuffle((sq_in_%d)w, (sq_in_%d){", bytes, bytes);
        put_doubled(16 / bytes, to);
        sq_text_puts(to, "});\n");
    }
    sq_text_line(to, "typedef %s%s sq_out __attribute__((vector_size(16)));", sign, b == 2 ? "short" : "int");
    sq_text_line(to, "return (%s)((sq_out)w >> %d);", result, 8 * (b - a));
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
    sq_text_puts(to, "#endif\n");
    return true;
}

void sq_convert_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    for (int type = 0; type < SQ_NTYPES; type++) {
        char result[32];
        if (!(v->converts >> type & 1))
            continue;
        const char *suffix = sq_type_suffix((sq_type)type);
        snprintf(result, sizeof result, "sq_%sx%d", suffix, v->lanes);
        sq_text_open(to, "SQ_INLINE %s %s_to_%s(%s x)\n{", result, n, suffix, n);
        bool done = t->isa->convert ? t->isa->convert(v, (sq_type)type, result, t, to)
                                    : put_widened(v, (sq_type)type, result, to);
        if (!done)
            sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
        sq_text_close(to, "}");
    }
}
