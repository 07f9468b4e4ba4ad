/* Vector operations as text; see vector.h. Each operation is one row: how the generic vector
 * extension says it, and how an ISA says it where that is better. */
#include "codegen/vector.h"
#include "codegen/convert.h"
#include "codegen/halves.h"
#include "codegen/math.h"
#include <stdio.h>
#include <string.h>

static const char *const op_names[SQ_NVOPS] = {"load", "store",  "all",     "fma",    "max",
                                               "min",  "load_n", "store_n", "gather", "scatter",
                                               "sum",  "get",    "bits",    "round"};

const char *sq_vector_name(const sq_vector *v, sq_arena *arena)
{
    if (v->lanes == 1)
        return sq_type_ctype(v->type);
    return sq_arena_printf(arena, "sq_%sx%d", sq_type_suffix(v->type), v->lanes);
}

const char *sq_vector_op(sq_vector *v, sq_vop op, sq_arena *arena)
{
    v->used |= 1u << op;
    return sq_arena_printf(arena, "sq_%sx%d_%s", sq_type_suffix(v->type), v->lanes, op_names[op]);
}

/* How an ISA names its vectors of this shape in builtins: "ps512", "pd256"; "" if it has none. */
static const char *x86_shape(const sq_vector *v)
{
    int bytes = v->lanes * sq_type_bytes(v->type);
    bool d = v->type == SQ_F64;
    if (!sq_type_real(v->type) || sq_type_stored(v->type))
        return "";
    return bytes == 64   ? (d ? "pd512" : "ps512")
           : bytes == 32 ? (d ? "pd256" : "ps256")
           : bytes == 16 ? (d ? "pd" : "ps")
                         : "";
}

static bool is_x86(const sq_target *t)
{
    return strcmp(t->name, "avx512") == 0 || strcmp(t->name, "avx2") == 0;
}

const char *sq_vector_x86_shape(const sq_vector *v, const sq_target *t)
{
    return is_x86(t) ? x86_shape(v) : "";
}

/* `w`: the same vector without sign, whose sums wrap around. */
static void put_unsigned(const sq_vector *v, sq_text *to)
{
    int bytes = sq_type_bytes(v->type);
    if (v->lanes == 1)
        sq_text_line(to, "typedef uint%d_t w;", 8 * bytes);
    else
        sq_text_line(to, "typedef uint%d_t w __attribute__((vector_size(%d)));", 8 * bytes,
                     v->lanes * bytes);
}

/* gcc and clang agree on this builtin; newer clang has a generic one and may drop it. */
static void define_fma(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    sq_text_open(to, "SQ_INLINE %s %s_fma(%s a, %s b, %s c)\n{", n, n, n, n, n);
    const char *shape = x86_shape(v);
    bool neon = strcmp(t->name, "neon") == 0 && v->lanes * sq_type_bytes(v->type) == 16 &&
                sq_type_real(v->type);
    if (v->strict) {
        sq_text_line(to, "return a * b + c;");
    } else if (v->lanes == 1 && sq_type_real(v->type) &&
               (is_x86(t) || strcmp(t->name, "neon") == 0)) {
        sq_text_line(to, "return __builtin_fma%s(a, b, c);", v->type == SQ_F64 ? "" : "f");
    } else if ((is_x86(t) && *shape) || neon) {
        sq_text_puts(to, "#if defined(__clang__) && __has_builtin(__builtin_elementwise_fma)\n");
        sq_text_line(to, "return __builtin_elementwise_fma(a, b, c);");
        sq_text_puts(to, neon ? "#elif defined(__clang__)\n" : "#else\n");
        if (neon) {
            sq_text_line(to, "return a * b + c;");
            sq_text_puts(to, "#else\n");
            sq_text_line(to, "return __builtin_aarch64_fma%s(a, b, c);",
                         v->type == SQ_F64 ? "v2df" : "v4sf");
        } else if (strstr(shape, "512")) {
            sq_text_line(to, "return __builtin_ia32_vfmadd%s_mask(a, b, c, -1, 4);", shape);
        } else {
            sq_text_line(to, "return __builtin_ia32_vfmadd%s(a, b, c);", shape);
        }
        sq_text_puts(to, "#endif\n");
    } else if (!sq_type_real(v->type)) {
        put_unsigned(v, to);
        sq_text_line(to, "return (%s)((w)a * (w)b + (w)c);", n);
    } else {
        sq_text_line(to, "return a * b + c;");
    }
    sq_text_close(to, "}");
}

/* a > b ? a : b in every lane, which is what the machine's instruction does. */
static void define_minmax(const sq_vector *v, const char *n, bool max, const sq_target *t,
                          sq_text *to)
{
    const char *op = max ? "max" : "min", *shape = x86_shape(v);
    sq_text_open(to, "SQ_INLINE %s %s_%s(%s a, %s b)\n{", n, n, op, n, n);
    if (v->lanes == 1) {
        sq_text_line(to, "return a %c b ? a : b;", max ? '>' : '<');
    } else if (is_x86(t) && strstr(shape, "512")) {
        sq_text_puts(to, "#if defined(__clang__)\n");
        sq_text_line(to, "return __builtin_ia32_%s%s(a, b, 4);", op, shape);
        sq_text_puts(to, "#else\n");
        sq_text_line(to, "return __builtin_ia32_%s%s_mask(a, b, a, -1, 4);", op, shape);
        sq_text_puts(to, "#endif\n");
    } else if (is_x86(t) && strstr(shape, "256")) {
        sq_text_line(to, "return __builtin_ia32_%s%s(a, b);", op, shape);
    } else if (!sq_type_real(v->type)) {
        sq_text_line(to, "%s m = (%s)(a %c b);", n, n, max ? '>' : '<');
        sq_text_line(to, "return (a & m) | (b & ~m);");
    } else {
        sq_text_line(to, "const __typeof__(a < b) m = a %c b;", max ? '>' : '<');
        sq_text_line(to, "return (%s)((m & (__typeof__(m))a) | (~m & (__typeof__(m))b));", n);
    }
    sq_text_close(to, "}");
}

/* A loop over lanes that the compiler writes out but does not vectorise: gcc 12.2 makes loops over
 * a few neighbouring elements read past the end of arrays (its fault 107451, and masked loads that
 * become blends with memory). */
static void put_lanes(const sq_vector *v, const char *assignment, sq_text *to)
{
    sq_text_open(to, "for (int l = 0; l < %d; l++) {", v->lanes);
    sq_text_line(to, "SQ_FRESH(p);");
    sq_text_line(to, "if (l < n)");
    sq_text_line(to, "    %s;", assignment);
    sq_text_close(to, "}");
}

/* How avx512's masked loads and stores call elements of this type, and what they take them for. */
static const char *masked_unit(const sq_vector *v)
{
    static const char *const integers[] = {
        [1] = "dquqi", [2] = "dquhi", [4] = "dqusi", [8] = "dqudi"};
    return v->type == SQ_F32 ? "ups" : v->type == SQ_F64 ? "upd" : integers[sq_type_bytes(v->type)];
}

static const char *masked_element(const sq_vector *v)
{
    static const char *const integers[] = {
        [1] = "char", [2] = "short", [4] = "int", [8] = "long long"};
    return v->type == SQ_F32   ? "float"
           : v->type == SQ_F64 ? "double"
                               : integers[sq_type_bytes(v->type)];
}

/* avx512's masked forms; elsewhere lane by lane through memory of the vector's own. */
static void define_masked(const sq_vector *v, const char *n, bool store, const sq_target *t,
                          sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    int bytes = v->lanes * sq_type_bytes(v->type);
    bool masks = strcmp(t->name, "avx512") == 0 && bytes >= 16;
    const char *unit = masked_unit(v), *element = masked_element(v);
    const char *mask = v->lanes > 32   ? "unsigned long long"
                       : v->lanes > 16 ? "unsigned int"
                       : v->lanes > 8  ? "unsigned short"
                                       : "unsigned char";
    if (store)
        sq_text_open(to, "SQ_INLINE void %s_store_n(%s *p, %s v, int64_t n)\n{", n, c, n);
    else
        sq_text_open(to, "SQ_INLINE %s %s_load_n(const %s *p, int64_t n)\n{", n, n, c);
    if (masks) {
        sq_text_line(to, "typedef %s w __attribute__((vector_size(%d)));", element, bytes);
        if (v->lanes < 32)
            sq_text_line(to, "%s m = (%s)((1u << (n < 0 ? 0 : n > %d ? %d : n)) - 1);", mask, mask,
                         v->lanes, v->lanes);
        else
            sq_text_line(to, "%s m = n <= 0 ? 0 : (%s)(~0ull >> (64 - (n > %d ? %d : n)));", mask,
                         mask, v->lanes, v->lanes);
        /* gcc turns a mask it knows into a whole load, a blend and a whole store: past the end */
        sq_text_line(to, "SQ_FRESH(m);");
        if (store)
            sq_text_line(to, "__builtin_ia32_store%s%d_mask((void *)p, (w)v, m);", unit, 8 * bytes);
        else
            sq_text_line(to, "return (%s)__builtin_ia32_load%s%d_mask((const void *)p, (w){0}, m);",
                         n, unit, 8 * bytes);
    } else if (store) {
        put_lanes(v, "p[l] = v[l]", to);
    } else {
        sq_text_line(to, "%s r = {0};", n);
        put_lanes(v, "r[l] = p[l]", to);
        sq_text_line(to, "return r;");
    }
    sq_text_close(to, "}");
}

/* Lanes `step` elements apart, the first n of them. */
static void define_strided(const sq_vector *v, const char *n, bool store, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    if (store)
        sq_text_open(to, "SQ_INLINE void %s_scatter(%s *p, int64_t step, %s v, int64_t n)\n{", n, c,
                     n);
    else
        sq_text_open(to, "SQ_INLINE %s %s_gather(const %s *p, int64_t step, int64_t n)\n{", n, n,
                     c);
    if (!store)
        sq_text_line(to, "%s r = {0};", n);
    put_lanes(v, store ? "p[l * step] = v[l]" : "r[l] = p[l * step]", to);
    if (!store)
        sq_text_line(to, "return r;");
    sq_text_close(to, "}");
}

static void define_memory(const sq_vector *v, const char *n, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    if (v->used & (1u << SQ_VOP_LOAD))
        sq_text_line(to, "SQ_INLINE %s %s_load(const %s *p) { return *(const %s_u *)p; }", n, n, c,
                     n);
    if (v->used & (1u << SQ_VOP_STORE))
        sq_text_line(to, "SQ_INLINE void %s_store(%s *p, %s v) { *(%s_u *)p = v; }", n, c, n, n);
    if (v->used & (1u << SQ_VOP_ALL)) {
        sq_text_printf(to, "SQ_INLINE %s %s_all(%s x) { return (%s){", n, n, c, n);
        for (int l = 0; l < v->lanes; l++)
            sq_text_puts(to, l ? ", x" : "x");
        sq_text_puts(to, "}; }\n");
    }
}

static void define_sum(const sq_vector *v, const char *n, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    sq_text_open(to, "SQ_INLINE %s %s_sum(%s a)\n{", c, n, n);
    sq_text_line(to, "for (int half = %d; half > 0; half /= 2)", v->lanes / 2);
    sq_text_line(to, "    for (int l = 0; l < half; l++)");
    if (sq_type_real(v->type))
        sq_text_line(to, "        a[l] += a[l + half];");
    else
        sq_text_line(to, "        a[l] = (%s)((uint64_t)a[l] + (uint64_t)a[l + half]);", c);
    sq_text_line(to, "return a[0];");
    sq_text_close(to, "}");
}

static void define_all(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    unsigned u = v->used;
    define_memory(v, n, to);
    if (u & (1u << SQ_VOP_FMA))
        define_fma(v, n, t, to);
    if (u & (1u << SQ_VOP_MAX))
        define_minmax(v, n, true, t, to);
    if (u & (1u << SQ_VOP_MIN))
        define_minmax(v, n, false, t, to);
    if (u & (1u << SQ_VOP_LOAD_N))
        define_masked(v, n, false, t, to);
    if (u & (1u << SQ_VOP_STORE_N))
        define_masked(v, n, true, t, to);
    if (u & (1u << SQ_VOP_GATHER))
        define_strided(v, n, false, to);
    if (u & (1u << SQ_VOP_SCATTER))
        define_strided(v, n, true, to);
    if (u & (1u << SQ_VOP_SUM))
        define_sum(v, n, to);
    sq_math_define(v, t, to);
    sq_halves_define(v, n, t, to);
    sq_convert_define(v, n, t, to);
}

static void own_name(const sq_vector *v, char n[32])
{
    snprintf(n, 32, "sq_%sx%d", sq_type_suffix(v->type), v->lanes);
}

void sq_vector_declare(sq_vector *v, sq_text *to)
{
    char n[32];
    sq_math_require(v);
    if (v->lanes == 1 && !v->used && !v->functions)
        return;
    own_name(v, n);
    const char *c = sq_type_ctype(v->type);
    int bytes = v->lanes * sq_type_bytes(v->type);
    if (v->lanes == 1) {
        sq_text_line(to, "typedef %s %s;", c, n);
        return;
    }
    sq_text_line(to, "typedef %s %s __attribute__((vector_size(%d)));", c, n, bytes);
    sq_text_line(to, "typedef %s %s_u __attribute__((vector_size(%d), aligned(%d), may_alias));", c,
                 n, bytes, sq_type_bytes(v->type));
}

void sq_vector_define(const sq_vector *v, const sq_target *t, sq_text *to)
{
    char n[32];
    if (!v->used && !v->functions && !v->converts)
        return;
    own_name(v, n);
    define_all(v, n, t, to);
    sq_text_line(to, "%s", "");
}
