/* File helpers: the functions and macros at the head of an emitted file that its text calls: bounds,
 * copies, narrow types. */
#include "codegen/file/function.h"
#include "codegen/print/helpers.h"
#include "codegen/isa/isa.h"
#include "codegen/print/c.h"
#include <string.h>

/* Names of vector registers. */
#define X86_LOW                                                                                    \
    "\"xmm0\", \"xmm1\", \"xmm2\", \"xmm3\", \"xmm4\", \"xmm5\", \"xmm6\", \"xmm7\", \"xmm8\", " \
    "\"xmm9\", \"xmm10\", \"xmm11\", \"xmm12\", \"xmm13\", \"xmm14\", \"xmm15\""
#define X86_HIGH                                                                                   \
    "\"xmm16\", \"xmm17\", \"xmm18\", \"xmm19\", \"xmm20\", \"xmm21\", \"xmm22\", \"xmm23\", " \
    "\"xmm24\", \"xmm25\", \"xmm26\", \"xmm27\", \"xmm28\", \"xmm29\", \"xmm30\", \"xmm31\""
#define ARM                                                                                        \
    "\"v0\", \"v1\", \"v2\", \"v3\", \"v4\", \"v5\", \"v6\", \"v7\", \"v8\", \"v9\", \"v10\", \"v11\", " \
    "\"v12\", \"v13\", \"v14\", \"v15\", \"v16\", \"v17\", \"v18\", \"v19\", \"v20\", \"v21\", " \
    "\"v22\", \"v23\", \"v24\", \"v25\", \"v26\", \"v27\", \"v28\", \"v29\", \"v30\", \"v31\""

/* gcc moves what does not change, constants above all, out of all loops, and then keeps a sum in memory: a 6 x 16 tile
 * with a relu behind it took twice as long. */
static const struct own_registers {
    const char *name, *n, *x86;
} own_registers[] = {{"SQ_REGISTERS_16", "16", X86_LOW}, {"SQ_REGISTERS_32", "32", X86_LOW ", " X86_HIGH}};

/* A helper is printed when the rest of the file uses it. */
static const struct helper {
    const char *name, *text;
} helpers[] = {
    {"SQ_FRESH",
     "/* Hides where p came from: it is not computed anew, and what was loaded through it is not shared. */\n"
     "#define SQ_FRESH(p) __asm__(\"\" : \"+r\"(p))\n"},
    {"SQ_UNROLL",
     "/* Unrolls the next loop, of n iterations, wholly. */\n"
     "#define SQ_PRAGMA(x) _Pragma(#x)\n"
     "#if defined(__clang__)\n#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))\n"
     "#else\n#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)\n#endif\n"},
    {"SQ_UNROLL_BY",
     "/* Writes out n iterations of the next loop at a time. */\n"
     "#define SQ_PRAGMA(x) _Pragma(#x)\n"
     "#if defined(__clang__)\n#define SQ_UNROLL_BY(n) SQ_PRAGMA(clang loop unroll_count(n))\n"
     "#else\n#define SQ_UNROLL_BY(n) SQ_PRAGMA(GCC unroll n)\n#endif\n"},
    {"SQ_SHUFFLE",
     "/* Lanes of a, and of b behind them, by number; e: an integer as wide as an element. */\n"
     "#if defined(__clang__)\n#define SQ_SHUFFLE(e, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)\n"
     "#else\n#define SQ_SHUFFLE(e, a, b, ...) "
     "__builtin_shuffle(a, b, (e __attribute__((vector_size(sizeof(a))))){__VA_ARGS__})\n#endif\n"},
    {"SQ_MASK",
     "/* gcc 12 fails to choose by comparisons of 64-bit lanes that the processor lacks, where it "
     "knows\n * them for what they are. */\n"
     "#if defined(__SSE2__) && !defined(__SSE4_1__) && !defined(__clang__)\n"
     "#define SQ_MASK(m) __extension__({ __typeof__(m) mask_ = (m); __asm__(\"\" : \"+x\"(mask_)); "
     "mask_; })\n#else\n#define SQ_MASK(m) (m)\n#endif\n"},
    {"sq_min", "SQ_INLINE int64_t sq_min(int64_t a, int64_t b) { return a < b ? a : b; }\n"},
    {"sq_max", "SQ_INLINE int64_t sq_max(int64_t a, int64_t b) { return a > b ? a : b; }\n"},
    {"sq_floord", "SQ_INLINE int64_t sq_floord(int64_t n, int64_t d) { return n >= 0 ? n / d : "
                  "-((-n + d - 1) / d); }\n"},
    {"sq_clamp", "SQ_INLINE int64_t sq_clamp(int64_t i, int64_t n) { return i < 0 ? 0 : i >= n ? n "
                 "- 1 : i; }\n"},
};

/* Copies under a name; `value` is an element as the copy holds it. */
static void put_copy_helper(const char *name, const char *held, const char *c, const char *value,
                            bool clip, sq_text *to)
{
    sq_text_printf(to,
                   "/* Copies n elements, `step` apart, to places `to_step` apart. */\n"
                   "SQ_INLINE void sq_copy_%s(%s *to, int64_t to_step, const %s *from, "
                   "int64_t step, int64_t n)\n{\n",
                   name, held, c);
    if (*value)
        sq_text_printf(to,
                       "    for (int64_t x = 0; x < n; x++)\n        to[x * to_step] = "
                       "%s(from[x * step]);\n}\n",
                       value);
    else
        sq_text_puts(to, "    if (to_step == 1 && step == 1 && n > 0)\n        memcpy(to, "
                         "from, (size_t)n * sizeof *to);\n"
                         "    else\n        for (int64_t x = 0; x < n; x++)\n            to[x "
                         "* to_step] = from[x * step];\n}\n");
    if (!clip)
        return;
    sq_text_printf(to,
                   "/* The same from element lo of a row of `extent` elements, `outside` "
                   "beyond its ends. */\n"
                   "SQ_INLINE void sq_clip_%s(%s *to, int64_t to_step, const %s *row, "
                   "int64_t lo, int64_t step,\n"
                   "                          int64_t n, int64_t extent, %s outside)\n{\n"
                   "    int64_t a = lo < 0 ? (-lo + step - 1) / step : 0, b = (extent - lo "
                   "+ step - 1) / step;\n"
                   "    a = a > n ? n : a;\n    b = extent <= 0 || b < a ? a : b > n ? n : b;\n"
                   "    for (int64_t x = 0; x < a; x++)\n        to[x * to_step] = outside;\n"
                   "    if (b > a)\n        sq_copy_%s(to + a * to_step, to_step, row + (lo "
                   "+ a * step), step, b - a);\n"
                   "    for (int64_t x = b; x < n; x++)\n        to[x * to_step] = "
                   "outside;\n}\n",
                   name, held, c, held, name);
}

/* Copies of each type, as it is and as f32. */
static void put_copy_helpers(const sq_printer *p, sq_text *to)
{
    for (int i = 0; i < 2 * SQ_NTYPES; i++) {
        if (i == 2 * SQ_F32 + 1)
            continue;
        sq_type type = (sq_type)(i / 2);
        bool converts = i % 2, stored = sq_type_stored(type);
        const char *name = sq_c_copy_name(type, converts ? SQ_F32 : type, p->arena);
        const char *c = sq_type_ctype(type);
        bool clip = sq_code_keys_has(&p->helpers, sq_arena_printf(p->arena, "sq_clip_%s", name));
        if (!clip && !sq_code_keys_has(&p->helpers, sq_arena_printf(p->arena, "sq_copy_%s", name)))
            continue;
        const char *value = !converts ? "" : "(float)";
        if (converts && stored)
            value = sq_uses_helper(&p->uses, sq_arena_printf(p->arena, "sq_%s_get", sq_type_suffix(type)));
        put_copy_helper(name, converts ? "float" : c, c, value, clip, to);
    }
    sq_text_line(to, "%s", "");
}

/* For the architecture of the target, if it has one. */
static void put_own_registers(const struct own_registers *r, const sq_target *t, sq_text *to)
{
    const struct {
        const char *guard, *all;
    } of[] = {{"defined(__x86_64__)", r->x86}, {"defined(__aarch64__)", ARM}};
    sq_text_printf(to,
                   "/* No value of the code around stays in a vector register: gcc would keep sums in memory "
                   "instead. */\n#undef SQ_REGISTERS_%1$s\n#if defined(__clang__)\n#define SQ_REGISTERS_%1$s (void)0\n",
                   r->n);
    for (int i = 0; i < 2; i++) {
        const bool is_own = strcmp(t->guard, of[i].guard) == 0;
        if (is_own || !t->guard[0])
            sq_text_printf(to, "#el%s%s\n#define SQ_REGISTERS_%s __asm__ volatile(\"\" ::: %s)\n",
                           is_own ? "se" : "if ", is_own ? "" : of[i].guard, r->n, of[i].all);
    }
    if (!t->guard[0])
        sq_text_printf(to, "#else\n#define SQ_REGISTERS_%s (void)0\n", r->n);
    sq_text_puts(to, "#endif\n");
}

static void put_outline(sq_text *to)
{
    sq_text_puts(to, "/* A function of its own for gcc: inlined, its sums would be in memory. */\n"
                     "#undef SQ_OUTLINE\n#if defined(__clang__)\n#define SQ_OUTLINE SQ_INLINE\n#else\n"
                     "#define SQ_OUTLINE static __attribute__((noinline)) SQ_TARGET\n#endif\n");
}

void sq_print_bounds(const sq_code_keys *called, sq_text *to)
{
    for (size_t i = 0; i < sizeof helpers / sizeof helpers[0]; i++)
        sq_text_puts(to, sq_code_keys_has(called, helpers[i].name) ? helpers[i].text : "");
}

void sq_print_helpers(const sq_printer *p, sq_text *to)
{
    sq_text copies = {0};
    for (size_t i = 0; i < sizeof own_registers / sizeof *own_registers; i++)
        if (sq_code_keys_has(&p->helpers, own_registers[i].name))
            put_own_registers(&own_registers[i], p->options->target, to);
    if (sq_code_keys_has(&p->helpers, "SQ_OUTLINE"))
        put_outline(to);
    sq_print_bounds(&p->helpers, to);
    put_copy_helpers(p, &copies);
    sq_helpers h = {"sq_", "SQ_INLINE", p->options->target->isa->f16, p->options->target->grid};
    sq_helpers_print(&h, &p->helpers, to);
    sq_text_puts(to, sq_text_str(&copies));
    sq_text_free(&copies);
}
