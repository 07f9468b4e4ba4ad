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

void sq_convert_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    for (int type = 0; type < SQ_NTYPES; type++) {
        char result[32];
        if (!(v->converts >> type & 1))
            continue;
        const char *suffix = sq_type_suffix((sq_type)type);
        snprintf(result, sizeof result, "sq_%sx%d", suffix, v->lanes);
        sq_text_open(to, "SQ_INLINE %s %s_to_%s(%s x)\n{", result, n, suffix, n);
        if (!t->isa->convert || !t->isa->convert(v, (sq_type)type, result, t, to))
            sq_text_line(to, "return __builtin_convertvector(x, %s);", result);
        sq_text_close(to, "}");
    }
}
