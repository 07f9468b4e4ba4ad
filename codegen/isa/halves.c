/* Halves: vectors that are put together from halves of others, and interleaving within runs of 16
 * bytes; see rows.h. Where shuffles work within the halves of a register, everything that crosses
 * halves is made of these. */
#include "codegen/code/expr.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"
#include "codegen/isa/shuffle.h"

static void put_shuffled(const sq_vector *v, const char *name, const char *n, const int *lane,
                         sq_text *to)
{
    sq_text body = {.indent = 1};
    sq_shuffle_put(v, "return", "a", "b", lane, &body);
    sq_text_function(to, &body, "SQ_INLINE %s %s_%s(%s a, %s b)", n, n, name, n, n);
}

void sq_define_halves(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    int lane[SQ_SHUFFLE_MOST], half = v->lanes / 2, from = op == SQ_VOP_HALVES_HIGH ? half : 0;
    (void)t;
    for (int l = 0; l < v->lanes; l++)
        lane[l] = from + l + (l < half ? 0 : half);
    put_shuffled(v, sq_vector_rows[op].name, n, lane, to);
}

/* Interleaves lanes of a and b, from the first of each run of lanes on, or from its middle. */
static void put_zip(const sq_vector *v, sq_vop op, const char *n, int run, bool second, sq_text *to)
{
    int lane[SQ_SHUFFLE_MOST];
    for (int l = 0; l < v->lanes; l++)
        lane[l] = l / run * run + (second ? run / 2 : 0) + l % run / 2 + (l % 2 ? v->lanes : 0);
    put_shuffled(v, sq_vector_rows[op].name, n, lane, to);
}

void sq_define_zip16(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    int most = SQ_HALF_BYTES / sq_type_bytes(v->type), run = v->lanes < most ? v->lanes : most;
    (void)t;
    put_zip(v, op, n, run, op == SQ_VOP_ZIP16_SECOND, to);
}

/* Interleaves both halves, and takes the first or the second ones. */
void sq_define_zip(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    bool second = op == SQ_VOP_ZIP_SECOND;
    if (!sq_vector_halved(v, t)) {
        put_zip(v, op, n, v->lanes, second, to);
        return;
    }
    sq_text_open(to, "SQ_INLINE %s %s_%s(%s a, %s b)\n{", n, n, sq_vector_rows[op].name, n, n);
    sq_text_line(to, "return %s_halves_%s(%s_zip16_first(a, b), %s_zip16_second(a, b));", n,
                 second ? "high" : "low", n, n);
    sq_text_close(to, "}");
}

sq_vop sq_vop_zip(int n, int number)
{
    return (sq_vop)((n == 2 ? SQ_VOP_ZIP_FIRST : SQ_VOP_ZIP3_FIRST) + number);
}

sq_vop sq_vop_swizzle(int64_t how)
{
    return (sq_vop)(SQ_VOP_TWICE_FIRST + how);
}

void sq_define_swizzle(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    int lane[SQ_SHUFFLE_MOST];
    (void)t;
    for (int l = 0; l < v->lanes; l++)
        lane[l] = sq_code_swizzled(op - SQ_VOP_TWICE_FIRST, l);
    sq_text body = {.indent = 1};
    sq_shuffle_put(v, "return", "a", "a", lane, &body);
    sq_text_function(to, &body, "SQ_INLINE %s %s_%s(%s a)", n, n, sq_vector_rows[op].name, n);
}

/* The numbers are constants where it is called: compilers make one shuffle of it. */
void sq_define_fours(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    static const char from[] = "ijkl";
    sq_text lanes = {0}, places = {0};
    (void)op;
    (void)t;
    for (int l = 0; l < v->lanes; l++) {
        sq_text_printf(&lanes, "%s%d + %c", l ? ", " : "", l / 4 * 4, from[l % 4]);
        sq_text_printf(&places, "%sa[%d + %c]", l ? ", " : "", l / 4 * 4, from[l % 4]);
    }
    sq_text_open(to, "SQ_INLINE %s %s_fours(%s a, int i, int j, int k, int l)\n{", n, n, n);
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return (%s){%s};", n, sq_text_str(&places));
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "typedef int%d_t w __attribute__((vector_size(%d)));", 8 * sq_type_bytes(v->type),
                 v->lanes * sq_type_bytes(v->type));
    sq_text_line(to, "return __builtin_shuffle(a, (w){%s});", sq_text_str(&lanes));
    sq_text_puts(to, "#endif\n");
    sq_text_close(to, "}");
    sq_text_free(&lanes);
    sq_text_free(&places);
}

/* Interleaves the first two vectors, with gaps for the third. Each half of a register takes from
 * one half of the three: the first third from the lower one, the last third from the upper one, and
 * the second from its own. */
void sq_define_zip3(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    int two[SQ_SHUFFLE_MOST], three[SQ_SHUFFLE_MOST], number = (int)(op - SQ_VOP_ZIP3_FIRST);
    bool halved = sq_vector_halved(v, t);
    int run = halved ? v->lanes / 2 : v->lanes;
    for (int l = 0; l < v->lanes; l++) {
        int i = number * v->lanes + l, from = l / run * run + i / 3 % run;
        two[l] = from + (i % 3 == 1 ? v->lanes : 0);
        three[l] = i % 3 == 2 ? v->lanes + from : l;
    }
    sq_text_open(to, "SQ_INLINE %s %s_%s(%s a, %s b, %s c)\n{", n, n, sq_vector_rows[op].name, n, n,
                 n);
    for (const char *x = "abc"; *x && halved && number != 1; x++)
        sq_text_line(to, "%c = %s_halves_%s(%c, %c);", *x, n, number ? "high" : "low", *x, *x);
    sq_shuffle_put(v, "a =", "a", "b", two, to);
    sq_shuffle_put(v, "return", "a", "c", three, to);
    sq_text_close(to, "}");
}

/* Without instructions, through memory, half by half. */
void sq_define_joined(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    const char *c = sq_vector_element(v);
    int half = v->lanes * sq_type_bytes(v->type) / 2;
    (void)op;
    sq_text_open(to, "SQ_INLINE %s %s_joined(const %s *p, const %s *q)\n{", n, n, c, c);
    if (!t->isa->joined || !t->isa->joined(v, n, to)) {
        sq_text_line(to, "%s r;", n);
        sq_text_line(to, "memcpy(&r, p, %d);", half);
        sq_text_line(to, "memcpy((char *)&r + %d, q, %d);", half, half);
        sq_text_line(to, "return r;");
    }
    sq_text_close(to, "}");
}
