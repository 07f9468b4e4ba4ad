/* Reverse: loads and stores whose lanes are at descending addresses, as in X[N - 1 - i]: a whole
 * vector and one shuffle; see rows.h. p is the address of the first lane. */
#include "codegen/isa/rows.h"
#include "codegen/isa/shuffle.h"

void sq_define_reversed(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                        sq_text *to)
{
    int lane[SQ_SHUFFLE_MOST];
    (void)op, (void)t;
    for (int l = 0; l < v->lanes; l++)
        lane[l] = v->lanes - 1 - l;
    sq_text body = {.indent = 1};
    sq_shuffle_put(v, "return", "x", "x", lane, &body);
    sq_text_function(to, &body, "SQ_INLINE %s %s_reversed(%s x)", n, n, n);
}

void sq_define_back(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    const char *c = sq_vector_element(v);
    (void)t;
    if (op == SQ_VOP_LOAD_BACK)
        sq_text_line(
            to,
            "SQ_INLINE %s %s_load_back(const %s *p) { return %s_reversed(*(const %s_u *)(p "
            "- %d)); }",
            n, n, c, n, n, v->lanes - 1);
    else
        sq_text_line(
            to, "SQ_INLINE void %s_store_back(%s *p, %s v) { *(%s_u *)(p - %d) = %s_reversed(v); }",
            n, c, n, n, v->lanes - 1, n);
}

/* Remainders are rare and slow: lane by lane, in one function. */
void sq_define_back_part(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                         sq_text *to)
{
    (void)t;
    static const char outside[] = "static SQ_TARGET __attribute__((noinline, unused))";
    const char *c = sq_vector_element(v);
    if (op == SQ_VOP_LOAD_BACK_N) {
        sq_text_open(to, "%s %s %s_rest_back(const %s *p, int64_t n)\n{", outside, n, n, c);
        sq_text_line(to, "%s r = {0};", n);
        sq_put_lanes(v, "r[l] = p[-l]", to);
        sq_text_line(to, "return r;");
        sq_text_close(to, "}");
        sq_text_line(to,
                     "SQ_INLINE %s %s_load_back_n(const %s *p, int64_t n) { return n < %d ? "
                     "%s_rest_back(p, n) : %s_load_back(p); }",
                     n, n, c, v->lanes, n, n);
    }
    if (op == SQ_VOP_STORE_BACK_N) {
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
