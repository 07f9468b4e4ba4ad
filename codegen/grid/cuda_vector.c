/* CUDA vectors: structs of as many values as 16 bytes hold, with the operations of
 * codegen/isa/vector.h. Loads and stores test the address: all bytes are transferred at once if it
 * is aligned, else one value after the other. Functions are CUDA's own. */
#include "codegen/grid/cuda.h"
#include "codegen/isa/math.h"
#include "codegen/isa/strict.h"
#include "codegen/print/names.h"
#include "codegen/tile/tile_inside.h"
#include "ir/dependence/tensor.h"
#include <string.h>

/* True if all values have one floating-point type, without conversions and conditionals. Elements
 * of f16 and bf16 become f32 when they are read. */
static bool is_uniform(const sq_expr *e)
{
    bool real = e->type == SQ_F32 || e->type == SQ_F64;
    if (e->op == SQ_OP_CAST && e->type == SQ_F32 && sq_type_stored(e->arg[0]->type))
        return e->arg[0]->op == SQ_OP_READ;
    bool fine = real &&
                (e->op <= SQ_OP_DIV || e->op == SQ_OP_MIN || e->op == SQ_OP_MAX ||
                 sq_math_is_function(e->op)) &&
                e->op != SQ_OP_CAST && e->op != SQ_OP_INDEX;
    for (int i = 0; i < e->nargs; i++)
        fine = fine && is_uniform(e->arg[i]) && e->arg[i]->type == e->type;
    return fine || (real && sq_expr_of_sizes(e));
}

/* True if a statement stores such values, or f32 as f16 or bf16. */
static bool is_uniform_value(const sq_expr *e)
{
    if (sq_type_stored(e->type))
        return e->op == SQ_OP_CAST && e->arg[0]->type == SQ_F32 && is_uniform(e->arg[0]);
    return is_uniform(e);
}

/* True for a statement with 16-bit floats, which are f32 in registers, two vectors of the target's
 * width; 16 bytes of them are loaded at once if the statement has no wider elements in memory. */
static bool is_narrow(const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    bool narrow = !s->updates && sq_type_stored(s->write->array->type);
    for (int i = 0; i < n; i++)
        narrow &= sq_type_stored(read[i]->array->type);
    return narrow;
}

int sq_emit_grid_lanes(const sq_group *g, const sq_target *t)
{
    sq_type type = sq_type_held(g->stmt[0]->write->array->type);
    bool narrow = true;
    for (int i = 0; i < g->nstmts; i++) {
        const sq_stmt *s = g->stmt[i];
        if (sq_type_held(s->write->array->type) != type ||
            s->value->type != s->write->array->type || !is_uniform_value(s->value) ||
            (s->body && (s->body->type != type || !(sq_group_is_tensor(g) || is_uniform(s->body)))))
            return 1;
        narrow &= is_narrow(s);
    }
    return t->vector_bytes / (narrow ? 2 : sq_group_bytes(g));
}

sq_schedule *sq_cuda_schedule(const sq_schedule *given, const sq_target *t, sq_arena *arena)
{
    sq_schedule *s = sq_names_of_loops(given, arena);
    for (int i = 0; i < s->ngroups && t->grid; i++) {
        sq_micro *m = &s->group[i]->micro;
        int most = m->vector < 0 ? m->lanes : sq_emit_grid_lanes(s->group[i], t);
        m->lanes = m->lanes < most ? m->lanes : most;
        if (m->lanes == 1)
            m->vector = -1;
    }
    return s;
}

static bool used(const sq_vector *v, sq_vop op)
{
    return v->used >> op & 1;
}

/* Prints "{{x, x}}" with the lane's number for each # of a pattern. */
static void put_all_lanes(const sq_vector *v, const char *pattern, sq_text *to)
{
    sq_text_puts(to, "{{");
    for (int l = 0; l < v->lanes; l++) {
        if (l)
            sq_text_puts(to, ", ");
        for (const char *c = pattern; *c; c++) {
            if (*c == '#')
                sq_text_printf(to, "%d", l);
            else
                sq_text_putn(to, c, 1);
        }
    }
    sq_text_puts(to, "}}");
}

static void put_lanewise(const sq_vector *v, const char *head, const char *pattern, sq_text *to)
{
    sq_text_printf(to, "SQ_INLINE %s { return ", head);
    put_all_lanes(v, pattern, to);
    sq_text_puts(to, "; }\n");
}

/* Returns CUDA's name for a vector of v->lanes values that is loaded and stored at once; NULL:
 * there is none. */
static const char *quad(const sq_vector *v)
{
    int bytes = v->lanes * sq_type_bytes(v->type);
    if (v->type == SQ_F32 && v->lanes == 2)
        return "float2";
    if (sq_type_stored(v->type) && bytes < 16)
        return bytes == 8 ? "uint2" : bytes == 4 ? "uint32_t" : NULL;
    return bytes != 16         ? NULL
           : v->type == SQ_F32 ? "float4"
           : v->type == SQ_F64 ? "double2"
                               : "uint4";
}

/* True if elements are only copied, as bytes. */
static bool moved(const sq_vector *v)
{
    return quad(v) && v->type != SQ_F32 && v->type != SQ_F64;
}

/* Prints "*(float2 *)(void *)p = make_float2(a.v[0], a.v[1]);" */
static void put_quad_store(const sq_vector *v, const char *q, sq_text *to)
{
    if (moved(v)) {
        sq_text_line(to, "%s q;", q);
        sq_text_line(to, "memcpy(&q, &a, sizeof q);");
        sq_text_line(to, "*(%s *)(void *)p = q;", q);
        return;
    }
    sq_text_line(to, "*(%s *)(void *)p = make_%s(%s);", q, q,
                 v->lanes == 4 ? "a.v[0], a.v[1], a.v[2], a.v[3]" : "a.v[0], a.v[1]");
}

static void put_load(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    const char *c = sq_type_ctype(v->type), *q = quad(v);
    const char *zero = sq_arena_printf(arena, "n > # ? p[#] : %s",
                                       moved(v) ? sq_arena_printf(arena, "(%s)0", c) : "0");
    bool any = used(v, SQ_VOP_LOAD) || used(v, SQ_VOP_LOAD_N);
    if (used(v, SQ_VOP_ALIGNED) || any) {
        sq_text_open(to, "SQ_INLINE %s %s_aligned(const %s *p)\n{", n, n, c);
        if (moved(v)) {
            sq_text_line(to, "const %s q = *(const %s *)(const void *)p;", q, q);
            sq_text_line(to, "%s a;", n);
            sq_text_line(to, "memcpy(&a, &q, sizeof a);");
            sq_text_line(to, "return a;");
        } else if (q) {
            sq_text_line(to, "const %s q = *(const %s *)(const void *)p;", q, q);
            sq_text_line(to,
                         v->lanes == 4 ? "return {{q.x, q.y, q.z, q.w}};" : "return {{q.x, q.y}};");
        } else {
            sq_text_puts(to, "    return ");
            put_all_lanes(v, "p[#]", to);
            sq_text_puts(to, ";\n");
        }
        sq_text_close(to, "}");
    }
    if (!any)
        return;
    sq_text_open(to, "SQ_INLINE %s %s_load(const %s *p)\n{", n, n, c);
    sq_text_line(to, "if ((uintptr_t)p %% %d == 0)", v->lanes * sq_type_bytes(v->type));
    sq_text_line(to, "    return %s_aligned(p);", n);
    sq_text_puts(to, "    return ");
    put_all_lanes(v, "p[#]", to);
    sq_text_puts(to, ";\n");
    sq_text_close(to, "}");
    if (!used(v, SQ_VOP_LOAD_N))
        return;
    sq_text_puts(to, "/* The first n, and zeros. */\n");
    sq_text_open(to, "SQ_INLINE %s %s_load_n(const %s *p, int64_t n)\n{", n, n, c);
    sq_text_line(to, "if (n >= %d)", v->lanes);
    sq_text_line(to, "    return %s_load(p);", n);
    sq_text_puts(to, "    return ");
    put_all_lanes(v, zero, to);
    sq_text_puts(to, ";\n");
    sq_text_close(to, "}");
}

static void put_store(const sq_vector *v, const char *n, sq_text *to)
{
    const char *c = sq_type_ctype(v->type), *q = quad(v);
    if (used(v, SQ_VOP_STORE_ALIGNED)) {
        sq_text_open(to, "SQ_INLINE void %s_store_aligned(%s *p, %s a)\n{", n, c, n);
        if (q)
            put_quad_store(v, q, to);
        for (int l = 0; l < v->lanes && !q; l++)
            sq_text_line(to, "p[%d] = a.v[%d];", l, l);
        sq_text_close(to, "}");
    }
    if (!used(v, SQ_VOP_STORE) && !used(v, SQ_VOP_STORE_N))
        return;
    sq_text_open(to, "SQ_INLINE void %s_store(%s *p, %s a)\n{", n, c, n);
    if (q) {
        sq_text_open(to, "if ((uintptr_t)p %% %d == 0) {", v->lanes * sq_type_bytes(v->type));
        put_quad_store(v, q, to);
        sq_text_line(to, "return;");
        sq_text_close(to, "}");
    }
    for (int l = 0; l < v->lanes; l++)
        sq_text_line(to, "p[%d] = a.v[%d];", l, l);
    sq_text_close(to, "}");
    if (!used(v, SQ_VOP_STORE_N))
        return;
    sq_text_open(to, "SQ_INLINE void %s_store_n(%s *p, %s a, int64_t n)\n{", n, c, n);
    sq_text_open(to, "if (n >= %d) {", v->lanes);
    sq_text_line(to, "%s_store(p, a);", n);
    sq_text_line(to, "return;");
    sq_text_close(to, "}");
    for (int l = 0; l < v->lanes; l++) {
        sq_text_line(to, "if (n > %d)", l);
        sq_text_line(to, "    p[%d] = a.v[%d];", l, l);
    }
    sq_text_close(to, "}");
}

/* Rounds values in pairs. */
static void put_bits(const sq_vector *v, const char *n, const char *f, sq_arena *arena, sq_text *to)
{
    sq_text_open(to, "SQ_INLINE %s %s_bits(%s x)\n{", n, n, f);
    sq_text_line(to, "%s h;", n);
    sq_text_printf(to, "    const uint32_t q[%d] = {", v->lanes / 2);
    const char *pair = sq_uses_helper(v->uses, sq_arena_printf(arena, "sq_%s_bits2", sq_type_suffix(v->type)));
    for (int l = 0; l < v->lanes; l += 2)
        sq_text_printf(to, "%s%s(x.v[%d], x.v[%d])", l ? ", " : "", pair, l, l + 1);
    sq_text_puts(to, "};\n");
    sq_text_line(to, "memcpy(&h, q, sizeof h);");
    sq_text_line(to, "return h;");
    sq_text_close(to, "}");
}

/* Elements of f16 and bf16 are bits; values are f32. */
static void put_narrow(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    const char *f = sq_arena_printf(arena, "sq_f32x%d", v->lanes),
               *get = sq_arena_printf(arena, "sq_%s_get", sq_type_suffix(v->type));
    bool round = used(v, SQ_VOP_ROUND);
    if (round || used(v, SQ_VOP_GET))
        put_lanewise(v, sq_arena_printf(arena, "%s %s_get(%s h)", f, n, n),
                     sq_arena_printf(arena, "%s(h.v[#])", sq_uses_helper(v->uses, get)), to);
    if (round || used(v, SQ_VOP_BITS))
        put_bits(v, n, f, arena, to);
    if (round)
        sq_text_line(to, "SQ_INLINE %s %s_round(%s x) { return %s_get(%s_bits(x)); }", f, n, f, n,
                     n);
}

static void put_strided(const sq_vector *v, const char *n, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    const char *zero =
        sq_type_stored(v->type) ? "n > # ? p[# * step] : (uint16_t)0" : "n > # ? p[# * step] : 0";
    if (used(v, SQ_VOP_GATHER)) {
        sq_text_open(to, "SQ_INLINE %s %s_gather(const %s *p, int64_t step, int64_t n)\n{", n, n,
                     c);
        sq_text_puts(to, "    return ");
        put_all_lanes(v, zero, to);
        sq_text_puts(to, ";\n");
        sq_text_close(to, "}");
    }
    if (used(v, SQ_VOP_SCATTER)) {
        sq_text_open(to, "SQ_INLINE void %s_scatter(%s *p, int64_t step, %s a, int64_t n)\n{", n, c,
                     n);
        for (int l = 0; l < v->lanes; l++) {
            sq_text_line(to, "if (n > %d)", l);
            sq_text_line(to, "    p[%d * step] = a.v[%d];", l, l);
        }
        sq_text_close(to, "}");
    }
}

/* Returns an operator applied to the single values a and b, which are texts. */
static const char *operation(const sq_vector *v, const char *a, char sign, const char *b,
                             sq_arena *arena)
{
    const char *call = v->strict ? sq_rounded_call(&sq_cuda_rounded, v->type, sign) : NULL;
    return call ? sq_arena_printf(arena, "%s(%s, %s)", call, a, b)
                : sq_arena_printf(arena, "%s %c %s", a, sign, b);
}

static void put_operators(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    static const char signs[] = "+-*/";
    for (const char *s = signs; *s; s++)
        if (sq_vector_has_infix(v, *s))
            put_lanewise(v, sq_arena_printf(arena, "%s operator%c(%s a, %s b)", n, *s, n, n),
                         operation(v, "a.v[#]", *s, "b.v[#]", arena), to);
    if (sq_vector_has_infix(v, '~'))
        put_lanewise(v, sq_arena_printf(arena, "%s operator-(%s a)", n, n), "-a.v[#]", to);
}

/* Prints a function of a single value. */
static void put_function(const sq_vector *v, sq_op op, const char *n, sq_arena *arena, sq_text *to)
{
    const sq_op_info *info = sq_op_get(op);
    const char *f = v->type == SQ_F64 ? "" : "f", *text;
    if (op == SQ_OP_SIGMOID)
        text = sq_arena_printf(arena, "1 / (1 + exp%s(-a))", f);
    else if (op == SQ_OP_RSQRT)
        text = sq_arena_printf(arena, "1 / sqrt%s(a)", f);
    else
        text = sq_arena_printf(arena, "%s(a%s)", info->function[v->type == SQ_F64],
                               info->nargs == 2 ? ", b" : "");
    sq_text_line(to, "SQ_INLINE %s %s_%s(%s a%s) { return %s; }", n, n, info->name, n,
                 info->nargs == 2 ? sq_arena_printf(arena, ", %s b", n) : "", text);
}

/* Returns a * b + c, rounded once except under fp strict. */
static const char *multiply_add(const sq_vector *v, const char *a, const char *b, const char *c,
                                sq_arena *arena)
{
    if (v->strict)
        return sq_arena_printf(arena, "%s + %s", operation(v, a, '*', b, arena), c);
    return sq_arena_printf(arena, "fma%s(%s, %s, %s)", v->type == SQ_F64 ? "" : "f", a, b, c);
}

static void put_single(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    sq_text_line(to, "typedef %s %s;", sq_type_ctype(v->type), n);
    if (used(v, SQ_VOP_FMA))
        sq_text_line(
            to, "SQ_INLINE %s %s_fma(%s a, %s b, %s c) { return %s; }", n, n, n, n, n,
            sq_type_real(v->type)
                ? multiply_add(v, "a", "b", "c", arena)
                : sq_arena_printf(arena, "(%s)((uint64_t)a * (uint64_t)b + (uint64_t)c)", n));
    for (int max = 0; max < 2; max++)
        if (used(v, max ? SQ_VOP_MAX : SQ_VOP_MIN))
            sq_text_line(to, "SQ_INLINE %s %s_%s(%s a, %s b) { return a %c b ? a : b; }", n, n,
                         max ? "max" : "min", n, n, max ? '>' : '<');
    if (v->strict)
        sq_cuda_strict_functions(v, n, to);
    for (int op = 0; op < SQ_NOPS && !v->strict; op++)
        if (v->functions >> op & 1)
            put_function(v, (sq_op)op, n, arena, to);
}

/* Prints a vector operation that applies the scalar one lane by lane. */
static void put_calls(const sq_vector *v, const char *n, const char *one, sq_arena *arena,
                      sq_text *to)
{
    for (int max = 0; max < 2; max++)
        if (used(v, max ? SQ_VOP_MAX : SQ_VOP_MIN))
            put_lanewise(
                v, sq_arena_printf(arena, "%s %s_%s(%s a, %s b)", n, n, max ? "max" : "min", n, n),
                sq_arena_printf(arena, "a.v[#] %c b.v[#] ? a.v[#] : b.v[#]", max ? '>' : '<'), to);
    if (used(v, SQ_VOP_FMA))
        put_lanewise(v, sq_arena_printf(arena, "%s %s_fma(%s a, %s b, %s c)", n, n, n, n, n),
                     multiply_add(v, "a.v[#]", "b.v[#]", "c.v[#]", arena), to);
    for (int op = 0; op < SQ_NOPS; op++) {
        const sq_op_info *info = sq_op_get((sq_op)op);
        bool two = info->nargs == 2;
        if (v->functions >> op & 1)
            put_lanewise(v,
                         sq_arena_printf(arena, two ? "%s %s_%s(%s a, %s b)" : "%s %s_%s(%s a)", n,
                                         n, info->name, n, n),
                         sq_arena_printf(arena, two ? "%s_%s(a.v[#], b.v[#])" : "%s_%s(a.v[#])",
                                         one, info->name),
                         to);
    }
}

static void put_vector(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    const char *c = sq_type_ctype(v->type);
    const char *one = sq_arena_printf(arena, "sq_%sx1", sq_type_suffix(v->type));
    sq_text_line(to, "struct alignas(%d) %s {", v->lanes * sq_type_bytes(v->type), n);
    sq_text_line(to, "    %s v[%d];", c, v->lanes);
    sq_text_line(to, "};");
    put_load(v, n, arena, to);
    put_store(v, n, to);
    put_strided(v, n, to);
    if (used(v, SQ_VOP_ALL))
        put_lanewise(v, sq_arena_printf(arena, "%s %s_all(%s x)", n, n, c), "x", to);
    put_operators(v, n, arena, to);
    put_calls(v, n, one, arena, to);
    put_narrow(v, n, arena, to);
}

/* Returns the scalar shape, from whose functions those of vectors are made. */
static sq_vector single(const sq_printer *p, sq_type type)
{
    sq_vector one = {.type = type, .lanes = 1, .strict = p->kernel->fp == SQ_FP_STRICT};
    for (int i = 0; i < p->nshapes; i++)
        if (p->shape[i].type == type) {
            one.functions |= p->shape[i].functions;
            one.used |= p->shape[i].lanes == 1 ? p->shape[i].used : 0;
        }
    return one;
}

void sq_cuda_vectors(const sq_printer *p, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    if (p->kernel->fp == SQ_FP_STRICT)
        sq_cuda_strict_begin(to);
    for (int t = 0; t < SQ_NTYPES; t++) {
        sq_vector one = single(p, (sq_type)t);
        if (one.used || one.functions)
            put_single(&one, sq_arena_printf(arena, "sq_%sx1", sq_type_suffix(one.type)), arena,
                       to);
    }
    for (int narrow = 0; narrow < 2; narrow++) /* after f32, which they need */
        for (int i = 0; i < p->nshapes; i++)
            if (p->shape[i].lanes > 1 && sq_type_stored(p->shape[i].type) == narrow) {
                sq_vector v = p->shape[i];
                v.strict = p->kernel->fp == SQ_FP_STRICT;
                put_vector(&v, sq_vector_name(&v, arena), arena, to);
            }
    sq_arena_free(arena);
}
