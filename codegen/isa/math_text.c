/* Math text: exp, log, tanh, sigmoid, erf for vectors and single values, as text of emitted files.
 *
 * Constants that multiply integers end in zero bits, so that their products are exact without a fused
 * multiply-add. The errors stated here were measured with one (avx512, avx2) and without (generic): f32 for
 * all values of the type, f64 for random ones. tests/exec/test_math.sh repeats a part of the measurement.
 *
 * No text branches, and no text adds and subtracts the same number unless the bits are used in
 * between: -ffast-math would drop both. */
#include "codegen/isa/math.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math_polynomial.h"
#include "support/words.h"
#include <stdio.h>
#include <string.h>

typedef struct constant {
    const char *name, *value[2]; /* for f32, f64 */
} constant;

static const constant constants[] = {
    /* floating-point format */
    {"word", {"uint32_t", "uint64_t"}},
    {"c", {"float", "double"}},
    {"fabs", {"__builtin_fabsf", "__builtin_fabs"}},
    {"sign", {"0x80000000u", "UINT64_C(0x8000000000000000)"}},
    {"fraction", {"0x007fffffu", "UINT64_C(0x000fffffffffffff)"}},
    {"bits", {"23", "52"}},
    {"one", {"0x3f800000u", "UINT64_C(0x3ff0000000000000)"}},
    {"inf", {"__builtin_inff()", "__builtin_inf()"}},
    {"nan", {"__builtin_nanf(\"\")", "__builtin_nan(\"\")"}},
    {"1", {"1.0f", "1.0"}},
    {"2", {"2.0f", "2.0"}},
    {"half", {"0.5f", "0.5"}},
    {"0", {"0.0f", "0.0"}},
    {"least", {"0x1p-126f", "0x1p-1022"}},
    /* puts an integer into the low bits of a sum */
    {"big", {"0x1.8p+23f", "0x1.8p+52"}},
    {"big_word", {"0x4b400000u", "UINT64_C(0x4338000000000000)"}},
    {"whole", {"0x4b000000u", "UINT64_C(0x4330000000000000)"}},
    /* logarithms of 2 */
    {"log2e", {"0x1.715476p+0f", "0x1.71547652b82fep+0"}},
    {"ln2_hi", {"0x1.62e4p-1f", "0x1.62e42fefa38p-1"}},
    {"ln2_lo", {"0x1.7f7d1cp-20f", "0x1.ef35793c7673p-45"}},
    /* exp */
    {"exp_most", {"89.0f", "710.0"}},
    {"exp_least", {"-104.5f", "-746.0"}},
    {"exp2_most", {"129.0f", "1025.0"}},
    {"exp2_least", {"-151.0f", "-1077.0"}},
    {"exp_shift", {"256u", "2048u"}},
    /* under `fp fast`: where the result would be 2^-126, 2^-1022 */
    {"exp_last", {"-0x1.5d589ep+6f", "-0x1.6232bdd7abcd2p+9"}},
    {"exp2_last", {"-126.0f", "-1022.0"}},
    {"big_bias", {"(0x1.8p+23f + 126.0f)", "(0x1.8p+52 + 1022.0)"}},
    {"exp_digits", {"124", "1020"}},
    {"tanh_most", {"10.0f", "20.0"}}, /* 1 from here on */
    {"twice_log2e", {"0x1.715476p+1f", "0x1.71547652b82fep+1"}},
    {"half_ln2", {"0x1.62e43p-2f", "0x1.62e42fefa39efp-2"}},
    /* log */
    {"root_word", {"0x3f3504f3u", "UINT64_C(0x3fe6a09e667f3bcd)"}},
    {"up", {"0x1p+23f", "0x1p+52"}},
    /* floor: a sum from 2^23 to 2^24, inclusive, is split into its last bits and the others */
    {"kept", {"0x03ffffffu", "UINT64_C(0x007fffffffffffff)"}},
    {"kept_above", {"0x48000000u", "UINT64_C(0x4300000000000000)"}},
    {"up_bits", {"23u", "52u"}},
    {"exponent_shift", {"0x20000000u", "UINT64_C(0x0400000000000000)"}},
    {"exponent_zero", {"(0x1p+23f + 191.0f)", "(0x1p+52 + 1087.0)"}},
    /* tanh, erf: limits of the polynomials; erf: 1 from here on */
    {"tanh_large", {"0.72f", "0.625"}},
    {"erf_edge", {"1.0078125f", "1.0"}},
    {"erf_most", {"4.0f", "6.0"}},
    /* measured with and without fused multiply-add, rounded up */
    {"exp_error", {"0.9", "0.9"}},
    {"exp2_error", {"1.05", "1.05"}},
    {"log2_error", {"1.9", "1.9"}},
    {"log_error", {"0.9", "0.9"}},
    {"tanh_error", {"1.35", "1.35"}},
    {"sigmoid_error", {"2", "2"}},
    {"erf_error", {"1.4", "1.4"}},
    {"rsqrt_error", {"1.5", "1.5"}},
};

/* ---- texts ---- */

/* -ffast-math would multiply out (whole - large) * constant, and clang does so if that is not a
 * fused operation: all digits would be lost. gcc does not. */
#define AS_WRITTEN "#if defined(__clang__)\n#pragma clang fp reassociate(off)\n#endif\n"

/* Building blocks of functions, printed when one calls them; a row comes after those that it
 * needs. */
static const struct helper {
    const char *name, *vector;
    const char *scalar; /* of one lane, where that differs */
    const char *bits;   /* of masks in mask registers, where that differs */
    const char *blend;  /* where an instruction chooses by vectors of masks, where that differs */
} helpers[] = {
    {"to_word", "SQ_INLINE $_word $_to_word($ a) { return ($_word)a; }\n",
     "SQ_INLINE $_word $_to_word($ a)\n"
     "{\n"
     "    union { $ a; $_word w; } u = {a};\n"
     "    return u.w;\n"
     "}\n",
     NULL, NULL},
    {"from_word", "SQ_INLINE $ $_from_word($_word w) { return ($)w; }\n",
     "SQ_INLINE $ $_from_word($_word w)\n"
     "{\n"
     "    union { $_word w; $ a; } u = {w};\n"
     "    return u.a;\n"
     "}\n",
     NULL, NULL},
    {"below",
     "/* All bits set where a < b. */\n"
     "SQ_INLINE $_mask $_below($ a, $ b) { return ($_mask)(a < b); }\n",
     "SQ_INLINE $_mask $_below($ a, $ b) { return a < b ? ~($_mask)0 : 0; }\n",
     "SQ_INLINE $_mask $_below($ a, $ b) { return $_lt(a, b); }\n", NULL},
    {"equal", "SQ_INLINE $_mask $_equal($ a, $ b) { return ($_mask)(a == b); }\n",
     "SQ_INLINE $_mask $_equal($ a, $ b) { return a == b ? ~($_mask)0 : 0; }\n",
     "SQ_INLINE $_mask $_equal($ a, $ b) { return $_eq(a, b); }\n", NULL},
    {"pick",
     "/* a where the mask is set, b elsewhere. */\n"
     "SQ_INLINE $ $_pick($_mask mask, $ a, $ b)\n"
     "{\n"
     "    return $_from_word((mask & $_to_word(a)) | (~mask & $_to_word(b)));\n"
     "}\n",
     NULL,
     "SQ_INLINE $ $_pick($_mask mask, $ a, $ b) { return $_select(mask, a, b); }\n",
     "SQ_INLINE $ $_pick($_mask mask, $ a, $ b) { return $_select(($_where)mask, a, b); }\n"},
    {"bits",
     "/* The bits of w where the mask is set. */\n"
     "SQ_INLINE $_word $_bits($_mask mask, {word} w) { return mask & w; }\n",
     NULL,
     "SQ_INLINE $_word $_bits($_mask mask, {word} w)\n"
     "{\n"
     "    return $_to_word($_select(mask, $_from_word($_to_word($_all({0})) | w), $_all({0})));\n"
     "}\n",
     NULL},
};

static const char word_type[] = "typedef {word} $_word{vector};\n";
static const char mask_type[] = "typedef $_word $_mask;\n";

static const char exp_head[] =
    "/* e^a, off by at most {exp_error} ulp: a = n ln 2 + r with |r| <= ln 2 / 2. */\n"
    "SQ_INLINE $ $_exp($ a)\n"
    "{\n" AS_WRITTEN "    const $ x = $_min($_all({exp_most}), $_max($_all({exp_least}), a));\n";

static const char exp_fast_head[] =
    "/* e^a, off by at most {exp_error} ulp, or 0 where it is below 2^-{exp_digits}: a = n ln 2 + r with\n"
    " * |r| <= ln 2 / 2. */\n"
    "SQ_INLINE $ $_exp($ a)\n"
    "{\n" AS_WRITTEN "    const $ x = $_max($_all({exp_last}), a);\n";

static const char exp_text[] =
    "    const $_word m = $_to_word($_fma(x, $_all({log2e}), $_all({big})));\n"
    "    const $ n = $_from_word(m | {whole}) - {big};\n";

/* The same where the exponent of the result is never 0: the last bits of m are that. */
static const char exp_fast_text[] =
    "    const $_word m = $_to_word($_fma(x, $_all({log2e}), $_all({big_bias})));\n"
    "    const $ n = $_from_word(m | {whole}) - {big_bias};\n";

static const char exp_parts[] = "    const $ high = $_fma(n, $_all(-{ln2_hi}), x), low = n * {ln2_lo};\n";

static const char exp2_head[] =
    "/* 2^a, off by at most {exp2_error} ulp. */\n"
    "SQ_INLINE $ $_exp2($ a)\n"
    "{\n" AS_WRITTEN "    const $ x = $_min($_all({exp2_most}), $_max($_all({exp2_least}), a));\n";

static const char exp2_fast_head[] =
    "/* 2^a, off by at most {exp2_error} ulp, or 0 where it is below 2^-{exp_digits}. */\n"
    "SQ_INLINE $ $_exp2($ a)\n"
    "{\n" AS_WRITTEN "    const $ x = $_max($_all({exp2_last}), a);\n";

static const char exp2_text[] =
    "    const $_word m = $_to_word(x + {big});\n"
    "    const $ n = $_from_word(m | {whole}) - {big};\n";

static const char exp2_fast_text[] =
    "    const $_word m = $_to_word(x + {big_bias});\n"
    "    const $ n = $_from_word(m | {whole}) - {big_bias};\n";

static const char exp2_parts[] = "    const $ high = (x - n) * {ln2_hi}, low = (n - x) * {ln2_lo};\n";

/* e^r - 1, of r in two parts. */
static const char exp_sum[] =
    "    const $ r = high - low;\n"
    "poly q, r, exp\n"
    "    const $ p = high + $_fma(r * r, q, -low);\n";

/* The end of both: e^r 2^n. */
static const char exp_rest[] =
    "    /* 2^n as two factors: neither leaves the range that the product may leave. */\n"
    "    const $_word s = m - {big_word} + {exp_shift}, half = s >> 1;\n"
    "    const $ first = $_from_word((half - 1u) << {bits});\n"
    "    return $_fma(first, p, first) * $_from_word((s - half - 1u) << {bits});\n"
    "}\n";

/* The same where an instruction multiplies by 2^n. */
static const char exp_scaled[] = "    return $_scale(p + {1}, n);\n"
                                 "}\n";

/* The same where no result is infinite, and those that have few digits may be 0. */
static const char exp_fast_rest[] =
    "    const $ first = $_from_word(m << {bits});\n"
    "    return $_fma(first, p, first) * {2};\n"
    "}\n";

static const char log_head[] =
    "/* The natural logarithm, off by at most {log_error} ulp: a = 2^n (1 + f). */\n"
    "SQ_INLINE $ $_log($ a)\n";

static const char log2_head[] =
    "/* The logarithm to base 2, off by at most {log2_error} ulp: a = 2^n (1 + f). */\n"
    "SQ_INLINE $ $_log2($ a)\n";

static const char log_text[] =
    "{\n" AS_WRITTEN "    const $_mask tiny = $_below(a, $_all({least}));\n"
    "    const $_word w = $_to_word($_pick(tiny, a * {up}, a)) + ({one} - {root_word} + {exponent_shift});\n"
    "    const $_word e = (w >> {bits}) - $_bits(tiny, {up_bits});\n"
    "    const $ n = $_from_word(e | {whole}) - {exponent_zero};\n"
    "    const $ f = $_from_word((w & {fraction}) + {root_word}) - {1};\n"
    "    const $ square = f * f;\n";

static const char log_f32_text[] =
    "poly p, square, log\n"
    "poly q, square, log_odd\n"
    "    const $ bent = $_fma($_fma(q, f, p), f, $_all(-{half}));\n";

static const char log_f64_text[] =
    "    const $ s = f / (f + {2}), z = s * s;\n"
    "poly p, z, log\n"
    "    const $ t = $_fma(s, $_fma(z, p, {half} * square), -{half} * square);\n";

static const char log_parts[] = "    const $ hi = n * {ln2_hi}, sum = hi + f, lost = hi - sum + f;\n";

static const char log_f32_sum[] =
    "    const $ y = sum + $_fma(n, $_all({ln2_lo}), $_fma(square, bent, lost));\n";

static const char log_f64_sum[] = "    const $ y = sum + (lost + $_fma(n, $_all({ln2_lo}), t));\n";

static const char log2_f32_sum[] =
    "    const $ y = $_fma($_fma(square, bent, f), $_all({log2e}), n);\n";

static const char log2_f64_sum[] = "    const $ y = $_fma(f + t, $_all({log2e}), n);\n";

static const char log_rest[] =
    "    const $ below = $_pick($_below(a, $_all({0})), $_all({nan}), a);\n"
    "    const $ odd = $_pick($_equal(a, $_all({0})), $_all(-{inf}), below);\n"
    "    return $_pick($_below($_all({0}), a) & $_below(a, $_all({inf})), y, odd);\n"
    "}\n";

/* The same of positive numbers. */
static const char log_fast_rest[] = "    return y;\n"
                                    "}\n";

static const char tanh_head[] =
    "/* Off by at most {tanh_error} ulp: 1 - 2 / (e^2|a| + 1), or a polynomial. */\n"
    "SQ_INLINE $ $_tanh($ a)\n"
    "{\n";

static const char as_written[] = AS_WRITTEN;

static const char tanh_small[] =
    "    const $_word sign = $_to_word(a) & {sign};\n"
    "    const $ x = $_from_word($_to_word(a) ^ sign), z = x * x;\n"
    "poly p, z, tanh\n";

/* In seven digits an exponential that only this needs, e^2x / 2 = 2^(n-1) e^2r with |r| <= ln 2 / 4: it is neither
 * infinite nor small, and few of its digits count. */
static const char tanh_f32_large[] =
    "    const $ b = $_min($_all({tanh_most}), x);\n"
    "    const $_word m = $_to_word($_fma(b, $_all({twice_log2e}), $_all({big_bias})));\n"
    "    const $ n = $_from_word(m | {whole}) - {big_bias}, r = $_fma(n, $_all(-{half_ln2}), b);\n"
    "poly q, r, exp_twice\n"
    "    const $ large = {1} - {1} / $_fma($_from_word(m << {bits}), q, $_all({half}));\n";

static const char tanh_f64_large[] = "    const $ large = {1} - {2} / ($_exp(x * {2}) + {1});\n";

/* The same where e^2|a| may not be infinite. */
static const char tanh_fast_large[] =
    "    const $ large = {1} - {2} / ($_exp($_min($_all({tanh_most}), x) * {2}) + {1});\n";

static const char tanh_rest[] =
    "    const $ y = $_pick($_below(x, $_all({tanh_large})), $_fma(x * z, p, x), large);\n"
    "    return $_from_word($_to_word(y) | sign);\n"
    "}\n";

static const char sigmoid_text[] =
    "/* 1 / (1 + e^-a), off by at most {sigmoid_error} ulp: with e = e^-|a| and\n"
    " * r = 1 / (1 + e) it is r, or e r = e - e^2 r below 0, which needs no second rounding. */\n"
    "SQ_INLINE $ $_sigmoid($ a)\n"
    "{\n"
    "    const $ e = $_exp($_from_word($_to_word(a) | {sign})), r = {1} / (e + {1});\n"
    "    return $_pick($_below(a, $_all({0})), $_fma(-e, e * r, e), r);\n"
    "}\n";

static const char erf_head[] =
    "/* The error function, off by at most {erf_error} ulp. */\n"
    "SQ_INLINE $ $_erf($ a)\n"
    "{\n"
    "    const $_word sign = $_to_word(a) & {sign};\n"
    "    const $ x = $_min($_all({erf_most}), $_from_word($_to_word(a) ^ sign));\n"
    "    const $ z = x * x, t = x - {1};\n"
    "poly p, z, erf_small\n"
    "poly q, t, erf_large\n";

/* In seven digits the fourth root of 1 - erf is a polynomial, too: no exponential. */
static const char erf_f32_large[] = "    const $ square = q * q, large = $_fma(-square, square, $_all({1}));\n";

static const char erf_f64_large[] = "    const $ large = {1} - $_exp(q);\n";

static const char erf_rest[] =
    "    const $ y = $_pick($_below(x, $_all({erf_edge})), $_fma(x, p, x), large);\n"
    "    return $_from_word($_to_word(y) | sign);\n"
    "}\n";

static const char fabs_text[] =
    "SQ_INLINE $ $_fabs($ a) { return $_from_word($_to_word(a) & ~{sign}); }\n";

/* A single value stays what it is: bits of it would pass through a register of integers. */
static const char fabs_one_text[] = "SQ_INLINE $ $_fabs($ a) { return {fabs}(a); }\n";

static const char floor_text[] =
    "/* |a| plus a number so large that only whole numbers lie near. */\n"
    "SQ_INLINE $ $_floor($ a)\n";

static const char ceil_text[] = "SQ_INLINE $ $_ceil($ a)\n";

static const char whole_text[] =
    "{\n"
    "    const $_word sign = $_to_word(a) & {sign};\n"
    "    const $ x = $_from_word($_to_word(a) ^ sign);\n"
    "    const $_word m = $_to_word(x + {up});\n"
    "    const $ near = $_from_word((m & {kept}) | {kept_above}) - {up};\n"
    "    const $ y = $_from_word($_to_word(near) | sign);\n";

static const char floor_rest[] =
    "    const $ z = y - $_pick($_below(a, y), $_all({1}), $_all({0}));\n";

static const char ceil_rest[] =
    "    const $ z = y + $_pick($_below(y, a), $_all({1}), $_all({0}));\n";

static const char whole_rest[] =
    "    return $_pick($_below(x, $_all({up})), $_from_word($_to_word(z) | sign), a);\n"
    "}\n";

static const char rsqrt_text[] = "SQ_INLINE $ $_rsqrt($ a) { return {1} / $_sqrt(a); }\n";

/* ---- printing ---- */

static const char *constant_of(const sq_vector *v, const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        if (strlen(constants[i].name) == n && strncmp(constants[i].name, name, n) == 0)
            return constants[i].value[v->type == SQ_F64];
    return NULL;
}

/* Horner's scheme: y = the polynomial `name` of x. */
static void put_polynomial(const sq_vector *v, const char *shape, const char *line, sq_text *to)
{
    char y[16], x[16], name[16];
    int n = 0;
    if (sscanf(line, "poly %15[a-z], %15[a-z], %15[a-z0-9_]", y, x, name) != 3)
        sq_bug("math", "no polynomial: %.40s", line);
    const char *const *term = sq_math_polynomial(name, v->type, &n);
    if (!term)
        sq_bug("math", "no polynomial is called '%s'", name);
    sq_text_printf(to, "    %s %s = %s_all(%s);\n", shape, y, shape, term[n - 1]);
    for (int i = n - 2; i >= 0; i--)
        sq_text_printf(to, "    %s = %s_fma(%s, %s, %s_all(%s));\n", y, shape, y, x, shape,
                       term[i]);
}

/* Returns the text of `{name}`; NULL if no constant has the name: a brace of C. */
static const char *named(const sq_vector *v, const char *name, size_t n, sq_text *scratch)
{
    if (n != 6 || strncmp(name, "vector", n) != 0)
        return constant_of(v, name, n);
    if (v->lanes > 1)
        sq_text_printf(scratch, " __attribute__((vector_size(%d)))",
                       v->lanes * sq_type_bytes(v->type));
    return sq_text_str(scratch);
}

/* Adds the row of `helpers` that "$_name" calls, if it is one of them: a bit a row. */
static void add_call(const char *name, unsigned *called)
{
    for (size_t i = 0; i < sizeof helpers / sizeof helpers[0]; i++) {
        size_t n = strlen(helpers[i].name);
        if (strncmp(name, helpers[i].name, n) == 0 && !sq_is_word_byte(name[n]))
            *called |= 1u << i;
    }
}

/* `$` is replaced by the name of the vector, `{name}` by a constant of its type, a line `poly y, x,
 * name` by Horner's scheme. Adds the helpers that the text calls to *called. */
static void expand(const sq_vector *v, const char *shape, const char *text, unsigned *called, sq_text *to)
{
    for (const char *c = text; *c; c++) {
        sq_text scratch = {0};
        const char *value = *c == '{' ? named(v, c + 1, strcspn(c + 1, "}"), &scratch) : NULL;
        if (value) {
            expand(v, shape, value, called, to);
            c += strcspn(c, "}");
        } else if (*c == '$') {
            sq_text_puts(to, shape);
            if (c[1] == '_')
                add_call(c + 2, called);
        } else if (strncmp(c, "poly ", 5) == 0) {
            put_polynomial(v, shape, c, to);
            c += strcspn(c, "\n");
        } else {
            sq_text_putn(to, c, 1);
        }
        sq_text_free(&scratch);
    }
}

enum { MOST_PARTS = 6 };

/* A function comes after those that it needs. */
static const struct text {
    sq_op op;
    const char *part[2][MOST_PARTS]; /* for f32, f64 */
} texts[] = {
    {SQ_OP_ABS, {{fabs_text}, {fabs_text}}},
    {SQ_OP_FLOOR,
     {{floor_text, whole_text, floor_rest, whole_rest},
      {floor_text, whole_text, floor_rest, whole_rest}}},
    {SQ_OP_CEIL,
     {{ceil_text, whole_text, ceil_rest, whole_rest},
      {ceil_text, whole_text, ceil_rest, whole_rest}}},
    {SQ_OP_RSQRT, {{rsqrt_text}, {rsqrt_text}}},
    {SQ_OP_EXP,
     {{exp_head, exp_text, exp_parts, exp_sum, exp_rest}, {exp_head, exp_text, exp_parts, exp_sum, exp_rest}}},
    {SQ_OP_EXP2,
     {{exp2_head, exp2_text, exp2_parts, exp_sum, exp_rest},
      {exp2_head, exp2_text, exp2_parts, exp_sum, exp_rest}}},
    {SQ_OP_LOG,
     {{log_head, log_text, log_f32_text, log_parts, log_f32_sum, log_rest},
      {log_head, log_text, log_f64_text, log_parts, log_f64_sum, log_rest}}},
    {SQ_OP_LOG2,
     {{log2_head, log_text, log_f32_text, log2_f32_sum, log_rest},
      {log2_head, log_text, log_f64_text, log2_f64_sum, log_rest}}},
    {SQ_OP_TANH,
     {{tanh_head, as_written, tanh_small, tanh_f32_large, tanh_rest},
      {tanh_head, tanh_small, tanh_f64_large, tanh_rest}}},
    {SQ_OP_SIGMOID, {{sigmoid_text}, {sigmoid_text}}},
    {SQ_OP_ERF, {{erf_head, erf_f32_large, erf_rest}, {erf_head, erf_f64_large, erf_rest}}},
};

static const struct text *text_of(sq_op op)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].op == op)
            return &texts[i];
    return NULL;
}

bool sq_math_is_own(sq_op op, sq_type type)
{
    return (type == SQ_F32 || type == SQ_F64) && text_of(op);
}

const char *sq_math_error(sq_op op, sq_type type)
{
    sq_vector v = {.type = type};
    char name[32];
    if (!sq_math_is_own(op, type))
        return NULL;
    snprintf(name, sizeof name, "%s_error", sq_op_get(op)->name);
    const char *error = constant_of(&v, name, strlen(name));
    return error ? error : "0";
}

/* Parts that have other forms: where an instruction scales, and where there is no infinity and no NaN. */
static const struct form {
    const char *part, *scaled, *fast;
} forms[] = {
    {exp_head, exp_head, exp_fast_head},
    {exp2_head, exp2_head, exp2_fast_head},
    {exp_text, exp_text, exp_fast_text},
    {exp2_text, exp2_text, exp2_fast_text},
    {exp_rest, exp_scaled, exp_fast_rest},
    {log_rest, NULL, log_fast_rest},
    {tanh_f64_large, NULL, tanh_fast_large},
};

/* Returns the form of a part for this vector. */
static const char *form_of(const sq_vector *v, const sq_target *t, const char *part)
{
    if (part == fabs_text && v->lanes == 1 && !t->grid)
        return fabs_one_text;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].part != part)
            continue;
        bool scales = forms[i].scaled && sq_math_scales(v, t);
        return scales ? forms[i].scaled : v->fast ? forms[i].fast : part;
    }
    return part;
}

/* floor and ceil where the ISA has them; false: it has not. */
static bool put_whole(const sq_vector *v, const char *shape, sq_op op, const sq_target *t, sq_text *to)
{
    sq_text own = {0};
    bool whole = op == SQ_OP_FLOOR || op == SQ_OP_CEIL;
    sq_text_open(&own, "SQ_INLINE %s %s_%s(%s a)\n{", shape, shape, sq_op_get(op)->name, shape);
    bool has = whole && v->lanes > 1 && t->isa->whole && t->isa->whole(v, op == SQ_OP_CEIL, t, &own);
    sq_text_close(&own, "}");
    sq_text_puts(to, has ? sq_text_str(&own) : "");
    sq_text_free(&own);
    return has;
}

static void put_functions(const sq_vector *v, const char *shape, const sq_target *t, unsigned *called, sq_text *to)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *const *part = texts[i].part[v->type == SQ_F64];
        bool wanted = v->functions >> texts[i].op & 1;
        wanted = wanted && !put_whole(v, shape, texts[i].op, t, to);
        for (int p = 0; wanted && p < MOST_PARTS && part[p]; p++)
            expand(v, shape, form_of(v, t, part[p]), called, to);
    }
}

/* Prints the rows that functions call, directly or through another row. */
static void put_helpers(const sq_vector *v, const char *shape, unsigned called, const sq_target *t,
                        sq_text *to)
{
    bool bits = v->lanes > 1 && t->isa->mask_registers;
    enum { N = sizeof helpers / sizeof helpers[0] };
    sq_text part[N] = {0};
    for (int i = N - 1; i >= 0; i--) {
        const struct helper *h = &helpers[i];
        bool scalar = v->lanes == 1 && h->scalar;
        if (called >> i & 1)
            expand(v, shape,
                   scalar                                   ? h->scalar
                   : bits && h->bits                        ? h->bits
                   : h->blend && sq_math_blends(v, t) ? h->blend
                                                            : h->vector,
                   &called, &part[i]);
    }
    for (int i = 0; i < N; i++) {
        sq_text_puts(to, sq_text_str(&part[i]));
        sq_text_free(&part[i]);
    }
}

void sq_math_put_own(const sq_vector *v, const char *shape, const sq_target *t, sq_text *to)
{
    sq_text functions = {0};
    unsigned called = 0;
    bool bits = v->lanes > 1 && t->isa->mask_registers;
    put_functions(v, shape, t, &called, &functions);
    if (functions.n) {
        expand(v, shape, word_type, &called, to);
        if (bits)
            sq_text_line(to, "typedef %s %s_mask;", sq_vector_mask_bits(v->lanes), shape);
        else
            expand(v, shape, mask_type, &called, to);
        put_helpers(v, shape, called, t, to);
        sq_text_puts(to, sq_text_str(&functions));
    }
    sq_text_free(&functions);
}
