/* Transpose: transposes a square of registers; see rows.h. Recursively, each vector of the first
 * half is interleaved with the corresponding vector of the second half. Where interleaving works
 * within halves of registers, this is done separately for each half of the rows, which transposes
 * the four quadrants; the halves of their vectors are then put together. */
#include "codegen/isa/rows.h"
#include "codegen/isa/shuffle.h"
#include <stdio.h>

/* Squares in an array of registers, `squares` of them, moved from one array to another. */
typedef struct turning {
    const sq_vector *v;
    const char *n, *from, *into, *zip;
    const sq_target *t;
    int squares;
} turning;

/* Asks the compiler to unroll the loop that follows, if the language can. */
static void put_unroll(const sq_vector *v, const sq_target *t, int n, sq_text *to)
{
    if (t->language->unroll)
        sq_text_line(to, "%s(%d)", sq_uses_helper(v->uses, t->language->unroll), n);
}

static void put_loop(const turning *r, int n, sq_text *to)
{
    put_unroll(r->v, r->t, n, to);
    sq_text_open(to, "for (int i = 0; i < %d; i++) {", n);
}

static void next(turning *r)
{
    const char *from = r->from;
    r->from = r->into;
    r->into = from;
}

/* Prints one round of interleaving. */
static void put_round(turning *r, sq_text *to)
{
    int half = r->v->lanes / r->squares / 2;
    char at[40] = "i";
    if (r->squares > 1)
        snprintf(at, sizeof at, half > 1 ? "i / %d * %d + i" : "2 * i", half, half);
    put_loop(r, r->v->lanes / 2, to);
    sq_text_line(to, "%s[2 * i] = %s_%s_first(%s[%s], %s[%s + %d]);", r->into, r->n, r->zip,
                 r->from, at, r->from, at, half);
    sq_text_line(to, "%s[2 * i + 1] = %s_%s_second(%s[%s], %s[%s + %d]);", r->into, r->n, r->zip,
                 r->from, at, r->from, at, half);
    sq_text_close(to, "}");
    next(r);
}

/* Prints the columns, from two squares whose vectors each have halves of two columns. */
static void put_columns(turning *r, sq_text *to)
{
    int half = r->v->lanes / 2;
    put_loop(r, half, to);
    sq_text_line(to, "%s[i] = %s_halves_low(%s[i], %s[i + %d]);", r->into, r->n, r->from, r->from,
                 half);
    sq_text_line(to, "%s[i + %d] = %s_halves_high(%s[i], %s[i + %d]);", r->into, half, r->n,
                 r->from, r->from, half);
    sq_text_close(to, "}");
    next(r);
}

void sq_define_transpose(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                         sq_text *to)
{
    (void)op;
    bool halved = sq_vector_halved(v, t);
    turning r = {v, n, "x", "y", halved ? "zip16" : "zip", t, halved ? 2 : 1};
    sq_text_open(to, "SQ_INLINE void %s_transpose(%s *x)\n{", n, n);
    sq_text_line(to, "%s y[%d];", n, v->lanes);
    for (int lanes = v->lanes / r.squares; lanes > 1; lanes /= 2)
        put_round(&r, to);
    if (halved)
        put_columns(&r, to);
    if (*r.from == 'y') {
        put_unroll(v, t, v->lanes, to);
        sq_text_line(to, "for (int i = 0; i < %d; i++)", v->lanes);
        sq_text_line(to, "    x[i] = y[i];");
    }
    sq_text_close(to, "}");
}

/* The remainder begins at a number of its own: if gcc specializes the function for constant rows
 * and continues from the loop before, it warns of iterations that never occur. */
void sq_define_turn(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)op;
    const char *c = sq_vector_element(v);
    int lanes = v->lanes;
    sq_text_line(
        to,
        "/* Copies rows of n elements, with stride `between`, to columns with stride `step`. */");
    sq_text_open(to,
                 "static SQ_TARGET __attribute__((noinline, unused)) void %s_turn(%s *to, int64_t "
                 "step, const %s *from, int64_t between, int64_t rows, int64_t n)\n{",
                 n, c, c);
    sq_text_open(to, "for (int64_t r = 0; r + %d <= rows; r += %d) {", lanes, lanes);
    sq_text_open(to, "for (int64_t i = 0; i + %d <= n; i += %d) {", lanes, lanes);
    sq_text_line(to, "%s x[%d];", n, lanes);
    put_unroll(v, t, lanes, to);
    sq_text_line(to, "for (int l = 0; l < %d; l++)", lanes);
    sq_text_line(to, "    x[l] = *(const %s_u *)(from + (r + l) * between + i);", n);
    sq_text_line(to, "%s_transpose(x);", n);
    put_unroll(v, t, lanes, to);
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
