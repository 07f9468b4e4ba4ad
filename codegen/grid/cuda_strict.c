/* CUDA under fp strict: produces the naive nest's bits. nvcc contracts products and sums despite
 * pragmas, but not products that are function calls (codegen/isa/strict.h); these exist on the
 * device only, and so does all text with them. Functions are the texts of math_text.c, as for every
 * target, on a type whose operators are such calls. */
#include "codegen/grid/cuda.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/isa/strict.h"

const sq_rounded sq_cuda_rounded = {{"__fmul_rn", "__dmul_rn"}, {"__fdiv_rn", "__ddiv_rn"}};

/* True if the device rounds the operation once, as every CPU does. */
static bool is_exact(sq_op op)
{
    return op == SQ_OP_ABS || op == SQ_OP_FLOOR || op == SQ_OP_CEIL;
}

/* ---- restrictions ---- */

static void find_unknown(sq_expr *e, void *user)
{
    const sq_expr **found = user;
    if (!*found && sq_math_is_function(e->op) && e->op != SQ_OP_SQRT &&
        !sq_math_is_own(e->op, e->type))
        *found = e;
}

int sq_cuda_strict_takes(const sq_kernel *k, sq_diags *d)
{
    const sq_expr *found = NULL;
    if (k->fp != SQ_FP_STRICT)
        return 0;
    for (int i = 0; i < k->nstmts; i++) {
        if (k->stmt[i]->body)
            sq_expr_walk(k->stmt[i]->body, find_unknown, &found);
        sq_expr_walk(k->stmt[i]->value, find_unknown, &found);
    }
    if (!found)
        return 0;
    return sq_error(d, SQ_FAULT_REFUSED, found->loc,
                    "%s under `fp strict` has the bits of the C library on processors, which this "
                    "target's own %s does not promise; drop `fp strict`, or compute it beforehand",
                    sq_op_get(found->op)->name, sq_op_get(found->op)->name);
}

/* ---- text ---- */

void sq_cuda_strict_begin(sq_text *to)
{
    sq_text_puts(to, "/* fp strict: every operation as written, rounded by itself. Not for nvcc's\n"
                     " * -ftz=true and -use_fast_math, which change operations. */\n"
                     "#undef SQ_INLINE\n"
                     "#define SQ_INLINE [[maybe_unused]] static __device__ __forceinline__\n");
}

/* $: the name of the vector type, @: of the value type. */
static void put_pattern(const char *text, const char *shape, const char *type, sq_text *to)
{
    for (const char *c = text; *c; c++) {
        if (*c == '$')
            sq_text_puts(to, shape);
        else if (*c == '@')
            sq_text_puts(to, type);
        else
            sq_text_putn(to, c, 1);
    }
}

static const char value_type[] = "/* A value whose products are rounded by themselves. */\n"
                                 "struct $ {\n"
                                 "    @ v;\n"
                                 "    __device__ __forceinline__ $(@ a) : v(a) {}\n"
                                 "};\n"
                                 "SQ_INLINE $ operator+($ a, $ b) { return a.v + b.v; }\n"
                                 "SQ_INLINE $ operator-($ a, $ b) { return a.v - b.v; }\n"
                                 "SQ_INLINE $ operator-($ a) { return -a.v; }\n"
                                 "SQ_INLINE bool operator<($ a, $ b) { return a.v < b.v; }\n"
                                 "SQ_INLINE bool operator==($ a, $ b) { return a.v == b.v; }\n";

static const char value_calls[] = "SQ_INLINE $ $_all(@ a) { return a; }\n"
                                  "SQ_INLINE $ $_fma($ a, $ b, $ c) { return a * b + c; }\n"
                                  "SQ_INLINE $ $_max($ a, $ b) { return a.v > b.v ? a : b; }\n"
                                  "SQ_INLINE $ $_min($ a, $ b) { return a.v < b.v ? a : b; }\n";

/* Prints the texts on that type. */
static void put_own(sq_vector v, const char *shape, sq_text *to)
{
    static const sq_target single = {.isa = &sq_isa_none};
    const char *c = sq_type_ctype(v.type);
    sq_math_require(&v);
    put_pattern(value_type, shape, c, to);
    for (const char *sign = "*/"; *sign; sign++)
        sq_text_line(to, "SQ_INLINE %s operator%c(%s a, %s b) { return %s(a.v, b.v); }", shape,
                     *sign, shape, shape, sq_rounded_call(&sq_cuda_rounded, v.type, *sign));
    put_pattern(value_calls, shape, c, to);
    if (v.functions >> SQ_OP_SQRT & 1)
        sq_text_line(to, "SQ_INLINE %s %s_sqrt(%s a) { return __%csqrt_rn(a.v); }", shape, shape,
                     shape, v.type == SQ_F64 ? 'd' : 'f');
    sq_math_put_own(&v, shape, &single, to);
}

void sq_cuda_strict_functions(const sq_vector *v, const char *n, sq_text *to)
{
    const char *shape = v->type == SQ_F64 ? "sq_rounded_f64" : "sq_rounded_f32";
    sq_vector own = {.type = v->type, .lanes = 1, .strict = true};
    for (int op = 0; op < SQ_NOPS; op++)
        if (v->functions >> op & 1 && !is_exact((sq_op)op) && op != SQ_OP_SQRT)
            own.functions |= UINT64_C(1) << op;
    if (own.functions)
        put_own(own, shape, to);
    for (int op = 0; op < SQ_NOPS; op++) {
        const sq_op_info *info = sq_op_get((sq_op)op);
        if (!(v->functions >> op & 1))
            continue;
        sq_text_printf(to, "SQ_INLINE %s %s_%s(%s a) { return ", n, n, info->name, n);
        if (op == SQ_OP_SQRT)
            sq_text_printf(to, "__%csqrt_rn(a)", v->type == SQ_F64 ? 'd' : 'f');
        else if (is_exact((sq_op)op))
            sq_text_printf(to, "%s(a)", info->function[v->type == SQ_F64]);
        else
            sq_text_printf(to, "%s_%s(a).v", shape, info->name);
        sq_text_puts(to, "; }\n");
    }
}
