/* Loads and stores of lanes in reverse order; see reverse.h. */
#include "codegen/isa/reverse.h"

static bool has(const sq_vector *v, sq_vop op)
{
    return v->used >> op & 1;
}

/* x from its last lane to its first, as an expression in parentheses. */
static void put_reversed(const sq_vector *v, const char *n, const char *x, sq_text *to)
{
    sq_text lanes = {0};
    for (int l = v->lanes - 1; l >= 0; l--)
        sq_text_printf(&lanes, "%d%s", l, l ? ", " : "");
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "return __builtin_shufflevector(%s, %s, %s);", x, x, sq_text_str(&lanes));
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "typedef int%d_t w __attribute__((vector_size(%d)));",
                 8 * sq_type_bytes(v->type), v->lanes * sq_type_bytes(v->type));
    sq_text_line(to, "return (%s)__builtin_shuffle(%s, (w){%s});", n, x, sq_text_str(&lanes));
    sq_text_puts(to, "#endif\n");
    sq_text_free(&lanes);
}

static void define_reversed(const sq_vector *v, const char *n, sq_text *to)
{
    sq_text_open(to, "SQ_INLINE %s %s_reversed(%s x)\n{", n, n, n);
    put_reversed(v, n, "x", to);
    sq_text_close(to, "}");
}

static void define_load(const sq_vector *v, const char *n, sq_text *to)
{
    sq_text_line(to,
                 "SQ_INLINE %s %s_load_back(const %s *p) { return %s_reversed(*(const %s_u *)(p - "
                 "%d)); }",
                 n, n, sq_type_ctype(v->type), n, n, v->lanes - 1);
}

static void define_store(const sq_vector *v, const char *n, sq_text *to)
{
    sq_text_line(
        to, "SQ_INLINE void %s_store_back(%s *p, %s v) { *(%s_u *)(p - %d) = %s_reversed(v); }", n,
        sq_type_ctype(v->type), n, n, v->lanes - 1, n);
}

/* Rests are rare and long: lane by lane, in one place. */
static void define_rests(const sq_vector *v, const char *n, sq_text *to)
{
    static const char outside[] = "static SQ_TARGET __attribute__((noinline, unused))";
    const char *c = sq_type_ctype(v->type);
    if (has(v, SQ_VOP_LOAD_BACK_N)) {
        sq_text_line(to,
                     "%s %s %s_rest_back(const %s *p, int64_t n) { return %s_gather(p, -1, n); }",
                     outside, n, n, c, n);
        sq_text_line(to,
                     "SQ_INLINE %s %s_load_back_n(const %s *p, int64_t n) { return n < %d ? "
                     "%s_rest_back(p, n) : %s_load_back(p); }",
                     n, n, c, v->lanes, n, n);
    }
    if (has(v, SQ_VOP_STORE_BACK_N)) {
        sq_text_line(to, "%s void %s_put_back(%s *p, %s v, int64_t n) { %s_scatter(p, -1, v, n); }",
                     outside, n, c, n, n);
        sq_text_line(to, "SQ_INLINE void %s_store_back_n(%s *p, %s v, int64_t n)", n, c, n);
        sq_text_open(to, "{");
        sq_text_line(to, "if (n < %d)", v->lanes);
        sq_text_line(to, "    %s_put_back(p, v, n);", n);
        sq_text_line(to, "else");
        sq_text_line(to, "    %s_store_back(p, v);", n);
        sq_text_close(to, "}");
    }
}

unsigned sq_reverse_needs(const sq_vector *v)
{
    return (has(v, SQ_VOP_LOAD_BACK_N) ? 1u << SQ_VOP_GATHER : 0) |
           (has(v, SQ_VOP_STORE_BACK_N) ? 1u << SQ_VOP_SCATTER : 0);
}

void sq_reverse_define(const sq_vector *v, const char *n, sq_text *to)
{
    bool loads = has(v, SQ_VOP_LOAD_BACK) || has(v, SQ_VOP_LOAD_BACK_N),
         stores = has(v, SQ_VOP_STORE_BACK) || has(v, SQ_VOP_STORE_BACK_N);
    if (loads || stores)
        define_reversed(v, n, to);
    if (loads)
        define_load(v, n, to);
    if (stores)
        define_store(v, n, to);
    define_rests(v, n, to);
}
