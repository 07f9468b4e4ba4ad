/* Draw, forms: what a value may be made of, a row for each with its weight. A row that finds
 * nothing to be made of gives way to a leaf. */
#include "tests/fuzz/draw.h"
#include <string.h>

/* ---- what is known of values ---- */

sq_type type_usual(sq_type a, sq_type b)
{
    static const sq_type order[] = {SQ_I32, SQ_U32, SQ_I64, SQ_U64, SQ_F32, SQ_F64};
    sq_type wider = SQ_I32;
    for (int i = 0; i < 6; i++)
        if (order[i] == sq_type_promoted(a) || order[i] == sq_type_promoted(b))
            wider = order[i];
    return wider;
}

sq_type draw_other_type(draw *d, sq_type type)
{
    static const sq_type integers[] = {SQ_I32, SQ_I64, SQ_U32, SQ_U64};
    if (sq_type_real(type))
        return draw_chance(d, 50) ? SQ_F32 : SQ_F64;
    return integers[draw_below(d, 4)];
}

/* Operations that round alone, if at all. */
static bool stays_exact(const expr *e)
{
    static const char *const texts[] = {"-",    "relu",   "fabs",  "fabsf", "floor",
                                        "ceil", "floorf", "ceilf", "max2",  "min2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(e->text, texts[i]) == 0)
            return e->kind == E_UNARY || e->text[0] == 'm';
    return false;
}

bool is_exact(const program *p, const expr *e)
{
    if (p->fp == SQ_FP_STRICT || !sq_type_real(e->type))
        return true;
    if (e->kind == E_READ)
        return !p->array[e->which].written;
    if (e->kind == E_REDUCE)
        return *e->text == 'r' && is_exact(p, e->arg[0]);
    if ((e->kind == E_UNARY || e->kind == E_BINARY) && !stays_exact(e))
        return false;
    for (int i = 0; i < e->nargs; i++)
        if (!is_exact(p, e->arg[i]))
            return false;
    return true;
}

/* An input as it is, or a constant times it: rounded once, whatever happens. NULL: none. */
static expr *exact_leaf(draw *d, sq_type type, double scale, bool positive)
{
    for (int attempt = 0; attempt < 4; attempt++) {
        expr *e = draw_read(d, type, true);
        if (!e || !is_exact(d->p, e) || d->p->array[e->which].magnitude > 0)
            continue;
        if (positive)
            e = draw_unary(d, type == SQ_F32 ? "fabsf" : "fabs", e);
        return scale != 1 ? draw_binary(d, "*", draw_constant(d, type, scale), e) : e;
    }
    return NULL;
}

/* ---- forms ---- */

typedef expr *form_draw(draw *d, sq_type type, int depth, bool cold, int *magnitude);

static expr *both(draw *d, const char *op, sq_type type, int depth, bool cold, int *magnitude)
{
    int x, y;
    expr *a = draw_value(d, type, depth - 1, cold, &x),
         *b = draw_value(d, type, depth - 1, cold, &y);
    int most = x > y ? x : y;
    *magnitude = *op == '*' ? x + y : *op == '+' || *op == '-' ? most + 1 : most;
    return draw_binary(d, op, a, b);
}

static expr *arithmetic(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    static const char *const ops[] = {"+", "-", "*"};
    return both(d, ops[draw_below(d, 3)], type, depth, cold, magnitude);
}

static expr *extreme(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    expr *e = both(d, draw_chance(d, 50) ? "max2" : "min2", type, depth, cold, magnitude);
    e->arg[0]->implicit = e->arg[1]->implicit = false; /* of two types it would be ambiguous */
    return e;
}

static expr *bits(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    static const char *const ops[] = {"&", "|", "^"};
    if (draw_chance(d, 15))
        return draw_unary(d, "~", draw_value(d, type, depth - 1, cold, magnitude));
    return both(d, ops[draw_below(d, 3)], type, depth, cold, magnitude);
}

static affine draw_index_condition(draw *d)
{
    affine a = affine_of_var(d->scope[draw_below(d, d->nscope)]);
    a.var[d->scope[draw_below(d, d->nscope)]] -= 1;
    a.constant = draw_below(d, 5) - 2;
    if (draw_chance(d, 15)) {
        a.divisor = 2 + draw_below(d, 2);
        a.remainder = draw_chance(d, 50);
    }
    return a;
}

/* A condition on what is exact: indices, integers, inputs. */
static expr *selection(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};
    int x, y;
    expr *e = draw_expr(d, E_SELECT, type);
    e->arg[2] = draw_value(d, type, depth - 1, cold, &x);
    e->arg[3] = draw_value(d, type, depth - 1, cold, &y);
    *magnitude = x > y ? x : y;
    e->arg[0] = e->arg[1] = draw_constant(d, type, 0);
    e->nargs = 4;
    e->text = relations[draw_below(d, 6)];
    e->affine_condition = d->nscope && draw_chance(d, 40);
    if (e->affine_condition) {
        e->sub[0] = draw_index_condition(d);
        return e;
    }
    sq_type t = draw_chance(d, 30) ? draw_other_type(d, type) : type;
    for (int i = 0; i < 2; i++) {
        int unused;
        e->arg[i] = sq_type_real(t) ? exact_leaf(d, t, 1, false)
                                    : draw_value(d, t, depth - 1, cold, &unused);
        if (!e->arg[i])
            e->arg[i] = draw_constant(d, t, i ? 0.25 : 0.5);
    }
    return e;
}

/* A read that is in bounds only where the condition holds. */
static expr *at_edge(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    expr *read = draw_read(d, type, cold), *e = draw_expr(d, E_SELECT, type);
    if (!read || read->pad || read->clamp || d->p->array[read->which].ndim == 0)
        return NULL;
    const array *a = &d->p->array[read->which];
    int at = draw_below(d, a->ndim), by = 1 + draw_below(d, 2);
    affine *sub = &read->sub[at];
    if (sub->divisor)
        return NULL;
    if (draw_chance(d, 50)) { /* 0 <= sub */
        sub->constant -= by;
        e->sub[0] = *sub;
    } else { /* sub < extent */
        sub->constant += by;
        e->sub[0] = extent_last(&a->dim[at]);
        for (int v = 0; v < MOST_VARS; v++)
            e->sub[0].var[v] -= sub->var[v];
        for (int s = 0; s < MOST_PROGRAM_SIZES; s++)
            e->sub[0].size[s] -= sub->size[s];
        e->sub[0].constant -= sub->constant;
    }
    int x;
    *magnitude = a->magnitude;
    e->affine_condition = true;
    e->arg[0] = e->arg[1] = draw_constant(d, type, 0);
    e->arg[2] = draw_tamed(d, read, magnitude);
    e->arg[3] = draw_value(d, type, depth - 1, cold, &x);
    *magnitude = *magnitude > x ? *magnitude : x;
    e->nargs = 4;
    e->text = ">=";
    return e;
}

/* x / 3, x / (1 + |y|); of integers also remainders and shifts. */
static expr *division(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    bool real = sq_type_real(type);
    const char *op = real ? "/" : (const char *const[]){"/", "%", ">>", "<<"}[draw_below(d, 4)];
    expr *by = draw_constant(d, type, 1 + draw_below(d, real ? 3 : 6));
    if (draw_chance(d, 40)) {
        int unused;
        expr *y = draw_value(d, type, depth - 1, cold, &unused);
        y = real ? draw_unary(d, type == SQ_F32 ? "fabsf" : "fabs", y)
                 : draw_binary(d, "&", y, draw_constant(d, type, 7));
        by = draw_binary(d, "+", draw_constant(d, type, 1), y);
    }
    return draw_binary(d, op, draw_value(d, type, depth - 1, cold, magnitude), by);
}

/* 0 or 1. */
static expr *comparison(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    static const char *const ops[] = {"<", "<=", "==", "!=", ">", ">="};
    expr *one = NULL;
    for (int i = 0; i < 1 + draw_chance(d, 30); i++) {
        int unused;
        sq_type t = draw_other_type(d, SQ_I32);
        expr *e = both(d, ops[draw_below(d, 6)], t, depth, cold, &unused);
        e->type = SQ_I32;
        one = one ? draw_binary(d, draw_chance(d, 50) ? "&&" : "||", one, e) : e;
    }
    *magnitude = 0;
    return draw_cast(d, type, one);
}

/* An integer made small enough to be added to floating values. */
static expr *small_integer(draw *d, sq_type type, sq_type real, int depth, bool cold)
{
    int unused, n = 8 * sq_type_bytes(type) - 1;
    double scale = 1;
    while (n-- > 0)
        scale /= 2;
    return draw_binary(d, "*", draw_value(d, type, depth, cold, &unused),
                       draw_constant(d, real, scale));
}

/* Operands of two types: C says which one is computed in. */
static expr *mixed(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    static const char *const ops[] = {"+", "-", "*"};
    sq_type other = draw_other_type(d, type), one = draw_chance(d, 50) ? type : other;
    int x = 0, y;
    expr *a = draw_value(d, one, depth - 1, cold, &y), *b;
    if (sq_type_real(type) && draw_chance(d, 40)) {
        b = small_integer(d, draw_other_type(d, SQ_I32), other, depth - 1, cold);
        b->type = other;
    } else {
        b = draw_value(d, other == one ? type : other, depth - 1, cold, &x);
    }
    expr *e = draw_binary(d, ops[draw_below(d, 3)], a, b);
    e->type = type_usual(a->type, b->type);
    *magnitude = *e->text == '*' ? x + y : (x > y ? x : y) + 1;
    return draw_cast(d, type, e);
}

/* A floating value that loses its fraction; it fits. */
static expr *truncated(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    static const struct {
        sq_type type;
        double scale;
    } rows[] = {{SQ_I8, 80},   {SQ_U8, 150},  {SQ_I16, 3e4}, {SQ_U16, 6e4},
                {SQ_I32, 1e9}, {SQ_U32, 2e9}, {SQ_I64, 1e9}, {SQ_U64, 1e9}};
    int row = draw_below(d, 8);
    (void)depth, (void)cold;
    sq_type to = rows[row].type;
    expr *e = exact_leaf(d, draw_other_type(d, SQ_F32), rows[row].scale, sq_type_unsigned(to));
    *magnitude = 0;
    return e ? draw_cast(d, type, draw_cast(d, to, e)) : NULL;
}

static expr *saturated(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    static const struct {
        sq_type type;
        const char *text;
    } rows[] = {{SQ_I8, "sat_int8"},    {SQ_U8, "sat_uint8"},  {SQ_I16, "sat_int16"},
                {SQ_U16, "sat_uint16"}, {SQ_I32, "sat_int32"}, {SQ_U32, "sat_uint32"},
                {SQ_I64, "sat_int64"},  {SQ_U64, "sat_uint64"}};
    static const double scales[] = {1, 200, 1e5, 1e10, 1e20};
    int row = draw_below(d, 8);
    sq_type from = draw_chance(d, 50) ? draw_other_type(d, SQ_F32) : draw_other_type(d, SQ_I32);
    expr *e = sq_type_real(from) ? exact_leaf(d, from, scales[draw_below(d, 5)], false)
                                 : draw_value(d, from, depth - 1, cold, magnitude);
    *magnitude = 0;
    if (!e)
        return NULL;
    e = draw_unary(d, rows[row].text, e);
    e->type = rows[row].type;
    return draw_cast(d, type, e);
}

/* Rounded to a narrow type on the way. */
static expr *narrowed(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    expr *e = draw_value(d, type, depth - 1, cold, magnitude);
    if (!sq_type_real(type)) {
        static const sq_type small[] = {SQ_I8, SQ_I16, SQ_U8, SQ_U16, SQ_I32, SQ_U32};
        return draw_cast(d, type, draw_cast(d, small[draw_below(d, 6)], e));
    }
    if (!d->f->halves || !is_exact(d->p, e)) /* rounding twice may tip over */
        return draw_cast(d, type, draw_cast(d, SQ_F32, e));
    return draw_cast(d, type, draw_cast(d, draw_chance(d, 50) ? SQ_F16 : SQ_BF16, e));
}

typedef enum domain { ALL, BELOW_1, ABOVE_1, EXACT } domain;

static const struct function {
    int weight;
    const char *f32, *f64;
    domain of;
    int magnitude; /* of the result; -1: as of the argument */
} functions[] = {{2, "tanhf", "tanh", ALL, 0},       {2, "fabsf", "fabs", ALL, -1},
                 {2, "expf", "exp", BELOW_1, 2},     {2, "sqrtf", "sqrt", ABOVE_1, -1},
                 {1, "exp2f", "exp2", BELOW_1, 1},   {1, "logf", "log", ABOVE_1, -1},
                 {1, "log2f", "log2", ABOVE_1, -1},  {1, "rsqrtf", "rsqrt", ABOVE_1, 0},
                 {1, "sigmoidf", "sigmoid", ALL, 0}, {1, "erff", "erf", ALL, 0},
                 {1, "sinf", "sin", BELOW_1, 0},     {1, "cosf", "cos", BELOW_1, 0},
                 {1, "floorf", "floor", EXACT, 1},   {1, "ceilf", "ceil", EXACT, 1},
                 {1, "powf", "pow", ABOVE_1, -1}};

static expr *function_of(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    int n = 0, all = 0, wide = type == SQ_F64;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        all += functions[i].weight;
    for (int left = draw_below(d, all); left >= functions[n].weight; n++)
        left -= functions[n].weight;
    const struct function *f = &functions[n];
    if (!d->f->words && (strcmp(f->f64, "sigmoid") == 0 || strcmp(f->f64, "rsqrt") == 0))
        return NULL;
    expr *e = f->of == EXACT ? exact_leaf(d, type, 3, false)
                             : draw_value(d, type, depth - 1, cold, magnitude);
    if (!e)
        return NULL;
    if (f->of == BELOW_1)
        e = draw_unary(d, wide ? "tanh" : "tanhf", e);
    if (f->of == ABOVE_1)
        e = draw_binary(d, "+", draw_constant(d, type, 1),
                        draw_unary(d, wide ? "fabs" : "fabsf", e));
    *magnitude = f->magnitude < 0 ? *magnitude : f->magnitude;
    if (f->f32[0] == 'p')
        return draw_binary(d, wide ? f->f64 : f->f32, e,
                           draw_constant(d, type, 0.25 * (1 + draw_below(d, 3))));
    return draw_unary(d, wide ? f->f64 : f->f32, e);
}

static expr *sign(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    return draw_unary(d, d->f->words && draw_chance(d, 50) ? "relu" : "-",
                      draw_value(d, type, depth - 1, cold, magnitude));
}

/* ---- the table ---- */

static const struct form {
    int weight;
    sort of;
    size_t needs; /* of features; 0: nothing */
    form_draw *draw;
} forms[] = {
#define NEEDS(f) offsetof(features, f)
    {44, ANY, NEEDS(locals), arithmetic},
    {12, ANY, NEEDS(words), extreme},
    {4, ANY, NEEDS(locals), sign},
    {8, REALS, NEEDS(functions), function_of},
    {5, ANY, NEEDS(select), selection},
    {4, ANY, NEEDS(select), at_edge},
    {6, ANY, NEEDS(integer_operators), division},
    {8, INTEGERS, NEEDS(integer_operators), bits},
    {5, INTEGERS, NEEDS(integer_operators), comparison},
    {8, ANY, NEEDS(small_types), mixed},
    {5, INTEGERS, NEEDS(small_types), truncated},
    {5, INTEGERS, NEEDS(saturate), saturated},
    {5, ANY, NEEDS(small_types), narrowed},
#undef NEEDS
};

expr *draw_value(draw *d, sq_type type, int depth, bool cold, int *magnitude)
{
    if (depth <= 0 || draw_chance(d, 15))
        return draw_leaf(d, type, cold, magnitude);
    enum { N = sizeof forms / sizeof *forms };
    int weight[N], all = 0, n = 0;
    for (int i = 0; i < N; i++) {
        bool has = ((const bool *)d->f)[forms[i].needs / sizeof(bool)];
        bool fits = forms[i].of & (sq_type_real(type) ? REALS : INTEGERS);
        weight[i] = has && fits ? forms[i].weight : 0;
        all += weight[i];
    }
    for (int left = draw_below(d, all); left >= weight[n]; n++)
        left -= weight[n];
    expr *e = forms[n].draw(d, type, depth, cold, magnitude);
    return e ? draw_tamed(d, e, magnitude) : draw_leaf(d, type, cold, magnitude);
}
