/* CUDA vector: see cuda_vector.h. A row's text is that of a function, in which
 *
 *     $, %, ^    are the type of the vector, that of its values, and that of what is moved at once
 *     ~text~     is the text for each lane, with commas between
 *     |text|     is the text for each lane, on lines of its own
 *     #, `       in these are the lane's number, and its member of what is moved: x, y, z, w
 *     @L, @B     are the numbers of lanes and of bytes
 *     @0, @F, @S are a zero, the vector of as many f32, and the suffix of the type: "f16"
 *     @%         is a remainder */
#include "codegen/isa/cuda_vector.h"
#include "codegen/isa/strict.h"
#include <string.h>

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

/* ---- rows ---- */

/* How all values are moved at once. */
typedef enum way {
    ANY,
    AS_VALUES, /* as a vector of CUDA's, which has them as members */
    AS_BYTES,  /* as one of other members */
    ONE_BY_ONE /* they are not */
} way;

static way way_of(const sq_vector *v)
{
    return !quad(v) ? ONE_BY_ONE : v->type == SQ_F32 || v->type == SQ_F64 ? AS_VALUES : AS_BYTES;
}

#define OF(op) SQ_VOP_BIT(SQ_VOP_##op)

/* In the order of their definitions: none calls a later one. */
static const struct row {
    sq_vop op;
    way way;          /* of the vectors that have this text; ANY: all */
    sq_vop_set needs; /* operations that the text calls */
    const char *text;
} rows[] = {
    {SQ_VOP_ALIGNED, AS_BYTES, 0,
     "$ $_aligned(const % *p)\n{\n    const ^ q = *(const ^ *)(const void *)p;\n    $ a;\n"
     "    memcpy(&a, &q, sizeof a);\n    return a;\n}\n"},
    {SQ_VOP_ALIGNED, AS_VALUES, 0,
     "$ $_aligned(const % *p)\n{\n    const ^ q = *(const ^ *)(const void *)p;\n    return {{~q.`~}};\n}\n"},
    {SQ_VOP_ALIGNED, ONE_BY_ONE, 0, "$ $_aligned(const % *p) { return {{~p[#]~}}; }\n"},
    {SQ_VOP_LOAD, ANY, OF(ALIGNED),
     "$ $_load(const % *p)\n{\n    if ((uintptr_t)p @% @B == 0)\n        return $_aligned(p);\n"
     "    return {{~p[#]~}};\n}\n"},
    {SQ_VOP_LOAD_N, ANY, OF(LOAD), /* the first n, and zeros */
     "$ $_load_n(const % *p, int64_t n)\n{\n    if (n >= @L)\n        return $_load(p);\n"
     "    return {{~n > # ? p[#] : @0~}};\n}\n"},
    {SQ_VOP_STORE_ALIGNED, AS_BYTES, 0,
     "void $_store_aligned(% *p, $ a)\n{\n    ^ q;\n    memcpy(&q, &a, sizeof q);\n"
     "    *(^ *)(void *)p = q;\n}\n"},
    {SQ_VOP_STORE_ALIGNED, AS_VALUES, 0,
     "void $_store_aligned(% *p, $ a) { *(^ *)(void *)p = make_^(~a.v[#]~); }\n"},
    {SQ_VOP_STORE_ALIGNED, ONE_BY_ONE, 0, "void $_store_aligned(% *p, $ a)\n{\n|    p[#] = a.v[#];|}\n"},
    {SQ_VOP_STORE, ONE_BY_ONE, 0, "void $_store(% *p, $ a)\n{\n|    p[#] = a.v[#];|}\n"},
    {SQ_VOP_STORE, ANY, OF(STORE_ALIGNED),
     "void $_store(% *p, $ a)\n{\n    if ((uintptr_t)p @% @B == 0) {\n        $_store_aligned(p, a);\n"
     "        return;\n    }\n|    p[#] = a.v[#];|}\n"},
    {SQ_VOP_STORE_N, ANY, OF(STORE),
     "void $_store_n(% *p, $ a, int64_t n)\n{\n    if (n >= @L) {\n        $_store(p, a);\n        return;\n    }\n"
     "|    if (n > #)\n        p[#] = a.v[#];|}\n"},
    {SQ_VOP_GATHER, ANY, 0,
     "$ $_gather(const % *p, int64_t step, int64_t n) { return {{~n > # ? p[# * step] : @0~}}; }\n"},
    {SQ_VOP_SCATTER, ANY, 0,
     "void $_scatter(% *p, int64_t step, $ a, int64_t n)\n{\n|    if (n > #)\n        p[# * step] = a.v[#];|}\n"},
    {SQ_VOP_ALL, ANY, 0, "$ $_all(% x) { return {{~x~}}; }\n"},
    {SQ_VOP_MAX, ANY, 0, "$ $_max($ a, $ b) { return {{~a.v[#] > b.v[#] ? a.v[#] : b.v[#]~}}; }\n"},
    {SQ_VOP_MIN, ANY, 0, "$ $_min($ a, $ b) { return {{~a.v[#] < b.v[#] ? a.v[#] : b.v[#]~}}; }\n"},
    {SQ_VOP_GET, ANY, 0, "@F $_get($ h) { return {{~sq_@S_get(h.v[#])~}}; }\n"},
    {SQ_VOP_BITS, ANY, 0, NULL}, /* put_bits */
    {SQ_VOP_ROUND, ANY, OF(GET) | OF(BITS), "@F $_round(@F x) { return $_get($_bits(x)); }\n"},
};
enum { NROWS = sizeof rows / sizeof *rows };

/* ---- text ---- */

/* Prints what stands for @ and a letter. */
static void put_letter(const sq_vector *v, char letter, sq_text *to)
{
    if (letter == 'L' || letter == 'B')
        sq_text_printf(to, "%d", letter == 'L' ? v->lanes : v->lanes * sq_type_bytes(v->type));
    else if (letter == '0')
        sq_text_printf(to, way_of(v) == AS_BYTES ? "(%s)0" : "0", sq_type_ctype(v->type));
    else if (letter == 'F')
        sq_text_printf(to, "sq_f32x%d", v->lanes);
    else if (letter == 'S')
        sq_text_puts(to, sq_type_suffix(v->type));
    else
        sq_text_putn(to, &letter, 1);
}

/* Prints a character of a text, and returns the last one that it took. lane: that of the text for each lane. */
static const char *put_one(const sq_vector *v, const char *n, const char *c, int lane, sq_text *to)
{
    switch (*c) {
    case '$':
        sq_text_puts(to, n);
        return c;
    case '%':
        sq_text_puts(to, sq_type_ctype(v->type));
        return c;
    case '^':
        sq_text_puts(to, quad(v));
        return c;
    case '#':
        sq_text_printf(to, "%d", lane);
        return c;
    case '`':
        sq_text_putn(to, &"xyzw"[lane], 1);
        return c;
    case '@':
        put_letter(v, c[1], to);
        return c + 1;
    default:
        sq_text_putn(to, c, 1);
        return c;
    }
}

static void put(const sq_vector *v, const char *n, const char *text, sq_text *to)
{
    for (const char *c = text; *c; c++) {
        const char *end = *c == '~' || *c == '|' ? strchr(c + 1, *c) : NULL;
        for (int l = 0; end && l < v->lanes; l++) {
            sq_text_puts(to, l && *c == '~' ? ", " : "");
            for (const char *one = c + 1; one < end; one++)
                one = put_one(v, n, one, l, to);
            sq_text_puts(to, *c == '|' ? "\n" : "");
        }
        c = end ? end : put_one(v, n, c, 0, to);
    }
}

static void put_function(const sq_vector *v, const char *n, const char *text, sq_text *to)
{
    sq_text_puts(to, "SQ_INLINE ");
    put(v, n, text, to);
}

/* Returns an operator applied to the single values a and b, which are texts. */
static const char *operation(const sq_vector *v, const char *a, char sign, const char *b, sq_arena *arena)
{
    const char *call = v->strict ? sq_rounded_call(&sq_cuda_rounded, v->type, sign) : NULL;
    return call ? sq_arena_printf(arena, "%s(%s, %s)", call, a, b) : sq_arena_printf(arena, "%s %c %s", a, sign, b);
}

/* Returns a * b + c, rounded once except under fp strict. */
static const char *multiply_add(const sq_vector *v, const char *a, const char *b, const char *c, sq_arena *arena)
{
    if (v->strict)
        return sq_arena_printf(arena, "%s + %s", operation(v, a, '*', b, arena), c);
    return sq_arena_printf(arena, "fma%s(%s, %s, %s)", v->type == SQ_F64 ? "" : "f", a, b, c);
}

/* Rounds values in pairs. */
static void put_bits(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    const char *pair = sq_uses_helper(v->uses, sq_arena_printf(arena, "sq_%s_bits2", sq_type_suffix(v->type)));
    sq_text pairs = {0};
    for (int l = 0; l < v->lanes; l += 2)
        sq_text_printf(&pairs, "%s%s(x.v[%d], x.v[%d])", l ? ", " : "", pair, l, l + 1);
    put_function(v, n,
                 sq_arena_printf(arena,
                                 "$ $_bits(@F x)\n{\n    $ h;\n    const uint32_t q[%d] = {%s};\n"
                                 "    memcpy(&h, q, sizeof h);\n    return h;\n}\n",
                                 v->lanes / 2, sq_text_str(&pairs)),
                 to);
    sq_text_free(&pairs);
}

static void put_rows(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    sq_vop_set used = v->used;
    for (int i = NROWS - 1; i >= 0; i--)
        used |= used & SQ_VOP_BIT(rows[i].op) ? rows[i].needs : 0;
    for (int i = 0; i < NROWS; i++) {
        const struct row *r = &rows[i];
        if (!(used & SQ_VOP_BIT(r->op)) || (r->way != ANY && r->way != way_of(v)))
            continue;
        if (r->op == SQ_VOP_GET)
            sq_uses_helper(v->uses, sq_arena_printf(arena, "sq_%s_get", sq_type_suffix(v->type)));
        if (r->text)
            put_function(v, n, r->text, to);
        else
            put_bits(v, n, arena, to);
    }
}

static void put_operators(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    for (const char *s = "+-*/"; *s; s++)
        if (sq_vector_has_infix(v, *s))
            put_function(v, n,
                         sq_arena_printf(arena, "$ operator%c($ a, $ b) { return {{~%s~}}; }\n", *s,
                                         operation(v, "a.v[#]", *s, "b.v[#]", arena)),
                         to);
    if (sq_vector_has_infix(v, '~'))
        put_function(v, n, "$ operator-($ a) { return {{~-a.v[#]~}}; }\n", to);
    if (v->used & OF(FMA))
        put_function(v, n,
                     sq_arena_printf(arena, "$ $_fma($ a, $ b, $ c) { return {{~%s~}}; }\n",
                                     multiply_add(v, "a.v[#]", "b.v[#]", "c.v[#]", arena)),
                     to);
}

/* Functions apply those of single values lane by lane. */
static void put_calls(const sq_vector *v, const char *n, sq_arena *arena, sq_text *to)
{
    for (int op = 0; op < SQ_NOPS; op++) {
        const sq_op_info *info = sq_op_get((sq_op)op);
        const char *form = info->nargs == 2 ? "$ $_%s($ a, $ b) { return {{~sq_@Sx1_%s(a.v[#], b.v[#])~}}; }\n"
                                            : "$ $_%s($ a) { return {{~sq_@Sx1_%s(a.v[#])~}}; }\n";
        if (v->functions >> op & 1)
            put_function(v, n, sq_arena_printf(arena, form, info->name, info->name), to);
    }
}

void sq_cuda_vector_define(const sq_vector *v, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const char *n = sq_vector_name(v, arena);
    put(v, n, "struct alignas(@B) $ {\n    % v[@L];\n};\n", to);
    put_rows(v, n, arena, to);
    put_operators(v, n, arena, to);
    put_calls(v, n, arena, to);
    sq_arena_free(arena);
}

/* ---- single values ---- */

/* Returns the value of a function. */
static const char *function(const sq_vector *v, sq_op op, sq_arena *arena)
{
    const sq_op_info *info = sq_op_get(op);
    const char *f = v->type == SQ_F64 ? "" : "f";
    return op == SQ_OP_SIGMOID ? sq_arena_printf(arena, "1 / (1 + exp%s(-a))", f)
           : op == SQ_OP_RSQRT ? sq_arena_printf(arena, "1 / sqrt%s(a)", f)
                               : sq_arena_printf(arena, "%s(a%s)", info->function[v->type == SQ_F64],
                                                 info->nargs == 2 ? ", b" : "");
}

void sq_cuda_single_define(const sq_vector *v, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const char *n = sq_arena_printf(arena, "sq_%sx1", sq_type_suffix(v->type));
    put(v, n, "typedef % $;\n", to);
    if (v->used & OF(FMA))
        put_function(v, n,
                     sq_arena_printf(arena, "$ $_fma($ a, $ b, $ c) { return %s; }\n",
                                     sq_type_real(v->type) ? multiply_add(v, "a", "b", "c", arena)
                                                           : "(%)((uint64_t)a * (uint64_t)b + (uint64_t)c)"),
                     to);
    if (v->used & OF(MIN))
        put_function(v, n, "$ $_min($ a, $ b) { return a < b ? a : b; }\n", to);
    if (v->used & OF(MAX))
        put_function(v, n, "$ $_max($ a, $ b) { return a > b ? a : b; }\n", to);
    for (int op = 0; op < SQ_NOPS && !v->strict; op++)
        if (v->functions >> op & 1)
            put_function(v, n,
                         sq_arena_printf(arena, sq_op_get((sq_op)op)->nargs == 2 ? "$ $_%s($ a, $ b) { return %s; }\n"
                                                                                 : "$ $_%s($ a) { return %s; }\n",
                                         sq_op_get((sq_op)op)->name, function(v, (sq_op)op, arena)),
                         to);
    sq_arena_free(arena);
}
