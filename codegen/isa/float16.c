/* Float16: vectors of f16 and bf16. In registers they are the bits of their elements only until
 * they are converted to f32. Without instructions for f16, the conversion uses integer
 * arithmetic, exact for every value. The instruction that converts f32 to bf16 is not used: it
 * flushes denormals to zero. The shape of f32 with the same number of lanes must be declared.
 * See rows.h. */
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"

/* Prints local names of the vectors of 32-bit integers: u, and the signed i for comparisons. */
static void put_types(const sq_vector *v, bool compares, sq_text *to)
{
    sq_text_line(to, "typedef uint32_t u __attribute__((vector_size(%d)));", 4 * v->lanes);
    if (compares)
        sq_text_line(to, "typedef int32_t i __attribute__((vector_size(%d)));", 4 * v->lanes);
}

static void put_get(const sq_vector *v, sq_text *to)
{
    put_types(v, v->type == SQ_F16, to);
    sq_text_line(to, "u a = __builtin_convertvector(h, u);");
    if (v->type == SQ_BF16) {
        sq_text_line(to, "return (sq_f32x%d)(a << 16);", v->lanes);
        return;
    }
    sq_text_line(to, "u rest = (a & 0x7fff) << 13, sign = (a & 0x8000) << 16;");
    sq_text_line(to, "u tiny = (u)(__builtin_convertvector((i)(a & 0x3ff), sq_f32x%d) * 0x1p-24f);",
                 v->lanes);
    sq_text_line(to, "u infinite = (u)((i)rest >= 0x0f800000), small = (u)((i)rest < 0x00800000);");
    sq_text_line(to, "u normal = rest + 0x38000000 + (infinite & 0x38000000);");
    sq_text_line(to, "return (sq_f32x%d)(sign | (tiny & small) | (normal & ~small));", v->lanes);
}

static void put_bits(const sq_vector *v, const char *n, sq_text *to)
{
    put_types(v, true, to);
    sq_text_line(to, "u a = (u)x;");
    sq_text_line(to, "u nan = (u)((i)(a & 0x7fffffff) > 0x7f800000);");
    if (v->type == SQ_BF16) {
        sq_text_line(to, "u near = a + 0x7fff + (a >> 16 & 1);");
        sq_text_line(
            to,
            "return __builtin_convertvector(((near & ~nan) | ((a | 0x400000) & nan)) >> 16, "
            "%s);",
            n);
        return;
    }
    sq_text_line(to, "u sign = a >> 16 & 0x8000;");
    sq_text_line(to, "a &= 0x7fffffff;");
    sq_text_line(to, "u large = (u)((i)a >= 0x477ff000), small = (u)((i)a < 0x38800000);");
    sq_text_line(to, "u tiny = (u)((sq_f32x%d)a + 0.5f) - 0x3f000000;", v->lanes);
    sq_text_line(to, "u normal = (a - 0x37fff001 + (a >> 13 & 1)) >> 13;");
    sq_text_line(to, "u r = (tiny & small) | (normal & ~small & ~large) | (0x7c00 & large);");
    sq_text_line(to, "r |= (0x0200 | (a >> 13 & 0x3ff)) & nan;");
    sq_text_line(to, "return __builtin_convertvector(sign | r, %s);", n);
}

void sq_define_stored(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    if (op == SQ_VOP_GET) {
        sq_text_open(to, "SQ_INLINE sq_f32x%d %s_get(%s h)\n{", v->lanes, n, n);
        if (!t->isa->f16_get || !t->isa->f16_get(v, t, to))
            put_get(v, to);
        sq_text_close(to, "}");
    } else if (op == SQ_VOP_BITS) {
        sq_text_open(to, "SQ_INLINE %s %s_bits(sq_f32x%d x)\n{", n, n, v->lanes);
        if (!t->isa->f16_bits || !t->isa->f16_bits(v, n, t, to))
            put_bits(v, n, to);
        sq_text_close(to, "}");
    } else {
        sq_text_line(to, "SQ_INLINE sq_f32x%d %s_round(sq_f32x%d x) { return %s_get(%s_bits(x)); }",
                     v->lanes, n, v->lanes, n, n);
    }
}
