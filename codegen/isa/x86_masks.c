/* x86 masks: see masks.c. AVX-512 compares to mask registers, of a bit for each lane; AVX2 selects by the
 * highest bit of each lane of a vector. */
#include "codegen/isa/x86.h"
#include <stdio.h>

static int bytes_of(const sq_vector *v)
{
    return v->lanes * sq_type_bytes(v->type);
}

/* The registers of a vector: it may be wider than one, or narrower than any. */
typedef struct parts {
    int n, bytes, lanes; /* how many; of each */
} parts;

static parts parts_of(const sq_vector *v)
{
    int bytes = bytes_of(v), n = bytes > 64 ? bytes / 64 : 1;
    return (parts){n, bytes > 64 ? 64 : bytes < 16 ? 16 : bytes, v->lanes / n};
}

static bool is_register(const sq_vector *v)
{
    return bytes_of(v) >= 16 && bytes_of(v) <= 64;
}

/* Prints a copy of the vector `from` in registers; lanes beyond its end are 0. */
static void put_copy(const sq_vector *v, const char *name, const char *from, sq_text *to)
{
    sq_text_line(to, "w %s[%d] = {{0}};", name, parts_of(v).n);
    sq_text_line(to, "__builtin_memcpy(%s, &%s, %d);", name, from, bytes_of(v));
}

/* Returns the builtins' name of an element type: "ps", "d". */
static const char *unit_of(const sq_vector *v)
{
    static const char *const integers[] = {[1] = "b", [2] = "w", [4] = "d", [8] = "q"};
    return v->type == SQ_F32 ? "ps" : v->type == SQ_F64 ? "pd" : integers[sq_type_bytes(v->type)];
}

/* Returns the type of the builtins' lanes: "float". */
static const char *lane_of(const sq_vector *v)
{
    return v->type == SQ_F32   ? "float"
           : v->type == SQ_F64 ? "double"
                               : sq_x86_element[sq_type_bytes(v->type)];
}

/* ---- AVX-512 ---- */

/* Returns the number of a comparison in the instruction. Those of floating types raise no exception for
 * a NaN, for which only != is true. */
static int number_of(const sq_vector *v, sq_op op)
{
    bool real = sq_type_real(v->type);
    return op == SQ_OP_EQ   ? 0
           : op == SQ_OP_NE ? 4
           : op == SQ_OP_LT ? (real ? 17 : 1)
                            : (real ? 18 : 2);
}

static void put_comparison(const sq_vector *v, sq_op op, const char *a, const char *b, sq_text *to)
{
    parts p = parts_of(v);
    bool real = sq_type_real(v->type);
    sq_text_printf(to, "(%s)__builtin_ia32_%scmp%s%d_mask(%s, %s, %d, %s%s)",
                   sq_vector_mask_bits(p.lanes), !real && sq_type_unsigned(v->type) ? "u" : "",
                   unit_of(v), 8 * p.bytes, a, b, number_of(v, op), sq_x86_all_lanes(p.lanes),
                   real && p.bytes == 64 ? ", 4" : "");
}

void sq_x86_compare(const sq_vector *v, sq_op op, sq_text *to)
{
    const char *all = sq_vector_mask_bits(v->lanes);
    parts p = parts_of(v);
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", lane_of(v), p.bytes);
    if (is_register(v)) {
        sq_text_puts(to, "    return ");
        put_comparison(v, op, "(w)a", "(w)b", to);
        sq_text_puts(to, ";\n");
        return;
    }
    put_copy(v, "x", "a", to);
    put_copy(v, "y", "b", to);
    sq_text_line(to, "%s m = 0;", all);
    for (int i = 0; i < p.n; i++) {
        char a[24], b[24];
        snprintf(a, sizeof a, "x[%d]", i);
        snprintf(b, sizeof b, "y[%d]", i);
        sq_text_printf(to, "    m = (%s)(m | (%s)", all, all);
        put_comparison(v, op, a, b, to);
        sq_text_printf(to, " << %d);\n", i * p.lanes);
    }
    sq_text_line(to, "return m;");
}

/* What gcc calls a blend is a select for clang, with the operands in another order. */
static void put_selected(const sq_vector *v, const char *before, const char *m, const char *a,
                         const char *b, sq_text *to)
{
    int bits = 8 * parts_of(v).bytes;
    sq_text_printf(to,
                   SQ_FOR_CLANG "%1$s__builtin_ia32_select%2$s_%3$d(%4$s, %5$s, %6$s);"
                   SQ_FOR_GCC "%1$s__builtin_ia32_blendm%2$s_%3$d_mask(%6$s, %5$s, %4$s);" SQ_FOR_BOTH,
                   before, unit_of(v), bits, m, a, b);
}

bool sq_x86_select_bits(const sq_vector *v, const char *type, sq_text *to)
{
    parts p = parts_of(v);
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", lane_of(v), p.bytes);
    if (is_register(v)) {
        char before[64];
        snprintf(before, sizeof before, "return (%s)", type);
        put_selected(v, before, "m", "(w)a", "(w)b", to);
        return true;
    }
    put_copy(v, "x", "a", to);
    put_copy(v, "y", "b", to);
    for (int i = 0; i < p.n; i++) {
        char set[32], m[64], a[24], b[24];
        snprintf(a, sizeof a, "x[%d]", i);
        snprintf(b, sizeof b, "y[%d]", i);
        snprintf(set, sizeof set, "x[%d] = ", i);
        snprintf(m, sizeof m, "(%s)(m >> %d)", sq_vector_mask_bits(p.lanes), i * p.lanes);
        put_selected(v, set, m, a, b, to);
    }
    sq_text_line(to, "__builtin_memcpy(&a, x, %d);", bytes_of(v));
    sq_text_line(to, "return a;");
    return true;
}

/* Returns the builtins' name of an element type in masked loads and stores: "ups". */
static const char *masked_unit(const sq_vector *v)
{
    static const char *const integers[] = {
        [1] = "dquqi", [2] = "dquhi", [4] = "dqusi", [8] = "dqudi"};
    return v->type == SQ_F32 ? "ups" : v->type == SQ_F64 ? "upd" : integers[sq_type_bytes(v->type)];
}

/* Prints the load or store of the lanes of m. */
static void put_access_bits(const sq_vector *v, const char *type, bool store, sq_text *to)
{
    const char *unit = masked_unit(v);
    int bits = 8 * bytes_of(v);
    /* a half of a wider vector would be stored by an instruction that also faults for masked
     * lanes */
    if (store && bits < 512)
        sq_text_line(to, "__asm__(\"\" : \"+v\"(v));");
    if (store)
        sq_text_line(to, "__builtin_ia32_store%s%d_mask((void *)p, (w)v, m);", unit, bits);
    else
        sq_text_line(to, "return (%s)__builtin_ia32_load%s%d_mask((const void *)p, (w){0}, m);",
                     type, unit, bits);
}

/* gcc turns a constant mask into a full load, a blend and a full store, past the end: SQ_FRESH. */
bool sq_x86_masked_bits(const sq_vector *v, const char *type, bool store, sq_text *to)
{
    const char *mask = sq_vector_mask_bits(v->lanes);
    if (!is_register(v))
        return false;
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", lane_of(v), bytes_of(v));
    if (v->lanes < 32)
        sq_text_line(to, "%s m = (%s)((1u << (n < 0 ? 0 : n > %d ? %d : n)) - 1);", mask, mask,
                     v->lanes, v->lanes);
    else
        sq_text_line(to, "%s m = n <= 0 ? 0 : (%s)(~0ull >> (64 - (n > %d ? %d : n)));", mask, mask,
                     v->lanes, v->lanes);
    sq_vector_put_fresh(v, "m", to);
    put_access_bits(v, type, store, to);
    return true;
}

bool sq_x86_where_bits(const sq_vector *v, const char *type, bool store, sq_text *to)
{
    if (!is_register(v))
        return false;
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", lane_of(v), bytes_of(v));
    sq_text_line(to, "if (__builtin_constant_p(m))");
    to->indent++;
    sq_vector_put_fresh(v, "m", to);
    to->indent--;
    put_access_bits(v, type, store, to);
    return true;
}

/* ---- AVX2 ---- */

/* True for vectors that AVX2 has masks for: of elements of 4 and 8 bytes. */
static bool has_lane_masks(const sq_vector *v)
{
    int each = sq_type_bytes(v->type), bytes = bytes_of(v);
    return (bytes == 16 || bytes == 32) && (each == 4 || each == 8);
}

/* Prints the load or store of the lanes of m, and before it `set`, a line that makes m. Compilers do
 * not fold these builtins, so that loads of one remainder may share a mask. */
static void put_access(const sq_vector *v, const char *type, bool store, const char *set,
                       sq_text *to)
{
    int each = sq_type_bytes(v->type), bytes = bytes_of(v);
    const char *unit = each == 4 ? "ps" : "pd", *wide = bytes == 32 ? "256" : "";
    const char *real = sq_type_real(v->type) ? type : "x";
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", sq_x86_element[each], bytes);
    if (real != type)
        sq_text_line(to, "typedef %s x __attribute__((vector_size(%d)));", each == 4 ? "float" : "double", bytes);
    sq_text_puts(to, set);
    if (store)
        sq_text_line(to, "__builtin_ia32_maskstore%s%s((%s *)(void *)p, (w)m, (%s)v);", unit, wide, real, real);
    else
        sq_text_line(to, "return (%s)__builtin_ia32_maskload%s%s((const %s *)(const void *)p, (w)m);", type, unit,
                     wide, real);
}

bool sq_x86_masked(const sq_vector *v, const char *type, bool store, sq_text *to)
{
    const char *lane = sq_x86_element[sq_type_bytes(v->type)];
    sq_text set = {.indent = to->indent};
    if (!has_lane_masks(v))
        return false;
    sq_text_line(&set, "%s left = n < 0 ? 0 : n > %d ? %d : (%s)n;", lane, v->lanes, v->lanes,
                 lane);
    sq_text_puts(&set, "    w m = (w){");
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(&set, "%sleft", l ? ", " : "");
    sq_text_puts(&set, "} > (w){");
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(&set, "%s%d", l ? ", " : "", l);
    sq_text_puts(&set, "};\n");
    put_access(v, type, store, sq_text_str(&set), to);
    sq_text_free(&set);
    return true;
}

bool sq_x86_where(const sq_vector *v, const char *type, bool store, sq_text *to)
{
    if (!has_lane_masks(v))
        return false;
    put_access(v, type, store, "", to);
    return true;
}

bool sq_x86_select(const sq_vector *v, const char *type, sq_text *to)
{
    int each = sq_type_bytes(v->type), bytes = bytes_of(v);
    const char *lane = each == 4 ? "float" : each == 8 ? "double" : "char";
    const char *name = each == 4     ? "blendvps"
                       : each == 8   ? "blendvpd"
                       : bytes == 32 ? "pblendvb"
                                     : "pblendvb128";
    if (bytes != 16 && bytes != 32)
        return false;
    sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", lane, bytes);
    sq_text_line(to, "return (%s)__builtin_ia32_%s%s((w)b, (w)a, (w)m);", type, name,
                 bytes == 32 ? "256" : "");
    return true;
}
