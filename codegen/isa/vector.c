/* Vector operations as text; see vector.h. Each operation is one row: how the generic vector
 * extension says it; where an ISA says it better, that is asked first (isa.h). */
#include "codegen/isa/vector.h"
#include "codegen/isa/convert.h"
#include "codegen/isa/every.h"
#include "codegen/isa/halves.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/isa/reverse.h"
#include "codegen/isa/transpose.h"
#include <stdio.h>
#include <string.h>

/* Nothing is said better than by the extension. */
const sq_isa sq_isa_none = {.f16 = false};

static const char *const op_names[SQ_NVOPS] = {
    "load",       "store",        "all",       "fma",           "max",       "min",
    "load_n",     "store_n",      "gather",    "scatter",       "sum",       "get",
    "bits",       "round",        "aligned",   "store_aligned", "load_part", "store_part",
    "load_where", "store_where",  "zip_first", "zip_second",    "load_back", "load_back_n",
    "store_back", "store_back_n", "turn",      "transpose"};

const char *sq_vector_name(const sq_vector *v, sq_arena *arena)
{
    if (v->lanes == 1)
        return sq_type_ctype(v->type);
    return sq_arena_printf(arena, "sq_%sx%d", sq_type_suffix(v->type), v->lanes);
}

static const char infixes[] = "+-*/~";

void sq_vector_infix(sq_vector *v, char infix)
{
    v->infix |= 1u << (strchr(infixes, infix) - infixes);
}

bool sq_vector_has_infix(const sq_vector *v, char infix)
{
    return v->infix >> (strchr(infixes, infix) - infixes) & 1;
}

const char *sq_vector_op(sq_vector *v, sq_vop op, sq_arena *arena)
{
    v->used |= 1u << op;
    return sq_arena_printf(arena, "sq_%sx%d_%s", sq_type_suffix(v->type), v->lanes, op_names[op]);
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

static void define_fma(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    bool real = sq_type_real(v->type);
    sq_text_open(to, "SQ_INLINE %s %s_fma(%s a, %s b, %s c)\n{", n, n, n, n, n);
    if (v->strict || !t->isa->fma || !t->isa->fma(v, t, to)) {
        if (real) {
            sq_text_line(to, "return a * b + c;");
        } else {
            put_unsigned(v, to);
            sq_text_line(to, "return (%s)((w)a * (w)b + (w)c);", n);
        }
    }
    sq_text_close(to, "}");
}

/* The greater or lesser in every lane, as a > b ? a : b, which is what the machine's instruction
 * does. */
static void define_minmax(const sq_vector *v, const char *n, bool max, const sq_target *t,
                          sq_text *to)
{
    char sign = max ? '>' : '<';
    sq_text_open(to, "SQ_INLINE %s %s_%s(%s a, %s b)\n{", n, n, max ? "max" : "min", n, n);
    if (v->lanes == 1) {
        sq_text_line(to, "return a %c b ? a : b;", sign);
    } else if (t->isa->minmax && t->isa->minmax(v, max, t, to)) {
        /* printed */
    } else if (!sq_type_real(v->type)) {
        sq_text_line(to, "%s m = (%s)(a %c b);", n, n, sign);
        sq_text_line(to, "return (a & m) | (b & ~m);");
    } else {
        sq_text_line(to, "const __typeof__(a < b) m = a %c b;", sign);
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

/* The machine's masked forms; elsewhere lane by lane through memory of the vector's own. */
static void define_masked(const sq_vector *v, const char *n, bool store, const sq_target *t,
                          sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    if (store)
        sq_text_open(to, "SQ_INLINE void %s_store_n(%s *p, %s v, int64_t n)\n{", n, c, n);
    else
        sq_text_open(to, "SQ_INLINE %s %s_load_n(const %s *p, int64_t n)\n{", n, n, c);
    if (t->isa->masked && t->isa->masked(v, n, store, to)) {
        /* printed */
    } else if (store) {
        put_lanes(v, "p[l] = v[l]", to);
    } else {
        sq_text_line(to, "%s r = {0};", n);
        put_lanes(v, "r[l] = p[l]", to);
        sq_text_line(to, "return r;");
    }
    sq_text_close(to, "}");
}

/* The same under a mask m, of integers as wide; elsewhere lane by lane. */
static void define_where(const sq_vector *v, const char *n, bool store, const sq_target *t,
                         sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    int each = sq_type_bytes(v->type);
    sq_text_line(to, "typedef int%d_t %s_where __attribute__((vector_size(%d)));", 8 * each, n,
                 v->lanes * each);
    if (store)
        sq_text_open(to, "SQ_INLINE void %s_store_where(%s *p, %s v, %s_where m)\n{", n, c, n, n);
    else
        sq_text_open(to, "SQ_INLINE %s %s_load_where(const %s *p, %s_where m)\n{", n, n, c, n);
    if (t->isa->where && t->isa->where(v, n, store, to)) {
        /* printed */
    } else {
        if (!store)
            sq_text_line(to, "%s r = {0};", n);
        sq_text_open(to, "for (int l = 0; l < %d; l++) {", v->lanes);
        sq_text_line(to, "SQ_FRESH(p);");
        sq_text_line(to, "if (m[l])");
        sq_text_line(to, store ? "    p[l] = v[l];" : "    r[l] = p[l];");
        sq_text_close(to, "}");
        if (!store)
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

/* Adds to each lane the one that lies `half` away. Lanes of integers wrap around. */
static void add_half(const sq_vector *v, const char *n, int half, bool clang, sq_text *to)
{
    sq_text lanes = {0};
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(&lanes, "%s%d", l ? ", " : "", l ^ half);
    const char *call = clang ? "__builtin_shufflevector(a, a, " : "__builtin_shuffle(a, (w){",
               *end = clang ? ")" : "})";
    if (sq_type_real(v->type))
        sq_text_line(to, "a += %s%s%s;", call, sq_text_str(&lanes), end);
    else
        sq_text_line(to, "a = (%s)((w)a + (w)%s%s%s);", n, call, sq_text_str(&lanes), end);
    sq_text_free(&lanes);
}

/* Half of the lanes to the other half, and again: in registers, where gcc's -O2 would leave loops over
 * lanes in memory. */
static void define_sum(const sq_vector *v, const char *n, sq_text *to)
{
    int bytes = sq_type_bytes(v->type);
    sq_text_open(to, "SQ_INLINE %s %s_sum(%s a)\n{", sq_type_ctype(v->type), n, n);
    sq_text_line(to, "typedef uint%d_t w __attribute__((vector_size(%d), unused));", 8 * bytes,
                 v->lanes * bytes);
    sq_text_puts(to, "#if defined(__clang__)\n");
    for (int half = v->lanes / 2; half > 0; half /= 2)
        add_half(v, n, half, true, to);
    sq_text_puts(to, "#else\n");
    for (int half = v->lanes / 2; half > 0; half /= 2)
        add_half(v, n, half, false, to);
    sq_text_puts(to, "#endif\n");
    sq_text_line(to, "return a[0];");
    sq_text_close(to, "}");
}

/* The masked form where the flag is set: a constant wherever a tile is inlined. */
static void define_parts(const sq_vector *v, const char *n, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    if (v->used & (1u << SQ_VOP_LOAD_PART))
        sq_text_line(to,
                     "SQ_INLINE %s %s_load_part(const %s *p, int64_t n, int part) { return part ? "
                     "%s_load_n(p, n) : (%s)*(const %s_u *)p; }",
                     n, n, c, n, n, n);
    if (v->used & (1u << SQ_VOP_STORE_PART))
        sq_text_line(to,
                     "SQ_INLINE void %s_store_part(%s *p, %s v, int64_t n, int part) { if (part) "
                     "%s_store_n(p, v, n); else *(%s_u *)p = v; }",
                     n, c, n, n, n);
}

/* Lanes of a and b in turn, from lane `from` of both on. */
static void define_zip(const sq_vector *v, const char *n, bool second, sq_text *to)
{
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

static void define_all(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    unsigned u = v->used | sq_every_needs(v, t) | sq_reverse_needs(v);
    if (u & (1u << SQ_VOP_LOAD_PART))
        u |= 1u << SQ_VOP_LOAD_N;
    if (u & (1u << SQ_VOP_STORE_PART))
        u |= 1u << SQ_VOP_STORE_N;
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
    define_parts(v, n, to);
    if (u & (1u << SQ_VOP_LOAD_WHERE))
        define_where(v, n, false, t, to);
    if (u & (1u << SQ_VOP_STORE_WHERE))
        define_where(v, n, true, t, to);
    if (u & (1u << SQ_VOP_GATHER))
        define_strided(v, n, false, to);
    sq_every_define(v, n, t, to);
    if (u & (1u << SQ_VOP_SCATTER))
        define_strided(v, n, true, to);
    sq_reverse_define(v, n, to);
    if (u & (1u << SQ_VOP_TRANSPOSE | 1u << SQ_VOP_TURN))
        sq_transpose_define(v, n, t, to);
    if (u & (1u << SQ_VOP_TURN))
        sq_turn_define(v, n, t, to);
    if (u & (1u << SQ_VOP_SUM))
        define_sum(v, n, to);
    if (u & (1u << SQ_VOP_ZIP_FIRST))
        define_zip(v, n, false, to);
    if (u & (1u << SQ_VOP_ZIP_SECOND))
        define_zip(v, n, true, to);
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
    if (!v->used && !v->functions && !v->converts && !v->every)
        return;
    own_name(v, n);
    define_all(v, n, t, to);
    sq_text_line(to, "%s", "");
}
