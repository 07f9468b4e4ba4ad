/* Math: the table of functions, what they need, and the text of those without a polynomial; see
 * math.h. */
#include "codegen/isa/math.h"
#include "codegen/isa/isa.h"
#include <string.h>

_Static_assert(SQ_NOPS <= 64, "one bit an operator in sq_vector.functions");

static bool has(const sq_vector *v, sq_op op)
{
    return v->functions >> op & 1;
}

bool sq_math_is_function(sq_op op)
{
    return sq_op_get(op)->function[0][0] != 0;
}

static const char *shape_name(const sq_vector *v, sq_arena *arena)
{
    return sq_arena_printf(arena, "sq_%sx%d", sq_type_suffix(v->type), v->lanes);
}

const char *sq_math_name(sq_vector *v, sq_op op, sq_arena *arena)
{
    v->functions |= UINT64_C(1) << op;
    return sq_arena_printf(arena, "%s_%s", shape_name(v, arena), sq_op_get(op)->name);
}

static const struct need {
    sq_op op, of;
    bool is_wide; /* in f64 alone */
} needs[] = {
    {SQ_OP_EXP, SQ_OP_TANH, true},
    {SQ_OP_EXP, SQ_OP_SIGMOID, false},
    {SQ_OP_EXP, SQ_OP_ERF, true},
    {SQ_OP_SQRT, SQ_OP_RSQRT, false},
};

static bool any_own(const sq_vector *v)
{
    for (int i = 0; i < SQ_NOPS; i++)
        if (has(v, (sq_op)i) && sq_math_is_own((sq_op)i, v->type))
            return true;
    return false;
}

void sq_math_require(sq_vector *v)
{
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (has(v, needs[i].of) && (!needs[i].is_wide || v->type == SQ_F64))
            v->functions |= UINT64_C(1) << needs[i].op;
    if (any_own(v))
        v->used |= SQ_VOP_BIT(SQ_VOP_ALL) | SQ_VOP_BIT(SQ_VOP_FMA) | SQ_VOP_BIT(SQ_VOP_MIN) |
                   SQ_VOP_BIT(SQ_VOP_MAX);
}

bool sq_math_scales(const sq_vector *v, const sq_target *t)
{
    int bytes = v->lanes * sq_type_bytes(v->type);
    return t->isa->scale && v->lanes > 1 && bytes >= 16 && bytes <= t->vector_bytes;
}

bool sq_math_blends(const sq_vector *v, const sq_target *t)
{
    int bytes = v->lanes * sq_type_bytes(v->type);
    return t->isa->select && !t->isa->mask_registers && v->lanes > 1 && bytes >= 16 && bytes <= t->vector_bytes;
}

sq_vop_set sq_math_needs(const sq_vector *v, const sq_target *t)
{
    bool own = any_own(v) && v->lanes > 1;
    sq_vop_set masks = SQ_VOP_BIT(SQ_VOP_LT) | SQ_VOP_BIT(SQ_VOP_EQ) | SQ_VOP_BIT(SQ_VOP_SELECT);
    return (own && t->isa->mask_registers ? masks : 0) |
           (own && sq_math_blends(v, t) ? SQ_VOP_BIT(SQ_VOP_SELECT) : 0) |
           (own && sq_math_scales(v, t) ? SQ_VOP_BIT(SQ_VOP_SCALE) : 0);
}

/* ---- square root instructions ---- */

/* In a loop over lanes gcc keeps a call, because of errno. */
static void put_sqrt(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    const char *f = v->type == SQ_F64 ? "" : "f";
    sq_text_open(to, "SQ_INLINE %s %s_sqrt(%s a)\n{", n, n, n);
    if (v->lanes == 1) {
        sq_text_line(to, "return __builtin_sqrt%s(a);", f);
    } else if (!t->isa->sqrt || !t->isa->sqrt(v, t, to)) {
        sq_text_line(to, "for (int l = 0; l < %d; l++)", v->lanes);
        sq_text_line(to, "    a[l] = __builtin_sqrt%s(a[l]);", f);
        sq_text_line(to, "return a;");
    }
    sq_text_close(to, "}");
}

/* ---- the C library, lane by lane ---- */

static void put_calls(const sq_vector *v, const char *n, sq_op op, sq_text *to)
{
    const sq_op_info *info = sq_op_get(op);
    const char *f = sq_op_get(op)->function[v->type == SQ_F64], *lane = v->lanes == 1 ? "" : "[l]";
    bool two = info->nargs == 2;
    sq_text_open(to, two ? "SQ_INLINE %s %s_%s(%s a, %s b)\n{" : "SQ_INLINE %s %s_%s(%s a)\n{", n,
                 n, info->name, n, n);
    if (v->lanes > 1)
        sq_text_line(to, "for (int l = 0; l < %d; l++)", v->lanes);
    sq_text_line(to, "%sa%s = %s(a%s%s%s);", v->lanes > 1 ? "    " : "", lane, f, lane,
                 two ? ", b" : "", two ? lane : "");
    sq_text_line(to, "return a;");
    sq_text_close(to, "}");
}

static bool calls_library(const sq_vector *v, sq_op op)
{
    return has(v, op) && op != SQ_OP_SQRT && !sq_math_is_own(op, v->type);
}

const char *sq_math_library_function(const sq_vector *v)
{
    for (int i = 0; i < SQ_NOPS; i++)
        if (calls_library(v, (sq_op)i))
            return sq_op_get((sq_op)i)->function[v->type == SQ_F64];
    return NULL;
}

void sq_math_define(const sq_vector *v, const sq_target *t, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const char *n = shape_name(v, arena);
    if (has(v, SQ_OP_SQRT)) /* other functions need it */
        put_sqrt(v, n, t, to);
    sq_math_put_own(v, n, t, to);
    for (int i = 0; i < SQ_NOPS; i++)
        if (calls_library(v, (sq_op)i))
            put_calls(v, n, (sq_op)i, to);
    sq_arena_free(arena);
}

/* ---- for the naive nest ---- */

static void mark_call(sq_expr *e, void *user)
{
    sq_vector *single = user;
    if (sq_math_is_function(e->op))
        single[e->type == SQ_F64].functions |= UINT64_C(1) << e->op;
}

/* Names of these texts begin with "sq_", and nothing else in them does. */
static void put_renamed(const char *text, const char *prefix, sq_text *to)
{
    for (const char *at; (at = strstr(text, "sq_")); text = at + 3) {
        sq_text_putn(to, text, (size_t)(at - text));
        sq_text_puts(to, prefix);
    }
    sq_text_puts(to, text);
}

void sq_math_define_single(const sq_kernel *k, const char *prefix, sq_text *to)
{
    static const sq_target portable = {.isa = &sq_isa_none};
    sq_vector single[2] = {{.type = SQ_F32, .lanes = 1, .strict = true},
                           {.type = SQ_F64, .lanes = 1, .strict = true}};
    sq_text text = {0};
    for (int s = 0; s < k->nstmts; s++) {
        if (k->stmt[s]->body)
            sq_expr_walk(k->stmt[s]->body, mark_call, single);
        sq_expr_walk(k->stmt[s]->value, mark_call, single);
    }
    for (int i = 0; i < 2; i++) {
        sq_vector_declare(&single[i], &text);
        sq_vector_define(&single[i], &portable, &text);
    }
    if (text.n)
        sq_text_puts(to, "#undef SQ_INLINE\n#define SQ_INLINE static inline\n");
    put_renamed(sq_text_str(&text), prefix, to);
    sq_text_free(&text);
}
