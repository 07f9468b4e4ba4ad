/* Arithmetic on vectors: multiply-adds, minimum and maximum, sums of lanes; see rows.h. */
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"
#include "codegen/isa/shuffle.h"

/* Prints `w`: the unsigned vector type of the same shape, whose sums wrap around. */
static void put_unsigned(const sq_vector *v, sq_text *to)
{
    int bytes = sq_type_bytes(v->type);
    if (v->lanes == 1)
        sq_text_line(to, "typedef uint%d_t w;", 8 * bytes);
    else
        sq_text_line(to, "typedef uint%d_t w __attribute__((vector_size(%d)));", 8 * bytes,
                     v->lanes * bytes);
}

bool sq_vector_fuses(const sq_vector *v, const sq_target *t)
{
    sq_text text = {0};
    bool has = !v->strict && t->isa->fma && t->isa->fma(v, t, &text);
    sq_text_free(&text);
    return has;
}

/* Prints "return a * b + c", rounded once where the ISA can. */
static void put_product_and_sum(const sq_vector *v, const sq_target *t, sq_text *to)
{
    if (v->strict || !t->isa->fma || !t->isa->fma(v, t, to))
        sq_text_line(to, "return a * b + c;");
}

/* Even lanes of c change their sign by its bit. */
static void put_fma_turned(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    sq_text_open(to, "SQ_INLINE %s %s_fma_turned(%s a, %s b, %s c)\n{", n, n, n, n, n);
    if (v->strict || !t->isa->fma_turned || !t->isa->fma_turned(v, t, to)) {
        int top = 8 * sq_type_bytes(v->type) - 1;
        put_unsigned(v, to);
        sq_text_printf(to, "    const w turn = {");
        for (int l = 0; l < v->lanes; l++)
            sq_text_printf(to, l % 2 ? ", 0" : "%s(uint%d_t)1 << %d", l ? ", " : "", top + 1, top);
        sq_text_puts(to, "};\n");
        sq_text_line(to, "c = (%s)((w)c ^ turn);", n);
        put_product_and_sum(v, t, to);
    }
    sq_text_close(to, "}");
}

void sq_define_fma(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    if (op == SQ_VOP_FMA_TURNED) {
        put_fma_turned(v, n, t, to);
        return;
    }
    bool real = sq_type_real(v->type);
    sq_text body = {.indent = 1};
    if (real) {
        put_product_and_sum(v, t, &body);
    } else if (v->strict || !t->isa->fma || !t->isa->fma(v, t, &body)) {
        put_unsigned(v, &body);
        sq_text_line(&body, "return (%s)((w)a * (w)b + (w)c);", n);
    }
    sq_text_function(to, &body, "SQ_INLINE %s %s_fma(%s a, %s b, %s c)", n, n, n, n, n);
}

void sq_define_fma_low(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)op;
    sq_text_line(to, "/* c plus the products of the lower 32 bits of a and b */");
    sq_text_open(to, "SQ_INLINE %s %s_fma_low(%s a, %s b, %s c)\n{", n, n, n, n, n);
    if (!t->isa->fma_low || !t->isa->fma_low(v, t, to)) {
        put_unsigned(v, to);
        sq_text_line(to, "a = (%s)((w)a << 32) >> 32, b = (%s)((w)b << 32) >> 32;", n, n);
        sq_text_line(to, "return (%s)((w)a * (w)b + (w)c);", n);
    }
    sq_text_close(to, "}");
}

/* Only where the ISA has it. */
void sq_define_scale(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)op;
    sq_text_line(to, "/* a 2^b */");
    sq_text_open(to, "SQ_INLINE %s %s_scale(%s a, %s b)\n{", n, n, n, n);
    t->isa->scale(v, to);
    sq_text_close(to, "}");
}

/* Portable text: the bytes of words one after the other; those of the second of two words are added to the first. */
void sq_define_sad(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)op;
    sq_text_open(to, "SQ_INLINE %s %s_sad4(%s a, %s b, %s c)\n{", n, n, n, n, n);
    if (!t->isa->sad || !t->isa->sad(v, t, to)) {
        put_unsigned(v, to);
        sq_text_open(to, "for (int l = 0; l < %d; l++) {", v->lanes);
        sq_text_line(to, "w sum = (w)c;");
        sq_text_open(to, "for (int i = 0; i < 32; i += 8) {");
        sq_text_line(to, "const int32_t d = (uint8_t)((uint32_t)a[l] >> i) - (uint8_t)((uint32_t)b[l] >> i);");
        sq_text_line(to, "sum[l / 2 * 2] += (uint32_t)(d < 0 ? -d : d);");
        sq_text_close(to, "}");
        sq_text_line(to, "c = (%s)sum;", n);
        sq_text_close(to, "}");
        sq_text_line(to, "return c;");
    }
    sq_text_close(to, "}");
}

/* Portable text: one element of the word after the other, sign-extended by a shift to the top of
 * the word. */
void sq_define_dot(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    bool bytes = op == SQ_VOP_DOT4;
    int bits = bytes ? 8 : 16;
    sq_text_open(to, "SQ_INLINE %s %s_dot%d(%s a, %s b, %s c)\n{", n, n, bytes ? 4 : 2, n, n, n);
    if (!t->isa->dot || !t->isa->dot(v, bytes, t, to)) {
        put_unsigned(v, to);
        sq_text_line(to, "for (int i = 0; i < 32; i += %d)", bits);
        if (bytes)
            sq_text_line(to, "    c = (%s)((w)c + (w)((%s)((w)a >> i & 255) * ((%s)((w)b << (24 - i)) >> 24)));",
                         n, n, n);
        else
            sq_text_line(to, "    c = (%s)((w)c + (w)(((%s)((w)a << (16 - i)) >> 16) * "
                             "((%s)((w)b << (16 - i)) >> 16)));",
                         n, n, n);
        sq_text_line(to, "return c;");
    }
    sq_text_close(to, "}");
}

/* The maximum or minimum in each lane, as a > b ? a : b, which is what the instruction computes. */
void sq_define_extreme(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                       sq_text *to)
{
    bool max = op == SQ_VOP_MAX;
    char sign = max ? '>' : '<';
    sq_text body = {.indent = 1};
    if (v->lanes == 1) {
        sq_text_line(&body, "return a %c b ? a : b;", sign);
    } else if (t->isa->minmax && t->isa->minmax(v, max, t, &body)) {
        /* printed by the ISA */
    } else if (!sq_type_real(v->type)) {
        sq_text_line(&body, "%s m = (%s)(a %c b);", n, n, sign);
        sq_text_line(&body, "return (a & m) | (b & ~m);");
    } else {
        sq_text_line(&body, "const __typeof__(a < b) m = a %c b;", sign);
        sq_text_line(&body, "return (%s)((m & (__typeof__(m))a) | (~m & (__typeof__(m))b));", n);
    }
    sq_text_function(to, &body, "SQ_INLINE %s %s_%s(%s a, %s b)", n, n, max ? "max" : "min", n, n);
}

/* Without instructions, in the bits that both have and half of those that one has. */
void sq_define_average(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)op;
    sq_text body = {.indent = 1};
    if (!t->isa->average || !t->isa->average(v, t, &body))
        sq_text_line(&body, "return (a | b) - ((a ^ b) >> 1);");
    sq_text_function(to, &body, "SQ_INLINE %s %s_average(%s a, %s b)", n, n, n, n);
}

/* Adds to each lane the one at distance `half`. Integer lanes wrap around. */
static void add_half(const sq_vector *v, const char *n, int half, sq_text *to)
{
    int lane[SQ_SHUFFLE_MOST];
    for (int l = 0; l < v->lanes; l++)
        lane[l] = l ^ half;
    sq_text other = {0};
    sq_shuffle_call(v, "a", "a", lane, &other);
    if (sq_type_real(v->type))
        sq_text_line(to, "a += %s;", sq_text_str(&other));
    else
        sq_text_line(to, "a = (%s)((w)a + (w)%s);", n, sq_text_str(&other));
    sq_text_free(&other);
}

/* Adds one half of the lanes to the other, repeatedly: in registers, where gcc's -O2 would leave
 * loops over lanes in memory. */
void sq_define_sum(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)op, (void)t;
    sq_text_open(to, "SQ_INLINE %s %s_sum(%s a)\n{", sq_type_ctype(v->type), n, n);
    if (!sq_type_real(v->type))
        put_unsigned(v, to);
    for (int half = v->lanes / 2; half > 0; half /= 2)
        add_half(v, n, half, to);
    sq_text_line(to, "return a[0];");
    sq_text_close(to, "}");
}
