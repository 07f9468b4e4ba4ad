/* Advanced SIMD of AArch64; see isa.h. */
#include "codegen/isa/isa.h"

static bool put_fma(const sq_vector *v, const sq_target *t, sq_text *to)
{
    bool d = v->type == SQ_F64;
    if (!sq_type_real(v->type))
        return false;
    if (v->lanes == 1) {
        sq_text_line(to, "return __builtin_fma%s(a, b, c);", d ? "" : "f");
        return true;
    }
    if (v->lanes * sq_type_bytes(v->type) != t->vector_bytes)
        return false;
    sq_isa_put_fma("a * b + c",
                   d ? "__builtin_aarch64_fmav2df(a, b, c)" : "__builtin_aarch64_fmav4sf(a, b, c)",
                   to);
    return true;
}

const sq_isa sq_isa_neon = {.slow_masks = true, .fma = put_fma};
