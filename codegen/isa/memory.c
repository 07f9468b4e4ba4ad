/* Memory: loads and stores of vectors, of all lanes or of some; see rows.h. */
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"
#include <stdio.h>

void sq_define_memory(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)t;
    const char *c = sq_vector_element(v);
    if (op == SQ_VOP_LOAD)
        sq_text_line(to, "SQ_INLINE %s %s_load(const %s *p) { return *(const %s_u *)p; }", n, n, c,
                     n);
    if (op == SQ_VOP_STORE)
        sq_text_line(to, "SQ_INLINE void %s_store(%s *p, %s v) { *(%s_u *)p = v; }", n, c, n, n);
    if (op == SQ_VOP_ALL) {
        sq_text_printf(to, "SQ_INLINE %s %s_all(%s x) { return (%s){", n, n, c, n);
        for (int l = 0; l < v->lanes; l++)
            sq_text_puts(to, l ? ", x" : "x");
        sq_text_puts(to, "}; }\n");
    }
}

/* A loop over lanes that the compiler unrolls but does not vectorise: gcc 12.2 lets vectorized
 * loops over a few adjacent elements read past the end of arrays (its bug 107451, and masked loads
 * that become blends with memory). */
void sq_put_lanes(const sq_vector *v, const char *assignment, sq_text *to)
{
    sq_text_open(to, "for (int l = 0; l < %d; l++) {", v->lanes);
    sq_vector_put_fresh(v, "p", to);
    sq_text_line(to, "if (l < n)");
    sq_text_line(to, "    %s;", assignment);
    sq_text_close(to, "}");
}

/* Moves the first n lanes between p and the vector x, as a half vector, a quarter and so on. Of the lanes before a part
 * n says how many there are: the bits above. */
static void put_parts(const sq_vector *v, const char *n, const char *x, bool store, sq_text *to)
{
    const int each = sq_type_bytes(v->type);
    const char *c = sq_vector_element(v);
    if (store)
        sq_text_line(to, "const %s *from = (const %s *)&%s;", c, c, x);
    else
        sq_text_line(to, "%s *to = (%s *)&%s;", c, c, x);
    if (store)
        sq_text_line(to, "if (n >= %d) *(%s_u *)p = %s;", v->lanes, n, x);
    else
        sq_text_line(to, "if (n >= %d) %s = *(const %s_u *)p;", v->lanes, x, n);
    sq_text_line(to, "if (n <= 0 || n >= %d) return%s%s;", v->lanes, store ? "" : " ", store ? "" : x);
    for (int lanes = v->lanes / 2; lanes; lanes /= 2) {
        char at[32] = "";
        if (lanes < v->lanes / 2)
            snprintf(at, sizeof at, " + (n & %d)", v->lanes - 2 * lanes);
        sq_text_line(to, "if (n & %d) memcpy(%s%s, %s%s, %d);", lanes, store ? "p" : "to", at, store ? "from" : "p", at,
                     lanes * each);
    }
    if (!store)
        sq_text_line(to, "return %s;", x);
}

/* The ISA's masked forms; otherwise in parts. */
void sq_define_masked(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    bool store = op == SQ_VOP_STORE_N;
    const char *c = sq_vector_element(v);
    if (store)
        sq_text_open(to, "SQ_INLINE void %s_store_n(%s *p, %s v, int64_t n)\n{", n, c, n);
    else
        sq_text_open(to, "SQ_INLINE %s %s_load_n(const %s *p, int64_t n)\n{", n, n, c);
    if (t->isa->masked && t->isa->masked(v, n, store, to)) {
        /* printed by the ISA */
    } else if (store) {
        put_parts(v, n, "v", true, to);
    } else {
        sq_text_line(to, "%s r = {0};", n);
        put_parts(v, n, "r", false, to);
    }
    sq_text_close(to, "}");
}

/* The masked form if the flag is set, which is constant wherever a tile is inlined. */
void sq_define_part(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    (void)t;
    const char *c = sq_vector_element(v);
    if (op == SQ_VOP_LOAD_PART)
        sq_text_line(to,
                     "SQ_INLINE %s %s_load_part(const %s *p, int64_t n, int part) { return part ? "
                     "%s_load_n(p, n) : (%s)*(const %s_u *)p; }",
                     n, n, c, n, n, n);
    else
        sq_text_line(to,
                     "SQ_INLINE void %s_store_part(%s *p, %s v, int64_t n, int part) { if (part) "
                     "%s_store_n(p, v, n); else *(%s_u *)p = v; }",
                     n, c, n, n, n);
}

/* Stores the first n lanes without a mask. A load that overlaps a masked store, or lies behind it, waits until the
 * store is in the cache. */
void sq_define_store_parts(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                           sq_text *to)
{
    (void)op, (void)t;
    sq_text_open(to, "SQ_INLINE void %s_store_parts(%s *p, %s v, int64_t n)\n{", n,
                 sq_vector_element(v), n);
    put_parts(v, n, "v", true, to);
    sq_text_close(to, "}");
}

/* All lanes at once: lanes that are inserted one by one go through memory, and a load of the whole
 * vector waits for the stores of its lanes. */
static void put_whole_gather(const sq_vector *v, const char *n, sq_text *to)
{
    sq_text_open(to, "if (n >= %d) {", v->lanes);
    for (int l = 0; l < v->lanes; l++) {
        sq_vector_put_fresh(v, "p", to);
        sq_text_line(to, "const %s x%d = p[%d * step];", sq_vector_element(v), l, l);
    }
    sq_text_printf(to, "        return (%s){", n);
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(to, "%sx%d", l ? ", " : "", l);
    sq_text_puts(to, "};\n");
    sq_text_close(to, "}");
}

/* In a loop over lanes compilers store the vector first, and load each lane again. */
static void put_whole_scatter(const sq_vector *v, sq_text *to)
{
    sq_text_open(to, "if (n >= %d) {", v->lanes);
    for (int l = 0; l < v->lanes; l++)
        sq_text_line(to, "p[%d * step] = v[%d];", l, l);
    sq_text_line(to, "return;");
    sq_text_close(to, "}");
}

/* The first n lanes with the stride `step`. */
void sq_define_gather(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    bool store = op == SQ_VOP_SCATTER;
    const char *c = sq_vector_element(v);
    if (store)
        sq_text_open(to, "SQ_INLINE void %s_scatter(%s *p, int64_t step, %s v, int64_t n)\n{", n, c,
                     n);
    else
        sq_text_open(to, "SQ_INLINE %s %s_gather(const %s *p, int64_t step, int64_t n)\n{", n, n,
                     c);
    if (store && !t->isa->merged)
        put_whole_scatter(v, to);
    if (!store && !t->isa->merged)
        put_whole_gather(v, n, to);
    if (!store)
        sq_text_line(to, "%s r = {0};", n);
    sq_put_lanes(v, store ? "p[l * step] = v[l]" : "r[l] = p[l * step]", to);
    if (!store)
        sq_text_line(to, "return r;");
    sq_text_close(to, "}");
}

/* Gathers elements; those of a table of SQ_TABLE from registers if the ISA can. */
void sq_define_indexed(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                       sq_text *to)
{
    const char *name = op == SQ_VOP_LOOKUP ? "lookup" : "indexed";
    bool (*put)(const sq_vector *, const char *, const sq_target *, sq_text *) =
        op == SQ_VOP_LOOKUP ? t->isa->lookup : t->isa->indexed;
    int each = sq_type_bytes(v->type);
    sq_text_line(to, "typedef int%d_t %s_%s_at __attribute__((vector_size(%d)));", 8 * each, n,
                 name, v->lanes * each);
    sq_text_open(to, "SQ_INLINE %s %s_%s(const %s *p, %s_%s_at j)\n{", n, n, name,
                 sq_vector_element(v), n, name);
    if (!put || !put(v, n, t, to)) {
        sq_text_printf(to, "    return (%s){", n);
        for (int l = 0; l < v->lanes; l++)
            sq_text_printf(to, "%sp[j[%d]]", l ? ", " : "", l);
        sq_text_puts(to, "};\n");
    }
    sq_text_close(to, "}");
}
