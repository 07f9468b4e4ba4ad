/* Convert: see convert.h. */
#include "codegen/convert.h"
#include <stdio.h>
#include <string.h>

const char *sq_vector_convert(sq_vector *v, sq_type to, const char *x, sq_arena *arena)
{
    v->converts |= 1u << to;
    return sq_arena_printf(arena, "sq_%sx%d_to_%s(%s)", sq_type_suffix(v->type), v->lanes,
                           sq_type_suffix(to), x);
}

static const char *const element[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long long"};
static const char letter[] = {[1] = 'b', [2] = 'w', [4] = 'd', [8] = 'q'};

static int at_least_16(int bytes)
{
    return bytes < 16 ? 16 : bytes;
}

/* Has the machine the instruction: to wider ones AVX2, to narrower ones AVX-512. */
static bool is_native(const sq_vector *v, sq_type to, const sq_target *t)
{
    bool wider = sq_type_bytes(to) > sq_type_bytes(v->type);
    int bytes = v->lanes * sq_type_bytes(wider ? to : v->type);
    bool avx512 = strcmp(t->name, "avx512") == 0, avx2 = strcmp(t->name, "avx2") == 0;
    return bytes >= 16 && bytes <= t->vector_bytes && (avx512 || (avx2 && wider));
}

/* Machine vectors are 16 bytes at least: smaller ones lie at their start. */
static void put_native(const sq_vector *v, sq_type to, const char *result, sq_text *out)
{
    int a = sq_type_bytes(v->type), b = sq_type_bytes(to), wide = v->lanes * (a > b ? a : b);
    const char *widen = sq_type_unsigned(v->type) ? "pmovzx" : "pmovsx";
    sq_text_line(out, "typedef %s from __attribute__((vector_size(%d)));", element[a],
                 at_least_16(v->lanes * a));
    sq_text_line(out, "typedef %s into __attribute__((vector_size(%d)));", element[b],
                 at_least_16(v->lanes * b));
    sq_text_line(out, "from low = {0};");
    sq_text_line(out, "memcpy(&low, &x, sizeof x);");
    if (a > b)
        sq_text_line(out, "into r = __builtin_ia32_pmov%c%c%d_mask(low, (into){0}, -1);", letter[a],
                     letter[b], 8 * wide);
    else if (wide == 64)
        sq_text_line(out, "into r = __builtin_ia32_%s%c%c512_mask(low, (into){0}, -1);", widen,
                     letter[a], letter[b]);
    else
        sq_text_line(out, "into r = __builtin_ia32_%s%c%c%d(low);", widen, letter[a], letter[b],
                     8 * wide);
    sq_text_line(out, "%s all;", result);
    sq_text_line(out, "memcpy(&all, &r, sizeof all);");
    sq_text_line(out, "return all;");
}

void sq_convert_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    for (int type = 0; type < SQ_NTYPES; type++) {
        char result[32];
        if (!(v->converts >> type & 1))
            continue;
        const char *suffix = sq_type_suffix((sq_type)type);
        bool native = is_native(v, (sq_type)type, t);
        snprintf(result, sizeof result, "sq_%sx%d", suffix, v->lanes);
        sq_text_open(to, "SQ_INLINE %s %s_to_%s(%s x)\n{", result, n, suffix, n);
        sq_text_puts(to, native ? "#if defined(__clang__)\n" : "");
        sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
        if (native) {
            sq_text_puts(to, "#else\n");
            put_native(v, (sq_type)type, result, to);
            sq_text_puts(to, "#endif\n");
        }
        sq_text_close(to, "}");
    }
}
