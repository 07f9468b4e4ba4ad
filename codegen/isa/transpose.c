/* Transpose: a square of registers, its rows made its columns; see rows.h. As often as its lanes can be
 * halved, a vector of the first half is interleaved with that of the second half that has its number;
 * which is a transpose. */
#include "codegen/isa/rows.h"

/* Lanes of a and b in turn, from lane `from` of both on. */
void sq_define_zip(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)t;
    bool second = op == SQ_VOP_ZIP_SECOND;
    sq_text lanes = {0};
    int from = second ? v->lanes / 2 : 0, bytes = sq_type_bytes(v->type);
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(&lanes, "%s%d", l ? ", " : "", from + l / 2 + (l % 2 ? v->lanes : 0));
    sq_text_open(to, "SQ_INLINE %s %s_zip_%s(%s a, %s b)\n{", n, n, second ? "second" : "first", n,
                 n);
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return __builtin_shufflevector(a, b, %s);", sq_text_str(&lanes));
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "typedef int%d_t w __attribute__((vector_size(%d)));", 8 * bytes,
                 v->lanes * bytes);
    sq_text_line(to, "return __builtin_shuffle(a, b, (w){%s});", sq_text_str(&lanes));
    sq_text_puts(to, "#endif\n");
    sq_text_close(to, "}");
    sq_text_free(&lanes);
}

/* One round, from x to y. */
static void put_round(const sq_vector *v, const char *n, const sq_target *t, const char *x,
                      const char *y, sq_text *to)
{
    int half = v->lanes / 2;
    if (t->language->unroll)
        sq_text_line(to, "%s(%d)", t->language->unroll, half);
    sq_text_open(to, "for (int i = 0; i < %d; i++) {", half);
    sq_text_line(to, "%s[2 * i] = %s_zip_first(%s[i], %s[i + %d]);", y, n, x, x, half);
    sq_text_line(to, "%s[2 * i + 1] = %s_zip_second(%s[i], %s[i + %d]);", y, n, x, x, half);
    sq_text_close(to, "}");
}

void sq_define_transpose(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                         sq_text *to)
{
    (void)op;
    int rounds = 0;
    sq_text_open(to, "SQ_INLINE void %s_transpose(%s *x)\n{", n, n);
    sq_text_line(to, "%s y[%d];", n, v->lanes);
    for (int lanes = v->lanes; lanes > 1; lanes /= 2)
        put_round(v, n, t, rounds % 2 ? "y" : "x", rounds % 2 ? "x" : "y", to), rounds++;
    if (rounds % 2) {
        if (t->language->unroll)
            sq_text_line(to, "%s(%d)", t->language->unroll, v->lanes);
        sq_text_line(to, "for (int i = 0; i < %d; i++)", v->lanes);
        sq_text_line(to, "    x[i] = y[i];");
    }
    sq_text_close(to, "}");
}

/* What is left over begins at a number of its own: where gcc makes a copy for given rows and goes on
 * from the loop before, it warns of turns that never are. */
void sq_define_turn(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)op;
    const char *c = sq_type_ctype(v->type);
    int lanes = v->lanes;
    const char *unroll = t->language->unroll;
    sq_text_line(to, "/* Rows of n elements, `between` apart, to columns: steps of `step`. */");
    sq_text_open(to,
                 "static SQ_TARGET __attribute__((noinline, unused)) void %s_turn(%s *to, int64_t "
                 "step, const %s *from, int64_t between, int64_t rows, int64_t n)\n{",
                 n, c, c);
    sq_text_open(to, "for (int64_t r = 0; r + %d <= rows; r += %d) {", lanes, lanes);
    sq_text_open(to, "for (int64_t i = 0; i + %d <= n; i += %d) {", lanes, lanes);
    sq_text_line(to, "%s x[%d];", n, lanes);
    if (unroll)
        sq_text_line(to, "%s(%d)", unroll, lanes);
    sq_text_line(to, "for (int l = 0; l < %d; l++)", lanes);
    sq_text_line(to, "    x[l] = *(const %s_u *)(from + (r + l) * between + i);", n);
    sq_text_line(to, "%s_transpose(x);", n);
    if (unroll)
        sq_text_line(to, "%s(%d)", unroll, lanes);
    sq_text_line(to, "for (int l = 0; l < %d; l++)", lanes);
    sq_text_line(to, "    *(%s_u *)(to + (i + l) * step + r) = x[l];", n);
    sq_text_close(to, "}");
    sq_text_open(to, "for (int64_t i = n / %d * %d; i < n; i++)", lanes, lanes);
    sq_text_open(to, "for (int64_t x = r; x < r + %d; x++)", lanes);
    sq_text_line(to, "to[i * step + x] = from[x * between + i];");
    to->indent -= 2;
    sq_text_close(to, "}");
    sq_text_open(to, "for (int64_t r = rows / %d * %d; r < rows; r++)", lanes, lanes);
    sq_text_open(to, "for (int64_t i = 0; i < n; i++)");
    sq_text_line(to, "to[i * step + r] = from[r * between + i];");
    to->indent -= 2;
    sq_text_close(to, "}");
}
