/* ISA rows: prints, for one target and one type, a program that compares the text of each vector
 * operation with its meaning (codegen/isa/rows.h), for all numbers of lanes. isa_main.h runs it.
 *
 *     isa-rows TARGET TYPE VECTORS [NAME]   shapes of up to so many of the target's vectors; the last
 *                                           lane of row NAME is said to mean another
 *     isa-rows TARGET                       "TYPE ROWS" for each type, of one vector at most */
#include "codegen/isa/convert.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/isa/rows.h"
#include "support/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 64, MOST_SHAPES = 64 };

/* A row as it is printed: of the table, of a function, of a conversion. */
typedef struct row {
    const char *name; /* "sq_f32x4_fma" */
    const char *call, *meaning;
    sq_type result;    /* of r */
    const char *error; /* in ulp, where r need not be the same; NULL: it is */
    bool computes;     /* a NaN is as good as another */
} row;

typedef struct program {
    const sq_target *target;
    sq_type type;
    const char *plant;
    int nshapes, nrows;
    sq_vector shape[MOST_SHAPES];
    sq_text checks, rows;
    int most_bytes;
    sq_arena *arena;
} program;

static sq_vector *shape(program *p, sq_type type, int lanes)
{
    for (int i = 0; i < p->nshapes; i++)
        if (p->shape[i].type == type && p->shape[i].lanes == lanes)
            return &p->shape[i];
    if (p->nshapes == MOST_SHAPES)
        sq_bug("isa-rows", "too many shapes");
    p->shape[p->nshapes] = (sq_vector){.type = type, .lanes = lanes};
    return &p->shape[p->nshapes++];
}

/* ---- a row ---- */

/* What calls and meanings speak of: its declaration in the text, from the state `st`, and what becomes
 * of it; the same in the meaning. */
static const struct variable {
    const char *name, *text, *out, *meaning, *meaning_out;
} variables[] = {
    {"a", "V a; memcpy(&a, st->a, sizeof a);", "", "const T *a = (const T *)st->a;", ""},
    {"b", "V b; memcpy(&b, st->b, sizeof b);", "", "const T *b = (const T *)st->b;", ""},
    {"c", "V c; memcpy(&c, st->c, sizeof c);", "", "const T *c = (const T *)st->c;", ""},
    {"m", "MASK m; MASK_OF(m, st->m);", "", "const I *m = (const I *)st->m;", ""},
    {"j", "M j; memcpy(&j, st->j, sizeof j);", "", "const I *j = (const I *)st->j;", ""},
    {"e", "F e; memcpy(&e, st->e, sizeof e);", "", "const float *e = (const float *)st->e;", ""},
    {"r", "R r;", "memcpy(st->r, &r, sizeof r);", "E *r = (E *)st->r;", ""},
    {"t", "MASK t;", "LANES_OF(st->r, t);", "I *t = (I *)st->r;", ""},
    {"g", "F g;", "memcpy(st->r, &g, sizeof g);", "float *g = (float *)st->r;", ""},
    {"x", "T x; memcpy(&x, st->x, sizeof x);", "memcpy(st->x, &x, sizeof x);",
     "T x; memcpy(&x, st->x, sizeof x);", "memcpy(st->x, &x, sizeof x);"},
    {"p", "T *p = (T *)st->p;", "", "T *p = (T *)st->p;", ""},
    {"q", "const T *q = (const T *)st->q;", "", "const T *q = (const T *)st->q;", ""},
    {"y", "", "", "const T (*y)[L] = (const T (*)[L])st->y;", ""},
    {"z", "V z[L]; memcpy(z, st->y, sizeof z);", "memcpy(st->z, z, sizeof z);",
     "T (*z)[L] = (T (*)[L])st->z;", ""},
    {"n", "const int64_t n = st->n;", "", "const int64_t n = st->n;", ""},
    {"s", "const int64_t s = st->s;", "", "const int64_t s = st->s;", ""},
    {"d", "const int64_t d = st->d;", "", "const int64_t d = st->d;", ""},
    {"h", "const int64_t h = st->h;", "", "const int64_t h = st->h;", ""},
    {"f", "const int f = st->f;", "", "const int f = st->f;", ""},
    {"k", "const int k = st->k;", "", "const int k = st->k;", ""},
};
enum { NVARIABLES = sizeof variables / sizeof variables[0] };

/* `T` an element, `E` one of the result; their vectors, and those of masks and of f32. */
static void put_types(program *p, const row *r, int lanes, sq_text *to)
{
    const char *c = sq_type_ctype(p->type);
    int bytes = sq_type_bytes(p->type);
    sq_text_printf(to, "    enum { L = %d };\n    typedef %s T;\n", lanes, c);
    sq_text_printf(to, "    typedef %s E;\n", sq_type_ctype(r->result));
    sq_text_printf(to, "    typedef %s W;\n", sq_type_real(p->type) ? c : "uint64_t");
    sq_text_printf(to, "    typedef int%d_t I;\n", 8 * bytes);
    if (lanes == 1) {
        sq_text_puts(to, "    typedef T V, R;\n");
        return;
    }
    sq_text_printf(to, "    typedef %s V;\n    typedef %s R;\n",
                   sq_vector_name(shape(p, p->type, lanes), p->arena),
                   sq_vector_name(shape(p, r->result, lanes), p->arena));
    sq_text_printf(to, "    typedef I M __attribute__((vector_size(%d)));\n", lanes * bytes);
    sq_text_printf(to, "    typedef %s MASK;\n",
                   p->target->isa->mask_registers ? sq_vector_mask_bits(lanes) : "M");
    sq_text_printf(to, "    typedef float F __attribute__((vector_size(%d)));\n", 4 * lanes);
}

static bool says(const row *r, const char *word)
{
    return sq_text_mentions(r->call, word) || sq_text_mentions(r->meaning, word);
}

/* One of two functions, from a state to a state. */
static void put_side(program *p, const row *r, int lanes, bool meaning, sq_text *to)
{
    const char *of = meaning ? r->meaning : r->call;
    sq_text_printf(to, "static %svoid %s_%d(state *st)\n{\n", meaning ? "" : "SQ_TARGET ",
                   meaning ? "meaning" : "text", p->nrows);
    put_types(p, r, lanes, to);
    for (int i = 0; i < NVARIABLES; i++)
        if (sq_text_mentions(of, variables[i].name))
            sq_text_printf(to, "    %s\n", meaning ? variables[i].meaning : variables[i].text);
    sq_text_puts(to, meaning ? "    for (int l = 0; l < L; l++) { " : "    ");
    for (const char *c = of; *c; c++)
        if (*c == '@')
            sq_text_puts(to, r->name);
        else
            sq_text_putn(to, c, 1);
    sq_text_puts(to, meaning ? "; }\n" : ";\n");
    for (int i = 0; i < NVARIABLES; i++)
        if (sq_text_mentions(of, variables[i].name))
            sq_text_printf(to, "    %s\n", meaning ? variables[i].meaning_out : variables[i].out);
    sq_text_puts(to, "}\n");
}

/* How far from p or q lanes go: "2", or "0": as st->s says. */
static const char *distance_of(const row *r)
{
    static const char *const known[] = {"2 * l", "2", "3 * l", "3", "4 * l", "4", "-l", "-1"};
    if (says(r, "s"))
        return "0";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i += 2)
        if (strstr(r->meaning, known[i]))
            return known[i + 1];
    return "1";
}

static void put_row(program *p, const row *r, int lanes)
{
    bool planted = p->plant && strcmp(p->plant, strchr(r->name + 3, '_') + 1) == 0;
    row shown = *r;
    if (planted)
        shown.meaning = sq_arena_printf(p->arena, "%s; if (l == L - 1) r[l] = r[0]", r->meaning);
    sq_text_printf(&p->checks, "#undef FMA\n#define FMA(a, b, c) %s\n",
                   !sq_vector_fuses(shape(p, p->type, lanes), p->target) || !sq_type_real(p->type)
                       ? "((a) * (b) + (c))"
                   : p->type == SQ_F64 ? "fma(a, b, c)"
                                       : "fmaf(a, b, c)");
    put_side(p, &shown, lanes, false, &p->checks);
    put_side(p, &shown, lanes, true, &p->checks);
    sq_text_printf(&p->rows,
                   "    {\"%s\", text_%d, meaning_%d, %d, %d, same_%s, %s, %s, %d, %d, %d, %d},\n",
                   r->name, p->nrows, p->nrows, lanes, sq_type_bytes(p->type),
                   !r->computes   ? "bits"
                   : says(r, "g") ? "f32"
                                  : sq_type_suffix(r->result),
                   r->error ? r->error : "-1", distance_of(r), strstr(r->call, "q + s") != NULL,
                   says(r, "n") + 2 * says(r, "f") + 4 * says(r, "m") + 8 * says(r, "j") +
                       16 * sq_text_mentions(r->call, "k"),
                   says(r, "h") + 2 * says(r, "d"),
                   says(r, "g") ? 4 : sq_type_bytes(r->result));
    p->nrows++;
}

/* ---- all of them ---- */

static void table_rows(program *p, int lanes)
{
    sq_vector *v = shape(p, p->type, lanes);
    for (int op = 0; op < SQ_NVOPS; op++) {
        const sq_vector_row *of = &sq_vector_rows[op];
        bool square = op == SQ_VOP_TRANSPOSE || op == SQ_VOP_TURN;
        bool missing = op == SQ_VOP_SCALE &&
                       !(sq_type_real(p->type) && sq_math_scales(v, p->target));
        if (!of->define || missing || !sq_vector_row_takes(of, p->type, lanes) ||
            (square && lanes * sq_type_bytes(p->type) > p->target->vector_bytes))
            continue;
        row r = {.name = sq_vector_op(v, (sq_vop)op, p->arena),
                 .call = of->call,
                 .meaning = of->meaning,
                 .result = p->type};
        r.computes = op == SQ_VOP_FMA || op == SQ_VOP_FMA_TURNED || op == SQ_VOP_SCALE || op == SQ_VOP_SUM ||
                     op == SQ_VOP_GET || op == SQ_VOP_BITS || op == SQ_VOP_ROUND;
        if (of->types == SQ_ROW_STORED)
            shape(p, SQ_F32, lanes);
        put_row(p, &r, lanes);
    }
}

/* Functions of floating types: of the C library as they are there, others within their errors. */
static void function_rows(program *p, int lanes)
{
    for (int op = 0; op < SQ_NOPS && sq_type_held(p->type) == p->type && sq_type_real(p->type);
         op++) {
        const sq_op_info *info = sq_op_get((sq_op)op);
        if (!sq_math_is_function((sq_op)op))
            continue;
        row r = {.name = sq_math_name(shape(p, p->type, lanes), (sq_op)op, p->arena),
                 .result = p->type,
                 .computes = true,
                 .call = info->nargs == 2 ? "r = @(a, b)" : "r = @(a)"};
        r.error = sq_math_error((sq_op)op, p->type);
        if (r.error)
            r.meaning = sq_arena_printf(p->arena, "EXACT(%s, a[l])", info->name);
        else
            r.meaning =
                sq_arena_printf(p->arena, "r[l] = %s(a[l]%s)", info->function[p->type == SQ_F64],
                                info->nargs == 2 ? ", b[l]" : "");
        put_row(p, &r, lanes);
    }
}

/* Of f64 those into one vector: gcc 12 fails on two of 64 bytes at -O0. */
static bool has_conversion(const program *p, sq_type into, int lanes)
{
    sq_type from = p->type;
    if (into == SQ_F64)
        return (from == SQ_F32 || from == SQ_I32) && 8 * lanes <= p->target->vector_bytes;
    return !sq_type_real(from) && !sq_type_real(into) && sq_type_bytes(into) != sq_type_bytes(from);
}

static void conversion_rows(program *p, int lanes)
{
    for (int t = 0; t < SQ_NTYPES && lanes > 1; t++) {
        if (!has_conversion(p, (sq_type)t, lanes))
            continue;
        shape(p, (sq_type)t, lanes);
        const char *call = sq_vector_convert(shape(p, p->type, lanes), (sq_type)t, "a", p->arena);
        row r = {.name = sq_arena_printf(p->arena, "%.*s", (int)strcspn(call, "("), call),
                 .call = "r = @(a)",
                 .meaning = "r[l] = (E)a[l]",
                 .result = (sq_type)t};
        put_row(p, &r, lanes);
    }
}

/* Masks from and to integers as wide as the lanes. */
static void put_masks(const program *p, sq_text *to)
{
    if (p->target->isa->mask_registers)
        sq_text_puts(to, "#define MASK_OF(m, from) \\\n"
                         "    m = 0; \\\n"
                         "    for (int l = 0; l < L; l++) \\\n"
                         "        m = (MASK)(m | (MASK)(((const I *)(from))[l] != 0) << l)\n"
                         "#define LANES_OF(to, m) \\\n"
                         "    for (int l = 0; l < L; l++) \\\n"
                         "        ((I *)(to))[l] = (I)-(I)(m >> l & 1)\n");
    else
        sq_text_puts(to, "#define MASK_OF(m, from) memcpy(&m, from, sizeof m)\n"
                         "#define LANES_OF(to, m) memcpy(to, &m, sizeof m)\n");
}

static void put_program(program *p, sq_text *to)
{
    sq_text_printf(to, "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n");
    sq_text_printf(to, "%s#define SQ_FRESH(p) __asm__(\"\" : \"+r\"(p))\n",
                   p->type == SQ_F64 ? "#define F64\n" : "");
    sq_text_puts(to, "#define SQ_UNROLL(n)\n#if defined(__clang__)\n"
                     "#define SQ_SHUFFLE(e, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)\n"
                     "#else\n#define SQ_SHUFFLE(e, a, b, ...) \\\n"
                     "    __builtin_shuffle(a, b, (e __attribute__((vector_size(sizeof(a))))){__VA_ARGS__})\n"
                     "#endif\n#define SQ_TARGET");
    if (p->target->attribute[0])
        sq_text_printf(to, " __attribute__((target(\"%s\")))", p->target->attribute);
    sq_text_puts(to, "\n#define SQ_INLINE static inline __attribute__((always_inline, unused)) "
                     "SQ_TARGET\n");
    put_masks(p, to);
    for (int i = 0; i < p->nshapes; i++)
        sq_vector_declare(&p->shape[i], to);
    for (int i = 0; i < p->nshapes; i++)
        sq_vector_define(&p->shape[i], p->target, to);
    sq_text_printf(to, "#define GET get_%s\n#define BITS bits_%s\n#include \"isa_main.h\"\n",
                   sq_type_suffix(p->type), sq_type_suffix(p->type));
    sq_text_puts(to, sq_text_str(&p->checks));
    sq_text_printf(to, "const row rows[] = {\n%s};\nconst int nrows = %d;\n", sq_text_str(&p->rows),
                   p->nrows);
    sq_text_printf(to, "const enum type type = TYPE_%s;\n", sq_type_suffix(p->type));
}

static sq_type type_of(const char *name)
{
    for (int t = 0; t < SQ_NTYPES; t++)
        if (strcmp(sq_type_suffix((sq_type)t), name) == 0)
            return (sq_type)t;
    return SQ_NTYPES;
}

static void collect(program *p)
{
    for (int lanes = 1; lanes <= MOST_LANES && lanes * sq_type_bytes(p->type) <= p->most_bytes;
         lanes *= 2) {
        table_rows(p, lanes);
        function_rows(p, lanes);
        conversion_rows(p, lanes);
    }
}

static void close_program(program *p)
{
    sq_text_free(&p->checks);
    sq_text_free(&p->rows);
    sq_arena_free(p->arena);
}

static void list(const sq_target *t)
{
    for (int type = 0; type < SQ_NTYPES; type++) {
        program p = {.arena = sq_arena_new(),
                     .target = t,
                     .type = (sq_type)type,
                     .most_bytes = t->vector_bytes};
        collect(&p);
        printf("%s %d\n", sq_type_suffix(p.type), p.nrows);
        close_program(&p);
    }
}

int main(int argc, char **argv)
{
    const sq_target *t = argc > 1 ? sq_target_get(argv[1]) : NULL;
    sq_type type = argc > 2 ? type_of(argv[2]) : SQ_F32;
    int vectors = argc > 3 ? atoi(argv[3]) : 1;
    if (!t || t->grid || type == SQ_NTYPES || vectors < 1) {
        fprintf(stderr, "isa-rows: TARGET of a processor [TYPE VECTORS [NAME]]\n");
        return 2;
    }
    if (argc == 2) {
        list(t);
        return 0;
    }
    program p = {.arena = sq_arena_new(),
                 .target = t,
                 .type = type,
                 .most_bytes = vectors * t->vector_bytes,
                 .plant = argc > 4 ? argv[4] : NULL};
    sq_text text = {0};
    collect(&p);
    put_program(&p, &text);
    fputs(sq_text_str(&text), stdout);
    sq_text_free(&text);
    close_program(&p);
    return 0;
}
