/* CUDA mma: see cuda_mma.h. Sums are updated in place: row g, columns 2t and 2t + 1, then row g +
 * 8. Operands have four and two registers. */
#include "codegen/isa/cuda_mma.h"
#include "codegen/print/printer.h"
#include "ir/dependence/tensor.h"

static const char linkage[] = "[[maybe_unused]] static __device__ __forceinline__";

/* Returns PTX's name of the element type. */
static const char *element(sq_type t)
{
    switch (t) {
    case SQ_F32:
        return "tf32";
    case SQ_I8:
        return "s8";
    default:
        return sq_type_suffix(t);
    }
}

static const char *sum_name(sq_type t)
{
    return t == SQ_I32 ? "s32" : "f32";
}

/* Returns "m16n8k16" */
static const char *shape(const sq_tensor_shape *s, sq_arena *arena)
{
    return sq_arena_printf(arena, "m%dn%dk%d", s->m, s->n, s->k);
}

const char *sq_mma_name(sq_type operand, sq_type sum, sq_arena *arena)
{
    const sq_tensor_shape *s = sq_tensor_shape_of(operand, sum, 1);
    return sq_arena_printf(arena, "sq_mma_%s_%s_%s", shape(s, arena), sum_name(sum),
                           element(operand));
}

static void put_mma(const sq_tensor_shape *s, const char *name, sq_arena *arena, sq_text *to)
{
    const char *c = sq_type_ctype(s->sum), *r = s->sum == SQ_I32 ? "r" : "f",
               *of = element(s->operand), *sum = sum_name(s->sum);
    sq_text_line(to, "/* Adds the product of %d x %d and %d x %d elements to a warp's sums. */",
                 s->m, s->k, s->k, s->n);
    sq_text_line(to,
                 "%s void %s(%s &c0, %s &c1, %s &c2, %s &c3, const uint32_t *a, const uint32_t *b)",
                 linkage, name, c, c, c, c);
    sq_text_open(to, "{");
    sq_text_puts(to, "#ifdef SQUALL_SIMT\n");
    sq_text_line(to, "%s d[4] = {c0, c1, c2, c3};", c);
    sq_text_line(to, "const unsigned a4[4] = {a[0], a[1], a[2], a[3]}, b2[2] = {b[0], b[1]};");
    sq_text_line(to, "squall_simt::mma_%s_%s_%s(d, a4, b2, d);", shape(s, arena), sum, of);
    sq_text_line(to, "c0 = d[0], c1 = d[1], c2 = d[2], c3 = d[3];");
    sq_text_puts(to, "#else\n");
    sq_text_line(to,
                 "asm volatile(\"mma.sync.aligned.%s.row.col.%s.%s.%s.%s {%%0, %%1, %%2, %%3}, \"",
                 shape(s, arena), sum, of, of, sum);
    sq_text_line(to, "             \"{%%4, %%5, %%6, %%7}, {%%8, %%9}, {%%0, %%1, %%2, %%3};\"");
    sq_text_line(to, "             : \"+%s\"(c0), \"+%s\"(c1), \"+%s\"(c2), \"+%s\"(c3)", r, r, r,
                 r);
    sq_text_line(to,
                 "             : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), "
                 "\"r\"(b[1]));");
    sq_text_puts(to, "#endif\n");
    sq_text_close(to, "}");
}

static void put_ldmatrix(int n, bool trans, const char *name, sq_text *to)
{
    sq_text_line(to, "/* %d matrices of 8 rows of 16 bytes, whose addresses lanes bring%s. */", n,
                 trans ? "; turned" : "");
    sq_text_line(to, "%s void %s(uint32_t *to, const void *row)", linkage, name);
    sq_text_open(to, "{");
    sq_text_puts(to, "#ifdef SQUALL_SIMT\n");
    sq_text_line(to, "unsigned r[%d];", n);
    sq_text_line(to, "squall_simt::ldmatrix%s(r, row);", trans ? "_trans" : "");
    sq_text_line(to, "for (int i = 0; i < %d; i++)", n);
    sq_text_line(to, "    to[i] = r[i];");
    sq_text_puts(to, "#else\n");
    sq_text_line(
        to, "asm volatile(\"ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 {%%0, %%1%s}, [%%%d];\"", n,
        trans ? ".trans" : "", n == 4 ? ", %2, %3" : "", n);
    sq_text_line(to, "             : \"=r\"(to[0]), \"=r\"(to[1])%s",
                 n == 4 ? ", \"=r\"(to[2]), \"=r\"(to[3])" : "");
    sq_text_line(to,
                 "             : \"r\"((uint32_t)__cvta_generic_to_shared(row)) : \"memory\");");
    sq_text_puts(to, "#endif\n");
    sq_text_close(to, "}");
}

static void put_tf32(sq_text *to)
{
    sq_text_line(to, "/* Rounds an f32 to tf32: to nearest, ties away from zero. */");
    sq_text_line(to, "%s uint32_t sq_tf32(uint32_t x)", linkage);
    sq_text_open(to, "{");
    sq_text_puts(to, "#ifdef SQUALL_SIMT\n");
    sq_text_line(to, "return (x & 0x7fffffff) > 0x7f800000 ? x : (x + 0x1000) & 0xffffe000;");
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "uint32_t y;");
    sq_text_line(to,
                 "asm(\"cvt.rna.tf32.f32 %%0, %%1;\" : \"=r\"(y) : \"f\"(__uint_as_float(x)));");
    sq_text_line(to, "return y;");
    sq_text_puts(to, "#endif\n");
    sq_text_close(to, "}");
}

void sq_cuda_mma(const sq_code_keys *helpers, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    for (int t = 0; t < SQ_NTYPES; t++)
        for (int i = 0; i < 2; i++) {
            const sq_tensor_shape *s = sq_tensor_shape_of((sq_type)t, i ? SQ_I32 : SQ_F32, 1);
            const char *name = s ? sq_mma_name(s->operand, s->sum, arena) : NULL;
            if (s && sq_code_keys_has(helpers, name))
                put_mma(s, name, arena, to);
        }
    for (int n = 2; n <= 4; n += 2)
        for (int trans = 0; trans < 2; trans++) {
            const char *name =
                sq_arena_printf(arena, "sq_ldmatrix_x%d%s", n, trans ? "_trans" : "");
            if (sq_code_keys_has(helpers, name))
                put_ldmatrix(n, trans, name, to);
        }
    if (sq_code_keys_has(helpers, "sq_tf32"))
        put_tf32(to);
    sq_arena_free(arena);
}
