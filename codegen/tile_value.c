/* Tile values: points of a register tile, the addresses of accesses there, and expressions as named
 * values. Every distinct address is loaded once as long as its register lasts: a value is known by
 * the text that computes it (values.h), so sharing between rows, taps and fused statements needs no
 * analysis. */
#include "codegen/math.h"
#include "codegen/print.h"
#include "codegen/scalar.h"
#include "codegen/tile_inside.h"
#include <ctype.h>
#include <string.h>

/* ---- points ---- */

bool sq_tile_row(const sq_tile *t, int d)
{
    return d < t->group->nfree && d != t->group->micro.vector;
}

/* Points of the tile along the dimensions of [from, to) that are rows or taps. */
static int count(const sq_tile *t, int from, int to)
{
    int n = 1;
    for (int d = from; d < to; d++)
        if (d != t->group->micro.serial && d != t->group->micro.vector)
            n *= (int)t->variant->points[d];
    return n;
}

void sq_tile_count(sq_tile *t)
{
    const sq_micro *m = &t->group->micro;
    int lanes = t->vec->lanes;
    t->rows = count(t, 0, t->group->nfree);
    t->taps = count(t, t->group->nfree, t->group->ndim);
    t->vectors = 1;
    if (m->vector < 0)
        return;
    if (!t->across)
        t->vectors = (int)((t->variant->points[m->vector] + lanes - 1) / lanes);
    else if (m->vector != m->serial)
        t->taps *= (int)(t->variant->points[m->vector] / lanes);
}

/* Deals `index` out to the dimensions of [from, to) but vector and serial, the last fastest; what
 * is left over. */
static int64_t deal(const sq_tile *t, sq_point *p, int from, int to, int64_t index)
{
    for (int d = to - 1; d >= from; d--) {
        if (d == t->group->micro.serial || d == t->group->micro.vector)
            continue;
        p->at[d] = index % t->variant->points[d];
        index /= t->variant->points[d];
    }
    return index;
}

sq_point sq_tile_point(const sq_tile *t, int row, int vector, int tap, int step)
{
    const sq_group *g = t->group;
    sq_point p = {.vector = vector};
    deal(t, &p, 0, g->nfree, row);
    int64_t more = deal(t, &p, g->nfree, g->ndim, tap);
    if (g->micro.serial >= 0)
        p.at[g->micro.serial] = step;
    if (g->micro.vector >= 0 && g->micro.vector != g->micro.serial)
        p.at[g->micro.vector] = (vector + more) * t->vec->lanes;
    return p;
}

const char *sq_tile_left(const sq_tile *t, const sq_point *p)
{
    int v = t->group->micro.vector;
    if (v < 0 || t->vec->lanes == 1 || t->across)
        return NULL;
    int64_t start = (int64_t)p->vector * t->vec->lanes;
    if (t->variant->runtime[v])
        return start ? sq_arena_printf(t->arena, "@n_%s - %lld", t->group->dim[v], (long long)start)
                     : sq_arena_printf(t->arena, "@n_%s", t->group->dim[v]);
    int64_t left = t->variant->points[v] - start;
    return left < t->vec->lanes ? sq_arena_printf(t->arena, "%lld", (long long)left) : NULL;
}

/* ---- addresses ---- */

static void put_times(sq_text *a, int64_t times, const char *stride)
{
    if (times == 1)
        sq_text_printf(a, " + %s", stride);
    else if (times)
        sq_text_printf(a, " + %lld * %s", (long long)times, stride);
}

/* Row variables of masked dimensions: "r_i3" is 3, or 0 where there is no row 3. */
static void put_clamped(const sq_tile *t, const sq_ref *r, const sq_point *p, sq_text *a)
{
    for (int d = 0; d < t->group->nfree; d++) {
        if (!t->variant->runtime[d] || !sq_tile_row(t, d) || !p->at[d] || !sq_ref_depends(r, d))
            continue;
        for (int s = 0; s < r->nsubs; s++) {
            if (!r->coef[s][d])
                continue;
            int64_t stride = sq_array_stride(r->array, s);
            sq_text_printf(a, " + @r_%s%lld * ", t->group->dim[d], (long long)p->at[d]);
            if (stride)
                sq_text_printf(a, "%lld", (long long)(r->coef[s][d] * stride));
            else
                sq_text_printf(a, "%lld * %s", (long long)r->coef[s][d],
                               sq_stride_name(r->array, s, t->arena));
        }
    }
}

const char *sq_tile_address(const sq_tile *t, int ref, const sq_point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    sq_text a = {0};
    sq_point q = *p;
    if (!r->buffer)
        for (int d = 0; d < t->group->nfree; d++)
            if (t->variant->runtime[d] && sq_tile_row(t, d))
                q.at[d] = 0;
    sq_offset o = sq_ref_offset(r, q.at);
    sq_text_puts(&a, t->bases.base[t->bases.of[ref]].name);
    for (int s = 0; s < r->nsubs; s++)
        put_times(&a, o.times[s], sq_stride_name(r->array, s, t->arena));
    if (!r->buffer)
        put_clamped(t, r, p, &a);
    if (o.known)
        sq_text_printf(&a, " %c %lld", o.known < 0 ? '-' : '+',
                       (long long)(o.known < 0 ? -o.known : o.known));
    const char *s = sq_arena_strdup(t->arena, a.s);
    sq_text_free(&a);
    return s;
}

const char *sq_tile_stride(const sq_tile *t, const sq_ref *r, int dim, int64_t by)
{
    int64_t zero[SQ_MAX_DIMS] = {0}, there[SQ_MAX_DIMS] = {0};
    there[dim] = by;
    sq_offset a = sq_ref_offset(r, zero), b = sq_ref_offset(r, there);
    sq_text s = {0};
    for (int x = 0; x < r->nsubs; x++)
        put_times(&s, b.times[x] - a.times[x], sq_stride_name(r->array, x, t->arena));
    if (b.known != a.known || s.n == 0)
        sq_text_printf(&s, "%s%lld", s.n ? " + " : "", (long long)(b.known - a.known));
    const char *text = sq_arena_strdup(t->arena, s.s + (strncmp(s.s, " + ", 3) == 0 ? 3 : 0));
    sq_text_free(&s);
    return text;
}

const char *sq_tile_lane_step(const sq_tile *t, const sq_ref *r)
{
    int v = t->group->micro.vector;
    return v < 0 || t->vec->lanes == 1 ? "0" : sq_tile_stride(t, r, v, 1);
}

const char *sq_tile_load(sq_tile *t, int ref, const sq_point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    const char *at = sq_tile_address(t, ref, p), *step = sq_tile_lane_step(t, r);
    const char *left = r->buffer ? NULL : sq_tile_left(t, p);
    if (t->vec->lanes == 1)
        return sq_arena_printf(t->arena, "*(%s)", at);
    if (strcmp(step, "0") == 0)
        return sq_arena_printf(t->arena, "%s(*(%s))", sq_vector_op(t->vec, SQ_VOP_ALL, t->arena),
                               at);
    if (strcmp(step, "1") != 0)
        return sq_arena_printf(t->arena, "%s(%s, %s, %s)",
                               sq_vector_op(t->vec, SQ_VOP_GATHER, t->arena), at, step,
                               left ? left : sq_arena_printf(t->arena, "%d", t->vec->lanes));
    if (left)
        return sq_arena_printf(t->arena, "%s(%s, %s)",
                               sq_vector_op(t->vec, SQ_VOP_LOAD_N, t->arena), at, left);
    return sq_arena_printf(t->arena, "%s(%s)", sq_vector_op(t->vec, SQ_VOP_LOAD, t->arena), at);
}

/* ---- expressions ---- */

/* Stems that could meet another of our names when a number follows get a letter between. */
static const char *safe_stem(const sq_tile *t, const char *stem)
{
    bool plain = true;
    for (const char *c = stem; *c; c++)
        plain &= isalpha((unsigned char)*c) != 0;
    return sq_arena_printf(t->arena, "@%s%s", stem, plain ? "" : "v");
}

const char *sq_tile_named(sq_tile *t, const char *stem, const char *text)
{
    bool fresh;
    stem = safe_stem(t, stem);
    const char *name = sq_values_use(t->values, stem, text, t->counting, &fresh);
    if (fresh && !t->counting)
        sq_text_line(t->to, "const %s %s = %s;", t->type, name, text);
    return name;
}

int sq_tile_ref(const sq_tile *t, const sq_access *a)
{
    for (int i = 0; i < t->nest->nrefs; i++)
        if (t->nest->ref[i]->access == a)
            return i;
    sq_bug("tile", "an access of '%s' has no reference", a->array->name);
}

const char *sq_tile_splat(sq_tile *t, const char *scalar)
{
    return t->vec->lanes == 1 ? scalar
                              : sq_arena_printf(t->arena, "%s(%s)",
                                                sq_vector_op(t->vec, SQ_VOP_ALL, t->arena), scalar);
}

static const char *constant(sq_tile *t, const sq_expr *e)
{
    sq_text s = {0};
    if (sq_type_real(t->vec->type))
        sq_scalar_number(sq_type_real(e->type) ? e->real : (double)e->integer, t->vec->type, &s);
    else
        sq_scalar_integer(sq_type_real(e->type) ? (int64_t)e->real : e->integer, t->vec->type, &s);
    const char *text = sq_tile_splat(t, sq_text_str(&s));
    text = sq_arena_strdup(t->arena, text);
    sq_text_free(&s);
    return sq_tile_named(t, "k", text);
}

const char *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p);

static const char *read_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    int ref = sq_tile_ref(t, e->access);
    return sq_tile_named(t, e->access->array->name, sq_tile_load(t, ref, p));
}

const char *sq_tile_fma(sq_tile *t, const sq_expr *mul, const char *sign, const char *c,
                        const sq_point *p)
{
    const char *a = sq_tile_eval(t, mul->arg[0], p), *b = sq_tile_eval(t, mul->arg[1], p);
    return sq_arena_printf(t->arena, "%s(%s%s, %s, %s)", sq_vector_op(t->vec, SQ_VOP_FMA, t->arena),
                           sign, a, b, c);
}

static bool fuses(const sq_tile *t, const sq_expr *e)
{
    return e->op == SQ_OP_MUL && t->nest->kernel->fp != SQ_FP_STRICT;
}

/* Sums of a product become one multiply-add, unless the contract is strict; written out it does not
 * hang on the flags of the compiler. */
static const char *sum_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    bool minus = e->op == SQ_OP_SUB;
    if (fuses(t, e->arg[1])) {
        const char *c = sq_tile_eval(t, e->arg[0], p);
        return sq_tile_named(t, "t", sq_tile_fma(t, e->arg[1], minus ? "-" : "", c, p));
    }
    if (fuses(t, e->arg[0]) && !minus) {
        const char *c = sq_tile_eval(t, e->arg[1], p);
        return sq_tile_named(t, "t", sq_tile_fma(t, e->arg[0], "", c, p));
    }
    const char *a = sq_tile_eval(t, e->arg[0], p), *b = sq_tile_eval(t, e->arg[1], p);
    return sq_tile_named(t, "t", sq_arena_printf(t->arena, "%s %c %s", a, minus ? '-' : '+', b));
}

static const char *call_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const char *f;
    if (e->op == SQ_OP_MIN || e->op == SQ_OP_MAX)
        f = sq_vector_op(t->vec, e->op == SQ_OP_MIN ? SQ_VOP_MIN : SQ_VOP_MAX, t->arena);
    else if (sq_math_is_function(e->op))
        f = sq_math_name(t->vec, e->op, t->arena);
    else
        sq_bug("tile", "operator %s has no vector form", sq_op_get(e->op)->name);
    const char *a = sq_tile_eval(t, e->arg[0], p);
    if (e->nargs == 1)
        return sq_tile_named(t, "t", sq_arena_printf(t->arena, "%s(%s)", f, a));
    const char *b = sq_tile_eval(t, e->arg[1], p);
    return sq_tile_named(t, "t", sq_arena_printf(t->arena, "%s(%s, %s)", f, a, b));
}

const char *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const char *a, *b;
    switch (e->op) {
    case SQ_OP_CONST:
        return constant(t, e);
    case SQ_OP_SCALAR:
        return sq_tile_named(t, e->scalar->name, sq_tile_splat(t, e->scalar->name));
    case SQ_OP_READ:
        return read_value(t, e, p);
    case SQ_OP_REDUCED:
        return t->reduced;
    case SQ_OP_CAST:
        return sq_tile_eval(t, e->arg[0], p);
    case SQ_OP_NEG:
        return sq_tile_named(t, "t",
                             sq_arena_printf(t->arena, "-%s", sq_tile_eval(t, e->arg[0], p)));
    case SQ_OP_ADD:
    case SQ_OP_SUB:
        return sum_value(t, e, p);
    case SQ_OP_MUL:
    case SQ_OP_DIV:
        a = sq_tile_eval(t, e->arg[0], p);
        b = sq_tile_eval(t, e->arg[1], p);
        return sq_tile_named(t, "t",
                             sq_arena_printf(t->arena, "%s %s %s", a, sq_op_get(e->op)->infix, b));
    default:
        return call_value(t, e, p);
    }
}
