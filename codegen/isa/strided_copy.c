/* Strided copies: copies elements with a small constant stride to contiguous memory, for packs in
 * phases. Full vectors by strided loads (strided.c); the last one ends where the row does and
 * overlaps the previous one. */
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"
#include <stdio.h>

sq_vop sq_vop_strided_copy(int step, bool clips)
{
    return (sq_vop)((clips ? SQ_VOP_CLIP2 : SQ_VOP_COPY2) + step - 2);
}

static void put_vector(const char *n, int step, const char *at, sq_text *to)
{
    sq_text_line(to, "*(%s_u *)(to + %s) = %s_stride%d(from + %d * (%s));", n, at, n, step, step, at);
}

void sq_define_strided_copy(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)t;
    int step = 2 + (int)(op - SQ_VOP_COPY2), lanes = v->lanes;
    const char *c = sq_vector_element(v);
    char last[16];
    snprintf(last, sizeof last, "n - %d", lanes);
    sq_text_line(to, "/* Copies n elements with stride %d to contiguous memory. */", step);
    sq_text_open(to, "SQ_INLINE void %s_copy%d(%s *to, const %s *from, int64_t n)\n{", n, step, c, c);
    sq_text_open(to, "if (n < %d) {", lanes);
    sq_text_line(to, "for (int64_t x = 0; x < n; x++)");
    sq_text_line(to, "    to[x] = from[%d * x];", step);
    sq_text_line(to, "return;");
    sq_text_close(to, "}");
    sq_text_line(to, "for (int64_t x = 0; x < n - %d; x += %d)", lanes, lanes);
    to->indent++;
    put_vector(n, step, "x", to);
    to->indent--;
    put_vector(n, step, last, to);
    sq_text_close(to, "}");
}

void sq_define_strided_clip(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)t;
    int step = 2 + (int)(op - SQ_VOP_CLIP2);
    const char *c = sq_vector_element(v);
    sq_text_line(to, "/* The same from element lo of a row of `extent` elements, `outside` beyond its ends. */");
    sq_text_open(to,
                 "SQ_INLINE void %s_clip%d(%s *to, const %s *row, int64_t lo, int64_t n, int64_t extent, "
                 "%s outside)\n{",
                 n, step, c, c, c);
    sq_text_line(to, "int64_t a = lo < 0 ? (-lo + %d) / %d : 0, b = (extent - lo + %d) / %d;", step - 1, step,
                 step - 1, step);
    sq_text_line(to, "a = a > n ? n : a;");
    sq_text_line(to, "b = extent <= 0 || b < a ? a : b > n ? n : b;");
    sq_text_line(to, "for (int64_t x = 0; x < a; x++)");
    sq_text_line(to, "    to[x] = outside;");
    sq_text_line(to, "if (b > a)");
    sq_text_line(to, "    %s_copy%d(to + a, row + (lo + %d * a), b - a);", n, step, step);
    sq_text_line(to, "for (int64_t x = b; x < n; x++)");
    sq_text_line(to, "    to[x] = outside;");
    sq_text_close(to, "}");
}
