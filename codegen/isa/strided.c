/* Strided: loads of every second, third or fourth element; see rows.h. Lanes lie a small known distance
 * apart in pooling and in convolutions with a stride; whole vectors and shuffles bring them, where a
 * gather takes an instruction or two a lane. */
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"

enum {
    WHOLE = SQ_VOP_BIT(SQ_VOP_STRIDE2) | SQ_VOP_BIT(SQ_VOP_STRIDE3) | SQ_VOP_BIT(SQ_VOP_STRIDE4)
};

sq_vop sq_vop_strided(int step, bool rest)
{
    return (sq_vop)(SQ_VOP_STRIDE2 + 2 * (step - 2) + rest);
}

static bool has_masks(const sq_vector *v, const sq_target *t)
{
    return t->isa->masks & (unsigned)sq_type_bytes(v->type);
}

uint64_t sq_strided_needs(const sq_vector *v, uint64_t used, const sq_target *t)
{
    uint64_t rests = used & (uint64_t)WHOLE << 1;
    if (!rests)
        return 0;
    return has_masks(v, t) ? SQ_VOP_BIT(SQ_VOP_LOAD_N) : SQ_VOP_BIT(SQ_VOP_GATHER) | rests >> 1;
}

/* Where lane l comes from when part k joins what parts before it brought: lanes of a second vector
 * are counted on from those of the first. Lanes that later parts bring come from anywhere. */
static int source(int lanes, int step, int k, int l)
{
    int at = step * l - k * (lanes - 1);
    if (at > lanes - 1)
        return l;
    if (at > 0)
        return lanes + at;
    return k == 1 ? step * l : l;
}

/* `r` from the parts a0, a1, ... */
static void put_shuffles(const sq_vector *v, const char *n, int step, sq_text *to)
{
    sq_text_line(to, "%s r = a0;", n);
    for (int k = 1; k < step; k++) {
        sq_text lanes = {0};
        for (int l = 0; l < v->lanes; l++)
            sq_text_printf(&lanes, "%s%d", l ? ", " : "", source(v->lanes, step, k, l));
        sq_text_puts(to, "#if defined(__clang__)\n");
        sq_text_line(to, "r = __builtin_shufflevector(r, a%d, %s);", k, sq_text_str(&lanes));
        sq_text_puts(to, "#else\n");
        sq_text_line(to, "r = __builtin_shuffle(r, a%d, (w){%s});", k, sq_text_str(&lanes));
        sq_text_puts(to, "#endif\n");
        sq_text_free(&lanes);
    }
    sq_text_line(to, "return r;");
}

/* As many vectors as the step is long, each from the last element of the one before on: together
 * they end where the last lane's element does, and nothing beyond it is read. */
static void define(const sq_vector *v, const char *n, int step, bool rest, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    int bytes = sq_type_bytes(v->type);
    sq_text_open(to, "SQ_INLINE %s %s_stride%d%s(const %s *p%s)\n{", n, n, step, rest ? "_n" : "",
                 c, rest ? ", int64_t n" : "");
    sq_text_puts(to, "#if !defined(__clang__)\n");
    sq_text_line(to, "typedef int%d_t w __attribute__((vector_size(%d)));", 8 * bytes,
                 v->lanes * bytes);
    sq_text_puts(to, "#endif\n");
    if (rest)
        sq_text_line(to, "const int64_t all = n > 0 ? %d * n - %d : 0;", step, step - 1);
    for (int k = 0; k < step; k++) {
        int from = k * (v->lanes - 1);
        if (rest)
            sq_text_line(to, "const %s a%d = %s_load_n(p + %d, all - %d);", n, k, n, from, from);
        else
            sq_text_line(to, "const %s a%d = *(const %s_u *)(p + %d);", n, k, n, from);
    }
    put_shuffles(v, n, step, to);
    sq_text_close(to, "}");
}

/* Machines without masks take a rest lane by lane, in one place: it is long. */
static void define_by_lane(const sq_vector *v, const char *n, int step, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    sq_text_open(to,
                 "static SQ_TARGET __attribute__((noinline, unused)) %s %s_rest%d(const %s *p, "
                 "int64_t n)\n{",
                 n, n, step, c);
    sq_text_line(to, "return %s_gather(p, %d, n);", n, step);
    sq_text_close(to, "}");
    sq_text_open(to, "SQ_INLINE %s %s_stride%d_n(const %s *p, int64_t n)\n{", n, n, step, c);
    sq_text_line(to, "return n < %d ? %s_rest%d(p, n) : %s_stride%d(p);", v->lanes, n, step, n,
                 step);
    sq_text_close(to, "}");
}

void sq_define_strided(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                       sq_text *to)
{
    int step = 2 + (op - SQ_VOP_STRIDE2) / 2;
    bool rest = op == sq_vop_strided(step, true);
    if (rest && !has_masks(v, t))
        define_by_lane(v, n, step, to);
    else
        define(v, n, step, rest, to);
}
